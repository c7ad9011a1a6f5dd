"""Playing a round of Treinta y Cuarenta."""

from __future__ import annotations

from tables.games.base import Terms
from tables.games.playing import Player
from tables.games.trente import betting, dealing
from tables.games.trente.rules import Rules, require_playable
from tables.games.trente.state import Draft, State


def open(rules: Rules, terms: Terms) -> State:
    """A round with nothing in it. Raises `RuleViolation` when the table's terms cannot be played."""
    require_playable(rules, terms)
    return State(rules, terms)


PLAYER: Player[State, Draft] = Player(
    thaw=Draft,
    freeze=Draft.freeze,
    blank=lambda draft: Draft(State(draft.rules, draft.terms)),
    acts={
        "bet": betting.bet,
        "close": betting.close,
        "prison": betting.prison,
        "card": dealing.card,
        "choice": dealing.choice,
        "result": dealing.result,
    },
    cannot_undo=betting.cannot_undo,
)
