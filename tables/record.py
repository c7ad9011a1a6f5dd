"""What the page of one round shows: what is stored of it, with the words the rules say about it.

Figures, outcome and announcement are those that were stored. The words beside a payout come from
settling the log again, and only where that gives the very figures that are stored.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from audits.models import Actor
from casino.kernel.errors import SabotError
from casino.kernel.words import Text, same
from tables import felt, replay, settling, storing
from tables.bank.figures import keeps_bank
from tables.board import words_of
from tables.felt import Felt
from tables.games.base import Hand, Payout, Settlement
from tables.inforce import InForce
from tables.models import Bet, Round


@dataclass(frozen=True, slots=True)
class Payment:
    """One stored bet: `act` is collect, pay or push; `words` are missing where the rules say otherwise.

    `hand` from 1 where its seat plays several.
    """

    bet: Bet
    hand: int
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
    """The round in full. `called`: the rule behind its announcement; `unchecked`: what its level of detail
    leaves so; `differs`: what a replay finds other than stored (REC-15), one line each.
    """

    felt: Felt
    called: str
    payments: tuple[Payment, ...]
    log: tuple[Line, ...]
    unchecked: tuple[Any, ...] = ()
    differs: tuple[str, ...] = ()


def record_of(round: Round) -> Record:
    """The record of a stored round, open, settled or void (with its `session__casino` at hand)."""
    current = storing.versions_of(round, round.session)
    state, settlement = _played(current, round)
    payments = _payments(current, round, settlement)
    laid = felt.laid_of(state.bets if state else (), [payment.bet for payment in payments])
    return Record(
        felt=felt.lay(
            current.game, state.terms if state else current.terms, _hands(current, round, state), laid
        ),
        called=current.game.prompts(state)[0].rule if settlement else "",
        payments=payments,
        log=_lines(current, round),
        unchecked=_unchecked(round),
        differs=tuple(str(found) for found in replay.differences([round])) if round.settlement else (),
    )


def _unchecked(round: Round) -> tuple[Any, ...]:
    """What the engine could not check by the log alone, less what the house checks beside it: how the bank
    came to its holder, where it is kept (`tables.bank`)."""
    kept = keeps_bank(round.session)
    found = (round.settlement or {}).get("unchecked", ())
    return tuple(text for text in found if not (kept and "BANK-06" in text["es"]))


def _played(current: InForce, round: Round) -> tuple[Any, Settlement | None]:
    """The state the log leads to and what comes of it; nothing where the rules refuse the log."""
    try:
        state = current.game.play_all(current.game.open(current.rules, current.terms), round.log)
        return state, current.game.settle(state) if round.settlement else None
    except SabotError:
        return None, None


def _hands(current: InForce, round: Round, state: Any) -> tuple[Hand, ...]:
    """Every hand as stored with the settlement, else as far as the log goes."""
    if round.settlement:
        return current.game.read_outcome(round.settlement["outcome"]).hands
    return current.game.hands_on(state) if state else ()


def _payments(current: InForce, round: Round, settlement: Settlement | None) -> tuple[Payment, ...]:
    said: dict[tuple[Any, ...], Payout] = {}
    for paid in settlement.payouts if settlement else ():
        said[tuple(getattr(paid, name) for name in settling.BET_COLUMNS)] = paid
    found = []
    bets = sorted(round.bets.all(), key=lambda bet: bet.order)
    several = {bet.seat for bet in bets if bet.hand} if felt.has_own_hands(current.game) else set()
    for bet in bets:
        payout = said.get(tuple(getattr(bet, name) for name in settling.BET_COLUMNS))
        act = payout.act if payout else felt.act_of(bet)
        words, spot = payout.words if payout else None, current.game.spots.get(bet.spot, same(bet.spot))
        found.append(Payment(bet, bet.hand + 1 if bet.seat in several else 0, spot, act, words))
    return tuple(found)


def lines_of(round: Round) -> tuple[Line, ...]:
    """The log of a round, entry by entry."""
    return _lines(storing.versions_of(round, round.session), round)


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
