"""A day whose money differs is closed, and not sealed before two people settled it (FLOOR-05, REC-08)."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from audits import days
from audits.by import by_system
from audits.incidents import resolve_incident
from audits.sealing import keeping, sealing
from casino.kernel.permissions import Role
from casino.models import GamingDay
from tables.money import differences
from tests.builders import BOB, CLOSING_TIME, FLOAT, House, a_house

pytestmark = [pytest.mark.django_db, pytest.mark.rule("FLOOR-05", "REC-08")]
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def house(settings: Any, tmp_path: Path) -> House:
    settings.KEYS_ROOT = tmp_path / "keys"
    settings.KEYS_ROOT.mkdir(mode=0o700)
    house = a_house()
    keeping.make_key(by=house.by(Role.ADMINISTRATOR, CLOSING_TIME, "primera llave"))
    return house


def _closed_with(house: House, chips: dict[int, int]) -> GamingDay:
    """A table that opens on what the last closing left, and one that opens on `chips`; the day closed."""
    table = house.table()
    house.close(house.open_table(table), FLOAT, drop=0)
    session = house.open_table(table, at=CLOSING_TIME + 2 * MINUTE, chips=chips)
    session = house.close(session, chips, at=CLOSING_TIME + 3 * MINUTE)
    house.count_out(session, 0, at=CLOSING_TIME + 4 * MINUTE)
    day = days.close_day(day=session.day, by=by_system(house.casino, "nightly-close"))
    assert day.state == GamingDay.State.CLOSED, day.held_by
    return day


def test_a_night_without_a_difference_is_sealed(house: House) -> None:
    day = _closed_with(house, FLOAT)
    (outcome,) = sealing.seal_due_days(house.casino)
    assert ([seal.day for seal in outcome.sealed], outcome.waits) == ([day], None)


def test_a_difference_keeps_the_day_from_its_seal_until_two_settled_it(house: House) -> None:
    day = _closed_with(house, {**FLOAT, 100 * BOB: 101})  # a chip of 100 more than the last closing
    session = day.sessions.latest("pk")
    (outcome,) = sealing.seal_due_days(house.casino)
    assert (outcome.sealed, outcome.waits) == ((), day)
    assert outcome.why is not None and session.label in outcome.why.es  # large, and nobody reported it

    boss = house.by(Role.PIT_BOSS, CLOSING_TIME + 5 * MINUTE)
    incident = differences.open_difference(session=session, by=boss)
    (outcome,) = sealing.seal_due_days(house.casino)
    assert outcome.why is not None and incident.label in outcome.why.es

    resolve_incident(
        incident=incident,
        resolution="Una ficha de más, de la caja: se devolvió.",
        rule_applied="FLOOR-05",
        with_=house.users[Role.SUPERVISOR].actor,
        by=house.by(Role.PIT_BOSS, CLOSING_TIME + 6 * MINUTE),
    )
    (outcome,) = sealing.seal_due_days(house.casino)
    assert ([seal.day for seal in outcome.sealed], outcome.waits) == ([day], None)
