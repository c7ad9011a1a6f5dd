"""Commission that is marked instead of deducted: prizes on banca are paid in full, the seat owes (BAC-22).

What a seat owes is carried from round to round by `owed` events. `collect` says that the seat pays after this
round, because it leaves or the shoe ends; then the commission is the house's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading
from tables.games.baccarat import betting
from tables.games.baccarat.rules import MARKED
from tables.games.baccarat.state import Draft, Owed, State
from tables.games.base import Bet, Detail, Event, Note, refuse_detail
from tables.games.paying import Award

SPOT = "commission"
RULE = "BAC-22"
MOST_OWED = 10**15
"""No session's commission comes to more (`tables.games.base.MOST_ON_A_SPOT`), so what is carried is taken."""


def owed(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """What a seat owes from earlier rounds: before anything else of this one.

    Taken in where commission is deducted too: it was marked under rules that may since have been replaced
    (GEN-03).
    """
    _require_bets(draft)
    reading.known_keys(event, ("e", "seat", "amount", "rounding", "at", "by"))
    if any(entry["e"] not in ("owed", "undo", "note") for entry in draft.log):
        raise RuleViolation(
            RULE,
            Text("lo adeudado se anota antes que nada", "what is owed is noted before anything else"),
            code="owed_too_late",
        )
    seat = betting.seat_of(draft, event.get("seat"))
    if any(mark.seat == seat for mark in draft.owed):
        raise RuleViolation(
            RULE,
            Text(f"ya consta lo que debe el asiento {seat}", f"what seat {seat} owes is noted already"),
            code="owed_given",
            field="seat",
        )
    amount = reading.integer(event.get("amount"), "amount", 1, MOST_OWED)
    rounding = reading.integer(event.get("rounding", 0), "rounding", -amount, amount)
    draft.owed.append(Owed(seat, amount, rounding))
    return {"e": "owed", "seat": seat, "amount": amount, "rounding": rounding}


def collect(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The seat pays what it owes, this round's commission included."""
    _require_bets(draft)
    reading.known_keys(event, ("e", "seat", "at", "by"))
    seat = betting.seat_of(draft, event.get("seat"))
    marked = draft.rules.commission_collection == MARKED
    if not marked and not draft.owed:
        raise _deducted()
    if seat in draft.collecting:
        raise RuleViolation(
            RULE,
            Text(f"el asiento {seat} ya paga tras este pase", f"seat {seat} pays after this round already"),
            code="collect_given",
            field="seat",
        )
    if not may_collect(seat, draft.owed, draft.stakes if marked else ()):
        raise RuleViolation(
            RULE,
            Text(
                f"el asiento {seat} no debe comisión ni apuesta a Banca",
                f"seat {seat} owes no commission and has no bet on Banca",
            ),
            code="nothing_owed",
            field="seat",
        )
    draft.collecting.append(seat)
    return {"e": "collect", "seat": seat}


def may_collect(seat: int, marks: Iterable[Owed], places: Iterable[tuple[int, str]]) -> bool:
    """Whether the seat owes, or may owe when this round ends."""
    return any(mark.seat == seat for mark in marks) or (seat, "banca") in set(places)


def _require_bets(draft: Draft) -> None:
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("comisiones marcadas", "marked commissions"))


def _deducted() -> RuleViolation:
    return RuleViolation(
        RULE,
        Text(
            "en esta mesa la comisión se descuenta del premio: no se marca ni se cobra aparte",
            "at this table commission is deducted from the prize: none is marked or collected apart",
        ),
        code="commission_deducted",
        field="e",
    )


def marks(state: State, awarded: Iterable[tuple[Bet, Award]]) -> tuple[list[Owed], list[Owed]]:
    """After a round: what each seat owes on, and what the collecting seats pay now."""
    due = {mark.seat: mark for mark in state.owed}
    for bet, award in awarded:
        if award.commission:
            before = due.get(bet.seat, Owed(bet.seat, 0, 0))
            due[bet.seat] = Owed(bet.seat, before.amount + award.commission, before.rounding + award.rounding)
    stay = [due[seat] for seat in sorted(due) if seat not in state.collecting]
    return stay, [due[seat] for seat in sorted(due, reverse=True) if seat in state.collecting]


def in_full(award: Award) -> Award:
    """The award paid without keeping the commission."""
    return award._replace(returned=award.returned + award.commission, commission=0, rounding=0)


def collected(mark: Owed, exponent: int) -> tuple[Bet, Award]:
    """The seat's payment of what it owes."""
    said = money_words(mark.amount, exponent)
    words = Text(f"comisión marcada: se cobran {said.es}", f"marked commission: collect {said.en}")
    award = Award(0, mark.amount, mark.rounding, "lose", "marked_commission", RULE, words, "collect", 0)
    return Bet(mark.seat, SPOT, mark.amount), award


def carried(mark: Owed) -> Event:
    """The event that tells the next round what the seat owes."""
    return {"e": "owed", "seat": mark.seat, "amount": mark.amount, "rounding": mark.rounding}


def note(mark: Owed, exponent: int) -> Note:
    said = money_words(mark.amount, exponent)
    return Note(
        "commission_owed",
        Text(
            f"el asiento {mark.seat} debe {said.es} de comisión marcada",
            f"seat {mark.seat} owes {said.en} of marked commission",
        ),
        RULE,
    )
