"""A deck found defective in the middle of a hand, and the chips of a player who knew.

    defective {[knew]}           ends the hand: each takes back what they put in; who knew loses it
    forfeited {seat, amount}     what was lost so, by seat: the next hand's main pot begins with it

The Bolivian text stops the table (CARD-42) and leaves the rest to whoever decides, citing a rule (GEN-08). A
hand stays a function of its own log: what is forfeited is a loss of that hand, handed on (`Settlement.carry`)
as the first events of the next one, where it is won. No chip leaves the players meanwhile, so the ledger has
nothing to post; and a table does not close while a forfeited part waits for its pot. The deduction of the
next hand counts it as it counts the rest of the pot (PR-07); nothing is deducted from the hand given up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading
from tables.games.base import (
    MOST_ON_A_SPOT,
    Bet,
    Detail,
    Ended,
    Event,
    Note,
    Payout,
    Settlement,
    refuse_detail,
)
from tables.games.paying import Award, in_order, lost, pushed, totals
from tables.games.ring.outcome import hands, saw_flop
from tables.games.ring.state import Draft
from tables.games.staking import seat_of

RULE = "GEN-08"
DEFECTIVE = "defective"
VOIDS: Mapping[str, Text] = {
    DEFECTIVE: Text("baraja defectuosa, vuelve el pozo", "defective deck, the pot goes back")
}

_DEFECTIVE_KEYS = frozenset({"e", "knew", "at", "by"})
_FORFEITED_KEYS = frozenset({"e", "seat", "amount", "at", "by"})


def defective(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The deck is defective: the hand is over, at whatever point it is."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    reading.known_keys(event, _DEFECTIVE_KEYS)
    if draft.defective or not draft.closed:
        raise RuleViolation(RULE, _TWICE if draft.defective else _NOT_BEGUN, code="defect_not_due")
    knew = _seats(draft, event.get("knew"))
    draft.defective, draft.knew = True, knew
    draft.queue, draft.pending = [], []
    return {"e": "defective", "knew": list(knew)} if knew else {"e": "defective"}


_TWICE = Text(
    "la mano ya terminó por baraja defectuosa; para corregirlo anule ese registro",
    "the hand is over already for a defective deck; to correct it undo that entry",
)
_NOT_BEGUN = Text(
    "la mano no empezó y no hay pozo que devolver: cambie la baraja antes de repartir",
    "the hand has not begun and there is no pot to give back: change the deck before dealing",
)


def _seats(draft: Draft, value: object) -> tuple[int, ...]:
    """The seats that knew, each with chips in this pot."""
    if value is None:
        return ()
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("fichas que se pierden", "chips forfeited"))
    if not isinstance(value, list | tuple) or len(value) > draft.terms.seats:
        raise reading.bad_type("knew", Text("la lista de asientos que sabían", "the list of seats that knew"))
    seats = sorted({seat_of(seat, draft.terms, "PR-16", "knew") for seat in value})
    for seat in seats:
        if not draft.put.get(seat):
            raise RuleViolation(
                RULE,
                Text(
                    f"el asiento {seat} no tiene fichas en este pozo: no hay parte que pierda",
                    f"seat {seat} has no chips in this pot: there is no part to lose",
                ),
                code="nothing_to_forfeit",
                field="knew",
            )
    return tuple(seats)


def forfeited(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """What a seat lost to this pot in the hand given up before: noted before anybody joins."""
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("fichas del pozo anterior", "chips of the pot before"))
    reading.known_keys(event, _FORFEITED_KEYS)
    seat = seat_of(event.get("seat"), draft.terms, "PR-16")
    amount = reading.integer(event.get("amount"), "amount", 1, MOST_ON_A_SPOT)
    if draft.chips or draft.closed or seat in draft.dead:
        raise RuleViolation(
            RULE,
            Text(
                "lo perdido al pozo se anota una vez por asiento, antes de que entre nadie",
                "what was lost to the pot is noted once a seat, before anybody joins",
            ),
            code="forfeited_too_late",
            field="seat",
        )
    draft.dead[seat] = amount
    return {"e": "forfeited", "seat": seat, "amount": amount}


CARRIED = Text(
    "lo perdido al pozo viene de la mano anterior: anule aquel pase",
    "what was lost to the pot comes from the hand before: void that round",
)


def settlement(draft: Draft, notes: Iterable[Note]) -> Settlement:
    """The hand given up: every stake goes back but those of who knew."""
    held = {**draft.dead}
    for seat in draft.knew:
        held[seat] = held.get(seat, 0) + draft.put[seat]
    payouts, lost_by_seat = _payouts(draft), _by_seat(held)
    facts = {
        "button": draft.button,
        "flop": saw_flop(draft),
        "pot": sum(draft.put.values()),
        "rake": 0,
        "returned": _by_seat({p.seat: p.returned for p in payouts if p.returned}),
        "forfeited": lost_by_seat,
    }
    carry: tuple[Event, ...] = tuple({"e": "forfeited", **each} for each in lost_by_seat)
    said = announce(draft)
    ended = Ended(DEFECTIVE, hands(draft), facts)
    told = (Note("deck_defective", said, RULE), *notes)
    unchecked = () if draft.detail is Detail.FULL else (_NO_BETS,)
    return Settlement(payouts, totals(payouts), said, ended, told, unchecked, carry)


_NO_BETS = Text("las apuestas y lo que vuelve (PR-09)", "the bets and what goes back (PR-09)")


def _payouts(draft: Draft) -> tuple[Payout, ...]:
    awarded: list[tuple[Any, Bet, Award]] = []
    for seat in draft.order:
        if put := draft.put.get(seat, 0):
            knew = seat in draft.knew
            pay, row, why = (lost, "pot_forfeited", _KNEW) if knew else (pushed, "deck_defective", _DECK)
            award = pay(put, row, RULE, draft.terms.exponent, why)
            awarded.append(((not knew, -seat), Bet(seat, "pot", put), award))
    return in_order(awarded)


_KNEW = Text(
    "sabía de la baraja, su parte va al pozo siguiente", "knew of the deck, the part goes to the next pot"
)
_DECK = Text("baraja defectuosa, su parte vuelve", "defective deck, the part goes back")


def _by_seat(amounts: Mapping[int, int]) -> list[dict[str, int]]:
    return [{"seat": seat, "amount": amount} for seat, amount in sorted(amounts.items())]


def announce(draft: Draft) -> Text:
    """What is called out of a hand given up."""
    said = Text("baraja defectuosa: cada uno recoge lo suyo", "defective deck: each takes back their own")
    if not draft.knew:
        return said
    seats = ", ".join(map(str, draft.knew))
    amount = money_words(sum(draft.put[seat] for seat in draft.knew), draft.terms.exponent)
    return Text(
        f"{said.es}; lo de los asientos {seats}, {amount.es}, va al pozo siguiente",
        f"{said.en}; that of seats {seats}, {amount.en}, goes to the next pot",
    )


def brought(draft: Draft) -> Text:
    """What the pot began with."""
    seats = ", ".join(map(str, sorted(draft.dead)))
    amount = money_words(sum(draft.dead.values()), draft.terms.exponent)
    return Text(
        f"el pozo empieza con {amount.es} que perdieron los asientos {seats} en la mano anulada",
        f"the pot begins with {amount.en} that seats {seats} lost in the hand given up",
    )
