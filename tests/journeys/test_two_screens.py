"""Two people at two screens: what one does is on the other's floor within two seconds."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from audits.by import by_system
from tables.alerts.sweeping import JOB, sweep
from tables.models import Alert
from tests.pages.building import Floor

pytestmark = pytest.mark.journey

WITHIN_MS = 2_000


def test_what_one_does_the_other_sees_within_two_seconds(screens: Any, floor: Floor) -> None:
    floor.open()
    sweep(by=by_system(floor.house.casino, JOB))  # the float is below the usual: FLOOR-09
    alert = Alert.objects.get()
    boss, chief = screens(), screens()
    boss.enter("norte-pit_boss")
    chief.enter("norte-supervisor")
    tile = boss.page.locator(".tile", has_text="PB-01")
    expect(tile).to_contain_text("Marta Rojas")

    # The supervisor relieves the dealer; the pit boss's screen says so by itself.
    chief.go("/mesas/PB-01/relevo/")
    chief.page.get_by_text("Iván Condori").click()
    chief.page.get_by_role("button", name="Relevar").click()
    chief.page.wait_for_url("**/mesas/PB-01/")
    expect(tile).to_contain_text("Iván Condori", timeout=WITHIN_MS)

    # The pit boss attends to the alert without leaving the floor; the supervisor sees by whom.
    chief.go("/")
    other = chief.page.locator(".tile", has_text="PB-01")
    expect(other.get_by_role("link", name="Atender")).to_be_visible()
    boss.page.locator(f"#a-{alert.pk}").get_by_role("link", name="Atender").click()
    dialog = boss.page.locator("#dialog")
    dialog.get_by_label("Qué se hizo").fill("se pide reposición")
    dialog.get_by_role("button", name="Dar por atendido").click()
    expect(boss.page.locator(".says")).to_contain_text("Aviso atendido")
    expect(other).to_contain_text("atendido por Persona pit_boss", timeout=WITHIN_MS)
    assert Alert.objects.get().reason == "se pide reposición"

    # The supervisor stops the table for a dispute; the pit boss's tile is red.
    chief.go("/mesas/PB-01/discrepancia/")
    chief.page.get_by_label("Qué se discute").fill("apuesta tardía del asiento 3")
    chief.page.get_by_role("button", name="Detener la mesa").click()
    chief.page.wait_for_url("**/incidentes/*/")
    expect(tile).to_contain_text("Detenida por INC-", timeout=WITHIN_MS)


def test_a_floor_that_gets_no_answer_says_how_old_it_is_and_a_hidden_tab_asks_seldom(
    screens: Any, floor: Floor
) -> None:
    floor.open()
    boss = screens()
    page = boss.page
    page.clock.install()
    boss.enter("norte-pit_boss")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/tablero/" in request.url else None)
    expect(page.locator("#stale")).to_be_hidden()
    # From here time passes only when told to, not between two lines of this test on a slow machine.
    with page.expect_response("**/sala/tablero/"):
        page.clock.pause_at(page.evaluate("Date.now()") / 1_000 + 5)
    with page.expect_response("**/sala/tablero/"):
        page.clock.fast_forward(1_500)

    # Nobody looks at the tab: after the question that was due it asks twice a minute.
    page.evaluate("Object.defineProperty(document, 'hidden', {get: () => true, configurable: true})")
    with page.expect_response("**/sala/tablero/"):
        page.clock.fast_forward(1_500)
    asked.clear()
    page.clock.fast_forward(20_000)
    assert page.evaluate("1") == 1
    assert asked == []
    with page.expect_response("**/sala/tablero/"):
        page.clock.fast_forward(11_000)

    # It is looked at again, but the line is cut: what is shown grows old, and says so.
    page.context.set_offline(True)
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {get: () => false, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    page.clock.fast_forward(9_000)
    expect(page.locator("#stale")).to_be_visible()
    expect(page.locator("#stale")).to_contain_text("No decida con estas cifras")
    page.context.set_offline(False)
    page.clock.resume()
    expect(page.locator("#stale")).to_be_hidden()
