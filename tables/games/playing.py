"""Events in, states out: what `play` is in every game, around the game's own acts.

A game writes a draft, a mutable copy of its state, which is thrown away when an event is refused: so no
state ever changes. Undoing plays the log again without the entry; a note is kept and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from tables.games import corrections, reading


class Draft(Protocol):
    """What the loop needs of a draft; the rest is the game's own."""

    log: list[dict[str, Any]]
    undone: frozenset[int]


D = TypeVar("D", bound=Draft)
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Player(Generic[S, D]):
    """`play` and `play_all` of one family.

    `thaw` makes a draft of a state, `freeze` a state of a draft, `blank` a draft with the same rules and
    terms and nothing logged. `acts`, by kind of event: each checks one event against the rules, changes
    the draft and returns the event in canonical form; undo and note are known already. `cannot_undo`
    says what keeps an entry from being struck out, None if nothing does.
    """

    thaw: Callable[[S], D]
    freeze: Callable[[D], S]
    blank: Callable[[D], D]
    acts: Mapping[str, Callable[[D, Mapping[str, Any]], dict[str, Any]]]
    cannot_undo: Callable[[D, Mapping[str, Any]], SabotError | None]

    @property
    def events(self) -> tuple[str, ...]:
        """The kinds of event a round is made of."""
        return (*self.acts, "undo", "note")

    def play(self, state: S, event: object) -> S:
        """The state after one event. Raises a `SabotError`, `detail["position"]` its place in the log."""
        return self.freeze(self._take(self.thaw(state), event))

    def play_all(self, state: S, events: Iterable[object]) -> S:
        """The state after all events, as a loop of `play` gives it; the first refusal ends it."""
        draft = self.thaw(state)
        for event in events:
            draft = self._take(draft, event)
        return self.freeze(draft)

    def _take(self, draft: D, event: object) -> D:
        try:
            if not isinstance(event, dict):
                wanted = Text("un objeto con la clave «e»", "an object with the key “e”")
                raise reading.bad_type("event", wanted)
            kind = event.get("e")
            act = self.acts.get(kind) if isinstance(kind, str) else None
            if act is not None:
                draft.log.append(act(draft, event))
            elif kind == "undo":
                draft = self._undo(draft, event)
            elif kind == "note":
                draft.log.append(corrections.read_note(event, draft.log))
            else:
                raise self._unknown(kind)
        except SabotError as refusal:
            refusal.detail.setdefault("position", len(draft.log) + 1)
            raise
        return draft

    def _undo(self, draft: D, event: Mapping[str, Any]) -> D:
        clean = corrections.read_undo(event, draft.log, draft.undone)
        of = clean["of"]
        obstacle = self.cannot_undo(draft, draft.log[of - 1])
        if obstacle is not None:
            raise obstacle
        undone = draft.undone | {of}
        again = self.blank(draft)
        try:
            for position, entry in enumerate(draft.log, start=1):
                if entry["e"] != "undo" and position not in undone:
                    again = self._take(again, entry)
        except SabotError as refusal:
            raise corrections.blocked(of, refusal.message) from None
        again.log, again.undone = [*draft.log, clean], undone
        return again

    def _unknown(self, kind: object) -> Refused:
        known = ", ".join(self.events)
        return Refused(
            Text(
                f"suceso desconocido «{reading.shown(kind)}»; los hay: {known}",
                f"unknown event “{reading.shown(kind)}”; there are: {known}",
            ),
            code="unknown_event",
            field="e",
        )
