"""The same random hands in our engine and in pokerkit: turns, what may be bet, pots, winners and payoffs.

More of them: `python -m tests.games.ring.duel 100000`.
"""

from __future__ import annotations

import pytest

from tests.games.ring.building import NAMES, STRUCTURES
from tests.games.ring.duel import hand

HANDS = {"texas": 100, "omaha": 60, "five_card_stud": 100, "seven_card_stud": 100}


@pytest.mark.rule("PH-22")
@pytest.mark.rule("PH-23")
@pytest.mark.rule("PR-09")
@pytest.mark.rule("PR-12")
@pytest.mark.rule("PR-13")
@pytest.mark.rule("PR-17")
@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("name", NAMES)
def test_pokerkit_pays_the_same(name: str, structure: str) -> None:
    shown = 0
    for seed in range(HANDS[name]):
        played = hand(name, structure, seed)
        assert played.ours == played.theirs, (seed, played.log)
        shown += played.showdown
    assert shown > HANDS[name] / 2
