"""People and their shifts, wanted twice at once: one wins."""

from __future__ import annotations

import pytest

from casino.kernel.errors import Conflict, SabotError
from casino.kernel.permissions import Role
from tables import sessions
from tables.models import Assignment, Shift
from tables.roster import clocking, shifts
from tables.roster.proofs import roster_faults
from tests.builders import NIGHT, House
from tests.races.racing import race
from tests.roster.people import PLANNED_AT, plan, wall

pytestmark = pytest.mark.race


def one_won(answers: list[object]) -> SabotError:
    refusals = [answer for answer in answers if isinstance(answer, SabotError)]
    assert len(refusals) == len(answers) - 1, answers
    assert all(isinstance(refusal, Conflict) for refusal in refusals)
    return refusals[0]


@pytest.mark.rule("FLOOR-01")
@pytest.mark.parametrize("attempt", range(2))
def test_one_croupier_is_put_on_posts_from_two_tablets(house: House, attempt: int) -> None:
    first = house.open_table(dealer=0, supervisor=0)
    second = house.open_table(dealer=1, supervisor=1)
    by = house.by(Role.SUPERVISOR, NIGHT.replace(minute=30))
    wanted = house.dealers[2]
    answers = race(
        *[
            lambda s=s: sessions.relieve(session=s, staff=wanted, post="dealer", by=by)
            for s in (first, second)
        ]
    )
    assert one_won(answers).code == "staff_busy"
    assert Assignment.objects.filter(staff=wanted, during__endswith=None).count() == 1
    # The table that lost kept its dealer: no post is empty.
    assert Assignment.objects.filter(post="dealer", during__endswith=None).count() == 2


def test_two_shifts_that_overlap_are_planned_at_once(house: House) -> None:
    by = house.by(Role.PIT_BOSS, PLANNED_AT)
    spans = [(wall("20 18:00"), wall("21 02:00")), (wall("20 20:00"), wall("21 04:00"))]
    answers = race(
        *[lambda s=s: shifts.plan_shift(staff=house.dealers[0], start=s[0], end=s[1], by=by) for s in spans]
    )
    assert one_won(answers).code == "shift_overlaps"
    assert Shift.objects.count() == 1
    assert list(roster_faults(house.casino)) == []


def test_two_swaps_and_two_arrivals_of_the_same_people(house: House) -> None:
    ana, berta, _ = house.dealers
    one, other = plan(house, ana, "20 18:00", "21 02:00"), plan(house, berta, "20 20:00", "21 04:00")
    by = house.by(Role.PIT_BOSS, PLANNED_AT)
    pairs = [(one, other), (other, one)]
    answers = race(
        *[lambda p=p: shifts.swap_shifts(first=p[0], second=p[1], agreed=[ana, berta], by=by) for p in pairs]
    )
    assert one_won(answers).code == "shift_moved_on"
    assert dict(Shift.objects.values_list("pk", "staff_id")) == {one.pk: berta.pk, other.pk: ana.pk}
    at = house.by(Role.SUPERVISOR, NIGHT)
    assert one_won(race(*[lambda: clocking.clock_in(staff=berta, by=at)] * 2)).code == "shift_open"
    assert list(roster_faults(house.casino)) == []


def test_somebody_comes_while_a_chief_notes_them_absent_or_gives_their_shift_away(house: House) -> None:
    """One of the two is first; who is second is told that the shift moved on, or that there is none."""
    ana, berta, _ = house.dealers
    one, other = plan(house, ana, "20 18:00", "21 02:00"), plan(house, berta, "22 18:00", "23 02:00")
    note, boss = house.by(Role.SUPERVISOR, NIGHT, "no llegó"), house.by(Role.PIT_BOSS, NIGHT)
    answers = race(
        lambda: clocking.clock_in(staff=ana, by=note),
        lambda: shifts.swap_shifts(first=one, second=other, agreed=[ana, berta], by=boss),
    )
    refused = [answer.code for answer in answers if isinstance(answer, SabotError)]
    assert refused in (["shift_moved_on"], ["no_shift"])
    mine = plan(house, house.dealers[2], "20 18:00", "21 02:00")
    answers = race(
        lambda: clocking.clock_in(staff=house.dealers[2], by=note),
        lambda: shifts.mark_absent(shift=mine, by=note),
    )
    # Absent and then come after all, or come and not absent any more.
    mine.refresh_from_db()
    refused = [answer.code for answer in answers if isinstance(answer, SabotError)]
    assert (mine.state, refused) in (("present", []), ("present", ["shift_moved_on"]))
    assert list(roster_faults(house.casino)) == []


def test_hours_of_two_shifts_are_corrected_onto_each_other_at_once(house: House) -> None:
    """08-12 and 13-17: the first to 13:30 and the second from 12:30; one of them is refused."""
    ana = house.dealers[0]
    done = []
    for start, end in (("20 08:00", "20 12:00"), ("20 13:00", "20 17:00")):
        plan(house, ana, start, end)
        clocking.clock_in(staff=ana, by=house.by(Role.SUPERVISOR, wall(start)))
        done.append(clocking.clock_out(staff=ana, by=house.by(Role.SUPERVISOR, wall(end))))
    by = house.by(Role.PIT_BOSS, wall("21 10:00"), "corrección")
    spans = (("20 08:00", "20 13:30"), ("20 12:30", "20 17:00"))
    answers = race(
        *[
            lambda s=s, span=span: clocking.correct_hours(
                shift=s, came=wall(span[0]), left=wall(span[1]), by=by
            )
            for s, span in zip(done, spans, strict=True)
        ]
    )
    assert one_won(answers).code == "hours_overlap"
    assert list(roster_faults(house.casino)) == []
