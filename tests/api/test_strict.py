"""What a body may say: its fields and nothing else, names that can be read, values of their kind."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.crypto import salted_hmac
from rest_framework.test import APIClient

from audits.by import LONGEST_REASON
from audits.models import Event
from casino.kernel.permissions import Role
from casino.models import FailedSignIns, IdempotencyRecord, User
from tables.models import Pit
from tests.api.building import PASSWORD, House, make_house
from tests.api.floor import Floor, receipt

PITS, USERS, EXPORTS = "/api/v1/pits", "/api/v1/users", "/api/v1/exports"


def refused_fields(response: Any) -> set[tuple[str, str]]:
    assert response.status_code == 400, response.content
    return {(error["field"], error["code"]) for error in response.json()["errors"]}


def test_a_misspelt_key_is_named_and_nothing_is_done(house: House) -> None:
    admin = house.client(Role.ADMINISTRATOR)
    sent = admin.post(PITS, {"name": "Sala", "reason": "obra", "ocurred_at": "2026-11-01T10:00:00Z"})
    assert refused_fields(sent) == {("ocurred_at", "unknown_field")}
    assert sent.json()["field"] == "ocurred_at"
    assert not Pit.objects.exists()
    assert admin.post(PITS, {"name": "Sala", "reason": "obra"}).status_code == 201


def test_so_is_one_deeper_down(house: House) -> None:
    floor = Floor(house)
    boss = house.client(Role.PIT_BOSS)
    spots = {"punto": {"minimum": "5.00", "maximum": "50.00", "maximun": "5.00"}}
    path = f"/api/v1/tables/{floor.table['id']}/limits"
    sent = boss.post(path, {"chip": "5.00", "spots": spots, "reason": "prueba"})
    assert refused_fields(sent) == {("spots.punto.maximun", "unknown_field")}


def test_so_is_one_beside_the_credentials(house: House) -> None:
    given = {"username": "norte-cage", "password": PASSWORD, "otp": "1"}
    assert refused_fields(APIClient().post("/api/v1/auth/token", given)) == {("otp", "unknown_field")}


@pytest.mark.parametrize("length", [1, 100, 101, LONGEST_REASON])
def test_a_reason_is_kept_whole(house: House, length: int) -> None:
    sent = house.client(Role.ADMINISTRATOR).post(PITS, {"name": "Sala", "reason": "ñ" * length})
    assert sent.status_code == 201, sent.content
    assert Pit.objects.get().history.get().history_change_reason == "ñ" * length


def test_a_longer_one_is_refused(house: House) -> None:
    sent = house.client(Role.ADMINISTRATOR).post(PITS, {"name": "Sala", "reason": "ñ" * (LONGEST_REASON + 1)})
    assert refused_fields(sent) == {("reason", "max_length")}
    assert not Pit.objects.exists()


@pytest.mark.parametrize("name", ["Sala\nB", "Sala\tB", "Sala \u202eB", "a\u200bb", "a\u2028x", "Sala\x7fB"])
def test_a_name_is_one_line_of_what_can_be_seen(house: House, name: str) -> None:
    admin = house.client(Role.ADMINISTRATOR)
    person = {
        "number": "7", "name": "Ana", "licence": "L", "licence_expires": "2030-01-01", "games": [],
        "reason": "x",
    }  # fmt: skip
    user = {"username": "nueva", "name": "Nueva", "password": PASSWORD, "roles": ["cage"]}
    deck = receipt(house, ["S1"])
    cards = house.client(Role.SUPERVISOR)
    tried = [
        (admin, PITS, {"name": "Sala", "reason": "x"}, ["name"]),
        (admin, "/api/v1/staff", person, ["number", "name", "licence"]),
        (admin, USERS, user, ["username", "name"]),
        (cards, "/api/v1/decks", deck, ["maker", "batch", "back_design", "back_colour", "homologation"]),
        (cards, "/api/v1/shoes", {"game": "baccarat.mini"}, ["device"]),
    ]
    for client, path, body, fields in tried:
        for field in fields:
            sent = client.post(path, {**body, field: name})
            assert sent.status_code == 422, (path, field, sent.content)
            assert sent.json()["field"] == field
    assert cards.post("/api/v1/decks", {**deck, "serials": [name]}).status_code == 422


def test_a_name_is_kept_in_one_form_of_its_letters(house: House) -> None:
    admin = house.client(Role.ADMINISTRATOR)
    assert admin.post(PITS, {"name": " Salo\u0301n Ñandú «1» 🎲 ", "reason": "x"}).json()["name"] == (
        "Salón Ñandú «1» 🎲"
    )
    assert admin.post(PITS, {"name": "Salón Ñandú «1» 🎲", "reason": "x"}).status_code == 409


@pytest.mark.parametrize("value", [True, 1.0, [1], {"id": 1}])
def test_a_reports_parameter_is_of_its_kind(house: House, value: Any) -> None:
    session = Floor(house).open()["id"]
    ask = {"report": "tables.session", "format": "csv", "params": {"session": value}}
    client = house.client(Role.COMPLIANCE)
    sent = client.post(EXPORTS, ask)
    assert (sent.status_code, sent.json()["code"], sent.json()["field"]) == (422, "bad_params", "session")
    for good in (session, str(session)):
        assert client.post(EXPORTS, {**ask, "params": {"session": good}}).status_code == 202


def test_a_kept_answer_does_not_let_a_password_be_guessed(house: House, settings: Any) -> None:
    body = {"username": "nueva", "name": "Nueva", "password": PASSWORD, "roles": ["cage"]}
    admin = house.client(Role.ADMINISTRATOR)
    sent = admin.post(USERS, body, HTTP_IDEMPOTENCY_KEY="k1")
    raw = sent.wsgi_request.body if hasattr(sent, "wsgi_request") else b""
    kept = bytes(IdempotencyRecord.objects.get().body_digest)
    assert kept == salted_hmac("Idempotency-Key", raw, algorithm="sha256").digest()
    assert kept != salted_hmac("Idempotency-Key", raw, secret="x" * 50, algorithm="sha256").digest()


def test_another_casinos_password_signs_nothing(house: House) -> None:
    """And tells nothing: right or wrong it reads the same, and counts."""
    elsewhere = make_house("sur")
    floor = Floor(house)
    floor.open()
    said = set()
    for password in (PASSWORD, "otra cosa larga"):
        sent = house.client(Role.PIT_BOSS).post(
            "/api/v1/rounds/1/void",
            {
                "reason": "x",
                "approver": "sur-supervisor",
                "approver_password": password,
                "cards_came_out": True,
            },
            HTTP_IDEMPOTENCY_KEY="v1",
        )
        said.add((sent.status_code, sent.json()["code"], sent.json()["detail"]))
    assert [code for _, code, _ in said] == ["bad_credentials"]
    assert FailedSignIns.objects.get(username="sur-supervisor").count == 2
    assert elsewhere.users[Role.SUPERVISOR].is_active


def test_an_unknown_sign_in_leaves_no_event(house: House) -> None:
    before = Event.objects.count()
    APIClient().post("/api/v1/auth/token", {"username": "norte-cage", "password": "no"})
    assert (Event.objects.count(), User.objects.filter(username="no").exists()) == (before, False)
