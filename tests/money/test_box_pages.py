"""The count room's pages and the API, from the table to the two signatures; each by who does it."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from audits.models import Incident
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import User
from tables.models import DropBox, TableSession
from tests.builders import BOB, FLOAT, PASSWORD, House
from tests.money import box_builders as built


@pytest.fixture
def house(room: House) -> House:
    """The module's own, with its teams; each test begins from it as it was built."""
    return room


def page(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def api(user: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def key() -> dict[str, str]:
    return {"HTTP_IDEMPOTENCY_KEY": str(uuid.uuid4())}


def signed(house: House, role: Role) -> dict[str, str]:
    return {"second": house.users[role].username, "second_password": PASSWORD}


def team(house: House, number: int) -> tuple[User, list[int]]:
    """Who records of a team, and the ids of who counts."""
    recorder, *rest = (built.of_the_cage(house.casino, name) for name in built.TEAMS[number])
    return recorder, [user.actor.pk for user in rest]


@pytest.mark.rule("FLOOR-11", "FLOOR-12", "REC-08")
def test_a_box_on_pages_from_the_table_to_a_final_result(house: House) -> None:
    session = house.open_table(at=clock.now())
    chief, cage = page(house.users[Role.SUPERVISOR]), page(house.users[Role.CAGE])
    where = f"/sesiones/{session.pk}/cajas/"
    assert chief.post(where, {"number": "C-1"}).status_code == 302
    again = chief.post(where, {"number": "C-1"})
    assert (again.status_code, "FLOOR-11" in again.content.decode()) == (409, True)
    box = DropBox.objects.get()
    at = f"/cajas/{box.pk}/"
    house.close(session, FLOAT, at=clock.now())
    wrong = chief.post(
        f"{at}retirar/", {"seal": "P-1", **signed(house, Role.PIT_BOSS), "second_password": "no"}
    )
    assert wrong.status_code == 401
    assert chief.post(f"{at}retirar/", {"seal": "P-1", **signed(house, Role.PIT_BOSS)}).status_code == 302
    assert (
        "P-1" in cage.get("/recuento/").content.decode() or "C-1" in cage.get("/recuento/").content.decode()
    )
    assert cage.post(f"{at}recibir/", {"seal": "P-1"}).status_code == 302
    counted = {"n_BOB_20000": "2", "n_BOB_50": "3"}  # 2 x 200 + 3 x 0,50 = 401,50
    for number in (0, 1):
        recorder, people = team(house, number)
        assert page(recorder).post(f"{at}contar/", {**counted, "team": people[:1]}).status_code == 422
        bad = page(recorder).post(f"{at}contar/", {**counted, "n_BOB_20000": "dos", "team": people})
        assert (bad.status_code, "número entero" in bad.content.decode()) == (422, True)
        assert page(recorder).post(f"{at}contar/", {**counted, "team": people}).status_code == 302
    session.refresh_from_db()
    assert (session.state, session.drop, session.result) == ("counted", 40_150, 40_150)
    said = page(house.users[Role.PIT_BOSS]).get(f"/sesiones/{session.pk}/").content.decode()
    assert "sin conciliar" in said and "caja C-1" in said and "401,50" in said
    assert "401,50" in cage.get(at).content.decode()
    final = page(house.users[Role.PIT_BOSS]).post(
        f"/sesiones/{session.pk}/conciliar/", signed(house, Role.COMPLIANCE)
    )
    assert final.status_code == 302
    assert "conciliado" in cage.get(f"/sesiones/{session.pk}/").content.decode()


@pytest.mark.rule("FLOOR-11")
def test_differing_counts_are_decided_on_the_page_of_the_box(house: House) -> None:
    box = built.received(
        house, house.close(house.open_table(at=clock.now()), FLOAT, at=clock.now()), at=clock.now()
    )
    for nth, amount in enumerate((300, 290, 280), start=1):
        built.count(box, nth, built.holding(amount * BOB), at=clock.now())
    boss = page(house.users[Role.PIT_BOSS])
    said = boss.get(f"/cajas/{box.pk}/").content.decode()
    assert all(figure in said for figure in ("300,00", "290,00", "280,00", Incident.objects.get().label))
    decided = {"nth": "1", **signed(house, Role.COMPLIANCE)}
    assert boss.post(f"/cajas/{box.pk}/decidir/", decided).status_code == 422
    decided["reason"] = "la cinta muestra 300"
    assert boss.post(f"/cajas/{box.pk}/decidir/", decided).status_code == 302
    box.refresh_from_db()
    assert (box.amount, box.how) == (300 * BOB, "resolved")
    # What holds up the signatures is a way to it, also in the room's list.
    assert f'href="/incidentes/{Incident.objects.get().pk}/"' in boss.get("/recuento/").content.decode()


@pytest.mark.rule("FLOOR-11")
def test_two_people_declare_on_the_page_that_there_was_no_box(house: House) -> None:
    session = house.close(house.open_table(at=clock.now()), FLOAT, at=clock.now())
    cage = page(house.users[Role.CAGE])
    assert session.label in cage.get("/recuento/").content.decode()
    assert "Declarar sin caja" in cage.get(f"/sesiones/{session.pk}/cajas/").content.decode()
    given = signed(house, Role.PIT_BOSS)
    assert cage.post(f"/sesiones/{session.pk}/sin-caja/", given).status_code == 302
    assert cage.post(f"/sesiones/{session.pk}/sin-caja/", given).status_code == 409
    assert TableSession.objects.get(pk=session.pk).drop == 0


@pytest.mark.rule("FLOOR-11")
def test_a_box_over_the_api(house: House) -> None:
    session = house.open_table(at=clock.now())
    chief = api(house.users[Role.SUPERVISOR])
    root = "/api/v1"
    put = chief.post(f"{root}/sessions/{session.pk}/boxes", {"number": "C-1"}, format="json", **key())
    assert put.status_code == 201, put.content
    box = f"{root}/boxes/{put.json()['id']}"
    sealed = {"seal": "P-1", **signed(house, Role.PIT_BOSS)}
    assert chief.post(f"{box}/remove", sealed, format="json").status_code == 200
    cage = api(house.users[Role.CAGE])
    assert cage.post(f"{box}/receive", {"seal": "P-1"}, format="json").json()["state"] == "received"
    rate = {"currency": "USD", "rate": "6.96"}
    assert cage.post(f"{root}/count-rates", rate, format="json").json()["rate"] == "6.9600"
    house.close(session, FLOAT, at=clock.now())
    lines = [
        {"currency": "BOB", "denomination": "100.00", "count": 3},
        {"currency": "USD", "denomination": "20.00", "count": 1},
    ]
    told: Any = None
    for number in (0, 1):
        recorder, people = team(house, number)
        body = {"contents": lines, "documents": [{"kind": "slip", "number": "F-1"}], "team": people}
        sent = key()
        told = api(recorder).post(f"{box}/counts", body, format="json", **sent)
        assert told.status_code == 201, told.content
        assert api(recorder).post(f"{box}/counts", body, format="json", **sent).content == told.content
        shown = told.json()
        assert (shown["state"], len(shown["counts"])) == (("counted_once", 0), ("settled", 2))[number]
    # 300,00 and 20 dollars at 6,96 = 139,20.
    assert told.json()["amount"] == "439.20"
    statement = cage.get(f"{root}/sessions/{session.pk}/statement").json()
    assert (statement["result"], statement["reconciled"], statement["outstanding"]) == ("439.20", False, [])
    assert [line["amount"] for line in statement["lines"] if line["code"] == "drop"] == ["439.20"]
    final = cage.post(
        f"{root}/sessions/{session.pk}/reconcile", signed(house, Role.PIT_BOSS), format="json", **key()
    )
    assert final.json()["state"] == "reconciled"
