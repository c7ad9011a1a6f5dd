"""Playing a hand of a ring game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation, SabotError
from casino.kernel.words import Text
from tables.games.base import Terms
from tables.games.playing import Player
from tables.games.ring import choosing, dealing, defects, seating
from tables.games.ring.rules import Rules
from tables.games.ring.stakes import stakes_of
from tables.games.ring.state import Draft, State


def open(rules: Rules, terms: Terms) -> State:
    """A hand with nothing in it. Raises `RuleViolation` when the table cannot be played so."""
    return State(rules, terms, stakes_of(rules, terms))


def _cannot_undo(draft: Draft, entry: Mapping[str, Any]) -> SabotError | None:
    """What was put in before the cards stands once a card was ever logged, a struck one included: whoever
    has seen a card would choose who plays and for how much (PR-02).
    """
    if entry["e"] == "forfeited":
        return RuleViolation(defects.RULE, defects.CARRIED, code="undo_carried", field="of")
    if entry["e"] in ("chips", "in", "button", "close") and any(one["e"] == "card" for one in draft.log):
        return RuleViolation(
            "PR-02",
            Text(
                "con cartas en la mesa no se cambia quién juega ni con qué: anule el pase entero",
                "with cards on the table nobody changes who plays or with what: void the whole round",
            ),
            code="undo_too_late",
            field="of",
        )
    return None


PLAYER: Player[State, Draft] = Player(
    thaw=Draft,
    freeze=Draft.freeze,
    blank=lambda draft: Draft(State(draft.rules, draft.terms, draft.stakes)),
    acts={
        "chips": seating.chips,
        "in": seating.join,
        "button": seating.button,
        "close": seating.close,
        "card": dealing.card,
        "choice": choosing.choice,
        "show": dealing.show,
        "defective": defects.defective,
        "forfeited": defects.forfeited,
        "result": seating.result,
    },
    cannot_undo=_cannot_undo,
)
