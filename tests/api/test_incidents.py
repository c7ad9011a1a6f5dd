"""Incidents over the API: reported, listed and filtered, added to, their notice, settled by two passwords."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from audits import incidents, trail
from audits.by import by_user
from audits.models import Incident
from casino.kernel.commands import one_transaction
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino
from tests.api.building import PASSWORD, House, make_house

LIST = "/api/v1/incidents"
FAULT = "test.fault"
OPENED = dt.datetime(2026, 11, 20, 22, 0, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def own_hooks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A floor with the table PB-01; what was stopped there."""
    stopped: list[str] = []
    monkeypatch.setattr(incidents, "_kinds", dict(incidents._kinds))
    monkeypatch.setattr(incidents, "_freezers", {})
    incidents.register_kind(FAULT, Text("falla", "fault"), rules=("CARD-15",))

    def hold(casino: Casino, table: str) -> incidents.Freeze:
        return lambda incident: stopped.append(f"{table} {incident.label}")

    incidents.register_freezer(hold, names=lambda casino: ["PB-01"])
    yield stopped


def opened(house: House, table: str = "PB-01", at: dt.datetime = OPENED) -> Incident:
    with one_transaction():
        return incidents.raise_incident(
            kind=FAULT, summary=Text("falta el 7♣", "the 7♣ is missing"),
            subject=trail.Subject("deck", 12, "B-12"), rules=["CARD-42"],
            facts={"withdrawn": ["B-12"]}, table_label=table, freezes=bool(table),
            by=by_user(house.users[Role.SUPERVISOR], occurred_at=at),
        )  # fmt: skip


def signed(house: House, role: Role, password: str = PASSWORD) -> dict[str, str]:
    return {
        "resolution": "se cambió la baraja", "rule_applied": "CARD-12",
        "second": house.users[role].username, "second_password": password,
    }  # fmt: skip


def labels(client: APIClient, query: str = "") -> list[str]:
    response = client.get(LIST + query)
    assert response.status_code == 200
    return [row["label"] for row in response.json()["results"]]


@pytest.mark.rule("GEN-08")
def test_one_is_reported_and_stops_its_table(house: House, own_hooks: list[str]) -> None:
    given = {"kind": "floor.dispute", "summary": "pago discutido", "table": "PB-01", "freezes": True}
    made = house.client(Role.SUPERVISOR).post(LIST, given, format="json")
    assert made.status_code == 201
    body = made.json()
    assert (body["kind_name"], body["summary"], body["state"]) == (
        "dispute at the table", "pago discutido", "open"
    )  # fmt: skip
    assert (body["table"], body["freezes"], body["rules"]) == ("PB-01", True, ["GEN-08"])
    assert own_hooks == [f"PB-01 {body['label']}"]
    unknown = house.client(Role.SUPERVISOR).post(LIST, given | {"table": "PB-77"}, format="json")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_table")
    nameless = house.client(Role.SUPERVISOR).post(LIST, given | {"kind": "floor.x"}, format="json")
    assert (nameless.status_code, nameless.json()["code"]) == (422, "unknown_kind")


def test_one_is_read_in_words_with_its_facts(house: House) -> None:
    found = opened(house)
    client = house.client(Role.INSPECTOR)
    body = client.get(f"{LIST}/{found.pk}").json()
    assert body["label"] == "INC-2026-0001"
    assert body["subject"] == {"type": "deck", "id": 12, "label": "B-12"}
    assert body["facts_said"] == [{"name": "decks withdrawn", "value": "B-12"}]
    assert (body["summary"], body["notes"], body["objections"]) == ("the 7♣ is missing", [], [])
    assert body["notice_due"] == "2026-11-21T22:00:00Z"
    spanish = client.get(f"{LIST}/{found.pk}", HTTP_ACCEPT_LANGUAGE="es").json()
    assert spanish["facts_said"][0]["name"] == "barajas retiradas"


@pytest.mark.rule("REC-14")
def test_the_list_is_narrowed(house: House) -> None:
    old, new = opened(house), opened(house, "", dt.datetime.now(dt.UTC))
    client = house.client(Role.COMPLIANCE)
    assert labels(client) == [new.label, old.label]
    # Opened on the 20th and due a day later: overdue by now; the other has its 24 hours still.
    for query, expected in {
        "?overdue=true": [old], "?overdue=false": [new], "?table=PB-01": [old], "?freezes=false": [new],
        "?state=resolved": [], "?rule=CARD-42": [new, old], "?rule=BJ-01": [], f"?kind={FAULT}": [new, old],
        "?subject_type=deck&subject_id=12": [new, old], "?subject_id=13": [],
        "?until=2026-11-20T18:00:00-04:00": [], "?until=2026-11-20T18:00:01-04:00": [old],
    }.items():  # fmt: skip
        assert labels(client, query) == [found.label for found in expected], query


def test_an_instant_of_a_zone_beyond_all_zones_is_still_an_instant(house: House) -> None:
    """22:00 UTC is 15:20 of the next day at +17:20, which PostgreSQL itself would not read."""
    found, client = opened(house), house.client(Role.COMPLIANCE)
    assert labels(client, "?since=2026-11-21T15:20:00%2B17:20") == [found.label]
    assert labels(client, "?since=2026-11-21T15:20:01%2B17:20") == []


@pytest.mark.rule("REC-14")
def test_notes_and_the_notice(house: House) -> None:
    found = opened(house)
    place = f"{LIST}/{found.pk}"
    note = house.client(Role.CAGE).post(f"{place}/notes", {"text": "la cámara lo muestra"}, format="json")
    assert (note.status_code, note.json()["by"]) == (201, "Persona cage")
    client = house.client(Role.COMPLIANCE)
    early = client.post(f"{place}/notice/send", {"reference": "CITE 1"}, format="json")
    assert (early.status_code, early.json()["code"], early.json()["rule"]) == (
        422, "notice_unfinished", "REC-14"
    )  # fmt: skip
    edited = client.post(f"{place}/notice", {"text": "Aviso listo."}, format="json")
    assert edited.json()["notice"] == "Aviso listo."
    given = {"reference": "CITE 1", "occurred_at": "2026-11-20T20:00:00-04:00"}
    sent = client.post(f"{place}/notice/send", given, format="json").json()
    assert (sent["notice_reference"], sent["notice_sent_at"]) == ("CITE 1", "2026-11-21T00:00:00Z")
    again = client.post(f"{place}/notice", {"text": "Otro."}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "notice_sent")
    assert [row["text"] for row in client.get(place).json()["notes"]] == ["la cámara lo muestra"]


@pytest.mark.rule("GEN-10")
def test_it_is_settled_with_another_persons_password_once(house: House) -> None:
    found = opened(house)
    place, client = f"{LIST}/{found.pk}/resolve", house.client(Role.SUPERVISOR)

    def answer(given: dict[str, Any]) -> tuple[int, str]:
        response = client.post(place, given, format="json")
        return response.status_code, response.json().get("code", "")

    assert answer(signed(house, Role.PIT_BOSS, "no es su clave")) == (401, "bad_credentials")
    assert answer(signed(house, Role.SUPERVISOR)) == (422, "same_person")
    assert answer(signed(house, Role.CROUPIER)) == (422, "signer_not_allowed")
    assert answer(signed(house, Role.PIT_BOSS) | {"rule_applied": "CARD-99"}) == (422, "unknown_rule")
    assert Incident.objects.get().state == Incident.State.OPEN
    done = client.post(place, signed(house, Role.PIT_BOSS), format="json")
    assert done.status_code == 200
    assert (done.json()["resolved_by"], done.json()["resolved_with"]) == (
        "Persona supervisor", "Persona pit_boss"
    )  # fmt: skip
    assert "second_password" not in done.json()
    assert answer(signed(house, Role.PIT_BOSS)) == (409, "incident_resolved")


def test_another_casino_has_none_of_it(house: House) -> None:
    found = opened(house)
    other = make_house("sur")
    client = other.client(Role.COMPLIANCE)
    assert labels(client) == []
    assert client.get(f"{LIST}/{found.pk}").status_code == 404
    for act, given in {
        "notes": {"text": "x"}, "notice": {"text": "x"}, "notice/send": {"reference": "x"},
        "resolve": signed(other, Role.PIT_BOSS),
    }.items():  # fmt: skip
        assert client.post(f"{LIST}/{found.pk}/{act}", given, format="json").status_code == 404
