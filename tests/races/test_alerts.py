"""The watch twice at once, an act that raises while it looks, two who acknowledge the same alert."""

from __future__ import annotations

import datetime as dt

import pytest

from casino.kernel.errors import Conflict
from casino.kernel.permissions import Role
from tables.alerts import float_checks
from tables.alerts.keeping import acknowledge
from tables.alerts.proofs import told_faults
from tables.alerts.sweeping import sweep
from tables.alerts.watches import CHECK
from tables.models import Alert
from tables.overview.standing import RELIEF
from tests.alerts.building import opened, watcher
from tests.builders import BOB, NIGHT, House
from tests.races.racing import race

pytestmark = pytest.mark.race

LATER = NIGHT + dt.timedelta(minutes=61)


def test_two_watches_and_an_act_raise_each_cause_once_and_two_acknowledge_it_once(house: House) -> None:
    session = opened(house, detail="full")
    by = watcher(house, LATER)

    def check() -> object:
        return float_checks.check_float(
            session=session,
            chips_counted={500 * BOB: 149},
            counted_by=house.dealers[0],
            witnessed_by=house.supervisors[0],
            cash=0,
            by=house.by(Role.PIT_BOSS, LATER),
        )

    answers = race(lambda: sweep(by=by), lambda: sweep(by=by), lambda: sweep(by=by), check)
    assert not any(isinstance(answer, Exception) for answer in answers), answers
    sweep(by=by)
    assert sorted(Alert.objects.values_list("kind", flat=True)) == sorted([CHECK, RELIEF])
    late = Alert.objects.get(kind=RELIEF)
    taps = race(
        *[
            lambda role=role: acknowledge(alerts=[late], by=house.by(role, LATER, "visto"))
            for role in (Role.PIT_BOSS, Role.SUPERVISOR)
        ]
    )
    (refusal,) = [answer for answer in taps if isinstance(answer, Conflict)]
    assert refusal.code == "alert_acknowledged"
    assert list(told_faults(house.casino)) == []
