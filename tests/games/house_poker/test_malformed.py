"""What is no event of poker against the house at all, or names what is not there: a refusal in words."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.base import Game
from tests.games.house_poker.building import (
    ANTE_IN,
    CARIBBEAN,
    CLOSE,
    DRAW,
    GO,
    bet,
    choice,
    covered,
    dealt,
    fresh,
    go,
    play,
    refused,
)

MALFORMED: list[tuple[Game, Any, Any]] = [
    (DRAW, fresh(DRAW), None),
    (DRAW, fresh(DRAW), {"e": "spin"}),
    (DRAW, fresh(DRAW), {**bet(1, "ante", 500), "x": 1}),
    (DRAW, fresh(DRAW), bet(True, "ante", 500)),
    (DRAW, fresh(DRAW), {"e": "bet", "seat": 1, "spot": "ante", "amount": 500.0}),
    (DRAW, fresh(DRAW), {"e": "in", "seat": 1}),
    (DRAW, fresh(DRAW), {"e": "result", "winner": "dealer"}),
    (DRAW, dealt(), CLOSE),
    (DRAW, dealt(), {"e": "choice", "seat": 1, "do": "double"}),
    (DRAW, dealt(), {"e": "choice", "to": "board", "do": "change"}),
    (DRAW, dealt(), choice(1, "fold", amount=500)),
    (DRAW, dealt(), choice(1, "bet", cards=["2d"])),
    (DRAW, play(DRAW, dealt(), choice(1, "bet")), choice(1, "change")),
    (DRAW, play(DRAW, dealt(), choice(1, "bet")), choice(1, "change", cards="2d")),
    (DRAW, play(DRAW, dealt(), choice(1, "bet")), choice(1, "change", cards=["??"])),
    (DRAW, play(DRAW, dealt(), choice(1, "bet")), choice(1, "change", count=-1)),
    (DRAW, play(DRAW, dealt(), choice(1, "bet")), choice(1, "keep", count=1)),
    (DRAW, play(DRAW, fresh(DRAW), ANTE_IN, CLOSE), {"e": "card", "to": "board", "card": "As"}),
    (DRAW, play(DRAW, fresh(DRAW), ANTE_IN, CLOSE), {"e": "card", "to": "dealer", "seat": 1, "card": "As"}),
    (DRAW, play(DRAW, fresh(DRAW), ANTE_IN, CLOSE), {"e": "card", "to": "seat", "seat": 1}),
    (GO, play(GO, go(), choice(2, "keep")), {"e": "card", "to": "dealer", "card": "As"}),
    (GO, go(), {"e": "choice", "to": "dealer", "do": "change", "cards": []}),
    (CARIBBEAN, covered(CARIBBEAN), {"e": "show", "cards": ["As"]}),
    (
        CARIBBEAN,
        play(CARIBBEAN, covered(CARIBBEAN), choice(1, "bet"), choice(3, "fold")),
        {"e": "show", "to": "dealer", "cards": ["As"]},
    ),
]


@pytest.mark.parametrize("game, state, event", MALFORMED)
def test_a_malformed_event_is_refused_in_words(game: Game, state: Any, event: Any) -> None:
    assert refused(game, state, event).code
