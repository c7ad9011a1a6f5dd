"""The floor read into a problem: who is there and fit, which tables want whom, who stands where since when.

A slot counts as worked from its start: a relief made a few minutes late (`SLIP`) is taken as made on time,
else every plan would break its own rule of rest after the first slow relief. The flag of FLOOR-03 on the
floor counts the real minutes.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from django.db.models import Sum
from psycopg.types.range import TimestamptzRange

from casino.models import Casino
from tables import crew
from tables.floor_settings import settings_of
from tables.models import (
    Assignment,
    Certificate,
    FairnessEntry,
    Pit,
    PlannedTurn,
    Shift,
    Staff,
    Table,
    TableSession,
)
from tables.roster import turns
from tables.roster.presence import plans_shifts
from tables.roster.rota.stored import names_of, slots
from tables.roster.rotation import Credit, Person, Post, Problem, Rules, Standing, places
from tables.roster.rotation.legal import fits, legal
from tables.roster.rotation.problem import Range

SLIP = dt.timedelta(minutes=5)
LATE = dt.timedelta(minutes=15)
"""So long after the beginning of a shift somebody who has not come is still counted on."""
LEDGER = dt.timedelta(days=28)
"""How far back the ledger of fairness is carried along."""
PLAYING = (TableSession.State.OPENING, TableSession.State.OPEN, TableSession.State.PAUSED)


@dataclass(frozen=True, slots=True)
class Scope:
    """What to plan: a pit or the whole floor, `slots` of `minutes` from `starts` (UTC). `tables`: these, open
    or yet to open; none: those that are open.
    """

    casino: Casino
    pit: Pit | None
    starts: dt.datetime
    slots: int
    minutes: int
    tables: tuple[Table, ...] = ()

    @property
    def ends(self) -> dt.datetime:
        return self.starts + self.slots * dt.timedelta(minutes=self.minutes)

    @property
    def during(self) -> TimestamptzRange:
        return TimestamptzRange(self.starts, self.ends, "[)")


@dataclass(frozen=True, slots=True)
class Night:
    """The problem, and what a stored plan says beside it: tables by name, those open, plans in force, who
    should have come by now and has not.
    """

    problem: Problem
    tables: Mapping[str, int]
    live: frozenset[str]
    in_force: tuple[int, ...]
    late: tuple[str, ...]


def gather(scope: Scope, instant: dt.datetime) -> Night:
    """The floor at `instant` as a problem of the scope. A fixed number of queries.

    Raises `RuleViolation` (`rotation_slot_too_long`, FLOOR-03) for slots longer than a turn may be.
    """
    set_to = settings_of(scope.casino)
    live = live_in(scope)
    tables = scope.tables or tuple(session.table for session in live.values())
    posts = _posts(scope, tables, live)
    people, late = _people(scope, tables, {post.game for post in posts}, instant)
    held = _turns(scope, instant)
    limits = turns.Limits(
        set_to.max_minutes_on_table, set_to.min_break_minutes, set_to.max_minutes_same_table
    )
    problem = Problem(
        slots=slots(scope.starts, scope.slots, scope.minutes),
        people=people,
        posts=posts,
        rules=Rules(
            scope.minutes,
            limits.in_a_row,
            limits.rest,
            limits.same_table,
            rest_ends_stay=turns.REST_ENDS_STAY,
        ),
        worked_before={p.id: _standing(held.get(int(p.id), []), scope, limits) for p in people},
        credits=_credits(scope, [int(person.id) for person in people]),
        names=names_of({post.game for post in posts}),
        zone=ZoneInfo(scope.casino.zone),
    )
    return Night(
        problem,
        {table.name: table.pk for table in tables},
        frozenset(session.table.name for session in live.values()),
        in_force(scope.casino, scope.pit, instant),
        late,
    )


def pinned(night: Night, scope: Scope, instant: dt.datetime) -> Problem:
    """The problem with whoever stands at a post at its start kept there for the first slot, where they may:
    a plan that begins now moves nobody before their time.
    """
    problem = night.problem
    if scope.starts - instant >= dt.timedelta(minutes=scope.minutes):
        return problem
    pins: dict[tuple[int, int], str] = {}
    held = _turns(scope, instant)
    for person in problem.people:
        own = held.get(int(person.id), [])
        last = own[-1] if own else None
        if last is None or (last.end is not None and last.end <= scope.starts):
            continue
        for k, post in enumerate(problem.posts):
            row = [k, *[None] * (scope.slots - 1)]
            at = (post.table, post.post) == (last.table, last.post) and (0, k) not in pins
            if at and fits(problem, person, 0, k) and legal(problem, person, row):
                pins[0, k] = person.id
                break
    return replace(problem, pinned=pins)


def in_force(casino: Casino, pit: Pit | None, instant: dt.datetime) -> tuple[int, ...]:
    """The ids of the plans that still say something from an instant on, of a pit or of the whole floor."""
    rows = PlannedTurn.objects.filter(casino=casino, in_force__endswith__gt=instant)
    if pit is not None:
        rows = rows.filter(table__pit=pit)
    return tuple(rows.order_by("plan").values_list("plan", flat=True).distinct())


def live_in(scope: Scope) -> dict[int, TableSession]:
    """The sessions in play, by table; of one pit where the scope is one."""
    rows = TableSession.objects.filter(casino=scope.casino, state__in=PLAYING).select_related("table__pit")
    if scope.pit is not None:
        rows = rows.filter(table__pit=scope.pit)
    return {one.table_id: one for one in rows.order_by("table__pit__position", "table__name")}


def _posts(scope: Scope, tables: Iterable[Table], live: Mapping[int, TableSession]) -> tuple[Post, ...]:
    open_all = [(0, scope.slots)]
    return tuple(
        post
        for table in tables
        for game in [live[table.pk].game if table.pk in live else table.game]
        for post in places(table.name, game, crew.wanted(game), open_all, table.pit.name)
    )


def _people(
    scope: Scope, tables: Iterable[Table], games: set[str], instant: dt.datetime
) -> tuple[tuple[Person, ...], tuple[str, ...]]:
    """Croupiers on a shift within the span, with the slots in which they are there; and who is late."""
    staff = Staff.objects.filter(
        casino=scope.casino, active=True, supervises=False, department=Staff.Department.FLOOR
    )
    there, late = _there(scope, instant)
    everyone = not plans_shifts(scope.casino, scope.casino.gaming_day(scope.starts))
    elsewhere = _elsewhere(scope, tables, instant)
    certified = _not_certified(scope)
    found = []
    for person in staff.order_by("name", "pk"):
        spans = [(0, scope.slots)] if everyone else there.get(person.pk, [])
        present = _without(spans, elsewhere.get(person.pk, []))
        fit = frozenset(person.games) & games - certified.get(person.pk, frozenset())
        if present and fit:
            ends = _licence_ends(person, scope)
            found.append(Person(str(person.pk), person.name, fit, tuple(present), ends))
    return tuple(found), tuple(late)


def _there(scope: Scope, instant: dt.datetime) -> tuple[dict[int, list[Range]], list[str]]:
    """By staff id the slots wholly within a shift; and who is so late that their shift does not count."""
    rows = Shift.objects.filter(casino=scope.casino, planned__overlap=scope.during)
    rows = rows.filter(state__in=(Shift.State.PLANNED, Shift.State.PRESENT)).select_related("staff")
    found: defaultdict[int, list[Range]] = defaultdict(list)
    late = []
    for shift in rows.order_by("planned"):
        if not shift.on_now and shift.start + LATE <= instant:
            late.append(shift.staff.name)
            continue
        starts = min(shift.start, shift.came or shift.start)
        first, last = _slots_within(scope, starts, shift.end)
        if first < last:
            found[shift.staff_id].append((first, last))
    return found, late


def _slots_within(scope: Scope, start: dt.datetime, end: dt.datetime) -> Range:
    length = dt.timedelta(minutes=scope.minutes)
    first = -((scope.starts - start) // length)
    return max(0, first), min(scope.slots, (end - scope.starts) // length)


def _elsewhere(scope: Scope, tables: Iterable[Table], instant: dt.datetime) -> dict[int, list[Range]]:
    """By staff id the slots in which somebody is spoken for: by another pit's plan, or at a table that is
    none of these now.
    """
    found: defaultdict[int, list[Range]] = defaultdict(list)
    length = dt.timedelta(minutes=scope.minutes)
    if scope.pit is not None:
        others = PlannedTurn.objects.filter(casino=scope.casino, in_force__overlap=scope.during)
        for owner, span in others.exclude(table__pit=scope.pit).values_list("staff_id", "in_force"):
            first = (span.lower - scope.starts) // length
            last = -((scope.starts - span.upper) // length)
            found[owner].append((max(0, first), min(scope.slots, last)))
    if scope.starts - instant < length:
        held = Assignment.objects.filter(casino=scope.casino, during__endswith=None)
        away = held.exclude(session__table__in=[table.pk for table in tables])
        for owner in away.values_list("staff_id", flat=True):
            found[owner].append((0, scope.slots))
    return found


def _without(spans: Iterable[Range], taken: Iterable[Range]) -> list[Range]:
    """Ranges of slots less those that are taken."""
    left = list(spans)
    for first, last in taken:
        left = [
            piece
            for one in left
            for piece in ((one[0], min(one[1], first)), (max(one[0], last), one[1]))
            if piece[0] < piece[1]
        ]
    return sorted(left)


def _not_certified(scope: Scope) -> dict[int, frozenset[str]]:
    """By staff id the games whose every certificate is out of force on the day (as `crew.demands`)."""
    day = scope.casino.gaming_day(scope.starts)
    holds: defaultdict[tuple[int, str], bool] = defaultdict(bool)
    rows = Certificate.objects.filter(casino=scope.casino)
    for owner, game, since, until in rows.values_list("staff_id", "game", "since", "until"):
        holds[owner, game] |= since <= day and (until is None or day <= until)
    found: defaultdict[int, frozenset[str]] = defaultdict(frozenset)
    for (owner, game), valid in holds.items():
        if not valid:
            found[owner] |= {game}
    return found


def _licence_ends(person: Staff, scope: Scope) -> int | None:
    """The first slot of a gaming day after the licence's last."""
    if person.licence_expires >= scope.casino.gaming_day(scope.ends):
        return None
    starts = slots(scope.starts, scope.slots, scope.minutes)
    over = (at for at, slot in enumerate(starts) if scope.casino.gaming_day(slot) > person.licence_expires)
    return next(over, None)


def _turns(scope: Scope, instant: dt.datetime) -> dict[int, list[turns.Turn]]:
    """By staff id the turns up to the start of the plan: those held, then those planned until it; on time."""
    found = {
        owner: [_on_time(turn, scope) for turn in own if turn.deals]
        for owner, own in turns.turns_of(scope.casino, min(instant, scope.starts)).items()
    }
    if scope.starts <= instant:
        return found
    until = TimestamptzRange(instant, scope.starts, "[)")
    planned = PlannedTurn.objects.filter(casino=scope.casino, in_force__overlap=until)
    rows = planned.order_by("in_force").values_list("staff_id", "table__name", "post", "in_force")
    ahead: defaultdict[int, list[turns.Turn]] = defaultdict(list)
    for owner, table, post, span in rows:
        end = span.upper if span.upper < scope.starts else None
        ahead[owner].append(turns.Turn(table, post, max(span.lower, instant), end))
    for owner, own in ahead.items():
        cut = [turn if turn.end else replace(turn, end=instant) for turn in found.get(owner, [])]
        found[owner] = [*(turn for turn in cut if turn.end is None or turn.start < turn.end), *own]
    return found


def _on_time(turn: turns.Turn, scope: Scope) -> turns.Turn:
    """A turn with its ends moved to the boundaries of slots that they lie within `SLIP` after."""
    end = None if turn.end is None else _snapped(turn.end, scope)
    start = _snapped(turn.start, scope)
    return turn if end is not None and end <= start else replace(turn, start=start, end=end)


def _snapped(at: dt.datetime, scope: Scope) -> dt.datetime:
    over = (at - scope.starts) % dt.timedelta(minutes=scope.minutes)
    return at - over if over <= SLIP else at


def _standing(own: list[turns.Turn], scope: Scope, limits: turns.Limits) -> Standing:
    past = [turn for turn in own if turn.start <= scope.starts]
    if not past:
        return Standing()
    found = turns.stand(past, scope.starts, limits)
    return Standing(found.in_a_row, past[-1].table, found.at_table, found.rested)


def _credits(scope: Scope, people: list[int]) -> dict[str, Credit]:
    since = scope.casino.gaming_day(scope.starts) - LEDGER
    rows = FairnessEntry.objects.filter(casino=scope.casino, staff__in=people, day__gte=since)
    pits: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for owner, pit, credit in rows.order_by().values_list("staff_id", "pit__name").annotate(Sum("credit")):
        pits[str(owner)][pit] = credit
    return {owner: Credit(sum(by_pit.values()), by_pit) for owner, by_pit in pits.items()}
