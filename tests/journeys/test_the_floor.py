"""The floor's people at their own screens: a fill by three, a seat from the waiting list, a table closed and
its slip printed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from casino.kernel.permissions import Role
from tables.guests import excluding, registering
from tables.guests.proofs import guest_faults
from tables.models import ExclusionMatch, SeatTaking, Slip
from tables.money import desks, slip_proofs
from tests.guests.builders import BORN, FIRST_DAY
from tests.pages.building import Floor

pytestmark = pytest.mark.journey

BOSS, CHIEF, CAGE = "norte-pit_boss", "norte-supervisor", "norte-cage"
FILL = {500: 40, 5_000: 10}
"""40 x 5,00 + 10 x 50,00 = 200,00 + 500,00 = 700,00."""
COUNTED = {500: 90, 1_000: 120, 5_000: 95}
"""90 x 5,00 + 120 x 10,00 + 95 x 50,00 = 450,00 + 1.200,00 + 4.750,00 = 6.400,00."""


def type_chips(page: Page, chips: dict[int, int]) -> None:
    page.locator(f"[name=n_{next(iter(chips))}]").wait_for()
    page.wait_for_load_state()  # what adds up while one types is there once the page is
    for value, number in chips.items():
        page.fill(f"[name=n_{value}]", str(number))


def fits(page: Page) -> None:
    """Nothing runs out of the side of the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.rule("FLOOR-07", "GEN-10")
def test_a_fill_is_asked_for_issued_and_verified_by_three(screens: Any, floor: Floor) -> None:
    session = floor.open()
    desks.set_desk(number=1, name="Ventanilla 1", by=floor.by(Role.ADMINISTRATOR, "apertura"))
    boss, cashier, chief = screens(), screens(), screens()

    boss.enter(BOSS)
    boss.go("/mesas/PB-01/")
    boss.page.get_by_role("link", name="Fichas", exact=True).click()
    type_chips(boss.page, FILL)
    expect(boss.page.locator("#sum")).to_contain_text("700,00")  # added up while it is typed
    boss.page.get_by_role("button", name="Pedir").click()
    expect(boss.page.locator(".says")).to_contain_text("pedido a la caja")
    label = Slip.objects.get().label

    cashier.enter(CAGE)
    cashier.go("/fichas/")
    cashier.page.get_by_role("link", name=label).first.click()
    cashier.page.get_by_label("Quién lleva las fichas").fill("Ana Portadora")
    cashier.page.get_by_role("button", name="Emitir").click()
    expect(cashier.page.locator(".says")).to_contain_text("emitido")

    chief.enter(CHIEF)
    chief.go("/mesas/PB-01/fichas/")
    expect(chief.page.locator(".head")).to_contain_text("reposiciones 0,00")  # nothing moved yet
    chief.page.get_by_role("link", name="Verificar").click()
    chief.page.get_by_label("Croupier que firma").select_option(label=floor.dealer.name)
    type_chips(chief.page, {**FILL, 5_000: 9})
    chief.page.get_by_role("button", name="Verificar").click()
    expect(chief.page.locator(".refusal").first).to_contain_text("50,00")
    type_chips(chief.page, FILL)
    chief.page.get_by_role("button", name="Verificar").click()
    expect(chief.page.locator(".says")).to_contain_text(f"{label} verificado")
    fits(chief.page)

    boss.go("/mesas/PB-01/fichas/")
    expect(boss.page.locator(".head")).to_contain_text("reposiciones 700,00")
    session.refresh_from_db()
    assert session.fills == 70_000
    assert Slip.objects.get().runner == "Ana Portadora"
    assert list(slip_proofs.slip_money_faults(floor.house.casino)) == []


@pytest.mark.rule("GEN-11")
def test_one_is_seated_from_the_list_and_an_excluded_person_is_not(screens: Any, floor: Floor) -> None:
    floor.open()
    guest = registering.set_guest(
        document_type="ci", number="7654321 LP", name="Juan Mamani Quispe", birth_date=BORN,
        by=floor.by(Role.SUPERVISOR),
    )  # fmt: skip
    excluding.exclude(
        kind="authority", source="Nota AJ 77/2026", since=FIRST_DAY, document_type="ci", country="BO",
        number="7654321 LP", by=floor.by(Role.COMPLIANCE),
    )  # fmt: skip
    chief = screens()
    page = chief.page
    chief.enter(CHIEF)
    chief.go("/espera/")
    page.get_by_label("Mesa", exact=True).select_option(label="PB-01")
    page.get_by_label("Alias").fill("Beto")
    page.get_by_role("button", name="Anotar").click()
    page.get_by_role("button", name="Llamar").click()
    expect(page.get_by_text("llamado")).to_be_visible()
    page.get_by_role("link", name="Asientos").click()
    page.locator("svg .place").nth(2).click()
    page.get_by_role("button", name="Sentar de la lista").click()
    expect(page.locator("svg .place").nth(2)).to_contain_text("Beto")

    page.locator("svg .place").nth(4).click()
    page.get_by_text("Jugador con documento").click()
    page.get_by_label("Número", exact=True).fill("7.654.321")
    page.get_by_role("button", name="Sentar", exact=True).click()
    expect(page.locator(".refusal").first).to_contain_text("no se admite; avise a cumplimiento")
    expect(page.locator("svg .place").nth(4)).to_contain_text("libre")
    fits(page)
    taking = SeatTaking.objects.get()
    assert (taking.seat, taking.alias) == (3, "Beto")
    assert ExclusionMatch.objects.get().guest == guest
    assert list(guest_faults(floor.house.casino)) == []


@pytest.mark.rule("FLOOR-10")
def test_a_supervisor_closes_a_table_and_prints_its_slip(screens: Any, floor: Floor) -> None:
    session = floor.open()
    chief = screens()
    page = chief.page
    chief.enter(CHIEF)
    chief.go("/mesas/PB-01/")
    page.get_by_role("link", name="Cerrar mesa").click()
    type_chips(page, COUNTED)
    expect(page.locator("#balance")).to_contain_text("6.400,00")
    page.get_by_label("Contó").select_option(label=floor.dealer.name)
    page.get_by_label("Firma el jefe de mesa").select_option(label=floor.supervisor.name)
    page.get_by_role("button", name="Cerrar la mesa").click()
    expect(page.locator(".says")).to_contain_text("Mesa PB-01 cerrada")
    page.get_by_role("link", name="Comprobante de cierre").click()
    copies = page.locator(".copy")
    expect(copies).to_have_count(2)  # FLOOR-10
    for nth in range(2):
        for said in (session.label, "6.400,00", floor.dealer.name, floor.supervisor.name):
            expect(copies.nth(nth)).to_contain_text(said)
    fits(page)
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Imprimir")).to_be_hidden()
    expect(copies.nth(1)).to_be_visible()
