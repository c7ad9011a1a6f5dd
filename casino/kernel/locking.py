"""The order of locks, written once.

    idempotency key -> casino -> gaming day -> table session -> shoe -> decks by id -> auction -> bank
    -> pools by id -> slip series -> stream heads by name

Nothing locks upwards. `taking()` keeps the order (`Rank`): inside one transaction a lower rank after
a higher one is a programming fault and raises. A statement that must wait more than `LOCK_WAIT_MS` gives up
and the caller gets `Busy` (409 with Retry-After); the limit is a connection option in settings.
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
