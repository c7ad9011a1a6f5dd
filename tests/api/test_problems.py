"""Every refusal is one envelope, in the language asked for, and nothing a stranger sends is a 500."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.test.client import RequestFactory

from casino.kernel import clock
from casino.kernel.errors import Busy
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.wsgi import Request
from tests.api.building import PASSWORD, House

USERS, TOKEN = "/api/v1/users", "/api/v1/auth/token"
MEMBERS = {"type", "title", "status", "detail", "instance", "code", "rule", "field"}


def sent(client: Any, path: str, body: bytes, content_type: str = "application/json", **more: Any) -> Any:
    return client.generic("POST", path, body, content_type=content_type, **more)


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert set(body) >= MEMBERS
    assert (body["status"], body["code"]) == (status, code)
    assert body["type"].endswith(code)
    return body


def test_a_refusal_keeps_code_rule_and_field(house: House) -> None:
    body = {"username": "x", "name": "X", "password": PASSWORD, "roles": ["inspector", "cage"]}
    answer = problem(house.client(Role.ADMINISTRATOR).post(USERS, body), 422, "bad_user")
    assert (answer["rule"], answer["field"], answer["instance"]) == ("REC-11", "roles", USERS)


def test_the_language_is_the_requests_then_the_users(house: House) -> None:
    admin = house.client(Role.ADMINISTRATOR)
    body = {"username": "x", "name": "X", "password": PASSWORD, "roles": ["inspector", "cage"]}
    english = admin.post(USERS, body, HTTP_ACCEPT_LANGUAGE="en").json()["detail"]
    assert english == "the AJ inspector only reads and may hold no other role"
    spanish = admin.post(USERS, body, HTTP_ACCEPT_LANGUAGE="es").json()["detail"]
    assert spanish == "el inspector de la AJ sólo lee; no puede tener otra función"
    del admin.defaults["HTTP_ACCEPT_LANGUAGE"]
    assert admin.post(USERS, body).json()["detail"] == spanish
    user = house.users[Role.ADMINISTRATOR]
    user.language = "en"
    user.save(update_fields=["language"])
    assert admin.post(USERS, body).json()["detail"] == english


def test_missing_fields_are_told_one_by_one(house: House) -> None:
    answer = problem(house.client(Role.ADMINISTRATOR).post(USERS, {"roles": ["nobody"]}), 400, "invalid")
    assert {error["field"]: error["code"] for error in answer["errors"]} == {
        "username": "required",
        "name": "required",
        "password": "required",
        "roles.0": "invalid_choice",
    }


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"[1, 2]", b'"text"', b"\xff\xfe", b"[" * 100_000, b'{"a": NaN}', b'{"a": 1, "a": 2}',
        b'{"username": "a\\u0000b"}', b'{"username": "\\ud800"}', b'{"x": ' + b"9" * 5_000 + b"}",
        b'{"username": {"a": 1}, "name": [], "password": 5, "roles": "x"}',
        json.dumps({"username": "x" * 100_000}).encode(),
        b'{"roles": ["' + b'", "'.join([b"cage"] * 500) + b'"]}',
    ],
)  # fmt: skip
def test_rubbish_is_a_400(house: House, body: bytes) -> None:
    for role, path in ((Role.ADMINISTRATOR, USERS), (None, TOKEN)):
        response = sent(house.client(role), path, body)
        assert response.status_code == 400, body[:40]
        assert response["Content-Type"] == "application/problem+json"


def test_other_refusals_of_the_frame(house: House) -> None:
    admin = house.client(Role.ADMINISTRATOR)
    problem(admin.get("/api/v1/nothing"), 404, "not_found")
    problem(admin.get(f"{USERS}/999999999999999999999999999999"), 404, "not_found")
    problem(admin.get("/api/v1/users?page=x"), 404, "not_found")
    problem(admin.delete(USERS), 405, "method_not_offered")
    problem(admin.get(USERS, HTTP_ACCEPT="text/html"), 406, "format_not_available")
    problem(sent(admin, USERS, b"a=1", "application/x-www-form-urlencoded"), 415, "content_type_not_accepted")
    problem(sent(admin, USERS, b" " * 2_700_000), 413, "body_too_large")
    problem(house.client(None).get(USERS), 401, "not_signed_in")
    problem(house.client(Role.CAGE).get(USERS), 403, "not_allowed")


def test_odd_headers_and_queries_are_no_failure(house: House) -> None:
    admin = house.client(Role.ADMINISTRATOR)
    assert admin.get(f"{USERS}?username=%00").status_code == 400
    assert admin.get(f"{USERS}?is_active=maybe&page_size=-1").status_code in {200, 400}
    for header in ("Token \xff\xfe", "Token", "Token a b", "Token " + "a" * 9_000, "Bearer x"):
        assert Client().get(USERS, HTTP_AUTHORIZATION=header).status_code == 401


@pytest.mark.parametrize("charset", ["hex", "zlib", "idna", "utf-16", "no-such"])
def test_a_request_is_utf_8_whatever_its_header_claims(charset: str) -> None:
    environ = RequestFactory().get("/?a=%C3%B1").environ
    request = Request({**environ, "CONTENT_TYPE": f"application/json; charset={charset}"})
    assert request.GET["a"] == "ñ"
    assert request.content_type == "application/json"


def test_busy_says_when_to_try_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from audits.api import users

    def busy(**_: Any) -> None:
        raise Busy(Text("ocupado", "busy"))

    monkeypatch.setattr(users.people, "create_user", busy)
    body = {"username": "x", "name": "X", "password": PASSWORD, "roles": ["cage"]}
    response = house.client(Role.ADMINISTRATOR).post(USERS, body)
    problem(response, 409, "busy")
    assert response["Retry-After"] == "3"


def test_a_failure_of_ours_tells_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from audits.api import users

    def broken(**_: Any) -> None:
        raise ZeroDivisionError("secret inside")

    monkeypatch.setattr(users.people, "create_user", broken)
    client = house.client(Role.ADMINISTRATOR)
    client.raise_request_exception = False
    body = {"username": "x", "name": "X", "password": PASSWORD, "roles": ["cage"]}
    response = client.post(USERS, body)
    problem(response, 500, "system_failure")
    assert b"secret" not in response.content


def test_an_instant_needs_its_zone(house: House) -> None:
    boss = house.client(Role.PIT_BOSS)
    about = {"maker": "M", "batch": "B", "back_design": "d", "back_colour": "r", "homologation": "AJ-1"}
    second = {"received_with": house.users[Role.COMPLIANCE].username, "received_with_password": PASSWORD}
    decks = {"serials": ["Z-1"], **about, **second}
    answer = boss.post("/api/v1/decks", {**decks, "occurred_at": "2026-11-29T22:00:00"})
    assert problem(answer, 400, "invalid")["errors"][0]["code"] == "zone_missing"
    future = boss.post("/api/v1/decks", {**decks, "occurred_at": "2999-01-01T00:00:00Z"})
    assert problem(future, 422, "occurred_in_future")["field"] == "occurred_at"
    an_hour_ago = (clock.now() - dt.timedelta(hours=1)).astimezone(ZoneInfo("America/La_Paz")).isoformat()
    assert an_hour_ago.endswith("-04:00")
    assert boss.post("/api/v1/decks", {**decks, "occurred_at": an_hour_ago}).status_code == 201


def test_a_setting_is_made_now_whatever_the_caller_says(house: House) -> None:
    path = f"{USERS}/{house.users[Role.CAGE].pk}/deactivate"
    told = {"reason": "r", "occurred_at": "2020-01-01T00:00:00Z"}
    answer = house.client(Role.ADMINISTRATOR).post(path, told)
    assert problem(answer, 400, "invalid")["errors"][0]["code"] == "unknown_field"
