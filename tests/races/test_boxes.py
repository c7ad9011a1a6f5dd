"""Boxes under real threads: one winner of two taps, and two second counts that meet (FLOOR-11)."""

from __future__ import annotations

import pytest

from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables.models import BoxCount, DropBox
from tables.money import box_counts, boxes
from tables.money.box_proofs import box_faults
from tests.builders import BOB, CLOSING_TIME, FLOAT, House
from tests.money import box_builders as built
from tests.races.racing import race

pytestmark = pytest.mark.race


@pytest.mark.rule("FLOOR-11")
def test_a_box_is_received_once_and_settled_once(house: House) -> None:
    session = house.close(house.open_table(), FLOAT)
    box = boxes.remove_unregistered(
        session=session,
        number="C-1",
        seal="P-1",
        with_=house.users[Role.PIT_BOSS].actor,
        by=house.by(Role.SUPERVISOR, CLOSING_TIME),
    )
    taps = [lambda: boxes.receive(box=box, seal="P-1", by=house.by(Role.CAGE, CLOSING_TIME))] * 3
    assert codes(race(*taps)) == ["", "box_state", "box_state"]
    built.count(box, 1, built.holding(60 * BOB), at=CLOSING_TIME)
    second, third = (built.team(house.casino, n, CLOSING_TIME) for n in (1, 2))

    def counts(by: object, team: object) -> DropBox:
        return box_counts.record_count(box=box, team=team, by=by, **built.holding(60 * BOB))  # type: ignore[arg-type]

    assert codes(race(lambda: counts(*second), lambda: counts(*third))) == ["", "box_counted"]
    session.refresh_from_db()
    assert (session.state, session.drop, BoxCount.objects.count()) == ("counted", 60 * BOB, 2)
    assert list(box_faults(house.casino)) == []


def codes(answers: list[object]) -> list[str]:
    return sorted(answer.code if isinstance(answer, SabotError) else "" for answer in answers)
