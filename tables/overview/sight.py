"""One look at the floor: everything its tiles and its alerts are made of, read in a fixed number of
queries."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from django.db.models import Count, F, Q

from audits.models import Incident
from casino.kernel.words import Text
from casino.models import Casino
from tables.bank.glance import glances
from tables.floor_settings import settings_of
from tables.models import (
    Assignment,
    BetLimits,
    GameRules,
    Round,
    SeatTaking,
    Slip,
    Table,
    TableSession,
    WaitingEntry,
)


@dataclass(frozen=True, slots=True)
class Sight:
    """The floor of a house at an instant (UTC), by table or session id; `today` is its gaming day.

    `most_minutes`: how long a dealer deals in a row (FLOOR-03). `paused`: since when a paused session is.
    `slips`: open fills and credits. `stopped`: the oldest open incident of a stopped table, by its name.
    `banks`: how a player's bank stands.
    """

    casino: Casino
    instant: dt.datetime
    today: dt.date
    most_minutes: int
    tables: Sequence[Table]
    sessions: Mapping[int, TableSession]
    posts: Mapping[int, Sequence[Assignment]]
    limits: Mapping[int, BetLimits]
    ruled: Set[str]
    stopped: Mapping[str, str]
    seated: Mapping[int, int]
    waiting: Mapping[int, int]
    slips: Mapping[int, tuple[int, int]]
    banks: Mapping[int, Text]

    def session_of(self, table: Table) -> TableSession | None:
        return self.sessions.get(table.pk)

    def dealer_of(self, session: TableSession) -> Assignment | None:
        held = self.posts.get(session.pk, ())
        return next((turn for turn in held if turn.post in Assignment.DEALING), None)

    def dealing(self) -> dict[int, int | None]:
        """Who deals at each live table, by table and staff id."""
        live = [session for session in self.sessions.values() if session.live]
        dealers = {session.table_id: self.dealer_of(session) for session in live}
        return {table: turn.staff_id if turn else None for table, turn in dealers.items()}

    def minutes_of(self, turn: Assignment) -> int:
        """Whole minutes a turn has lasted."""
        return int((self.instant - turn.during.lower).total_seconds() // 60)


def look(casino: Casino, instant: dt.datetime) -> Sight:
    """Look at the tables in service, and at those that still have a live session."""
    tables = (
        Table.objects.filter(casino=casino)
        .filter(Q(active=True) | Q(sessions__state__in=TableSession.LIVE))
        .select_related("pit")
        .order_by("pit__position", "pit__name", "name")
        .distinct()
    )
    return Sight(
        casino=casino,
        instant=instant,
        today=casino.gaming_day(instant),
        most_minutes=settings_of(casino).max_minutes_on_table,
        tables=list(tables),
        sessions=last_sessions(casino),
        posts=_posts(casino),
        limits=_limits_in_force(casino, instant),
        ruled=_games_with_rules(casino, instant),
        stopped=_stopped(casino),
        seated=_seated(casino),
        waiting=_waiting(casino),
        slips=_open_slips(casino),
        banks=glances(casino),
    )


def last_sessions(casino: Casino) -> dict[int, TableSession]:
    """Each table's open session, or else its latest."""
    rows = (
        TableSession.objects.filter(casino=casino)
        .select_related("shoe", "day", "table", "limits")
        .order_by("table_id", F("closed_at").desc(nulls_first=True), "-id")  # live before ended
        .distinct("table_id")
    )
    return {session.table_id: session for session in rows}


def rounds_in_progress(casino: Casino) -> dict[int, int]:
    """The number of the round being played, by session."""
    rows = Round.objects.filter(casino=casino, state=Round.State.OPEN)
    return dict(rows.values_list("session_id", "number"))


def tallies(sessions: Sequence[TableSession]) -> dict[int, dict[str, int]]:
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


def _posts(casino: Casino) -> dict[int, list[Assignment]]:
    found: dict[int, list[Assignment]] = defaultdict(list)
    rows = (
        Assignment.objects.filter(casino=casino, during__endswith=None).select_related("staff").order_by("pk")
    )
    for assignment in rows:
        found[assignment.session_id].append(assignment)
    return found


def _stopped(casino: Casino) -> dict[str, str]:
    """The oldest open incident that stops each table, by its name (GEN-08)."""
    rows = Incident.objects.filter(casino=casino, state=Incident.State.OPEN, freezes=True)
    return {found.table_label: found.label for found in rows.order_by("-opened_at", "-id")}


def _limits_in_force(casino: Casino, instant: dt.datetime) -> dict[int, BetLimits]:
    rows = (
        BetLimits.objects.filter(casino=casino, effective_from__lte=instant)
        .order_by("table_id", "-effective_from", "-version")
        .distinct("table_id")
    )
    return {limits.table_id: limits for limits in rows}


def _games_with_rules(casino: Casino, instant: dt.datetime) -> Set[str]:
    rows = GameRules.objects.filter(casino=casino, effective_from__lte=instant)
    return set(rows.order_by().values_list("game", flat=True).distinct())


def _seated(casino: Casino) -> dict[int, int]:
    """People seated now, by session."""
    rows = SeatTaking.objects.filter(casino=casino, during__endswith=None)
    return dict(rows.values_list("session_id").annotate(n=Count("pk")).order_by())


def _waiting(casino: Casino) -> dict[int, int]:
    """Entries of the waiting list, by table; those for a game at any table are not of one."""
    rows = WaitingEntry.objects.filter(casino=casino, state__in=WaitingEntry.LIVE, table__isnull=False)
    return dict(rows.values_list("table_id").annotate(n=Count("pk")).order_by())


def _open_slips(casino: Casino) -> dict[int, tuple[int, int]]:
    """Open fills and credits, by session."""
    rows = Slip.objects.filter(casino=casino, state__in=Slip.OPEN).values_list("session_id")
    counted = rows.annotate(
        fills=Count("pk", filter=Q(kind=Slip.Kind.FILL)), credits=Count("pk", filter=Q(kind=Slip.Kind.CREDIT))
    ).order_by()
    return {session: (fills, credits) for session, fills, credits in counted}
