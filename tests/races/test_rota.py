"""The plan of posts wanted twice at once: one wins, nobody is planned or sent to two posts."""

from __future__ import annotations

import pytest

from casino.kernel.errors import Conflict, SabotError
from casino.kernel.permissions import Role
from tables import told_proofs
from tables.models import PlannedTurn, RotationPlan
from tables.roster.rota import applying, asking, carrying_out
from tables.roster.rota.proofs import rotation_faults
from tests.builders import NIGHT, House
from tests.races.racing import race
from tests.roster.evenings import MINUTE, SLOT, an_evening

pytestmark = pytest.mark.race


def one_won(answers: list[object]) -> SabotError:
    refusals = [answer for answer in answers if isinstance(answer, SabotError)]
    assert len(refusals) == len(answers) - 1, answers
    assert all(isinstance(refusal, Conflict) for refusal in refusals)
    return refusals[0]


@pytest.mark.rule("FLOOR-01")
def test_two_pit_bosses_apply_two_drafts_at_once(house: House) -> None:
    evening = an_evening(house)
    drafts = [evening.drafted() for _ in range(2)]
    by = house.by(Role.PIT_BOSS, NIGHT + 2 * MINUTE)
    answers = race(*[lambda made=made: applying.apply_plan(plan=made, by=by) for made in drafts])
    assert one_won(answers).code == "rotation_overtaken"
    assert sorted(RotationPlan.objects.values_list("state", flat=True)) == ["applied", "draft"]
    assert PlannedTurn.objects.values("plan").distinct().count() == 1
    assert list(rotation_faults(house.casino)) == []


@pytest.mark.rule("FLOOR-01")
def test_two_chiefs_confirm_the_same_reliefs_at_once(house: House) -> None:
    evening = an_evening(house)
    evening.applied()
    at = NIGHT + 3 * SLOT
    due = [one.turn for one in asking.due_reliefs(house.casino, at)]
    by = house.by(Role.SUPERVISOR, at)
    answers = race(*[lambda: carrying_out.carry_out(turns=due, by=by)] * 2)
    assert one_won(answers).code == "rotation_nothing_due"
    assert evening.dealing() == evening.planned(at)
    assert list(told_proofs.told_faults(house.casino)) == []
