"""The roster attacked: stated times that lie, rows somebody changed meanwhile, ends of days and months."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.urls import reverse

from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables import sessions
from tables.models import Shift, Staff
from tables.roster import clocking, grid, post, shifts
from tables.roster.proofs import roster_faults
from tests.builders import House
from tests.roster.people import PLANNED_AT, came, left, plan, rest_of, wall
from tests.roster.test_roster_pages import client as page


def code_of(call: Any, **given: Any) -> str:
    with pytest.raises(SabotError) as caught:
        call(**given)
    return caught.value.code


def relieve(house: House, session: Any, staff: Staff, at: str) -> None:
    by = house.by(Role.SUPERVISOR, wall(at))
    sessions.relieve(session=session, staff=staff, post="dealer", by=by)


# -- times that are stated


@pytest.mark.rule("FLOOR-01")
def test_nobody_left_before_a_post_they_held(house: House) -> None:
    """At the table 18:30 to 20:30: neither clocked out nor corrected to 18:10, 20:29; 20:30 is true."""
    ana, _, carla = house.dealers
    plan(house, ana, "20 18:00", "21 02:00")
    came(house, ana, "20 18:00")
    session = house.open_table(dealer=1)
    relieve(house, session, ana, "20 18:30")
    out = {"staff": ana, "by": house.by(Role.SUPERVISOR, wall("20 18:10"))}
    assert code_of(clocking.clock_out, **out) == "staff_busy"  # she holds the post now
    relieve(house, session, carla, "20 20:30")
    assert code_of(clocking.clock_out, **out) == "staff_busy"
    assert code_of(clocking.clock_out, staff=ana, by=house.by(Role.SUPERVISOR, wall("20 20:29"))) == (
        "staff_busy"
    )
    shift = left(house, ana, "20 20:30")
    by = house.by(Role.PIT_BOSS, wall("21 10:00"), "corrección")
    asked: dict[str, Any] = {"shift": shift, "came": wall("20 18:00"), "by": by}
    assert code_of(clocking.correct_hours, left=wall("20 18:10"), **asked) == "staff_busy"
    assert clocking.correct_hours(left=wall("20 21:00"), **asked).left == wall("20 21:00")


def test_who_forgot_to_clock_out_is_clocked_out_though_at_a_table_the_next_day(house: House) -> None:
    """The shift of the 19th, 08:00 to 16:00, is ended on the 20th, when she deals again."""
    ana = house.dealers[0]
    plan(house, ana, "19 08:00", "19 16:00")
    came(house, ana, "19 08:00")
    house.open_table()
    assert left(house, ana, "19 16:00").state == "done"


@pytest.mark.rule("REC-07")
def test_corrected_hours_are_of_the_shift_they_correct(house: House) -> None:
    """Planned 18:00 to 02:00: an arrival from 16:00 to 01:59 may be of it."""
    ana = house.dealers[0]
    plan(house, ana, "20 18:00", "21 02:00")
    came(house, ana, "20 18:00")
    shift = left(house, ana, "21 02:00")
    by = house.by(Role.PIT_BOSS, wall("21 10:00"), "corrección")
    for at in ("20 15:59", "10 18:00", "21 02:00"):
        hours = {"came": wall(at), "left": wall(at) + dt.timedelta(hours=1)}
        assert code_of(clocking.correct_hours, shift=shift, by=by, **hours) == "bad_hours"
    first = clocking.correct_hours(shift=shift, came=wall("20 16:00"), left=wall("21 02:00"), by=by)
    assert first.came == wall("20 16:00")


def test_nobody_is_absent_from_a_shift_in_which_they_dealt(house: House) -> None:
    shift = plan(house, house.dealers[0], "20 17:00", "21 02:00")
    idle = plan(house, house.dealers[1], "20 17:00", "21 02:00")
    house.open_table()
    by = house.by(Role.SUPERVISOR, wall("20 19:00"), "no llegó")
    assert code_of(shifts.mark_absent, shift=shift, by=by) == "staff_busy"
    assert shifts.mark_absent(shift=idle, by=by).state == "absent"


@pytest.mark.rule("REC-07")
@pytest.mark.parametrize("absent", [False, True])
def test_hours_that_nobody_noted_are_noted_after_a_later_shift_was_worked(house: House, absent: bool) -> None:
    """The 18th was forgotten and found on the 20th; coming and going one by one would overlap the 19th."""
    ana = house.dealers[0]
    forgotten = plan(house, ana, "18 18:00", "18 23:00")
    if absent:
        by = house.by(Role.SUPERVISOR, wall("18 19:00"), "no llegó")
        shifts.mark_absent(shift=forgotten, by=by)
    plan(house, ana, "19 18:00", "19 23:00")
    came(house, ana, "19 18:00")
    left(house, ana, "19 23:00")
    by = house.by(Role.PIT_BOSS, wall("20 10:00"), "olvidó marcar")
    asked: dict[str, Any] = {"shift": forgotten, "came": wall("18 18:10")}
    assert code_of(clocking.correct_hours, left=wall("20 10:01"), by=by, **asked) == "bad_hours"
    done = clocking.correct_hours(left=wall("18 23:00"), by=by, **asked)
    assert (done.state, done.note, done.came) == ("done", "", wall("18 18:10"))
    assert list(roster_faults(house.casino)) == []


def test_hours_of_a_shift_under_way_or_cancelled_are_not_corrected(house: House) -> None:
    ana, berta, _ = house.dealers
    open_one = plan(house, ana, "20 18:00", "21 02:00")
    came(house, ana, "20 18:00")
    by = house.by(Role.PIT_BOSS, wall("21 10:00"), "corrección")
    gone = shifts.cancel_shift(shift=plan(house, berta, "20 18:00", "21 02:00"), by=by)
    for shift in (open_one, gone):
        asked = {"shift": shift, "came": wall("20 18:00"), "left": wall("21 01:00"), "by": by}
        assert code_of(clocking.correct_hours, **asked) == "shift_moved_on"
    # Nor is one under way called off, or given to somebody else.
    assert code_of(shifts.cancel_shift, shift=open_one, by=by) == "shift_moved_on"
    other = plan(house, house.dealers[2], "22 18:00", "23 02:00")
    both = [ana, house.dealers[2]]
    assert code_of(shifts.swap_shifts, first=open_one, second=other, agreed=both, by=by) == "shift_moved_on"


# -- rows that were read before somebody else changed them


def test_hours_are_not_corrected_on_the_stream_of_who_had_the_shift_before_a_swap(house: House) -> None:
    """Read as Ana's, swapped to Berta and worked by her: it is opened again, not told of Ana."""
    ana, berta, _ = house.dealers
    seen = plan(house, ana, "20 18:00", "21 02:00")
    other = plan(house, berta, "21 18:00", "22 02:00")
    by = house.by(Role.PIT_BOSS, PLANNED_AT)
    stale = Shift.objects.get(pk=seen.pk)
    shifts.swap_shifts(first=seen, second=other, agreed=[ana, berta], by=by)
    came(house, berta, "20 18:00")
    left(house, berta, "21 02:00")
    by = house.by(Role.PIT_BOSS, wall("21 10:00"), "corrección")
    hours = {"came": wall("20 18:00"), "left": wall("21 01:00")}
    assert code_of(clocking.correct_hours, shift=stale, by=by, **hours) == "shift_moved_on"
    assert list(roster_faults(house.casino)) == []


def test_one_shifts_page_does_not_clock_another(house: House) -> None:
    """Two shifts in a day: at 13:10 it is the afternoon's, whichever page is open."""
    ana = house.dealers[0]
    morning = plan(house, ana, "20 08:00", "20 12:00")
    afternoon = plan(house, ana, "20 13:00", "20 17:00")
    with clock.standing_at(wall("20 13:10")):
        supervisor = page(house, Role.SUPERVISOR)
        refused = supervisor.post(reverse("shift-clock", args=[morning.pk]), {"do": "in"})
        assert refused.status_code == 409
        assert "20/11 13:00" in refused.content.decode()
        assert supervisor.post(reverse("shift-clock", args=[afternoon.pk]), {"do": "in"}).status_code == 302
        refused = supervisor.post(reverse("shift-clock", args=[morning.pk]), {"do": "out"})
        assert refused.status_code == 409
    assert set(Shift.objects.values_list("pk", "state")) == {
        (morning.pk, "planned"),
        (afternoon.pk, "present"),
    }


def test_the_page_of_a_past_shift_notes_the_hours_that_nobody_did(house: House) -> None:
    shift = plan(house, house.dealers[0], "20 08:00", "20 12:00")
    place, boss = reverse("shift-plan", args=[shift.pk]), page(house, Role.PIT_BOSS)
    asked = {"do": "correct", "came": "2026-11-20T08:05", "left": "2026-11-20T12:00", "reason": "olvidó"}
    with clock.standing_at(wall("20 11:59")):
        assert "nadie marcó" not in boss.get(reverse("shift", args=[shift.pk])).content.decode()
        assert boss.post(place, asked).status_code == 422
    with clock.standing_at(wall("20 12:00")):
        shown = boss.get(reverse("shift", args=[shift.pk])).content.decode()
        assert "nadie marcó" in shown
        assert 'value="2026-11-20T08:00"' in shown
        assert boss.post(place, asked).status_code == 302
    shift.refresh_from_db()
    assert (shift.state, shift.came) == ("done", wall("20 08:05"))


# -- rest, days and months


def test_rest_counts_from_when_they_really_left(house: House) -> None:
    """Planned to 02:00, left at 08:00; the house asks 7 h after a night: 10:00 is too soon, 15:00 is not."""
    ana = house.dealers[0]
    rest_of(house, 7 * 60)
    plan(house, ana, "20 20:00", "21 02:00")
    came(house, ana, "20 20:00")
    left(house, ana, "21 08:00")
    assert code_of(plan, house=house, staff=ana, start="21 10:00", end="21 14:00") == "rest_too_short"
    plan(house, ana, "21 15:00", "21 19:00")


def test_who_is_still_on_last_night_has_not_rested(house: House) -> None:
    """Planned to 02:00 and in the house yet at 08:00: 12:00 leaves four of the seven hours asked."""
    ana = house.dealers[0]
    rest_of(house, 7 * 60)
    plan(house, ana, "20 20:00", "21 02:00")
    came(house, ana, "20 20:00")
    at = {"at": wall("21 08:00")}
    assert code_of(plan, house=house, staff=ana, start="21 12:00", end="21 16:00", **at) == "rest_too_short"


def test_who_stays_beyond_the_cut_off_is_on_shift_in_the_next_day_too(house: House) -> None:
    """Planned 20:00 to 02:00 and still at the table at 07:00: she is on a shift."""
    ana = house.dealers[0]
    plan(house, ana, "20 20:00", "21 02:00")
    plan(house, house.dealers[1], "21 10:00", "21 14:00")
    came(house, ana, "20 20:00")
    session = house.open_table(dealer=1)
    relieve(house, session, ana, "20 20:30")
    day = grid.day_by_hour(house.casino, dt.date(2026, 11, 21), wall("21 07:00"))
    row = next(one for one in day.people if one.staff == ana)
    assert [bool(cell.posts) for cell in row.cells[:2]] == [True, False]
    assert not row.off_shift


def test_the_month_of_ones_own_page_ends_with_the_month(house: House) -> None:
    """At 05:00 of 1 December, still 30 November by the cut-off: the shift of 06:00 is December's."""
    ana = house.dealers[0]
    Staff.objects.filter(pk=ana.pk).update(user=house.users[Role.CROUPIER])
    zone = dt.timezone(dt.timedelta(hours=-4))
    first = dt.datetime(2026, 12, 1, 6, tzinfo=zone)
    by = house.by(Role.PIT_BOSS, PLANNED_AT)
    shifts.plan_shift(staff=ana, start=first, end=first + dt.timedelta(hours=6), by=by)
    own = post.own_post(house.users[Role.CROUPIER], first - dt.timedelta(hours=1))
    assert own is not None and own.shift is not None
    assert (own.day, own.shift.day) == (dt.date(2026, 11, 30), dt.date(2026, 12, 1))
    assert own.month.shifts == 0
