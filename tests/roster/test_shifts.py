"""Shifts planned, changed, called off, swapped: who may work when."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audits.by import by_user
from casino.kernel import clock
from casino.kernel.errors import Conflict, NotAllowed, Refused, SabotError
from casino.kernel.permissions import Role
from casino.models import Casino, User
from tables import people
from tables.models import Shift, Staff
from tables.roster import shifts
from tables.roster.proofs import roster_faults
from tests.builders import NIGHT, House
from tests.roster.people import PLANNED_AT, plan, rest_of, wall


def refusal(call: object, *args: object, **given: object) -> SabotError:
    with pytest.raises(SabotError) as caught:
        call(*args, **given)  # type: ignore[operator]
    return caught.value


def test_a_night_over_midnight_is_one_gaming_day(house: House) -> None:
    """22:00 to 06:00 with the cut-off at 06:00: all of it is of the 20th, eight hours."""
    shift = plan(house, house.dealers[0], "20 22:00", "21 06:00", duty="croupier")
    assert (shift.day, shift.state, shift.duty) == (dt.date(2026, 11, 20), "planned", "croupier")
    morning = plan(house, house.dealers[1], "21 06:00", "21 14:00")
    assert morning.day == dt.date(2026, 11, 21)
    assert list(roster_faults(house.casino)) == []


@pytest.mark.rule("FLOOR-01")
def test_a_shift_that_overlaps_any_other_of_the_person_is_refused(house: House) -> None:
    """SHI-003: 16:00 to 20:00 shares 120 minutes with the second shift, not with the first."""
    plan(house, house.dealers[0], "20 08:00", "20 12:00")
    second = plan(house, house.dealers[0], "20 14:00", "20 18:00")
    refused = refusal(plan, house, house.dealers[0], "20 16:00", "20 20:00")
    assert (refused.code, refused.rule) == ("shift_overlaps", "FLOOR-01")
    assert refused.detail == {"conflicts": [{"shift": second.pk, "minutes": 120}], "minutes": 120}
    plan(house, house.dealers[0], "20 18:00", "20 22:00")  # the end of one is the start of the next
    plan(house, house.dealers[1], "20 16:00", "20 20:00")  # somebody else


def test_a_cancelled_shift_keeps_nobody_from_another(house: House) -> None:
    shift = plan(house, house.dealers[0], "20 14:00", "20 18:00")
    by = house.by(Role.PIT_BOSS, PLANNED_AT)
    assert refusal(shifts.cancel_shift, shift=shift, by=by).code == "reason_missing"
    shift = shifts.cancel_shift(shift=shift, by=by.because("permiso médico"))
    assert (shift.state, shift.note) == ("cancelled", "permiso médico")
    plan(house, house.dealers[0], "20 16:00", "20 20:00")
    assert refusal(shifts.cancel_shift, shift=shift, by=by.because("otra vez")).code == "shift_moved_on"
    assert list(roster_faults(house.casino)) == []


@pytest.mark.parametrize(
    ("start", "end", "rest"), [("10 20:00", "11 02:00", 14), ("11 06:00", "11 14:00", 24)]
)
def test_shi_014_the_rest_after_a_night_shift_holds_for_planned_shifts(
    house: House, start: str, end: str, rest: int
) -> None:
    """SHI-014: the night ends on the 10th at 06:00 and the house asks 24 h: 14 are refused, 24 are enough."""
    rest_of(house, 24 * 60)
    at = NIGHT - dt.timedelta(days=15)
    plan(house, house.dealers[0], "09 22:00", "10 06:00", at=at)
    if rest == 24:
        assert plan(house, house.dealers[0], start, end, at=at).state == "planned"
        return
    refused = refusal(plan, house, house.dealers[0], start, end, at=at)
    assert refused.code == "rest_too_short"
    assert (refused.detail["rest_minutes"], refused.detail["least_minutes"]) == (14 * 60, 24 * 60)


def test_the_rest_also_holds_before_a_shift_planned_earlier(house: House) -> None:
    """A night planned after the day that follows it: 21st 06:00 to 20:00 are 14 hours."""
    rest_of(house, 24 * 60)
    plan(house, house.dealers[0], "21 20:00", "21 23:00")
    assert refusal(plan, house, house.dealers[0], "20 22:00", "21 06:00").code == "rest_too_short"
    plan(house, house.dealers[0], "20 08:00", "20 14:00")  # a day shift asks for no rest


def test_a_licence_must_last_until_the_shift_ends(house: House) -> None:
    """It holds to the 20th: a night to 06:00 is of the 20th alone, one to 07:00 goes into the 21st."""
    lapsing = house.person(licence_expires=dt.date(2026, 11, 20))
    assert refusal(plan, house, lapsing, "20 22:00", "21 07:00").code == "licence_expired"
    assert plan(house, lapsing, "20 22:00", "21 06:00").pk


def test_who_is_not_in_service_is_not_planned(house: House) -> None:
    gone = house.person(active=False)
    assert refusal(plan, house, gone, "20 22:00", "21 06:00").code == "staff_not_active"


@pytest.mark.parametrize(
    ("start", "end", "code"),
    [
        ("20 22:00", "20 22:00", "bad_hours"),
        ("20 22:00", "20 18:00", "bad_hours"),
        ("20 06:00", "20 22:01", "bad_hours"),  # 16 h 01
        ("16 10:00", "16 18:00", "shift_over"),
    ],
)
def test_hours_that_cannot_be(house: House, start: str, end: str, code: str) -> None:
    assert refusal(plan, house, house.dealers[0], start, end).code == code


def test_the_cage_has_shifts_and_no_games(house: House) -> None:
    by = house.by(Role.ADMINISTRATOR, NIGHT - dt.timedelta(days=20), "ingreso")
    about: dict[str, Any] = {
        "number": "C-1",
        "name": "Germán",
        "licence": "CRED-1",
        "licence_expires": dt.date(2027, 1, 1),
    }
    cashier = people.set_staff(**about, games=[], department="cage", by=by)
    assert plan(house, cashier, "20 14:00", "20 22:00", duty="caja 1").staff.department == "cage"
    refused = refusal(people.set_staff, **about, games=["baccarat.mini"], staff=cashier, by=by)
    assert (refused.code, refused.rule) == ("not_of_the_floor", "GEN-10")
    assert (
        refusal(people.set_staff, **about, games=[], department="bar", staff=cashier, by=by).code
        == "bad_staff"
    )
    assert people.set_staff(**about, games=[], staff=cashier, by=by).department == "cage"
    assert list(roster_faults(house.casino)) == []


def test_a_week_is_planned_for_several_people_at_once(house: House) -> None:
    """Monday 23 to Sunday 29, Friday and Saturday, three people: six shifts of eight hours."""
    by = house.by(Role.PIT_BOSS, PLANNED_AT)
    pattern: dict[str, Any] = {
        "first": dt.date(2026, 11, 23),
        "last": dt.date(2026, 11, 29),
        "start": dt.time(22),
        "end": dt.time(6),
    }
    made = shifts.plan_pattern(staff=house.dealers, weekdays=[4, 5], by=by, **pattern)
    assert len(made) == 6
    assert {(shift.day.isoformat(), shift.end - shift.start) for shift in made} == {
        ("2026-11-27", dt.timedelta(hours=8)),
        ("2026-11-28", dt.timedelta(hours=8)),
    }
    assert list(roster_faults(house.casino)) == []


def test_a_pattern_is_planned_whole_or_not_at_all(house: House) -> None:
    plan(house, house.dealers[2], "27 20:00", "28 00:00")
    by = house.by(Role.PIT_BOSS, PLANNED_AT)
    pattern: dict[str, Any] = {
        "first": dt.date(2026, 11, 23),
        "last": dt.date(2026, 11, 29),
        "start": dt.time(22),
        "end": dt.time(6),
    }
    refused = refusal(shifts.plan_pattern, staff=house.dealers, weekdays=[4, 5], by=by, **pattern)
    assert refused.code == "shift_overlaps"
    assert house.dealers[2].name in refused.message.es
    assert Shift.objects.count() == 1
    assert (
        refusal(shifts.plan_pattern, staff=house.dealers, weekdays=[], by=by, **pattern).code == "bad_pattern"
    )


def test_a_pattern_keeps_the_wall_clock_where_the_clocks_change(house: House) -> None:
    """Madrid, 24 to 26 October 2026: 22:00 to 06:00 is 8, 9 and 8 hours; the 24th's night has one more."""
    Casino.objects.filter(pk=house.casino.pk).update(zone="Europe/Madrid")
    boss = User.objects.get(pk=house.users[Role.PIT_BOSS].pk)
    by = by_user(boss, occurred_at=dt.datetime(2026, 10, 20, tzinfo=dt.UTC))
    made = shifts.plan_pattern(
        staff=[Staff.objects.get(pk=house.dealers[0].pk)],
        first=dt.date(2026, 10, 23),
        last=dt.date(2026, 10, 25),
        weekdays=range(7),
        start=dt.time(22),
        end=dt.time(6),
        by=by,
    )
    assert [(shift.end - shift.start) // dt.timedelta(hours=1) for shift in made] == [8, 9, 8]
    assert [shift.day.day for shift in made] == [23, 24, 25]


def test_two_people_who_agree_swap_their_shifts(house: House) -> None:
    """Their hours overlap (18-02 and 20-04): swapped in one act, as neither could have both."""
    ana, berta, _ = house.dealers
    first, second = plan(house, ana, "20 18:00", "21 02:00"), plan(house, berta, "20 20:00", "21 04:00")
    by = house.by(Role.PIT_BOSS, PLANNED_AT)
    assert (
        refusal(shifts.swap_shifts, first=first, second=second, agreed=[ana], by=by).code == "swap_not_agreed"
    )
    one, other = shifts.swap_shifts(first=first, second=second, agreed=[berta, ana], by=by)
    assert (one.pk, one.staff, other.staff) == (first.pk, berta, ana)
    assert set(Shift.objects.values_list("pk", "staff_id")) == {(first.pk, berta.pk), (second.pk, ana.pk)}
    assert list(roster_faults(house.casino)) == []


def test_a_swap_is_refused_where_either_may_not_work_those_hours(house: House) -> None:
    ana, berta, _ = house.dealers
    first, second = plan(house, ana, "20 18:00", "21 02:00"), plan(house, berta, "21 18:00", "22 02:00")
    plan(house, ana, "21 14:00", "21 19:00")
    by = house.by(Role.PIT_BOSS, PLANNED_AT)
    assert (
        refusal(shifts.swap_shifts, first=first, second=second, agreed=[ana, berta], by=by).code
        == "shift_overlaps"
    )
    assert refusal(shifts.swap_shifts, first=first, second=first, agreed=[ana], by=by).code == "bad_swap"


def test_only_who_plans_may_plan(house: House) -> None:
    by = house.by(Role.SUPERVISOR, PLANNED_AT)
    with pytest.raises(NotAllowed):
        shifts.plan_shift(staff=house.dealers[0], start=NIGHT, end=NIGHT + dt.timedelta(hours=8), by=by)


def test_the_database_refuses_what_the_code_does(house: House) -> None:
    """Two shifts at once, a shift of somebody that is over and altered, and one deleted."""
    shift = plan(house, house.dealers[0], "20 18:00", "21 02:00")
    double = Shift(casino=house.casino, staff=house.dealers[0], day=shift.day, planned=shift.planned)
    for act in (
        double.save,
        Shift.objects.filter(pk=shift.pk).delete,
        lambda: Shift.objects.filter(pk=shift.pk).update(state="done"),
        lambda: Shift.objects.filter(pk=shift.pk).update(state="cancelled"),  # without its reason
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            act()
    shifts.cancel_shift(shift=shift, by=house.by(Role.PIT_BOSS, PLANNED_AT, "permiso"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Shift.objects.filter(pk=shift.pk).update(state="planned")


def test_the_proof_tells_of_a_row_that_was_altered(house: House) -> None:
    shift = plan(house, house.dealers[0], "20 18:00", "21 02:00")
    Shift.objects.filter(pk=shift.pk).update(duty="otra", day=dt.date(2026, 11, 19))
    fault = next(iter(roster_faults(house.casino)))
    assert fault.where == f"shift:{shift.pk}"
    assert fault.words.en.endswith(": day, said")


def test_a_changed_shift_has_its_reason_and_its_new_day(house: House) -> None:
    shift = plan(house, house.dealers[0], "20 18:00", "21 02:00")
    by = house.by(Role.PIT_BOSS, PLANNED_AT)
    asked: dict[str, Any] = {"shift": shift, "start": wall("21 06:00"), "end": wall("21 14:00")}
    assert refusal(shifts.change_shift, **asked, by=by).code == "reason_missing"
    changed = shifts.change_shift(**asked, by=by.because("cubre la mañana"))
    assert (changed.day, changed.start) == (dt.date(2026, 11, 21), wall("21 06:00"))
    assert list(roster_faults(house.casino)) == []
    assert isinstance(
        refusal(shifts.change_shift, **asked | {"end": wall("21 05:00")}, by=by.because("x")), Refused
    )


def test_nothing_is_planned_over_a_year_ahead(house: House) -> None:
    far = NIGHT + dt.timedelta(days=400)
    by = house.by(Role.PIT_BOSS, PLANNED_AT)
    asked: dict[str, Any] = {
        "staff": house.dealers[0],
        "start": far,
        "end": far + dt.timedelta(hours=8),
        "by": by,
    }
    assert refusal(shifts.plan_shift, **asked).code == "bad_hours"
    assert isinstance(refusal(plan, house, house.person(active=False), "20 10:00", "20 12:00"), Refused)
    assert not isinstance(refusal(shifts.plan_shift, **asked), Conflict)
    assert clock.now() > NIGHT
