"""What a stranger may put into an address, a form or a cookie without the house failing."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from audits.sign_in import ATTEMPTS
from casino.kernel.permissions import Role
from casino.models import FailedSignIns
from tests.api.building import PASSWORD, House, make_house
from tests.pages.building import make_floor


@pytest.fixture
def house(db: None) -> House:
    return make_house()


def signed_in(house: House, role: Role = Role.PIT_BOSS) -> Client:
    client = Client()
    client.force_login(house.users[role])
    return client


@pytest.mark.parametrize(
    "path",
    [
        "/mesas/%00/", "/mesas/a%00b/", "/reglas/%00/", "/auditoria/?stream=%00", "/auditoria/?actor=%00",
        "/auditoria/?rule=a%00", "/sesiones/?table=%00", "/sesiones/?%00=1", "/entrar/?next=/%00",
        "/no-hay/%00", "/static/%00",
    ],
)  # fmt: skip
def test_a_null_in_an_address_is_a_bad_request(house: House, path: str) -> None:
    response = signed_in(house, Role.COMPLIANCE).get(path)
    assert response.status_code in ((404, 400) if path.startswith("/static") else (400,))
    assert "text/html" in response["Content-Type"]


def test_a_page_says_so_in_the_houses_look(house: House) -> None:
    page = signed_in(house).get("/mesas/%00/").content.decode()
    assert "La solicitud no se entiende" in page
    assert "sabot.css" in page


@pytest.mark.parametrize("path", ["/api/v1/events?stream=%00", "/api/v1/actors?name=a%00", "/api/v1/%00"])
def test_the_api_says_so_as_a_problem(house: House, path: str) -> None:
    response = house.client(Role.COMPLIANCE).get(path)
    assert (response.status_code, response.json()["code"]) == (400, "malformed")


def test_a_null_in_a_form_is_a_bad_request(house: House) -> None:
    assert Client().post("/entrar/", {"username": "\x00", "password": "x"}).status_code == 400
    assert Client().post("/entrar/", {"username": "x", "password": "\x00"}).status_code == 400
    assert Client().post("/entrar/", {"x\x00": "y"}).status_code == 400
    raw = "username=%00&password=x"
    form = "application/x-www-form-urlencoded"
    assert Client().generic("POST", "/entrar/", raw, content_type=form).status_code == 400
    assert not FailedSignIns.objects.exists()
    shoe = make_floor(house).ready_shoe()
    page = f"/cartas/sabots/{shoe.pk}/terminar/"
    assert signed_in(house, Role.SUPERVISOR).post(page, {"reason": "a\x00"}).status_code == 400


@pytest.mark.parametrize("name", ["sessionid", "csrftoken", "django_language", "otra"])
def test_a_null_in_a_cookie_is_a_bad_request(db: None, name: str) -> None:
    client = Client()
    client.cookies.load({name: "x"})
    assert client.get("/entrar/", HTTP_COOKIE=f'{name}="aaaaaaaaaa\\000"').status_code == 400


@pytest.mark.parametrize(
    "wanted",
    ["[]", "-1", "true", "foo", "login", "http://x.example/", "//x.example", "/\\x.example", "javascript:1"],
)
def test_the_way_back_is_an_address_of_the_house(house: House, wanted: str) -> None:
    client = signed_in(house)
    for response in (
        client.post("/aspecto/", {"theme": "pit", "next": wanted}),
        client.get("/entrar/", {"next": wanted}),
        Client().post("/entrar/", {"username": "norte-cage", "password": PASSWORD, "next": wanted}),
    ):
        assert (response.status_code, response["Location"]) == (302, "/")
    assert (
        client.post("/aspecto/", {"next": "/sesiones/?table=PB-01"})["Location"] == "/sesiones/?table=PB-01"
    )


@pytest.mark.parametrize("act", ["zzz", "", "Activate"])
def test_an_act_nobody_knows_changes_no_login(house: House, act: str) -> None:
    user = house.users[Role.CAGE]
    page = f"/ajustes/usuarios/{user.pk}/"
    response = signed_in(house, Role.ADMINISTRATOR).post(page, {"act": act, "reason": "x"})
    assert response.status_code == 422
    user.refresh_from_db()
    assert user.is_active


def test_a_reason_too_long_is_refused_on_a_page(house: House) -> None:
    user = house.users[Role.CAGE]
    page, admin = f"/ajustes/usuarios/{user.pk}/", signed_in(house, Role.ADMINISTRATOR)
    refused = admin.post(page, {"act": "deactivate", "reason": "x" * 501})
    assert (refused.status_code, "como máximo 500" in refused.content.decode()) == (422, True)
    assert admin.post(page, {"act": "deactivate", "reason": "x" * 500}).status_code == 302


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_guesses_sent_at_once_are_counted_one_by_one() -> None:
    make_house()
    answers: list[int] = []
    together = threading.Barrier(12)

    def guess() -> None:
        together.wait()
        response: Any = Client().post("/entrar/", {"username": "norte-cage", "password": "no es"})
        answers.append(response.status_code)
        connections.close_all()

    threads = [threading.Thread(target=guess) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [401] * ATTEMPTS + [429] * (12 - ATTEMPTS)
