"""What nobody changes of an incident, the proof that finds it out, and two acts at once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from audits import incidents
from audits.incident_proofs import told_faults
from audits.models import Event, Incident
from casino.kernel.errors import SabotError
from casino.models import NumberSeries
from tests.audits.conftest import House
from tests.audits.incident_people import SEEN, People, edit, found_by, send, settle, the_people
from tests.races.racing import race

pytestmark = pytest.mark.usefixtures("own_hooks")


# ---- what the database refuses ----


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


# ---- proofs ----

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


# ---- at once ----


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
