"""The pages of seats, waiting lists, players, exclusions and matches, as people use them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from casino.kernel import clock
from casino.kernel.permissions import Role
from tables.guests.proofs import guest_faults
from tables.models import Exclusion, ExclusionMatch, Guest, SeatTaking, TableSession, WaitingEntry
from tests.builders import PASSWORD, House
from tests.guests.builders import BORN


@pytest.fixture
def session(house: House) -> TableSession:
    return house.open_table(at=clock.now())


def page(house: House, role: Role) -> Client:
    client = Client()
    client.force_login(house.users[role])
    client.cookies["django_language"] = "es-bo"
    return client


def said(response: Any, status: int = 200) -> str:
    assert response.status_code == status, response.content.decode()[-400:]
    return str(response.content.decode())


def register(client: Client, number: str = "7654321 LP", name: str = "Juan Mamani Quispe") -> Guest:
    body = {
        "document_type": "ci", "country": "BO", "number": number, "name": name,
        "birth_date": BORN.isoformat(),
    }  # fmt: skip
    said(client.post("/jugadores/", body), 302)
    return Guest.objects.latest("pk")


def test_a_supervisor_runs_the_seats_of_a_table(house: House, session: TableSession) -> None:
    client, name = page(house, Role.SUPERVISOR), session.table.name
    there, act = f"/mesas/{name}/asientos/", f"/mesas/{name}/asientos/acto/"
    assert "Toque un asiento" in said(client.get(there))
    guest = register(client)
    seated = {"do": "seat", "seat": "3", "document_type": "ci", "number": "7.654.321"}
    done = client.post(act, seated)
    assert done["Location"] == f"{there}?asiento=3"
    shown = said(client.get(f"{there}?asiento=3"))
    assert "Juan Mamani Quispe" in shown
    assert "7654321" not in shown
    taking = SeatTaking.objects.get()
    assert (taking.guest, taking.alias) == (guest, "J.M.Q.")
    assert "lo ocupa J.M.Q." in said(client.post(act, {"do": "seat", "seat": "3"}), 409)
    unknown = client.post(act, {"do": "seat", "seat": "4", "number": "1111111"})
    assert "no está registrado" in said(unknown, 404)
    for do, more in (
        ("away", {"keeps_chips": "yes"}),
        ("back", {}),
        ("ask", {"table": str(session.table_id)}),
    ):
        said(client.post(act, {"do": do, "taking": str(taking.pk), **more}), 302)
    moved = client.post(
        act, {"do": "move", "taking": str(taking.pk), "table": str(session.table_id), "to": "5"}
    )
    assert moved["Location"] == f"{there}?asiento=5"
    said(client.post("/espera/", {"game": "baccarat.mini", "alias": "Beto", "party_size": "1"}), 302)
    entry = WaitingEntry.objects.get()
    assert "Beto" in said(client.get("/espera/"))
    said(client.post(f"/espera/{entry.pk}/", {"do": "call"}), 302)
    said(client.post(act, {"do": "seat_entry", "seat": "1", "entry": str(entry.pk)}), 302)
    now = {one.seat: one for one in SeatTaking.objects.filter(during__endswith=None)}
    assert {seat: one.alias for seat, one in now.items()} == {1: "Beto", 5: "J.M.Q."}
    said(client.post(act, {"do": "leave", "taking": str(now[1].pk)}), 302)
    assert "elija qué hacer" in said(client.post(act, {"do": "volar"}), 422).lower()
    assert not list(guest_faults(house.casino))


def test_the_felt_is_not_sent_again_while_nothing_changed(house: House, session: TableSession) -> None:
    client, name = page(house, Role.CROUPIER), session.table.name
    assert client.get(f"/mesas/{name}/asientos/").status_code == 404  # not this croupier's table
    closed = house.table()
    assert "La mesa está cerrada" in said(client.get(f"/mesas/{closed.name}/asientos/"))
    boss = page(house, Role.PIT_BOSS)
    first = boss.get(f"/mesas/{name}/asientos/mapa/")
    assert said(first).count("<circle") == session.seats
    same = boss.get(f"/mesas/{name}/asientos/mapa/", HTTP_IF_NONE_MATCH=first["ETag"])
    assert same.status_code == 304
    boss.post(f"/mesas/{name}/asientos/acto/", {"do": "seat", "seat": "2", "alias": "Ana"})
    assert "Ana" in said(boss.get(f"/mesas/{name}/asientos/mapa/", HTTP_IF_NONE_MATCH=first["ETag"]))


@pytest.mark.rule("GEN-11")
def test_from_the_list_to_the_table_to_two_signatures(house: House, session: TableSession) -> None:
    compliance, supervisor = page(house, Role.COMPLIANCE), page(house, Role.SUPERVISOR)
    who = {"name": "MAMANI QUISPE JUAN", "birth_date": BORN.isoformat()}
    entered = {"kind": "authority", "source": "Nota AJ 77/2026", "since": "2026-01-15", **who}
    said(compliance.post("/exclusiones/", entered), 302)
    assert "ya está registrada" in said(compliance.post("/exclusiones/", entered), 409)
    register(supervisor)
    act = f"/mesas/{session.table.name}/asientos/acto/"
    refused = said(supervisor.post(act, {"do": "seat", "seat": "1", "number": "7654321"}), 422)
    assert "se parece a alguien de la lista" in refused
    match = ExclusionMatch.objects.get()
    assert "Resolver" in said(supervisor.get("/coincidencias/"))
    shown = said(supervisor.get(f"/coincidencias/{match.pk}/"))
    assert "•••321" in shown
    assert "7654321" in said(compliance.get(f"/coincidencias/{match.pk}/"))
    signed = {
        "outcome": "cleared", "evidence": "cédula", "reason": "otra persona",
        "second": house.users[Role.PIT_BOSS].username, "second_password": PASSWORD,
    }  # fmt: skip
    wrong = supervisor.post(f"/coincidencias/{match.pk}/", signed | {"second_password": "x"})
    assert "no son correctos" in said(wrong, 401)
    said(supervisor.post(f"/coincidencias/{match.pk}/", signed), 302)
    said(supervisor.post(act, {"do": "seat", "seat": "1", "number": "7654321"}), 302)
    entry = Exclusion.objects.get()
    assert "vigente" in said(compliance.get(f"/exclusiones/{entry.pk}/"))
    said(compliance.post(f"/exclusiones/{entry.pk}/", signed), 302)
    assert "sin efecto" in said(compliance.get(f"/exclusiones/{entry.pk}/"))
    assert not list(guest_faults(house.casino))


def test_a_record_is_corrected_without_seeing_the_whole_number(house: House) -> None:
    client = page(house, Role.SUPERVISOR)
    guest = register(client)
    assert "•••321" in said(client.get(f"/jugadores/{guest.pk}/"))
    body = {
        "document_type": "ci", "country": "BO", "number": "•••321", "name": "Juan Mamani Quispe",
        "birth_date": BORN.isoformat(), "note": "habitual", "reason": "anota",
    }  # fmt: skip
    said(client.post(f"/jugadores/{guest.pk}/", body), 302)
    guest.refresh_from_db()
    assert (guest.number, guest.note) == ("7654321", "habitual")
    assert "fecha" in said(client.post(f"/jugadores/{guest.pk}/", body | {"birth_date": "ayer"}), 422)
    for asked in ("mamani", "7.654.321 SC", "JUAN quispe"):
        assert "Juan Mamani Quispe" in said(client.post("/jugadores/buscar/", {"q": asked}))
    assert "Nadie con ese nombre" in said(client.post("/jugadores/buscar/", {"q": "rosa"}))
    admin = page(house, Role.COMPLIANCE)
    said(admin.post("/jugadores/admision/", {"identify": "yes", "reason": "instructivo"}), 302)
    assert "todos se identifican" in said(admin.get("/jugadores/"))


def test_players_are_looked_up_by_post_so_that_no_document_stands_in_an_address(house: House) -> None:
    client = page(house, Role.SUPERVISOR)
    register(client)
    register(client, "5566778 SC", "Ana Rojas Lima")
    listing = said(client.get("/jugadores/"))
    assert '<form method="post" action="/jugadores/buscar/"' in listing
    for typed in ("7.654.321", "7654321 LP", "mamani juan"):
        found = said(client.post("/jugadores/buscar/", {"q": typed}))
        assert "Juan Mamani Quispe" in found and "Ana Rojas Lima" not in found
    assert "Nadie con ese nombre o documento" in said(client.post("/jugadores/buscar/", {"q": "1112223"}))
    assert "Ana Rojas Lima" in said(client.get("/jugadores/?q=7654321"))  # an address asks for nothing
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(house.users[Role.SUPERVISOR])
    said(strict.post("/jugadores/buscar/", {"q": "7654321"}), 403)
    said(page(house, Role.CROUPIER).post("/jugadores/buscar/", {"q": "7654321"}), 403)
