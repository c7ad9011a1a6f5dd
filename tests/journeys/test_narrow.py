"""The menu of the house on a tablet held upright and on a phone: every place of it can be reached."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.journey

MENU = ".nav a"


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (768, 1024), (390, 844)])
def test_every_place_is_within_reach(screens: Any, width: int, height: int) -> None:
    boss = screens()
    boss.enter("norte-pit_boss")
    boss.page.set_viewport_size({"width": width, "height": height})
    boss.go("/ajustes/")
    page = boss.page
    assert page.evaluate("document.documentElement.scrollWidth") == width
    # The last place, the one we are at, is on the screen by itself; the first is a swipe away.
    expect(page.locator(MENU).last).to_be_in_viewport(ratio=1)
    page.locator(MENU).first.focus()
    expect(page.locator(MENU).first).to_be_in_viewport(ratio=1)


def test_a_tablet_shows_all_places_at_once(screens: Any) -> None:
    boss = screens()
    boss.enter("norte-pit_boss")
    boss.page.set_viewport_size({"width": 820, "height": 1180})
    for place in boss.page.locator(MENU).all():
        expect(place).to_be_in_viewport(ratio=1)
