"""The life of a table session as a guarded state machine: which state may follow which, and what each allows.

    (ready) -> opening -> open <-> paused
                            |  \\     |
                            |   -> closing -> closed -> counted -> reconciled

A table is *ready* while it has no live session and nothing in its pre-flight check is red
(`tables.preflight`). The database holds sessions to the same arrows (`sabot_session_changes`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables import preflight
from tables.checking import Check
from tables.models import Table, TableSession

State = TableSession.State

NAMES: Mapping[str, Text] = {
    State.OPENING.value: Text("abriendo", "opening"),
    State.OPEN.value: Text("abierta", "open"),
    State.PAUSED.value: Text("en pausa", "paused"),
    State.CLOSING.value: Text("cerrando", "closing"),
    State.CLOSED.value: Text("cerrada", "closed"),
    State.COUNTED.value: Text("contada", "counted"),
    State.RECONCILED.value: Text("conciliada", "reconciled"),
}
"""What each state is called."""

NEXT: Mapping[str, frozenset[str]] = {
    State.OPENING.value: frozenset({State.OPEN.value, State.CLOSED.value}),
    State.OPEN.value: frozenset({State.PAUSED.value, State.CLOSING.value, State.CLOSED.value}),
    State.PAUSED.value: frozenset({State.OPEN.value, State.CLOSING.value, State.CLOSED.value}),
    State.CLOSING.value: frozenset({State.OPEN.value, State.CLOSED.value}),
    State.CLOSED.value: frozenset({State.COUNTED.value}),
    State.COUNTED.value: frozenset({State.RECONCILED.value}),
    State.RECONCILED.value: frozenset(),
}
"""Which states may follow each. Closing with the drop already counted passes through both in one act."""

READY = "ready"
TABLE_NAMES: Mapping[str, Text] = {READY: Text("lista", "ready"), **NAMES}
"""What the state of a table is called: one more than those of its session."""

_WHY_NO_ROUND: Mapping[str, tuple[str, Text]] = {
    State.OPENING.value: (
        "session_opening",
        Text(
            "la mesa aún no se abrió al juego: ábrala primero",
            "the table is not open to play yet: open it first",
        ),
    ),
    State.PAUSED.value: (
        "session_paused",
        Text("la mesa está en pausa: reanúdela para jugar", "the table is paused: resume it to play"),
    ),
    State.CLOSING.value: (
        "session_closing",
        Text(
            "la mesa está cerrando: termina el pase en curso y no se abre otro",
            "the table is closing: the round in progress is finished and no other is opened",
        ),
    ),
}


def require_step(session: TableSession, target: str) -> None:
    """Raise `Conflict` (`session_state`) unless `target` may follow the state of a locked session."""
    if target not in NEXT[session.state]:
        raise _no_such_step(session, target)


def _no_such_step(session: TableSession, target: str) -> Conflict:
    now, wanted = NAMES[session.state], NAMES[target]
    return Conflict(
        Text(
            f"{session.label} está {now.es}: de ahí no pasa a {wanted.es}",
            f"{session.label} is {now.en}: it does not become {wanted.en} from there",
        ),
        code="session_state",
        rule="FLOOR-10",
        field="state",
    )


def require_state(session: TableSession, before: str, target: str) -> None:
    """The same for an act that begins from one state only: beginning play is not resuming it."""
    if session.state != before:
        raise _no_such_step(session, target)
    require_step(session, target)


def refusal(session: TableSession, *, ending_round: bool) -> Conflict | None:
    """Why no round is opened (`ending_round`: finished) at a live session now, None where it may be.

    Codes `session_opening`, `session_paused`, `session_closing`.
    """
    if session.state == State.OPEN or (ending_round and session.state == State.CLOSING):
        return None
    code, words = _WHY_NO_ROUND[session.state]
    return Conflict(words, code=code, rule="FLOOR-10")


def require_play(session: TableSession, *, ending_round: bool = False) -> None:
    """Raise `refusal()` where there is one."""
    refused = refusal(session, ending_round=ending_round)
    if refused is not None:
        raise refused


def of_table(table: Table, instant: dt.datetime, checks: Sequence[Check] | None = None) -> str:
    """The life of a table in one word, of `TABLE_NAMES`: the state of its session while that is live or
    leaves something to count or reconcile; then `ready`, once nothing in its pre-flight check is red.

    `checks`: the check, where it is known already.
    """
    last = TableSession.objects.filter(table=table).order_by("-opened_at", "-pk").first()
    if last is not None and last.state != State.RECONCILED:
        return last.state
    if not any(one.red for one in (preflight.check(table, instant) if checks is None else checks)):
        return READY
    return State.CLOSED.value if last is None else last.state
