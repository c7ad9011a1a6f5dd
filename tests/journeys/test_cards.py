"""The cards in Chromium: every game's checklist by each method, and a delivery from receipt to act.

A scanner is a keyboard that types a code and Enter, so the scan boxes are driven by the keyboard alone.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from casino.kernel.permissions import Role
from shoes.models import Deck, DestructionAct, Shoe
from shoes.ordering import Step
from shoes.procedures import procedure_of
from tests.api.building import PASSWORD
from tests.pages.building import Floor
from tests.shoes import answers, builders

pytestmark = pytest.mark.journey

CHIEF, OTHER_CHIEF, OFFICE = "norte-supervisor", "norte-pit_boss", "norte-compliance"


def scan(page: Page, *codes: str) -> None:
    """What a scanner does: it types each code and Enter wherever the cursor is."""
    for code in codes:
        page.keyboard.type(code)
        page.keyboard.press("Enter")


def sign_beside(page: Page, field: str, username: str) -> None:
    page.fill(f"#f-{field}", username)
    page.fill(f"#f-{field}_password", PASSWORD)


def fits(page: Page) -> None:
    """Nothing runs out of the side of the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# ---- the checklist -----------------------------------------------------------------------------------


def begin(page: Page, game: str, method: str) -> None:
    page.select_option("#f-game", game)
    ways = procedure_of(game).methods
    if len(ways) > 1:
        page.select_option("#f-method", method)
    else:
        expect(page.locator("#f-method")).to_be_hidden()
    page.get_by_role("button", name="Empezar").click()
    expect(page.locator("#now #f-serials")).to_be_focused()


def give(page: Page, step: Step, given: dict[str, Any]) -> None:
    """Fill the form of the step that is due; a field that its answers do not ask is out of sight."""
    now = page.locator("#now")
    for field in step.kind.fields:
        place = now.locator(f"[name={field.name}]")
        if field.name not in given:
            expect(place).to_be_hidden()
        elif field.kind == "serials":
            scan(page, *(f"B:{serial}" for serial in given[field.name]))
            expect(now.locator("#fit input:checked")).to_have_count(len(given[field.name]))
        elif field.kind == "choice":
            now.locator(f"[name={field.name}][value='{given[field.name]}']").check()
        elif field.kind == "tick":
            place.check()
        else:
            place.fill(
                " ".join(map(str, given[field.name])) if field.kind == "seats" else str(given[field.name])
            )


def sign(page: Page, step: str) -> None:
    """Sign the step that is due, and see the next one come."""
    page.locator("#now").get_by_role("button", name="Hecho, lo firmo").click()
    expect(page.locator(f"#now input[name=step][value='{step}']")).to_have_count(0)


@pytest.mark.rule("GEN-10")
@pytest.mark.parametrize(("game", "method"), answers.SHAPES)
def test_a_shoe_of_every_shape_is_prepared(screens: Any, floor: Floor, game: str, method: str) -> None:
    procedure = procedure_of(game, method)
    by = floor.by(Role.PIT_BOSS)
    decks = builders.inspected_decks(
        floor.house.casino, by, procedure.decks_default, deck_type=procedure.deck_type
    )
    chief = screens(has_touch=True)
    chief.enter(CHIEF)
    chief.go("/cartas/")
    page = chief.page
    begin(page, game, method)
    for _done, step, pack in answers.walk(procedure):
        expect(page.locator("#now h3")).to_contain_text(step.words.es[:20], ignore_case=True)
        given = answers.answer(step, pack, procedure)
        if "serials" in given:
            given["serials"] = [deck.serial for deck in decks]
        give(page, step, given)
        if step.not_by:
            sign_beside(page, "second", OTHER_CHIEF)
        fits(page)
        sign(page, step.code)
    expect(page.locator("h1 .chip")).to_have_text("listo")
    shoe = Shoe.objects.get()
    assert (shoe.state, shoe.method) == (Shoe.State.READY, method)
    signed = {
        done.step: done.signed_by.user.username for done in shoe.steps.select_related("signed_by__user")
    }
    assert signed.pop("check") == OTHER_CHIEF
    assert set(signed.values()) == {CHIEF}


def test_a_field_comes_up_with_the_answer_that_asks_it(screens: Any, floor: Floor) -> None:
    """Poker: another sequence is written down, a machine is named and shown empty (CARD-17, CARD-46)."""
    decks = builders.inspected_decks(floor.house.casino, floor.by(Role.PIT_BOSS), 1)
    chief = screens(has_touch=True)
    chief.enter(CHIEF)
    chief.go("/cartas/")
    page = chief.page
    begin(page, "poker.texas", "")
    scan(page, decks[0].serial)
    sign(page, "decks")
    sign(page, "show")
    now = page.locator("#now")
    now.locator("[name=kind][value=other]").check()
    expect(now.locator("[name=sequence]")).to_be_visible()
    expect(now.locator("[name=machine]")).to_be_hidden()
    now.locator("[name=kind][value=machine]").check()
    expect(now.locator("[name=sequence]")).to_be_hidden()
    now.locator("[name=machine]").fill("BM-1")
    now.get_by_role("button", name="Hecho, lo firmo").click()
    expect(page.locator("#now .refusal")).to_contain_text("Muestre la máquina vacía")
    expect(now.locator("[name=machine]")).to_have_value("BM-1")
    now.locator("[name=empty_shown]").check()
    sign(page, "shuffle")
    expect(page.locator(".steps li.done", has_text="Número de la máquina: BM-1")).to_be_visible()


# ---- a delivery, from its receipt to its act ---------------------------------------------------------


def test_a_delivery_from_its_receipt_to_its_act(screens: Any, floor: Floor) -> None:
    chief = screens()
    chief.enter(OTHER_CHIEF)
    page = chief.page
    receive(chief, page)
    issue(chief, page)
    inspect(page)
    count_at_close(chief, page, floor)
    destroy(chief, page)


def receive(chief: Any, page: Page) -> None:
    chief.go("/cartas/deposito/recepcion/")
    scan(page, "N-1 P-1", "N-2 P-2", "N-2 P-2")
    expect(page.locator(".scan-said").first).to_contain_text("ya está en la lista")
    expect(page.locator(".token")).to_have_count(2)
    for name, words in {
        "maker": "Naipes", "batch": "L-1", "back_design": "rombos", "back_colour": "rojo",
        "homologation": "AJ-1", "declared": "2",
    }.items():  # fmt: skip
        page.fill(f"#f-{name}", words)
    sign_beside(page, "second", OFFICE)
    fits(page)
    page.get_by_role("button", name="Ingresar al depósito").click()
    expect(page.locator(".says")).to_contain_text("2 barajas ingresadas")
    fits(page)


def issue(chief: Any, page: Page) -> None:
    chief.go("/cartas/deposito/entrega/")
    scan(page, "B:N-1")
    expect(page.locator("#f-serials")).to_have_attribute("placeholder", "Lea el precinto de N-1")
    scan(page, "P-1", "N-2", "P-2")
    expect(page.locator(".token")).to_have_text(["N-1 P-1×", "N-2 P-2×"])
    page.select_option("#f-received_by", label="Persona croupier")
    page.get_by_role("button", name="Entregar").click()
    expect(page.locator(".says")).to_contain_text("2 barajas entregadas")


def inspect(page: Page) -> None:
    """The first deck has no fault; in the second a card is missing and one is bent."""
    expect(page.locator("#f-code")).to_be_focused()
    scan(page, "N-1")
    expect(page.locator("h1")).to_contain_text("N-1")
    page.select_option("#f-witness", label="Persona croupier")
    for suit in ("picas", "corazones", "diamantes", "tréboles"):
        page.get_by_role("button", name=suit).click()
    expect(page.locator("#f-suit_order")).to_have_value("shdc")
    fits(page)
    page.get_by_role("button", name="Sin fallas").click()
    expect(page.locator(".says")).to_contain_text("Baraja N-1 apta")
    expect(page.locator("h1")).to_contain_text("N-2")
    expect(page.locator("#f-suit_order")).to_have_value("shdc")
    page.get_by_text("Se hallaron fallas").click()
    page.focus("#f-missing")
    scan(page, "7c")
    page.focus("#f-damaged")
    scan(page, "kh", "9d")
    page.keyboard.press("Backspace")  # the last one was read by mistake
    expect(page.locator(".token")).to_have_text(["7c×", "kh×"])
    page.fill("#f-counted", "51")
    page.get_by_role("button", name="Firmar lo anotado").click()
    expect(page.locator(".says")).to_contain_text("Baraja N-2 retirada · INC-")
    found = Deck.objects.get(serial="N-2")
    seen = found.inspections.get()
    assert (found.state, seen.missing, seen.damaged) == (Deck.State.WITHDRAWN, ["7c"], ["Kh"])


def count_at_close(chief: Any, page: Page, floor: Floor) -> None:
    """A pack of one deck is given up; its count finds one card of another deck too many."""
    chief.go("/cartas/")
    begin(page, "poker.texas", "")
    scan(page, "N-1")
    sign(page, "decks")
    page.get_by_text("Abandonar este sabot").click()
    page.fill("#f-reason", "no se abre la mesa")
    page.get_by_role("button", name="Abandonar", exact=True).click()
    expect(page.locator(".says")).to_contain_text("terminado")
    chief.go("/cartas/inspeccion/")
    page.locator(".queue a").first.click()
    page.select_option("#f-witness", label="Persona croupier")
    deck = Deck.objects.get(serial="N-1")
    page.fill(f"#f-counted-{deck.pk}", "53")
    page.get_by_text("Reversos bien", exact=True).click()
    fits(page)
    page.focus(f"#f-seal-{deck.pk}")
    scan(page, "R-1")  # the scanner's Enter goes on, it does not sign
    sign_count = page.get_by_role("button", name="Firmar el recuento")
    expect(sign_count).to_be_focused()
    sign_count.click()
    expect(page.locator(".count-row .refusal")).to_contain_text("53")
    page.get_by_text("Se hallaron fallas").click()
    page.focus(f"#f-foreign-{deck.pk}")
    scan(page, "as")
    sign_count.click()
    expect(page.locator(".says")).to_contain_text("registrado · INC-")
    deck.refresh_from_db()
    assert deck.state == Deck.State.WITHDRAWN
    resolve_all(floor)


def resolve_all(floor: Floor) -> None:
    """Both investigations end, so that what they are about may be destroyed (CARD-45)."""
    from audits.incidents import resolve_incident
    from audits.models import Incident

    for incident in Incident.objects.all():
        resolve_incident(
            incident=incident,
            resolution="falla de fábrica, comprobada",
            rule_applied="CARD-45",
            with_=floor.house.users[Role.COMPLIANCE].actor,
            by=floor.by(Role.PIT_BOSS),
        )


def destroy(chief: Any, page: Page) -> None:
    chief.go("/cartas/deposito/anular/")
    scan(page, "B:N-1", "B:N-2")
    page.get_by_role("button", name="Anular").click()
    expect(page.locator(".says")).to_contain_text("2 barajas")
    chief.go("/cartas/actas/nueva/")
    scan(page, "B:N-2", "B:N-1")
    expect(page.locator("#cancelled input:checked")).to_have_count(2)
    page.fill("#f-method", "trituradas")
    page.fill("#f-site", "depósito")
    sign_beside(page, "first_witness", OFFICE)
    sign_beside(page, "second_witness", CHIEF)
    fits(page)
    page.get_by_role("button", name="Destruir y firmar el acta").click()
    act = DestructionAct.objects.get()
    expect(page.locator("h1")).to_have_text(act.label)
    page.get_by_role("link", name="N-2").click()
    expect(page.locator(".timeline li").first).to_contain_text(act.label)
    expect(page.locator(".timeline li").last).to_contain_text("Se recibió")
    fits(page)
