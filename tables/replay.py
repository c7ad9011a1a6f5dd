"""Settle rounds again from their logs and compare with what was stored. There must be no difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from casino.kernel.errors import SabotError
from tables import storing
from tables.models import Bet, Round
from tables.settling import BET_COLUMNS


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure that came out otherwise: where, what is stored, what the rules say."""

    round: Round
    what: str
    stored: Any
    replayed: Any

    def __str__(self) -> str:
        where = f"{self.round.session.label}, pase {self.round.number}: {self.what}"
        return f"{where}: {self.stored!r} ≠ {self.replayed!r}"


def differences(rounds: Iterable[Round]) -> Iterator[Difference]:
    """Differences of settled rounds (with `session__table`, `session__day`, `bets` at hand)."""
    for round in rounds:
        yield from _of_round(round)


def _of_round(round: Round) -> Iterator[Difference]:
    try:
        current = storing.versions_of(round, round.session)
        state = current.game.play_all(current.game.open(current.rules, current.terms), round.log)
        settlement = current.game.settle(state)
    except SabotError as refusal:
        yield Difference(round, "log", "settled", str(refusal))
        return
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Rules, limits or a log that nothing of ours could have written.
        yield Difference(round, "log", "settled", f"{type(error).__name__}: {error}")
        return
    told = settlement.to_json()
    payouts = told.pop("payouts")
    kept = round.settlement or {}
    for key in dict.fromkeys((*told, *kept)):
        if kept.get(key) != told.get(key):
            yield Difference(round, key, kept.get(key), told.get(key))
    totals = settlement.totals
    columns = {
        "winner": settlement.outcome.winner,
        "staked": totals.staked,
        "returned": totals.returned,
        "commission": totals.commission,
    }
    for name, value in columns.items():
        if getattr(round, name) != value:
            yield Difference(round, name, getattr(round, name), value)
    expected = [tuple(payout[name] for name in BET_COLUMNS) for payout in payouts]
    stored_bets = [tuple(getattr(bet, name) for name in BET_COLUMNS) for bet in _bets(round)]
    if stored_bets != expected:
        yield Difference(round, "bets", stored_bets, expected)


def _bets(round: Round) -> list[Bet]:
    return sorted(round.bets.all(), key=lambda bet: bet.order)
