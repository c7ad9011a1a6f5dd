"""Coming in by token or session, going out, and what guessing leads to."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
import time_machine
from django.test import Client, RequestFactory
from rest_framework.test import APIClient

from audits.models import Event
from audits.sign_in import ATTEMPTS, WINDOW, address_of
from casino.kernel import clock
from casino.kernel.permissions import Role
from tests.api.building import PASSWORD, House

TOKEN, LOGOUT, ME = "/api/v1/auth/token", "/api/v1/auth/logout", "/api/v1/auth/me"


def attempt(username: str, password: str, address: str = "10.0.0.7") -> APIClient:
    return APIClient().post(TOKEN, {"username": username, "password": password}, REMOTE_ADDR=address)


def test_a_token_opens_and_logout_ends_it(house: House) -> None:
    given = attempt(" Norte-Cage ", PASSWORD)
    assert given.status_code == 201
    assert given.json()["user"]["roles"] == ["cage"]
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {given.json()['token']}")
    assert client.get(ME).json()["username"] == "norte-cage"
    assert client.post(LOGOUT).status_code == 204
    assert client.get(ME).status_code == 401


def test_a_token_lasts_one_shift(house: House) -> None:
    token = attempt("norte-cage", PASSWORD).json()["token"]
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    with time_machine.travel(clock.now() + dt.timedelta(hours=11, minutes=59)):
        assert client.get(ME).status_code == 200
    with time_machine.travel(clock.now() + dt.timedelta(hours=12, minutes=1)):
        assert client.get(ME).status_code == 401


def test_a_sign_in_is_on_the_trail_without_the_password(house: House) -> None:
    attempt("norte-cage", PASSWORD)
    event = Event.objects.get(action="audits.user.signed_in")
    body = bytes(event.body).decode()
    assert json.loads(body)["data"] == {"address": "10.0.0.7", "way": "token"}
    assert PASSWORD not in body


def test_guessing_is_stopped_for_a_while(house: House) -> None:
    for _ in range(ATTEMPTS):
        assert attempt("norte-cage", "wrong").status_code == 401
    stopped = attempt("norte-cage", PASSWORD)
    assert (stopped.status_code, stopped.json()["code"]) == (429, "too_many_attempts")
    assert 0 < int(stopped["Retry-After"]) <= WINDOW.total_seconds() + 1
    assert attempt("norte-cage", PASSWORD, "10.0.0.8").status_code == 201
    assert attempt("norte-device", PASSWORD).status_code == 201
    with time_machine.travel(clock.now() + WINDOW + dt.timedelta(seconds=1)):
        assert attempt("norte-cage", "wrong").status_code == 401
        assert attempt("norte-cage", PASSWORD).status_code == 201


def test_a_right_password_clears_the_count(house: House) -> None:
    for _ in range(2):
        for _ in range(ATTEMPTS - 1):
            assert attempt("norte-cage", "wrong").status_code == 401
        assert attempt("norte-cage", PASSWORD).status_code == 201


def test_unknown_shut_off_and_system_logins_answer_alike(house: House) -> None:
    user = house.users[Role.CAGE]
    user.is_active = False
    user.save(update_fields=["is_active"])
    answers = [
        attempt(name, PASSWORD).json()["detail"] for name in ("norte-cage", "nobody", "system:norte:tests")
    ]
    assert len(set(answers)) == 1


def test_a_session_works_and_its_writes_need_the_csrf_token(house: House) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(house.users[Role.ADMINISTRATOR])
    assert client.get("/api/v1/users").status_code == 200
    path = f"/api/v1/users/{house.users[Role.CAGE].pk}/deactivate"
    body = json.dumps({"reason": "baja"})
    refused = client.post(path, body, content_type="application/json")
    assert (refused.status_code, refused["Content-Type"]) == (403, "application/problem+json")
    client.cookies["csrftoken"] = "a" * 32
    accepted = client.post(path, body, content_type="application/json", HTTP_X_CSRFTOKEN="a" * 32)
    assert accepted.status_code == 200
    house.users[Role.CAGE].refresh_from_db()
    assert not house.users[Role.CAGE].is_active


@pytest.mark.parametrize("header", ["Token 0" * 10, "Token " + "f" * 64])
def test_a_token_nobody_has_is_a_401(house: House, header: str) -> None:
    response = APIClient().get(ME, HTTP_AUTHORIZATION=header)
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Token"


def test_a_new_password_ends_the_tokens_of_the_old_one(house: House) -> None:
    cage = house.client(Role.CAGE)
    path = f"/api/v1/users/{house.users[Role.CAGE].pk}/password"
    given = {"password": "otra clave larga 8", "reason": "la olvidó"}
    assert house.client(Role.ADMINISTRATOR).post(path, given).status_code == 200
    assert cage.get(ME).status_code == 401
    assert attempt("norte-cage", PASSWORD).status_code == 401
    assert attempt("norte-cage", "otra clave larga 8").status_code == 201


@pytest.mark.parametrize(
    ("behind_proxy", "forwarded", "address"),
    [
        (False, "6.6.6.6", "10.0.0.7"),
        (True, "6.6.6.6, 192.0.2.9", "192.0.2.9"),
        (True, "", "10.0.0.7"),
        (True, "nonsense", "::"),
    ],
)
def test_a_forwarded_address_is_believed_behind_our_proxy_only(
    rf: RequestFactory, settings: Any, behind_proxy: bool, forwarded: str, address: str
) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if behind_proxy else None
    headers = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}
    assert address_of(rf.post(TOKEN, REMOTE_ADDR="10.0.0.7", **headers)) == address
