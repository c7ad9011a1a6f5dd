"""Who looked at whom: each page and answer that shows somebody; who may read of it (REC-12)."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from knox.models import AuthToken

from audits import exports
from audits.models import Export, PersonLook
from audits.persons import looking
from audits.persons.report import AccessReport
from casino.access_table import URLS
from casino.kernel import clock
from casino.kernel.permissions import Role
from tests.api.building import Caller
from tests.builders import BOB, House, a_house
from tests.guests.builders import excluded, guest
from tests.money.cage_building import Cage
from tests.people_data.builders import client

NOW = dt.datetime(2026, 12, 5, 15, 30, 10, tzinfo=dt.UTC)


def looks() -> list[tuple[str, int | None, int | None, str]]:
    return list(PersonLook.objects.order_by("id").values_list("kind", "subject_id", "shown", "place"))


@pytest.mark.rule("REC-12")
def test_a_players_page_leaves_who_looked_at_whom_and_when(house: House) -> None:
    ana = guest(house, "Ana Poma Quispe", number="4871203")
    with clock.standing_at(NOW):
        page = client(house, Role.SUPERVISOR)
        for _ in range(3):  # a page that refreshes itself is one look
            assert page.get(f"/jugadores/{ana.pk}/").status_code == 200
    (look,) = PersonLook.objects.all()
    assert (look.kind, look.subject_id, look.place, look.at) == ("guest", ana.pk, "guest", NOW)
    assert look.actor == house.users[Role.SUPERVISOR].actor
    assert look.label == "A.P.Q. •••203"  # masked, as on the trail
    with clock.standing_at(NOW + dt.timedelta(minutes=1)):
        page.get(f"/jugadores/{ana.pk}/")
    assert PersonLook.objects.count() == 2


@pytest.mark.rule("REC-12")
def test_a_list_is_one_row_with_how_many_it_named(house: House) -> None:
    for name in ("Ana Poma", "Luis Rojas", "Eva Paz"):
        guest(house, name)
    page = client(house, Role.COMPLIANCE)
    page.get("/jugadores/")
    page.post("/jugadores/buscar/", {"q": "Rojas"})
    assert looks() == [("guest", None, 3, "guests"), ("guest", None, 1, "guests-find")]


@pytest.mark.rule("REC-12")
def test_the_api_leaves_the_same(house: House) -> None:
    ana = guest(house, "Ana Poma")
    _kept, token = AuthToken.objects.create(house.users[Role.COMPLIANCE])
    caller = Caller(token)
    assert caller.get(f"/api/v1/guests/{ana.pk}").status_code == 200
    assert caller.get("/api/v1/guests").status_code == 200
    assert caller.post("/api/v1/guests/find", {"name": "Ana"}).status_code == 200
    assert looks() == [
        ("guest", ana.pk, None, "api:guest"),
        ("guest", None, 1, "api:guests"),
        ("guest", None, 1, "api:guests-find"),
    ]


def test_what_was_refused_or_of_another_house_showed_nobody(house: House) -> None:
    ana, other = guest(house, "Ana Poma"), a_house()
    assert client(house, Role.CROUPIER).get(f"/jugadores/{ana.pk}/").status_code == 403
    assert client(other, Role.COMPLIANCE).get(f"/jugadores/{ana.pk}/").status_code == 404
    assert looks() == []


@pytest.mark.rule("REC-12")
def test_entries_receipts_and_staff_are_looked_at_too(till: Cage) -> None:
    house = till.house
    entry = excluded(house, document_type="ci", number="777111", name="Luis Rojas")
    made = till.redeem({100 * BOB: 1}, customer="Ana Poma", document="4871203")
    dealer = house.dealers[0]
    page = client(house, Role.COMPLIANCE)
    for address in (f"/exclusiones/{entry.pk}/", f"/caja/recibos/{made.pk}/", f"/personas/{dealer.pk}/"):
        assert page.get(address).status_code == 200, address
    found = list(PersonLook.objects.order_by("id").values_list("kind", "subject_id", "label"))
    assert found == [
        ("exclusion", entry.pk, entry.label),
        ("receipt", made.pk, made.label),
        ("staff", dealer.pk, dealer.name),
    ]


@pytest.mark.rule("REC-12")
def test_a_file_that_names_players_is_a_look_when_it_is_taken(
    house: House, settings: Any, tmp_path: Path
) -> None:
    settings.FILES_ROOT = tmp_path
    excluded(house, document_type="ci", number="777111", name="Luis Rojas")
    by = house.by(Role.COMPLIANCE)
    day = {"first": "2026-11-01", "last": "2026-12-31"}
    made = {
        name: exports.request_export(report=name, params=day, format="csv", language="es-bo", by=by)
        for name in ("tables.exclusions", "audits.coverage")
    }
    page = client(house, Role.COMPLIANCE)
    for export in made.values():
        exports.produce(export.pk)
        assert Export.objects.get(pk=export.pk).state == Export.State.DONE
        answer = page.get(f"/exportaciones/{export.pk}/archivo/")
        assert answer.status_code == 200
        b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    (look,) = PersonLook.objects.all()
    assert (look.kind, look.subject_id) == ("report", made["tables.exclusions"].pk)
    assert look.label == "Exclusiones y coincidencias"


@pytest.mark.rule("REC-12")
def test_compliance_and_the_inspector_read_who_looked_at_one_and_nobody_else(house: House) -> None:
    ana, luis = guest(house, "Ana Poma", number="4871203"), guest(house, "Luis Rojas")
    with clock.standing_at(NOW):
        for one in (ana, luis):
            client(house, Role.SUPERVISOR).get(f"/jugadores/{one.pk}/")
        for role in (Role.COMPLIANCE, Role.INSPECTOR):
            answer = client(house, role).get("/auditoria/accesos/", {"kind": "guest", "number": str(ana.pk)})
            assert answer.status_code == 200
            said = answer.content.decode()
            assert "A.P. •••203" in said and "L.R." not in said and "Persona supervisor" in said
        for role in (Role.PIT_BOSS, Role.ADMINISTRATOR, Role.CAGE):
            assert client(house, role).get("/auditoria/accesos/").status_code == 403
        for bad in ({"number": "1e9"}, {"first": "ayer"}, {"number": "9" * 30}, {"page": "x"}):
            assert client(house, Role.COMPLIANCE).get("/auditoria/accesos/", bad).status_code == 200
    other = a_house()
    assert "A.P." not in client(other, Role.COMPLIANCE).get("/auditoria/accesos/").content.decode()


def test_the_report_has_one_line_a_look_in_order(house: House) -> None:
    ana = guest(house, "Ana Poma", number="4871203")
    with clock.standing_at(NOW):
        client(house, Role.SUPERVISOR).get(f"/jugadores/{ana.pk}/")
        client(house, Role.SUPERVISOR).get("/jugadores/")
    params = {"first": dt.date(2026, 12, 5), "last": dt.date(2026, 12, 5), "kind": "", "number": None}
    rows = list(AccessReport().rows(house.casino, params))
    assert (rows[0]["whom"], rows[0]["number"], rows[0]["shown"]) == ("A.P. •••203", ana.pk, None)
    assert (rows[1]["number"], rows[1]["shown"]) == (None, 1)
    assert list(AccessReport().rows(house.casino, params | {"number": ana.pk, "kind": "guest"})) == rows
    # Of somebody who was in neither: nothing.
    assert list(AccessReport().rows(house.casino, params | {"number": ana.pk + 1, "kind": "guest"})) == []


@pytest.mark.rule("REC-06")
def test_nobody_changes_who_looked(house: House) -> None:
    ana = guest(house)
    client(house, Role.SUPERVISOR).get(f"/jugadores/{ana.pk}/")
    for query in ("UPDATE audits_personlook SET kind = 'x'", "DELETE FROM audits_personlook"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(query)


# Acts that read people's particulars: every address under one is registered, or says here why not.
PERSONAL_ACTS = {"tables.guest.read", "tables.exclusion.read", "tables.match.read", "audits.user.manage"}
UNSEEN = {
    "api:admission": "a setting of the house",
}


def test_every_address_that_shows_people_is_registered() -> None:
    known = set(looking.places())
    missing = {
        name
        for name, row in URLS.items()
        if row.get("GET") in PERSONAL_ACTS and name not in known and name not in UNSEEN
    }
    assert missing == set()
    assert known <= set(URLS)
