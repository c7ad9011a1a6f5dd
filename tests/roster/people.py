"""Shifts for tests, made by the write functions: times are La Paz wall clock of the evening of `NIGHT`."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from casino.kernel.permissions import Role
from tables import floor_settings
from tables.models import Shift, Staff
from tables.roster import clocking, shifts
from tests.builders import NIGHT, House

ZONE = ZoneInfo("America/La_Paz")
PLANNED_AT = NIGHT - dt.timedelta(days=3)


def wall(text: str) -> dt.datetime:
    """`20 18:00` of November 2026, on the wall of the house, as an instant."""
    day, time = text.split()
    return dt.datetime.fromisoformat(f"2026-11-{day} {time}").replace(tzinfo=ZONE).astimezone(dt.UTC)


def plan(
    house: House, staff: Staff, start: str, end: str, at: dt.datetime = PLANNED_AT, **about: Any
) -> Shift:
    by = house.by(Role.PIT_BOSS, at, "programa de la semana")
    return shifts.plan_shift(staff=staff, start=wall(start), end=wall(end), by=by, **about)


def came(house: House, staff: Staff, at: str) -> Shift:
    return clocking.clock_in(staff=staff, by=house.by(Role.SUPERVISOR, wall(at)))


def left(house: House, staff: Staff, at: str) -> Shift:
    return clocking.clock_out(staff=staff, by=house.by(Role.SUPERVISOR, wall(at)))


def rest_of(house: House, minutes: int) -> None:
    """What the house asks after a night shift."""
    by = house.by(Role.ADMINISTRATOR, reason="reglamento interno")
    floor_settings.set_floor(figures={"rest_after_night_minutes": minutes}, by=by)
