"""Rooms above that take part in settling a round, inside the same transaction and in a fixed order.

The floor may not import them; they register here at start-up (architecture.md, section 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from audits.by import By
from audits.ledger import Move
from audits.models import Event
from tables.games.base import Settlement
from tables.models import Round, TableSession


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
    """What a participant adds: moves of value for the round's transfer and data for its event. `later` is
    called once the round and its event are stored, with the round.
    """

    moves: Sequence[Move] = ()
    data: dict[str, Any] = field(default_factory=dict)
    later: Callable[[Round], None] | None = None


Participant = Callable[[Settling], Part]
AfterVoid = Callable[[Event, By], None]
BeforeVoid = Callable[[Round, By], AfterVoid | None]
Abandoned = Callable[[Round, By], None]
Closing = Callable[[TableSession, By], None]
_participants: dict[str, tuple[int, Participant]] = {}
_voiding: dict[str, BeforeVoid] = {}
_abandoned: dict[str, Abandoned] = {}
_closing: dict[str, Closing] = {}


def register(
    name: str,
    position: int,
    participant: Participant,
    *,
    before_void: BeforeVoid | None = None,
    abandoned: Abandoned | None = None,
    closing: Closing | None = None,
) -> None:
    """Take part in every settlement from now on, `position` deciding the order.

    `before_void(round, by)` locks what voiding a settled round changes of theirs, refuses where it cannot be,
    and answers what is to be called with the voiding's event; `abandoned(round, by)` is told of a round given
    up; `closing(session, by)` settles or refuses what is open of theirs at a table that closes, its rows
    locked before.
    """
    _participants[name] = (position, participant)
    if before_void is not None:
        _voiding[name] = before_void
    if abandoned is not None:
        _abandoned[name] = abandoned
    if closing is not None:
        _closing[name] = closing


def unregister(name: str) -> None:
    for known in (_participants, _voiding, _abandoned, _closing):
        known.pop(name, None)


def take_part(settling: Settling) -> dict[str, Part]:
    """Ask each participant, in order."""
    ordered = sorted(_participants.items(), key=lambda item: (item[1][0], item[0]))
    return {name: participant(settling) for name, (_, participant) in ordered}


def before_void(round: Round, by: By) -> list[AfterVoid]:
    """Ask each participant before a settled round is voided; what they want to do after."""
    asked = [voiding(round, by) for _, voiding in sorted(_voiding.items())]
    return [after for after in asked if after is not None]


def abandoned(round: Round, by: By) -> None:
    """Tell each participant of a round given up."""
    for _, tell in sorted(_abandoned.items()):
        tell(round, by)


def closing(session: TableSession, by: By) -> None:
    """Tell each participant of a table that closes, inside the close."""
    for _, tell in sorted(_closing.items()):
        tell(session, by)
