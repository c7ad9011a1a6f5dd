"""The tables that fed each pool within a span of gaming days, what was bet at them and won (PP-06, PP-12)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.db.models import Count, QuerySet, Sum

from audits import policies as audit_policies
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report, Row, Section
from casino.kernel import clock, rulebook
from casino.kernel.words import Text
from casino.models import Casino
from jackpots import members
from jackpots.models import Bet, PoolTable, Prize
from jackpots.reports import settings
from jackpots.reports.forms import PoolPeriodForm, pools_of
from jackpots.reports.prizes import of_prizes

_POOL = Column("pool", Text("Pozo", "Pool"))
_TABLE = Column("table", Text("Mesa", "Table"))
_GAME = Column("game", Text("Juego", "Game"))
_MEMBERS = [
    _POOL,
    _TABLE,
    _GAME,
    Column("since", Text("Desde", "From"), Kind.INSTANT),
    Column("until", Text("Hasta", "To"), Kind.INSTANT),
    Column("reported", Text("Informada a la AJ", "Reported to the AJ")),
]
_PLAY = [
    _POOL,
    _TABLE,
    _GAME,
    Column("bets", Text("Apuestas", "Bets"), Kind.INT),
    Column("collected", Text("Recaudado", "Collected"), Kind.MONEY),
    Column("prizes", Text("Premios", "Prizes"), Kind.INT),
    Column("won", Text("Ganado", "Won"), Kind.MONEY),
]
_YES, _NO = Text("sí", "yes"), Text("no", "no")
LINKS = ("jackpots.table.linked", "jackpots.table.unlinked")


class PoolTablesReport(Report):
    """Which tables fed which pool, what each brought and won, and by which parameters the pool ran."""

    identifier = "jackpots.tables"
    title = Text(
        "Mesas y configuración de los pozos progresivos", "Tables and configuration of progressive pools"
    )
    rules = ("PP-05", "PP-06", "PP-12", "PP-18", "PP-23", "PP-30")
    act = audit_policies.MAKE_REPORTS
    form = PoolPeriodForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        first, last = params["first"], params["last"]
        pools = pools_of(casino, params)
        begin, _end = clock.day_bounds(first, casino.zone, casino.cutoff)
        _start, after = clock.day_bounds(last, casino.zone, casino.cutoff)
        rows = PoolTable.objects.filter(casino=casino, pool__in=pools, during__overlap=(begin, after))
        bets = Bet.objects.filter(pool__in=pools, state=Bet.State.COUNTED, day__range=(first, last))
        return [
            Section(
                "members",
                Text("Mesas de cada pozo", "Tables of each pool"),
                _MEMBERS,
                lambda: _member_rows(rows),
                rows.count,
            ),
            Section(
                "play",
                Text("Apostado y ganado por mesa", "Bet and won by table"),
                _PLAY,
                lambda: _play_rows(bets, _prizes(pools, first, last)),
                totals=lambda: _totals(bets, _won(_prizes(pools, first, last))),
            ),
            settings.section(pools, begin, after),
        ]


def _member_rows(rows: QuerySet[PoolTable]) -> Iterator[Row]:
    joined = rows.select_related("pool", "table").order_by("pool__name", "table__name", "pk")
    unreported: dict[int, bool] = {}
    for one in joined:
        late = unreported.setdefault(one.pool_id, members.unreported(one.pool))
        yield {
            "pool": one.pool.name,
            "table": one.table.name,
            "game": rulebook.game(one.table.game).name,
            "since": one.during.lower,
            "until": one.during.upper,
            "reported": _NO if late else _YES,
            EVENTS: _of_member(one),
        }


def _of_member(one: PoolTable) -> tuple[EventsOf, ...]:
    """When the table was linked to the pool and when it was taken off."""
    linked = EventsOf(streams=(one.pool.stream,), actions=LINKS)
    ended = (linked.at(one.during.upper),) if one.during.upper else ()
    return linked.at(one.during.lower), *ended


Won = Mapping[tuple[int, int], tuple[int, int]]
"""How many prizes, and how much, by pool and table."""


def _prizes(pools: Any, first: dt.date, last: dt.date) -> QuerySet[Prize]:
    rows = Prize.objects.filter(pool__in=pools, session__day__date__range=(first, last))
    return rows.exclude(state=Prize.State.REJECTED)


def _won(prizes: QuerySet[Prize]) -> Won:
    standing = prizes.values_list("pool", "session__table")
    told = standing.annotate(number=Count("pk"), total=Sum("amount")).order_by("pool", "session__table")
    return {(pool, table): (number, total) for pool, table, number, total in told}


def _play_rows(bets: QuerySet[Bet], standing: QuerySet[Prize]) -> Iterator[Row]:
    won = _won(standing)
    by = ("pool", "pool__name", "session__table", "session__table__name", "session__table__game")
    told = bets.values_list(*by).annotate(number=Count("pk"), total=Sum("amount"))
    ordered = told.order_by("pool__name", "session__table__name")
    for pool, name, table, table_name, game, number, total in ordered:
        prizes, amount = won.get((pool, table), (0, 0))
        yield {
            "pool": name,
            "table": table_name,
            "game": rulebook.game(game).name,
            "bets": number,
            "collected": total,
            "prizes": prizes,
            "won": amount,
            EVENTS: partial(
                _behind,
                bets.filter(pool=pool, session__table=table),
                standing.filter(pool=pool, session__table=table),
            ),
        }


def _behind(bets: QuerySet[Bet], prizes: QuerySet[Prize]) -> tuple[EventsOf, ...]:
    """Each bet as it was placed, each prize from its hit on."""
    placed = bets.order_by().values_list("placed_event", flat=True)
    return EventsOf(ids=tuple(placed)), *of_prizes(prizes.values_list("pk", "hit_event"))


def _totals(bets: QuerySet[Bet], won: Won) -> Row:
    sums = bets.aggregate(number=Count("pk"), total=Sum("amount", default=0))
    return {
        "pool": Text("Total", "Total"),
        "bets": sums["number"],
        "collected": sums["total"],
        "prizes": sum(number for number, _ in won.values()),
        "won": sum(amount for _, amount in won.values()),
    }
