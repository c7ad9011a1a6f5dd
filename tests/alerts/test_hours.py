"""The hours of a gaming day, also of 23 and 25 of them, and what happened at each table in which."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest
from django.test import Client

from casino.kernel.errors import Refused
from casino.kernel.permissions import Role
from casino.models import Casino
from tables.alerts.float_checks import check_float
from tables.models import TableSession
from tables.pages.checks import checks_of
from tables.reports.shift import HourReport
from tables.shift import hourly
from tables.shift.window import between, hours, place, whole
from tests.alerts.building import USUAL_FLOAT, opened
from tests.builders import BOB, CLOSING_TIME, NATURAL, NIGHT, House, bets

MADRID = Casino(code="x", zone="Europe/Madrid", cutoff=dt.time(6))
LA_PAZ = Casino(code="y", zone="America/La_Paz", cutoff=dt.time(6))
EARLY = Casino(code="z", zone="Europe/Madrid", cutoff=dt.time(2, 30))


@pytest.mark.parametrize(
    ("casino", "day", "number", "first", "last"),
    [
        # La Paz never changes its clocks: 06:00 to 05:00.
        (LA_PAZ, dt.date(2026, 11, 20), 24, "06:00", "05:00"),
        # In Madrid clocks go forward on 2026-03-29 at 02:00, within the gaming day of the 28th: 23 hours.
        (MADRID, dt.date(2026, 3, 28), 23, "06:00", "05:00"),
        # And back on 2026-10-25 at 03:00: 02:00 comes twice in the day of the 24th, 25 hours.
        (MADRID, dt.date(2026, 10, 24), 25, "06:00", "05:00"),
        (MADRID, dt.date(2026, 10, 25), 24, "06:00", "05:00"),
    ],
)
def test_a_gaming_day_has_as_many_hours_as_its_clocks(
    casino: Casino, day: dt.date, number: int, first: str, last: str
) -> None:
    found = hours(whole(casino, day))
    assert (len(found), found[0].label, found[-1].label) == (number, first, last)
    assert all(one.end == other.start for one, other in pairwise(found))
    assert all(hour.end - hour.start == dt.timedelta(hours=1) for hour in found)
    assert len({hour.label for hour in found}) == number


def test_the_hour_that_comes_twice_is_told_by_its_offset() -> None:
    labels = [hour.label for hour in hours(whole(MADRID, dt.date(2026, 10, 24)))]
    assert labels[19:23] == ["01:00", "02:00 (+0200)", "02:00 (+0100)", "03:00"]
    # 02:00 summer time is 00:00 UTC, an hour later it is 02:00 again.
    found = hours(whole(MADRID, dt.date(2026, 10, 24)))
    twice = dt.datetime(2026, 10, 25, 0, 30, tzinfo=dt.UTC)
    assert [place(found, twice), place(found, twice + dt.timedelta(hours=1))] == [20, 21]


@pytest.mark.parametrize(
    ("casino", "day"),
    [
        (LA_PAZ, dt.date(2026, 11, 20)),
        # 23 hours, and 25: the late hours are still no hours of the day that come twice.
        (MADRID, dt.date(2026, 3, 28)),
        (MADRID, dt.date(2026, 10, 24)),
    ],
)
def test_hours_after_the_cut_off_say_so_and_leave_the_days_own_alone(casino: Casino, day: dt.date) -> None:
    """A table of the day plays until 07:30: its second 06:00 and 07:00 are of the next day."""
    of_day = hours(whole(casino, day))
    late = hours(whole(casino, day), of_day[-1].end + dt.timedelta(minutes=90))
    assert [hour.label for hour in late] == [*(hour.label for hour in of_day), "06:00 +1", "07:00 +1"]


def test_a_day_whose_cut_off_lies_in_the_skipped_hour_ends_when_the_clocks_have_moved() -> None:
    # 02:30 does not exist on 2026-03-29: the day of the 28th ends at 03:30 summer time, which is 01:30 UTC.
    found = hours(whole(EARLY, dt.date(2026, 3, 28)))
    assert found[0].start == dt.datetime(2026, 3, 28, 1, 30, tzinfo=dt.UTC)
    assert found[-1].end == dt.datetime(2026, 3, 29, 1, 30, tzinfo=dt.UTC)
    assert len(found) == 24


def test_part_of_a_day_runs_over_midnight_and_not_backwards() -> None:
    night = between(LA_PAZ, dt.date(2026, 11, 20), dt.time(22), dt.time(2))
    assert night.start == dt.datetime(2026, 11, 21, 2, tzinfo=dt.UTC)  # 22:00 at UTC-4
    assert night.end == dt.datetime(2026, 11, 21, 6, tzinfo=dt.UTC)
    assert (
        between(LA_PAZ, dt.date(2026, 11, 20), dt.time(22), dt.time(6)).end
        == whole(LA_PAZ, dt.date(2026, 11, 20)).end
    )
    with pytest.raises(Refused) as refused:
        between(LA_PAZ, dt.date(2026, 11, 20), dt.time(2), dt.time(22))
    assert (refused.value.code, refused.value.field) == ("bad_hours", "last")


@pytest.fixture
def evening(house: House) -> TableSession:
    """18:00 to 23:00 in La Paz. 18:05 the house loses 100, 19:05 wins 300; checks at 18:30 and 19:30."""
    session = opened(house, detail="full")
    at = NIGHT + dt.timedelta(minutes=5)
    # Punto wins 1 to 1: 100 on banca lost, 200 on punto paid: -100. Then 300 on banca lost: +300.
    house.log(session, [*bets((1, "banca", 100), (2, "punto", 200)), *NATURAL], at=at)
    check(house, session, NIGHT + dt.timedelta(minutes=30), 75_000 - 100 - 1_000)  # 1.000 sold
    house.log(session, [*bets((1, "banca", 300)), *NATURAL], at=at + dt.timedelta(hours=1))
    check(house, session, NIGHT + dt.timedelta(minutes=90), 75_000 + 200 - 1_500, cash=1_600)  # 100 over
    return house.close(session, {500 * BOB: 147}, drop=1_700 * BOB)


def check(house: House, session: TableSession, at: dt.datetime, total: int, cash: int | None = None) -> None:
    check_float(
        session=session,
        chips_counted={500 * BOB: total // 500, 100 * BOB: total % 500 // 100},
        counted_by=house.dealers[0],
        witnessed_by=house.supervisors[0],
        cash=None if cash is None else cash * BOB,
        by=house.by(Role.PIT_BOSS, at),
    )


@pytest.mark.rule("FLOOR-05")
def test_each_figure_is_of_the_hour_it_was_known_in(house: House, evening: TableSession) -> None:
    grid = hourly.grid(house.casino, evening.day.date)
    (line,) = grid.lines
    told = {
        hour.label: cell for hour, cell in zip(grid.hours, line.cells, strict=True) if cell != hourly.Cell()
    }
    assert told == {
        # 18:30: what the float lacks by the ledger is taken for chips sold.
        "18:00": hourly.Cell(rounds=1, house=-100 * BOB, estimate=1_000 * BOB),
        # 19:30: 1.600 noted since the opening, 600 of them in this hour; 75.200 - 1.600 = 73.600, 100 over.
        "19:00": hourly.Cell(rounds=1, house=300 * BOB, estimate=600 * BOB, difference=100 * BOB),
        # Closed at 23:00, its drop counted without boxes.
        "23:00": hourly.Cell(drop=1_700 * BOB),
    }
    assert line.total == hourly.Cell(
        rounds=2, house=200 * BOB, drop=1_700 * BOB, estimate=1_600 * BOB, difference=100 * BOB
    )
    assert grid.total == line.total
    assert [hour.label for hour in hourly.trimmed(grid).hours] == [f"{n}:00" for n in range(18, 24)]


@pytest.mark.rule("FLOOR-11")
def test_what_the_checks_tell_of_the_cash_is_kept_back_until_the_drop_is_counted(house: House) -> None:
    session = opened(house, detail="full")
    check(house, session, NIGHT + dt.timedelta(minutes=30), 75_000 - 1_000)  # 1.000 sold
    day = session.day.date
    assert hourly.grid(house.casino, day).total.estimate == 1_000 * BOB
    chief, cashier = house.users[Role.SUPERVISOR], house.users[Role.CAGE]
    assert len(checks_of(session, chief)) == 1
    # Who counts the box is told nothing before it is counted, nor does a file, which is the same for all.
    assert checks_of(session, cashier) == []
    assert hourly.grid(house.casino, day, blind=True).total.estimate is None
    assert HourReport().totals(house.casino, {"day": day})["estimate"] is None
    closed = house.close(session, {500 * BOB: 148})
    assert hourly.grid(house.casino, day).total.estimate is None
    assert checks_of(closed, chief) == []
    counted = house.count_out(closed, 1_000 * BOB)
    assert hourly.grid(house.casino, day).total.estimate == 1_000 * BOB
    assert len(checks_of(counted, chief)) == len(checks_of(counted, cashier)) == 1
    assert hourly.grid(house.casino, day, blind=True).total.estimate == 1_000 * BOB


def test_the_file_says_what_the_page_says(house: House, evening: TableSession) -> None:
    rows = list(HourReport().rows(house.casino, {"day": evening.day.date}))
    assert [(row["hour"], row["house"], row["drop"]) for row in rows] == [
        ("18:00", -100 * BOB, None),
        ("19:00", 300 * BOB, None),
        ("23:00", None, 1_700 * BOB),
    ]
    assert HourReport().totals(house.casino, {"day": evening.day.date})["house"] == 200 * BOB
    assert evening.closed_at == CLOSING_TIME


def test_after_the_cut_off_the_page_leads_to_the_day_of_the_tables_that_are_open(house: House) -> None:
    session = opened(house)
    boss = Client()
    boss.force_login(house.users[Role.PIT_BOSS])
    day = session.day.date

    def told(shown: dt.date) -> str:
        page = boss.get(f"/sala/horas/?day={shown.isoformat()}&figure=rounds").content.decode()
        return page.partition('class="empty"')[2].partition("</div>")[0]

    way = f'href="?day={day.isoformat()}&amp;figure=rounds"'
    assert way in told(day + dt.timedelta(days=1))
    # Not on the day before it, nor once the table is closed.
    assert "Ninguna mesa" in told(day - dt.timedelta(days=1))
    assert way not in told(day - dt.timedelta(days=1))
    house.close(session, USUAL_FLOAT)
    assert "Ninguna mesa" in told(day + dt.timedelta(days=1))
    assert way not in told(day + dt.timedelta(days=1))
