"""What the page of one round shows: what is stored of it, with the words the rules say about it.

Figures, outcome and announcement are those that were stored. The words beside a payout come from
settling the log again, and only where that gives the very figures that are stored.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from audits.models import Actor
from casino.kernel.errors import SabotError
from casino.kernel.words import Text
from tables import replay, settling, storing
from tables.board import HOW_IT_LIES, Hand, Laid, SpotRow, as_they_lie, spots_of, verdict_of, words_of
from tables.games.base import Payout, Settlement
from tables.inforce import InForce
from tables.models import Bet, Round


@dataclass(frozen=True, slots=True)
class Payment:
    """One stored bet: `act` is collect, pay or push; `words` are missing where the rules say otherwise."""

    bet: Bet
    spot: Text
    act: str
    words: Text | None


@dataclass(frozen=True, slots=True)
class Line:
    """One event as entered: when (UTC) and by whom, and whether it was undone later."""

    number: int
    words: Text
    undone: bool
    at: dt.datetime | None
    by: str


@dataclass(frozen=True, slots=True)
class Record:
    """The round in full. `differs`: what a replay finds other than stored (REC-15), one line each."""

    hands: tuple[Hand, ...]
    spots: tuple[SpotRow, ...]
    payments: tuple[Payment, ...]
    log: tuple[Line, ...]
    differs: tuple[str, ...] = ()


def record_of(round: Round) -> Record:
    """The record of a stored round, open, settled or void (with its `session__casino` at hand)."""
    current = storing.versions_of(round, round.session)
    state, settlement = _played(current, round)
    payments = _payments(current, round, settlement)
    laid: Laid = {(b.seat, b.spot): (b.amount, "laid") for b in state.bets} if state else {}
    laid |= {(p.bet.seat, p.bet.spot): (p.bet.stake, HOW_IT_LIES[p.act]) for p in payments}
    return Record(
        hands=_hands(current, round, state),
        spots=spots_of(current, laid),
        payments=payments,
        log=_lines(current, round),
        differs=tuple(str(found) for found in replay.differences([round])) if round.settlement else (),
    )


def _played(current: InForce, round: Round) -> tuple[Any, Settlement | None]:
    """The state the log leads to and what comes of it; nothing where the rules refuse the log."""
    try:
        state = current.game.play_all(current.game.open(current.rules, current.terms), round.log)
        return state, current.game.settle(state) if round.settlement else None
    except SabotError:
        return None, None


def _hands(current: InForce, round: Round, state: Any) -> tuple[Hand, ...]:
    """Both hands as stored with the settlement, else as far as the log goes."""
    outcome: Mapping[str, Any] | None = round.settlement["outcome"] if round.settlement else None
    found = []
    for name, words in current.game.hands.items():
        if outcome is not None:
            lying, points = outcome[f"{name}_cards"], outcome[name]
            verdict = verdict_of(name, outcome["winner"])
        else:
            lying, points, verdict = getattr(state, name, ()), None, ""
        found.append(Hand(name, words, as_they_lie(lying), points, False, verdict))
    return tuple(found)


def _payments(current: InForce, round: Round, settlement: Settlement | None) -> tuple[Payment, ...]:
    said: dict[tuple[Any, ...], Payout] = {}
    for paid in settlement.payouts if settlement else ():
        said[tuple(getattr(paid, name) for name in settling.BET_COLUMNS)] = paid
    found = []
    for bet in sorted(round.bets.all(), key=lambda bet: bet.order):
        payout = said.get(tuple(getattr(bet, name) for name in settling.BET_COLUMNS))
        act = payout.act if payout else "collect" if bet.won < 0 else "pay" if bet.won else "push"
        words = payout.words if payout else None
        found.append(Payment(bet, current.game.spots[bet.spot], act, words))
    return tuple(found)


def _lines(current: InForce, round: Round) -> tuple[Line, ...]:
    undone = {event["of"] for event in round.log if event["e"] == "undo"}
    names = dict(
        Actor.objects.filter(casino=round.casino_id, pk__in={e["by"] for e in round.log if "by" in e})
        .values_list("pk", "name")
    )  # fmt: skip
    return tuple(
        Line(
            number,
            words_of(current, event),
            number in undone,
            dt.datetime.fromisoformat(event["at"]) if "at" in event else None,
            names.get(event.get("by"), ""),
        )
        for number, event in enumerate(round.log, 1)
    )
