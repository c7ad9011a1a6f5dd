"""A table that stops and goes on: paused between two rounds, called to its last round, opened to play again.

Chips, cards and people stay where they are; no money moves. What may follow what: `tables.life`.
"""

from __future__ import annotations

from audits.by import By
from casino.kernel.commands import command
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables import life, policies, storing
from tables.holding import Held, lock_session, move_on
from tables.models import TableSession
from tables.noting import note

State = TableSession.State


@command(policies.RUN_SESSION)
def pause(*, session: TableSession, by: By) -> TableSession:
    """Pause a table between two rounds: the chips stay on it and no round is opened. Needs a reason.

    Raises `Conflict`: `session_state`; `round_open` while a round is in progress.
    """
    by.need_reason()
    held = lock_session(session, by)
    life.require_state(held.session, State.OPEN, State.PAUSED)
    under_way = storing.under_way(held.last_round_open)
    if under_way is not None:
        raise Conflict(
            Text(
                f"el pase {under_way.number} está en curso: termínelo o abandónelo antes de la pausa",
                f"round {under_way.number} is in progress: finish or abandon it before the pause",
            ),
            code="round_open",
            rule="FLOOR-10",
        )
    return _step(held, State.PAUSED, "tables.session.paused", by)


@command(policies.RUN_SESSION)
def resume(*, session: TableSession, by: By) -> TableSession:
    """Go on after a pause, or take back the call to the last round. Raises `Conflict` (`session_state`)."""
    held = lock_session(session, by)
    if held.session.state == State.CLOSING:
        life.require_step(held.session, State.OPEN)
        return _step(held, State.OPEN, "tables.session.reopened", by)
    life.require_state(held.session, State.PAUSED, State.OPEN)
    return _step(held, State.OPEN, "tables.session.resumed", by)


@command(policies.RUN_SESSION)
def call_last_round(*, session: TableSession, by: By) -> TableSession:
    """The table closes (FLOOR-10): the round in progress is finished, and no other is opened.

    Raises `Conflict` (`session_state`).
    """
    held = lock_session(session, by)
    life.require_step(held.session, State.CLOSING)
    return _step(held, State.CLOSING, "tables.session.last_round_called", by)


def _step(held: Held, state: State, action: str, by: By) -> TableSession:
    session = held.session
    session.state = state
    move_on(session, by)
    session.save(update_fields=["state", "last_at"])
    note(action, session, by, {"state": state.value}, ["FLOOR-10"])
    return session
