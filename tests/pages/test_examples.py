"""What a refusal gives as an example can be typed as it stands, at every step of every game."""

from __future__ import annotations

import pytest

from casino.kernel.errors import SabotError
from tables import offers, typed
from tables.games import registry
from tables.games.base import Detail, Game, Terms
from tests.games import walking
from tests.tables import every_game

ABOUT_THE_AMOUNT = {"above_bank", "above_maximum", "bets_not_equal", "not_enough_points"}
"""500 is no amount for every table; the word before it is right."""


@pytest.mark.parametrize("game", registry.GAMES.values(), ids=lambda game: game.code)
@pytest.mark.parametrize("detail", list(Detail))
def test_every_example_is_read_and_taken(game: Game, detail: Detail) -> None:
    rules = game.default_rules()
    terms = Terms(rules.seats, detail, every_game.CHIP, every_game.limits_of(game))
    tried = 0
    for seed in range(3):
        chance = every_game.seeded(seed)
        state, pack = game.open(rules, terms), iter(every_game.shuffled(game, chance))
        while not state.complete:
            for example in offers.examples(game, state):
                read = typed.events(example, game, state)
                tried += 1
                try:
                    game.play_all(state, read)
                except SabotError as refusal:
                    # Which face a card has is for whoever reads it: an example may be out already.
                    about_a_card = any("card" in event for event in read) and refusal.rule.startswith("CARD")
                    assert about_a_card or refusal.code in ABOUT_THE_AMOUNT, (example, refusal.code)
            chosen = walking.chosen(game.prompts(state), chance)
            state = game.play(state, walking.filled(chosen, pack))
    assert tried > 2
