"""The plan of posts of the demonstration: one in force with its first reliefs due, and a draft."""

from __future__ import annotations

import datetime as dt

from tables.demo.house import House
from tables.models import RotationPlan
from tables.roster.rota import applying, drafting

SLOT = 20
LENGTH = 12
"""Slots of twenty minutes: four hours."""
AGO = dt.timedelta(minutes=2)


def furnish(house: House, now: dt.datetime) -> None:
    """A plan of the whole floor, applied two minutes before `now` (UTC), and a draft for later tonight. Needs
    the shifts. Its first reliefs are due: nobody was moved yet.
    """
    at = now - AGO
    starts = at - dt.timedelta(minutes=at.minute % 10, seconds=at.second, microseconds=at.microsecond)
    plan = _draft(house, starts, LENGTH, at)
    applying.apply_plan(plan=plan, by=house.by("pitboss", at))
    _draft(house, starts + 6 * dt.timedelta(minutes=SLOT), LENGTH - 6, now)


def _draft(house: House, starts: dt.datetime, slots: int, at: dt.datetime) -> RotationPlan:
    return drafting.draft_plan(
        starts=starts,
        ends=starts + slots * dt.timedelta(minutes=SLOT),
        slot_minutes=SLOT,
        solver="greedy",
        by=house.by("pitboss", at),
    )
