"""The floor page of sixty tables: how long a server works on it whole, and on the answer that nothing
changed.

Both are asked through the whole stack (login, access table, view, template) in one process, as the page and
the screens that poll it do; beside them stands a page that asks for next to nothing: one rule of the book.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.test import Client
from django.test.utils import override_settings

from casino.bench.figures import Effort, Report, median, say
from tables.bench import floor

TABLES = 60
PAGES = {
    "whole page": "/",
    "inner part": "/sala/tablero/",
    "yardstick: a page of one rule": "/reglas/FLOOR-03/",
}
UNCHANGED = "inner part, unchanged (304)"


def figure(effort: Effort) -> Report:
    """Milliseconds a request, by the clock on the wall (database included) and of processor time (without
    it): the median of each run, and then of the runs."""
    tables = TABLES if effort.seconds >= 1 else 6
    say(f"opening {tables} tables")
    house = floor.build(tables, code="bench-floor")
    client = Client()
    client.force_login(house.boss)
    screen = Screen(client)
    found: dict[str, list[Times]] = {name: [] for name in [*PAGES, UNCHANGED]}
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        for _ in range(effort.runs):
            for name, path in PAGES.items():
                found[name].append(_median_ms(partial(screen.get, path), effort.seconds))
            found[UNCHANGED].append(_median_ms(screen.again, effort.seconds))
    rows = [[f"{tables} open tables, one client", "ms", "CPU ms"]]
    for name, times in found.items():
        wall, cpu = (median(each) for each in zip(*times, strict=True))
        rows.append([name, f"{wall:,.1f}", f"{cpu:,.1f}"])
    return Report("Floor page", rows, ["", "The page is to stay under 1,000 ms of server time."])


@dataclass
class Screen:
    """A browser at the floor; `newest`: the tag of what it shows."""

    client: Client
    newest: str = ""

    def get(self, path: str) -> None:
        response = self.client.get(path, secure=True)
        if response.status_code != 200:
            raise RuntimeError(f"{path} answered {response.status_code}")

    def again(self) -> None:
        """Ask as a screen does that has the newest answer already."""
        asked = {"If-None-Match": self.newest}
        response = self.client.get(PAGES["inner part"], headers=asked, secure=True)
        self.newest = response["ETag"]


Times = tuple[float, float]
"""Milliseconds on the wall, and of processor time."""


def _median_ms(ask: Callable[[], None], seconds: float) -> Times:
    walls: list[float] = []
    cpus: list[float] = []
    ask()
    until = time.perf_counter() + seconds
    while time.perf_counter() < until or not walls:
        wall, cpu = time.perf_counter(), time.process_time()
        ask()
        walls.append((time.perf_counter() - wall) * 1_000)
        cpus.append((time.process_time() - cpu) * 1_000)
    return median(walls), median(cpus)
