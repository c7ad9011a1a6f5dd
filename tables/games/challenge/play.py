"""Playing a pass of Challenge 21."""

from __future__ import annotations

from tables.games.base import Terms
from tables.games.challenge import betting, dealing, deciding
from tables.games.challenge.rules import Rules, require_playable
from tables.games.challenge.state import Draft, State
from tables.games.playing import Player


def open(rules: Rules, terms: Terms) -> State:
    """A pass with nothing in it. Raises `RuleViolation` when the table's terms cannot be played."""
    require_playable(rules, terms)
    return State(rules, terms)


PLAYER: Player[State, Draft] = Player(
    thaw=Draft,
    freeze=Draft.freeze,
    blank=lambda draft: Draft(State(draft.rules, draft.terms)),
    acts={
        "bet": betting.bet,
        "in": betting.sit,
        "close": betting.close,
        "card": dealing.card,
        "choice": deciding.choice,
        "result": dealing.result,
    },
    cannot_undo=betting.cannot_undo,
)
