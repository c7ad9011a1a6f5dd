"""Hours of work in plain values: what a shift lasts, what it overlaps, how much is night, whose day it is.

Instants are aware; local times are read in the zone given and never in the machine's (SHI-015). A span
is half-open, `(start, end)`. Minutes are whole and elapsed: a night on which the clocks change has as many
as really pass, whatever the wall says (SHI-011).
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar
from zoneinfo import ZoneInfo

from casino.kernel import clock

Span = tuple[dt.datetime, dt.datetime]

_MINUTE = dt.timedelta(minutes=1)

EARLIEST_ARRIVAL = dt.timedelta(hours=2)
"""How long before its planned beginning somebody may arrive for a shift."""


class Planned(Protocol):
    """What matching needs of a shift: its planned span, and whether somebody is on it now."""

    @property
    def start(self) -> dt.datetime: ...
    @property
    def end(self) -> dt.datetime: ...
    @property
    def on_now(self) -> bool: ...


P = TypeVar("P", bound=Planned)


def local_span(date: dt.date, start: dt.time, end: dt.time, zone: str) -> Span:
    """A shift as people say it, `2026-11-29, 22:00 to 06:00`, in UTC; an end not after the start is the
    next day's.

    An hour that is skipped is read as the instant the clocks moved to, one that comes twice as the first.
    """
    over = end <= start
    last = date + dt.timedelta(days=1) if over else date
    here = ZoneInfo(zone)
    return _utc(date, start, here), _utc(last, end, here)


def minutes(start: dt.datetime, end: dt.datetime) -> int:
    """Whole minutes that pass from one instant to another; negative when they are the other way round."""
    seconds = int((end.astimezone(dt.UTC) - start.astimezone(dt.UTC)).total_seconds())
    return seconds // 60 if seconds >= 0 else -(-seconds // 60)


def overlap(one: Span, other: Span) -> int:
    """Minutes that two spans have in common."""
    return max(0, minutes(max(one[0], other[0]), min(one[1], other[1])))


def conflicts(spans: Sequence[Span]) -> list[tuple[int, int, int]]:
    """Every pair of spans that overlap, by their places from 0, with the minutes they share (SHI-003)."""
    return [
        (first, second, shared)
        for first in range(len(spans))
        for second in range(first + 1, len(spans))
        if (shared := overlap(spans[first], spans[second]))
    ]


def night_minutes(span: Span, zone: str, night_from: dt.time, night_to: dt.time) -> int:
    """The part of a span within the night hours, also where they do not cross midnight (SHI-008).

    Equal bounds: the house has no night hours.
    """
    if night_from == night_to:
        return 0
    here = ZoneInfo(zone)
    date = span[0].astimezone(here).date() - dt.timedelta(days=1)
    last = span[1].astimezone(here).date()
    found = 0
    while date <= last:
        found += overlap(span, local_span(date, night_from, night_to, zone))
        date += dt.timedelta(days=1)
    return found


def is_night(span: Span, zone: str, night_from: dt.time, night_to: dt.time) -> bool:
    """A night shift: at least half of it lies within the night hours."""
    lasts = minutes(*span)
    return lasts > 0 and 2 * night_minutes(span, zone, night_from, night_to) >= lasts


def rest_enough(end: dt.datetime, start: dt.datetime, least: int) -> bool:
    """Whether at least `least` minutes lie between the end of a shift and the start of the next (SHI-014)."""
    return start - end >= dt.timedelta(minutes=least)


def gaming_day(span: Span, zone: str, cutoff: dt.time) -> dt.date:
    """The one gaming day a shift belongs to: that of its larger part, the earlier of two equal ones.

    So a night over midnight is one day, and who comes half an hour before the cut-off for the day that
    begins then belongs to that day.
    """
    first = clock.gaming_day(span[0], zone, cutoff)
    days = [
        first + dt.timedelta(days=extra) for extra in range((last_day(span, zone, cutoff) - first).days + 1)
    ]
    return max(days, key=lambda day: overlap(span, clock.day_bounds(day, zone, cutoff)))


def last_day(span: Span, zone: str, cutoff: dt.time) -> dt.date:
    """The last gaming day that a span touches: a licence must reach it."""
    return clock.gaming_day(span[1] - dt.timedelta(microseconds=1), zone, cutoff)


def arriving(shifts: Iterable[P], instant: dt.datetime) -> P | None:
    """The shift somebody who arrives comes for: the one whose planned beginning is nearest, out of those not
    over yet and at most `EARLIEST_ARRIVAL` ahead. None: none is planned.
    """
    near = [shift for shift in shifts if shift.start - EARLIEST_ARRIVAL <= instant < shift.end]
    return min(near, key=lambda shift: abs(shift.start - instant), default=None)


def leaving(shifts: Iterable[P]) -> P | None:
    """The shift somebody who leaves ends: the one they are on, whatever its date (SHI-006)."""
    return next((shift for shift in shifts if shift.on_now), None)


@dataclass(frozen=True, slots=True)
class Punctuality:
    """Whole minutes by which somebody came and left early or late; none where it is not known yet."""

    early_in: int = 0
    late_in: int = 0
    early_out: int = 0
    late_out: int = 0


def punctuality(planned: Span, came: dt.datetime | None, left: dt.datetime | None) -> Punctuality:
    """How the actual hours stand to the planned ones."""
    arrived = minutes(planned[0], came) if came else 0
    gone = minutes(planned[1], left) if left else 0
    return Punctuality(max(0, -arrived), max(0, arrived), max(0, -gone), max(0, gone))


def _utc(date: dt.date, time: dt.time, zone: ZoneInfo) -> dt.datetime:
    read = dt.datetime.combine(date, time, tzinfo=zone)
    found = read.astimezone(dt.UTC)
    if found.astimezone(zone).replace(tzinfo=None) == read.replace(tzinfo=None):
        return found
    # Skipped: the clocks moved between its two readings, by the offset after and by the one before.
    low = read.replace(fold=1, second=0, microsecond=0).astimezone(dt.UTC)
    after = found.astimezone(zone).utcoffset()
    steps = range((found - low) // _MINUTE + 1)
    return low + _MINUTE * bisect_left(
        steps, True, key=lambda step: (low + _MINUTE * step).astimezone(zone).utcoffset() == after
    )
