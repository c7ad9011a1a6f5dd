"""What the pages of pools show of them: the list, one pool with what it waits for, what the AJ was told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from audits import filings
from audits.models import Filing
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino
from jackpots import filings as asked
from jackpots import members, naming, scheme
from jackpots.models import Fund, Pool, PoolTable, PoolVersion, Prize
from jackpots.panel import levels_of, open_prizes
from jackpots.scheme import Scheme
from jackpots.standing import FINE, Standing, standing_of


@dataclass(frozen=True, slots=True)
class Glance:
    """A pool in the list of them."""

    pool: Pool
    levels: tuple[Fund, ...]
    tables: tuple[str, ...]
    pending: tuple[Prize, ...]
    unreported: bool
    standing: Standing


def glances(casino: Casino) -> list[Glance]:
    """The pools of a house, those that run first."""
    order = [state for state, _ in (*Pool.State.choices[1:], Pool.State.choices[0])]
    rows = list(Pool.objects.filter(casino=casino).select_related("casino", "version", "incident"))
    standing = standing_of(rows, casino.gaming_day(clock.now()))
    found = [
        Glance(
            pool=pool,
            levels=tuple(levels_of(pool)),
            tables=tuple(one.table.name for one in linked(pool)),
            pending=tuple(open_prizes(pool)),
            unreported=members.unreported(pool),
            standing=standing.get(pool.pk, FINE),
        )
        for pool in rows
    ]
    return sorted(found, key=lambda one: (order.index(one.pool.state), one.pool.name))


def linked(pool: Pool) -> QuerySet[PoolTable]:
    """The tables that feed it now."""
    rows = pool.members.filter(during__endswith=None).select_related("table")
    return rows.order_by("table__name")


@dataclass(frozen=True, slots=True)
class Told:
    """A version's parameters in words."""

    version: PoolVersion
    scheme: Scheme
    lines: tuple[naming.Line, ...]
    prizes: tuple[tuple[Text, Text], ...]


def told(version: PoolVersion, exponent: int) -> Told:
    """What a version says."""
    return Told(version, *_words(scheme.read(version.params), exponent))


def _words(
    terms: Scheme, exponent: int
) -> tuple[Scheme, tuple[naming.Line, ...], tuple[tuple[Text, Text], ...]]:
    prizes = tuple((naming.hand(one.hand), naming.prize(one, exponent)) for one in terms.prizes)
    return terms, tuple(naming.terms(terms, exponent)), prizes


@dataclass(frozen=True, slots=True)
class Asked:
    """What the AJ is asked or told about a pool: the latest filing of a kind, and whether it holds today."""

    kind: str
    name: Text
    rule: str
    filing: Filing | None
    holds: bool

    @property
    def by_text(self) -> bool:
        """Whether its text says all: else it is drafted where its facts are asked for."""
        return not filings.kinds()[self.kind].facts


def filings_of(pool: Pool, day: dt.date) -> list[Asked]:
    """What the AJ knows of a pool, of each kind that may be filed about it."""
    kinds = (asked.EQUIPMENT, asked.TABLES, asked.COMPLEMENTARY, asked.PROMOTION, asked.TRANSFER)
    return [_asked(pool, kind, day) for kind in kinds]


def about(pool: Pool) -> QuerySet[Filing]:
    """Every filing about a pool itself."""
    subject = asked.about_pool(pool)
    return Filing.objects.filter(
        casino_id=pool.casino_id, subject_type=subject.type, subject_id=subject.id
    ).order_by("-pk")


def _asked(pool: Pool, kind: str, day: dt.date) -> Asked:
    known, subject = filings.kinds()[kind], asked.about_pool(pool)
    latest = about(pool).filter(kind=kind).first()
    if known.approval:
        valid = filings.approved(pool.casino, kind, subject, day)
    else:
        valid = filings.presented(pool.casino, kind, subject)
    return Asked(kind, known.name, known.rule, latest if valid is None else valid, valid is not None)


def waiting_version(pool: Pool) -> PoolVersion | None:
    """The version that is being approved, or waits for the next start."""
    rows = pool.versions.filter(state__in=PoolVersion.WAITING)
    return rows.select_related("filing", "author").first()


def version_filing(version: PoolVersion) -> Filing | None:
    """The latest filing about a version."""
    return version_filings(version).first()


def version_filings(version: PoolVersion) -> QuerySet[Filing]:
    """The filings about a version, the latest first."""
    subject = asked.about_version(version)
    rows = Filing.objects.filter(
        casino_id=version.casino_id, subject_type=subject.type, subject_id=subject.id
    )
    return rows.order_by("-pk")


def goes_on(version: PoolVersion) -> bool:
    """Whether a filing about a version waits to be presented or answered."""
    return filings.waiting(version.pool.casino, asked.SCHEME, asked.about_version(version)) is not None


def funds_of(pool: Pool) -> Sequence[Fund]:
    """Levels, then reserves."""
    return [*levels_of(pool), *Fund.objects.filter(pool=pool, reserve=True).order_by("pk")]
