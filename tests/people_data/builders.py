"""Ten years later: who orders, who signs beside, and what the proofs say then."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db import connection
from django.test import Client

from audits import verify
from audits.models import ErasureOrder, Event, LegalHold
from audits.persons import erasing, holds
from casino.kernel import clock
from casino.kernel.permissions import Role
from tests.builders import NIGHT, House

LATER = dt.datetime(2037, 3, 2, 15, 0, tzinfo=dt.UTC)
"""More than ten years after `NIGHT` (2026-11-20)."""
JUST_TEN = dt.datetime(2036, 11, 20, 15, 0, tzinfo=dt.UTC)
"""The very day: what was last used on 2026-11-20 is not over, what was on the 19th is."""


def order(
    house: House, kind: str, at: dt.datetime = LATER, second: Role = Role.ADMINISTRATOR
) -> ErasureOrder:
    with clock.standing_at(at):
        by = house.by(Role.COMPLIANCE, at, "venció su plazo")
        return erasing.order_erasure(kind=kind, second=house.users[second].actor, by=by)


def carried_out(house: House, kind: str, at: dt.datetime = LATER) -> int:
    """Ordered and carried out; how many became pseudonyms."""
    given = order(house, kind, at)
    with clock.standing_at(at):
        return erasing.carry_out(given)


def held(house: House, kind: str, pk: int, at: dt.datetime = NIGHT) -> LegalHold:
    with clock.standing_at(at):
        by = house.by(Role.COMPLIANCE, at, "proceso judicial")
        return holds.put_hold(kind=kind, subject_id=pk, document="Oficio 12/2026", by=by)


def faults(house: House) -> list[str]:
    """What `verify_trail` finds: chains, guards and rows."""
    return [f"{fault.code} {fault.where}: {fault.words.en}" for fault in verify.trail_faults(house.casino)]


def client(house: House, role: Role) -> Client:
    found = Client()
    found.force_login(house.users[role])
    return found


def refused(act: Any, error: type[Exception]) -> Any:
    """The refusal an act meets."""
    try:
        act()
    except error as refusal:
        return refusal
    raise AssertionError("was not refused")


def bodies() -> list[bytes]:
    return [bytes(body) for body in Event.objects.order_by("id").values_list("body", flat=True)]


def everywhere(text: str) -> list[str]:
    """The tables of the house in which a text stands in any column of any row."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE relkind = 'r' AND n.nspname = current_schema()"
        )
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT count(*) FROM "{table}" t WHERE t::text ILIKE %s', [f"%{text}%"])
            if cursor.fetchone()[0]:
                found.append(table)
        # Bodies are bytes: they are read as text.
        cursor.execute(
            "SELECT count(*) FROM audits_event WHERE convert_from(body, 'UTF8') ILIKE %s", [f"%{text}%"]
        )
        if cursor.fetchone()[0]:
            found.append("bodies")
    return found
