"""Minutes at the tables: in a row, at one table, rests, and when a relief is due."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.kernel.permissions import Role
from tables import roster, sessions
from tables.roster import grid, presence, turns
from tables.roster.post import own_post
from tables.roster.turns import Limits, Turn
from tests.builders import NIGHT, House
from tests.roster.people import came, plan, wall

LIMITS = Limits(in_a_row=60, rest=20, same_table=180)


def clock_at(minute: int) -> dt.datetime:
    return NIGHT + dt.timedelta(minutes=minute)


def worked(*spans: tuple[str, int, int | None], post: str = "dealer") -> list[Turn]:
    """Turns `(table, from minute, to minute)` of one person."""
    return [Turn(table, post, clock_at(a), None if b is None else clock_at(b)) for table, a, b in spans]


@pytest.mark.rule("FLOOR-03")
def test_time_in_a_row_goes_on_through_a_pause_that_is_no_rest() -> None:
    """40 at A, 5 away, at B for 15: 55 in a row, five left. With 20 away it would be 15."""
    found = turns.stand(worked(("A", 0, 40), ("B", 45, None)), clock_at(60), LIMITS)
    assert (found.in_a_row, found.left, found.due, found.last_rest) == (55, 5, clock_at(65), None)
    rested = turns.stand(worked(("A", 0, 40), ("B", 60, None)), clock_at(75), LIMITS)
    assert (rested.in_a_row, rested.left, rested.last_rest) == (15, 45, clock_at(60))


@pytest.mark.rule("FLOOR-03")
def test_over_an_hour_is_flagged_and_an_hour_is_not() -> None:
    at_limit, over = (turns.stand(worked(("A", 0, None)), clock_at(m), LIMITS) for m in (60, 62))
    assert (at_limit.over, at_limit.words) == (False, None)
    assert (over.over, over.left, over.rule) == (True, -2, "FLOOR-03")
    assert over.words is not None
    assert over.words.es == "62 min seguidos: relévela"


@pytest.mark.parametrize(("stay", "allowed"), [(180, True), (181, False), (95, True)])
def test_shi_013_three_hours_are_the_ceiling_at_one_table(stay: int, allowed: bool) -> None:
    """SHI-013, over real turns: an hour at A and half an hour off, again and again, is one stay."""
    spans = [("A", 0, 60), ("A", 90, 150), ("A", 170, None)] if stay > 95 else [("A", 0, 60), ("A", 90, None)]
    found = turns.stand(worked(*spans), clock_at(stay), LIMITS)
    assert found.at_table == stay
    assert (not (found.over and found.rule == turns.SAME_TABLE)) is allowed


@pytest.mark.parametrize(
    "spans",
    [
        [("A", 0, 60), ("B", 80, 140), ("A", 160, None)],  # another table between
        [("A", 0, 60), ("A", 160, None)],  # an hour and more off the felt
    ],
)
def test_another_table_or_a_long_rest_begins_a_new_stay(spans: list[tuple[str, int, int | None]]) -> None:
    assert turns.stand(worked(*spans), clock_at(170), LIMITS).at_table == 10


def test_who_rests_has_no_table_and_nothing_due() -> None:
    """Fifteen minutes off after 50: the 50 still stand; from 20 on they are gone."""
    short, whole = (turns.stand(worked(("A", 0, 50)), clock_at(m), LIMITS) for m in (65, 70))
    assert (short.table, short.due, short.in_a_row, short.rested) == ("", None, 50, 15)
    assert (whole.in_a_row, whole.rested) == (0, 20)


def test_a_supervisor_is_not_asked_to_leave_after_an_hour() -> None:
    found = turns.stand(worked(("A", 0, None), post="supervisor"), clock_at(300), LIMITS)
    assert (found.in_a_row, found.due, found.over) == (300, None, False)
    assert turns.stand([], NIGHT, LIMITS) == turns.Standing()


@pytest.mark.rule("FLOOR-03")
def test_the_floor_stands_as_its_turns_say_in_two_queries(house: House) -> None:
    session = house.open_table()
    sessions.relieve(
        session=session, staff=house.dealers[1], post="dealer", by=house.by(Role.SUPERVISOR, clock_at(30))
    )
    with CaptureQueriesContext(
        connection,
    ) as asked:
        found = turns.standing(house.casino, clock_at(95))
    assert len(asked) == 2
    assert (found[house.dealers[0].pk].rested, found[house.dealers[0].pk].in_a_row) == (65, 0)
    second = found[house.dealers[1].pk]
    assert (second.table, second.in_a_row, second.left) == (session.table.name, 65, -5)
    assert found[house.supervisors[0].pk].in_a_row == 95
    assert house.dealers[2].pk not in found


def test_a_post_without_a_shift_is_flagged_only_where_shifts_are_planned(house: House) -> None:
    session = house.open_table()
    assert presence.posts_off_shift(house.casino, clock_at(1)) == []
    plan(house, house.supervisors[0], "20 17:00", "21 01:00")
    came(house, house.supervisors[0], "20 17:00")
    bare = presence.posts_off_shift(house.casino, clock_at(1))
    assert [(one.staff, one.table, one.post) for one in bare] == [
        (house.dealers[0], session.table.name, "dealer")
    ]


def test_those_in_the_house_are_offered_first(house: House) -> None:
    plan(house, house.dealers[2], "20 17:00", "21 01:00")
    came(house, house.dealers[2], "20 17:00")
    from tables.models import Staff

    people = Staff.objects.filter(pk__in=[one.pk for one in house.dealers])
    offered = list(presence.present_first(people, house.casino))
    assert offered[0] == house.dealers[2]
    assert [one.on_shift for one in offered] == [True, False, False]


def test_ones_own_post_tells_what_is_left_and_what_comes_next(house: House) -> None:
    """On since 18:00, asked at 18:40: 20 minutes left. The plan, once there is one, says what is next."""
    user = house.users[Role.CROUPIER]
    assert own_post(user, NIGHT) is None
    ana = house.dealers[0]
    ana.user = user
    type(ana).objects.filter(pk=ana.pk).update(user=user)
    shift = plan(house, ana, "20 17:00", "21 01:00")
    came(house, ana, "20 17:00")
    later = plan(house, ana, "22 17:00", "23 01:00")
    session = house.open_table()
    found = own_post(user, clock_at(40))
    assert found is not None
    assert (found.standing.table, found.standing.left, found.shift) == (session.table.name, 20, shift)
    assert (found.coming, found.month.worked) == ((later,), 100)
    assert found.next is None


def test_a_shift_that_begins_before_the_cut_off_is_ones_own_before_its_day_does(house: House) -> None:
    """05:00 to 13:00 is of the 21st; asked at 05:10, still the 20th, it is the shift to clock in for."""
    ana = house.dealers[0]
    type(ana).objects.filter(pk=ana.pk).update(user=house.users[Role.CROUPIER])
    shift = plan(house, ana, "21 05:00", "21 13:00")
    found = own_post(house.users[Role.CROUPIER], wall("21 05:10"))
    assert found is not None
    assert (shift.day, found.day) == (dt.date(2026, 11, 21), dt.date(2026, 11, 20))
    assert (found.shift, found.month.shifts) == (shift, 1)
    early = own_post(house.users[Role.CROUPIER], wall("21 02:50"))
    assert early is not None
    assert (early.shift, early.coming) == (None, (shift,))
    came(house, ana, "21 05:10")
    assert presence.plans_shifts(house.casino, dt.date(2026, 11, 20))
    row = grid.day_by_hour(house.casino, dt.date(2026, 11, 20), wall("21 05:30")).people[0]
    assert [place for place, cell in enumerate(row.cells) if cell.present] == [23]


def test_the_plan_of_posts_is_asked_through_one_door(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster, "_plan", [])
    assert roster.next_post(house.dealers[0], NIGHT) is None
    planned = roster.NextPost(NIGHT, "PB-01", "dealer")
    roster.register_plan(lambda staff, instant: planned if staff == house.dealers[0] else None)
    assert roster.next_post(house.dealers[0], NIGHT) == planned
    assert roster.next_post(house.dealers[1], NIGHT) is None
