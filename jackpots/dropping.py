"""Funds that new parameters drop: their money does not stay where nothing reaches it (PP-29).

What players contributed goes to the main level of the same pool, and the base back to the house: the filing
about the version says so, and the AJ approves it with the version. The same holds for what a prize that is
not confirmed gives back to a fund that was dropped since.
"""

from __future__ import annotations

from dataclasses import dataclass

from audits.ledger import Move
from jackpots.holding import HeldPool
from jackpots.models import Fund, Pool
from jackpots.scheme import MAIN, Scheme


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was in funds that are gone, by their codes: players' money and base; and its moves."""

    held: dict[str, tuple[int, int]]
    moves: tuple[Move, ...]

    def told(self) -> dict[str, dict[str, int]]:
        return {code: {"players": players, "base": base} for code, (players, base) in self.held.items()}


def codes(terms: Scheme) -> dict[str, bool]:
    """The funds parameters name; whether each is a reserve."""
    named = dict.fromkeys((one.code for one in terms.levels), False)
    return named | dict.fromkeys((one.code for one in terms.reserves), True)


def gone(pool: Pool, terms: Scheme) -> list[str]:
    """The funds of a pool that these parameters do not name: for the filing about them."""
    known = codes(terms)
    return sorted(code for code in _codes_of(pool) if code not in known)


def _codes_of(pool: Pool) -> list[str]:
    return list(Fund.objects.filter(pool=pool).values_list("code", flat=True))


def empty(held: HeldPool, kind: str) -> Dropped:
    """Empty the funds that the parameters in force do not name, under the event that follows."""
    assert held.scheme is not None
    pool, known = held.pool, codes(held.scheme)
    there: dict[str, tuple[int, int]] = {}
    moves: list[Move] = []
    for code, fund in held.funds.items():
        if code in known or not fund.shown:
            continue
        there[code] = (fund.players, fund.base)
        moves += [
            Move(pool.account(code), pool.account(MAIN), fund.players, "transfer"),
            Move(pool.account(code, "base"), pool.house_account, fund.base, "base_returned"),
        ]
        held.change(MAIN, kind, players=fund.players)
        held.change(code, kind, players=-fund.players, base=-fund.base)
    return Dropped(there, tuple(moves))
