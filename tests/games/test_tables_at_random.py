"""Tables nobody would think of: any chip, any seats, limits on any spots; rounds there end and add up too."""

from __future__ import annotations

import random
from typing import Any

import pytest

from casino.kernel.errors import SabotError
from tables.games.banked import BANKED
from tables.games.base import Detail, Game, Terms
from tables.games.roulette import ROULETTE
from tables.games.siete import SIETE
from tests.games.walking import check_settled, walk

TABLES: list[tuple[Game, str, list[dict[str, Any]]]] = [
    (BANKED, "punto", [{}, {"punto_free_choice": [3, 5, 7]}, {"deduction_rounding": "up"}]),
    (ROULETTE, "straight", [{}, {"zero_policy": "prison", "zero_again": "double"}]),
    (SIETE, "main", [{}, {"split_court_cards": True, "initial_cards": 2}, {"offer_time": "after_bet"}]),
]


def drawn(game: Game, needed: str, rules: Any, chance: random.Random) -> Any:
    """A round at a table drawn at random, None where the rules refuse such a table."""
    spots = chance.sample(list(game.spots), chance.randint(1, min(20, len(game.spots))))
    lows = {spot: chance.randint(1, 2000) for spot in {needed, *sorted(spots)}}
    limits = {spot: (low, low + chance.randint(0, 3000)) for spot, low in lows.items()}
    seats, chip = chance.randint(1, rules.seats_max), chance.choice([1, 7, 25, 100, 333])
    try:
        return game.open(rules, Terms(seats, Detail.FULL, chip, limits))
    except SabotError:
        return None


@pytest.mark.rule("GEN-04")
@pytest.mark.rule("GEN-07")
@pytest.mark.parametrize(("game", "needed", "options"), TABLES, ids=[game.code for game, _, _ in TABLES])
def test_rounds_at_any_table_end_and_add_up(game: Game, needed: str, options: list[dict[str, Any]]) -> None:
    played = 0
    for seed in range(90):
        chance = random.Random(seed)
        opened = drawn(game, needed, game.read_rules(chance.choice(options)), chance)
        if opened is None:
            continue
        state = walk(game, opened, chance)
        check_settled(game, opened, state)
        played += 1
        low = {spot: pair[0] for spot, pair in opened.terms.limits.items()}
        for bet in state.bets:
            assert bet.amount % opened.terms.chip == 0
            # What a player's bank does not cover goes back, and may leave less than the minimum.
            assert game is BANKED or bet.hand or bet.amount >= low[bet.spot]
    assert played > 40
