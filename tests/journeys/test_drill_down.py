"""The inspector follows a figure to the bytes it rests on, by keyboard alone, and has the file made."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from audits.models import Export
from tests.pages.building import Floor

pytestmark = pytest.mark.journey


@pytest.mark.rule("REC-06", "REC-11", "REC-15")
def test_from_the_day_to_a_settled_round(screens: Any, floor: Floor) -> None:
    session = floor.open()
    floor.settled()
    inspector = screens()
    inspector.enter("norte-inspector")
    page = inspector.page
    inspector.go("/reportes/tables.day/")
    page.fill("[name=day]", session.day.date.isoformat())
    page.keyboard.press("Enter")  # looking is what Enter does; no token goes into the address
    page.wait_for_url("**/reportes/tables.day/ver/**")
    assert "csrf" not in page.url
    expect(page.locator("h1")).to_have_text("Reporte del día")
    assert page.evaluate("document.documentElement.scrollWidth") == 1024

    page.locator(".to-events a").first.focus()
    page.keyboard.press("Enter")  # 1
    expect(page.locator("h1")).to_have_text("Hechos detrás de esta fila")
    page.get_by_label("Clase de hecho").select_option("tables.round.settled")
    expect(page.locator("table.behind tbody tr")).to_have_count(1)
    page.locator("table.behind tbody td a").first.focus()
    page.keyboard.press("Enter")  # 2
    expect(page.locator(".note.good")).to_contain_text("El hash corresponde")
    expect(page.locator("pre.raw").first).to_contain_text('"tables.round.settled"')

    page.go_back()
    page.locator(".crumb a").last.click()
    page.get_by_role("radio", name="CSV", exact=True).check()
    page.get_by_role("button", name="Pedir el archivo").click()
    page.wait_for_url("**/reportes/")
    export = Export.objects.get()
    assert (export.report, export.params) == ("tables.day", {"day": session.day.date.isoformat()})


def test_the_form_still_orders_a_file_at_once(screens: Any, floor: Floor) -> None:
    session = floor.open()
    boss = screens()
    boss.enter("norte-pit_boss")
    boss.go("/reportes/tables.day/")
    boss.page.fill("[name=day]", session.day.date.isoformat())
    boss.page.get_by_role("radio", name="PDF").check()
    boss.page.get_by_role("button", name="Pedir el archivo").click()
    boss.page.wait_for_url("**/reportes/")
    assert Export.objects.get().format == "pdf"
