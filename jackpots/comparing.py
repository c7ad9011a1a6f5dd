"""What of a pool's day does not match: each sum of `jackpots.adding_up` held against what must be the same.

A deviation that the night before had already is not told again: it has its difference there. So each night
says what is new, and `off` carries the rest.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from casino.kernel.canonical import canonical
from casino.kernel.words import Text
from jackpots import finding, readings
from jackpots.adding_up import LATER, PENDING, RESIDUE, TODAY, WHOLE, Sums, add_up, one_moment, places
from jackpots.finding import Found
from jackpots.models import Pool, Proof

CODES = {
    "ledger_day": Text("apuestas del día y libro", "bets of the day and ledger"),
    "ledger": Text("recaudación y libro", "collection and ledger"),
    "shown": Text("libro y saldo mostrado", "ledger and balance shown"),
    "collected": Text("apuestas y total recaudado", "bets and total collected"),
    "bets": Text("número de apuestas", "number of bets"),
    "pending": Text("premios sin pagar", "unpaid prizes"),
    "prizes": Text("premios del día", "prizes of the day"),
    "residue": Text("límite del resto", "bound of the residue"),
    "credits": Text("créditos de las posiciones", "credits of positions"),
    "placed": Text("apuesta sin contar ni devolver", "bet neither counted nor returned"),
    "reading": Text("lectura del contador", "meter reading"),
    "reading_shown": Text("saldo al leer el contador", "balance when the meter was read"),
    "round": Text("apuestas de un pase y su liquidación", "bets of a round and its settlement"),
    "bet": Text("apuesta y evento de su pase", "bet and event of its round"),
}
"""What each difference is called."""


@dataclass(frozen=True, slots=True)
class Result:
    """The proof of a pool's day as it comes out: `figures` to be stored, `found` what is new, `seen`: how
    much of the pool's trail it has seen."""

    pool: Pool
    day: dt.date
    figures: dict[str, Any]
    found: tuple[Found, ...]
    seen: int

    @property
    def digest(self) -> str:
        """Over the facts alone: the same facts, the same digest."""
        facts = {"figures": self.figures, "found": [one.as_list() for one in self.found]}
        return hashlib.sha256(canonical(facts)).hexdigest()


def prove_day(pool_id: int, day: dt.date) -> Result:
    """Add a pool's day up and compare; reads one moment, writes nothing."""
    with one_moment():
        sums = add_up(pool_id, day)
        before = Proof.objects.filter(pool_id=pool_id, day__lt=day).order_by("-day").first()
        inherited: dict[str, int] = {} if before is None else before.figures.get("off", {})
        checks = list(_checks(sums))
        off = {f"{one.code}:{one.place}": one.off for one in checks if one.lasts and one.off}
        fresh = [one for one in checks if one.off not in (0, inherited.get(f"{one.code}:{one.place}", 0))]
        found = [
            one.found for one in fresh if not (one.code == "ledger" and _told_today(one, checks, inherited))
        ]
        found += readings.differing(sums)
        found += finding.left_over(sums)
        if not sums.chained or _bets_in_doubt(found):
            found += finding.named(sums)
        found.sort(key=lambda one: (one.code, one.place))
        return Result(sums.pool, day, _figures(sums, off), tuple(found), sums.seen)


@dataclass(frozen=True, slots=True)
class Check:
    """Two figures that must be one. `lasts`: whether what is off today is off on later days too."""

    code: str
    place: str
    expected: int
    amount: int
    lasts: bool = True

    @property
    def off(self) -> int:
        return self.amount - self.expected

    @property
    def found(self) -> Found:
        return Found(self.code, self.place, str(self.expected), str(self.amount))


def _told_today(one: Check, checks: list[Check], inherited: dict[str, int]) -> bool:
    """Whether the day's own sums say the same already."""
    today = sum(c.off for c in checks if c.code == "ledger_day" and c.place == one.place)
    return bool(today) and one.off - inherited.get(f"ledger:{one.place}", 0) == today


def _bets_in_doubt(found: list[Found]) -> bool:
    return any(one.code in ("ledger_day", "ledger", "shown", "collected", "bets", "credits") for one in found)


# ---- what must be the same ---------------------------------------------------------------------------


def closing(sums: Sums, place: str) -> int:
    """What the ledger held of a place as the day ended."""
    return sums.ledger[WHOLE][place] - sums.ledger[LATER][place]


def due(sums: Sums, place: str) -> int:
    """What bets and movements come to as the day ended."""
    return sums.due[WHOLE][place] - sums.due[LATER][place]


def _checks(sums: Sums) -> Iterator[Check]:
    for place in places(sums.pool, sums.funds).values():
        if place == PENDING:
            continue
        yield Check("ledger_day", place, sums.due[TODAY][place], sums.ledger[TODAY][place], lasts=False)
        yield Check("ledger", place, due(sums, place), closing(sums, place))
    yield from _shown(sums)
    yield from _collected(sums)
    there = closing(sums, PENDING)
    yield Check("pending", PENDING, there + sums.open_prizes - sums.ledger[WHOLE][PENDING], there)
    yield Check("prizes", PENDING, sums.prizes, sums.prizes_posted, lasts=False)
    residue = closing(sums, RESIDUE)
    bound = max((len(terms.rates) for _, terms in sums.versions.values()), default=1)
    if not 0 <= residue < bound:
        yield Check("residue", RESIDUE, min(max(residue, 0), bound - 1), residue, lasts=False)
    yield from _credits(sums)


def _shown(sums: Sums) -> Iterator[Check]:
    """Ledger = funds shown: what a row holds now, less what later days moved."""
    for code, fund in sums.funds.items():
        for place, amount in ((code, fund.players), (f"{code}:base", fund.base)):
            yield Check("shown", place, closing(sums, place), amount - sums.ledger[LATER][place])


def _collected(sums: Sums) -> Iterator[Check]:
    """What pool and versions say was bet, and how many bets: the bets themselves (PP-18)."""
    pool = sums.pool
    for pk, (version, _) in sums.versions.items():
        told = pool.collected if pk == pool.version_id else version.collected or 0
        later = sums.collected_later[pk]
        yield Check("collected", str(version.number), told - later, sums.collected.get(pk, 0) - later)
    for pk in sorted(set(sums.collected) - set(sums.versions)):
        yield Check("collected", f"id {pk}", 0, sums.collected[pk])
    later = sums.bets["later"]
    yield Check("bets", "count", pool.bets - later, sums.bets["count"] - later)
    yield Check("bets", "last", pool.bets - later, sums.bets["last"] - later)


def _credits(sums: Sums) -> Iterator[Check]:
    for label, on_meters, in_ledger, moved in finding.credits(sums):
        if on_meters != in_ledger:
            yield Check("credits", label, in_ledger, on_meters, lasts=False)
        if moved != in_ledger:
            yield Check("credits", f"{label} (movimientos)", moved, in_ledger, lasts=False)


# ---- what is stored ----------------------------------------------------------------------------------


def _figures(sums: Sums, off: dict[str, int]) -> dict[str, Any]:
    """The day's account of every fund (PP-28), of commission and residue, and what was compared."""
    return {
        "bets": sums.bets["today"],
        "void": sums.bets["void"],
        "amount": sums.amount,
        "commission": sums.due[TODAY]["commission"],
        "residue": closing(sums, RESIDUE),
        "pending": closing(sums, PENDING),
        "prizes": sums.prizes,
        "funds": {code: _account(sums, code) for code in sums.funds},
        "readings": readings.listed(sums),
        "off": off,
    }


def _account(sums: Sums, code: str) -> dict[str, Any]:
    parts = {}
    for name, place in (("players", code), ("base", f"{code}:base")):
        moved = dict(sums.moved[place])
        parts[name] = {
            "initial": closing(sums, place) - sums.ledger[TODAY][place],
            "increments": sums.due[TODAY][place] - sum(moved.values()),
            **moved,
            "final": closing(sums, place),
        }
    return parts
