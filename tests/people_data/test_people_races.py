"""A hold put while the job is at work, the job run twice at once, a flood of refusals by many hands: on a
database that commits."""

from __future__ import annotations

import pytest

from audits.models import Pseudonym, Refusal
from audits.models.refusals import MOST_A_MINUTE
from audits.persons import erasing, retention
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables.guests import seats
from tables.models import Guest, SeatTaking
from tests.builders import House, a_house
from tests.guests.builders import guest
from tests.people_data.builders import LATER, faults, held, order
from tests.races.racing import race

pytestmark = pytest.mark.race


@pytest.fixture
def house(transactional_db: None) -> House:
    return a_house()


def at_work(given: erasing.ErasureOrder) -> int:
    with clock.standing_at(LATER):
        return erasing.carry_out(given)


@pytest.mark.rule("REC-12")
def test_the_job_twice_at_once_gives_each_one_pseudonym(house: House) -> None:
    people = [guest(house, name) for name in ("Ana Poma", "Luis Rojas", "Eva Paz")]
    given = order(house, "guest")
    done = race(lambda: at_work(given), lambda: at_work(given))
    assert sum(done) == Pseudonym.objects.count() == len(people)
    assert faults(house) == []


@pytest.mark.rule("REC-12")
def test_a_hold_and_the_job_at_once_leave_one_or_the_other(house: House) -> None:
    ana = guest(house, "Ana Poma")
    given = order(house, "guest")
    done, hold = race(lambda: at_work(given), lambda: held(house, "guest", ana.pk, LATER))
    named = Guest.objects.get(pk=ana.pk).name == "Ana Poma"
    # Held first: still named. Carried out first: the hold stands on the pseudonym.
    assert (done == 0) == named and not isinstance(hold, SabotError)
    assert named != Pseudonym.objects.exists()
    assert faults(house) == []


@pytest.mark.rule("REC-12")
def test_somebody_sits_down_while_the_job_is_at_work(house: House) -> None:
    session, ana = house.open_table(), guest(house, "Ana Poma")
    given = order(house, "guest")

    def sit() -> object:
        return seats.seat(session=session, seat=1, guest=ana, alias="", by=house.by(Role.SUPERVISOR))

    done, _seated = race(lambda: at_work(given), sit)
    assert SeatTaking.objects.exists() != Pseudonym.objects.exists()
    assert done == Pseudonym.objects.count()
    assert faults(house) == []


def test_refusals_of_many_hands_stay_within_their_bound(house: House) -> None:
    def too_short() -> None:
        with clock.standing_at(LATER):
            retention.set_period(kind="guest", years=1, by=house.by(Role.COMPLIANCE, LATER, "x y z"))

    def some() -> None:
        for _ in range(6):
            with pytest.raises(SabotError):
                too_short()

    race(some, some, some)
    kept = list(Refusal.objects.filter(rule="REC-12").order_by("nth").values_list("nth", flat=True))
    assert 1 <= len(kept) <= MOST_A_MINUTE and kept == sorted(set(kept))
