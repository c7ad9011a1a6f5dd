"""What a pool shows, explained: from the amount on the display down to each bet (PP-28).

    shown = what bets brought the level + every move of its own (base, prizes, restarts, transfers)

What bets brought is the closed form of `jackpots.maths` asked of the database, version by version; it is
never stored, so that it cannot be what somebody wrote.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import Count, Sum

from jackpots import maths, scheme
from jackpots.models import Bet, Fund, Pool, PoolMove, PoolVersion

COMMISSION, RESIDUE = "commission", "residue"


@dataclass
class Parts:
    """Collected amounts, divided: `parts` by fund, the commission among them; all with the residue are
    `amount`."""

    bets: int = 0
    amount: int = 0
    parts: dict[str, int] = field(default_factory=dict)

    @property
    def residue(self) -> int:
        return self.amount - sum(self.parts.values())

    @property
    def commission(self) -> int:
        return self.parts.get(COMMISSION, 0)

    def add(self, other: Parts) -> None:
        self.bets, self.amount = self.bets + other.bets, self.amount + other.amount
        for code, part in other.parts.items():
            self.parts[code] = self.parts.get(code, 0) + part


@dataclass(frozen=True, slots=True)
class MoveSum:
    """What the moves of one kind come to."""

    kind: str
    words: str
    number: int
    amount: int


@dataclass(frozen=True, slots=True)
class Explained:
    """A fund's balance: `brought` by bets, `moves` by kind; together they are `shown`. `all_bets`: what the
    bets were and where the rest of them went; `off`: what nothing explains, which the nightly proof names.
    """

    fund: Fund
    shown: int
    brought: int
    moves: tuple[MoveSum, ...]
    all_bets: Parts

    @property
    def off(self) -> int:
        return self.shown - self.brought - sum(one.amount for one in self.moves)


def explain(pool: Pool, fund: Fund) -> Explained:
    """Why a fund holds what it does."""
    bets = total(by_day(pool).values())
    rows = (
        PoolMove.objects.filter(pool=pool, fund=fund)
        .values("kind")
        .annotate(number=Count("pk"), players=Sum("players"), base=Sum("base"))
    )
    kinds = dict(PoolMove.Kind.choices)
    order = list(kinds)
    moves = sorted(
        (MoveSum(r["kind"], str(kinds[r["kind"]]), r["number"], r["players"] + r["base"]) for r in rows),
        key=lambda one: order.index(one.kind),
    )
    return Explained(fund, fund.shown, bets.parts.get(fund.code, 0), tuple(moves), bets)


def total(several: Iterable[Parts]) -> Parts:
    """All of them together."""
    found = Parts()
    for one in several:
        found.add(one)
    return found


def by_day(pool: Pool) -> dict[dt.date, Parts]:
    """What the bets of each gaming day brought, the latest day first; a round voided since is in it, and its
    move takes it out again."""
    found = _grouped(pool, "b.day", "", [])
    return dict(sorted(found.items(), reverse=True))


def by_round(pool: Pool, day: dt.date) -> dict[int, Parts]:
    """The same for each round of a day, by its id, in the order they came."""
    return dict(sorted(_grouped(pool, "b.round_id", "AND b.day = %s", [day]).items()))


def by_time(pool: Pool, seconds: int) -> dict[int, Parts]:
    """The same for each so many seconds, by when they begin (since 1970)."""
    bucket = f"floor(extract(epoch FROM r.settled_at) / {int(seconds)})::bigint * {int(seconds)}"
    return dict(sorted(_grouped(pool, bucket, "", []).items()))


def of_bets(pool: Pool, bets: Sequence[Bet]) -> list[tuple[Bet, Parts]]:
    """Each bet with its parts (`jackpots.maths.split`)."""
    known = {one.pk: (scheme.read(one.params), one.offsets or {}) for one in _versions(pool)}
    found = []
    for bet in bets:
        assert bet.version_id is not None and bet.total is not None
        terms, offsets = known[bet.version_id]
        split = maths.split(terms, offsets, bet.total - bet.amount, bet.amount)
        found.append((bet, Parts(1, bet.amount, dict(split.parts))))
    return found


_PART = "SUM(div(%s + b.total * %s, %s) - div(%s + (b.total - b.amount) * %s, %s))"
"""A fund's part of each bet, by its offset, its rate and D."""


def _versions(pool: Pool) -> list[PoolVersion]:
    return list(pool.versions.exclude(begun_at=None).order_by("number"))


def _grouped(pool: Pool, key: str, narrowed: str, values: Sequence[Any]) -> dict[Any, Parts]:
    """Sums by `key`, an expression of ours alone; each version by its own rates."""
    found: dict[Any, Parts] = {}
    for version in _versions(pool):
        terms = scheme.read(version.params)
        offsets: Mapping[str, int] = version.offsets or {}
        columns = ", ".join([_PART] * len(terms.rates))
        given: list[Any] = []
        for code, rate in terms.rates:
            one = [_numeric(offsets.get(code, 0)), _numeric(rate), _numeric(maths.D)]
            given += [*one, *one]
        sql = (  # every part of it is ours
            f"SELECT {key}, COUNT(*), SUM(b.amount), {columns} FROM jackpots_bet b"  # noqa: S608
            f" JOIN tables_round r ON r.id = b.round_id"
            f" WHERE b.pool_id = %s AND b.version_id = %s AND b.serial IS NOT NULL {narrowed} GROUP BY 1"
        )
        with connection.cursor() as cursor:
            cursor.execute(sql, [*given, pool.pk, version.pk, *values])
            for where, bets, amount, *parts in cursor.fetchall():
                codes = [code for code, _ in terms.rates]
                mine = Parts(bets, int(amount), {c: int(p) for c, p in zip(codes, parts, strict=True)})
                found.setdefault(where, Parts()).add(mine)
    return found


def _numeric(units: int) -> Decimal:
    """As an exact decimal: a total times a rate is more than 64 bits hold."""
    return Decimal(units)
