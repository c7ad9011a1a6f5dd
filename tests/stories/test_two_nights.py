"""Nights over midnight with money on the table: one in La Paz, and the two on which Madrid moves its clocks.

Each night: the shift is 22:00 to 06:00 on the wall, the table plays from 22:00 to 05:30. The dealer is
relieved at `turn`: in Madrid the very instant at which the clocks are moved, which is 01:00 UTC. The third
round is half an hour before it and the fourth half an hour after.

The money is the same each night, in bolivianos:

    22:00  opening                       22.500
    22:30  round 1: 200 on banca lost       + 200
    23:30  fill: 40 x 25 + 10 x 100       + 2.000
    00:30  round 2: 100 on punto paid       - 100
    turn - 30 min  round 3: 300 lost        + 300
    turn + 30 min  round 4: 150 paid        - 150
    04:00  by the ledger 24.750; 400 sold for cash leave 24.350; counted 24.345: 5 are missing
    05:30  600 sold in all leave 24.150; counted 24.140: 10 are missing

Result = closing 24.140 + drop 600 - opening 22.500 - fills 2.000 = 240; the bets say 250.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import pytest

from audits.closing import close_due_days
from audits.verify import balances, ledger_faults, trail_faults
from casino.kernel.permissions import Role
from casino.models import GamingDay
from tables import closings, sessions
from tables.alerts.float_checks import check_float
from tables.models import FloatCheck, Round, Shift, Slip, TableSession
from tables.reports.shift import ShiftReport
from tables.roster import clocking, hours, shifts
from tables.roster.sums import hours_of
from tables.shift import hourly, sums
from tables.shift.window import whole
from tests.builders import BOB, House, a_house, bets, cards
from tests.money import box_builders
from tests.money.slip_builders import Counter, a_desk

HALF = dt.timedelta(minutes=30)
# Punto wins each: 9 to 7, 8 to 7 and 9 to 6 with two cards; 2+3+4 = 9 to 4+K+T = 4 (BAC-15).
ROUNDS = (
    [*bets((1, "banca", 200)), *cards("9d Kh", "5c 2s")],
    [*bets((2, "punto", 100)), *cards("8h Qc", "3d 4s")],
    [*bets((3, "banca", 300)), *cards("2h 3h 4h", "4s Ks Th")],
    [*bets((1, "punto", 150)), *cards("7d 2d", "Jh 6s")],
)
CHECKED = {500 * BOB: 20, 100 * BOB: 132, 25 * BOB: 45, 5 * BOB: 4}
"""10.000 + 13.200 + 1.125 + 20 = 24.345."""
CLOSED = {500 * BOB: 20, 100 * BOB: 130, 25 * BOB: 45, 5 * BOB: 3}
"""10.000 + 13.000 + 1.125 + 15 = 24.140."""


@dataclass(frozen=True)
class Night:
    """A night by its date and zone; expected: how many hours a shift of it lasts, the minutes each dealer
    deals, the rows of the hourly grid of the third and fourth round, how many hours the gaming day has."""

    zone: str
    date: dt.date
    turn: dt.datetime
    shift: int
    dealt: tuple[int, int]
    rows: tuple[str, str]
    day_hours: int

    def wall(self, time: str) -> dt.datetime:
        """A time of this night on the wall of the house; before noon it is of the next morning."""
        at = dt.time.fromisoformat(time)
        date = self.date if at >= dt.time(12) else self.date + dt.timedelta(days=1)
        return dt.datetime.combine(date, at, tzinfo=ZoneInfo(self.zone)).astimezone(dt.UTC)


def utc(*at: int) -> dt.datetime:
    return dt.datetime(*at, tzinfo=dt.UTC)


NIGHTS = {
    # 22:00 to 06:00 are 8 h. Dealt from 22:00 to 02:00 and to 05:30.
    "La Paz": Night(
        "America/La_Paz",
        dt.date(2026, 11, 20),
        utc(2026, 11, 21, 6),
        8,
        (4 * 60, 3 * 60 + 30),
        ("01:00", "02:00"),
        24,
    ),
    # At 03:00 it is 02:00 again: 9 h. From 22:00 to the change there are 5 h, from there to 05:30 3 h 30.
    "Madrid, back": Night(
        "Europe/Madrid",
        dt.date(2026, 10, 24),
        utc(2026, 10, 25, 1),
        9,
        (5 * 60, 3 * 60 + 30),
        ("02:00 (+0200)", "02:00 (+0100)"),
        25,
    ),
    # At 02:00 it is 03:00: 7 h. From 22:00 to the change there are 4 h, from 03:00 to 05:30 2 h 30.
    "Madrid, forward": Night(
        "Europe/Madrid",
        dt.date(2026, 3, 28),
        utc(2026, 3, 29, 1),
        7,
        (4 * 60, 2 * 60 + 30),
        ("01:00", "03:00"),
        23,
    ),
}


@pytest.fixture(params=NIGHTS)
def night(request: pytest.FixtureRequest) -> Night:
    return NIGHTS[request.param]


@pytest.fixture
def house(db: None, night: Night) -> House:
    return a_house(zone=night.zone, founded=night.wall("22:00") - dt.timedelta(days=30))


@pytest.fixture
def counted(house: House, night: Night) -> TableSession:
    """The night itself, every step by the person who would do it."""
    come_to_work(house, night)
    session = house.open_table(at=night.wall("22:00"), detail="full")
    house.log(session, ROUNDS[0], at=night.wall("22:30"))
    fill(house, session, night.wall("23:30"))
    house.log(session, ROUNDS[1], at=night.wall("00:30"))
    house.log(session, ROUNDS[2], at=night.turn - HALF)
    relief = house.by(Role.SUPERVISOR, night.turn)
    sessions.relieve(session=session, staff=house.dealers[1], post="dealer", by=relief)
    house.log(session, ROUNDS[3], at=night.turn + HALF)
    two = {"counted_by": house.dealers[1], "witnessed_by": house.supervisors[0]}
    by = house.by(Role.PIT_BOSS, night.wall("04:00"))
    check_float(session=session, chips_counted=CHECKED, cash=400 * BOB, by=by, **two)
    by = house.by(Role.SUPERVISOR, night.wall("05:30"))
    session = closings.close_session(session=session, chips_counted=CLOSED, by=by, **two)
    box = box_builders.received(house, session, at=night.wall("05:40"))
    go_home(house, night)
    # Two teams, each without seeing what the other found (FLOOR-11).
    box_builders.count(box, 1, box_builders.holding(600 * BOB), at=night.wall("09:00"))
    box_builders.count(box, 2, box_builders.holding(600 * BOB), at=night.wall("09:30"))
    return TableSession.objects.select_related("table", "day", "casino").get(pk=session.pk)


def come_to_work(house: House, night: Night) -> None:
    """Planned three days before; the second dealer comes ten minutes late."""
    by = house.by(Role.PIT_BOSS, night.wall("22:00") - dt.timedelta(days=3))
    shifts.plan_pattern(
        staff=[*house.dealers[:2], house.supervisors[0]],
        first=night.date,
        last=night.date,
        weekdays=[night.date.weekday()],
        start=dt.time(22),
        end=dt.time(6),
        by=by,
    )
    for person, at in (
        (house.dealers[0], "22:00"),
        (house.supervisors[0], "22:00"),
        (house.dealers[1], "22:10"),
    ):
        clocking.clock_in(staff=person, by=house.by(Role.SUPERVISOR, night.wall(at)))


def go_home(house: House, night: Night) -> None:
    for person in (*house.dealers[:2], house.supervisors[0]):
        clocking.clock_out(staff=person, by=house.by(Role.SUPERVISOR, night.wall("06:00")))


def fill(house: House, session: TableSession, at: dt.datetime) -> None:
    """Asked for by the supervisor, issued by the cage, verified at the table by the pit boss."""
    counter = Counter(house, session, a_desk(house))
    counter.verify(counter.issue(counter.ask(at=at), at=at), at=at)


@pytest.mark.rule("FLOOR-12", "FLOOR-06")
def test_the_result_is_what_the_arithmetic_says(counted: TableSession, night: Night) -> None:
    # Staked 200 + 100 + 300 + 150 = 750; returned 2 x 100 + 2 x 150 = 500.
    assert (counted.staked, counted.returned, counted.commission) == (750 * BOB, 500 * BOB, 0)
    assert (counted.opening, counted.fills, counted.credits) == (22_500 * BOB, 2_000 * BOB, 0)
    assert (counted.closing, counted.drop) == (24_140 * BOB, 600 * BOB)
    assert (counted.house_result, counted.result, counted.unexplained) == (250 * BOB, 240 * BOB, -10 * BOB)
    check = FloatCheck.objects.get(session=counted)
    assert (check.basis, check.expected, check.difference) == ("ledger", 24_350 * BOB, -5 * BOB)
    # The vault gave 22.500 and got back 24.140; the desk gave the fill; the players are 240 poorer.
    assert {code: total // BOB for code, total in balances(counted.casino).items() if total} == {
        "vault": 1_640,
        "cage:1": -2_000,
        f"players:{counted.pk}": -240,
        f"drop:{counted.pk}": 600,
    }


@pytest.mark.rule("REC-08")
def test_all_of_it_is_of_one_gaming_day(house: House, counted: TableSession, night: Night) -> None:
    assert counted.day.date == night.date
    assert set(Shift.objects.values_list("day", flat=True)) == {night.date}
    # Two rounds and the relief are of the next date on the wall, and of this day all the same.
    assert [r.session.day.date for r in Round.objects.order_by("number")] == [night.date] * 4
    assert Slip.objects.get().label == f"F-{night.date.year}-000001"
    # Before the cut-off the day is not over; after it and the count it closes by itself.
    assert [day for one in close_due_days(night.wall("05:59"), house.casino) for day in one.closed] == []
    (outcome,) = close_due_days(night.wall("10:00"), house.casino)
    assert ([day.date for day in outcome.closed], outcome.held) == ([night.date], None)
    assert GamingDay.objects.get().state == "closed"


def test_every_hour_that_passed_has_its_row(counted: TableSession, night: Night) -> None:
    grid = hourly.grid(counted.casino, night.date)
    assert len(grid.hours) == len({hour.label for hour in grid.hours}) == night.day_hours
    (line,) = grid.lines
    before, after = night.rows
    told = {
        hour.label: cell for hour, cell in zip(grid.hours, line.cells, strict=True) if cell != hourly.Cell()
    }
    assert told == {
        "22:00": hourly.Cell(rounds=1, house=200 * BOB),
        "00:00": hourly.Cell(rounds=1, house=-100 * BOB),
        before: hourly.Cell(rounds=1, house=300 * BOB),
        after: hourly.Cell(rounds=1, house=-150 * BOB),
        "04:00": hourly.Cell(estimate=400 * BOB, difference=-5 * BOB),
        "05:00": hourly.Cell(drop=600 * BOB),
    }
    # 200 - 100 + 300 - 150 = 250.
    assert (grid.total.rounds, grid.total.house, grid.total.drop) == (4, 250 * BOB, 600 * BOB)


@pytest.mark.rule("FLOOR-12")
def test_the_shift_report_says_the_same(counted: TableSession, night: Night) -> None:
    window = whole(counted.casino, night.date)
    (line,) = sums.of(window)
    # From 22:00 to 05:30: half an hour less than the shift.
    assert (line.minutes_open, line.rounds, line.reliefs) == (night.shift * 60 - 30, 4, 1)
    sections = {s.key: s for s in ShiftReport().sections(counted.casino, {"day": night.date})}
    (row,) = sections["figures"].rows()
    wanted = {"house": 250, "drop": 600, "result": 240, "fills": 2_000, "credits": 0}
    assert {key: row[key] for key in wanted} == {key: amount * BOB for key, amount in wanted.items()}
    told = list(sections["events"].rows())
    assert [one["at"] for one in told] == sorted(one["at"] for one in told)
    assert told[0]["at"] == night.wall("22:00")
    assert night.turn in {one["at"] for one in told}  # the relief


@pytest.mark.rule("FLOOR-01")
def test_hours_worked_are_those_that_passed(house: House, counted: TableSession, night: Night) -> None:
    found = {line.staff: line for line in hours_of(house.casino, night.date, night.date, night.wall("10:00"))}
    first, second, _ = (*house.dealers[:2], house.supervisors[0])
    whole_shift = night.shift * 60
    # All of it is night (20:00 to 06:00); the second dealer came at 22:10.
    for person, late in ((first, 0), (second, 10), (house.supervisors[0], 0)):
        line = found[person]
        assert (line.planned, line.worked, line.night, line.late_in) == (
            whole_shift,
            whole_shift - late,
            whole_shift - late,
            late,
        )
    turns = counted.assignments.filter(post="dealer").order_by("pk")
    assert [(turn.staff, hours.minutes(turn.during.lower, turn.during.upper)) for turn in turns] == [
        (first, night.dealt[0]),
        (second, night.dealt[1]),
    ]


@pytest.mark.rule("REC-06")
def test_the_proofs_find_nothing(house: House, counted: TableSession) -> None:
    assert list(trail_faults(house.casino)) == []
    assert list(ledger_faults(house.casino)) == []
