"""The login page: in, out, wrong passwords, where one lands."""

from __future__ import annotations

import pytest
from django.test import Client

from audits.models import Event
from audits.sign_in import ATTEMPTS
from casino.kernel.permissions import Role
from tests.api.building import PASSWORD, House


def enter(client: Client, password: str = PASSWORD, **more: str) -> object:
    return client.post("/entrar/", {"username": "norte-pit_boss", "password": password, **more})


def test_a_page_without_login_leads_to_it_and_back(house: House) -> None:
    client = Client()
    first = client.get("/auditoria/")
    assert first["Location"] == "/entrar/?next=/auditoria/"
    assert enter(client, next="/auditoria/")["Location"] == "/auditoria/"
    assert client.get("/auditoria/").status_code == 200
    event = Event.objects.get(action="audits.user.signed_in")
    assert event.actor == house.users[Role.PIT_BOSS].actor


def test_nobody_is_led_out_of_the_house(house: House) -> None:
    assert enter(Client(), next="https://elsewhere.example/")["Location"] == "/"


def test_a_wrong_password_is_said_beside_it_and_too_many_wait(house: House) -> None:
    client = Client()
    for _ in range(ATTEMPTS):
        response = enter(client, "no es")
        assert response.status_code == 401
        assert "El usuario o la contraseña no son correctos" in response.content.decode()
        assert "norte-pit_boss" in response.content.decode()
    waiting = enter(client)
    assert waiting.status_code == 429
    assert int(waiting["Retry-After"]) > 0
    assert "Demasiados intentos" in waiting.content.decode()


def test_out_is_a_post_and_ends_the_session(house: House) -> None:
    client = Client()
    enter(client)
    assert client.get("/salir/").status_code == 405
    assert client.get("/").status_code == 200
    assert client.post("/salir/")["Location"] == "/entrar/"
    assert client.get("/").status_code == 302


@pytest.mark.parametrize(("wanted", "kept"), [("office", "office"), ("<script>", "pit")])
def test_the_look_is_kept_in_a_cookie_of_known_values(house: House, wanted: str, kept: str) -> None:
    client = Client()
    enter(client)
    client.post("/aspecto/", {"theme": wanted})
    assert f'data-theme="{kept}"' in client.get("/").content.decode()


def test_the_person_s_own_language_holds_unless_the_screen_was_switched(house: House) -> None:
    user = house.users[Role.PIT_BOSS]
    user.language = "en"
    user.save(update_fields=["language"])
    client = Client()
    enter(client)
    assert client.cookies["django_language"].value == "en"
    switched = Client()
    switched.post("/i18n/setlang/", {"language": "es-bo"})
    enter(switched)
    assert switched.cookies["django_language"].value == "es-bo"


def test_a_device_is_told_that_it_enters_by_the_api_and_may_leave_a_page(house: House) -> None:
    client = Client()
    said = client.post("/entrar/", {"username": "norte-device", "password": PASSWORD})
    assert said.status_code == 403
    assert "entra por la API con su ficha de acceso" in said.content.decode()
    assert not Event.objects.filter(action="audits.user.signed_in").exists()
    client.force_login(house.users[Role.DEVICE])
    lost = client.get("/")
    assert lost.status_code == 403
    assert 'action="/salir/"' in lost.content.decode()
    assert "Volver a la sala" not in lost.content.decode()
