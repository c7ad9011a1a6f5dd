"""Playing a round of Baccarat with a player's bank."""

from __future__ import annotations

from tables.games.banked import betting, dealing
from tables.games.banked.rules import Rules, require_playable
from tables.games.banked.state import Draft, State
from tables.games.base import Terms
from tables.games.playing import Player


def open(rules: Rules, terms: Terms) -> State:
    """A round with nothing in it. Raises `RuleViolation` when the table's terms cannot be played."""
    require_playable(rules, terms)
    return State(rules, terms)


PLAYER: Player[State, Draft] = Player(
    thaw=Draft,
    freeze=Draft.freeze,
    blank=lambda draft: Draft(State(draft.rules, draft.terms)),
    acts={
        "bank": betting.bank,
        "deal": betting.deal,
        "in": betting.join,
        "bet": betting.bet,
        "close": betting.close,
        "card": dealing.card,
        "choice": dealing.choice,
        "result": dealing.result,
    },
    cannot_undo=betting.cannot_undo,
)
