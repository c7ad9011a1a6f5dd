"""Which part of a gaming day is looked at, and its hours, also on the days that have 23 or 25 of them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from casino.kernel import clock
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino

HOUR = dt.timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Hour:
    """One hour of a gaming day, from `start` to before `end` (UTC). `label`: its local time, with the zone's
    offset where the clocks say the same hour twice. The last may be shorter."""

    start: dt.datetime
    end: dt.datetime
    label: str


@dataclass(frozen=True, slots=True)
class Window:
    """A gaming day of a house, or the hours of it from `start` to before `end` (UTC)."""

    casino: Casino
    day: dt.date
    start: dt.datetime
    end: dt.datetime

    def has(self, instant: dt.datetime | None) -> bool:
        return instant is not None and self.start <= instant < self.end


def whole(casino: Casino, day: dt.date) -> Window:
    """A whole gaming day: 24 hours, or 23 or 25 where the clocks are changed."""
    return Window(casino, day, *clock.day_bounds(day, casino.zone, casino.cutoff))


def between(casino: Casino, day: dt.date, first: dt.time | None, last: dt.time | None) -> Window:
    """The part of a gaming day from one local time to another; a time before the cut-off is after midnight.

    A time that comes twice is its first in `first` and its second in `last`, so that nothing is left out.
    Raises `Refused` (`bad_hours`) where the end is not after the start.
    """
    found = whole(casino, day)
    start = found.start if first is None else _instant(casino, day, first, fold=0)
    end = found.end if last is None else _instant(casino, day, last, fold=1)
    if last is not None and end <= found.start:
        end = found.end  # to the cut-off itself
    if end <= start:
        raise Refused(
            Text(
                "la hora final es anterior a la inicial; las horas van de un corte del día al siguiente",
                "the end is before the beginning; hours run from one cut-off of the day to the next",
            ),
            code="bad_hours",
            field="last",
        )
    return Window(casino, day, max(start, found.start), min(end, found.end))


def _instant(casino: Casino, day: dt.date, time: dt.time, *, fold: int) -> dt.datetime:
    date = day if time >= casino.cutoff else day + dt.timedelta(days=1)
    local = dt.datetime.combine(date, time, tzinfo=ZoneInfo(casino.zone)).replace(fold=fold)
    return local.astimezone(dt.UTC)


def hours(window: Window, until: dt.datetime | None = None) -> list[Hour]:
    """The hours of a window in their order, and on to `until` where something happened later."""
    zone = ZoneInfo(window.casino.zone)
    end = max(window.end, until + dt.timedelta(microseconds=1)) if until else window.end
    starts = []
    at = window.start
    while at < end:
        starts.append(at)
        at = min(at + HOUR, window.end) if at < window.end else at + HOUR
    local = [start.astimezone(zone) for start in starts]
    names = [f"{each:%H:%M}" for each in local]
    # Of the day alone: an hour after its end has the name of one of its hours anyway, and says "+1".
    of_day = [name for start, name in zip(starts, names, strict=True) if start < window.end]
    twice = {name for name in of_day if of_day.count(name) > 1}
    found = []
    for start, each, name in zip(starts, local, names, strict=True):
        finish = min(start + HOUR, window.end) if start < window.end else start + HOUR
        told = f" ({each:%z})" if name in twice else ""
        found.append(Hour(start, finish, name + (" +1" if start >= window.end else told)))
    return found


def place(found: list[Hour], instant: dt.datetime) -> int | None:
    """Which of the hours an instant is in."""
    return next((n for n, hour in enumerate(found) if hour.start <= instant < hour.end), None)
