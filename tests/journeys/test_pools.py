"""A progressive from the credit to the prize: bought and bet by keyboard, locked as play closes, won with a
royal flush, and the display in the room at its base again with the prize to be verified.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from audits import filings
from audits.models import Filing
from casino.kernel.permissions import Role
from jackpots import filings as asked
from jackpots import members, pools, versions
from jackpots.models import Bet, Pool, Prize
from tables import rounds
from tests.api.building import make_house
from tests.jackpots.builders import HOUSE, PARAMS, ROYAL, round_of
from tests.pages.building import Floor, make_floor

pytestmark = pytest.mark.journey


@pytest.fixture
def floor(transactional_db: None) -> Floor:
    """A table of Caribbean Poker, open, that feeds a running pool: base 1.000,00, one credit 5,00."""
    made = make_floor(make_house(), "full", "poker.caribbean")
    made.open()
    boss = made.by(Role.PIT_BOSS, reason="pozo nuevo")
    pool = pools.create_pool(name="Pozo del salón", by=boss)
    version = versions.draft_version(pool=pool, params=PARAMS, by=boss)
    for role in (Role.COMPLIANCE, Role.ADMINISTRATOR):
        versions.approve_version(version=version, by=made.by(role))
    about = asked.about_pool(pool)
    filings.draft_filing(kind=asked.EQUIPMENT, subject=about, text="se pide", by=boss)
    for filing in Filing.objects.filter(kind__in=(asked.EQUIPMENT, asked.SCHEME)):
        filings.present_filing(filing=filing, by=made.by(Role.COMPLIANCE))
        by = made.by(Role.ADMINISTRATOR)
        filings.decide_filing(filing=filing, approved=True, reference="AJ/7", by=by)
    members.link_table(pool=pool, table=made.table, by=boss)
    signed = made.house.users[Role.COMPLIANCE].actor
    pools.start(pool=pool, with_=signed, by=made.by(Role.PIT_BOSS, reason="empieza"))
    return made


@pytest.mark.rule("PP-08", "PP-10", "PP-31", "PP-33")
def test_a_royal_flush_from_the_credit_to_the_display(screens: Any, floor: Floor) -> None:
    chief, room = screens(), screens(viewport={"width": 1920, "height": 1080})
    pool = Pool.objects.get()
    room.go(f"/pozos/{pool.pk}/pantalla/")
    figure = room.page.locator(".figure-of b")
    expect(figure).to_have_text("1.000,00")
    assert room.page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    chief.enter("norte-supervisor")
    chief.go("/mesas/PB-01/")
    panel = chief.page.locator("#board-panels")
    # By keyboard: $ leads to the panel's line.
    for line in ("2 +10", "2 2"):
        chief.press("$")
        expect(chief.page.locator("#pool-line")).to_be_focused()
        chief.type(line)
        chief.press("Enter")
        expect(panel.locator("#pool-line")).to_have_value("")
        expect(panel).to_contain_text("10 créditos")
    expect(panel.locator(".pool-seat.lit")).to_have_count(1)
    # By touch: off, and on again.
    panel.get_by_role("button", name="Posición 2: retirar la apuesta de 2").click()
    expect(panel.locator(".pool-seat.lit")).to_have_count(0)
    panel.get_by_role("button", name="Posición 2: apostar 2").click()
    expect(panel.locator(".pool-seat.lit")).to_have_count(1)

    # Play closes: locked.
    chief.page.locator("#typed").focus()
    for line in ("a 2 10", ""):
        step = chief.page.locator("#now").get_attribute("data-step") or ""
        chief.type(line)
        chief.press("Enter")
        expect(chief.page.locator("#now")).not_to_have_attribute("data-step", step)
    expect(panel).to_contain_text("bloqueado")
    expect(panel.get_by_role("button", name="Posición 2: retirar la apuesta de 2")).to_be_disabled()
    _play_on(floor, int(chief.page.locator("#now").get_attribute("data-step") or 0))

    # 10,00 bet: commission 1,00; of 9,00 main 7,20, all of it won: 1.007,20. Back at its base at once.
    assert Bet.objects.get(state="counted").amount == 1_000
    prize = Prize.objects.get()
    assert (prize.amount, prize.after, prize.top) == (100_720, 100_000, True)
    expect(room.page.locator(".hits")).to_contain_text("premio por verificar")
    expect(room.page.locator(".hits strong")).to_have_text("1.007,20")
    expect(figure).to_have_text("1.000,00")
    expect(panel.locator(".pool-hit")).to_contain_text("1.007,20")
    expect(panel.locator(".pool-hit")).to_contain_text("por verificar")
    panel.get_by_role("link", name=prize.label).click()
    chief.page.wait_for_url("**/pozos/premios/*/")
    expect(chief.page.locator("main")).to_contain_text("todo el pozo")


@pytest.mark.rule("PP-09", "PP-13")
def test_a_refused_line_is_there_to_be_corrected_and_credits_go_back_in_two_steps(
    screens: Any, floor: Floor
) -> None:
    chief = screens()
    chief.enter("norte-supervisor")
    chief.go("/mesas/PB-01/")
    panel, line = chief.page.locator("#board-panels"), chief.page.locator("#pool-line")
    chief.press("$")
    chief.type("2 9")
    chief.press("Enter")
    expect(panel.locator("#r-pool-line")).to_contain_text("PP-13")
    expect(line).to_be_focused()
    expect(line).to_have_value("2 9")
    # What was refused is selected: the right line is typed over it.
    chief.type("2 +10")
    chief.press("Enter")
    expect(panel).to_contain_text("10 créditos · 50,00")
    expect(panel.locator("#r-pool-line")).to_have_count(0)
    # The key does what the button beside the line does, and says what it could not do.
    chief.press("=")
    expect(chief.page.locator("#prompt")).to_contain_text("No hay qué repetir")
    expect(chief.page.locator("#typed")).to_have_value("")
    panel.get_by_label("Posición 2: devolver 50").click()
    panel.get_by_role("button", name="Devolver 50 en fichas").click()
    expect(panel).not_to_contain_text("50,00")
    assert not Bet.objects.exists()


def _play_on(floor: Floor, step: int) -> None:
    """The rest of the round, as another screen logs it."""
    events = round_of({2: ROYAL}, HOUSE)[2:]
    session = floor.sessions[-1]
    session.refresh_from_db()
    boss = floor.by(Role.PIT_BOSS)
    rounds.play(session=session, number=1, step=step, events=events, by=boss)
    rounds.settle(session=session, number=1, step=step + len(events), by=floor.by(Role.PIT_BOSS))
