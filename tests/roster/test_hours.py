"""Hours in plain values: the cases of `shifts`, each by its id, and both sides of a clock change."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import pytest

from tables.roster import hours

LA_PAZ, MADRID = "America/La_Paz", "Europe/Madrid"
SIX = dt.time(6)


def at(text: str, zone: str = LA_PAZ) -> dt.datetime:
    """A wall clock, `2026-07-13 18:30`, as an instant."""
    return dt.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(dt.UTC)


def span(start: str, end: str, zone: str = LA_PAZ) -> hours.Span:
    return at(start, zone), at(end, zone)


def test_every_pair_of_shifts_is_compared() -> None:
    """SHI-003: of three shifts the second and third share 16:00 to 18:00."""
    day = "2026-06-10"
    spans = [
        span(f"{day} {a}", f"{day} {b}")
        for a, b in (("08:00", "12:00"), ("14:00", "18:00"), ("16:00", "20:00"))
    ]
    assert hours.conflicts(spans) == [(1, 2, 120)]
    assert hours.conflicts([spans[2], spans[0], spans[1]]) == [(0, 2, 120)]


@dataclass(frozen=True)
class Assigned:
    start: dt.datetime
    end: dt.datetime
    on_now: bool = False


def test_an_out_in_the_morning_closes_the_night_shift_that_is_open() -> None:
    """SHI-006: in at 18:30, out at 07:10 are both of the night of 13 July: 12 h 40 = 760 min, 10 late."""
    night = Assigned(*span("2026-07-13 18:00", "2026-07-14 07:00"))
    later = Assigned(*span("2026-07-14 14:00", "2026-07-14 20:00"))
    came, left = at("2026-07-13 18:30"), at("2026-07-14 07:10")
    assert hours.arriving([later, night], came) is night
    opened = Assigned(night.start, night.end, on_now=True)
    assert hours.leaving([later, opened]) is opened
    assert hours.minutes(came, left) == 760
    assert hours.punctuality((night.start, night.end), came, left) == hours.Punctuality(
        late_in=30, late_out=10
    )
    assert hours.gaming_day((night.start, night.end), LA_PAZ, SIX) == dt.date(2026, 7, 13)


@pytest.mark.parametrize(
    ("window", "night"), [((dt.time(0), dt.time(6)), 300), ((dt.time(22), dt.time(6)), 300)]
)
def test_only_the_part_inside_the_window_is_night(window: tuple[dt.time, dt.time], night: int) -> None:
    """SHI-008: of 01:00 to 09:00 five hours are night and three are day, in both windows."""
    shift = span("2026-06-10 01:00", "2026-06-10 09:00")
    assert hours.night_minutes(shift, LA_PAZ, *window) == night
    assert hours.minutes(*shift) - night == 180


def test_night_hours_of_a_long_shift_are_those_of_both_ends() -> None:
    """04:00 to 23:00 has 04-06 and 22-23: three hours. A house without night hours has none."""
    shift = span("2026-06-10 04:00", "2026-06-10 23:00")
    assert hours.night_minutes(shift, LA_PAZ, dt.time(22), dt.time(6)) == 180
    assert hours.night_minutes(shift, LA_PAZ, dt.time(0), dt.time(0)) == 0


def test_a_daily_pattern_stays_on_the_wall_clock_on_the_day_of_the_change() -> None:
    """SHI-011: 13:00 to 18:00 of 29 March 2026 is 11:00Z to 16:00Z."""
    found = hours.local_span(dt.date(2026, 3, 29), dt.time(13), dt.time(18), MADRID)
    assert [one.isoformat() for one in found] == ["2026-03-29T11:00:00+00:00", "2026-03-29T16:00:00+00:00"]
    assert [one.astimezone(ZoneInfo(MADRID)).strftime("%H:%M") for one in found] == ["13:00", "18:00"]


@pytest.mark.parametrize(
    ("next_start", "rest", "allowed"), [("2026-06-10 20:00", 14, False), ("2026-06-11 06:00", 24, True)]
)
def test_rest_after_a_night_shift(next_start: str, rest: int, allowed: bool) -> None:
    """SHI-014: with 24 h asked, 14 are too short and 24 are enough."""
    end, start = at("2026-06-10 06:00"), at(next_start)
    assert hours.minutes(end, start) == rest * 60
    assert hours.rest_enough(end, start, 24 * 60) is allowed


@pytest.mark.parametrize("date", [dt.date(2026, 3, 28), dt.date(2026, 10, 24)])
def test_la_paz_has_no_clock_change_wherever_the_server_stands(
    date: dt.date, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SHI-015: eight hours on both nights on which Madrid changes its clocks."""
    import time

    monkeypatch.setenv("TZ", MADRID)
    time.tzset()
    try:
        assert hours.minutes(*hours.local_span(date, dt.time(22), dt.time(6), LA_PAZ)) == 8 * 60
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(("date", "lasts"), [(dt.date(2026, 3, 28), 7), (dt.date(2026, 10, 24), 9)])
def test_the_same_nights_in_madrid_are_seven_and_nine_hours(date: dt.date, lasts: int) -> None:
    """At 02:00 the clocks go to 03:00, in October at 03:00 back to 02:00; all of the night is night."""
    shift = hours.local_span(date, dt.time(22), dt.time(6), MADRID)
    assert hours.minutes(*shift) == lasts * 60
    assert hours.night_minutes(shift, MADRID, dt.time(22), dt.time(6)) == lasts * 60
    assert hours.gaming_day(shift, MADRID, SIX) == date


@pytest.mark.parametrize(
    ("start", "end", "day"),
    [
        ("2026-06-10 22:00", "2026-06-11 06:00", 10),  # over midnight, up to the cut-off
        ("2026-06-10 23:00", "2026-06-11 07:00", 10),  # an hour beyond it
        ("2026-06-11 06:00", "2026-06-11 14:00", 11),  # from the cut-off
        ("2026-06-11 05:30", "2026-06-11 13:30", 11),  # comes early for the day that begins
        ("2026-06-11 02:00", "2026-06-11 10:00", 10),  # four hours of each: the earlier
        ("2026-06-11 00:30", "2026-06-11 05:00", 10),  # after midnight only
    ],
)
def test_a_shift_belongs_to_the_one_gaming_day_of_its_larger_part(start: str, end: str, day: int) -> None:
    assert hours.gaming_day(span(start, end), LA_PAZ, SIX) == dt.date(2026, 6, day)


def test_a_licence_must_reach_the_last_day_a_shift_touches() -> None:
    """22:00 to 06:00 touches one gaming day only: 06:00 is the first instant of the next."""
    assert hours.last_day(span("2026-06-10 22:00", "2026-06-11 06:00"), LA_PAZ, SIX) == dt.date(2026, 6, 10)
    assert hours.last_day(span("2026-06-10 23:00", "2026-06-11 06:01"), LA_PAZ, SIX) == dt.date(2026, 6, 11)


def test_somebody_may_arrive_two_hours_before_and_until_the_end() -> None:
    shift = Assigned(*span("2026-06-10 18:00", "2026-06-11 02:00"))
    assert [hours.arriving([shift], at(f"2026-06-10 {time}")) for time in ("15:59", "16:00")] == [None, shift]
    assert hours.arriving([shift], at("2026-06-11 01:59")) is shift
    assert hours.arriving([shift], at("2026-06-11 02:00")) is None
