"""Hours of a period by person: planned, worked, at night, late, absent; for the report and people's pages."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from casino.models import Casino
from tables.floor_settings import settings_of
from tables.models import Shift, Staff
from tables.roster import hours


@dataclass(slots=True)
class Hours:
    """Minutes and counts of one person. `worked` and `night`: of shifts that are over, or go on until now."""

    staff: Staff
    shifts: int = 0
    planned: int = 0
    worked: int = 0
    night: int = 0
    late_in: int = 0
    early_out: int = 0
    late_out: int = 0
    done: int = 0
    absences: int = 0
    cancelled: int = 0

    @property
    def difference(self) -> int:
        """Worked beyond the planned hours of the shifts that were worked, or short of them (negative)."""
        return self.worked - self._planned_of_done

    _planned_of_done: int = 0


def hours_of(
    casino: Casino, first: dt.date, last: dt.date, now: dt.datetime, *, staff: Staff | None = None
) -> list[Hours]:
    """By person and name, the shifts of gaming days `first` to `last`, both included. Two queries."""
    rows = Shift.objects.filter(casino=casino, day__gte=first, day__lte=last).select_related("staff")
    if staff is not None:
        rows = rows.filter(staff=staff)
    set_to = settings_of(casino)
    found: dict[int, Hours] = {}
    for shift in rows.order_by("staff__name", "staff_id", "planned"):
        line = found.setdefault(shift.staff_id, Hours(shift.staff))
        add(line, shift, now, (casino.zone, set_to.night_from, set_to.night_to))
    return list(found.values())


def add(line: Hours, shift: Shift, now: dt.datetime, night: tuple[str, dt.time, dt.time]) -> None:
    """Put a shift's minutes on its person's line, as of `now`; `night` is the zone and its hours. Pure."""
    if shift.state == Shift.State.CANCELLED:
        line.cancelled += 1
        return
    planned = hours.minutes(shift.start, shift.end)
    line.shifts += 1
    line.planned += planned
    if shift.state == Shift.State.ABSENT:
        line.absences += 1
    if shift.came is None or shift.came >= (shift.left or now):
        return
    worked = (shift.came, shift.left or now)
    line.worked += hours.minutes(*worked)
    line.night += hours.night_minutes(worked, *night)
    off = hours.punctuality((shift.start, shift.end), shift.came, shift.left)
    line.late_in += off.late_in
    line.early_out += off.early_out
    line.late_out += off.late_out
    if shift.state == Shift.State.DONE:
        line.done += 1
    line._planned_of_done += planned if shift.state == Shift.State.DONE else hours.minutes(*worked)


def days_of(shifts: Iterable[Shift]) -> Mapping[tuple[int, dt.date], list[Shift]]:
    """Shifts by staff id and gaming day."""
    found: defaultdict[tuple[int, dt.date], list[Shift]] = defaultdict(list)
    for shift in shifts:
        found[shift.staff_id, shift.day].append(shift)
    return found
