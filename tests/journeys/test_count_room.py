"""The count room in Chromium: two teams count a box blind and differ, a third agrees with one of them, and
two people make the table's result final."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from audits import incidents
from audits.by import by_system, by_user
from audits.models import Incident
from audits.people import create_user
from casino.kernel.permissions import Role
from casino.models import Casino
from tables import closings
from tables.models import DropBox, TableSession
from tables.money import boxes
from tables.money.box_proofs import box_faults
from tests.api.building import PASSWORD
from tests.pages.building import FLOAT, Floor

pytestmark = pytest.mark.journey

TEAMS = (
    ("Ana Rojas", "Beto Lima", "Carla Soto"),
    ("Dora Paz", "Efraín Cruz", "Flor Arce"),
    ("Gina Vela", "Hugo Mita", "Iris Luna"),
)
"""Who records, and two who count."""


def login(name: str) -> str:
    return f"norte-{name.split()[0].lower()}"


@pytest.fixture
def box(floor: Floor) -> DropBox:
    """The box of a closed table, received in the count room, and the logins of three teams."""
    casino: Casino = floor.house.casino
    for name in (name for team in TEAMS for name in team):
        by = by_system(casino, "equipo de recuento")
        create_user(username=login(name), name=name, password=PASSWORD, roles=[Role.CAGE], by=by)
    session = floor.open()
    found = boxes.put_on(session=session, number="PB-01-1", by=floor.by(Role.SUPERVISOR))
    closings.close_session(
        session=session, chips_counted=FLOAT, counted_by=floor.dealer, witnessed_by=floor.supervisor,
        by=floor.by(Role.SUPERVISOR),
    )  # fmt: skip
    second = floor.house.users[Role.PIT_BOSS].actor
    found = boxes.remove(box=found, seal="P-1", with_=second, by=floor.by(Role.SUPERVISOR))
    return boxes.receive(box=found, seal="P-1", by=floor.by(Role.CAGE))


def count(screen: Any, team: tuple[str, ...], hundreds: int, button: str) -> Page:
    """A team finds its box in the count room, on an empty form, and signs what it found."""
    page: Page = screen.page
    screen.enter(login(team[0]))
    screen.go("/recuento/")
    page.get_by_role("link", name=button).click()
    expect(page.get_by_text("nadie ve lo que contó otro equipo")).to_be_visible()
    assert "300,00" not in page.content()
    page.fill("[name=n_BOB_10000]", str(hundreds))
    for name in team[1:]:
        page.get_by_label(name).check()
    page.get_by_role("button", name="Firmar el recuento").click()
    return page


def test_a_box_is_counted_blind_and_its_table_reconciled(box: DropBox, floor: Floor, screens: Any) -> None:
    first = count(screens(), TEAMS[0], 3, "Primer recuento")
    expect(first.get_by_text("falta el de otro equipo")).to_be_visible()
    first.goto(first.url.replace("/recuento/", f"/cajas/{box.pk}/"))
    expect(first.get_by_text("Sin recuentos que mostrar")).to_be_visible()
    second = count(screens(), TEAMS[1], 2, "Segundo recuento")
    expect(second.get_by_text("PB-01-1: los recuentos no coinciden")).to_be_visible()
    # Both are told now, with their difference as an incident.
    expect(second.get_by_text("300,00").first).to_be_visible()
    third = count(screens(), TEAMS[2], 3, "Tercer recuento")
    expect(third.get_by_text("los recuentos coinciden")).to_be_visible()
    session = TableSession.objects.get()
    assert (session.state, session.drop) == ("counted", 30_000)
    settle(floor)
    boss = screens()
    boss.enter("norte-pit_boss")
    boss.go(f"/sesiones/{session.pk}/")
    assert boss.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    boss.page.fill("#f-second", "norte-compliance")
    boss.page.fill("#f-second_password", PASSWORD)
    boss.page.get_by_role("button", name="Conciliar el resultado").click()
    expect(boss.page.get_by_text("quedó conciliada")).to_be_visible()
    session.refresh_from_db()
    assert session.state == "reconciled"
    assert list(box_faults(floor.house.casino)) == []


def settle(floor: Floor) -> None:
    """The incident of the counts that differed, settled by two."""
    incidents.resolve_incident(
        incident=Incident.objects.get(),
        resolution="el segundo equipo contó mal",
        rule_applied="FLOOR-11",
        with_=floor.house.users[Role.COMPLIANCE].actor,
        by=by_user(floor.house.users[Role.PIT_BOSS]),
    )
