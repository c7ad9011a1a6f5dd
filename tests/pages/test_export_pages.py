"""The pages of an export, from the order to the delivery, and of what the house makes each period."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audits import exports, schedules
from audits.by import by_system
from audits.models import Event, Export, ExportDelivery, ExportSchedule
from audits.reports import registry
from casino.kernel.permissions import Role
from tables import rounds
from tables.models import GameRules, Round
from tests.audits.sample import ROWS, Sample
from tests.pages.building import GAME, Floor

Ordered = Callable[..., Export]


@pytest.fixture
def ordered(floor: Floor, settings: Any, tmp_path: Any) -> Ordered:
    """The register of rounds of one settled round, ordered on its page and made."""
    settings.FILES_ROOT = tmp_path
    floor.open()
    floor.settled()

    def order(format: str = "csv", make: bool = True) -> Export:
        day = f"{floor.sessions[0].day.date}"
        client = floor.client(Role.COMPLIANCE)
        given = {"first": day, "last": day, "format": format}
        assert client.post("/reportes/tables.rounds/", given).status_code == 302
        export = Export.objects.latest("pk")
        if make:
            exports.produce(export.pk)
            export.refresh_from_db()
        return export

    return order


def test_the_progress_of_an_export_opened_by_itself_is_a_whole_page(floor: Floor, ordered: Ordered) -> None:
    export = ordered()
    client = floor.client(Role.COMPLIANCE)
    whole = client.get(f"/exportaciones/{export.pk}/")
    part = client.get(f"/exportaciones/{export.pk}/", headers={"hx-request": "true"})
    assert "<html" in whole.content.decode() and "sabot/office.css" in whole.content.decode()
    assert "<html" not in part.content.decode() and export.sha256 in part.content.decode()
    assert "HX-Request" in whole["Vary"] and "HX-Request" in part["Vary"]
    assert part["HX-Refresh"] == "true" and "HX-Refresh" not in whole


@pytest.mark.rule("GEN-10", "REC-10")
def test_an_export_is_signed_by_two_and_delivered(floor: Floor, ordered: Ordered) -> None:
    export = ordered("pdf")
    at = f"/exportaciones/{export.pk}"
    compliance, boss = floor.client(Role.COMPLIANCE), floor.client(Role.PIT_BOSS)
    given = {"recipient": "AJ", "how": "portal", "reference": "R-17"}
    early = compliance.post(f"{at}/entregar/", given)
    assert early.status_code == 422
    assert "Antes de entregarlo lo firman dos personas" in early.content.decode()
    assert compliance.post(f"{at}/firmar/").status_code == 302
    assert "Usted ya firmó" in compliance.get(f"{at}/ver/").content.decode()
    assert "firma 1 de 2" in boss.get("/reportes/").content.decode()
    assert boss.post(f"{at}/firmar/").status_code == 302
    bare = compliance.post(f"{at}/entregar/", {**given, "reference": ""})
    assert bare.status_code == 422
    receipt = SimpleUploadedFile("constancia.pdf", b"%PDF recibido")
    assert compliance.post(f"{at}/entregar/", {**given, "receipt": receipt}).status_code == 302
    delivery = ExportDelivery.objects.get()
    assert delivery.receipt_sha256 == hashlib.sha256(b"%PDF recibido").hexdigest()
    shown = boss.get(f"{at}/ver/").content.decode()
    assert delivery.receipt_sha256 in shown and "constancia.pdf" in shown
    assert "entregado" in boss.get("/reportes/?state=done&report=tables.rounds").content.decode()
    assert "Signatures and delivery" in floor.client(Role.PIT_BOSS, "en").get(f"{at}/ver/").content.decode()


@pytest.mark.rule("REC-07")
def test_a_round_voided_later_shows_as_a_difference_and_the_past_comes_again(
    floor: Floor, ordered: Ordered
) -> None:
    then = ordered("csv")
    data = exports.path_of(then).read_bytes()
    voided = Round.objects.get()
    rounds.void(
        round=voided, approved_by=floor.by(Role.SUPERVISOR).actor, cards_came_out=True,
        by=floor.by(Role.PIT_BOSS, "cantado mal"),
    )  # fmt: skip
    client = floor.client(Role.COMPLIANCE)
    at = f"/exportaciones/{then.pk}"
    assert client.post(f"{at}/diferencia/", {"format": "json"}).status_code == 302
    told = Export.objects.latest("pk")
    exports.produce(told.pk)
    page = client.get(f"/exportaciones/{told.pk}/ver/").content.decode()
    assert "celda cambiada" in page
    lines = [
        row
        for section in json.loads(exports.path_of(told).read_text())["sections"]
        for row in section["rows"]
    ]
    state = next(line for line in lines if line["column"] == "Estado")
    assert (state["before"], state["after"]) == ("liquidado", "anulado")
    assert client.post(f"{at}/otra-vez/", {"format": "csv"}).status_code == 302
    again = Export.objects.latest("pk")
    exports.produce(again.pk)
    assert exports.path_of(again).read_bytes() == data
    assert f"/exportaciones/{again.pk}/ver/" in client.get(f"{at}/ver/").content.decode()
    assert exports.produce(ordered("csv", make=False).pk).sha256 != then.sha256  # type: ignore[union-attr]


def test_an_export_is_called_off_on_its_page(floor: Floor, ordered: Ordered) -> None:
    export = ordered(make=False)
    client = floor.client(Role.COMPLIANCE)
    assert f"/exportaciones/{export.pk}/cancelar/" in client.get("/reportes/").content.decode()
    assert client.post(f"/exportaciones/{export.pk}/cancelar/").status_code == 302
    assert "cancelado" in client.get("/reportes/?state=cancelled").content.decode()
    again = client.post(f"/exportaciones/{export.pk}/cancelar/")
    assert again.status_code == 409
    assert floor.client(Role.PIT_BOSS).post(f"/exportaciones/{export.pk}/cancelar/").status_code == 403


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_called_off_on_its_page_at_ninety_per_cent_it_leaves_nothing_and_is_asked_for_again(
    floor: Floor, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    """The worker is at row 18,000 of 20,000 when somebody presses Cancelar."""
    settings.FILES_ROOT = tmp_path
    monkeypatch.setattr(registry, "_reports", {**registry._reports})
    registry.register(Sample)
    client = floor.client(Role.COMPLIANCE)
    asked = {"day": "2026-11-29", "rows": "20000", "format": format}
    assert client.post("/reportes/audits.sample/", asked).status_code == 302
    export = Export.objects.latest("pk")
    pressed: list[int] = []

    def rows(self: Sample, casino: Any, params: Any) -> Iterator[dict[str, Any]]:
        for number in range(params["rows"]):
            if number == 18_000 and not pressed:
                page = client.get(f"/exportaciones/{export.pk}/ver/").content.decode()
                assert "16.000 / 20.000" in page or "18.000 / 20.000" in page
                pressed.append(client.post(f"/exportaciones/{export.pk}/cancelar/").status_code)
            yield {**ROWS[0], "rounds": number}

    monkeypatch.setattr(Sample, "rows", rows)
    assert exports.produce(export.pk) is None
    export.refresh_from_db()
    assert (pressed, export.state, export.sha256, export.manifest) == ([302], "cancelled", "", None)
    assert list((tmp_path / "exports").iterdir()) == []
    told = Event.objects.filter(subject_type="export", subject_id=export.pk).order_by("seq")
    assert [event.action.split(".")[-1] for event in told] == ["requested", "cancelled"]
    # What a screen that watches is told: to read its page again, which says what can be done.
    watched = client.get(f"/exportaciones/{export.pk}/", HTTP_HX_REQUEST="true")
    assert watched["HX-Refresh"] == "true"
    page = client.get(f"/exportaciones/{export.pk}/ver/").content.decode()
    again = f"/reportes/audits.sample/?day=2026-11-29&amp;rows=20000&amp;format={format}"
    assert "No quedó nada del archivo" in page and again in page and "Cancelar" not in page
    form = client.get(again.replace("&amp;", "&")).content.decode()
    assert 'value="20000"' in form and re.search(rf'value="{format}"\s+checked', form)
    assert client.post("/reportes/audits.sample/", asked).status_code == 302
    second = exports.produce(Export.objects.latest("pk").pk)
    assert second is not None and (second.state, second.rows_done) == ("done", 20_000)


def test_a_page_that_watches_is_not_sent_away_before_the_end(floor: Floor, ordered: Ordered) -> None:
    export = ordered(make=False)
    client = floor.client(Role.COMPLIANCE)
    watching = client.get(f"/exportaciones/{export.pk}/", HTTP_HX_REQUEST="true")
    assert "HX-Refresh" not in watching
    Export.objects.filter(pk=export.pk).update(state="running", rows_done=1_500, rows_total=1_500)
    written = client.get(f"/exportaciones/{export.pk}/", HTTP_HX_REQUEST="true").content.decode()
    assert "1.500 / 1.500 · filas leídas; se escribe el archivo" in written


def test_the_manifest_is_one_file_to_download(floor: Floor, ordered: Ordered) -> None:
    export = ordered("xlsx")
    answer = floor.client(Role.INSPECTOR).get(f"/exportaciones/{export.pk}/manifiesto/")
    assert answer["Content-Disposition"].endswith('.xlsx.manifest.json"')
    told = json.loads(answer.content)["manifest"]
    assert told["file"]["sha256"] == export.sha256
    assert told["rules_in_force"][GAME] == GameRules.objects.get(game=GAME).version
    waiting = ordered(make=False)
    assert floor.client(Role.INSPECTOR).get(f"/exportaciones/{waiting.pk}/manifiesto/").status_code == 409


@pytest.mark.parametrize("path", ["ver/", "manifiesto/"])
def test_what_is_not_there_or_another_houses_is_not_found(floor: Floor, path: str) -> None:
    assert floor.client(Role.COMPLIANCE).get(f"/exportaciones/987654/{path}").status_code == 404


@pytest.mark.rule("REC-10")
def test_a_report_is_scheduled_paused_and_removed_on_its_page(floor: Floor) -> None:
    client, page = floor.client(Role.COMPLIANCE), "/exportaciones/programadas/"
    given = {"report": "tables.operating", "every": "monthly", "format": "pdf"}
    assert client.post(page, {**given, "every": ""}).status_code == 422
    assert client.post(page, given).status_code == 302
    assert client.post(page, given).status_code == 409
    schedule = ExportSchedule.objects.get()
    assert "Reporte operativo" in client.get(page).content.decode()
    assert client.post(f"{page}{schedule.pk}/", {"do": "fly"}).status_code == 422
    for step, state in (("pause", "paused"), ("resume", "active"), ("remove", "removed")):
        assert client.post(f"{page}{schedule.pk}/", {"do": step}).status_code == 302
        schedule.refresh_from_db()
        assert schedule.state == state
    assert "lo programa sola" in client.get(page).content.decode()
    assert "Schedule another" in floor.client(Role.COMPLIANCE, "en").get(page).content.decode()
    assert "Programar otra" not in floor.client(Role.INSPECTOR).get(page).content.decode()


@pytest.mark.rule("REC-10")
def test_what_the_house_owes_stands_among_the_schedules_from_the_start_and_a_fault_is_told(
    floor: Floor,
) -> None:
    client, page = floor.client(Role.COMPLIANCE), "/exportaciones/programadas/"
    first = client.get(page).content.decode()
    assert "Reporte operativo" in first and "lo programa sola" in first
    assert not ExportSchedule.objects.exists()  # looking at it orders nothing
    schedules.make_due()
    assert "lo programa sola" not in client.get(page).content.decode()
    schedule = ExportSchedule.objects.get()
    by = by_system(schedule.casino, "exports", reason="error interno al pedirla (KeyError)")
    schedules.pause_schedule(schedule=schedule, by=by)
    told = client.get(page).content.decode()
    assert "en pausa" in told and "Error interno al pedirla (KeyError)" in told


def test_the_page_of_schedules_asks_no_more_of_the_database_for_more_of_them(floor: Floor) -> None:
    client, page = floor.client(Role.COMPLIANCE), "/exportaciones/programadas/"
    counts = []
    for format in ("csv", "xlsx", "json", "pdf"):
        given = {"report": "tables.results", "every": "monthly", "format": format}
        assert client.post(page, given).status_code == 302
        if format == "csv":
            client.get(page)
        with CaptureQueriesContext(connection) as seen:
            assert client.get(page).status_code == 200
        counts.append(len(seen))
    assert counts == [counts[0]] * 4


@pytest.mark.rule("REC-10")
def test_the_operating_report_has_the_month_by_day_and_by_table(
    floor: Floor, settings: Any, tmp_path: Any
) -> None:
    settings.FILES_ROOT = tmp_path
    session = floor.open()
    floor.settled()
    day = session.day.date
    given = {"first": day.replace(day=1), "last": day, "format": "json"}
    assert floor.client(Role.COMPLIANCE).post("/reportes/tables.operating/", given).status_code == 302
    made = exports.produce(Export.objects.get().pk)
    assert made is not None
    told = json.loads(exports.path_of(made).read_text())
    tables = {section["key"]: section["rows"] for section in told["sections"]}
    assert told["rules"][0] == "REC-10"
    assert [row["period"] for row in tables["house_days"]] == [day.isoformat()]
    assert [(row["table"], row["sessions"]) for row in tables["tables"]] == [(floor.table.name, 1)]
    assert [row["rounds"] for row in tables["outcomes"] if row["rounds"]] == [1]
    assert "provisional" in made.file_name
