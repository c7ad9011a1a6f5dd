"""A person's own view of their work: the post now, the relief, what comes next, today's shift, the month."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q

from casino.models import User
from tables import roster
from tables.models import Shift, Staff
from tables.roster import hours, sums, turns

NEXT_DAYS = dt.timedelta(days=14)


@dataclass(frozen=True, slots=True)
class OwnPost:
    """`standing` as of now; `shift` they are on, or the next of today; `coming` the shifts after it."""

    staff: Staff
    standing: turns.Standing
    limits: turns.Limits
    next: roster.NextPost | None
    shift: Shift | None
    coming: tuple[Shift, ...]
    month: sums.Hours
    day: dt.date

    @property
    def next_minutes(self) -> int:
        """Minutes of rest that are left before the least rest is over; 0 when it is, or at a table."""
        if self.standing.table or not self.standing.in_a_row:
            return 0
        return max(0, self.limits.rest - self.standing.rested)


def own_post(user: User, instant: dt.datetime) -> OwnPost | None:
    """What `user` sees of their own work at `instant` (UTC); None for a login that is nobody of the staff."""
    staff = Staff.objects.filter(user=user, casino=user.casino_id).select_related("casino").first()
    if staff is None:
        return None
    day = user.casino.gaming_day(instant)
    limits = turns.limits_of(user.casino)
    held = turns.turns_of(user.casino, instant, staff=staff.pk).get(staff.pk, [])
    shifts = list(
        Shift.objects.filter(staff=staff, day__lte=day + NEXT_DAYS)
        .filter(Q(state=Shift.State.PRESENT) | Q(state=Shift.State.PLANNED, planned__endswith__gt=instant))
        .order_by("planned")
    )
    on_now = next((shift for shift in shifts if shift.on_now), None)
    # One that begins before the cut-off may be of the day to come: who may arrive for it now is on it today.
    near = (shift for shift in shifts if shift.day <= day or hours.arriving([shift], instant))
    today = on_now or next(near, None)
    last = today.day if today and day < today.day and today.day.month == day.month else day
    month = sums.hours_of(user.casino, day.replace(day=1), last, instant, staff=staff)
    return OwnPost(
        staff=staff,
        standing=turns.stand(held, instant, limits),
        limits=limits,
        next=roster.next_post(staff, instant),
        shift=today,
        coming=tuple(shift for shift in shifts if shift != today),
        month=month[0] if month else sums.Hours(staff),
        day=day,
    )
