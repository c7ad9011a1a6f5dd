"""A real browser on a real server, with the floor of `tests/pages`.

Needs Chromium: `apt-get install chromium` (as `.ci/run` does), or any that Playwright knows.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.api.building import PASSWORD, make_house
from tests.pages.building import Floor, make_floor

# Playwright's loop runs in this thread; the tests themselves are plain and synchronous.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
expect.set_options(timeout=10_000)

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield started
        started.close()


@dataclass
class Person:
    """Somebody at a screen; `pressed` are the keys since it was last emptied."""

    page: Page
    address: str
    floor: Floor
    pressed: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.pressed.append(key)
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.press(*text)

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)

    def enter(self, username: str) -> None:
        self.go("/entrar/")
        expect(self.page.locator("#f-username")).to_be_focused()
        self.page.keyboard.type(username)
        self.page.keyboard.press("Tab")
        self.page.keyboard.type(PASSWORD)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(self.address + "/")


@pytest.fixture
def floor(transactional_db: None) -> Floor:
    return make_floor(make_house())


@pytest.fixture
def screens(browser: Browser, live_server: Any, floor: Floor) -> Iterator[Any]:
    """Makes screens, each a browser of its own; a script error on any of them fails the test."""
    people: list[Person] = []

    def make(**options: Any) -> Person:
        context = browser.new_context(
            locale="es-BO", **{"viewport": {"width": 1024, "height": 768}, **options}
        )
        person = Person(context.new_page(), live_server.url, floor)
        person.page.on("pageerror", lambda error: person.troubles.append(str(error)))
        person.page.on(
            "console", lambda m: person.troubles.append(m.text) if "Content Security" in m.text else None
        )
        people.append(person)
        return person

    yield make
    for person in people:
        person.page.context.close()
    assert [trouble for person in people for trouble in person.troubles] == []
