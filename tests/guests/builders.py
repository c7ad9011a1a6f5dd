"""Guests, entries of exclusion lists and seats, made by the write functions."""

from __future__ import annotations

import datetime as dt
import itertools
from typing import Any

from casino.kernel.permissions import Role
from tables.guests import excluding, queueing, registering, seats
from tables.guests.admitting import TurnedAway, on_record
from tables.models import Exclusion, Guest, SeatTaking, TableSession, WaitingEntry
from tests.builders import NIGHT, House

BORN = dt.date(1985, 3, 14)
FIRST_DAY = dt.date(2026, 11, 1)
_numbers = itertools.count(4_000_000)


def minutes(number: float) -> dt.datetime:
    """So many minutes into the evening."""
    return NIGHT + dt.timedelta(minutes=number)


def guest(house: House, name: str = "Juan Mamani Quispe", **about: Any) -> Guest:
    given = {
        "document_type": "ci", "number": str(next(_numbers)), "name": name, "birth_date": BORN, **about,
    }  # fmt: skip
    return registering.set_guest(by=house.by(Role.SUPERVISOR, minutes(-60)), **given)


def excluded(house: House, at: dt.datetime | None = None, **about: Any) -> Exclusion:
    """An entry of the authority's list; by default it has to be told whom it is about."""
    given = {"kind": "authority", "source": "Nota AJ 77/2026", "since": FIRST_DAY, **about}
    return excluding.exclude(by=house.by(Role.COMPLIANCE, at or minutes(-30)), **given)


def sit(
    house: House,
    session: TableSession,
    seat: int,
    who: Guest | None = None,
    *,
    at: dt.datetime | None = None,
    reason: str = "",
    alias: str = "",
) -> SeatTaking:
    """Seat somebody as a page does it: who is turned away goes on record."""
    by = house.by(Role.SUPERVISOR, at or NIGHT, reason)
    with on_record():
        return seats.seat(session=session, seat=seat, guest=who, alias=alias, by=by)


def turned_away(house: House, session: TableSession, who: Guest, at: dt.datetime | None = None) -> TurnedAway:
    """The refusal that seating somebody meets."""
    try:
        sit(house, session, session.seats, who, at=at)
    except TurnedAway as refusal:
        return refusal
    raise AssertionError("was seated")


def waits(house: House, at: dt.datetime, alias: str = "", **about: Any) -> WaitingEntry:
    return queueing.wait(by=house.by(Role.SUPERVISOR, at), alias=alias, **about)
