"""What a pool shows, explained: from the amount on the display down to each bet (PP-28).

    shown = what bets brought the level + every move of its own (base, prizes, restarts, transfers)

What bets brought is the closed form of `jackpots.maths` asked of the database, version by version; it is
never stored, so that it cannot be what somebody wrote.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Sum

from jackpots import adding_up, maths, scheme
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
    bets were and where the rest of them went, those of rounds voided since among them, which are `void`;
    `off`: what nothing explains, which the nightly proof names.
    """

    fund: Fund
    shown: int
    brought: int
    moves: tuple[MoveSum, ...]
    all_bets: Parts
    void: Parts

    @property
    def off(self) -> int:
        return self.shown - self.brought - sum(one.amount for one in self.moves)


def explain(pool: Pool, fund: Fund) -> Explained:
    """Why a fund holds what it does."""
    bets = all_together(pool)
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
    gone = Bet.objects.filter(pool=pool, state=Bet.State.VOID).aggregate(
        n=Count("pk"), sum=Sum("amount", default=0)
    )
    void = Parts(gone["n"], gone["sum"])
    return Explained(fund, fund.shown, bets.parts.get(fund.code, 0), tuple(moves), bets, void)


def total(several: Iterable[Parts]) -> Parts:
    """All of them together."""
    found = Parts()
    for one in several:
        found.add(one)
    return found


def all_together(pool: Pool) -> Parts:
    """What all bets ever counted brought."""
    return total(_grouped(pool, "b.pool_id", "", {}).values())


_DAYS = """
WITH RECURSIVE d AS (
    SELECT max(day) AS day FROM jackpots_bet WHERE pool_id = %(pool)s
    UNION ALL
    SELECT (SELECT max(day) FROM jackpots_bet WHERE pool_id = %(pool)s AND day < d.day)
    FROM d WHERE d.day IS NOT NULL
) SELECT day FROM d WHERE day IS NOT NULL
"""


def days_of(pool: Pool) -> list[dt.date]:
    """The gaming days on which bets counted, the latest first: one look at the index for each."""
    return [day for (day,) in adding_up.rows(_DAYS, {"pool": pool.pk})]


def by_day(pool: Pool, days: Sequence[dt.date]) -> dict[dt.date, Parts]:
    """What the bets of each of these gaming days brought, the latest day first; a round voided since is in
    it, and its move takes it out again."""
    found = _grouped(pool, "b.day", "AND b.day = ANY (%(days)s)", {"days": list(days)})
    return dict(sorted(found.items(), reverse=True))


def by_round(pool: Pool, day: dt.date) -> dict[int, Parts]:
    """The same for each round of a day, by its id, in the order they came."""
    return dict(sorted(_grouped(pool, "b.round_id", "AND b.day = %(day)s", {"day": day}).items()))


_SAMPLES = """
SELECT r.settled_at, b.version_id, b.total FROM jackpots_bet b JOIN tables_round r ON r.id = b.round_id
WHERE b.pool_id = %(pool)s AND b.serial = ANY (%(serials)s) ORDER BY b.serial
"""


def sampled(pool: Pool, fund: Fund, most: int) -> list[tuple[dt.datetime, int]]:
    """At most so many bets spread evenly over the pool's order, the last among them: when each was counted,
    and what all bets until then had brought the fund, rounds voided by then taken out."""
    serials = sorted({pool.bets - pool.bets * n // most for n in range(most)} - {0})
    brought: dict[int, tuple[int, int, int]] = {}
    before = 0
    for version in _versions(pool):
        rate = scheme.read(version.params).numerators().get(fund.code, 0)
        off = (version.offsets or {}).get(fund.code, 0)
        brought[version.pk] = (before, rate, off)
        before += maths.posted(version.collected or 0, rate, off)
    found = []
    for at, pk, collected in adding_up.rows(_SAMPLES, {"pool": pool.pk, "serials": serials}):
        earlier, rate, off = brought[pk]
        found.append((at, earlier + maths.posted(collected, rate, off)))
    return found


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


def _versions(pool: Pool) -> list[PoolVersion]:
    return list(pool.versions.exclude(begun_at=None).order_by("number"))


def _grouped(pool: Pool, key: str, narrowed: str, values: Mapping[str, Any]) -> dict[Any, Parts]:
    """Sums by `key`, an expression of ours alone; each version by its own rates."""
    found: dict[Any, Parts] = {}
    for version in _versions(pool):
        rates = scheme.read(version.params).rates
        given: dict[str, Any] = {"pool": pool.pk, "version": version.pk, **values}
        columns = []
        for n, (code, rate) in enumerate(rates):
            given |= {f"rate{n}": rate, f"off{n}": (version.offsets or {}).get(code, 0)}
            names = f"%(rate{n})s::bigint", f"%(off{n})s::bigint"
            after, before = (adding_up.part_of(total, *names) for total in ("b.total", "b.total - b.amount"))
            columns.append(f"SUM({after} - {before})")
        sql = (  # every part of it is ours
            f"SELECT {key}, COUNT(*), SUM(b.amount), {', '.join(columns)} FROM jackpots_bet b"  # noqa: S608
            " WHERE b.pool_id = %(pool)s AND b.version_id = %(version)s AND b.serial IS NOT NULL"
            f" {narrowed} GROUP BY 1"
        )
        for where, bets, amount, *parts in adding_up.rows(sql, given):
            mine = {code: int(part) for (code, _), part in zip(rates, parts, strict=True)}
            found.setdefault(where, Parts()).add(Parts(bets, int(amount), mine))
    return found
