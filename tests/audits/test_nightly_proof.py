"""The records are proved each night without anybody asking; what is not as it was entered is an incident."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from audits import days, incidents, nightly_proof, proof_standing
from audits.by import by_system
from audits.models import Event, Incident
from audits.tasks import prove_closed_days
from audits.verify import Fault
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.kernel.words import Text
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
    assert told() == [{"count": 0, "faults": [], "found": [], "incident": None, "new": [], "under": {}}]
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


def nights_of(house: Any, *found: list[Fault]) -> list[bool]:
    """Whether each of these nights, the oldest first, opened an incident."""
    by = by_system(house.casino, nightly_proof.JOB)
    days = [closed(house, ago) for ago in range(len(found), 0, -1)]
    return [
        nightly_proof.note_proof(day=day, faults=faults, by=by) is not None
        for day, faults in zip(days, found, strict=True)
    ]


def test_what_was_put_right_and_altered_again_is_news(house: Any) -> None:
    fault = Fault("trail_differs", "login:beto", Text("la clave", "the password"))
    assert nights_of(house, [fault], [fault], [], [fault], [fault]) == [True, False, False, True, False]


def test_another_change_of_the_same_place_is_news(house: Any) -> None:
    first, second = (
        Fault("rows_differ", "audits_event 1…250", Text("otra", "another"), seen) for seen in ("aa", "bb")
    )
    assert nights_of(house, [first], [first], [second], [second]) == [True, False, True, False]


def test_so_many_findings_that_one_mark_is_of_them_all(house: Any) -> None:
    """Two of one place and words count as one: 2,001 marks of 2,002 findings, which is more than are kept."""
    many = [Fault("a", f"lugar {n}", Text("otra", "another")) for n in range(2_001)]
    many += [Fault("b", "lugar 0", Text("otra", "another"))]
    assert nights_of(house, many, many, many[:-2] + many[-1:], many[:3]) == [True, False, True, False]
    assert [one["count"] for one in told()] == [2_002, 2_002, 2_001, 3]


def settled(house: Any, incident: Incident) -> None:
    incidents.resolve_incident(
        incident=incident,
        resolution="el respaldo muestra el dato verdadero; queda como está",
        rule_applied="REC-06",
        with_=house.person("cumple", Role.COMPLIANCE).actor,
        by=house.by(house.person("sala", Role.PIT_BOSS)),
    )


def test_what_was_settled_is_known_and_what_is_altered_since_is_news(
    house: Any, past_the_guards: Any
) -> None:
    first = alter(house, past_the_guards)
    closed(house, 3)
    prove_closed_days()
    incident = Incident.objects.get()
    settled(house, incident)
    closed(house, 2)
    prove_closed_days()
    # Two findings of one event, as above: found again, and nothing new.
    assert Incident.objects.count() == 1
    assert told()[1] | {"faults": []} == {
        "count": 2, "faults": [], "found": told()[0]["found"], "incident": None, "new": [],
        "under": {incident.label: 2},
    }  # fmt: skip
    night, known = proof_standing.last_night(house.casino) or (None, [])
    assert night is not None and night.count == 2
    assert [(one.count, one.incident.pk) for one in known] == [(2, incident.pk)]
    assert known[0].incident.resolved_by.name == "Sala"
    browser = Client()
    browser.force_login(house.admin)
    shown = " ".join(browser.get(reverse("days")).content.decode().split())
    assert "2 registros no son como se asentaron." in shown
    assert "2 conocidos, resueltos por Sala y Cumple en" in shown and incident.label in shown
    # A later event of the very chain that is known to be broken.
    second = alter(house, past_the_guards)
    closed(house, 1)
    prove_closed_days()
    other = Incident.objects.exclude(pk=incident.pk).get()
    assert [one.split(": ")[0] for one in other.facts["faults"]] == [f"prueba #2 (id {second.pk})"]
    assert told()[2]["under"] == {incident.label: 2, other.label: 1} and first.pk != second.pk


def test_an_incident_of_before_findings_were_marked_counts_too(house: Any, past_the_guards: Any) -> None:
    alter(house, past_the_guards)
    day = closed(house, 2)
    by = by_system(house.casino, nightly_proof.JOB)
    faults = nightly_proof.all_faults(house.casino)
    incident = nightly_proof.note_proof(day=day, faults=faults, by=by)
    assert incident is not None
    event = Event.objects.get(action=nightly_proof.PROVED)
    old = json.loads(bytes(event.body))
    for name in ("new", "under"):
        del old["data"][name]
    with past_the_guards():
        Event.objects.filter(pk=event.pk).update(body=json.dumps(old).encode())
    later = closed(house, 1)
    assert nightly_proof.note_proof(day=later, faults=faults, by=by) is None


def test_a_night_without_its_proof_and_its_seal_is_late_after_six_hours(house: Any) -> None:
    day = closed(house, 1)
    assert day.closed_at is not None

    def late(after: dt.timedelta) -> list[str]:
        assert day.closed_at is not None
        return [one.code for one in proof_standing.late(house.casino, day.closed_at + after)]

    assert late(proof_standing.LATE) == []
    assert late(proof_standing.LATE + dt.timedelta(seconds=1)) == ["proof", "seal"]
    prove_closed_days()
    assert late(dt.timedelta(hours=7)) == ["seal"]
    (one,) = proof_standing.late(house.casino, day.closed_at + dt.timedelta(hours=7))
    assert one.words.es.startswith(f"el día {day} sigue sin sello") and one.rule == "REC-06"


@pytest.mark.rule("REC-08")
def test_a_day_that_nobody_tries_to_close_is_told_and_one_that_is_held_is_not(house: Any) -> None:
    now = clock.now()
    date = house.casino.gaming_day(now) - dt.timedelta(days=1)
    _, end = clock.day_bounds(date, house.casino.zone, house.casino.cutoff)
    day = GamingDay.objects.create(casino=house.casino, date=date)
    late = end + proof_standing.LATE + dt.timedelta(minutes=1)
    assert [one.code for one in proof_standing.late(house.casino, end + proof_standing.LATE)] == []
    assert [one.code for one in proof_standing.late(house.casino, late)] == ["day"]
    day.checked_at = late - dt.timedelta(minutes=10)
    day.save()
    assert [one.code for one in proof_standing.late(house.casino, late)] == []
