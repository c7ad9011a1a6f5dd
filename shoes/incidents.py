"""Incidents about the cards: what kinds there are, and what each says of what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audits import trail
from audits.by import By
from audits.incident_facts import register_fact
from audits.incidents import raise_incident, register_kind
from audits.models import Incident
from audits.vocabulary import say_codes
from casino.kernel.words import Text, same
from shoes import cards, moving
from shoes.floor import floor
from shoes.inspection import Findings
from shoes.models import Deck, Shoe

FAULT = register_kind(
    "cards.fault", Text("falla en las cartas", "fault in the cards"), rules=("CARD-15", "CARD-43")
)
RECEIPT = register_kind(
    "cards.receipt",
    Text("diferencia en una recepción de barajas", "difference in a receipt of decks"),
    rules=("CARD-02",),
)
STOCK = register_kind(
    "cards.stock",
    Text("diferencia en el depósito de barajas", "difference in the store of decks"),
    rules=("CARD-02",),
)
ORDER = register_kind(
    "cards.order",
    Text("cartas en un orden que no es casual", "cards in an order that is not chance"),
    rules=("CARD-42",),
)
DISTRIBUTION = register_kind(
    "cards.distribution",
    Text("cartas que salen más o menos de lo creíble", "cards that come out more or less than is credible"),
    rules=("CARD-42",),
)
REVIEW = register_kind(
    "cards.review",
    Text("revisión del descartador", "review of the discard holder"),
    rules=("CARD-40",),
    notice=False,
)

HOLDING = (FAULT, ORDER, DISTRIBUTION)
"""Kinds that keep the decks they are about as they are until they are resolved (CARD-45)."""


def receipt_differs(decks: Sequence[Deck], declared: int, by: By) -> Incident:
    """CARD-02: other than the delivery note says."""
    batch, came = decks[0].batch, len(decks)
    return raise_incident(
        kind=RECEIPT,
        summary=Text(
            f"del lote {batch} el remito dice {declared} barajas y se recibieron {came}",
            f"for lot {batch} the delivery note says {declared} decks and {came} were received",
        ),
        subject=trail.Subject("deck_batch", decks[0].pk, batch),
        rules=["CARD-02"],
        facts={"declared": declared, "received": came, "serials": [deck.serial for deck in decks]},
        by=by,
    )


def stock_differs(lines: Sequence[Mapping[str, Any]], by: By) -> Incident:
    """CARD-02: the store holds other than the moves say; `lines` are those that differ."""
    differences = [_difference(line) for line in lines]
    es, en = ("; ".join(said) for said in zip(*((each.es, each.en) for each in differences), strict=True))
    return raise_incident(
        kind=STOCK,
        summary=Text(
            f"el depósito no tiene lo que dicen los movimientos: {es}",
            f"the store does not hold what the moves say: {en}",
        ),
        subject=trail.Subject("casino", by.casino.pk, by.casino.name),
        rules=["CARD-02"],
        facts={"lines": [dict(line) for line in lines]},
        by=by,
    )


def _difference(line: Mapping[str, Any]) -> Text:
    kind, colour = cards.deck_type(line["deck_type"]).name, line["back_colour"]
    counted, expected = line["counted"], line["expected"]
    return Text(
        f"{kind.es}, reverso {colour}: contadas {counted}, según los movimientos {expected}",
        f"{kind.en}, {colour} back: counted {counted}, by the moves {expected}",
    )


def is_about_a_fault(incident: Incident | None) -> bool:
    """Whether an open incident has told already that something is wrong with cards."""
    return incident is not None and incident.kind == FAULT and incident.state == Incident.State.OPEN


def deck_faulty(deck: Deck, findings: Findings, by: By) -> Incident:
    """CARD-12, CARD-15: a fault found before play."""
    found = shown(deck, findings)
    held = deck.state == Deck.State.HELD
    where = {"found": {deck.serial: found}, "held": [deck.serial]} if held else {"withdrawn": [deck.serial]}
    return raise_incident(
        kind=FAULT,
        summary=Text(f"baraja {deck.serial}: {said(found).es}", f"deck {deck.serial}: {said(found).en}"),
        subject=trail.Subject("deck", deck.pk, deck.serial),
        rules=["CARD-12", "CARD-15"],
        facts={**findings.as_dict(), **where, "place": deck.place},
        by=by,
        table_label="" if deck.place == moving.DESK else deck.place,
    )


def shoe_faulty(
    shoe: Shoe,
    faulty: Mapping[str, Mapping[str, str]],
    shoes_since: Sequence[Shoe],
    by: By,
    *,
    stops: bool,
) -> Incident:
    """CARD-43: a fault found in the closing count, tied to the rounds since the last good one.

    `faulty`: what was found, as people read it, by serial number. `shoes_since`: this shoe and those the same
    cards made before it, since they were last counted and right. `stops`: whether its table is in play still.
    """
    played = floor().rounds_with([each.pk for each in shoes_since])
    spans = ", ".join(f"{span.session}: {span.first}–{span.last}" for span in played) or "—"
    inspected = Deck.objects.filter(casino=by.casino, serial__in=faulty)
    held = set(inspected.filter(state=Deck.State.HELD).values_list("serial", flat=True))
    each = {serial: said(found) for serial, found in faulty.items()}
    es = "; ".join(f"{serial}: {words.es}" for serial, words in each.items())
    en = "; ".join(f"{serial}: {words.en}" for serial, words in each.items())
    return raise_incident(
        kind=FAULT,
        summary=Text(
            f"recuento de cierre de {shoe.label}: {es}. Pases desde el último recuento bueno: {spans}",
            f"closing count of {shoe.label}: {en}. Rounds since the last good count: {spans}",
        ),
        subject=trail.Subject("shoe", shoe.pk, shoe.label),
        rules=["CARD-42", "CARD-43"],
        facts={
            "found": {serial: dict(found) for serial, found in faulty.items()},
            "withdrawn": sorted(faulty.keys() - held),
            "held": sorted(held),
            "shoes": [each.label for each in shoes_since],
            "rounds": [span.as_dict() for span in played],
        },
        by=by,
        table_label=shoe.played_table,
        freezes=stops,
    )


FAULTS = {
    "missing": Text("falta", "missing"),
    "extra": Text("sobra", "extra"),
    "marked": Text("marcada", "marked"),
    "foreign": Text("ajena", "foreign"),
    "damaged": Text("dañada", "damaged"),
}


say_codes(
    "deck_type", lambda code: cards.deck_type(code).name if code in cards.DECK_TYPES else same(str(code))
)
say_codes("fault", lambda code: FAULTS.get(code, same(str(code))))
register_fact("fault", Text("falla", "fault"), "fault")
for _code, _words in FAULTS.items():
    register_fact(_code, _words, "card")
register_fact("cards", Text("cartas", "cards"))
register_fact("by_suit_shown", Text("mostrada por palos", "shown by suit"))
register_fact("backs_checked", Text("reversos revisados", "backs checked"))
register_fact("suit_order", Text("orden de los palos", "order of the suits"))
register_fact("place", Text("lugar", "place"), "place")
register_fact("declared", Text("según el remito", "by the delivery note"))
register_fact("received", Text("recibidas", "received"))
register_fact("serials", Text("series", "serial numbers"))
register_fact("lines", Text("diferencias", "differences"))
register_fact("deck_type", Text("tipo", "type"), "deck_type")
register_fact("back_colour", Text("reverso", "back"))
register_fact("shoes", Text("sabots", "shoes"))
register_fact("serial", Text("serie de la baraja", "serial number of the deck"))
register_fact("expected", Text("según el registro", "by the record"))
register_fact("counted", Text("contadas", "counted"))
register_fact("found", Text("qué se encontró", "what was found"))
register_fact("asked_by", Text("lo pidió", "asked by"))
register_fact("why", Text("motivo", "reason"))
register_fact("authorised_by", Text("autorizó", "authorised by"))


def said(found: Mapping[str, str]) -> Text:
    """`falta 7♣; ajena K♦`: each fault with its cards, which `found` holds as people read them."""
    given = [(FAULTS[name], faces) for name, faces in found.items() if faces]
    return Text(
        "; ".join(f"{words.es} {faces}" for words, faces in given),
        "; ".join(f"{words.en} {faces}" for words, faces in given),
    )


def shown(deck: Deck, findings: Findings) -> dict[str, str]:
    """The faulty cards as people read them: which deck a `7c` is of, only the deck knows."""
    kind = cards.deck_type(deck.deck_type)
    listed: dict[str, Any] = findings.as_dict()
    return {name: ", ".join(cards.sign(card, kind) for card in listed[name]) for name in FAULTS}
