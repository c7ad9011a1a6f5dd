"""Whether a report may still change: some of the days it is about are not closed, or not sealed (REC-08).

Such a report says "provisional" itself: among its particulars, in its file's name and in its manifest.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from audits.models import Seal
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino, GamingDay

MOST_NAMED = 5


def days_left(casino: Casino, params: Mapping[str, Any]) -> list[dt.date]:
    """The gaming days of a report's parameters that are not final, in order; none if it is about no days.

    Within a span only days on which something happened count, and its last while that is not over; a day
    asked for alone counts always.
    """
    first, last = _span(params)
    if first is None or last is None:
        return []
    days = dict(
        GamingDay.objects.filter(casino=casino, date__range=(first, last)).values_list("date", "state")
    )
    if first == last or last >= casino.gaming_day(clock.now()):
        days.setdefault(last, GamingDay.State.OPEN.value)
    final = {day for day, state in days.items() if state == GamingDay.State.CLOSED}
    return sorted(set(days) - (final & _sealed(casino, final)))


def _sealed(casino: Casino, closed: set[dt.date]) -> set[dt.date]:
    """Which of the closed days are sealed, or are from before the house began to seal."""
    seals = Seal.objects.filter(casino=casino).order_by("day__date").values_list("day__date", flat=True)
    begun = seals.first()
    if begun is None:
        return closed
    return set(seals.filter(day__date__in=closed)) | {day for day in closed if day < begun}


def said(casino: Casino, params: Mapping[str, Any]) -> list[tuple[Text, Text]]:
    """The line among a report's particulars, if it is provisional."""
    left = days_left(casino, params)
    if not left:
        return []
    named = ", ".join(day.isoformat() for day in left[:MOST_NAMED])
    more = f" … ({len(left)})" if len(left) > MOST_NAMED else ""
    words = Text("PROVISIONAL: sin cerrar y sellar {days}", "PROVISIONAL: not closed and sealed {days}").fill(
        days=named + more
    )
    return [(Text("Carácter", "Standing"), words)]


def _span(params: Mapping[str, Any]) -> tuple[dt.date | None, dt.date | None]:
    day = params.get("day")
    if isinstance(day, dt.date):
        return day, day
    first, last = params.get("first"), params.get("last")
    if isinstance(first, dt.date) and isinstance(last, dt.date):
        return first, last
    return None, None
