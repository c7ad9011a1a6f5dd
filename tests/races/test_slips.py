"""Slips written by many at once: numbers without a gap, one winner of two taps, no chip given out twice."""

from __future__ import annotations

import datetime as dt

import pytest

from audits import ledger
from audits.by import by_user
from audits.verify import Fault
from casino.kernel import clock
from casino.kernel.commands import sharing_transaction
from casino.kernel.errors import Conflict, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import NumberSeries
from tables import openings
from tables.models import Slip, TableSession
from tables.money import chip_counts, inventory, slip_proofs, slips
from tests.builders import BOB, FLOAT, NIGHT, House
from tests.money.slip_builders import FILL, FILL_TOTAL, LATER, NOON, Counter, a_desk, another, stocked
from tests.races.racing import race

pytestmark = pytest.mark.race

MIDNIGHT = dt.datetime(2027, 1, 1, 4, 0, tzinfo=dt.UTC)
"""New year in La Paz."""


def faults(house: House) -> list[Fault]:
    return [*slip_proofs.slip_trail_faults(house.casino), *slip_proofs.slip_money_faults(house.casino)]


def counters(house: House, many: int) -> list[Counter]:
    """So many tables in play, with one desk; games without cards, to open them fast."""
    desk = a_desk(house)
    limits = {"red": (5 * BOB, 100 * BOB)}
    made = []
    for _ in range(many):
        table = house.table(game="roulette.single_zero", limits=limits)
        dealer = house.person(games=["roulette.single_zero"])
        chief = house.person(supervises=True, games=["roulette.single_zero"])
        session = openings.open_session(
            table=table,
            shoe=None,
            chips_counted=FLOAT,
            dealer=dealer,
            supervisor=chief,
            by=house.by(Role.SUPERVISOR, NIGHT),
        )
        made.append(Counter(house, session, desk))
    return made


@pytest.mark.rule("FLOOR-07")
def test_numbers_are_gapless_for_sixteen_writers_over_new_year(house: House) -> None:
    """Four tables, sixteen writers of two slips each; every fourth slip is taken back before it is kept. Two
    tables write before midnight, two after: 12 fills each year, numbered 1 to 12."""
    tables = counters(house, 4)

    def write(nth: int) -> list[str]:
        counter, kept = tables[nth % 4], []
        at = MIDNIGHT + dt.timedelta(minutes=1 if nth % 2 else -1)
        with clock.standing_at(MIDNIGHT + dt.timedelta(hours=1)):
            for turn in range(2):
                try:
                    with sharing_transaction():
                        slip = counter.ask(chips={25 * BOB: 1 + nth + 16 * turn}, at=at)
                        if (nth // 4 + 4 * turn) % 4 == 0:
                            raise SabotError(Text("se arrepintió", "changed their mind"))
                    kept.append(slip.label)
                except SabotError as refusal:
                    assert refusal.code == "refused"
        return kept

    answers = race(*[lambda nth=nth: write(nth) for nth in range(16)])
    labels = sorted(label for answer in answers for label in answer)
    assert labels == [f"F-{year}-{number:06d}" for year in (2026, 2027) for number in range(1, 13)]
    assert dict(NumberSeries.objects.filter(series="fill").values_list("year", "last")) == {
        2026: 12,
        2027: 12,
    }
    assert faults(house) == []


def test_two_taps_ask_once(house: House) -> None:
    (counter,) = counters(house, 1)
    answers = race(*[counter.ask] * 4)
    refused = [answer for answer in answers if isinstance(answer, Conflict)]
    assert [refusal.code for refusal in refused] == ["slip_asked"] * 3
    assert Slip.objects.count() == 1


def test_two_verifications_at_once(house: House) -> None:
    (counter,) = counters(house, 1)
    house.dealers[0] = counter.session.assignments.get(post="dealer").staff
    slip = counter.issued()
    other = by_user(another(house, Role.PIT_BOSS), occurred_at=LATER)
    answers = race(lambda: counter.verify(slip), lambda: counter.verify(slip, by=other))
    (refused,) = [answer for answer in answers if isinstance(answer, SabotError)]
    assert refused.code == "slip_state"
    assert TableSession.objects.get(pk=counter.session.pk).fills == FILL_TOTAL
    assert ledger.balance(house.casino, "cage:1") == -FILL_TOTAL
    assert faults(house) == []


@pytest.mark.rule("FLOOR-08")
def test_void_and_verification_at_once(house: House) -> None:
    (counter,) = counters(house, 1)
    house.dealers[0] = counter.session.assignments.get(post="dealer").staff
    outcomes = set()
    for _ in range(4):
        slip = counter.issued()
        answers = race(lambda s=slip: counter.verify(s), lambda s=slip: counter.void(s))
        (refused,) = [answer for answer in answers if isinstance(answer, SabotError)]
        slip.refresh_from_db()
        outcomes.add((slip.state, refused.code))
    assert outcomes <= {("verified", "slip_verified"), ("void", "slip_state")}
    verified = Slip.objects.filter(state="verified").count()
    assert TableSession.objects.get(pk=counter.session.pk).fills == verified * FILL_TOTAL
    assert ledger.balance(house.casino, "cage:1") == -verified * FILL_TOTAL
    assert faults(house) == []


def test_the_last_chips_of_a_desk_go_to_one_table(house: House) -> None:
    """Three tables verify 40 x 25 and 10 x 100 each at once; the desk has enough for two, as a count
    says that was made before the chips went on their way and recorded after it."""
    stocked(house)
    tables = counters(house, 3)

    def counted(chips: dict[int, int], at: dt.datetime) -> None:
        with_ = house.users[Role.SUPERVISOR].actor
        chip_counts.count_stock(place="cage:1", chips=chips, with_=with_, by=house.by(Role.CAGE, at))

    counted({25 * BOB: 120, 100 * BOB: 30}, NOON)
    issued = [counter.issued() for counter in tables]
    counted({25 * BOB: 80, 100 * BOB: 30}, NOON + dt.timedelta(minutes=30))

    def verify(counter: Counter, slip: Slip) -> Slip:
        dealer = counter.session.assignments.get(post="dealer").staff
        return slips.verify_slip(slip=slip, chips=FILL, dealer=dealer, by=house.by(Role.PIT_BOSS, LATER))

    pairs = list(zip(tables, issued, strict=True))
    answers = race(*[lambda c=counter, s=slip: verify(c, s) for counter, slip in pairs])
    refused = [answer for answer in answers if isinstance(answer, Conflict)]
    assert [refusal.code for refusal in refused] == ["not_enough_chips"]
    assert inventory.stock_of(house.casino, "cage:1") == {100 * BOB: 10}
    assert faults(house) == []
