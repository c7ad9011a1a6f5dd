"""Instants and gaming days.

Instants are UTC. A gaming day starts at the casino's cut-off in the casino's own zone, so a night
shift that crosses midnight belongs to one day, also on the two nights a year when a zone changes
its clocks and the day has 23 or 25 hours. Rules never read the clock: it is read here, by write
functions, and passed on.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from zoneinfo import ZoneInfo

EARLIEST, LATEST = dt.datetime(1970, 1, 2, tzinfo=dt.UTC), dt.datetime(2999, 12, 31, tzinfo=dt.UTC)
"""What anybody may ask for or state: beyond, a zone or the day after is no instant any more."""

_stands_at: ContextVar[dt.datetime | None] = ContextVar("sabot_clock_stands_at", default=None)


def now() -> dt.datetime:
    """The present instant in UTC. The only place that reads the machine's clock."""
    return _stands_at.get() or dt.datetime.now(dt.UTC)


@contextmanager
def standing_at(instant: dt.datetime) -> Iterator[None]:
    """Have the clock stand at an instant: for the demonstration, which tells of an evening before it
    was made, and for tests. Nothing else of ours may use it (tests/house)."""
    token = _stands_at.set(instant)
    try:
        yield
    finally:
        _stands_at.reset(token)


def instants_of(wall: dt.datetime) -> list[dt.datetime]:
    """The instants, UTC, at which the clocks of a wall time's own zone showed it: one; none where they were
    put on past it; two where they were put back.
    """
    if wall.tzinfo is None:
        raise ValueError("a wall time needs a zone")
    shown = wall.replace(tzinfo=None)
    found = {wall.replace(fold=fold).astimezone(dt.UTC) for fold in (0, 1)}
    return sorted(i for i in found if i.astimezone(wall.tzinfo).replace(tzinfo=None, fold=0) == shown)


def gaming_day(instant: dt.datetime, zone: str, cutoff: dt.time) -> dt.date:
    """The gaming day an instant belongs to.

    Found through `day_bounds`, so that an instant inside a repeated or skipped hour falls on the
    same side for everyone.
    """
    if instant.tzinfo is None:
        raise ValueError("an instant needs a zone")
    local = instant.astimezone(ZoneInfo(zone)).date()
    for candidate in (local, local - dt.timedelta(days=1)):
        start, end = day_bounds(candidate, zone, cutoff)
        if start <= instant < end:
            return candidate
    raise AssertionError("gaming days leave no gap")


def day_bounds(day: dt.date, zone: str, cutoff: dt.time) -> tuple[dt.datetime, dt.datetime]:
    """First instant of a gaming day and first instant of the next, both UTC."""
    return _cutoff_instant(day, zone, cutoff), _cutoff_instant(day + dt.timedelta(days=1), zone, cutoff)


def _cutoff_instant(day: dt.date, zone: str, cutoff: dt.time) -> dt.datetime:
    local = dt.datetime.combine(day, cutoff, tzinfo=ZoneInfo(zone))
    # fold=0 takes the first of two equal wall times. A cut-off inside a skipped hour is read with the offset
    # of before the change: as far past the instant the clocks moved as it lies inside the hour. With clocks
    # put on from 02:00 to 03:00, a cut-off of 02:30 is 03:30 of the new time.
    return local.astimezone(dt.UTC)


def stamp(instant: dt.datetime) -> str:
    """An instant as written in the trail: `2026-11-29T22:41:07.123456Z`."""
    return instant.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def parse_stamp(text: str) -> dt.datetime:
    """The instant of a `stamp`."""
    return dt.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=dt.UTC)
