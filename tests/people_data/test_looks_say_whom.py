"""A look says which report, of which period, and whom: "who looked at Ana" is answered (REC-12)."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from knox.models import AuthToken

from audits import exports
from audits.models import Export, ExportNames, PersonLook
from audits.persons import looking
from audits.persons.report import AccessReport
from casino.kernel import clock
from casino.kernel.permissions import Role
from tests.api.building import Caller
from tests.builders import BOB, House
from tests.guests.builders import excluded, guest
from tests.money.cage_building import Cage
from tests.people_data.builders import client
from tests.people_data.test_commitments import handed_back

NOW = dt.datetime(2026, 12, 5, 15, 30, 10, tzinfo=dt.UTC)
PERIOD = {"first": "2026-11-01", "last": "2026-12-31"}

pytestmark = pytest.mark.rule("REC-12")


def who_saw(house: House, kind: str, pk: int) -> list[tuple[str, str]]:
    """Report and address of each look that showed one, oldest first."""
    found = looking.at(PersonLook.objects.filter(casino=house.casino), kind, pk)
    return list(found.order_by("id").values_list("report", "place"))


def file_of(house: House, report: str, params: dict[str, Any]) -> Export:
    made = exports.request_export(
        report=report, params=params, format="csv", language="es-bo", by=house.by(Role.COMPLIANCE)
    )
    exports.produce(made.pk)
    made.refresh_from_db()
    assert made.state == Export.State.DONE, made.failure
    return made


def taken(house: House, export: Export) -> None:
    answer = client(house, Role.COMPLIANCE).get(f"/exportaciones/{export.pk}/archivo/")
    assert answer.status_code == 200
    b"".join(answer.streaming_content)  # type: ignore[attr-defined]


def test_a_list_says_whom_and_another_page_of_the_minute_is_another_look(house: House) -> None:
    ana, luis = guest(house, "Ana Poma"), guest(house, "Luis Rojas")
    page = client(house, Role.COMPLIANCE)
    with clock.standing_at(NOW):
        for asked in ("Ana", "Rojas", "Rojas"):
            page.post("/jugadores/buscar/", {"q": asked})
    assert list(PersonLook.objects.order_by("id").values_list("named", flat=True)) == [
        [f"guest:{ana.pk}"],
        [f"guest:{luis.pk}"],
    ]
    assert who_saw(house, "guest", ana.pk) == [("", "guests-find")]


def test_two_reports_of_a_minute_are_two_looks_and_each_says_which_and_of_when(till: Cage) -> None:
    house = till.house
    entry = excluded(house, document_type="ci", number="777111", name="Luis Rojas")
    made = till.redeem({100 * BOB: 1}, customer="Ana Poma", document="4871203")
    page = client(house, Role.COMPLIANCE)
    with clock.standing_at(NOW):
        for report in ("tables.exclusions", "tables.receipts"):
            for _ in range(2):  # asked for again: one look
                assert page.get(f"/reportes/{report}/ver/", PERIOD).status_code == 200
        page.get("/reportes/tables.receipts/ver/", PERIOD | {"last": "2026-12-30"})
    found = [(look.report, look.about, look.named, look.shown) for look in PersonLook.objects.order_by("id")]
    assert found == [
        ("tables.exclusions", "first=2026-11-01&last=2026-12-31", [f"exclusion:{entry.pk}"], 1),
        ("tables.receipts", "first=2026-11-01&last=2026-12-31", [f"receipt:{made.pk}"], 1),
        ("tables.receipts", "first=2026-11-01&last=2026-12-30", [f"receipt:{made.pk}"], 1),
    ]
    assert who_saw(house, "receipt", made.pk) == [("tables.receipts", "report-view")] * 2
    assert who_saw(house, "exclusion", entry.pk) == [("tables.exclusions", "report-view")]


def test_a_file_names_whom_it_named_when_it_was_made(till: Cage, settings: Any, tmp_path: Path) -> None:
    settings.FILES_ROOT = tmp_path
    house = till.house
    first = till.redeem({100 * BOB: 1}, customer="Ana Poma", document="4871203")
    export = file_of(house, "tables.receipts", PERIOD)
    later = till.redeem({100 * BOB: 1}, customer="Luis Rojas", document="999888")
    assert ExportNames.objects.get(export=export).named == [f"receipt:{first.pk}"]
    taken(house, export)
    (look,) = PersonLook.objects.all()
    assert (look.kind, look.subject_id, look.report, look.shown) == ("report", export.pk, export.report, 1)
    assert look.about == f"first=2026-11-01&last=2026-12-31&format=csv&export={export.pk}"
    assert who_saw(house, "receipt", first.pk) == [("tables.receipts", "export-file")]
    assert who_saw(house, "receipt", later.pk) == []


def test_who_looked_at_one_is_told_on_the_page_by_the_report_and_over_the_api(house: House) -> None:
    entry = excluded(house, document_type="ci", number="777111", name="Luis Rojas")
    other = excluded(house, document_type="ci", number="555222", name="Eva Paz")
    with clock.standing_at(NOW):
        client(house, Role.ADMINISTRATOR).get(f"/exclusiones/{other.pk}/")
        client(house, Role.COMPLIANCE).get("/reportes/tables.exclusions/ver/", PERIOD)
        asked = {"kind": "exclusion", "number": str(entry.pk)}
        said = client(house, Role.INSPECTOR).get("/auditoria/accesos/", asked).content.decode()
    assert "Exclusiones y coincidencias" in said and "2026-11-01 · " in said
    assert f"exclusion:{entry.pk}" in said and other.label not in said
    day = {"first": dt.date(2026, 12, 5), "last": dt.date(2026, 12, 5)}
    (row,) = AccessReport().rows(house.casino, day | {"kind": "exclusion", "number": entry.pk})
    assert (row["report"], row["shown"]) == ("tables.exclusions", 2)
    _kept, token = AuthToken.objects.create(house.users[Role.COMPLIANCE])
    answer = Caller(token).get(f"/api/v1/person-looks?kind=exclusion&subject_id={entry.pk}")
    assert [one["report"] for one in answer.json()["results"]] == ["tables.exclusions"]


def test_an_event_in_words_is_a_look_at_whom_it_names(house: House) -> None:
    event = handed_back(house)
    page = client(house, Role.COMPLIANCE)
    for address in (f"/auditoria/{event.pk}/", "/auditoria/"):
        assert "Ana Poma" in page.get(address).content.decode()
    assert [(look.kind, look.place, look.named) for look in PersonLook.objects.order_by("id")] == [
        ("event", "event", ["orphan:7"]),
        ("event", "trail", ["orphan:7"]),
    ]
    assert who_saw(house, "orphan", 7) == [("", "event"), ("", "trail")]


def test_what_nobody_can_tell_any_more_is_not_hidden(house: House) -> None:
    ana = guest(house, "Ana Poma")
    supervisor = house.users[Role.SUPERVISOR].actor
    PersonLook.objects.create(  # as looks were kept before they said whom
        casino=house.casino, at=NOW, minute=NOW, actor=supervisor, kind="guest", shown=12, place="guests",
        request="11111111-1111-4111-8111-111111111111",
    )  # fmt: skip
    with clock.standing_at(NOW):
        asked = {"kind": "guest", "number": str(ana.pk)}
        said = client(house, Role.COMPLIANCE).get("/auditoria/accesos/", asked).content.decode()
    assert "no consta a quiénes" in said and "Persona supervisor" in said
