"""Incidents: opened by rooms and by hand, their notice and its deadline, notes, settled once by two."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from audits import incident_facts, incident_lists, incidents, notice_drafts, notices, trail, vocabulary
from audits.by import By, by_user
from audits.incident_proofs import told_faults
from audits.incident_report import IncidentRegister
from audits.models import Event, Incident, IncidentNote
from audits.verify import Fault, trail_faults
from casino.kernel import locking, permissions
from casino.kernel.commands import command, one_transaction
from casino.kernel.errors import Conflict, NotAllowed, NotFound, Refused, RuleViolation, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino, NumberSeries, User
from tests.audits.conftest import House
from tests.races.racing import race

# Half past ten in the evening in La Paz, which is four hours behind UTC.
SEEN = dt.datetime(2026, 11, 21, 2, 30, tzinfo=dt.UTC)
FAULT = "test.fault"
SUMMARY = Text("falta el 7♣ en la baraja B-12", "the 7♣ of deck B-12 is missing")
DECK = trail.Subject("deck", 12, "B-12")


@pytest.fixture(autouse=True)
def own_hooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what the test registers takes part, and it is forgotten afterwards."""
    monkeypatch.setattr(incidents, "_kinds", dict(incidents._kinds))
    monkeypatch.setattr(incidents, "_freezers", {})
    monkeypatch.setattr(incidents, "_objections", [])
    incidents.register_kind(FAULT, Text("falla en las cartas", "fault in the cards"), rules=("CARD-15",))


@dataclass
class People:
    house: House
    chief: User
    pit: User
    compliance: User

    def by(self, user: User, at: dt.datetime = SEEN) -> By:
        return by_user(user, occurred_at=at)


@pytest.fixture
def people(house: House) -> People:
    return the_people(house)


def the_people(house: House) -> People:
    return People(
        house,
        house.person("jefa", Role.SUPERVISOR),
        house.person("sala", Role.PIT_BOSS),
        house.person("cumple", Role.COMPLIANCE),
    )


def found_by(people: People, **about: Any) -> Incident:
    """An incident as a room opens one, inside a transaction of its own."""
    given: dict[str, Any] = {
        "kind": FAULT, "summary": SUMMARY, "subject": DECK, "rules": ["CARD-42"],
        "facts": {"missing": ["7c"], "withdrawn": ["B-12"]}, "table_label": "PB-03", "freezes": True,
        "by": people.by(people.chief), **about,
    }  # fmt: skip
    with one_transaction():
        return incidents.raise_incident(**given)


def settle(people: People, incident: Incident, **about: Any) -> Incident:
    given: dict[str, Any] = {
        "resolution": "la baraja se repuso y se repitió la inspección", "rule_applied": "CARD-12",
        "with_": people.pit.actor, "by": people.by(people.chief, SEEN + dt.timedelta(hours=1)), **about,
    }  # fmt: skip
    return incidents.resolve_incident(incident=incident, **given)


def trail_of(people: People) -> list[Fault]:
    """What `verify_trail` finds; the guards have tests of their own."""
    return [fault for fault in trail_faults(people.house.casino) if not fault.code.startswith("guard")]


def refusal_of(act: Callable[[], object]) -> SabotError:
    with pytest.raises(SabotError) as refusal:
        act()
    return refusal.value


# ---- opened ---------------------------------------------------------------------------------------


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


# ---- by hand --------------------------------------------------------------------------------------


def report(people: People, user: User | None = None, **about: Any) -> Incident:
    given = {"kind": incidents.DISPUTE, "summary": "dos jugadores reclaman el mismo pago", **about}
    return incidents.report_incident(**given, by=people.by(user or people.chief))


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


# ---- notes ----------------------------------------------------------------------------------------


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


# ---- the notice -----------------------------------------------------------------------------------

TEXT = "Aviso terminado.\n\nAna Quispe, Cumplimiento"


def send(people: People, incident: Incident, hours: int = 2, reference: str = "CITE 17/2026") -> Incident:
    by = people.by(people.compliance, SEEN + dt.timedelta(hours=hours))
    return notices.send_notice(incident=incident, reference=reference, by=by)


def edit(people: People, incident: Incident, text: str = TEXT) -> Incident:
    return notices.edit_notice(incident=incident, text=text, by=people.by(people.compliance))


@pytest.mark.rule("REC-14")
def test_the_notice_is_finished_sent_once_and_then_fixed(people: People) -> None:
    incident = found_by(people)
    assert refusal_of(lambda: send(people, incident)).code == "notice_unfinished"
    assert edit(people, incident).notice == TEXT
    sent = send(people, incident)
    assert (sent.notice_reference, sent.notice_sent_at) == ("CITE 17/2026", SEEN + dt.timedelta(hours=2))
    event = Event.objects.get(action="audits.notice.sent")
    assert json.loads(bytes(event.body))["data"] == {
        "reference": "CITE 17/2026", "notice": TEXT, "late": False
    }  # fmt: skip
    for again in (lambda: send(people, incident), lambda: edit(people, incident, "otro texto")):
        assert refusal_of(again).code == "notice_sent"
    with pytest.raises(DatabaseError), transaction.atomic():
        Incident.objects.filter(pk=incident.pk).update(notice="otro texto")
    assert list(told_faults(people.house.casino)) == []


@pytest.mark.rule("REC-14")
def test_a_notice_sent_late_says_so_and_may_follow_the_settlement(people: People) -> None:
    incident = settle(people, found_by(people))
    edit(people, incident)
    send(people, incident, hours=25)
    event = Event.objects.get(action="audits.notice.sent")
    assert json.loads(bytes(event.body))["data"]["late"] is True
    assert list(told_faults(people.house.casino)) == []


def test_the_same_text_again_leaves_no_event(people: People) -> None:
    incident = edit(people, found_by(people))
    edit(people, incident, TEXT.replace("\n", "\r\n") + "  ")
    assert Event.objects.filter(action="audits.notice.edited").count() == 1


def test_a_notice_may_be_written_where_the_kind_asks_for_none(people: People) -> None:
    incident = report(people)
    assert refusal_of(lambda: send(people, incident)).code == "notice_unfinished"
    edit(people, incident)
    assert send(people, incident).notice_due is None


@pytest.mark.parametrize("reference", ["", "  ", "x" * 61, "dos\nlíneas"])
def test_a_reference_is_one_line(people: People, reference: str) -> None:
    incident = edit(people, found_by(people))
    refusal = refusal_of(lambda: send(people, incident, reference=reference))
    assert (refusal.code, refusal.field, refusal.rule) == ("bad_reference", "reference", "REC-14")


# ---- settled --------------------------------------------------------------------------------------


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


# ---- what the database refuses --------------------------------------------------------------------


@pytest.mark.rule("REC-07")
@pytest.mark.parametrize(
    "change",
    [
        {"summary_es": "otra cosa"}, {"facts": {}}, {"freezes": False}, {"rules": []},
        {"notice_due": SEEN + dt.timedelta(days=9)}, {"opened_at": SEEN - dt.timedelta(days=1)},
    ],
)  # fmt: skip
def test_what_was_found_is_never_changed(people: People, change: dict[str, Any]) -> None:
    incident = found_by(people)
    with pytest.raises(DatabaseError, match="REC-07"), transaction.atomic():
        Incident.objects.filter(pk=incident.pk).update(**change)


@pytest.mark.rule("GEN-10")
@pytest.mark.parametrize(
    "change", [{"resolution": "otra"}, {"rule_applied": "GEN-08"}, {"state": "open"}, {"resolved_at": SEEN}]
)
def test_a_settlement_is_never_changed(people: People, change: dict[str, Any]) -> None:
    incident = settle(people, found_by(people))
    with pytest.raises(DatabaseError), transaction.atomic():
        Incident.objects.filter(pk=incident.pk).update(**change)


@pytest.mark.rule("GEN-10")
def test_the_database_too_wants_two_people_and_a_named_table(people: People) -> None:
    incident, one = found_by(people), people.chief.actor
    with pytest.raises(DatabaseError, match="incident_resolved_by_two"), transaction.atomic():
        Incident.objects.filter(pk=incident.pk).update(
            state="resolved", resolution="x", resolved_at=SEEN, resolved_by=one, resolved_with=one
        )
    with pytest.raises(DatabaseError, match="frozen_table_is_named"):
        found_by(people, table_label="")
    with pytest.raises(DatabaseError), transaction.atomic():
        incident.delete()


# ---- proofs ---------------------------------------------------------------------------------------

TAMPERING = [
    ("UPDATE audits_incident SET summary_es = 'nada'", "summary"),
    ("UPDATE audits_incident SET facts = '{}'", "facts"),
    ("UPDATE audits_incident SET notice = 'nada'", "notice, sent_text"),
    ("UPDATE audits_incident SET notice_due = notice_due + interval '1 day'", "notice_due"),
    ("UPDATE audits_incident SET notice_sent_at = NULL", "sent, sent_at"),
    ("UPDATE audits_incident SET notice_reference = 'otra'", "reference"),
    ("UPDATE audits_incident SET resolution = 'otra'", "resolution"),
    ("UPDATE audits_incident SET resolved_with_id = opened_by_id, resolved_by_id = resolved_with_id",
     "resolved_by"),
    ("UPDATE audits_incident SET rules = '{}'", "rules"),
    ("UPDATE audits_incident SET freezes = false", "table"),
    ("UPDATE audits_incident SET subject_label = 'B-13'", "about"),
    ("UPDATE audits_incidentnote SET text = 'nada'", "text"),
    ("DELETE FROM audits_incidentnote", "row, text, by, at"),
]  # fmt: skip


@pytest.mark.rule("REC-06")
@pytest.mark.parametrize(("tampering", "named"), TAMPERING)
def test_the_proof_names_what_is_not_as_the_trail_tells(
    people: People,
    past_the_guards: Callable[[], AbstractContextManager[None]],
    tampering: str,
    named: str,
) -> None:
    incident = edit(people, found_by(people))
    incidents.note_incident(incident=incident, text="algo", by=people.by(people.chief))
    send(people, incident)
    settle(people, incident)
    assert list(told_faults(people.house.casino)) == []
    with past_the_guards(), connection.cursor() as cursor:
        cursor.execute(tampering)
    (fault,) = told_faults(people.house.casino)
    assert fault.words.es.endswith(f": {named}")
    assert fault.where.startswith(f"incident:{incident.pk}")


@pytest.mark.rule("REC-06")
def test_the_proof_misses_a_row_and_a_number(
    people: People, past_the_guards: Callable[[], AbstractContextManager[None]]
) -> None:
    found_by(people)
    gone = found_by(people)
    with past_the_guards(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM audits_incident WHERE id = %s", [gone.pk])
    assert [(fault.code, fault.where) for fault in told_faults(people.house.casino)] == [
        ("trail_differs", f"incident:{gone.pk}"), ("incident_numbers", "2026"),
    ]  # fmt: skip


# ---- lists, facts, report -------------------------------------------------------------------------


@pytest.mark.rule("REC-14")
def test_what_presses_comes_first_and_the_menu_counts_it_in_one_query(
    people: People, django_assert_num_queries: Any
) -> None:
    casino, at = people.house.casino, SEEN + dt.timedelta(hours=1)
    plain, stopped = report(people), found_by(people)
    settled = settle(people, report(people))
    day_before = people.by(people.chief, SEEN - dt.timedelta(hours=24))
    late = settle(people, found_by(people, by=day_before, freezes=False))
    rows = incident_lists.in_order(Incident.objects.filter(casino=casino), at)
    assert list(rows) == [late, stopped, plain, settled]
    with django_assert_num_queries(1):
        standing = incident_lists.standing(casino, at)
    # Open: the dispute and the fault that stops PB-03; one notice ought to have gone out at SEEN.
    assert (standing.open, standing.frozen, standing.late, standing.alarm) == (2, 1, 1, True)
    send(people, edit(people, late))
    settle(people, stopped)
    standing = incident_lists.standing(casino, at)
    assert (standing.open, standing.frozen, standing.late, standing.alarm) == (1, 0, 0, False)


def test_facts_are_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order their names were registered, then by their keys; what says nothing is left out."""
    monkeypatch.setattr(incident_facts, "_names", {})
    vocabulary.say_codes("testcard", lambda code: Text(f"carta {code}", f"card {code}"))
    incident_facts.register_fact("missing", Text("faltan", "missing"), "testcard")
    for key, es in (("rounds", "pases"), ("session", "sesión"), ("first", "desde"), ("last", "hasta")):
        incident_facts.register_fact(key, Text(es, key))
    said = incident_facts.in_words(
        {
            "other_thing": 0, "complete": False, "decks": [], "seal": "", "by": None,
            "rounds": [{"first": 3, "last": 9, "session": "PB-01 · 1"}], "missing": ["7c", "8d"],
            "why": {"es": "vieja", "en": "old"}, "witness": {"id": 7, "name": "Iván"},
        }
    )  # fmt: skip
    assert [(name.es, value.es) for name, value in said] == [
        ("faltan", "carta 7c, carta 8d"), ("pases", "sesión PB-01 · 1, desde 3, hasta 9"),
        ("complete", "no"), ("other thing", "0"), ("why", "vieja"), ("witness", "Iván"),
    ]  # fmt: skip
    assert said[0][1].en == "card 7c, card 8d"


@pytest.mark.rule("REC-14")
def test_the_register_holds_what_was_opened_in_the_days_asked_for(people: People) -> None:
    incident = send(people, edit(people, found_by(people)))
    settle(people, incident)
    # 09:59 and 10:01 UTC of the 21st are a minute before and after the cut-off at six in La Paz.
    before, after = (dt.datetime(2026, 11, 21, *at, tzinfo=dt.UTC) for at in ((9, 59), (10, 1)))
    for at in (before, after):
        found_by(people, by=people.by(people.chief, at))
    register, day = IncidentRegister(), dt.date(2026, 11, 20)
    asked = {"first": day, "last": day, "state": ""}
    rows = list(register.rows(people.house.casino, asked))
    assert [row["number"] for row in rows] == ["INC-2026-0001", "INC-2026-0002"]
    assert register.count(people.house.casino, asked) == 2
    assert set(rows[0]) == {column.key for column in register.columns(asked)}
    first = rows[0]
    assert (first["reference"], first["rule"], first["table"]) == ("CITE 17/2026", "CARD-12", "PB-03")
    assert (first["notice_due"], first["rules"]) == (SEEN + dt.timedelta(hours=24), "CARD-42, CARD-15")
    assert [row["number"] for row in register.rows(people.house.casino, asked | {"state": "open"})] == [
        "INC-2026-0002"
    ]


# ---- at once --------------------------------------------------------------------------------------


@pytest.fixture
def committed(committed_house: House) -> Iterator[People]:
    yield the_people(committed_house)


@pytest.mark.race
@pytest.mark.rule("GEN-10")
@pytest.mark.parametrize("attempt", range(3))
def test_two_settle_at_once_and_one_wins(committed: People, attempt: int) -> None:
    incident = found_by(committed)
    chief, pit = committed.chief, committed.pit
    outcomes = race(
        lambda: settle(committed, incident, with_=pit.actor, by=committed.by(chief)),
        lambda: settle(committed, incident, with_=chief.actor, by=committed.by(pit)),
    )
    lost = [outcome.code for outcome in outcomes if isinstance(outcome, SabotError)]
    assert lost == ["incident_resolved"]
    incident.refresh_from_db()
    winner = next(place for place, outcome in enumerate(outcomes) if isinstance(outcome, Incident))
    assert incident.resolved_by == (chief, pit)[winner].actor
    assert Event.objects.filter(action="audits.incident.resolved").count() == 1
    assert list(told_faults(committed.house.casino)) == []


@pytest.mark.race
@pytest.mark.rule("REC-14")
def test_a_notice_sent_and_edited_at_once_is_what_the_trail_tells(committed: People) -> None:
    incident = edit(committed, found_by(committed))
    outcomes = race(
        partial(send, committed, incident),
        lambda: edit(committed, incident, "Otro texto terminado."),
    )
    assert isinstance(outcomes[0], Incident)
    assert isinstance(outcomes[1], Incident) or outcomes[1].code == "notice_sent"
    assert list(told_faults(committed.house.casino)) == []


@pytest.mark.race
def test_several_opened_at_once_have_each_their_number(committed: People) -> None:
    acts = [partial(found_by, committed, freezes=False) for _ in range(4)]
    assert all(isinstance(made, Incident) for made in race(*acts))
    assert sorted(Incident.objects.values_list("number", flat=True)) == [1, 2, 3, 4]
    assert NumberSeries.objects.get(series="incident").last == 4
    assert list(told_faults(committed.house.casino)) == []


# ---- inside another command -----------------------------------------------------------------------

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
