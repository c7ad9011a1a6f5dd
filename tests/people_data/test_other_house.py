"""Nothing of one house is there for the people of another: neither page, file nor answer (REC-11, REC-12)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from knox.models import AuthToken

from audits import exports, schedules
from audits.inspections import access, visits
from audits.models import Event, ExportSchedule, PersonLook
from casino.access_table import URLS
from casino.kernel import clock, permissions
from casino.kernel.permissions import Role
from tests.api.building import Caller
from tests.builders import BOB, House, a_house
from tests.guests.builders import excluded, guest
from tests.money.cage_building import Cage
from tests.people_data.builders import client, held

pytestmark = [pytest.mark.rule("REC-11"), pytest.mark.rule("REC-12")]

READERS = (Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR)


@pytest.fixture
def kept(till: Cage, settings: Any, tmp_path: Path) -> dict[str, int]:
    """One of each kind of thing of a house, by what its addresses begin with."""
    settings.FILES_ROOT = tmp_path
    house, by = till.house, till.house.by(Role.COMPLIANCE, reason="prueba")
    ana = guest(house, "Ana Poma")
    entry = excluded(house, document_type="ci", number="777111", name="Luis Rojas")
    receipt = till.redeem({100 * BOB: 1}, customer="Ana Poma", document="4871203")
    period = {"first": "2026-11-01", "last": "2026-12-31"}
    export = exports.request_export(
        report="tables.receipts", params=period, format="csv", language="es-bo", by=by
    )
    exports.produce(export.pk)
    schedule = schedules.schedule_report(
        report="tables.receipts", format="csv", language="es-bo", every=ExportSchedule.Every.DAILY,
        params={}, by=by,
    )  # fmt: skip
    with clock.standing_at(by.occurred_at):
        code = access.give_access(name="Rosa Mamani", credential="AJ-0117", by=by).access
        visit = visits.open_inspection(
            inspector=house.users[Role.INSPECTOR].actor, by=house.by(Role.COMPLIANCE, by.occurred_at)
        )
    return {
        "guest": ana.pk, "exclusion": entry.pk, "cage-receipt": receipt.pk, "receipt": receipt.pk,
        "export": export.pk, "schedule": schedule.pk, "inspector-access": code.pk, "visit": visit.pk,
        "event": Event.objects.filter(casino=house.casino).latest("pk").pk,
        "legal-hold": held(house, "guest", ana.pk).pk, "staff-certificates": house.dealers[0].pk,
    }  # fmt: skip


def of_one(things: dict[str, int]) -> list[tuple[str, str]]:
    """Every name and address that one of them stands in alone."""
    found = []
    for name in URLS:
        bare = name.removeprefix("api:")
        for thing in sorted(things, key=len, reverse=True):
            if bare == thing or bare.startswith(thing + "-"):
                try:
                    found.append((name, reverse(name, kwargs={"pk": things[thing]})))
                except Exception:
                    continue
                break
    return found


def test_another_house_s_things_are_not_there_for_reading(kept: dict[str, int]) -> None:
    other = a_house()
    seen, wrong = 0, []
    for role in READERS:
        page, caller = client(other, role), _caller(other, role)
        for name, address in of_one(kept):
            act = URLS[name].get("GET")
            if act is None or not permissions.may(other.users[role], act):
                continue
            status = (caller if name.startswith("api:") else page).get(address).status_code
            seen += 1
            if status != 404:
                wrong.append(f"{role} {name}: {status}")
    assert wrong == []
    assert seen >= 25
    assert not PersonLook.objects.filter(casino=other.casino).exists()


def test_another_house_s_things_are_not_there_for_writing(kept: dict[str, int]) -> None:
    other, before = a_house(), Event.objects.count()
    wrong, seen = [], 0
    before = Event.objects.exclude(casino=other.casino).count()
    for role in READERS:
        page = client(other, role)
        for name, address in of_one(kept):
            act = URLS[name].get("POST")
            if act is None or name.startswith("api:") or not permissions.may(other.users[role], act):
                continue
            status = page.post(address, {"reason": "prueba", "format": "csv", "words": "x"}).status_code
            seen += 1
            if status != 404:
                wrong.append(f"{role} {name}: {status}")
    assert wrong == []
    assert seen >= 8
    assert Event.objects.exclude(casino=other.casino).count() == before


def test_the_things_are_there_for_their_own_house(till: Cage, kept: dict[str, int]) -> None:
    """That the addresses tried above are real ones: the same, asked by their own people."""
    page = client(till.house, Role.COMPLIANCE)
    for name, address in of_one(kept):
        act = URLS[name].get("GET")
        if act and not name.startswith("api:") and permissions.may(till.house.users[Role.COMPLIANCE], act):
            assert page.get(address).status_code in (200, 302, 409, 422), name


def test_lists_of_another_house_are_empty_of_these(kept: dict[str, int]) -> None:
    other = a_house()
    page = client(other, Role.COMPLIANCE)
    for address in ("/jugadores/", "/exclusiones/", "/exportaciones/", "/auditoria/datos-personales/"):
        said = page.get(address).content.decode()
        for name in ("Ana Poma", "Luis Rojas", "A.P.", "L.R.", "Oficio 12/2026"):
            assert name not in said, address
    asked = {"kind": "guest", "number": str(kept["guest"])}
    assert "A.P." not in page.get("/auditoria/accesos/", asked).content.decode()


def _caller(house: House, role: Role) -> Any:
    return Caller(AuthToken.objects.create(house.users[role])[1])
