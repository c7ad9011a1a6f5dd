"""Plans of limits under attack: changed while a boundary is published ahead, or while limits by hand wait for
their hour. Whatever happens, what is in force lies inside the plan of its hour (GEN-04).
"""

from __future__ import annotations

import pytest

from casino.kernel import clock
from casino.kernel.permissions import Role
from tables import plan_proofs, planning, settings
from tests.builders import House
from tests.tables.test_plans import EVENING, HIGH, MINUTE, NIGHT, limits, lowest, published, run, window


@pytest.mark.rule("GEN-04")
def test_a_boundary_taken_back_leaves_the_window_that_was_published_before_it(house: House) -> None:
    """20:00 is published ahead; at 19:45 the plan becomes «19:00 to 21:00: 500». At 20:00 it is still 500,
    not what held at 19:40."""
    table = house.table()
    published(house)
    run(NIGHT)
    run(EVENING - 20 * MINUTE)
    changed = EVENING - 15 * MINUTE
    published(house, at=changed, windows=[window("19:00", "21:00", limits(500, 5_000))])
    run(changed)
    for at in (changed, EVENING - MINUTE, EVENING, EVENING + 59 * MINUTE):
        run(at)
        assert lowest(table, at) == 500
    run(EVENING + 60 * MINUTE)
    assert lowest(table, EVENING + 60 * MINUTE) == 25
    assert not list(plan_proofs.plan_faults(house.casino))


@pytest.mark.rule("GEN-04")
def test_limits_by_hand_that_wait_give_way_to_a_plan_made_meanwhile(house: House) -> None:
    """By hand, 100 to 5.000 from 22:00, inside the plan of then; at 21:00 the plan becomes 500 to 4.000."""
    table = house.table()
    published(house)
    run(NIGHT)
    ten = EVENING + 120 * MINUTE
    with clock.standing_at(NIGHT):
        settings.publish_limits(
            table=table, chip=HIGH.chip, spots=HIGH.spots, effective_from=ten,
            by=house.by(Role.PIT_BOSS, NIGHT, "para la noche"),
        )  # fmt: skip
    run(EVENING)
    changed = EVENING + 60 * MINUTE
    published(house, at=changed, windows=[window("20:00", "04:00", limits(500, 4_000))])
    run(changed)
    assert lowest(table, changed) == 500
    run(ten - MINUTE)
    assert lowest(table, ten) == 500
    assert not planning.due(table, ten)


@pytest.mark.rule("GEN-04")
def test_what_slipped_in_while_the_job_stood_still_is_mended_when_it_runs(house: House) -> None:
    """The same, with no worker between 21:00 and 22:10."""
    table = house.table()
    published(house)
    run(NIGHT)
    ten = EVENING + 120 * MINUTE
    with clock.standing_at(NIGHT):
        settings.publish_limits(
            table=table, chip=HIGH.chip, spots=HIGH.spots, effective_from=ten,
            by=house.by(Role.PIT_BOSS, NIGHT, "para la noche"),
        )  # fmt: skip
    changed = EVENING + 60 * MINUTE
    published(house, at=changed, windows=[window("20:00", "04:00", limits(500, 4_000))])
    run(changed)
    late = ten + 10 * MINUTE
    assert run(late) == 1
    assert (lowest(table, late - MINUTE), lowest(table, late)) == (100, 500)
    assert run(late + MINUTE) == 0
