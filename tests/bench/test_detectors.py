"""The packs the detectors are measured with are what they say, and the figure tells what it promises."""

from __future__ import annotations

import random
from collections import Counter
from math import isclose, log

import pytest

from casino.bench.figures import table
from shoes.cards import FRENCH52, composition
from tables.bench import dealing, detectors


# The 95 % bound of a Poisson mean after 0, 1, 2 and 10 events, as tables of it print (0: -ln 0.05).
@pytest.mark.parametrize(("events", "mean"), [(0, -log(0.05)), (1, 4.744), (2, 6.296), (10, 16.962)])
def test_a_rate_is_bounded_as_poisson_says(events: int, mean: float) -> None:
    assert isclose(detectors.at_most(events, 1), mean, rel_tol=1e-3)
    assert isclose(detectors.at_most(events, 5_000), mean / 5_000, rel_tol=1e-3)


@pytest.mark.parametrize("prepared", dealing.PREPARED)
def test_a_prepared_pack_keeps_its_cards(prepared: str) -> None:
    chance = random.Random(2)
    pack = dealing.PREPARED[prepared](dealing.new_pack(6, chance), chance)
    assert Counter(dealing.cut(pack, chance)) == composition(FRENCH52, 6)


def rising(pack: list[int]) -> int:
    """Rising sequences: how many times the next number lies before the last."""
    place = {number: at for at, number in enumerate(pack)}
    return 1 + sum(place[n + 1] < place[n] for n in range(len(pack) - 1))


def test_a_riffle_leaves_two_rising_sequences_and_two_leave_four() -> None:
    chance = random.Random(3)
    cards = [str(n) for n in range(104)]
    once = [dealing.riffled(cards, chance) for _ in range(50)]
    assert all(rising([*map(int, pack)]) <= 2 for pack in once)
    assert max(rising([*map(int, dealing.riffled(pack, chance))]) for pack in once) == 4


def test_a_strip_keeps_blocks_and_turns_their_order() -> None:
    pack = [*map(int, dealing.stripped([str(n) for n in range(200)], random.Random(4)))]
    broken = [at for at in range(1, 200) if pack[at] != pack[at - 1] + 1]
    blocks = [b - a for a, b in zip([0, *broken], [*broken, 200], strict=True)]
    assert all(4 <= size <= 20 for size in blocks[1:])  # the first one on top is what was left
    assert all(pack[at] < pack[at - 1] for at in broken)


def test_punto_y_banca_is_dealt_to_the_stop_card() -> None:
    chance = random.Random(5)
    for _ in range(20):
        pack = dealing.shuffled(dealing.new_pack(6, chance), chance)
        before = list(pack)
        rounds = dealing.punto_banca(pack, chance)
        assert all(4 <= len(cards) <= 6 for cards in rounds)
        dealt = [card for cards in rounds for card in cards]
        # CARD-37: the first card and as many as its value; CARD-29: no round begins within the last six.
        burned = 1 + {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(before[0][0], 0)
        burned = burned if before[0][0] in "ATJQK" else 1 + int(before[0][0])
        assert dealt == before[burned : burned + len(dealt)]
        assert 0 <= 312 - burned - len(dealt) <= 6


def test_black_jack_is_dealt_until_two_decks_are_left() -> None:
    chance = random.Random(6)
    for _ in range(20):
        pack = dealing.shuffled(dealing.new_pack(6, chance), chance)
        before = list(pack)
        rounds = dealing.black_jack(pack, chance)
        dealt = [card for cards in rounds for card in cards]
        assert dealt == before[1 : 1 + len(dealt)]
        assert 312 - 1 - len(dealt) <= 104 < 312 - 1 - len(dealt) + len(rounds[-1])
        assert all(len(cards) >= 3 for cards in rounds)


def test_the_figure_tells_every_detector_and_what_was_noticed() -> None:
    told = table(detectors.measured(30, seed=1))
    for detector in ("order.factory", "order.inside", "order.repeated", "distribution"):
        assert told.count(f"{detector}, baccarat, 8 decks") == 1
    # No alarm among 30: at most -ln(0.05)/30 = 0.0999; a tenth is one shoe of 30 prepared, ten at least.
    assert "regularity, 2 to 10 tables" in told and "1.0e-01" in told
    row = next(line for line in told.splitlines() if line.startswith("new decks, suits one way, baccarat, 6"))
    assert row.split()[-4:] == ["10", "0.0%", "100.0%", "100.0%"]
    assert "aces swapped, of 24" in told
