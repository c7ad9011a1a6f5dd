"""Playing a round of Black Jack."""

from __future__ import annotations

from tables.games.base import Detail, Terms
from tables.games.blackjack import betting, dealing, deciding
from tables.games.blackjack.rules import Rules, layout
from tables.games.blackjack.state import BETS, RESULT, Draft, State
from tables.games.playing import Player


def open(rules: Rules, terms: Terms) -> State:
    """A round with nothing in it. Raises `RuleViolation` when the table's terms cannot be played."""
    stage = RESULT if terms.detail is Detail.RESULT else BETS
    return State(rules, terms, layout(rules, terms), stage=stage)


def _blank(draft: Draft) -> Draft:
    stage = RESULT if draft.detail is Detail.RESULT else BETS
    return Draft(State(draft.rules, draft.terms, draft.boxes, stage=stage))


PLAYER: Player[State, Draft] = Player(
    thaw=Draft,
    freeze=Draft.freeze,
    blank=_blank,
    acts={
        "bet": betting.bet,
        "in": betting.sit,
        "close": betting.close,
        "card": dealing.card,
        "choice": deciding.choice,
        "show": dealing.show,
        "result": dealing.result,
    },
    cannot_undo=betting.cannot_undo,
)
