"""A round of Black Jack in Chromium: two seats, a split, a double; by keyboard alone and by touch alone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tables.models import Round
from tests.api.building import make_house
from tests.pages.building import Floor, make_floor

pytestmark = pytest.mark.journey

MOST_KEYS = 24
"""Key presses of a round with two bets and five decisions, beyond those of its cards."""

# Seats 1 and 3 have 8s 8h and Tc 9d, the dealer 6d. Seat 1 splits, doubles 8s 3c and has 21, stands on 18.
DEALT = ("8s", "tc", "6d", "8h", "9d")
# The dealer's 6 draws 7 and K: 23.
DRAWN = ("7s", "kd")


@pytest.fixture
def floor(transactional_db: None) -> Floor:
    made = make_floor(make_house(), "full", "blackjack.classic")
    made.open()
    return made


def sit_down(boss: Any, username: str) -> Page:
    boss.enter(username)
    boss.go("/mesas/PB-01/")
    page: Page = boss.page
    page.wait_for_load_state()
    expect(page.locator("#prompt")).to_contain_text("anote las apuestas")
    return page


def check_settled(page: Page) -> None:
    expect(page.locator("#prompt .done")).to_contain_text("El croupier se pasa con 23")
    settled = Round.objects.get()
    # 100 doubled to 200, 100 on the second hand, 50 at seat 3: 350 staked, all of it won (BJ-33).
    assert (settled.state, settled.staked, settled.returned) == ("settled", 35_000, 70_000)
    expect(page.locator(".pay li")).to_have_count(3)
    expect(page.locator(".place").nth(0).locator(".own-hand.win")).to_have_count(2)


def fits(page: Page) -> None:
    """Nothing runs out of the side of the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_round_by_keyboard_alone(screens: Any, floor: Floor) -> None:
    boss = screens()
    page = sit_down(boss, "norte-pit_boss")
    boss.pressed.clear()
    for bet in ("1 100", "3 50"):
        boss.type(bet)
        boss.press("Enter")
    expect(page.locator(".stakes .is-laid")).to_have_count(2)
    boss.type("".join(DEALT))
    expect(page.locator(".place.turn h3")).to_contain_text("1")
    expect(page.locator("[data-types=s]")).to_contain_text("Separa")
    boss.type("s")
    boss.press("Enter")
    boss.type("3c")
    expect(page.locator(".place").nth(0).locator(".own-hand")).to_have_count(2)
    for decision, card in (("d", "th"), ("", "td")):
        boss.type(decision)
        if decision:
            boss.press("Enter")
        boss.type(card)
    expect(page.locator(".place").nth(0)).to_contain_text("18")
    for _seat in (1, 3):
        boss.type("pl")
        boss.press("Enter")
    boss.type("".join(DRAWN))
    expect(page.locator("#go")).to_contain_text("Liquidar")
    fits(page)
    boss.press("Enter")
    check_settled(page)
    cards = [*DEALT, "3c", "th", "td", *DRAWN]
    beyond = len(boss.pressed) - sum(map(len, cards))
    assert beyond <= MOST_KEYS, f"the round took {beyond} keys beyond its cards"


def tap(page: Page, selector: str) -> None:
    """Tap a button big enough for a finger."""
    button = page.locator(selector)
    expect(button).to_be_visible()
    box = button.bounding_box()
    assert box is not None
    assert box["height"] >= 44, selector
    button.tap()


def lay(page: Page, seat: int, *chips: str) -> None:
    tap(page, f"[data-pick=seat] [data-value='{seat}']")
    for chip in chips:
        tap(page, f"[data-chip='{chip}']")
    tap(page, "#stake-go")


def give(page: Page, *cards: str) -> None:
    for card in cards:
        laid = page.locator(".pcard:not(.wait)").count()
        tap(page, f"[data-card='{card}']")
        expect(page.locator(".pcard:not(.wait)")).to_have_count(laid + 1)


def test_a_round_by_touch_alone(screens: Any, floor: Floor) -> None:
    boss = screens(has_touch=True, is_mobile=True)
    page = sit_down(boss, "norte-supervisor")
    lay(page, 1, "50.00", "50.00")
    lay(page, 3, "50.00")
    expect(page.locator(".stakes .is-laid")).to_have_count(2)
    tap(page, "#go")
    give(page, "8s", "Tc", "6d", "8h", "9d")
    fits(page)
    tap(page, "[data-types=s]")
    give(page, "3c")
    tap(page, "[data-types=d]")
    give(page, "Th", "Td")
    for _seat in (1, 3):
        step = page.locator("#now").get_attribute("data-step")
        tap(page, "[data-types=pl]")
        expect(page.locator("#now")).not_to_have_attribute("data-step", str(step))
    give(page, "7s", "Kd")
    tap(page, "#go")
    check_settled(page)
