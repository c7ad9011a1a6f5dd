"""The order of locks, written once.

    idempotency key -> casino -> gaming day -> table session -> shoe -> decks by id -> auction -> bank
    -> pools by id -> slip series -> stream heads by name -> stocks of chips by place and denomination

A slip's desk is locked after its session and shoe, before its number, with the rank of the slip series.

Alerts of the floor are locked by id with the rank of the slip series; who answers for which pits, with the
login's own row, at that of the session.

People are locked at the rank of a session, after the session's own row, by ascending id (their shifts and
certificates queue behind them).

Plans of posts are written one at a time under the casino's row; the plan's own row, then the sessions in
which its reliefs are made, by ascending id, at the rank of a session.

Desks of the cage, their transfers after them, the day's distribution of tips and the book of orphans are
locked at the rank of a session, after a session's own row; cash of the vault by the casino's row.

Exclusion lists are held by an advisory lock at the rank of the casino (shared by whoever admits people);
players, waits and matches by their rows at the rank of a session, after a session's own row.

Seals of the days and their keys are written under an advisory lock at the rank of the casino.

Nothing locks upwards. `taking()` keeps the order (`Rank`): inside one transaction a lower rank after
a higher one is a programming fault and raises. A statement that must wait more than `LOCK_WAIT_MS` gives up
and the caller gets `Busy` (409 with Retry-After); the limit is a connection option in settings.

The house's figures of its floor and plans of limits are written under the casino's row, what a limits plan
publishes for a table under that table's: both have the rank CASINO, before any session.
"""

from __future__ import annotations

from contextvars import ContextVar
from enum import IntEnum

LOCK_WAIT_MS = 3_000


class Rank(IntEnum):
    """Position in the order of locks; rows of one rank are locked by ascending id or name."""

    IDEMPOTENCY = 1
    CASINO = 2
    GAMING_DAY = 3
    SESSION = 4
    SHOE = 5
    DECK = 6
    AUCTION = 7
    BANK = 8
    POOL = 9
    SLIP_SERIES = 10
    STREAM = 11
    CHIPS = 12


class LockOrderError(AssertionError):
    """A write function asked for its locks in the wrong order."""


_held: ContextVar[Rank | None] = ContextVar("sabot_lock_rank", default=None)


def taking(rank: Rank) -> None:
    """Note that a lock of this rank is about to be taken; raises when it comes too late."""
    held = _held.get()
    if held is not None and rank < held:
        raise LockOrderError(f"{rank.name} cannot be locked after {held.name}")
    _held.set(rank)


def released() -> None:
    """Forget the held rank: the transaction ended."""
    _held.set(None)
