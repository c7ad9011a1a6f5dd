"""The largest amounts a floor takes, from the limits to the drop: what is above is refused, never a fault."""

from __future__ import annotations

import pytest

from casino.kernel.money import MAX_UNITS
from casino.kernel.permissions import Role
from tables import chips, rounds, settings
from tables.games.base import MOST_ON_A_SPOT
from tables.models import BetLimits, DropBox, Round, TableSession
from tests.builders import BOB, CLOSING_TIME, FLOAT, NATURAL, House, bets
from tests.money import box_builders
from tests.tables.refusing import refused
from tests.tables.test_rounds import sound

SPOTS = ("punto", "banca", "tie")


@pytest.mark.rule("GEN-04")
def test_limits_end_at_the_largest_amount_of_a_spot(house: House) -> None:
    table, by = house.table(detail="full"), house.by(Role.PIT_BOSS, reason="límites altos")
    for high in (MOST_ON_A_SPOT + 5 * BOB, MAX_UNITS, 9 * 10**15):
        with refused("bad_limits", "GEN-04"):
            settings.publish_limits(table=table, chip=5 * BOB, spots=dict.fromkeys(SPOTS, (500, high)), by=by)
    assert BetLimits.objects.filter(table=table).count() == 1
    settings.publish_limits(
        table=table, chip=5 * BOB, spots=dict.fromkeys(SPOTS, (500, MOST_ON_A_SPOT)), by=by
    )


def test_three_of_the_largest_wins_and_a_close(house: House) -> None:
    limits = dict.fromkeys(SPOTS, (500, MOST_ON_A_SPOT))
    session = house.open_table(detail="full", limits=limits)
    most = MOST_ON_A_SPOT // BOB
    for _ in range(3):
        house.log(session, [*bets((1, "punto", most), (7, "punto", most)), *NATURAL])
    with refused("above_maximum", "GEN-04"):
        house.log(session, [*bets((1, "punto", most + 5)), *NATURAL])
    with refused("out_of_range"):
        house.log(session, [*bets((1, "punto", MAX_UNITS // BOB + 1)), *NATURAL])
    closed = house.close(session, FLOAT)
    with refused("bad_document"):
        house.count_out(closed, MAX_UNITS + 1)
    box = DropBox.objects.get(session=closed)
    for nth in (1, 2):
        box = box_builders.count(box, nth, box_builders.holding(MAX_UNITS), at=CLOSING_TIME)
    closed.refresh_from_db()
    assert closed.drop == MAX_UNITS
    # Three rounds of two even-money wins at the largest amount: six of it lost by the house.
    assert closed.staked - closed.returned == -6 * MOST_ON_A_SPOT
    assert sound(closed)


def test_a_session_whose_sums_are_full_takes_no_other_round(house: House) -> None:
    session, by = house.open_table(detail="full"), house.by(Role.PIT_BOSS)
    stored = TableSession.objects.filter(pk=session.pk)
    stored.update(staked=rounds.FULL_SESSION, returned=rounds.FULL_SESSION)
    house.log(session, [*bets((1, "punto", 25)), *NATURAL])
    with refused("session_full"):
        house.log(session, [*bets((1, "punto", 25)), *NATURAL])
    with refused("session_full"):
        rounds.play(session=session, number=2, step=0, events=bets((1, "punto", 25)), by=by)
    assert Round.objects.count() == 1


@pytest.mark.rule("FLOOR-04")
def test_a_count_ends_at_the_largest_amount(house: House) -> None:
    casino = house.casino
    casino.denominations = [10**9]
    assert chips.checked(casino, {10**9: 10_000}) == {10**9: 10_000}
    with refused("bad_count", "FLOOR-04"):
        chips.checked(casino, {10**9: 10_001})
