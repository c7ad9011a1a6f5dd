"""What tests of alerts look at: the watch at an instant, what is on the floor, who acknowledges."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

from audits.by import By, by_system
from casino.kernel.permissions import Role
from tables import overview
from tables.alerts.sweeping import JOB, Swept, sweep
from tables.models import Alert, TableSession
from tests.builders import BOB, NIGHT, House

USUAL_FLOAT = {500 * BOB: 150}
"""BOB 75.000: 3.000 times the table's minimum of 25, as FLOOR-09 has it, so that nothing is flagged at
first."""


def opened(house: House, **about: Any) -> TableSession:
    """A table opened at `NIGHT` with nothing to attend to."""
    return house.open_table(chips=USUAL_FLOAT, **about)


def watcher(house: House, at: dt.datetime) -> By:
    """The job of the watch, at an instant."""
    return replace(by_system(house.casino, JOB), occurred_at=at)


def look(house: House, minutes: int = 0) -> Swept:
    """The watch looks, so many minutes after the night began."""
    return sweep(by=watcher(house, NIGHT + dt.timedelta(minutes=minutes)))


def kept(house: House, kind: str) -> list[Alert]:
    return list(Alert.objects.filter(casino=house.casino, kind=kind).order_by("pk"))


def tile(house: House, session: TableSession, minutes: int = 0) -> overview.Tile:
    """The tile of a session's table as a pit boss sees it."""
    shown = overview.floor(house.users[Role.PIT_BOSS], NIGHT + dt.timedelta(minutes=minutes))
    return next(t for _, tiles in shown.pits for t in tiles if t.table.pk == session.table_id)
