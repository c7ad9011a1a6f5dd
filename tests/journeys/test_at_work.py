"""A croupier at work: planned by the pit boss, clocked in on a phone, relieved in at a table."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from casino.kernel import clock
from casino.kernel.permissions import Role
from tables.models import Shift
from tests.pages.building import Floor, as_login

pytestmark = pytest.mark.journey


@pytest.mark.rule("FLOOR-01")
@pytest.mark.rule("FLOOR-03")
def test_planned_clocked_in_relieved_and_told(screens: Any, floor: Floor) -> None:
    """From an hour ago for six hours; on the post just now, so that 59 or 60 minutes are left."""
    as_login(floor.relief, floor.house.users[Role.CROUPIER])
    floor.open()
    local = clock.now().astimezone(ZoneInfo(floor.house.casino.zone))
    start, end = local - dt.timedelta(hours=1), local + dt.timedelta(hours=5)

    boss = screens()
    boss.enter("norte-pit_boss")
    boss.go("/turnos/planificar/")
    boss.page.fill("[name=first]", start.date().isoformat())
    boss.page.fill("[name=last]", start.date().isoformat())
    boss.page.fill("[name=start]", f"{start:%H:%M}")
    boss.page.fill("[name=end]", f"{end:%H:%M}")
    boss.page.get_by_role("checkbox", name=floor.relief.name).check()
    boss.page.get_by_role("button", name="Planificar").click()
    expect(boss.page.locator(".says")).to_contain_text("1 turno planificado")

    croupier = screens()
    croupier.page.set_viewport_size({"width": 390, "height": 844})
    croupier.enter("norte-croupier")
    croupier.go("/mi-puesto/")
    croupier.page.get_by_role("button", name="Marcar entrada").click()
    expect(croupier.page.locator(".where")).to_have_text("En descanso")

    boss.go("/mesas/PB-01/relevo/")
    expect(boss.page.locator(".pick").first).to_contain_text(floor.relief.name)
    boss.page.get_by_role("radio", name=floor.relief.name).check()
    boss.page.get_by_role("button", name="Relevar").click()
    boss.page.wait_for_url("**/mesas/PB-01/")

    croupier.go("/mi-puesto/")
    expect(croupier.page.locator(".where")).to_have_text("PB-01")
    expect(croupier.page.locator(".left b")).to_have_text(re.compile("^(59|60)$"))
    croupier.page.get_by_role("button", name="Marcar salida").click()
    expect(croupier.page.locator(".refusal")).to_contain_text("relévela primero")
    shift = Shift.objects.get()
    assert shift.state == Shift.State.PRESENT

    boss.go(f"/turnos/?from={shift.day.isoformat()}")
    expect(boss.page.locator("a.turn.present")).to_have_count(1)
