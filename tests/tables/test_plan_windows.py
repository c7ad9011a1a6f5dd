"""Windows of a plan as instants: over midnight, across the cut-off, and on the nights the clocks change."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from casino.models import Casino
from tables.pages.plans import week
from tables.plan_windows import Limits, Span, Window, instant_of, overlap, spans

MADRID, LA_PAZ = "Europe/Madrid", "America/La_Paz"
SIX = dt.time(6)
LOW, HIGH = Limits(500, {"punto": (500, 50_000)}), Limits(500, {"punto": (5_000, 100_000)})
FRI, SAT, SUN = 4, 5, 6


def window(days: tuple[int, ...], begins: str, ends: str, limits: Limits = HIGH) -> Window:
    return Window(days, dt.time.fromisoformat(begins), dt.time.fromisoformat(ends), limits)


def at(text: str, zone: str = MADRID, fold: int = 0) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(dt.UTC)


def said(
    windows: list[Window], start: dt.datetime, end: dt.datetime, zone: str = MADRID, rest: Limits | None = LOW
) -> list[Span]:
    return list(spans(windows, rest, zone=zone, cutoff=SIX, start=start, end=end))


def test_a_window_over_midnight_is_one_stretch_of_its_gaming_day() -> None:
    night = window((FRI,), "20:00", "04:00")
    found = said([night], at("2026-11-20 19:00"), at("2026-11-21 05:00"))
    assert [(one.begins, one.ends, one.limits) for one in found[1:2]] == [
        (at("2026-11-20 20:00"), at("2026-11-21 04:00"), HIGH)
    ]
    assert [one.limits for one in found] == [LOW, HIGH, LOW]
    assert found[0].ends == found[1].begins and found[1].ends == found[2].begins


def test_the_small_hours_before_the_cut_off_are_of_the_day_before() -> None:
    # «Friday 01:00 to 04:00» with the cut-off at 06:00 is the morning of Saturday 21.
    early = window((FRI,), "01:00", "04:00")
    (found,) = [one for one in said([early], at("2026-11-20 07:00"), at("2026-11-21 12:00")) if one.window]
    assert (found.begins, found.ends) == (at("2026-11-21 01:00"), at("2026-11-21 04:00"))
    # One that begins at the cut-off is of the calendar day.
    late = window((FRI,), "06:00", "08:00")
    (found,) = [one for one in said([late], at("2026-11-20 05:00"), at("2026-11-21 05:00")) if one.window]
    assert (found.begins, found.ends) == (at("2026-11-20 06:00"), at("2026-11-20 08:00"))


def test_equal_hours_are_the_whole_day_also_across_the_cut_off() -> None:
    whole = window(tuple(range(7)), "06:00", "06:00")
    found = said([whole], at("2026-11-20 05:59"), at("2026-11-20 06:01"), rest=None)
    assert [one.limits for one in found] == [HIGH, HIGH]
    assert found[1].begins == at("2026-11-20 06:00")
    assert overlap([whole], SIX) is None


@pytest.mark.parametrize(
    ("windows", "places"),
    [
        ([window((FRI,), "20:00", "04:00"), window((FRI,), "03:00", "05:00")], (0, 1)),  # Saturday 03:00
        ([window((FRI,), "20:00", "04:00"), window((SAT,), "03:00", "05:00")], None),  # Sunday 03:00
        ([window((FRI,), "20:00", "23:00"), window((FRI,), "23:00", "06:00")], None),  # they adjoin
        ([window((FRI, SAT), "22:00", "23:00"), window((SAT,), "22:30", "22:45")], (0, 1)),
        ([window((SUN,), "20:00", "07:00"), window((0,), "06:00", "09:00")], (0, 1)),  # round the week's end
        ([window((0,), "05:00", "06:30"), window((1,), "06:00", "07:00")], (0, 1)),  # over the cut-off
        ([window((FRI,), "06:00", "06:00"), window((FRI,), "12:00", "13:00")], (0, 1)),
    ],
)
def test_windows_that_meet_are_found(windows: list[Window], places: tuple[int, int] | None) -> None:
    assert overlap(windows, SIX) == places


# Spain: on 2026-03-29 at 02:00 the clocks go to 03:00; on 2026-10-25 at 03:00 they go back to 02:00.
SPRING, AUTUMN = "2026-03-29 01:00", "2026-10-25 01:00"
"""In UTC: when the clocks moved."""


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


def test_an_hour_the_clocks_skip_is_the_instant_they_moved() -> None:
    assert instant_of(dt.datetime.fromisoformat("2026-03-29 02:30"), MADRID) == utc(SPRING)
    assert instant_of(dt.datetime.fromisoformat("2026-03-29 01:59"), MADRID) == utc("2026-03-29 00:59")
    assert instant_of(dt.datetime.fromisoformat("2026-03-29 03:00"), MADRID) == utc(SPRING)
    # The repeated hour is taken the first time, still summer time: 02:30 = 00:30 UTC.
    assert instant_of(dt.datetime.fromisoformat("2026-10-25 02:30"), MADRID) == utc("2026-10-25 00:30")
    assert instant_of(dt.datetime.fromisoformat("2026-10-25 03:00"), MADRID) == utc("2026-10-25 02:00")


@pytest.mark.parametrize(
    ("night", "minutes"),
    # 22:00 to 05:00 by the wall clock: 6 hours in spring, 8 in autumn, 7 on any other night.
    [("2026-03-28", 360), ("2026-10-24", 480), ("2026-11-14", 420)],
)
def test_a_night_window_lasts_what_the_clocks_make_of_it(night: str, minutes: int) -> None:
    late = window((SAT,), "22:00", "05:00")
    start = at(f"{night} 21:00")
    (found,) = [one for one in said([late], start, start + dt.timedelta(hours=12)) if one.window]
    assert (found.ends - found.begins) == dt.timedelta(minutes=minutes)
    assert found.begins == at(f"{night} 22:00")


@pytest.mark.parametrize("night", ["2026-03-28", "2026-10-24"])
def test_windows_that_adjoin_in_the_changed_hour_leave_no_gap(night: str) -> None:
    pair = [window((SAT,), "22:00", "02:30"), window((SAT,), "02:30", "05:00", LOW)]
    start = at(f"{night} 22:30")
    first, second = [one for one in said(pair, start, start + dt.timedelta(hours=5), rest=None) if one.window]
    assert first.ends == second.begins
    boundary = SPRING if night.startswith("2026-03") else "2026-10-25 00:30"
    assert first.ends == utc(boundary)


def test_a_window_inside_the_skipped_hour_never_comes() -> None:
    gone = window((SAT,), "02:10", "02:50")
    start = at("2026-03-28 22:00")
    assert not [one for one in said([gone], start, start + dt.timedelta(hours=8)) if one.window]
    week_before = start - dt.timedelta(days=7)
    assert [one for one in said([gone], week_before, week_before + dt.timedelta(hours=8)) if one.window]


def test_the_spans_of_a_year_adjoin_and_never_overlap() -> None:
    plan = [window((FRI, SAT), "20:00", "02:30"), window((FRI, SAT), "02:30", "06:00", LOW)]
    found = said(plan, utc("2026-01-01 00:00"), utc("2026-12-31 00:00"))
    assert len(found) > 150
    assert all(one.ends == after.begins for one, after in pairwise(found))
    assert all(one.begins < one.ends for one in found)


def test_limits_inside_others() -> None:
    plan = Limits(500, {"punto": (5_000, 50_000), "tie": (500, 5_000)}, differential=20_000)
    assert plan.admits(Limits(500, {"punto": (5_000, 50_000)}, 20_000))
    assert plan.admits(Limits(1_000, {"punto": (10_000, 40_000)}, 10_000))
    assert not plan.admits(Limits(500, {"punto": (4_500, 50_000)}, 20_000))
    assert not plan.admits(Limits(500, {"punto": (5_000, 50_500)}, 20_000))
    assert not plan.admits(Limits(500, {"banca": (5_000, 50_000)}, 20_000))
    assert not plan.admits(Limits(500, {"punto": (5_000, 50_000)}))  # the plan has a differential


def test_the_week_as_a_grid_begins_at_the_cut_off() -> None:
    casino = Casino(cutoff=SIX)
    grid = dict(week([window((SUN,), "22:30", "07:30"), window((FRI,), "06:00", "07:00")], casino))
    assert [*grid][::23] == ["06:00", "05:00"]
    assert grid["22:00"][SUN] == (1,) and grid["05:00"][SUN] == (1,) and grid["21:00"][SUN] == ()
    # What goes on after the cut-off is of the next gaming day: here Monday's first two hours.
    assert grid["06:00"][0] == (1,) and grid["07:00"][0] == (1,) and grid["08:00"][0] == ()
    assert grid["06:00"][FRI] == (2,)
