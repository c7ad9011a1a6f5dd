"""The notice of an incident and its deadline (REC-14), what lists put first, facts in words, the register."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from audits import incident_facts, incident_lists, vocabulary
from audits.incident_proofs import told_faults
from audits.incident_report import IncidentRegister
from audits.models import Event, Incident
from audits.reports import EVENTS
from casino.kernel.words import Text
from tests.audits.incident_people import (
    SEEN,
    TEXT,
    People,
    edit,
    found_by,
    refusal_of,
    report,
    send,
    settle,
)

pytestmark = pytest.mark.usefixtures("own_hooks")


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
    assert set(rows[0]) - {EVENTS} == {column.key for column in register.columns(asked)}
    first = rows[0]
    assert (first["reference"], first["rule"], first["table"]) == ("CITE 17/2026", "CARD-12", "PB-03")
    assert (first["notice_due"], first["rules"]) == (SEEN + dt.timedelta(hours=24), "CARD-42, CARD-15")
    assert [row["number"] for row in register.rows(people.house.casino, asked | {"state": "open"})] == [
        "INC-2026-0002"
    ]
