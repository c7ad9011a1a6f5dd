"""Coming and going: the hours worked, late and absent, and whose business it is to note them."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from casino.kernel import clock
from casino.kernel.errors import NotAllowed, SabotError
from casino.kernel.permissions import Role
from tables import people
from tables.roster import clocking, shifts, sums
from tables.roster.proofs import roster_faults
from tests.builders import NIGHT, House
from tests.roster.people import came, left, plan, rest_of, wall


def code_of(call: object, *args: object, **given: object) -> str:
    with pytest.raises(SabotError) as caught:
        call(*args, **given)  # type: ignore[operator]
    return caught.value.code


def test_shi_006_an_out_in_the_morning_ends_the_night_shift(house: House) -> None:
    """In 18:30, out 07:10, planned 18:00 to 07:00 and another from 14:00: 760 minutes, 10 late out."""
    ana = house.dealers[0]
    rest_of(house, 7 * 60)
    night = plan(house, ana, "20 18:00", "21 07:00")
    later = plan(house, ana, "21 14:00", "21 20:00")
    assert came(house, ana, "20 18:30").pk == night.pk
    done = left(house, ana, "21 07:10")
    assert (done.pk, done.state, done.day) == (night.pk, "done", dt.date(2026, 11, 20))
    later.refresh_from_db()
    assert later.state == "planned"
    line = sums.hours_of(house.casino, dt.date(2026, 11, 20), dt.date(2026, 11, 20), NIGHT)[0]
    assert (line.worked, line.late_in, line.late_out, line.early_out) == (760, 30, 10, 0)
    assert (line.planned, line.difference) == (780, -20)


def test_who_came_cannot_come_again_and_who_left_has_left(house: House) -> None:
    ana = house.dealers[0]
    assert code_of(left, house, ana, "20 19:00") == "not_clocked_in"
    assert code_of(came, house, ana, "20 19:00") == "no_shift"
    plan(house, ana, "20 18:00", "21 02:00")
    came(house, ana, "20 17:50")
    assert code_of(came, house, ana, "20 19:00") == "shift_open"
    assert code_of(left, house, ana, "20 17:50") == "bad_hours"
    left(house, ana, "21 02:00")
    assert code_of(came, house, ana, "21 03:00") == "no_shift"
    assert list(roster_faults(house.casino)) == []


def test_who_did_not_come_may_come_later(house: House) -> None:
    """Absent from the beginning on, not before; coming at 19:10 undoes it: 70 minutes late."""
    ana = house.dealers[0]
    shift = plan(house, ana, "20 18:00", "21 02:00")
    by = house.by(Role.SUPERVISOR, wall("20 17:59"), "no llegó")
    assert code_of(shifts.mark_absent, shift=shift, by=by) == "not_begun"
    by = house.by(Role.SUPERVISOR, wall("20 18:30"), "no llegó")
    assert shifts.mark_absent(shift=shift, by=by).note == "no llegó"
    line = sums.hours_of(house.casino, dt.date(2026, 11, 20), dt.date(2026, 11, 20), wall("20 18:40"))[0]
    assert (line.absences, line.worked) == (1, 0)
    assert came(house, ana, "20 19:10").note == ""
    line = sums.hours_of(house.casino, dt.date(2026, 11, 20), dt.date(2026, 11, 20), wall("20 20:10"))[0]
    assert (line.absences, line.worked, line.late_in) == (0, 60, 70)
    assert list(roster_faults(house.casino)) == []


@pytest.mark.rule("FLOOR-01")
def test_nobody_leaves_the_house_from_a_post(house: House) -> None:
    plan(house, house.dealers[0], "20 17:00", "21 02:00")
    came(house, house.dealers[0], "20 17:00")
    session = house.open_table()
    with pytest.raises(SabotError) as caught:
        left(house, house.dealers[0], "20 19:00")
    assert (caught.value.code, caught.value.rule) == ("staff_busy", "FLOOR-01")
    assert session.table.name in caught.value.message.es


def test_people_note_their_own_hours_as_they_happen(house: House) -> None:
    """A croupier states no instant: it is now, whatever is sent; and never for somebody else."""
    user = house.users[Role.CROUPIER]
    ana = house.dealers[0]
    admin = house.by(Role.ADMINISTRATOR, NIGHT, "su usuario")
    people.set_staff(
        number=ana.number, name=ana.name, licence=ana.licence, licence_expires=ana.licence_expires,
        games=ana.games, user=user, staff=ana, by=admin,
    )  # fmt: skip
    ana.refresh_from_db()
    plan(house, ana, "20 18:00", "21 02:00")
    plan(house, house.dealers[1], "20 18:00", "21 02:00")
    with clock.standing_at(wall("20 18:05")):
        with pytest.raises(NotAllowed) as caught:
            clocking.clock_in(staff=house.dealers[1], by=house.by(Role.CROUPIER, wall("20 18:00")))
        assert caught.value.code == "not_own"
        shift = clocking.clock_in(staff=ana, by=house.by(Role.CROUPIER, wall("20 17:00")))
    assert shift.came == wall("20 18:05")
    with pytest.raises(NotAllowed):
        shifts.mark_absent(shift=shift, by=house.by(Role.CROUPIER, NIGHT, "yo"))


@pytest.mark.rule("REC-07")
def test_hours_of_a_shift_that_is_over_are_corrected_with_a_reason(house: House) -> None:
    """It was forgotten to note 02:00; the trail keeps the 03:30 that stood there."""
    ana = house.dealers[0]
    plan(house, ana, "20 18:00", "21 02:00")
    came(house, ana, "20 18:00")
    shift = left(house, ana, "21 03:30")
    by = house.by(Role.PIT_BOSS, wall("21 10:00"))
    hours: dict[str, Any] = {"shift": shift, "came": wall("20 18:00"), "left": wall("21 02:00")}
    assert code_of(clocking.correct_hours, **hours, by=by) == "reason_missing"
    assert (
        code_of(clocking.correct_hours, **hours | {"left": wall("21 11:00")}, by=by.because("x"))
        == "bad_hours"
    )
    assert clocking.correct_hours(**hours, by=by.because("salió a las 2")).left == wall("21 02:00")
    line = sums.hours_of(house.casino, dt.date(2026, 11, 20), dt.date(2026, 11, 20), NIGHT)[0]
    # 18:00 to 02:00 is 480; from 20:00 on it is night, as the house's hours say: 360.
    assert (line.worked, line.night, line.late_out) == (480, 360, 0)
    assert list(roster_faults(house.casino)) == []


def test_corrected_hours_do_not_overlap_another_shift(house: House) -> None:
    ana = house.dealers[0]
    for start, end in (("20 08:00", "20 12:00"), ("20 13:00", "20 17:00")):
        plan(house, ana, start, end)
        came(house, ana, start)
        shift = left(house, ana, end)
    by = house.by(Role.PIT_BOSS, wall("21 10:00"), "corrección")
    code = code_of(clocking.correct_hours, shift=shift, came=wall("20 11:00"), left=wall("20 17:00"), by=by)
    assert code == "hours_overlap"
