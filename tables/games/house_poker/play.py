"""Playing a round of poker against the house."""

from __future__ import annotations

from tables.games.base import Terms
from tables.games.house_poker import betting, dealing, deciding, misdeals
from tables.games.house_poker.kinds import KINDS
from tables.games.house_poker.rules import Rules
from tables.games.house_poker.state import Draft, State
from tables.games.playing import Player


def open(rules: Rules, terms: Terms) -> State:
    """A round with nothing in it. Raises `RuleViolation` when the table's terms cannot be played."""
    return State(rules, terms, betting.layout(rules, KINDS[rules.game], terms))


PLAYER: Player[State, Draft] = Player(
    thaw=Draft,
    freeze=Draft.freeze,
    blank=lambda draft: Draft(State(draft.rules, draft.terms, draft.boxes)),
    acts={
        "bet": betting.bet,
        "in": betting.sit,
        "close": betting.close,
        "card": dealing.card,
        "choice": deciding.choice,
        "show": dealing.show,
        "misdeal": misdeals.misdeal,
        "result": dealing.result,
    },
    cannot_undo=betting.cannot_undo,
)
