"""Gaming days: one night is one day, also where the clocks change."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.kernel import clock

SIX = dt.time(6)


def utc(*parts: int) -> dt.datetime:
    return dt.datetime(*parts, tzinfo=dt.UTC)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("instant", "day"),
    [
        # La Paz is UTC-4 all year: the cut-off at 06:00 is 10:00 UTC.
        (utc(2026, 11, 29, 9, 59, 59, 999_999), dt.date(2026, 11, 28)),
        (utc(2026, 11, 29, 10), dt.date(2026, 11, 29)),
        (utc(2026, 11, 30, 3, 59), dt.date(2026, 11, 29)),
        (utc(2026, 11, 30, 4, 1), dt.date(2026, 11, 29)),
        (utc(2026, 11, 30, 9, 59), dt.date(2026, 11, 29)),
    ],
)
def test_a_night_in_la_paz_is_one_day(instant: dt.datetime, day: dt.date) -> None:
    assert clock.gaming_day(instant, "America/La_Paz", SIX) == day


@pytest.mark.parametrize(
    ("day", "start", "hours"),
    [
        # Madrid went from UTC+1 to UTC+2 on 2026-03-29 at 01:00 UTC, and back on 2026-10-25 at 01:00 UTC.
        (dt.date(2026, 3, 27), utc(2026, 3, 27, 5), 24),
        (dt.date(2026, 3, 28), utc(2026, 3, 28, 5), 23),
        (dt.date(2026, 3, 29), utc(2026, 3, 29, 4), 24),
        (dt.date(2026, 10, 24), utc(2026, 10, 24, 4), 25),
        (dt.date(2026, 10, 25), utc(2026, 10, 25, 5), 24),
    ],
)
def test_days_of_23_and_25_hours_in_madrid(day: dt.date, start: dt.datetime, hours: int) -> None:
    first, after = clock.day_bounds(day, "Europe/Madrid", SIX)
    assert (first, after - first) == (start, dt.timedelta(hours=hours))
    assert clock.gaming_day(first, "Europe/Madrid", SIX) == day
    assert clock.gaming_day(after - dt.timedelta(microseconds=1), "Europe/Madrid", SIX) == day
    assert clock.gaming_day(after, "Europe/Madrid", SIX) == day + dt.timedelta(days=1)


def test_a_cut_off_in_the_skipped_hour() -> None:
    # 02:30 on 2026-03-29 does not exist in Madrid; read with the offset before, it is 01:30 UTC.
    half_past_two = dt.time(2, 30)
    assert clock.day_bounds(dt.date(2026, 3, 29), "Europe/Madrid", half_past_two)[0] == utc(
        2026, 3, 29, 1, 30
    )
    assert clock.gaming_day(utc(2026, 3, 29, 1, 29), "Europe/Madrid", half_past_two) == dt.date(2026, 3, 28)
    assert clock.gaming_day(utc(2026, 3, 29, 1, 30), "Europe/Madrid", half_past_two) == dt.date(2026, 3, 29)


def test_a_cut_off_in_the_repeated_hour() -> None:
    # 02:30 on 2026-10-25 comes twice in Madrid, at 00:30 and 01:30 UTC; the first one counts.
    half_past_two = dt.time(2, 30)
    assert clock.day_bounds(dt.date(2026, 10, 25), "Europe/Madrid", half_past_two)[0] == utc(
        2026, 10, 25, 0, 30
    )
    for minute, day in ((29, 24), (30, 25), (59, 25)):
        assert clock.gaming_day(utc(2026, 10, 25, 0, minute), "Europe/Madrid", half_past_two) == dt.date(
            2026, 10, day
        )
    # The second 02:15 is after the cut-off although its wall time is before it.
    assert clock.gaming_day(utc(2026, 10, 25, 1, 15), "Europe/Madrid", half_past_two) == dt.date(2026, 10, 25)


@given(
    st.datetimes(utc(2020, 1, 1).replace(tzinfo=None), utc(2035, 1, 1).replace(tzinfo=None)),
    st.sampled_from(["America/La_Paz", "Europe/Madrid", "America/New_York", "Australia/Lord_Howe", "UTC"]),
    st.times(),
)
def test_every_instant_lies_in_its_day(naive: dt.datetime, zone: str, cutoff: dt.time) -> None:
    instant = naive.replace(tzinfo=dt.UTC)
    start, end = clock.day_bounds(clock.gaming_day(instant, zone, cutoff), zone, cutoff)
    assert start <= instant < end


def test_an_instant_needs_a_zone() -> None:
    with pytest.raises(ValueError, match="zone"):
        clock.gaming_day(dt.datetime(2026, 11, 29, 12), "UTC", SIX)  # noqa: DTZ001


def test_stamps_are_utc_to_the_microsecond_and_read_back() -> None:
    instant = utc(2026, 11, 29, 22, 41, 7, 123_456)
    assert clock.stamp(instant) == "2026-11-29T22:41:07.123456Z"
    assert clock.stamp(instant.astimezone(dt.timezone(dt.timedelta(hours=-4)))) == clock.stamp(instant)
    assert clock.stamp(utc(2026, 1, 2)) == "2026-01-02T00:00:00.000000Z"
    assert clock.parse_stamp(clock.stamp(instant)) == instant


def test_now_is_utc() -> None:
    assert clock.now().utcoffset() == dt.timedelta(0)
