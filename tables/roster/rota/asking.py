"""What the plan in force says of an instant: who should stand where, which reliefs are due, who goes next."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from casino.models import Casino
from tables.models import Assignment, PlannedTurn, Staff, TableSession
from tables.roster import NextPost
from tables.roster.rota.gathering import PLAYING

AHEAD = dt.timedelta(minutes=5)
"""So long before its time a relief may be made."""


@dataclass(frozen=True, slots=True)
class Due:
    """A relief: at `at` (UTC) `comes` takes a post from `goes` (None: nobody holds it). `turn`: by which line
    of the plan; `session`: where, None while the table is not open.
    """

    turn: PlannedTurn
    session: TableSession | None
    goes: Staff | None

    @property
    def comes(self) -> Staff:
        return self.turn.staff

    @property
    def table(self) -> str:
        return self.turn.table.name

    @property
    def post(self) -> str:
        return self.turn.post

    @property
    def at(self) -> dt.datetime:
        return self.turn.in_force.lower


def due_reliefs(casino: Casino, instant: dt.datetime, ahead: dt.timedelta = dt.timedelta(0)) -> list[Due]:
    """Who should stand at an open table at `instant` + `ahead` by the plan in force and does not; by table.

    Three queries, whatever the size of the floor. Whoever should rest and has nobody to come is not in it.
    """
    at = instant + ahead
    rows = PlannedTurn.objects.filter(casino=casino, in_force__contains=at).select_related("staff", "table")
    planned: defaultdict[tuple[int, str], list[PlannedTurn]] = defaultdict(list)
    for turn in rows.order_by("table__name", "post", "place"):
        planned[turn.table_id, turn.post].append(turn)
    if not planned:
        return []
    sessions = live_sessions(casino, {table for table, _ in planned})
    held = held_posts(sessions.values())
    found = []
    for (table, post), those in planned.items():
        session = sessions.get(table)
        if session is not None:
            found += list(_reliefs(session, those, held[session.pk, post]))
    return found


def _reliefs(session: TableSession, those: list[PlannedTurn], held: list[Assignment]) -> Iterable[Due]:
    """One post of one table: who is planned and not there takes from who is there and not planned."""
    there, wanted = {one.staff_id for one in held}, {turn.staff_id for turn in those}
    comers = [turn for turn in those if turn.staff_id not in there]
    goers = [one.staff for one in held if one.staff_id not in wanted]
    for turn, goes in zip_longest(comers, goers):
        if turn is not None:
            yield Due(turn, session, goes)


def coming_reliefs(casino: Casino, instant: dt.datetime, within: dt.timedelta) -> list[Due]:
    """The changes of hands the plan has after `instant`, and no later than `within` it; by time and table."""
    rows = PlannedTurn.objects.filter(casino=casino, in_force__endswith__gt=instant)
    near = rows.filter(in_force__startswith__lte=instant + within).select_related("staff", "table")
    near = near.order_by("in_force", "table__name")
    ends = {(t.table_id, t.post, t.place, t.in_force.upper): t.staff for t in near}
    found = []
    for turn in near:
        place = (turn.table_id, turn.post, turn.place, turn.in_force.lower)
        if turn.in_force.lower > instant and ends.get(place) != turn.staff:
            found.append(Due(turn, None, ends.get(place)))
    return found


def next_reliefs(
    casino: Casino, instant: dt.datetime, within: dt.timedelta, dealing: Mapping[int, int | None]
) -> Mapping[int, PlannedTurn]:
    """By table id, the turn of whoever takes the cards next by the plan, due or within a while.

    `dealing`: by table id, who deals there now (staff id). One query.
    """
    rows = PlannedTurn.objects.filter(
        casino=casino,
        table__in=list(dealing),
        deals=True,
        in_force__endswith__gt=instant,
        in_force__startswith__lte=instant + within,
    )
    found: dict[int, PlannedTurn] = {}
    for turn in rows.select_related("staff").order_by("in_force"):
        if turn.staff_id != dealing[turn.table_id]:
            found.setdefault(turn.table_id, turn)
    return found


def next_post(staff: Staff, instant: dt.datetime) -> NextPost | None:
    """Where somebody goes after `instant` by the plan in force; a rest has no table. One query."""
    rows = PlannedTurn.objects.filter(casino=staff.casino_id, staff=staff, in_force__endswith__gt=instant)
    here: PlannedTurn | None = None
    for turn in rows.select_related("table").order_by("in_force"):
        if turn.in_force.lower <= instant:
            here = turn
        elif here is None or turn.in_force.lower > here.in_force.upper:
            break
        elif (turn.table_id, turn.post) == (here.table_id, here.post):
            here = turn
        else:
            return NextPost(turn.in_force.lower, turn.table.name, turn.post)
    else:
        return None if here is None else NextPost(here.in_force.upper)
    if here is not None:
        return NextPost(here.in_force.upper)
    return NextPost(turn.in_force.lower, turn.table.name, turn.post)


def live_sessions(casino: Casino, tables: Iterable[int]) -> dict[int, TableSession]:
    rows = TableSession.objects.filter(casino=casino, table__in=list(tables), state__in=PLAYING)
    return {one.table_id: one for one in rows.select_related("table__pit", "day", "casino").order_by("pk")}


def held_posts(sessions: Iterable[TableSession]) -> defaultdict[tuple[int, str], list[Assignment]]:
    """Who stands where now, by session and post, the longest first."""
    found: defaultdict[tuple[int, str], list[Assignment]] = defaultdict(list)
    rows = Assignment.objects.filter(session__in=[one.pk for one in sessions], during__endswith=None)
    for one in rows.select_related("staff").order_by("during"):
        found[one.session_id, one.post].append(one)
    return found
