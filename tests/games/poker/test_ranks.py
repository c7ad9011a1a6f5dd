"""Which hand beats which: every five-card and three-card hand counted, two other programs agreed with.

100,000 seeded deals of each kind against `phevaluator`, and as many of five cards against `pokerkit`; a
longer run, 1,000,000 and 100,000 of pokerkit's slow kinds, takes some minutes:

    SABOT_LONG_RANKS=1 python -m pytest tests/games/poker/test_ranks.py
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import pokerkit
import pytest
from phevaluator import evaluate_cards, evaluate_omaha_cards

from shoes.cards import FRENCH52
from tables.games.poker import ranks

LONG = bool(os.environ.get("SABOT_LONG_RANKS"))
DEALS = 1_000_000 if LONG else 100_000
SLOW_DEALS = 100_000 if LONG else 5_000
"""For pokerkit, which ranks some six thousand hands a second."""


def hand(written: str) -> list[str]:
    return written.split()


# Every hand there is ---------------------------------------------------------------------------


@pytest.mark.rule("PH-22")
@pytest.mark.rule("PH-23")
def test_every_five_card_hand_is_in_its_category() -> None:
    """All 2,598,960 go through `best`. Counts by arithmetic, C being the binomial coefficient:

    straight flush 10 x 4 (of them royal 4); four of a kind 13 x 48; full house 13 x 4 x 12 x 6;
    flush C(13,5) x 4 - 40; straight 10 x 4^5 - 40; trio 13 x 4 x C(12,2) x 4^2; two pair
    C(13,2) x 6^2 x 44; pair 13 x 6 x C(12,3) x 4^3; high card (C(13,5) - 10) x (4^5 - 4).
    """
    seen = Counter(map(ranks.best, combinations(FRENCH52.cards, 5)))
    found: Counter[str] = Counter()
    for value, times in seen.items():
        found[ranks.category(value)] += times
    assert found == {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 624,
        "full_house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three_of_a_kind": 54_912,
        "two_pair": 123_552,
        "pair": 1_098_240,
        "high_card": 1_302_540,
    }
    assert found.total() == 2_598_960
    # The well-known number of hands that differ in worth.
    assert len(seen) == 7_462


@pytest.mark.rule("PH-20")
def test_every_three_card_hand_is_in_its_category() -> None:
    """All 22,100: straight flush 12 x 4; trio 13 x 4; straight 12 x 4^3 - 48; flush C(13,3) x 4 - 48;
    pair 13 x 6 x 48; the rest high cards."""
    found = Counter(ranks.category3(ranks.three(three)) for three in combinations(FRENCH52.cards, 3))
    assert found == {
        "straight_flush": 48,
        "three_of_a_kind": 52,
        "straight": 720,
        "flush": 1_096,
        "pair": 3_744,
        "high_card": 16_440,
    }
    assert found.total() == 22_100


def slow_three(cards: tuple[str, ...]) -> tuple[Any, ...]:
    """Three cards ranked again, by sorting: what `three` is held against."""
    places = sorted(("23456789TJQKA".index(card[0]) + 2 for card in cards), reverse=True)
    suited, kinds = len({card[1] for card in cards}) == 1, len(set(places))
    low = places == [14, 3, 2]
    run = low or (kinds == 3 and places[0] - places[2] == 2)
    if run:
        return (5 if suited else 3, 3 if low else places[0])
    if kinds == 1:
        return (4, places[0])
    if kinds == 2:
        pair = places[1]
        return (1, pair, next(place for place in places if place != pair))
    return (2 if suited else 0, *places)


@pytest.mark.rule("PH-20")
def test_three_card_hands_are_ordered_as_an_independent_ranking_orders_them() -> None:
    together = {(slow_three(cards), ranks.three(cards)) for cards in combinations(FRENCH52.cards, 3)}
    ordered = [value for _, value in sorted(together)]
    assert all(low < high for low, high in pairwise(ordered))
    assert len(ordered) == len({slow for slow, _ in together})


# Other programs --------------------------------------------------------------------------------


def deals(cards: int, times: int, seed: int) -> Iterator[list[str]]:
    chance = random.Random(seed)
    for _ in range(times):
        yield chance.sample(FRENCH52.cards, cards)


def assert_same_order(pairs: set[tuple[int, int]]) -> None:
    """(theirs, ours): each value of one goes with one of the other, and both rise together."""
    ordered = sorted(pairs)
    ours = [mine for _, mine in ordered]
    assert len({theirs for theirs, _ in ordered}) == len(ordered) == len(set(ours))
    assert ours == sorted(ours)


@pytest.mark.rule("PH-23")
@pytest.mark.parametrize("cards", [5, 6, 7])
def test_phevaluator_agrees(cards: int) -> None:
    """phevaluator numbers the best hand 1: its sign is turned."""
    assert_same_order({(-evaluate_cards(*deal), ranks.best(deal)) for deal in deals(cards, DEALS, cards)})


@pytest.mark.rule("PH-23")
def test_phevaluator_agrees_on_omaha() -> None:
    found = {
        (-evaluate_omaha_cards(*deal[4:], *deal[:4]), ranks.omaha(deal[:4], deal[4:]))
        for deal in deals(9, DEALS, 94)
    }
    assert_same_order(found)


def theirs(value: pokerkit.Hand) -> int:
    return value.entry.index


@pytest.mark.rule("PH-23")
@pytest.mark.parametrize("cards", [5, 7])
def test_pokerkit_agrees(cards: int) -> None:
    found = {
        (theirs(pokerkit.StandardHighHand.from_game("".join(deal))), ranks.best(deal))
        for deal in deals(cards, DEALS if cards == 5 else SLOW_DEALS, 50 + cards)
    }
    assert_same_order(found)


@pytest.mark.rule("PH-23")
def test_pokerkit_agrees_on_omaha() -> None:
    found = {
        (
            theirs(pokerkit.OmahaHoldemHand.from_game("".join(deal[:4]), "".join(deal[4:]))),
            ranks.omaha(deal[:4], deal[4:]),
        )
        for deal in deals(9, SLOW_DEALS, 95)
    }
    assert_same_order(found)


@pytest.mark.rule("PH-23")
def test_the_five_shown_are_worth_the_hand() -> None:
    for deal in deals(7, 2_000, 77):
        assert ranks.best(ranks.best_five(deal)) == ranks.best(deal)
        assert set(ranks.best_five(deal)) <= set(deal)
    for deal in deals(9, 2_000, 99):
        five = ranks.omaha_five(deal[:4], deal[4:])
        assert ranks.best(five) == ranks.omaha(deal[:4], deal[4:])
        assert len(set(five) & set(deal[:4])) == 2 and len(set(five) & set(deal[4:])) == 3


@pytest.mark.rule("PH-23")
def test_a_showdown_values_each_hand_with_the_board() -> None:
    for deal in deals(23, 3_000, 23):
        board, hands = deal[:5], [deal[at : at + 2] for at in range(5, 23, 2)]
        assert ranks.showdown(board, hands) == [ranks.best([*own, *board]) for own in hands]


# Public reports: shared case file, area poker_eval ---------------------------------------------


@pytest.mark.rule("PH-23")
@pytest.mark.parametrize(
    ("case", "board", "holes", "winners", "category"),
    [
        ("ENG-001", "2c 3d 5s Kh Kd", ["Ad 4h", "Ks 9c"], [0], "straight"),
        ("ENG-003", "2d 3d 4d 5d Ks", ["Ad 9h", "6c 8s"], [0], "straight_flush"),
        ("ENG-004", "4d 8s 4h 7d 8c", ["Kh 6c", "7c 5c"], [1], "two_pair"),
        ("ENG-005", "Jd 7h Jc Kh Ks", ["Ah 8h", "As Qc"], [0, 1], "two_pair"),
        ("ENG-007", "3h 5d 5c 6h Ac", ["Kc 8c", "Tc 8s"], [0], "pair"),
        ("ENG-010", "Jd Tc Qs Ks 9s", ["9c 2s", "Jh Kh", "Qc 4h", "Qh 8d"], [0, 1, 2, 3], "straight"),
        ("ENG-013", "Ts Jd Qc 6d 5c", ["9h Ks", "9s Ah"], [0], "straight"),
        ("ENG-014", "2d 7h 7s 2s 7c", ["Ks 3d", "3h Qs"], [0, 1], "full_house"),
        ("ENG-017", "9s 7s 4s Jh 3d", ["As 2s", "Ks Qs"], [0], "flush"),
        ("ENG-018", "5s 6s Td 6h As", ["7h 7c", "3s Ad"], [1], "two_pair"),
    ],
)
def test_reported_showdowns(
    case: str, board: str, holes: list[str], winners: list[int], category: str
) -> None:
    values = [ranks.best(hand(board) + hand(own)) for own in holes]
    assert [place for place, value in enumerate(values) if value == max(values)] == winners, case
    assert ranks.category(max(values)) == category


@pytest.mark.rule("PH-23")
def test_eng_019_omaha_takes_two_own_cards() -> None:
    own, board = hand("Ks 8c Js 5c"), hand("3s 5h Qs Qd 9h")
    assert ranks.category(ranks.omaha(own, board)) == "two_pair"
    assert set(ranks.omaha_five(own, board)) == set(hand("Qs Qd 5h 5c Ks"))


@pytest.mark.rule("PH-23")
def test_eng_020_omaha_has_no_flush_from_two_spades_on_the_board() -> None:
    own, board = hand("As Ks 5d 7c"), hand("Ts 7d 8h 4s 2c")
    assert ranks.category(ranks.omaha(own, board)) == "pair"
    five = ranks.omaha_five(own, board)
    assert set(five) == set(hand("7c 7d As Ts 8h"))
    assert [card[0] for card in five] == ["7", "7", "A", "T", "8"]


@pytest.mark.rule("PH-23")
def test_eng_021_omaha_cannot_play_the_board_whole() -> None:
    board = hand("2d 7h 7s 2s 7c")
    first, second = ranks.omaha(hand("Ks 9h 3d 4c"), board), ranks.omaha(hand("Qs Jd 3h 5c"), board)
    assert first > second and ranks.category(first) == "three_of_a_kind"
    assert ranks.best(hand("Ks 9h") + board) == ranks.best(hand("Qs Jd") + board)


# What single hands are -------------------------------------------------------------------------


@pytest.mark.rule("PH-23")
@pytest.mark.parametrize(
    ("cards", "category", "spanish", "english", "five"),
    [
        ("As Ks Qs Js Ts 2d 2h", "royal_flush", "escala real", "royal flush", "As Ks Qs Js Ts"),
        # The top card of A-2-3-4-5 is the five.
        (
            "As 2s 3s 4s 5s 6d Kh",
            "straight_flush",
            "escalera de color al cinco",
            "five-high straight flush",
            "5s 4s 3s 2s As",
        ),
        (
            "8h 9h Th Jh Qh",
            "straight_flush",
            "escalera de color a la reina",
            "queen-high straight flush",
            "Qh Jh Th 9h 8h",
        ),
        ("9c 9d 9h 9s Ad Ks", "four_of_a_kind", "poker de nueves", "four nines", "9c 9d 9h 9s Ad"),
        (
            "Kc Kd Kh 8s 8d 8c 2h",
            "full_house",
            "full de reyes con ochos",
            "full house, kings over eights",
            "Kc Kd Kh 8s 8d",
        ),
        ("Ah 9h 7h 4h 2h Kd Kc", "flush", "color al as", "ace-high flush", "Ah 9h 7h 4h 2h"),
        ("Ac 2d 3h 4s 5c Kd Kh", "straight", "escala al cinco", "five-high straight", "5c 4s 3h 2d Ac"),
        ("Tc 9d 8h 7s 6c", "straight", "escala al diez", "ten-high straight", "Tc 9d 8h 7s 6c"),
        ("7c 7d 7h As 2d", "three_of_a_kind", "trío de sietes", "three sevens", "7c 7d 7h As 2d"),
        (
            "Kc Kd 8h 8s 6d 6c Ah",
            "two_pair",
            "dos pares, reyes y ochos",
            "two pair, kings and eights",
            "Kc Kd 8h 8s Ah",
        ),
        ("8c 8d 4h 3s 2c", "pair", "par de ochos", "pair of eights", "8c 8d 4h 3s 2c"),
        ("Ac Kh 9d 5s 2c", "high_card", "carta alta, as y rey", "ace-king high", "Ac Kh 9d 5s 2c"),
        # K-A-2-3-4 does not wrap.
        ("Kc Ad 2h 3s 4c", "high_card", "carta alta, as y rey", "ace-king high", "Ad Kc 4c 3s 2h"),
    ],
)
def test_a_hand_is_named_and_shown(cards: str, category: str, spanish: str, english: str, five: str) -> None:
    value = ranks.best(hand(cards))
    assert ranks.category(value) == category
    assert (ranks.words(value).es, ranks.words(value).en) == (spanish, english)
    assert list(ranks.best_five(hand(cards))) == hand(five)


@pytest.mark.rule("PH-23")
@pytest.mark.parametrize(
    ("high", "low"),
    [
        ("As Kd 9h 5c 3s", "Ah Kc 9d 5s 2c"),  # the fifth card decides
        ("Ah Qh 9h 5h 3h", "Ks Qs Js 9s 8s"),  # PH-22: a flush by its highest card
        ("Ah Kh 9h 5h 3h", "As Qs Js Ts 8s"),
        ("2c 2d 2h As Ad", "Ac Kc Qc Jc 9c"),  # a full house above a flush
        ("3c 3d 3h 2s 2d", "2c 2h 2s Ad Ah"),  # the trio of a full house first
        ("2c 3d 4h 5s 6c", "Ac 2d 3h 4s 5c"),  # the ace is low in A-2-3-4-5
    ],
)
def test_the_higher_hand(high: str, low: str) -> None:
    assert ranks.best(hand(high)) > ranks.best(hand(low))


@pytest.mark.rule("PH-23")
def test_suits_never_break_a_tie() -> None:
    assert ranks.best(hand("Kc 9d 5h 3s 2c")) == ranks.best(hand("Kh 9s 5c 3d 2h"))
    # ENG-044.
    assert ranks.three(hand("Kc 9d 5h")) == ranks.three(hand("Kh 9s 5c"))


@pytest.mark.rule("PH-20")
@pytest.mark.parametrize(
    ("cards", "category", "spanish", "english"),
    [
        # ENG-036.
        ("Kd Qd Jc", "straight", "escala al rey", "king-high straight"),
        ("Ah 2s 3c", "straight", "escala al tres", "three-high straight"),
        ("As 2c Kc", "high_card", "carta alta, as y rey", "ace-king high"),
        ("As 4s 5d", "high_card", "carta alta, as y cinco", "ace-five high"),
        ("Ks Qs Js", "straight_flush", "escalera de color al rey", "king-high straight flush"),
        ("5h 5d 5s", "three_of_a_kind", "trío de cincos", "three fives"),
        ("5h 5d Qs", "pair", "par de cincos", "pair of fives"),
        ("5h 9h Qh", "flush", "color a la reina", "queen-high flush"),
        ("Ah Kh Qh", "straight_flush", "escalera de color al as", "ace-high straight flush"),
    ],
)
def test_three_cards(cards: str, category: str, spanish: str, english: str) -> None:
    value = ranks.three(hand(cards))
    assert ranks.category3(value) == category
    assert (ranks.words3(value).es, ranks.words3(value).en) == (spanish, english)


@pytest.mark.rule("PH-20")
def test_a_straight_beats_a_flush_and_a_trio_a_straight_with_three_cards() -> None:
    order = ["2h 3h 4h", "2h 2d 2s", "2h 3d 4s", "2h 3h 5h", "2h 2d 3s", "2h 3d 5s"]
    values = [ranks.three(hand(cards)) for cards in order]
    assert values == sorted(values, reverse=True) and len(set(values)) == len(values)


def test_thresholds_are_the_lowest_hand_of_their_kind() -> None:
    assert ranks.at_least("pair", "8") <= ranks.best(hand("8c 8d 4h 3s 2c"))
    assert ranks.at_least("pair", "8") > ranks.best(hand("7c 7d Ah Ks Qc"))
    assert ranks.at_least("high_card", "AK") <= ranks.best(hand("Ac Kd 4h 3s 2c"))
    assert ranks.at_least("high_card", "AK") > ranks.best(hand("Ac Qd Jh Ts 9c"))
    assert ranks.at_least3("high_card", "Q") <= ranks.three(hand("Qs 3d 2h"))
    assert ranks.at_least3("high_card", "Q") > ranks.three(hand("Jc Td 8h"))


@pytest.mark.parametrize(
    ("high", "low"),
    [
        ("As", "Kd"),
        ("2s 2d", "As Kd"),
        ("2s 2d 2h", "As Ad Kh"),
        ("2s 2d 3h 3c", "As Ad Kh Qc"),
        ("2s 2d 2h 3c", "As Ad Kh Kc"),
        ("2s 2d 2h 2c", "As Ad Ah Kc"),
        ("As Kd 5h 3c", "Kh Qh Jh Th"),  # no straight, no flush before the fifth card
        ("As Ad Kh", "Ah Ac Qs"),
    ],
)
def test_open_cards(high: str, low: str) -> None:
    assert ranks.best_shown(hand(high)) > ranks.best_shown(hand(low))


def test_open_cards_tie_by_rank() -> None:
    assert ranks.best_shown(hand("As Kd")) == ranks.best_shown(hand("Kh Ac"))
    assert ranks.words(ranks.best_shown(hand("As"))).es == "carta alta, as"
    assert ranks.words(ranks.best_shown(hand("9s 9d 2c"))).en == "pair of nines"


@pytest.mark.parametrize("cards", ["As Ks Qs Js", "As Kd Qh Jc 9d 8s 7h 6c", "As Ks Qs Js Ts 9s 8s 7s"])
def test_only_five_to_seven_cards_are_ranked(cards: str) -> None:
    with pytest.raises(ValueError, match="five to seven"):
        ranks.best(hand(cards))


def test_only_three_cards_are_three_cards() -> None:
    with pytest.raises(ValueError, match="three cards"):
        ranks.three(hand("As Ks"))
    with pytest.raises(ValueError, match="four open cards"):
        ranks.best_shown([])


def test_what_is_no_card_has_no_rank() -> None:
    """ENG-013: `10s` is not canonical; a half-read card is never scored."""
    with pytest.raises(KeyError):
        ranks.best(hand("10s Jd Qc 6d 5c"))
