"""Who stands with whom, and the hours of a month, to the minute."""

from __future__ import annotations

import datetime as dt
from typing import Any

from casino.kernel import clock
from casino.kernel.permissions import Role
from tables import sessions
from tables.guests import seats
from tables.models import Staff
from tables.roster import exposure, shifts
from tables.roster.reports import ExposureReport, HoursReport
from tests.builders import NATURAL, NIGHT, House
from tests.guests.builders import guest, sit
from tests.roster.people import came, left, plan

DAY = dt.date(2026, 11, 20)


def minute(number: int) -> dt.datetime:
    return NIGHT + dt.timedelta(minutes=number)


def an_evening(house: House) -> None:
    """Ana deals 0-150 before the first supervisor, 150-180 before the second, with three rounds in her time;
    then Berta deals to 240. Two of Ana's rounds were before the first supervisor.
    """
    session = house.open_table(at=NIGHT)
    for at in (10, 20):
        house.log(session, NATURAL, at=minute(at))
    relieve(house, session, house.supervisors[1], "supervisor", 150)
    house.log(session, NATURAL, at=minute(160))
    relieve(house, session, house.dealers[1], "dealer", 180)
    house.log(session, NATURAL, at=minute(200))


def relieve(house: House, session: Any, staff: Staff, post: str, at: int) -> None:
    sessions.relieve(session=session, staff=staff, post=post, by=house.by(Role.SUPERVISOR, minute(at)))


def test_minutes_and_rounds_of_croupiers_before_supervisors(house: House) -> None:
    """Ana: 180 min in all, 150 with the first (83,33 %), 30 with the second (16,66 %); Berta: her 60."""
    an_evening(house)
    found = list(exposure.pairs(house.casino, ("croupier", "supervisor"), DAY, DAY, minute(240)))
    ana, berta, _ = (one.name for one in house.dealers)
    first, second = (one.name for one in house.supervisors)
    told = {(one.name, one.other_name): (one.minutes, one.rounds, one.whole, one.share) for one in found}
    assert told == {
        (ana, first): (150, 2, 180, 8333),
        (ana, second): (30, 1, 180, 1666),
        (berta, second): (60, 1, 60, 10_000),
    }
    # Berta's 60 minutes are all with one supervisor, and too few to mean anything.
    assert [one.name for one in found if one.concentrated()] == [ana]
    assert [one.name for one in found if one.concentrated(share=90)] == []


def test_a_turn_that_goes_on_is_counted_to_now_and_cut_at_the_day(house: House) -> None:
    """The 20th ends at 06:00 La Paz, twelve hours after `NIGHT`: what goes on is cut there."""
    house.open_table(at=NIGHT)
    kinds = ("croupier", "supervisor")
    assert [one.minutes for one in exposure.pairs(house.casino, kinds, DAY, DAY, minute(45))] == [45]
    assert [one.minutes for one in exposure.pairs(house.casino, kinds, DAY, DAY, minute(2000))] == [720]
    before = DAY - dt.timedelta(days=1)
    assert list(exposure.pairs(house.casino, kinds, before, before, minute(45))) == []


def test_the_report_flags_from_the_share_that_is_asked(house: House) -> None:
    an_evening(house)
    report = ExposureReport()
    for share, flags in ((None, ["concentrado", "", ""]), (90, ["", "", ""])):
        section = report.sections(house.casino, {"first": DAY, "last": DAY, "share": share})[0]
        with clock.standing_at(minute(240)):
            assert [str(getattr(row["flag"], "es", row["flag"])) for row in section.rows()] == flags


def test_the_hours_of_a_month_by_person(house: House) -> None:
    """Ana: planned 8 h + 8 h, worked 7 h 50 of the first (ten late), absent on none, the second still ahead.
    18:10 to 02:00 has six hours of night (from 20:00). Berta: one cancelled.
    """
    ana, berta, _ = house.dealers
    plan(house, ana, "20 18:00", "21 02:00")
    plan(house, ana, "22 18:00", "23 02:00")
    came(house, ana, "20 18:10")
    left(house, ana, "21 02:00")
    by = house.by(Role.PIT_BOSS, NIGHT, "permiso")
    shifts.cancel_shift(shift=plan(house, berta, "22 18:00", "23 02:00"), by=by)
    params = {"first": dt.date(2026, 11, 1), "last": dt.date(2026, 11, 30)}
    report = HoursReport()
    rows = {row["name"]: row for row in report.rows(house.casino, params)}
    row = rows[ana.name]
    assert (row["shifts"], row["planned"], row["worked"], row["difference"]) == (2, 960, 470, -10)
    assert (row["night"], row["late"], row["early"], row["absences"]) == (360, 10, 0, 0)
    assert (rows[berta.name]["shifts"], rows[berta.name]["cancelled"]) == (0, 1)
    totals = report.totals(house.casino, params)
    assert (totals["shifts"], totals["planned"], totals["worked"], totals["cancelled"]) == (2, 960, 470, 1)


def test_a_player_known_by_document_is_paired_with_who_dealt_and_watched(house: House) -> None:
    """Sits 30-120 of Ana's 0-150: 90 of 150 minutes (60 %), before one supervisor; not the anonymous."""
    session = house.open_table(at=NIGHT)
    known = guest(house)
    taking = sit(house, session, 1, known, at=minute(30))
    sit(house, session, 2, alias="Anónimo", at=minute(30))
    house.log(session, NATURAL, at=minute(40))
    seats.leave(taking=taking, by=house.by(Role.SUPERVISOR, minute(120)))
    house.log(session, NATURAL, at=minute(130))
    for kinds, name in (
        (("croupier", "player"), house.dealers[0]),
        (("supervisor", "player"), house.supervisors[0]),
    ):
        found = list(exposure.pairs(house.casino, kinds, DAY, DAY, minute(150)))
        told = [(one.name, one.other_name, one.minutes, one.rounds, one.whole, one.share) for one in found]
        assert told == [(name.name, known.name, 90, 1, 150, 6000)]
