"""The records are proved each night without anybody asking; what is not as it was entered is an incident."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from audits import days, nightly_proof
from audits.by import by_system
from audits.models import Event, Incident
from audits.tasks import prove_closed_days
from casino.models import GamingDay

pytestmark = pytest.mark.rule("REC-06")


def closed(house: Any, ago: int) -> GamingDay:
    date = house.casino.gaming_day(dt.datetime.now(dt.UTC)) - dt.timedelta(days=ago)
    day = GamingDay.objects.create(casino=house.casino, date=date)
    return days.close_day(day=day, by=by_system(house.casino, "nightly-close"))


def told() -> list[dict[str, Any]]:
    return [json.loads(bytes(one.body))["data"] for one in Event.objects.filter(action=nightly_proof.PROVED)]


def alter(house: Any, past_the_guards: Any) -> Event:
    """One character of what an event says."""
    event = house.record(turn=1)
    with past_the_guards():
        Event.objects.filter(pk=event.pk).update(body=bytes(event.body).replace(b'"turn":1', b'"turn":2'))
    return event


def test_nothing_is_proved_before_a_day_is_closed(house: Any) -> None:
    prove_closed_days()
    assert told() == []


def test_an_honest_night_is_proved_once(house: Any) -> None:
    closed(house, 2)
    prove_closed_days()
    prove_closed_days()
    assert told() == [{"count": 0, "faults": [], "incident": None}]
    closed(house, 1)
    prove_closed_days()
    assert [one["count"] for one in told()] == [0, 0]
    assert not Incident.objects.exists()


def test_an_altered_event_becomes_one_incident_for_as_long_as_it_is_open(
    house: Any, past_the_guards: Any
) -> None:
    event = alter(house, past_the_guards)
    closed(house, 2)
    prove_closed_days()
    incident = Incident.objects.get()
    assert (incident.kind, incident.rules) == (nightly_proof.ALTERED, ["REC-06"])
    # The walk of the trail and that of the seals each name it.
    assert [one.split(": ")[0] for one in incident.facts["faults"]] == [
        f"prueba #1 (id {event.pk})",
        "prueba #1",
    ]
    assert told()[0]["incident"] == incident.label
    closed(house, 1)
    prove_closed_days()
    assert [(one["count"], one["incident"]) for one in told()] == [(2, incident.label), (2, None)]
    assert Incident.objects.count() == 1


def test_two_workers_note_a_night_once(house: Any) -> None:
    day = closed(house, 1)
    by = by_system(house.casino, nightly_proof.JOB)
    for _ in range(2):
        assert nightly_proof.note_proof(day=day, faults=[], by=by) is None
    assert len(told()) == 1
