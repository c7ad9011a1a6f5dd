"""What the floor's screens read: every table at a glance, in a fixed number of queries.

Nothing here decides anything; what a screen shows as an alert is the flag a rule asks for.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from casino.kernel import permissions, rulebook
from casino.kernel.words import Text
from casino.models import Casino, User
from shoes.models import Shoe
from tables import crew, policies
from tables.models import Assignment, BetLimits, ChipCount, Pit, Round, Staff, Table, TableSession
from tables.seeing import seen_among

POST_NAMES: dict[str, Text] = {
    "dealer": Text("croupier", "dealer"),
    "caller": Text("paletero", "caller"),
    "payer": Text("pagador", "payer"),
    "supervisor": Text("jefe de mesa", "supervisor"),
}


@dataclass(frozen=True, slots=True)
class Alert:
    """Something to attend at a table. `level`: warn, or bad where play has to stop."""

    level: str
    text: Text
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """One table on the floor. Amounts in smallest units, minutes whole, instants UTC.

    `result` is None where bets are not logged and the float is not counted yet, and for whoever may
    not read money. `may_look`: whether who asks may read this session.
    """

    table: Table
    game: str
    session: TableSession | None
    limits: tuple[int, int] | None
    dealer: str = ""
    dealer_minutes: int = 0
    supervisor: str = ""
    round: int = 0
    in_progress: bool = False
    result: int | None = None
    tally: Mapping[str, int] = field(default_factory=dict)
    shoe: Shoe | None = None
    closed_at: dt.datetime | None = None
    may_look: bool = False
    alerts: tuple[Alert, ...] = ()

    @property
    def open(self) -> bool:
        return self.session is not None and self.session.state == TableSession.State.OPEN

    @property
    def level(self) -> str:
        """The worst of its alerts: bad, warn, open or closed."""
        levels = {alert.level for alert in self.alerts}
        return "bad" if "bad" in levels else "warn" if "warn" in levels else "open" if self.open else "closed"

    @property
    def used(self) -> int:
        """Cards gone from the shoe."""
        return self.shoe.total - self.shoe.remaining if self.shoe else 0


@dataclass(frozen=True, slots=True)
class Money:
    """The day's money, smallest units: `result` over counted sessions and, where bets are logged, running
    ones; `counted` says how many of the former. `drop` is None until one is counted."""

    result: int
    counted: int
    staked: int
    drop: int | None


@dataclass(frozen=True, slots=True)
class Floor:
    """The floor: its pits with their tiles, and the day in figures (None for who may not read money)."""

    pits: tuple[tuple[Pit, tuple[Tile, ...]], ...]
    day: dt.date
    open: int
    tables: int
    money: Money | None
    warnings: int
    stops: int


def floor(user: User, instant: dt.datetime) -> Floor:
    """The floor as `user` may see it at `instant` (UTC)."""
    casino = user.casino
    tables = list(
        Table.objects.restrict(user, policies.READ_FLOOR)
        .filter(Q(active=True) | Q(sessions__state="open"))
        .select_related("pit")
        .order_by("pit__position", "pit__name", "name")
        .distinct()
    )
    sessions = _last_sessions(casino)
    posts = _posts(casino)
    busy = _rounds_in_progress(casino)
    limits = _limits_in_force(casino, instant)
    tallies = _tallies([session for session in sessions.values() if session.state == "open"])
    today = casino.gaming_day(instant)
    seen, reads_money = seen_among(user, sessions.values()), permissions.may(user, policies.READ_MONEY)
    pits: dict[int, tuple[Pit, list[Tile]]] = {}
    for table in tables:
        session = sessions.get(table.pk)
        held = posts.get(session.pk, []) if session else []
        tile = _tile(table, session, held, limits.get(table.pk), busy, tallies, instant, today)
        tile = replace(tile, may_look=session is not None and session.pk in seen)
        if not reads_money:
            tile = replace(tile, result=None)
        pits.setdefault(table.pit_id, (table.pit, []))[1].append(tile)
    shown = tuple((pit, tuple(tiles)) for pit, tiles in pits.values())
    return _summed(today, shown, _money(casino, today) if reads_money else None)


def _tile(
    table: Table,
    session: TableSession | None,
    held: Sequence[Assignment],
    limits: BetLimits | None,
    busy: Mapping[int, int],
    tallies: Mapping[int, Mapping[str, int]],
    instant: dt.datetime,
    today: dt.date,
) -> Tile:
    common: dict[str, Any] = {"table": table, "game": table.game, "limits": _range(limits)}
    if session is None or session.state != TableSession.State.OPEN:
        told = session if session is not None and session.day.date == today else None
        return Tile(
            session=told,
            result=told.result if told else None,
            closed_at=told.closed_at if told else None,
            round=told.rounds_settled if told else 0,
            alerts=() if limits else (Alert("warn", _NO_LIMITS, "GEN-04"),),
            **common,
        )
    dealer = next((a for a in held if a.post in ("caller", "dealer")), None)
    minutes = int((instant - dealer.during.lower).total_seconds() // 60) if dealer else 0
    return Tile(
        session=session,
        dealer=dealer.staff.name if dealer else "",
        dealer_minutes=minutes,
        supervisor=next((a.staff.name for a in held if a.post == "supervisor"), ""),
        round=busy.get(session.pk, session.last_round),
        in_progress=session.pk in busy,
        result=session.house_result if session.detail == "full" else None,
        tally=tallies.get(session.pk, {}),
        shoe=session.shoe,
        alerts=tuple(_alerts(session, held, minutes if dealer else None, today)),
        **common,
    )


_NO_LIMITS = Text("sin límites publicados", "no limits published")


def _alerts(
    session: TableSession, held: Sequence[Assignment], minutes: int | None, today: dt.date
) -> Iterable[Alert]:
    """What FLOOR-02, FLOOR-03, CARD-38 and REC-08 flag at an open table, the gravest first."""
    shoe = session.shoe
    if shoe is None or shoe.state != Shoe.State.IN_PLAY:
        yield Alert(
            "bad", Text("falta el sabot: no se abre otro pase", "no shoe: no round may be opened"), "CARD-38"
        )
    elif shoe.stop_reached:
        yield Alert(
            "bad",
            Text("salió la detención: ponga otro sabot", "the stop card came out: load another shoe"),
            "CARD-38",
        )
    most = rulebook.rule("FLOOR-03").params["max_minutes_on_table"]
    if minutes is not None and minutes > most:
        yield Alert(
            "warn",
            Text("relevo vencido hace {n} min", "relief overdue by {n} min").fill(n=minutes - most),
            "FLOOR-03",
        )
    lacking = crew.missing(session.game, [assignment.post for assignment in held])
    if lacking:
        names = sorted({post: POST_NAMES[post] for post in lacking}.items())
        yield Alert(
            "warn",
            Text(
                "falta " + ", ".join(_counted(text.es, lacking.count(post)) for post, text in names),
                "missing " + ", ".join(_counted(text.en, lacking.count(post)) for post, text in names),
            ),
            "FLOOR-02",
        )
    if session.day.date < today:
        yield Alert(
            "warn",
            Text("sigue abierta desde ayer: retiene el día", "open since yesterday: it holds the day"),
            "REC-08",
        )


def _counted(name: str, times: int) -> str:
    return f"{times} × {name}" if times > 1 else name


def _last_sessions(casino: Casino) -> dict[int, TableSession]:
    """Each table's open session, or else its latest."""
    rows = (
        TableSession.objects.filter(casino=casino)
        .select_related("shoe", "day", "table")
        .order_by("table_id", "-opened_at", "-id")
        .distinct("table_id")
    )
    return {session.table_id: session for session in rows}


def _posts(casino: Casino) -> dict[int, list[Assignment]]:
    found: dict[int, list[Assignment]] = defaultdict(list)
    rows = (
        Assignment.objects.filter(casino=casino, during__endswith=None).select_related("staff").order_by("pk")
    )
    for assignment in rows:
        found[assignment.session_id].append(assignment)
    return found


def _rounds_in_progress(casino: Casino) -> dict[int, int]:
    rows = Round.objects.filter(casino=casino, state=Round.State.OPEN)
    return dict(rows.values_list("session_id", "number"))


def _limits_in_force(casino: Casino, instant: dt.datetime) -> dict[int, BetLimits]:
    rows = (
        BetLimits.objects.filter(casino=casino, effective_from__lte=instant)
        .order_by("table_id", "-effective_from", "-version")
        .distinct("table_id")
    )
    return {limits.table_id: limits for limits in rows}


def _tallies(sessions: Sequence[TableSession]) -> dict[int, dict[str, int]]:
    """How often each side won, by session."""
    found: dict[int, dict[str, int]] = defaultdict(dict)
    rows = (
        Round.objects.filter(session__in=[s.pk for s in sessions], state=Round.State.SETTLED)
        .values_list("session_id", "winner")
        .annotate(n=Count("pk"))
        .order_by()
    )
    for session, winner, number in rows:
        found[session][winner] = number
    return found


def _range(limits: BetLimits | None) -> tuple[int, int] | None:
    """The main bets' limits; side bets have their own."""
    if limits is None or not limits.spots:
        return None
    main = [pair for spot, pair in limits.spots.items() if spot in ("punto", "banca")] or list(
        limits.spots.values()
    )
    return min(pair[0] for pair in main), max(pair[1] for pair in main)


def _summed(today: dt.date, pits: tuple[tuple[Pit, tuple[Tile, ...]], ...], money: Money | None) -> Floor:
    tiles = [tile for _, found in pits for tile in found]
    alerts = [alert.level for tile in tiles for alert in tile.alerts]
    return Floor(
        pits=pits,
        day=today,
        open=sum(tile.open for tile in tiles),
        tables=len(tiles),
        money=money,
        warnings=alerts.count("warn"),
        stops=alerts.count("bad"),
    )


def _money(casino: Casino, today: dt.date) -> Money:
    day = TableSession.objects.filter(casino=casino, day__date=today)
    counted = day.exclude(result=None).aggregate(n=Count("pk"), result=Sum("result"))
    running = day.filter(result=None, detail="full").aggregate(staked=Sum("staked"), returned=Sum("returned"))
    sums = day.aggregate(staked=Sum("staked"), drop=Sum("drop"))
    return Money(
        result=(counted["result"] or 0) + (running["staked"] or 0) - (running["returned"] or 0),
        counted=counted["n"],
        staked=sums["staked"] or 0,
        drop=sums["drop"],
    )


# ---- opening and closing --------------------------------------------------------------------------


def previous_closing(table: Table) -> ChipCount | None:
    """The last closing count of a table, which the opening is reconciled with (FLOOR-04)."""
    rows = ChipCount.objects.filter(session__table=table, moment=ChipCount.Moment.CLOSING)
    return rows.order_by("-counted_at", "-pk").first()


def fit_staff(user: User, game: str, post: str, day: dt.date) -> QuerySet[Staff]:
    """People who may take a post now: in service, licensed that day, qualified, at no table (FLOOR-01)."""
    rows = Staff.objects.filter(casino=user.casino_id, active=True, licence_expires__gte=day)
    rows = rows.filter(supervises=True) if post == "supervisor" else rows.filter(games__contains=[game])
    busy = Assignment.objects.filter(casino=user.casino_id, during__endswith=None)
    return rows.exclude(pk__in=busy.values("staff"))


def crew_of(session: TableSession) -> QuerySet[Assignment]:
    """Who is at the table now."""
    return (
        Assignment.objects.filter(session=session, during__endswith=None)
        .select_related("staff")
        .order_by("pk")
    )
