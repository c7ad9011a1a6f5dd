"""The inspector in Chromium: a code from compliance, a draw he can check, a blind count, a signature.

Revoked in the middle of it, he is out.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from audits.inspections import draw
from audits.inspections.proofs import inspection_faults
from audits.models import InspectionCount
from tests.api.building import PASSWORD
from tests.pages.building import Floor

pytestmark = [pytest.mark.journey, pytest.mark.rule("REC-11")]
CARD = "AJ-0117"


def test_from_a_code_to_a_signed_count(floor: Floor, screens: Any) -> None:
    floor.open()
    office = screens()
    office.enter("norte-compliance")
    office.go("/inspecciones/codigos/")
    office.page.get_by_label("Nombre del inspector").fill("Rosa Mamani")
    office.page.get_by_label("Credencial de la AJ").fill(CARD)
    office.page.get_by_role("button", name="Dar el código").click()
    code = office.page.locator(".big.mono").inner_text()

    visitor = screens()
    page = visitor.page
    visitor.go("/entrar/")
    page.get_by_role("link", name="Inspector de la AJ").click()
    page.get_by_label("Credencial de la AJ").fill(CARD)
    page.get_by_label("Código").fill(code.lower())
    page.keyboard.press("Enter")
    expect(page.get_by_text("Su acceso termina")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Abrir la visita").click()

    page.get_by_role("button", name="Anunciar el sorteo").click()
    announced = page.locator("p.hash").inner_text()
    page.get_by_label("Su palabra").fill("quirquincho")
    page.keyboard.press("Enter")
    expect(page.get_by_text("verificado")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("link", name="registro para recalcularlo").click()
    record = json.loads(saved.value.path().read_text(encoding="utf-8"))
    assert (record["seed_hash"], draw.verify_draw(record)) == (announced, [])

    page.locator("a[href*='kind=tables.float']").click()
    assert "6.500" not in page.content()
    for name, number in (("d500", "100"), ("d1000", "100"), ("d5000", "99")):
        page.fill(f"[name={name}]", number)
    page.get_by_role("button", name="Registrar el conteo").click()
    expect(page.get_by_text("difiere")).to_be_visible()
    page.get_by_text("Firma de la casa").click()
    page.get_by_label("Conforme con lo contado").check()
    page.get_by_label("Usuario de quien firma por la casa").fill("norte-supervisor")
    page.get_by_label("Su contraseña").fill(PASSWORD)
    page.get_by_role("button", name="Firmar").click()
    expect(page.get_by_text("Persona supervisor")).to_be_visible()
    assert InspectionCount.objects.get().difference == -5_000

    office.go("/inspecciones/codigos/")
    office.page.get_by_text("Revocar", exact=True).click()
    office.page.locator("details[open] [name=reason]").fill("terminó antes")
    office.page.get_by_role("button", name="Revocar ahora").click()
    expect(office.page.get_by_text("revocado")).to_be_visible()
    page.reload()
    expect(page.locator("#f-username")).to_be_visible()
    assert list(inspection_faults(floor.house.casino)) == []
