"""Incidents as lists show them, overdue notices first, then what is open; and how things stand."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When

from audits.models import Incident
from audits.notices import overdue
from casino.models import Casino

OPEN = Q(state=Incident.State.OPEN)


@dataclass(frozen=True, slots=True)
class Standing:
    """How many incidents are open, how many of them stop a table, how many notices are overdue."""

    open: int
    frozen: int
    late: int

    @property
    def alarm(self) -> bool:
        return bool(self.frozen or self.late)


def standing(casino: Casino, instant: dt.datetime) -> Standing:
    """One query."""
    late = overdue(instant)
    rows = Incident.objects.filter(OPEN | late, casino=casino)
    return Standing(
        **rows.aggregate(
            open=Count("pk", filter=OPEN),
            frozen=Count("pk", filter=OPEN & Q(freezes=True)),
            late=Count("pk", filter=late),
        )
    )


def in_order(rows: QuerySet[Any], instant: dt.datetime) -> QuerySet[Any]:
    """What presses first: overdue notices, stopped tables, the other open ones; then newest first."""
    pressing = Case(
        When(overdue(instant), then=Value(0)),
        When(OPEN & Q(freezes=True), then=Value(1)),
        When(OPEN, then=Value(2)),
        default=Value(3),
        output_field=IntegerField(),
    )
    return rows.annotate(pressing=pressing).order_by("pressing", "-opened_at", "-id")
