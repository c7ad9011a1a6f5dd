"""Faces that do not fit the pack are noticed, and those of a shuffled one hardly ever (CARD-42)."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from math import comb, isclose

import pytest

from shoes.cards import FRENCH52
from shoes.detecting import chance, distribution
from shoes.detecting.finding import ALARM
from tests.shoes.detecting import exact
from tests.shoes.detecting.packs import new_decks, shuffled

LEVEL = ALARM / 20
"""Four looks of five shares: ranks or values, suits, and three for what comes too evenly."""


def improbable(cards: list[str], decks: int = 6, kind: str = "french52") -> distribution.Finding | None:
    return distribution.improbable(Counter(cards), kind, decks)


def test_the_levels_of_all_looks_make_the_promise() -> None:
    assert isclose(distribution._SHARES * LEVEL, ALARM)


@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize(
    ("classes", "decks", "n"), [(exact.ranks, 6, 78), (exact.suits, 3, 40), (exact.values, 3, 70)]
)
def test_chi_square_is_good_enough_where_it_is_asked(
    classes: Callable[[int], exact.Classes], decks: int, n: int
) -> None:
    """Every draw of n cards, counted exactly: how many would be called improbable at the level."""
    kinds = classes(decks)
    counted, whole = exact.draws(kinds, n), comb(52 * decks, n)
    assert sum(counted.values()) == whole
    df = len(kinds) - 1
    above = sum(
        count
        for square, count in counted.items()
        if chance.chi_square_above(exact.x_squared(kinds, n, square), df) <= LEVEL
    )
    assert above / whole <= LEVEL
    if classes is not exact.suits:
        below = sum(
            count
            for square, count in counted.items()
            if chance.chi_square_below(exact.x_squared(kinds, n, square), df) <= LEVEL
        )
        assert below / whole <= 3 * LEVEL


def test_looks_are_due_at_each_quarter_once() -> None:
    # 312 cards: quarters at 78, 156, 234 and 312.
    due = [distribution.checkpoint(out, out + 1, 312) for out in range(312)]
    assert {out + 1: look for out, look in enumerate(due) if look} == {78: 1, 156: 2, 234: 3, 312: 4}
    assert distribution.checkpoint(77, 83, 312) == 1
    assert distribution.checkpoint(78, 83, 312) == 0
    assert distribution.checkpoint(70, 240, 312) == 3
    assert distribution.checkpoint(300, 320, 312) == 4


def test_x_squared_by_hand() -> None:
    # 78 of 312 cards: 6 of each rank expected. Sevens 12, aces and kings 3 each, the others six.
    # Σ (O-E)²/E = (36 + 9 + 9)/6 = 9; (312-1)/(312-78) = 1.329; X² = 11.96.
    seen = Counter(dict.fromkeys(FRENCH52.ranks, 6) | {"7": 12, "A": 3, "K": 3})
    ranks = distribution._Classes.of("ranks", seen, dict.fromkeys(FRENCH52.ranks, 24))
    assert ranks.drawn == 78
    assert isclose(ranks.x2, 9 * 311 / 234)


@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize("cards", [78, 156, 234])
def test_a_pack_whose_aces_are_gone_is_noticed(cards: int) -> None:
    """Twenty-four aces replaced by nines: by the first quarter 0 aces and 12 nines, six of each expected.

    Σ (O-E)²/E = (36 + 36)/6 = 12 and X² is about 16: not yet. At the half it is (144 + 144)/12 · 311/156 =
    48.
    """
    pack = [("9" if card[0] == "A" else card[0]) + card[1] for card in new_decks(6)]
    every = pack[:: len(pack) // 4 * 4 // cards] if cards != 234 else [c for i, c in enumerate(pack) if i % 4]
    found = improbable(every)
    assert len(every) == cards
    assert (found is None) == (cards == 78)
    if found:
        assert found.facts["by"] == "ranks" and not found.facts["even"]
        assert found.facts["seen"]["A"] == 0
        assert 0 < found.p <= ALARM


@pytest.mark.rule("CARD-42")
def test_too_many_of_a_suit_are_noticed_in_words() -> None:
    chance_ = random.Random(1)
    pack = [card for card in new_decks(6) if card[1] != "h" or chance_.random() < 0.2]
    chance_.shuffle(pack)
    found = improbable(pack[:156])
    assert found and found.facts["by"] == "suits"
    assert "palo «corazones»" in found.words.es and "suit “hearts”" in found.words.en
    assert "39,0" in found.words.es and "39.0" in found.words.en
    json.dumps(found.facts)


@pytest.mark.rule("CARD-42")
def test_a_pack_in_order_comes_out_too_evenly() -> None:
    found = improbable(new_decks(6)[20:100])
    assert found and found.facts["even"] and found.p == ALARM
    assert "parejas" in found.words.es and "evenly" in found.words.en


@pytest.mark.rule("CARD-42")
def test_values_alone_are_counted_by_value() -> None:
    # In order by value, a quarter of the shoe: six of each value, 24 of nought.
    even = {f"v{value}": 6 for value in range(1, 10)} | {"v0": 24}
    found = distribution.improbable(even, "french52", 6)
    assert found and found.facts["by"] == "values" and found.facts["even"]
    # One value card among faces makes them all values: kings are noughts.
    mixed = {"v1": 6, "Kd": 24, **{f"{value}s": 6 for value in range(2, 10)}}
    found = distribution.improbable(mixed, "french52", 6)
    assert found and found.facts["seen"]["0"] == 24
    # 40 nines too many: none of them a matter of chance.
    found = distribution.improbable({**even, "v9": 46}, "french52", 8)
    assert found and not found.facts["even"]


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_nothing_is_asked_of_too_few_cards(decks: int) -> None:
    assert distribution.improbable({}, "french52", decks) is None
    pack = new_decks(decks)
    # Ranks of fewer than five expected, suits likewise: 64 cards of 13 ranks, 19 of four suits.
    assert improbable([card for card in pack if card[0] in "AKQ"][:19], decks) is None
    # As few left as seen before: nothing again.
    assert improbable(pack[19:], decks) is None
    assert improbable(pack, decks) is None


def test_jokers_stand_apart() -> None:
    cards = shuffled(6, 1, "french52j")[:150]
    plain = [card for card in cards if card not in ("Xr", "Xb")]
    found, without = improbable(cards, 6, "french52j"), improbable(plain, 6)
    assert found is None and without is None
    assert improbable(new_decks(6, "french52j")[:80], 6, "french52j") is not None


@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize("decks", [6, 8])
def test_shuffled_shoes_raise_no_alarm(decks: int) -> None:
    for seed in range(150):
        cards = shuffled(decks, seed)
        whole = len(cards)
        for out in (whole // 4, whole // 2 + 3, 3 * whole // 4 + 2, whole - 9):
            assert improbable(cards[:out], decks) is None
