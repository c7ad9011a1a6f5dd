"""A notice to the AJ that is due is an alert of the floor four hours before, and a worse one once late."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from audits import incidents, notices
from casino.kernel.permissions import Role
from tables.alerts import incident_watch, proof_watch
from tables.alerts.causes import watches
from tests.builders import NIGHT, House, a_house

pytestmark = pytest.mark.rule("REC-14")


@pytest.fixture
def house(db: None) -> House:
    return a_house()


def levels(house: House, after: dt.timedelta) -> list[tuple[str, str]]:
    return [(one.level, one.rule) for one in incident_watch.watch(house.casino, NIGHT + after)]


def test_a_notice_is_asked_for_four_hours_before_it_is_late(house: House) -> None:
    """REC-14: within 24 hours; so from hour 20 on it presses, and after hour 24 it is late."""
    incident = incidents.report_incident(
        kind=incidents.MONEY, summary="faltan fichas", by=house.by(Role.PIT_BOSS)
    )
    second = dt.timedelta(seconds=1)
    assert levels(house, dt.timedelta(hours=20) - second) == []
    assert levels(house, dt.timedelta(hours=20)) == [("warn", "REC-14")]
    assert levels(house, dt.timedelta(hours=24)) == [("warn", "REC-14")]
    assert levels(house, dt.timedelta(hours=24) + second) == [("bad", "REC-14")]
    (one,) = incident_watch.watch(house.casino, NIGHT + dt.timedelta(hours=25))
    assert one.subject == incident.label and "venció" in one.words.es
    text = "A la AJ: faltaron fichas y se hallaron. Firma Ana."
    notices.edit_notice(incident=incident, text=text, by=house.by(Role.COMPLIANCE))
    notices.send_notice(incident=incident, reference="CITE 1", by=house.by(Role.COMPLIANCE))
    assert levels(house, dt.timedelta(hours=25)) == []


def test_an_incident_that_needs_no_notice_is_no_alert(house: House) -> None:
    incidents.report_incident(kind=incidents.OTHER, summary="se cortó la luz", by=house.by(Role.PIT_BOSS))
    assert levels(house, dt.timedelta(days=3)) == []


def test_the_floor_looks_for_both(house: House) -> None:
    known: Any = watches()
    assert known[incident_watch.watch] == {"incident.notice"}
    assert known[proof_watch.watch] == {"day.unclosed", "proof.late", "seal.late"}
