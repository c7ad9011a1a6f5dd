"""The roster as screens show it: a week by person and gaming day, and a day by hour with the posts held."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Case, Q, When
from psycopg.types.range import TimestamptzRange

from casino.kernel import clock
from casino.models import Casino
from tables.models import Assignment, Shift, Staff
from tables.roster import hours, sums

WEEK = 7
FLOOR_FIRST = (Case(When(department="floor", then=0), default=1), "department", "-supervises", "name", "pk")
"""How people are listed: the floor first, supervisors before croupiers, then the other departments."""
HOUR = dt.timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class PersonWeek:
    """One person's shifts on each of the days, and the minutes planned in all of them."""

    staff: Staff
    days: tuple[tuple[Shift, ...], ...]
    minutes: int


@dataclass(frozen=True, slots=True)
class Week:
    days: tuple[dt.date, ...]
    people: tuple[PersonWeek, ...]
    present: tuple[int, ...]
    """How many people each day has, cancelled shifts left out."""


def week(casino: Casino, first: dt.date) -> Week:
    """Seven gaming days from `first`: everybody in service, and whoever has a shift. Two queries."""
    days = tuple(first + dt.timedelta(days=extra) for extra in range(WEEK))
    rows = Shift.objects.filter(casino=casino, day__gte=days[0], day__lte=days[-1])
    by_day = sums.days_of(rows.order_by("planned", "pk"))
    owners = {owner for owner, _ in by_day}
    staff = Staff.objects.filter(Q(active=True) | Q(pk__in=owners), casino=casino)
    people = tuple(
        PersonWeek(
            person, cells, sum(hours.minutes(s.start, s.end) for cell in cells for s in cell if s.counts)
        )
        for person in staff.order_by(*FLOOR_FIRST)
        for cells in [tuple(tuple(by_day.get((person.pk, day), ())) for day in days)]
    )
    counted = tuple(
        sum(any(s.state != Shift.State.CANCELLED for s in one.days[place]) for one in people)
        for place in range(WEEK)
    )
    return Week(days, people, counted)


@dataclass(slots=True)
class HourCell:
    """An hour of somebody's day: planned to work in it, in the house, and the tables they stood at."""

    planned: bool = False
    present: bool = False
    posts: list[tuple[str, str]] = field(default_factory=list)

    @property
    def off_shift(self) -> bool:
        """At a table while on no shift: flagged where the house plans shifts."""
        return bool(self.posts) and not self.present


@dataclass(frozen=True, slots=True)
class PersonDay:
    staff: Staff
    shifts: tuple[Shift, ...]
    cells: tuple[HourCell, ...]

    @property
    def off_shift(self) -> bool:
        return any(cell.off_shift for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Day:
    """A gaming day by hour: 23 or 25 when the clocks change. `planned`: whether the house has shifts."""

    day: dt.date
    hours: tuple[dt.datetime, ...]
    people: tuple[PersonDay, ...]
    planned: bool


def day_by_hour(casino: Casino, day: dt.date, now: dt.datetime) -> Day:
    """Shifts and real posts within a gaming day, hour by hour from the cut-off, whosever day a shift is."""
    start, after = clock.day_bounds(day, casino.zone, casino.cutoff)
    slots = tuple(start + extra * HOUR for extra in range(-(-(after - start) // HOUR)))
    whole = TimestamptzRange(start, after)
    worked = TimestamptzRange(start, min(max(start, now), after))  # who stays on reaches into the next day
    at_hand = Shift.objects.filter(Q(planned__overlap=whole) | Q(actual__overlap=worked), casino=casino)
    listed = at_hand.exclude(state=Shift.State.CANCELLED)
    shifts: defaultdict[int, list[Shift]] = defaultdict(list)
    people: dict[int, Staff] = {}
    for shift in listed.select_related("staff").order_by("planned", "pk"):
        shifts[shift.staff_id].append(shift)
        people[shift.staff_id] = shift.staff
    held: defaultdict[int, list[Assignment]] = defaultdict(list)
    turns = Assignment.objects.filter(casino=casino, during__overlap=whole).select_related(
        "staff", "session__table"
    )
    for turn in turns.order_by("during"):
        held[turn.staff_id].append(turn)
        people[turn.staff_id] = turn.staff
    rows = [
        PersonDay(person, tuple(shifts[pk]), tuple(_cells(slots, shifts[pk], held[pk], now)))
        for pk, person in people.items()
    ]
    order = sorted(rows, key=lambda one: (_first(one), one.staff.name))
    return Day(day, slots, tuple(order), bool(shifts))


def _cells(
    slots: Iterable[dt.datetime], shifts: Iterable[Shift], held: Iterable[Assignment], now: dt.datetime
) -> Iterable[HourCell]:
    for slot in slots:
        hour = (slot, slot + HOUR)
        cell = HourCell()
        for shift in shifts:
            cell.planned |= hours.overlap(hour, (shift.start, shift.end)) > 0
            if shift.came is not None:
                cell.present |= hours.overlap(hour, (shift.came, shift.left or now)) > 0
        for turn in held:
            if hours.overlap(hour, (turn.during.lower, turn.during.upper or now)):
                seen = (turn.session.table.name, turn.post)
                if seen not in cell.posts:
                    cell.posts.append(seen)
        yield cell


def _first(one: PersonDay) -> dt.datetime:
    return one.shifts[0].start if one.shifts else clock.LATEST
