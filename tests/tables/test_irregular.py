"""Irregularities typed at a table: the word, whose hand, how many cards; the seats that knew of a deck."""

from __future__ import annotations

from typing import Any

import pytest

from tables import irregular, offers, typed
from tables.games import registry
from tables.games.base import Detail, Game
from tests.games.house_poker import building as hp

CARIBBEAN, TEXAS, BLACK_JACK = map(registry.game, ("poker.caribbean", "poker.texas", "blackjack.classic"))


@pytest.mark.parametrize(
    ("game", "said", "event"),
    [
        (CARIBBEAN, "mal 3 6", {"e": "misdeal", "seat": 3, "count": 6}),
        (CARIBBEAN, "MAL c 4", {"e": "misdeal", "to": "dealer", "count": 4}),
        (TEXAS, "baraja", {"e": "defective"}),
        (TEXAS, "baraja 3 5", {"e": "defective", "knew": [3, 5]}),
        (CARIBBEAN, "mal 3", None),
        (CARIBBEAN, "mal x 4", None),
        (CARIBBEAN, "mal 3 ٦", None),
        (CARIBBEAN, "baraja", None),
        (TEXAS, "baraja as", None),
        (BLACK_JACK, "mal 3 6", None),
    ],
)
def test_a_line_is_read_where_the_game_has_the_event(
    game: Game, said: str, event: dict[str, Any] | None
) -> None:
    assert irregular.events(said.split(), game) == ([event] if event else None)


def test_the_table_reads_it_and_tells_how_it_is_typed() -> None:
    assert typed.events("mal 1 6", CARIBBEAN, hp.dealt(hp.CARIBBEAN)) == [
        {"e": "misdeal", "seat": 1, "count": 6}
    ]
    assert "mal 3 6" in dict(offers.help_of(CARIBBEAN, Detail.FULL, 7))
    assert "baraja 3" in dict(offers.help_of(TEXAS, Detail.FULL, 9))
