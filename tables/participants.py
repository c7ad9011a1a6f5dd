"""Rooms above that take part in settling a round, inside the same transaction and in a fixed order.

The floor may not import them; they register here at start-up (architecture.md, section 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from audits.by import By
from audits.ledger import Move
from tables.games.base import Settlement
from tables.models import TableSession


@dataclass(frozen=True, slots=True)
class Settling:
    """What a participant is told: the locked session, the round's number and state, its settlement; `live` is
    false for a round imported from another program."""

    session: TableSession
    round_id: int
    number: int
    state: Any
    settlement: Settlement
    by: By
    live: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """What a participant adds: moves of value for the round's transfer and data for its event."""

    moves: Sequence[Move] = ()
    data: dict[str, Any] = field(default_factory=dict)


Participant = Callable[[Settling], Part]
_participants: dict[str, tuple[int, Participant]] = {}


def register(name: str, position: int, participant: Participant) -> None:
    """Take part in every settlement from now on, `position` deciding the order."""
    _participants[name] = (position, participant)


def unregister(name: str) -> None:
    _participants.pop(name, None)


def take_part(settling: Settling) -> dict[str, Part]:
    """Ask each participant, in order."""
    ordered = sorted(_participants.items(), key=lambda item: (item[1][0], item[0]))
    return {name: participant(settling) for name, (_, participant) in ordered}
