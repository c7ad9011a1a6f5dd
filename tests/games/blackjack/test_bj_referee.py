"""The engines beside a second opinion that shares no code with them, over many rounds and options."""

from __future__ import annotations

import random
from typing import Any

import pytest

from casino.kernel.errors import SabotError
from tables.games.base import Game
from tables.games.blackjack import GAMES
from tables.games.challenge import CHALLENGE21
from tests.games.blackjack.referee import returned
from tests.games.walking import started, walk

OPTIONS: dict[str, tuple[Any, ...]] = {
    "hole_card": ("european", "american"),
    "immediate_pay": ("not_ace", "not_ace_ten_court"),
    "dealer_base_card": ("shared", "per_hand"),
    "dealer_hits_soft_17": (True, False),
    "insurance_percent": (33, 50),
    "splits_max": (1, 3),
    "resplit_aces": (True, False),
    "surrender": ("early", "late", True),
    "surrender_loss_percent": (33, 50),
    "charlie_cards": (0, 7),
    "dealer_blackjack_takes": ("all", "original"),
    "split_21_pushes": (True, False),
    "blackjack_pays": ("3:2", "6:5"),
}
RICH = ("A", "AT", "A8", "ATK", "T", "23A")


def some_rules(game: Game, chance: random.Random) -> dict[str, Any]:
    """Options the game takes, drawn one by one."""
    found: dict[str, Any] = {}
    for key, values in OPTIONS.items():
        given = {**found, key: chance.choice(values)}
        try:
            game.read_rules(given)
        except SabotError:
            continue
        found = given
    return found


class Rich(random.Random):
    """Shuffles so that aces, tens or eights come first more often than not."""

    def shuffle(self, x: Any) -> None:
        super().shuffle(x)
        if x and isinstance(x[0], str) and self.random() < 0.7:
            ranks = self.choice(RICH)
            x[:24] = sorted(x[:24], key=lambda card: card[0] not in ranks)


@pytest.mark.rule("BJ-30")
@pytest.mark.rule("BJ-39")
@pytest.mark.parametrize("game", [*GAMES, CHALLENGE21], ids=lambda game: game.code)
def test_every_bet_goes_back_as_a_second_opinion_says(game: Game) -> None:
    rows: set[str] = set()
    for seed in range(60):
        chance = Rich(seed)
        rules = some_rules(game, chance)
        chip = chance.choice((50, 100, 300))
        opened = started(game, rules=rules, chip=chip, seats=min(3, game.read_rules(rules).seats_max))
        state = walk(game, opened, chance, check=False)
        payouts = game.settle(state).payouts
        assert {(p.seat, p.hand, p.spot): p.returned for p in payouts} == returned(state), (rules, state.log)
        rows |= {p.row for p in payouts}
    # The rounds reach the rows worth comparing.
    assert rows >= {"player_blackjack", "dealer_bust", "total_higher", "total_lower", "player_bust"}
