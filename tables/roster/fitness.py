"""Whether a person may work given hours: in service, licensed to the end, free, rested."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from django.db.models import F, Q
from psycopg.types.range import TimestamptzRange

from audits.by import By
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables import crew
from tables.floor_settings import settings_of
from tables.models import Shift, Staff
from tables.roster import hours

LONGEST_SHIFT = dt.timedelta(hours=16)
"""More is a slip of the pen."""
FARTHEST = dt.timedelta(days=366)


def require_may_work(person: Staff, span: hours.Span, by: By, *, instead_of: Sequence[int] = ()) -> None:
    """Raise unless a locked person may be planned for `span`; shifts `instead_of` are theirs no longer.

    Raises `Refused` (`bad_hours`, `shift_over`, `staff_not_active`, `licence_expired`, `rest_too_short`) and
    `Conflict` (`shift_overlaps`).
    """
    _require_hours(span, by)
    crew.require_in_service(person, "staff")
    _require_licence(person, span, by.casino)
    _require_free(person, span, instead_of)
    _require_rest(person, span, by, instead_of)


def _require_hours(span: hours.Span, by: By) -> None:
    lasts = span[1] - span[0]
    if not dt.timedelta(0) < lasts <= LONGEST_SHIFT:
        most = LONGEST_SHIFT // dt.timedelta(hours=1)
        raise Refused(
            Text(
                f"un turno termina después de empezar y dura hasta {most} horas; corrija las horas",
                f"a shift ends after it begins and lasts up to {most} hours; correct the times",
            ),
            code="bad_hours",
            field="end",
        )
    if span[1] <= by.occurred_at:
        raise Refused(
            Text("ese turno ya terminó; planifique desde ahora", "that shift is over; plan from now on"),
            code="shift_over",
            field="start",
        )
    if span[0] > by.occurred_at + FARTHEST:
        raise Refused(
            Text("planifique hasta un año adelante", "plan up to a year ahead"),
            code="bad_hours",
            field="start",
        )


def _require_licence(person: Staff, span: hours.Span, casino: Casino) -> None:
    last = hours.last_day(span, casino.zone, casino.cutoff)
    if person.licence_expires < last:
        expires = f"{person.licence_expires:%Y-%m-%d}"
        raise Refused(
            Text(
                f"la licencia de {person.name} vence el {expires}, antes del fin del turno; renuévela",
                f"{person.name}'s licence expires on {expires}, before the shift ends; renew it first",
            ),
            code="licence_expired",
            field="staff",
        )


def _require_free(person: Staff, span: hours.Span, instead_of: Sequence[int]) -> None:
    """Every other shift is compared, not only the nearest (SHI-003)."""
    taken = Shift.objects.filter(staff=person, planned__overlap=TimestamptzRange(*span))
    found = list(taken.exclude(state=Shift.State.CANCELLED).exclude(pk__in=instead_of).order_by("planned"))
    if found:
        told = [
            {"shift": shift.pk, "minutes": hours.overlap(span, (shift.start, shift.end))} for shift in found
        ]
        listed = ", ".join(_shown(shift, person.casino) for shift in found)
        raise Conflict(
            Text(
                f"{person.name} ya tiene turno a esas horas ({listed}); cambie las horas o cancele el otro",
                f"{person.name} has a shift at those hours ({listed}); change the times or cancel the other",
            ),
            code="shift_overlaps",
            rule="FLOOR-01",
            field="start",
            detail={"conflicts": told, "minutes": sum(one["minutes"] for one in told)},
        )


def _require_rest(person: Staff, span: hours.Span, by: By, instead_of: Sequence[int]) -> None:
    """After a night shift the house's rest (SHI-014), both from the one before and to the one after; from
    when they really left, or from now while they are still on it.
    """
    casino = by.casino
    set_to = settings_of(casino)
    least = set_to.rest_after_night_minutes
    night = (casino.zone, set_to.night_from, set_to.night_to)
    near = TimestamptzRange(span[0] - dt.timedelta(minutes=least), span[1] + dt.timedelta(minutes=least))
    others = Shift.objects.filter(Q(planned__overlap=near) | Q(actual__overlap=near), staff=person).exclude(
        state__in=(Shift.State.CANCELLED, Shift.State.ABSENT)
    )
    for other in others.exclude(pk__in=instead_of).order_by(F("planned")):
        still_on = max(other.end, by.occurred_at) if other.on_now else other.end
        worked = (other.start, other.left or still_on)
        first, second = sorted((span, worked))
        if not hours.is_night(first, *night) or hours.rest_enough(first[1], second[0], least):
            continue
        rest = max(0, hours.minutes(first[1], second[0]))
        raise Refused(
            Text(
                f"{person.name} descansaría {_hours(rest)} h tras un turno de noche; la casa pide"
                f" {_hours(least)} h: mueva el turno ({_shown(other, casino)})",
                f"{person.name} would rest {_hours(rest)} h after a night shift; the house asks"
                f" {_hours(least)} h: move the shift ({_shown(other, casino)})",
            ),
            code="rest_too_short",
            field="start",
            detail={"rest_minutes": rest, "least_minutes": least, "shift": other.pk},
        )


def _hours(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02d}"


def _shown(shift: Shift, casino: Casino) -> str:
    zone = ZoneInfo(casino.zone)
    start, end = shift.start.astimezone(zone), shift.end.astimezone(zone)
    return f"{start:%Y-%m-%d %H:%M}–{end:%H:%M}"
