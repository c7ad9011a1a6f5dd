"""Playing a round of Punto y Banca, Midi or Mini: events in, states out.

`play` checks one event against the rules and returns the next state; `play_all` does the same for
many at once, without the states between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from tables.games import corrections, reading
from tables.games.baccarat import betting, dealing
from tables.games.baccarat.rules import Rules, layout
from tables.games.baccarat.state import Draft, State
from tables.games.base import Terms


def open(rules: Rules, terms: Terms) -> State:
    """A round with nothing in it. Raises `RuleViolation` when the table's terms cannot be played."""
    return State(rules, terms, layout(rules, terms))


def play(state: State, event: object) -> State:
    """The state after one event. Raises a `SabotError`, `detail["position"]` its place in the log."""
    draft = Draft(state)
    _take(draft, event)
    return draft.freeze()


def play_all(state: State, events: Iterable[object]) -> State:
    """The state after all events, as a loop of `play` gives it; the first refusal ends it."""
    draft = Draft(state)
    for event in events:
        _take(draft, event)
    return draft.freeze()


def _take(draft: Draft, event: object) -> None:
    try:
        draft.log.append(_checked(draft, event))
    except SabotError as refusal:
        refusal.detail.setdefault("position", len(draft.log) + 1)
        raise


def _checked(draft: Draft, event: object) -> dict[str, Any]:
    if not isinstance(event, dict):
        raise reading.bad_type("event", Text("un objeto con la clave «e»", "an object with the key “e”"))
    kind = event.get("e")
    act = _ACTS.get(kind) if isinstance(kind, str) else None
    if act is None:
        raise Refused(
            Text(
                f"suceso desconocido «{reading.shown(kind)}»; los hay: {', '.join(_ACTS)}",
                f"unknown event “{reading.shown(kind)}”; there are: {', '.join(_ACTS)}",
            ),
            code="unknown_event",
            field="e",
        )
    return act(draft, event)


def _undo(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    clean = corrections.read_undo(event, draft.log, draft.undone)
    of = clean["of"]
    obstacle = betting.cannot_undo(draft, draft.log[of - 1])
    if obstacle is not None:
        raise obstacle
    undone = draft.undone | {of}
    again = Draft(State(draft.rules, draft.terms, draft.boxes))
    try:
        for position, entry in enumerate(draft.log, start=1):
            if entry["e"] != "undo" and position not in undone:
                _take(again, entry)
    except SabotError as refusal:
        raise corrections.blocked(of, refusal.message) from None
    again.log, again.undone = draft.log, undone
    for slot in Draft.__slots__:
        setattr(draft, slot, getattr(again, slot))
    return clean


def _note(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    return corrections.read_note(event, draft.log)


_ACTS: dict[str, Callable[[Draft, Mapping[str, Any]], dict[str, Any]]] = {
    "bet": betting.bet,
    "close": betting.close,
    "deal": betting.deal,
    "card": dealing.card,
    "result": dealing.result,
    "undo": _undo,
    "note": _note,
}
EVENTS = tuple(_ACTS)
"""The kinds of event a round is made of."""
