"""A bank from its first chip to its auction, on three screens: bids by keyboard, one clock, one award."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from casino.kernel import clock
from casino.kernel.permissions import Role
from tables import settings
from tables.guests import seats
from tables.models import Auction, Bank, Bid, Round
from tests.api.building import make_house
from tests.builders import confirmed
from tests.pages.building import Floor, as_login, make_floor

pytestmark = pytest.mark.journey

GAME = "baccarat.banked"
# The auction lasts 25 s; a bid in its last 5 s leaves 4 s more.
RULES = {"auction_seconds": 25, "auction_window_seconds": 5, "auction_extension_seconds": 4}
WITHIN_MS = 1_500
"""Asked again each 0,7 s; what one bids is on the others within a second, and the machine's time."""

TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}


@pytest.fixture
def floor(transactional_db: None) -> Floor:
    """A table with a player's bank; J1, J3 and J5 on their seats, its dealer with a login."""
    made = make_floor(make_house(), "full", GAME)
    admin = made.by(Role.ADMINISTRATOR, reason="subastas más cortas")
    settings.publish_rules(
        game=GAME, params=RULES, betting_plan="PA-2026-02", by=admin, **confirmed(GAME, RULES)
    )
    session = made.open()
    as_login(made.dealer, made.house.users[Role.CROUPIER])
    for number in (1, 3, 5):
        seats.seat(session=session, seat=number, alias=f"J{number}", by=made.by(Role.SUPERVISOR))
    return made


def panel(page: Page) -> Any:
    return page.locator("#board-bank")


def fits(page: Page) -> None:
    """Nothing runs out of the side of the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def play(person: Any, *words: str) -> None:
    """Lines typed on the round page, each taken before the next."""
    for word in words:
        step = person.page.locator("#now").get_attribute("data-step")
        person.type(word)
        if not re.fullmatch("[0-9tjqka]+[shdc]", word):  # a card is taken at once
            person.press("Enter")
        expect(person.page.locator("#now")).not_to_have_attribute("data-step", step or "")


def twice(page: Page, first: str, then: str) -> None:
    """What cannot be undone is asked once more, in its place."""
    panel(page).locator("summary", has_text=first).click()
    panel(page).get_by_role("button", name=then).click()


def to_auction(chief: Any) -> None:
    """The bank opened by J5, one round won, passed on and wanted by nobody: all on the panel."""
    page = chief.page
    chief.go("/mesas/PB-01/")
    expect(page.locator("#now")).to_have_attribute("data-blocked", "no_bank")
    panel(page).get_by_label("Banquero").select_option(label="5 · J5")
    panel(page).get_by_label("Importe").fill("100")
    panel(page).get_by_role("button", name="Abrir el banco").click()
    expect(panel(page)).to_contain_text("100,00 en fichas de dinero en la banca")
    fits(page)
    page.locator("#typed").focus()
    # Punto 2 + K = 2, banca 4 + 5 = 9: banca wins the 100 of seat 1 less 5 %, so that 195 are in the bank.
    play(chief, "p 1 100", "", "2s", "4h", "kd", "5d", "")
    expect(panel(page)).to_contain_text("195,00 en fichas de dinero en la banca")
    twice(page, "Pasar el banco", "Sí, pasar el banco")
    for name in ("J3", "J1"):
        expect(panel(page).locator(".bank-who")).to_contain_text(f"Se ofrece a {name}")
        twice(page, "No lo quiere", "Sí, no lo quiere")
    expect(panel(page).locator(".bank-who")).to_contain_text("Puede retomarlo J5")
    twice(page, "No lo quiere", "Sí, no lo quiere")
    panel(page).get_by_role("button", name="Subastar a viva voz").click()
    panel(page).get_by_role("link", name="Seguir la subasta").click()
    page.wait_for_url("**/subastas/*/")


@pytest.mark.rule("BANK-10", "BANK-12", "BANK-17", "BANK-26")
def test_three_screens_bid_in_turn_and_the_highest_gets_the_bank(screens: Any, floor: Floor) -> None:
    boss, chief, dealer = screens(), screens(**TABLET), screens(**TABLET)
    # A tablet whose clock is three hours ahead sees the same time left as the others.
    dealer.page.add_init_script("const now = Date.now; Date.now = () => now() + 3 * 3600 * 1000;")
    boss.enter("norte-pit_boss")
    dealer.enter("norte-croupier")
    chief.enter("norte-supervisor")
    to_auction(chief)
    address = chief.page.url.removeprefix(chief.address)
    for person in (boss, dealer):
        person.go(address)
    pages = [person.page for person in (boss, chief, dealer)]
    for page in pages:
        expect(page.locator(".seat-of.out")).to_contain_text("Pasó este banco")
        expect(page.locator("#left")).to_contain_text("0:")
        fits(page)
    # The head's clock is Sabot's too, also on the tablet that is hours ahead.
    hours = {page.locator("[data-clock]").first.inner_text().split(":")[0] for page in pages}
    assert len(hours) == 1 or clock.now().minute in (0, 59), hours

    # By keyboard: a digit chooses the seat, Enter leads to the amount, Enter bids it.
    boss.press("3", "Enter", "Enter")
    for page in pages:
        expect(page.locator(".leads")).to_contain_text("J3", timeout=WITHIN_MS)
        expect(page.locator(".leads strong")).to_have_text("10,00", timeout=WITHIN_MS)
    chief.press("1", "Enter")
    chief.type("50")
    chief.press("Enter")
    for page in pages:
        expect(page.locator(".leads strong")).to_have_text("50,00", timeout=WITHIN_MS)

    # Too low: refused with its rule, on the screen that bid it and on no other.
    dealer.press("3", "Enter")
    dealer.type("50")
    dealer.press("Enter")
    expect(dealer.page.locator("#refused")).to_contain_text("ofrezca al menos 55,00")
    expect(dealer.page.locator("#refused .rule")).to_have_text("BANK-26")
    expect(boss.page.locator("#refused")).to_have_count(0)
    dealer.press("Escape", "3", "+", "Enter", "Enter")  # 55 and an increment
    for page in pages:
        expect(page.locator(".leads strong")).to_have_text("60,00", timeout=WITHIN_MS)
        expect(page.locator(".bids tbody tr")).to_have_count(3)
    shown = [page.locator("#left").inner_text() for page in pages]
    seconds = [int(said.split(":")[0]) * 60 + int(said.split(":")[1]) for said in shown]
    assert max(seconds) - min(seconds) <= 1, shown

    # Its time is up by Sabot's clock: the screens close it, one of them first.
    for page in pages:
        expect(page.locator("#award")).to_contain_text("J3, asiento 3", timeout=40_000)
    auction = Auction.objects.get()
    assert auction.state == Auction.State.AWARDED and auction.winner is not None
    bids = [(bid.number, bid.seat, bid.amount) for bid in Bid.objects.order_by("number")]
    assert bids == [(1, 3, 1_000), (2, 1, 5_000), (3, 3, 6_000)]
    expect(boss.page.locator(".seed")).to_contain_text(auction.seed)
    expect(dealer.page.locator("#deposit")).to_have_count(0)

    # No card before the deposit; then the first one.
    boss.go("/mesas/PB-01/")
    expect(boss.page.locator("#now")).to_have_attribute("data-blocked", "bank_awaits_deposit")
    chief.page.get_by_role("button", name="Depositar").click()
    chief.page.wait_for_url("**/mesas/PB-01/banco/")
    expect(chief.page.locator("#situation")).to_contain_text("60,00 en fichas de dinero en la banca")
    assert Bank.objects.get(state="held").holder.seat == 3
    boss.go("/mesas/PB-01/")
    play(boss, "p 1 50", "", "2d")
    assert [event["e"] for event in Round.objects.latest("pk").log] == ["bank", "bet", "close", "card"]
