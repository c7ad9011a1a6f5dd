"""What the bank and its auctions put on the trail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from audits.vocabulary import register, say_codes
from casino.kernel.words import Text, same

HOW = {
    "first": Text("primer banco", "first bank"),
    "turn": Text("por turno", "by turn"),
    "retake": Text("retomado", "retaken"),
    "auction": Text("por subasta", "by auction"),
    "forced": Text("adjudicado a la derecha", "given to the right hand"),
}
ENDINGS = {
    "lost": Text("perdió la mano", "lost the hand"),
    "exhausted": Text("perdió la mano y el banco se agotó", "lost the hand and the bank ran out"),
    "passed": Text("lo pasó", "passed it on"),
    "refused": Text("no lo tomó", "did not take it"),
    "returned": Text("devuelto: la mesa cierra", "returned: the table closes"),
}
STEPS = {
    "rotation": Text("se ofrece por turno", "offered by turn"),
    "retake": Text("se ofrece a quien lo dejó", "offered to who left it"),
    "auction": Text("se subasta", "goes to auction"),
    "over": Text("resuelto", "resolved"),
}
ANSWERS = {
    "take": Text("lo toma", "takes it"),
    "joint": Text("lo toma en asociación", "takes it in association"),
    "decline": Text("no lo quiere", "does not want it"),
    "absent": Text("no está y pierde su lugar", "is away and loses the place"),
}
FORMS = {"outcry": Text("a viva voz", "open outcry"), "sealed": Text("a sobre cerrado", "sealed bids")}

BANK_EVENTS = tuple(
    f"tables.bank.{word}"
    for word in ("opened", "raised", "joined", "set_aside", "ended", "restored", "answered")
)
"""What tells of one player's time with the bank."""
AUCTION_EVENTS = tuple(
    f"tables.auction.{word}" for word in ("opened", "bid", "bid_sealed", "awarded", "deserted", "forced")
)
"""What tells of an auction, but for the signatures under its act."""


def _saying(words: Mapping[str, Text]) -> Callable[[Any], Text]:
    return lambda code: words.get(code, same(code))


say_codes("bank_how", _saying(HOW))
say_codes("bank_ending", _saying(ENDINGS))
say_codes("bank_step", _saying(STEPS))
say_codes("bank_answer", _saying(ANSWERS))
say_codes("auction_form", _saying(FORMS))
say_codes("bank_with", lambda seat: Text(f" con el asiento {seat}", f" with seat {seat}"), optional=True)
say_codes(
    "bank_associate",
    lambda one: Text(", con {player} (asiento {seat})", ", with {player} (seat {seat})").fill(**one),
    optional=True,
)

register(
    "tables.bank.opened",
    "{player} (asiento {seat}) deposita {amount:money} en el banco {number},"
    " {how:bank_how}{associate:bank_associate}: {announcement_es}",
    "{player} (seat {seat}) puts {amount:money} into bank {number},"
    " {how:bank_how}{associate:bank_associate}: {announcement_en}",
)
register(
    "tables.bank.raised",
    "{player} (asiento {seat}) añade {amount:money} al banco {number}: {announcement_es}",
    "{player} (seat {seat}) adds {amount:money} to bank {number}: {announcement_en}",
)
register(
    "tables.bank.joined",
    "{player} (asiento {associate_seat}) se asocia al banco {number}",
    "{player} (seat {associate_seat}) associates with bank {number}",
)
register(
    "tables.bank.set_aside",
    "se apartan {amount:money} de lo ganado por el banco {number}: quedan {in_bank:money}",
    "{amount:money} of what bank {number} won is set aside: {in_bank:money} stays",
)
register(
    "tables.bank.ended",
    "termina el banco {number}: {ending:bank_ending}; se devuelven {returned:money}",
    "bank {number} ends: {ending:bank_ending}; {returned:money} is returned",
)
register(
    "tables.bank.restored",
    "se restituye el banco {number} por anular el pase {round}: hay {in_bank:money}",
    "bank {number} is put back as round {round} is voided: it holds {in_bank:money}",
)
register(
    "tables.bank.offered",
    "se ofrece por turno el banco {number}, por al menos {least:money}",
    "bank {number} is offered by turn, for at least {least:money}",
)
register(
    "tables.bank.answered",
    "{player} (asiento {seat}), sobre el banco {number}: {answer:bank_answer}{with:bank_with}",
    "{player} (seat {seat}), on bank {number}: {answer:bank_answer}{with:bank_with}",
    kind=Text("respuesta sobre un banco ofrecido", "answer on a bank that was offered"),
)
register(
    "tables.bank.step",
    "banco {number}: {step:bank_step}",
    "bank {number}: {step:bank_step}",
    kind=Text("paso de un banco", "step of a bank"),
)
register(
    "tables.bank.offer_over", "nadie toma el banco: la mesa cierra", "nobody takes the bank: the table closes"
)
register(
    "tables.auction.opened",
    "se abre la subasta {label} {form:auction_form}, desde {minimum:money}; huella de la semilla {seed_hash}",
    "auction {label} opens, {form:auction_form}, from {minimum:money}; hash of the seed {seed_hash}",
)
register(
    "tables.auction.bid",
    "subasta {label}, puja {bid}: {player} (asiento {seat}) ofrece {amount:money}",
    "auction {label}, bid {bid}: {player} (seat {seat}) offers {amount:money}",
)
register(
    "tables.auction.bid_sealed",
    "subasta {label}, puja {bid}: {player} (asiento {seat}) entrega un sobre cerrado, sello {seal}",
    "auction {label}, bid {bid}: {player} (seat {seat}) hands in a sealed bid, seal {seal}",
)
register(
    "tables.auction.awarded",
    "subasta {label} adjudicada a {player} (asiento {seat}) por {amount:money}; semilla {seed}",
    "auction {label} awarded to {player} (seat {seat}) for {amount:money}; seed {seed}",
)
register(
    "tables.auction.deserted",
    "subasta {label} desierta y sin quien deba tomar el banco; semilla {seed}",
    "auction {label}: nobody bid and nobody must take the bank; seed {seed}",
)
register(
    "tables.auction.forced",
    "subasta {label} desierta: toma el banco {player} (asiento {seat}), a la derecha, por"
    " {amount:money}; semilla {seed}",
    "auction {label}: nobody bid; {player} (seat {seat}), the right hand, takes the bank for"
    " {amount:money}; seed {seed}",
)
register(
    "tables.auction.signed",
    "firma el acta de la subasta {label}, huella {digest}",
    "signs the act of auction {label}, digest {digest}",
)
