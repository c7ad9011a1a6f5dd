"""Every game the house can deal, by its code in the catalogue. A new game is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from casino.kernel.errors import NotFound
from casino.kernel.words import Text
from tables.games import (
    baccarat,
    banked,
    blackjack,
    challenge,
    house_poker,
    reading,
    ring,
    roulette,
    siete,
    trente,
)
from tables.games.base import Game

_FAMILIES = (
    baccarat.GAMES,
    banked.GAMES,
    blackjack.GAMES,
    challenge.GAMES,
    house_poker.GAMES,
    ring.GAMES,
    roulette.GAMES,
    siete.GAMES,
    trente.GAMES,
)

GAMES: Mapping[str, Game] = MappingProxyType({game.code: game for family in _FAMILIES for game in family})


def game(code: str) -> Game:
    """The game of a code. Raises `NotFound` (code `unknown_game`) naming those there are."""
    found = GAMES.get(code)
    if found is None:
        known = ", ".join(GAMES)
        raise NotFound(
            Text(
                f"no hay motor para el juego «{reading.shown(code)}»; los hay para {known}",
                f"there is no engine for game “{reading.shown(code)}”; there are for {known}",
            ),
            code="unknown_game",
            field="game",
        )
    return found
