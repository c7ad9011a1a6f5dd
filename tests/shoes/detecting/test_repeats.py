"""The order of an earlier shoe, or of another deck in the same one, is found again; chance hardly ever
(CARD-16)."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from math import isclose, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoes.cards import COVERED, FRENCH52
from shoes.detecting import repeats
from shoes.detecting.finding import ALARM
from tests.shoes.detecting.packs import new_decks, shuffled

EIGHT = {"deck_type": "french52", "decks": 8}


def test_a_run_is_its_cards_six_bits_each() -> None:
    # The suits in their order take sixteen numbers each: As is 0, 2s 1, Ah 16, Kc 3·16 + 12 = 60.
    assert repeats.grams(["2s", "Ah", "Kc"], k=2) == [1 * 64 + 16, 16 * 64 + 60]
    assert repeats.grams(["2s", "Ah", "Kc"], k=3) == [1 * 64**2 + 16 * 64 + 60]
    assert repeats.reversed_grams(["2s", "Ah", "Kc"], k=2) == [60 * 64 + 16, 16 * 64 + 1]
    assert repeats.grams(["2s", "Ah"], k=3) == []


def test_a_card_nobody_saw_breaks_the_runs() -> None:
    cards = shuffled(1, seed=1)[:20]
    assert len(repeats.grams(cards)) == 20 - 8 + 1
    for hidden in (COVERED, "v4"):
        cards[9] = hidden
        # Places 0 and 1 begin a run that ends before the ninth place, 10 to 12 one that begins after it.
        assert len(repeats.grams(cards)) == 2 + 3


@pytest.mark.parametrize("k", [0, 11])
def test_a_run_fits_into_63_bits(k: int) -> None:
    with pytest.raises(ValueError, match="63 bits"):
        repeats.grams(["As"] * 20, k=k)


@given(st.lists(st.sampled_from(FRENCH52.cards), min_size=8, max_size=30), st.integers(1, 10))
def test_runs_are_exact(cards: list[str], k: int) -> None:
    told = [repeats.faces_of(gram, k) for gram in repeats.grams(cards, k)]
    assert told == [cards[at : at + k] for at in range(len(cards) - k + 1)]
    assert all(0 <= gram < 2**63 for gram in repeats.grams(cards, k))


@pytest.mark.rule("CARD-16")
def test_eight_faces_are_enough_and_seven_are_not() -> None:
    """Beside 10,000 stored shoes of eight decks, fewer than one false alarm in 10,000."""
    for k, enough in ((8, True), (7, False)):
        likeliest = prod(Fraction(8, 416 - i) for i in range(k))
        bound = 2 * (416 - k + 1) ** 2 * likeliest
        assert isclose(repeats.chance_of_sharing("french52", 8, k), float(bound), rel_tol=1e-12)
        assert (bound * 10_000 < Fraction(1, 10_000)) is enough


def test_six_faces_are_enough_inside_a_shoe_and_five_are_not() -> None:
    for k, enough in ((6, True), (5, False)):
        places = 416 - k + 1
        bound = places * (places - 1) * Fraction(7, 416 - 2 * k + 1) ** k
        assert isclose(repeats.chance_inside("french52", 8, k), float(bound), rel_tol=1e-12)
        assert (bound < Fraction(1, 10_000)) is enough


def test_the_bound_is_above_what_short_runs_do() -> None:
    """Runs of three of one deck: the mean number of shared ones in 4,000 pairs, beside the bound (0.038)."""
    chance, pairs, shared = random.Random(8), 4_000, 0
    deck = new_decks(1)
    for _ in range(pairs):
        one, two = chance.sample(deck, 52), chance.sample(deck, 52)
        theirs = {tuple(two[at : at + 3]) for at in range(50)}
        shared += sum(
            (a in theirs) + (a[::-1] in theirs) for a in (tuple(one[at : at + 3]) for at in range(50))
        )
    # Different faces always: 2·50²/(52·51·50) = 0.0377, and the bound is exact.
    assert isclose(repeats.chance_of_sharing("french52", 1, 3), 2 * 50**2 / (52 * 51 * 50), rel_tol=1e-12)
    assert abs(shared / pairs - 0.0377) < 0.0124  # four standard deviations of a Poisson count of 151


@pytest.mark.rule("CARD-16")
def test_an_earlier_shoe_is_recognised_from_eight_cards_on() -> None:
    earlier = shuffled(8, seed=1)
    stored = {"S-000007": repeats.grams(earlier), "S-000008": repeats.grams(shuffled(8, seed=2))}
    later = shuffled(8, seed=3)
    assert repeats.repeated(later, stored, **EIGHT, stored=10_000) is None
    found = repeats.repeated(later[:100] + earlier[40:48] + later[100:], stored, **EIGHT, stored=10_000)
    assert found and found.detector == "order.repeated"
    assert found.p <= ALARM
    assert json.loads(json.dumps(found.facts)) == {
        "shoe": "S-000007", "cards": 8, "backwards": False, "run": earlier[40:48]
    }  # fmt: skip
    assert "S-000007" in found.words.es and "S-000007" in found.words.en
    cards = later[:100] + earlier[40:47] + later[100:]
    assert repeats.repeated(cards, stored, **EIGHT, stored=10_000) is None


@pytest.mark.rule("CARD-16")
def test_an_earlier_shoe_backwards_is_recognised() -> None:
    earlier = shuffled(6, seed=1)
    found = repeats.repeated(
        earlier[60:90][::-1], {"S-1": repeats.grams(earlier)}, deck_type="french52", decks=6
    )
    assert found and found.facts["backwards"] and found.facts["cards"] == 30
    assert "inverso" in found.words.es and "backwards" in found.words.en


def test_the_longest_common_stretch_is_told_even_round_a_covered_card() -> None:
    earlier = shuffled(8, seed=1)
    cards = earlier[10:60].copy()
    cards[20] = COVERED
    found = repeats.repeated(cards, {"S-1": repeats.grams(earlier)}, **EIGHT)
    assert found and found.facts["cards"] == 50 - 20 - 1  # from the card after the covered one
    assert found.facts["run"] == cards[21:29]


def test_more_stored_shoes_ask_for_a_longer_run() -> None:
    earlier = shuffled(8, seed=1)
    stored = {"S-1": repeats.grams(earlier)}
    # 6.7·10⁻⁹ · 20,000 = 1.3·10⁻⁴ is too much for eight faces; nine are some fifty times rarer.
    assert repeats.repeated(earlier[:8], stored, **EIGHT, stored=20_000) is None
    assert repeats.repeated(earlier[:9], stored, **EIGHT, stored=20_000) is not None


@pytest.mark.rule("CARD-16")
@pytest.mark.parametrize("backwards", [False, True])
def test_decks_of_one_shoe_in_the_same_order_are_found(backwards: bool) -> None:
    deck = shuffled(1, seed=5)
    other = deck[::-1] if backwards else deck
    cards = deck + shuffled(1, seed=6) + other
    assert repeats.repeats_inside(cards[:104], "french52", 6) is None
    found = repeats.repeats_inside(cards, "french52", 6)
    assert found and found.detector == "order.inside" and found.p <= ALARM
    assert found.facts["backwards"] is backwards
    one, two = found.facts["first"] - 1, found.facts["again"] - 1
    run = cards[two : two + 6]
    assert found.facts["run"] == run
    assert cards[one : one + 6] == (run[::-1] if backwards else run)
    assert "{" not in found.words.es + found.words.en


def test_six_repeated_faces_are_found_and_five_are_not() -> None:
    cards = shuffled(6, seed=9)
    run = cards[30:36]
    assert repeats.repeats_inside(cards[:200] + run + cards[200:], "french52", 6) is not None
    assert repeats.repeats_inside(cards[:200] + run[:5] + cards[200:], "french52", 6) is None


def test_a_run_that_mirrors_itself_is_no_repetition() -> None:
    cards = shuffled(6, seed=9)[:20]
    mirror = [*cards[:3], *cards[:3][::-1]]
    assert repeats.repeats_inside([*cards[3:10], *mirror, *cards[10:]], "french52", 6) is None


@pytest.mark.rule("CARD-16")
def test_shuffled_shoes_neither_repeat_themselves_nor_one_another() -> None:
    shoes = {str(seed): shuffled(6, seed) for seed in range(25)}
    stored = {label: repeats.grams(cards) for label, cards in shoes.items()}
    for label, cards in shoes.items():
        others = {other: runs for other, runs in stored.items() if other != label}
        assert repeats.repeated(cards, others, deck_type="french52", decks=6) is None
        assert repeats.repeats_inside(cards, "french52", 6) is None
