"""Planning shifts: one, or a pattern over days; changing, cancelling, swapping; and who did not come."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from django.db.models import Case, Value, When
from psycopg.types.range import TimestamptzRange

from audits.by import By
from casino.kernel import clock, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from tables.models import Assignment, Shift, Staff
from tables.roster import hours, policies
from tables.roster.fitness import require_may_work
from tables.roster.held import again, hold, lock_people, moved_on, require_planned
from tables.roster.telling import tell

MOST_PLANNED = 500
"""Shifts in one act: a week of a large house."""


@command(policies.PLAN_SHIFTS)
def plan_shift(*, staff: Staff, start: dt.datetime, end: dt.datetime, by: By, duty: str = "") -> Shift:
    """Plan a person's hours (UTC); the gaming day follows from them (`hours.gaming_day`).

    Raises as `fitness.require_may_work`.
    """
    person = lock_people(by, staff.pk)[staff.pk]
    return _plan(person, (start, end), _duty(duty), by)


@command(policies.PLAN_SHIFTS)
def plan_pattern(
    *,
    staff: Sequence[Staff],
    first: dt.date,
    last: dt.date,
    weekdays: Iterable[int],
    start: dt.time,
    end: dt.time,
    by: By,
    duty: str = "",
) -> list[Shift]:
    """The same hours of the house's wall clock for several people, on the weekdays (0 = Monday) from `first`
    to `last`: all of them or none. An end not after the start is the next day's.

    Raises `Refused` (`bad_pattern`), and as `fitness.require_may_work`, naming the person and the day.
    """
    dates = _dates(first, last, weekdays)
    if not staff or not dates or len(dates) * len(staff) > MOST_PLANNED:
        raise Refused(
            Text(
                f"elija personas, días y fechas que den entre 1 y {MOST_PLANNED} turnos",
                f"choose people, days and dates that make 1 to {MOST_PLANNED} shifts",
            ),
            code="bad_pattern",
            field="last",
        )
    duty, people = _duty(duty), lock_people(by, *[person.pk for person in staff])
    spans = [hours.local_span(date, start, end, by.casino.zone) for date in dates]
    return [_plan(person, span, duty, by) for person in people.values() for span in spans]


@command(policies.PLAN_SHIFTS)
def change_shift(*, shift: Shift, start: dt.datetime, end: dt.datetime, by: By, duty: str = "") -> Shift:
    """Other hours for a planned shift, with a reason. Raises as `plan_shift`, and `shift_moved_on`."""
    shift = _planned(shift, by)
    span = (start, end)
    require_may_work(shift.staff, span, by, instead_of=[shift.pk])
    shift.planned, shift.day, shift.duty = _range(span), _day(span, by), _duty(duty)
    shift.save(update_fields=["planned", "day", "duty"])
    tell("tables.shift.changed", shift, by)
    return shift


@command(policies.PLAN_SHIFTS)
def cancel_shift(*, shift: Shift, by: By) -> Shift:
    """Call a planned shift off, with a reason. Raises `reason_missing`, `shift_moved_on`."""
    return _call_off(_planned(shift, by), Shift.State.CANCELLED, "tables.shift.cancelled", by)


@command(policies.NOTE_OTHERS)
def mark_absent(*, shift: Shift, by: By) -> Shift:
    """Note, with a reason, that somebody did not come; who comes later still clocks in.

    Raises `Refused` before the shift begins (`not_begun`), `Conflict` about somebody who stood at a table in
    it (`staff_busy`).
    """
    shift = _planned(shift, by)
    if by.occurred_at < shift.start:
        raise Refused(
            Text(
                "el turno aún no empieza; si no habrá turno, cancélelo",
                "it has not begun; cancel it if it is off",
            ),
            code="not_begun",
            field="occurred_at",
        )
    _require_not_seen(shift)
    return _call_off(shift, Shift.State.ABSENT, "tables.shift.absent", by)


@command(policies.PLAN_SHIFTS)
def swap_shifts(*, first: Shift, second: Shift, agreed: Sequence[Staff], by: By) -> tuple[Shift, Shift]:
    """Two people take each other's planned shift: both agreed, and each may work the other's hours.

    Raises `Refused` (`swap_not_agreed`, `bad_swap`), `Conflict` (`shift_moved_on`), and as `plan_shift`.
    """
    pair = sorted([first, second], key=lambda shift: shift.pk)
    people = lock_people(by, *[shift.staff_id for shift in pair])
    one, other = (again(shift, by) for shift in pair)
    for seen, shift in zip(pair, (one, other), strict=True):
        if shift.staff_id != seen.staff_id:  # else a swap sent twice would be undone
            raise moved_on(shift)
        require_planned(shift)
    mine, theirs = people[one.staff_id], people[other.staff_id]
    _require_agreed(mine, theirs, agreed)
    freed = [one.pk, other.pk]
    require_may_work(theirs, (one.start, one.end), by, instead_of=freed)
    require_may_work(mine, (other.start, other.end), by, instead_of=freed)
    # One statement: between two of them somebody would have both shifts.
    swapped = Case(When(pk=one.pk, then=Value(theirs.pk)), When(pk=other.pk, then=Value(mine.pk)))
    Shift.objects.filter(pk__in=freed).update(staff_id=swapped)
    one.staff, other.staff = theirs, mine
    tell("tables.shift.swapped", one, by, other=mine.name, agreed=sorted([mine.name, theirs.name]))
    tell("tables.shift.swapped", other, by, other=theirs.name, agreed=sorted([mine.name, theirs.name]))
    return (one, other) if one.pk == first.pk else (other, one)


def _require_agreed(mine: Staff, theirs: Staff, agreed: Sequence[Staff]) -> None:
    """Two people of one department, and both said yes."""
    if mine == theirs or mine.department != theirs.department:
        raise Refused(
            Text(
                "se cambian los turnos de dos personas de la misma área; elija otro turno",
                "two people of one department swap shifts; choose another shift",
            ),
            code="bad_swap",
            field="second",
        )
    if {person.pk for person in agreed} != {mine.pk, theirs.pk}:
        raise Refused(
            Text(
                f"{mine.name} y {theirs.name} deben estar de acuerdo; pregunte a ambos y márquelo",
                f"{mine.name} and {theirs.name} must both agree; ask both and tick it",
            ),
            code="swap_not_agreed",
            field="agreed",
        )


def _plan(person: Staff, span: hours.Span, duty: str, by: By) -> Shift:
    require_may_work(person, span, by)
    shift = Shift.objects.create(
        casino=by.casino, staff=person, day=_day(span, by), planned=_range(span), duty=duty
    )
    tell("tables.shift.planned", shift, by)
    return shift


def _planned(shift: Shift, by: By) -> Shift:
    """The shift, held, for a change that wants a reason."""
    by.need_reason()
    shift = hold(shift, by)
    require_planned(shift)
    return shift


def _call_off(shift: Shift, state: Shift.State, action: str, by: By) -> Shift:
    shift.state, shift.note = state, by.need_reason()
    shift.save(update_fields=["state", "note"])
    tell(action, shift, by)
    return shift


def _require_not_seen(shift: Shift) -> None:
    """Whoever stood at a table in a shift came to it."""
    seen = Assignment.objects.filter(staff=shift.staff_id, during__overlap=shift.planned)
    turn = seen.select_related("session__table").order_by("during").first()
    if turn is not None:
        name, table = shift.staff.name, turn.session.table.name
        raise Conflict(
            Text(
                f"{name} estuvo en {table} en ese turno; márquele la entrada",
                f"{name} was at {table} in that shift; clock them in",
            ),
            code="staff_busy",
            rule="FLOOR-01",
            field="staff",
        )


def _dates(first: dt.date, last: dt.date, weekdays: Iterable[int]) -> list[dt.date]:
    if not clock.EARLIEST.date() < first <= last < clock.LATEST.date():
        return []
    wanted = set(weekdays)
    span = range(min((last - first).days, MOST_PLANNED) + 1)
    dates = [first + dt.timedelta(days=extra) for extra in span]
    return [date for date in dates if date.weekday() in wanted]


def _range(span: hours.Span) -> TimestamptzRange:
    return TimestamptzRange(*span, bounds="[)")


def _day(span: hours.Span, by: By) -> dt.date:
    return hours.gaming_day(span, by.casino.zone, by.casino.cutoff)


def _duty(duty: str) -> str:
    return texts.line(duty, "duty", 60, code="bad_duty", least=0)


explain_constraint(
    "one_planned_shift_at_a_time",
    lambda: Conflict(
        Text(
            "esa persona ya tiene turno a esas horas; cambie las horas",
            "that person has a shift at those hours; change the times",
        ),
        code="shift_overlaps",
        rule="FLOOR-01",
        field="start",
    ),
)
