"""When a plan's limits hold: windows of the gaming week, and what they come to as instants. Pure.

A window's day is its gaming day: «Friday 01:00 to 04:00» with the cut-off at 06:00 is Saturday morning by
the calendar. It begins and ends by the wall clock. An hour that the clocks repeat is taken the first time;
one they skip, at the instant they moved: windows that adjoin leave no gap and never overlap, also then.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from casino.kernel import clock

DAY, WEEK = 1_440, 10_080
"""In minutes."""

_BACK = 8
"""Days a look-back must cover to find the window before any gap: a week, and the cut-off."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a window allows: smallest chip, spot -> (minimum, maximum), differential; smallest units."""

    chip: int
    spots: Mapping[str, tuple[int, int]]
    differential: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "chip": self.chip,
            "spots": {spot: list(pair) for spot, pair in sorted(self.spots.items())},
            "differential": self.differential,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Limits:
        spots = {spot: (low, high) for spot, (low, high) in data["spots"].items()}
        return cls(data["chip"], spots, data.get("differential"))

    def admits(self, other: Limits) -> bool:
        """Whether other limits lie inside these: no spot more, none lower or higher (GEN-04)."""
        if self.differential is not None and (
            other.differential is None or other.differential > self.differential
        ):
            return False
        return all(
            spot in self.spots and self.spots[spot][0] <= low and high <= self.spots[spot][1]
            for spot, (low, high) in other.spots.items()
        )


@dataclass(frozen=True, slots=True)
class Window:
    """`days` of the gaming week (0 = Monday), `begins` to `ends` by the wall clock; equal: the whole day."""

    days: tuple[int, ...]
    begins: dt.time
    ends: dt.time
    limits: Limits

    @property
    def minutes(self) -> int:
        return (minute_of(self.ends) - minute_of(self.begins)) % DAY or DAY

    @property
    def hours(self) -> str:
        return f"{self.begins:%H:%M}–{self.ends:%H:%M}"

    def to_json(self) -> dict[str, Any]:
        return {
            "days": list(self.days),
            "from": f"{self.begins:%H:%M}",
            "to": f"{self.ends:%H:%M}",
            **self.limits.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Window:
        return cls(
            tuple(data["days"]),
            dt.time.fromisoformat(data["from"]),
            dt.time.fromisoformat(data["to"]),
            Limits.from_json(data),
        )


class Span(NamedTuple):
    """A stretch of time with the limits that hold: of `window`, of the rest (None), or none at all."""

    begins: dt.datetime
    ends: dt.datetime
    limits: Limits | None
    window: Window | None


def overlap(windows: Sequence[Window], cutoff: dt.time) -> tuple[int, int] | None:
    """The places of two windows that hold at once, or of one that meets itself; None where none do."""
    spans = sorted(
        (day * DAY + (minute_of(window.begins) - minute_of(cutoff)) % DAY, window.minutes, place)
        for place, window in enumerate(windows)
        for day in window.days
    )
    for (begin, minutes, place), (after, _, other) in pairwise(spans):
        if begin + minutes > after:
            return place, other
    if spans:
        begin, minutes, place = spans[-1]
        if begin + minutes > spans[0][0] + WEEK:
            return place, spans[0][2]
    return None


def spans(
    windows: Sequence[Window],
    otherwise: Limits | None,
    *,
    zone: str,
    cutoff: dt.time,
    start: dt.datetime,
    end: dt.datetime,
) -> Iterator[Span]:
    """What holds from the stretch `start` lies in to the one `end` lies in, without a gap."""
    held = list(_held(windows, zone, cutoff, start, end))
    at = clock.EARLIEST
    for begins, ends, window in held:
        if begins > at:
            yield from _if_met(Span(at, begins, otherwise, None), start, end)
        yield from _if_met(Span(begins, ends, window.limits, window), start, end)
        at = ends
    yield from _if_met(Span(at, clock.LATEST, otherwise, None), start, end)


def _if_met(span: Span, start: dt.datetime, end: dt.datetime) -> Iterator[Span]:
    if span.begins <= end and span.ends > start:
        yield span


def _held(
    windows: Sequence[Window], zone: str, cutoff: dt.time, start: dt.datetime, end: dt.datetime
) -> Iterator[tuple[dt.datetime, dt.datetime, Window]]:
    """Each window's occurrences around a stretch of time, in order."""
    first = clock.gaming_day(start, zone, cutoff) - dt.timedelta(days=_BACK)
    last = clock.gaming_day(end, zone, cutoff) + dt.timedelta(days=_BACK)
    found = []
    for n in range((last - first).days + 1):
        day = first + dt.timedelta(days=n)
        for window in windows:
            if day.weekday() in window.days:
                date = day if window.begins >= cutoff else day + dt.timedelta(days=1)
                local = dt.datetime.combine(date, window.begins)
                ends = local + dt.timedelta(minutes=window.minutes)
                begin, finish = instant_of(local, zone), instant_of(ends, zone)
                if begin < finish:  # one inside a skipped hour never comes
                    found.append((begin, finish, window))
    yield from sorted(found, key=lambda one: one[0])


@lru_cache(maxsize=4096)
def instant_of(local: dt.datetime, zone: str) -> dt.datetime:
    """The instant of a wall time: the first of two, or when the clocks moved where it is skipped."""
    place = ZoneInfo(zone)
    first = local.replace(tzinfo=place).astimezone(dt.UTC)
    if first.astimezone(place).replace(tzinfo=None) == local:
        return first
    low, high = local.replace(tzinfo=place, fold=1).astimezone(dt.UTC), first
    before = low.astimezone(place).utcoffset()
    while high - low > dt.timedelta(seconds=1):
        middle = low + (high - low) / 2
        if middle.astimezone(place).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high.replace(microsecond=0)


def minute_of(time: dt.time) -> int:
    return time.hour * 60 + time.minute
