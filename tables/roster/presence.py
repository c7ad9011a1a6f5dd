"""Who is in the house on a shift: offered first for a post, and flagged at one without a shift.

A post is never refused for want of a shift: small houses plan none.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from casino.models import Casino
from tables.models import Assignment, Shift, Staff


def plans_shifts(casino: Casino, day: dt.date) -> bool:
    """Whether the house has shifts on a gaming day, or somebody on one now."""
    of_day = Q(day=day) & ~Q(state=Shift.State.CANCELLED)
    return Shift.objects.filter(of_day | Q(state=Shift.State.PRESENT), casino=casino).exists()


def present_first(people: QuerySet[Staff], casino: Casino) -> QuerySet[Any]:
    """The same people, each with `on_shift`; those in the house on a shift first, then by name."""
    present = Shift.objects.filter(casino=casino, staff=OuterRef("pk"), state=Shift.State.PRESENT)
    return people.annotate(on_shift=Exists(present)).order_by("-on_shift", "name", "pk")


@dataclass(frozen=True, slots=True)
class OffShift:
    """Somebody at a post who is on no shift, though the house plans shifts that day."""

    staff: Staff
    table: str
    post: str
    since: dt.datetime


def posts_off_shift(casino: Casino, instant: dt.datetime) -> list[OffShift]:
    """Posts held now by people on no shift; none where no shifts are planned that day. Two queries."""
    if not plans_shifts(casino, casino.gaming_day(instant)):
        return []
    present = Shift.objects.filter(casino=casino, state=Shift.State.PRESENT)
    held = Assignment.objects.filter(casino=casino, during__endswith=None)
    bare = held.exclude(staff__in=present.values("staff")).select_related("staff", "session__table")
    return [
        OffShift(one.staff, one.session.table.name, one.post, one.during.lower)
        for one in bare.order_by("session__table__name", "pk")
    ]
