"""Incidents: opened by rooms and by hand, notes, settled once by two."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from audits import incidents, notice_drafts, notices, trail
from audits.by import By
from audits.incident_proofs import told_faults
from audits.models import Event, Incident, IncidentNote
from casino.kernel import locking, permissions
from casino.kernel.commands import command, one_transaction
from casino.kernel.errors import Conflict, NotAllowed, NotFound, Refused, RuleViolation
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino
from tests.audits.incident_people import (
    DECK,
    FAULT,
    SEEN,
    SUMMARY,
    People,
    found_by,
    refusal_of,
    report,
    settle,
    trail_of,
)

pytestmark = pytest.mark.usefixtures("own_hooks")


# ---- opened ----


@pytest.mark.rule("REC-14")
def test_a_room_opens_one_with_its_number_its_draft_and_its_event(people: People) -> None:
    first, second = found_by(people), found_by(people)
    assert [first.label, second.label] == ["INC-2026-0001", "INC-2026-0002"]
    # REC-14: 24 hours from 02:30 of the 21st are 02:30 of the 22nd.
    assert first.notice_due == dt.datetime(2026, 11, 22, 2, 30, tzinfo=dt.UTC)
    assert first.rules == ["CARD-42", "CARD-15"]
    event = Event.objects.get(stream__name=f"incident:{first.pk}")
    told = json.loads(bytes(event.body))
    assert (event.action, event.rules) == ("audits.incident.opened", ["CARD-42", "CARD-15", "REC-14"])
    assert told["data"]["about"] == {"type": "deck", "id": 12, "label": "B-12"}
    assert told["data"]["facts"] == {"missing": ["7c"], "withdrawn": ["B-12"]}
    assert trail_of(people) == []


@pytest.mark.rule("REC-14")
def test_the_draft_says_it_all_in_spanish_and_leaves_the_rest_to_compliance(people: People) -> None:
    said = found_by(people).notice
    for part in (
        "Casino Illimani, con licencia AJ AJ-0001,", "20/11/2026 a horas 22:30", "America/La_Paz",
        "en la mesa PB-03", "INC-2026-0001", "falta el 7♣ en la baraja B-12.", "Jefa (Jefe de mesa)",
        "CARD-42 «Conservación de las cartas»", "CARD-15 «Inspección de reversos y baraja dudosa»",
        "la mesa PB-03 quedó detenida", "se retiraron de juego las barajas B-12",
    ):  # fmt: skip
        assert part in said
    assert said.endswith("]") and notice_drafts.UNFINISHED in said


def test_a_kind_without_notice_drafts_none(people: People) -> None:
    incident = found_by(people, kind=incidents.DISPUTE, rules=[])
    assert (incident.notice, incident.notice_due, incident.rules) == ("", None, ["GEN-08"])


def test_the_year_of_its_number_is_the_casinos(people: People) -> None:
    """Three in the morning of January the 1st in UTC is eleven at night of December the 31st in La Paz."""
    new_year = dt.datetime(2026, 1, 1, 3, 0, tzinfo=dt.UTC)
    assert found_by(people, by=people.by(people.chief, new_year)).label == "INC-2025-0001"
    assert found_by(people).label == "INC-2026-0001"


def test_a_number_is_given_back_with_what_was_rolled_back(people: People) -> None:
    with pytest.raises(ZeroDivisionError), one_transaction():
        found_by(people)
        raise ZeroDivisionError
    assert found_by(people).number == 1


def test_an_unknown_kind_or_rule_is_a_fault_of_the_room(people: People) -> None:
    with pytest.raises(KeyError):
        found_by(people, kind="test.nothing")
    with pytest.raises(NotFound):
        found_by(people, rules=["CARD-99"])
    with pytest.raises(ValueError, match="twice"):
        incidents.register_kind(FAULT, Text("otra", "other"))


def test_it_comes_after_the_locks_of_rows(people: People) -> None:
    with one_transaction():
        incidents.raise_incident(
            kind=FAULT, summary=SUMMARY, subject=DECK, rules=[], facts={}, by=people.by(people.chief)
        )
        with pytest.raises(locking.LockOrderError):
            locking.taking(locking.Rank.DECK)


@pytest.mark.rule("GEN-08")
def test_the_open_ones_that_stop_a_table_are_found_oldest_first(people: People) -> None:
    later = found_by(people, by=people.by(people.chief, SEEN + dt.timedelta(minutes=5)))
    first = found_by(people)
    found_by(people, freezes=False)
    found_by(people, table_label="PB-04")
    casino = people.house.casino
    assert list(incidents.open_on(casino, "PB-03")) == [first, later]
    settle(people, first)
    assert list(incidents.open_on(casino, "PB-03")) == [later]


# ---- by hand ----


@pytest.mark.rule("GEN-08")
def test_one_by_hand_holds_the_table_before_anything_and_then_stops_it(people: People) -> None:
    said: list[str] = []

    def freezer(casino: Casino, table: str) -> incidents.Freeze:
        locking.taking(locking.Rank.SESSION)  # raises if anything of a higher rank was locked
        said.append(f"hold {table}")
        return lambda incident: said.append(f"stop for {incident.label}")

    incidents.register_freezer(freezer, names=lambda casino: ["PB-01", "PB-03"])
    assert incidents.table_names(people.house.casino) == ["PB-01", "PB-03"]
    incident = report(people, table_label=" pb-03 ", freezes=True)
    assert (incident.table_label, incident.freezes, incident.subject_label) == ("PB-03", True, "PB-03")
    assert said == ["hold PB-03", "stop for INC-2026-0001"]
    said.clear()
    assert not report(people, table_label="PB-03").freezes
    assert said == ["hold PB-03"]
    assert refusal_of(lambda: report(people, table_label="PB-09")).code == "unknown_table"
    assert said == ["hold PB-03"]


def test_one_by_hand_about_the_house(people: People) -> None:
    incident = report(
        people, people.compliance, kind=incidents.MONEY, summary="faltan 200 en caja\r\n2 veces"
    )
    assert (incident.subject_type, incident.subject_label) == ("casino", "Casino Illimani")
    assert incident.summary_es == incident.summary_en == "faltan 200 en caja\n2 veces"
    assert "sobre Casino Illimani" in incident.notice


@pytest.mark.rule("GEN-08")
@pytest.mark.parametrize(
    ("about", "code", "field"),
    [
        ({"kind": "floor.nothing"}, "unknown_kind", "kind"),
        ({"summary": " \n "}, "bad_text", "summary"),
        ({"summary": "x" * 501}, "bad_text", "summary"),
        ({"summary": "a\u202eb"}, "bad_text", "summary"),
        ({"summary": "a\x00b"}, "bad_text", "summary"),
        ({"freezes": True}, "table_missing", "table"),
        ({"table_label": "PB-03"}, "unknown_table", "table"),
    ],
)
def test_what_cannot_be_reported(people: People, about: dict[str, Any], code: str, field: str) -> None:
    refusal = refusal_of(lambda: report(people, **about))
    assert (refusal.code, refusal.field) == (code, field)
    assert not Incident.objects.exists()


@pytest.mark.parametrize("role", [Role.CROUPIER, Role.CAGE, Role.INSPECTOR, Role.ADMINISTRATOR])
def test_who_may_not_report_or_settle(people: People, role: Role) -> None:
    incident, other = found_by(people), people.house.person("otra", role)
    with pytest.raises(NotAllowed):
        report(people, other)
    with pytest.raises(NotAllowed):
        settle(people, incident, by=people.by(other))
    with pytest.raises(NotAllowed):
        notices.edit_notice(incident=incident, text="x", by=people.by(other))


# ---- notes ----


@pytest.mark.rule("REC-07")
def test_notes_are_added_also_after_it_is_settled_and_never_changed(people: People) -> None:
    incident = found_by(people)
    by = people.by(people.compliance, SEEN + dt.timedelta(minutes=5))
    incidents.note_incident(incident=incident, text="la cámara 4\nno lo muestra", by=by)
    settle(people, incident)
    incidents.note_incident(incident=incident, text="apareció en el descarte", by=people.by(people.chief))
    notes = incident.notes.order_by("pk")
    assert [note.text for note in notes] == ["la cámara 4\nno lo muestra", "apareció en el descarte"]
    assert list(told_faults(people.house.casino)) == []
    with pytest.raises(DatabaseError), transaction.atomic():
        notes.update(text="otra cosa")


def test_a_note_says_something_and_not_before_the_incident(people: People) -> None:
    incident = found_by(people)
    early = people.by(people.chief, SEEN - dt.timedelta(seconds=1))
    empty = refusal_of(
        lambda: incidents.note_incident(incident=incident, text=" ", by=people.by(people.chief))
    )
    assert (empty.code, empty.field) == ("bad_text", "text")
    before = refusal_of(lambda: incidents.note_incident(incident=incident, text="x", by=early))
    assert (before.code, before.detail) == (
        "occurred_out_of_order", {"earliest": "2026-11-21T02:30:00.000000Z"}
    )  # fmt: skip
    with pytest.raises(NotAllowed):
        inspector = people.house.person("aj", Role.INSPECTOR)
        incidents.note_incident(incident=incident, text="x", by=people.by(inspector))


# ---- settled ----


@pytest.mark.rule("GEN-08")
@pytest.mark.rule("GEN-10")
def test_two_people_settle_it_under_a_rule_and_once(people: People) -> None:
    incident = settle(people, found_by(people), rule_applied=" card-12 ")
    assert (incident.state, incident.rule_applied) == (Incident.State.RESOLVED, "CARD-12")
    assert (incident.resolved_by, incident.resolved_with) == (people.chief.actor, people.pit.actor)
    event = Event.objects.get(action="audits.incident.resolved")
    assert event.rules == ["GEN-10", "CARD-42", "CARD-15", "CARD-12"]
    assert json.loads(bytes(event.body))["data"]["with"] == {"id": people.pit.actor.pk, "name": "Sala"}
    again = refusal_of(lambda: settle(people, incident))
    assert (type(again), again.code) == (Conflict, "incident_resolved")
    assert trail_of(people) == []


@pytest.mark.rule("GEN-10")
def test_the_second_signature_is_another_persons_who_may_settle(people: People) -> None:
    incident = found_by(people)
    alone = refusal_of(lambda: settle(people, incident, with_=people.chief.actor))
    assert (type(alone), alone.rule, alone.code) == (RuleViolation, "GEN-10", "same_person")
    for role in (Role.CROUPIER, Role.CAGE, Role.INSPECTOR, Role.ADMINISTRATOR):
        other = people.house.person(f"otra-{role.value}".replace("_", "-"), role)
        refusal = refusal_of(lambda other=other: settle(people, incident, with_=other.actor))  # type: ignore[misc]
        assert (refusal.rule, refusal.code, refusal.field) == ("GEN-10", "signer_not_allowed", "second")
    gone = people.house.person("ida", Role.PIT_BOSS)
    gone.is_active = False
    gone.save()
    assert refusal_of(lambda: settle(people, incident, with_=gone.actor)).code == "signer_not_allowed"


@pytest.mark.rule("GEN-08")
def test_a_dispute_is_decided_by_a_chief_of_the_floor(people: People) -> None:
    second = people.house.person("cumple2", Role.COMPLIANCE)
    dispute, fault = report(people), found_by(people)
    both = {"with_": second.actor, "by": people.by(people.compliance)}
    refusal = refusal_of(lambda: settle(people, dispute, **both))
    assert (refusal.rule, refusal.code) == ("GEN-08", "chief_missing")
    assert settle(people, fault, **both).state == Incident.State.RESOLVED
    with_chief = {"with_": people.chief.actor, "by": people.by(people.compliance)}
    assert settle(people, dispute, **with_chief).state == Incident.State.RESOLVED


@pytest.mark.rule("GEN-08")
@pytest.mark.parametrize(
    ("about", "code", "field"),
    [
        ({"resolution": " "}, "bad_text", "resolution"),
        ({"resolution": "x" * 4001}, "bad_text", "resolution"),
        ({"rule_applied": ""}, "unknown_rule", "rule_applied"),
        ({"rule_applied": "CARD-99"}, "unknown_rule", "rule_applied"),
    ],
)
def test_a_settlement_says_what_and_under_which_rule(
    people: People, about: dict[str, str], code: str, field: str
) -> None:
    incident = found_by(people)
    refusal = refusal_of(lambda: settle(people, incident, **about))
    assert (type(refusal), refusal.code, refusal.field, refusal.rule) == (Refused, code, field, "GEN-08")


def test_it_is_not_settled_before_it_was_opened(people: People) -> None:
    early = people.by(people.chief, SEEN - dt.timedelta(seconds=1))
    incident = found_by(people)
    assert refusal_of(lambda: settle(people, incident, by=early)).code == "occurred_out_of_order"


@pytest.mark.rule("GEN-08")
def test_a_room_above_may_object(people: People) -> None:
    why = Text("la baraja B-12 sigue retenida", "deck B-12 is still held")
    held = [why]
    incidents.register_objection(lambda incident: held[0] if held else None)
    incident = found_by(people)
    assert incidents.objections(incident) == [why]
    refusal = refusal_of(lambda: settle(people, incident))
    assert (type(refusal), refusal.code, refusal.message) == (Conflict, "incident_still_open", why)
    held.clear()
    assert settle(people, incident).state == Incident.State.RESOLVED


def test_a_settled_one_cannot_have_anything_hung_on_it(people: People) -> None:
    incident = found_by(people)
    with one_transaction():
        assert incidents.lock_open(incident) == incident
    settle(people, incident)
    with pytest.raises(Conflict) as refusal, one_transaction():
        incidents.lock_open(incident)
    assert refusal.value.code == "incident_resolved"


# ---- inside another command ----

ACT = permissions.declare("audits.test.find", (Role.SUPERVISOR,), Text("hallar", "find"))


@command(ACT)
def find(*, by: By, then: Callable[[], None] = lambda: None) -> Incident:
    """As a room does: an incident and then its own event."""
    incident = incidents.raise_incident(kind=FAULT, summary=SUMMARY, subject=DECK, rules=[], facts={}, by=by)
    trail.record("audits.casino.set", stream="prueba", subject=DECK, by=by, data={"incident": incident.label})
    then()
    return incident


def test_an_incident_goes_with_the_command_that_found_it(people: People) -> None:
    def fail() -> None:
        raise Refused(Text("no", "no"))

    with pytest.raises(Refused):
        find(by=people.by(people.chief), then=fail)
    assert not Incident.objects.exists() and not IncidentNote.objects.exists()
    assert find(by=people.by(people.chief)).number == 1
