"""Hours against a count of one's own, minute by minute on the wall; and the hours a clock change skips."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from psycopg.types.range import TimestamptzRange

from tables.models import Shift, Staff
from tables.roster import hours, sums

MADRID, LA_PAZ = "Europe/Madrid", "America/La_Paz"
MINUTE = dt.timedelta(minutes=1)
SPRING, AUTUMN = dt.date(2026, 3, 29), dt.date(2026, 10, 25)


def wall(instant: dt.datetime, zone: str = MADRID) -> str:
    return instant.astimezone(ZoneInfo(zone)).strftime("%d %H:%M")


@pytest.mark.parametrize(
    ("start", "end", "lasts", "shown"),
    [
        ("02:30", "10:00", 7 * 60, "29 03:00"),  # 02:30 is not on any wall: from 03:00
        ("02:30", "03:15", 15, "29 03:00"),
        ("22:00", "02:30", 4 * 60 + 30, "29 22:00"),  # over the next midnight, whose clocks stay
        ("02:00", "03:00", 0, "29 03:00"),  # an hour that did not pass
    ],
)
def test_an_hour_that_is_skipped_is_the_instant_the_clocks_moved_to(
    start: str, end: str, lasts: int, shown: str
) -> None:
    found = hours.local_span(SPRING, dt.time.fromisoformat(start), dt.time.fromisoformat(end), MADRID)
    assert (hours.minutes(*found), wall(found[0])) == (lasts, shown)


def test_a_skipped_half_hour_of_another_zone() -> None:
    """Lord Howe goes from 02:00 to 02:30 on 4 October 2026: 02:10 is 02:30, 15:30Z of the 3rd."""
    found = hours.local_span(dt.date(2026, 10, 4), dt.time(2, 10), dt.time(3), "Australia/Lord_Howe")
    assert (found[0].isoformat(), hours.minutes(*found)) == ("2026-10-03T15:30:00+00:00", 30)


def test_an_hour_that_comes_twice_is_the_first() -> None:
    """25 October in Madrid: 02:30 is first 00:30Z; 02:30 to 03:30 lasts two hours."""
    found = hours.local_span(AUTUMN, dt.time(2, 30), dt.time(3, 30), MADRID)
    assert (found[0].isoformat(), hours.minutes(*found)) == ("2026-10-25T00:30:00+00:00", 120)


# The nights around both changes of 2026; 02:xx is no bound, since it would be skipped or come twice.
minutes_of_days = st.integers(0, 4 * 24 * 60)
bounds = st.builds(dt.time, st.sampled_from([0, 1, *range(3, 24)]), st.sampled_from([0, 15, 59]))
begins = st.builds(
    lambda date, minute: dt.datetime.combine(date, dt.time(), tzinfo=dt.UTC) + minute * MINUTE,
    st.sampled_from([SPRING - dt.timedelta(days=2), AUTUMN - dt.timedelta(days=2), dt.date(2026, 12, 30)]),
    minutes_of_days,
)


def counted(start: dt.datetime, minutes: int, zone: str, night: tuple[dt.time, dt.time]) -> int:
    """Minutes of the night, asking the wall at each."""
    first, last = night
    told = 0
    for passed in range(minutes):
        time = (start + passed * MINUTE).astimezone(ZoneInfo(zone)).time()
        told += first <= time < last if first <= last else (time >= first or time < last)
    return told


@settings(max_examples=60, deadline=None)
@given(begins, st.integers(0, 16 * 60), st.sampled_from([MADRID, LA_PAZ]), bounds, bounds)
@example(dt.datetime(2026, 3, 28, 21, tzinfo=dt.UTC), 420, MADRID, dt.time(22), dt.time(6))
@example(dt.datetime(2026, 10, 24, 20, tzinfo=dt.UTC), 540, MADRID, dt.time(22), dt.time(6))
@example(dt.datetime(2026, 10, 24, 20, tzinfo=dt.UTC), 540, MADRID, dt.time(0), dt.time(6))
def test_night_minutes_are_those_the_wall_shows(
    start: dt.datetime, minutes: int, zone: str, first: dt.time, last: dt.time
) -> None:
    span = (start, start + minutes * MINUTE)
    expected = 0 if first == last else counted(start, minutes, zone, (first, last))
    assert hours.night_minutes(span, zone, first, last) == expected


shifts = st.lists(
    st.tuples(
        begins,
        st.integers(1, 960),
        st.sampled_from(list(Shift.State)),
        st.integers(-120, 200),
        st.integers(1, 900),
    ),
    max_size=6,
)
nights = st.sampled_from([(dt.time(20), dt.time(6)), (dt.time(0), dt.time(5)), (dt.time(9), dt.time(17))])
TOLD = ("shifts", "planned", "worked", "night", "late", "early", "over", "done", "absent", "off")


@settings(max_examples=40, deadline=None)
@given(
    shifts, st.sampled_from([(dt.time(20), dt.time(6)), (dt.time(0), dt.time(5)), (dt.time(9), dt.time(17))])
)
def test_the_hours_of_a_period_are_the_sum_of_what_each_shift_says(
    drawn: list[tuple[dt.datetime, int, Shift.State, int, int]], night: tuple[dt.time, dt.time]
) -> None:
    """Each: planned start, planned minutes, state, minutes late, minutes worked; now is after all of them."""
    line, now = sums.Hours(Staff()), dt.datetime(2027, 2, 1, tzinfo=dt.UTC)
    wanted = dict.fromkeys(
        ("shifts", "planned", "worked", "night", "late", "early", "over", "done", "absent", "off"), 0
    )
    difference = 0
    for start, lasts, state, late, worked in drawn:
        done = state == Shift.State.DONE
        came = start + late * MINUTE
        actual = TimestamptzRange(came, came + worked * MINUTE, "[)") if done else None
        if state == Shift.State.PRESENT:  # on it, and come this instant: no minute worked yet
            actual = TimestamptzRange(now, None, "[)")
        planned = TimestamptzRange(start, start + lasts * MINUTE, "[)")
        sums.add(line, Shift(planned=planned, actual=actual, state=state), now, (MADRID, *night))
        if state == Shift.State.CANCELLED:
            wanted["off"] += 1
            continue
        wanted["shifts"] += 1
        wanted["planned"] += lasts
        wanted["absent"] += state == Shift.State.ABSENT
        if done:
            beyond = late + worked - lasts
            wanted["done"] += 1
            wanted["worked"] += worked
            wanted["night"] += counted(came, worked, MADRID, night)
            wanted["late"] += max(late, 0)
            wanted["over" if beyond > 0 else "early"] += abs(beyond)
            difference += worked - lasts
    told = (
        line.shifts, line.planned, line.worked, line.night, line.late_in, line.early_out, line.late_out,
        line.done, line.absences, line.cancelled,
    )  # fmt: skip
    assert (told, line.difference) == (tuple(wanted.values()), difference)
