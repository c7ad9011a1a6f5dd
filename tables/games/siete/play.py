"""Playing a hand of siete y medio."""

from __future__ import annotations

from tables.games.base import Terms
from tables.games.playing import Player
from tables.games.siete import betting, dealing
from tables.games.siete.rules import Rules, require_playable
from tables.games.siete.state import Draft, State
from tables.games.siete.turns import freeze


def open(rules: Rules, terms: Terms) -> State:
    """A hand with nothing in it. Raises `RuleViolation` when the table's terms cannot be played."""
    require_playable(rules, terms)
    return freeze(Draft(State(rules, terms)))


PLAYER: Player[State, Draft] = Player(
    thaw=Draft,
    freeze=freeze,
    blank=lambda draft: Draft(State(draft.rules, draft.terms)),
    acts={
        "deal": betting.deal,
        "chips": betting.chips,
        "in": betting.join,
        "offer": betting.offer,
        "card": dealing.card,
        "bet": betting.bet,
        "choice": dealing.choice,
        "result": dealing.result,
    },
    cannot_undo=dealing.cannot_undo,
)
