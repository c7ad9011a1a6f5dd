"""The cage in Chromium: the cashier opens the shift, sells, voids; the pit boss accepts a transfer."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from casino.kernel.permissions import Role
from tables.models import CageOperation
from tables.money import cage_proofs, desks, funds, transfers
from tests.api.building import PASSWORD
from tests.pages.building import Floor

pytestmark = pytest.mark.journey

CASHIER, CHIEF, BOSS = "norte-cage", "norte-supervisor", "norte-pit_boss"
CHIPS = {500: 100, 1_000: 100, 5_000: 20}
"""5 x 100 + 10 x 100 + 50 x 20 = 2.500,00."""


@pytest.fixture
def desk(floor: Floor) -> Any:
    """A desk with chips and 2.000,00 in notes of 100, not counted yet."""
    found = desks.set_desk(number=1, name="Ventanilla 1", by=floor.by(Role.ADMINISTRATOR, "apertura"))
    second = floor.house.users[Role.COMPLIANCE].actor
    funds.bring_capital(amount=1_000_000, document="Acta 1", with_=second, by=floor.by(Role.CAGE))
    asked = transfers.request_transfer(
        desk=found, direction="to_cage", chips_moved=CHIPS, cash={10_000: 20}, by=floor.by(Role.CAGE)
    )
    transfers.accept_transfer(transfer=asked, by=floor.by(Role.PIT_BOSS))
    return found


def sign(page: Page, username: str) -> None:
    page.fill("#f-second", username)
    page.fill("#f-second_password", PASSWORD)


def test_a_shift_at_the_desk(desk: Any, floor: Floor, screens: Any) -> None:
    cashier = screens()
    page = cashier.page
    cashier.enter(CASHIER)
    cashier.go("/caja/")
    page.get_by_role("link", name="Abrir el turno: contar").click()
    for value, number in CHIPS.items():
        page.fill(f"[name=n_{value}]", str(number))
    page.fill("[name=c_10000]", "20")
    sign(page, CHIEF)
    page.get_by_role("button", name="Firmar el arqueo").click()
    expect(page.get_by_text("Arqueo registrado")).to_be_visible()
    sell(cashier)
    cashier.go("/caja/traspasos/")
    page.fill("[name=c_10000]", "5")
    page.select_option("#f-direction", "to_vault")
    page.get_by_role("button", name="Pedir").click()
    accept(screens())
    assert [
        *cage_proofs.ledger_faults(floor.house.casino),
        *cage_proofs.told_faults(floor.house.casino),
    ] == []


def sell(cashier: Any) -> None:
    page = cashier.page
    cashier.go("/caja/1/")
    page.fill("#f-price", "100")
    page.fill("[name=n_5000]", "2")
    page.fill("#f-tendered", "150")
    # Worked out while it is typed: 100 + 13,05, and 36,95 back of 150.
    expect(page.locator("#sum")).to_contain_text("113,05")
    expect(page.locator("#sum")).to_contain_text("36,95")
    page.get_by_role("button", name="Vender").click()
    expect(page.get_by_role("heading", name="V-2026-000001").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_text("Anular este recibo").click()
    page.fill("#f-reason", "el cliente pidió otras fichas")
    sign(page, BOSS)
    page.get_by_role("button", name="Anular").click()
    expect(page.get_by_text("Anula V-2026-000001")).to_be_visible()
    assert list(CageOperation.objects.order_by("pk").values_list("series", flat=True)) == ["V", "A"]


def accept(boss: Any) -> None:
    boss.enter(BOSS)
    boss.go("/caja/traspasos/")
    boss.page.get_by_role("button", name="Contado: aceptar").click()
    expect(boss.page.get_by_text("T-2026-000002 aceptado")).to_be_visible()
