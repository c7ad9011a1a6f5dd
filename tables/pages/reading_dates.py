"""Dates, times and instants as forms send them: what makes no sense is refused beside its field."""

from __future__ import annotations

import datetime as dt

from django.http import HttpRequest

from audits.pages.answers import instant_of
from casino.kernel import clock
from casino.kernel.errors import Refused
from casino.kernel.words import Text

_MARGIN = dt.timedelta(days=14)
"""Room for a week on either side of the calendar's ends."""


def date_in(text: str) -> dt.date | None:
    """The date that a text names, within what anybody may ask for; else None."""
    try:
        found = dt.date.fromisoformat(text)
    except ValueError:
        return None
    return found if clock.EARLIEST.date() + _MARGIN < found < clock.LATEST.date() - _MARGIN else None


def date_of(request: HttpRequest, field: str) -> dt.date:
    """The date in a field. Raises `Refused` (`bad_date`)."""
    found = date_in(request.POST.get(field, ""))
    if found is None:
        raise Refused(
            Text("escriba una fecha, como 2027-06-30", "type a date, such as 2027-06-30"),
            code="bad_date",
            field=field,
        )
    return found


def time_of(request: HttpRequest, field: str) -> dt.time:
    """The time of day in a field. Raises `Refused` (`bad_hours`)."""
    try:
        return dt.time.fromisoformat(request.POST.get(field, "")).replace(tzinfo=None)
    except ValueError as error:
        raise Refused(
            Text("escriba una hora, como 22:00", "type a time, such as 22:00"), code="bad_hours", field=field
        ) from error


def moment_of(request: HttpRequest, field: str) -> dt.datetime:
    """The date and time in a field, of the house's wall, as UTC. Raises `Refused` (`bad_date`)."""
    found = instant_of(request, field)
    if found is None:
        raise Refused(
            Text(
                "escriba fecha y hora, como 2026-11-29T21:30", "type date and time, such as 2026-11-29T21:30"
            ),
            code="bad_date",
            field=field,
        )
    return found
