"""Chips paid in for a pool lie in the table's tray like any other; the house owes as much (PP-28).

They are counted with the float and come off the table's result (FLOOR-12): `TableSession.progressive` is what
came in less what went back, and the account `chips:<session>` the same below zero, from where a bet's amount
goes to the pool.
"""

from __future__ import annotations

import json

from django.db.models import F

from audits.ledger import Move
from jackpots.models import Pool
from tables.models import Round, TableSession

MEMO = "progressive"


def chips_in(session: TableSession, amount: int) -> Move:
    return Move(f"players:{session.pk}", f"tray:{session.pk}", amount, MEMO)


def chips_out(session: TableSession, amount: int) -> Move:
    return Move(f"tray:{session.pk}", f"players:{session.pk}", amount, MEMO)


def count(session: TableSession, change: int) -> None:
    """Note what came into the tray, or went back out of it, on a locked session."""
    session.progressive += change
    TableSession.objects.filter(pk=session.pk).update(progressive=F("progressive") + change)


def owed(session: TableSession) -> str:
    """The account of what a table took in for its pool."""
    return f"chips:{session.pk}"


def of_round(round: Round) -> int:
    """What a settled round's event says came into the tray out of a slot."""
    assert round.event is not None
    return int(json.loads(bytes(round.event.body))["data"].get("pool", {}).get("chips", 0))


def source_of(session: TableSession, pool: Pool) -> str:
    """Where a bet's amount comes from: credits bought before, or the slot's chips."""
    return f"credits:{session.pk}" if pool.form == Pool.Form.CREDITS else owed(session)
