"""Playing a round of Punto y Banca, Midi or Mini."""

from __future__ import annotations

from tables.games.baccarat import betting, dealing, marking
from tables.games.baccarat.rules import Rules, layout
from tables.games.baccarat.state import Draft, State
from tables.games.base import Terms
from tables.games.playing import Player


def open(rules: Rules, terms: Terms) -> State:
    """A round with nothing in it. Raises `RuleViolation` when the table's terms cannot be played."""
    return State(rules, terms, layout(rules, terms))


PLAYER: Player[State, Draft] = Player(
    thaw=Draft,
    freeze=Draft.freeze,
    blank=lambda draft: Draft(State(draft.rules, draft.terms, draft.boxes)),
    acts={
        "bet": betting.bet,
        "close": betting.close,
        "deal": betting.deal,
        "card": dealing.card,
        "result": dealing.result,
        "owed": marking.owed,
        "collect": marking.collect,
    },
    cannot_undo=betting.cannot_undo,
)
