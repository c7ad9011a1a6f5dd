"""What cards are worth: totals, soft totals, black jacks, pairs and the dealer's rule."""

from __future__ import annotations

import pytest

from casino.kernel.errors import Refused
from shoes.cards import FRENCH52
from tables.games.blackjack import hands


@pytest.mark.rule("BJ-06")
@pytest.mark.parametrize(
    ("cards", "points", "soft"),
    [
        ("As Ah", 12, True),
        ("Kd As Ah", 12, False),
        ("As Ah 9c", 21, True),
        ("As Ah Kc", 12, False),
        ("As Ah Kc 9d", 21, False),
        ("As Kd", 21, True),
        ("As 6d", 17, True),
        ("9s 8d", 17, False),
        ("As 9d As Ad 8c", 20, False),
        ("Js Qd 2c", 22, False),
        ("As Ah Ad Ac", 14, True),
    ],
)
def test_totals_count_one_ace_eleven_where_it_fits(cards: str, points: int, soft: bool) -> None:
    """ENG-046: a pair of aces is 12, never 22."""
    held = cards.split()
    assert (hands.points(held), hands.is_soft(held)) == (points, soft)
    assert hands.is_bust(held) is (points > 21)


@pytest.mark.rule("BJ-06")
def test_court_cards_count_ten_and_every_other_card_its_number() -> None:
    expected = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10, **{str(n): n for n in range(2, 10)}}
    assert {card: expected[card[0]] for card in FRENCH52.cards} == hands.POINTS
    assert len(hands.TENS) == 16 and len(hands.ACES) == 4


@pytest.mark.rule("BJ-17")
@pytest.mark.rule("BJ-18")
@pytest.mark.parametrize(
    ("cards", "draws", "total"),
    [("As 6d", False, 17), ("9h 7c", True, 16), ("9h 8c", False, 17), ("As 5d 9c", True, 15)],
)
def test_dea_006_dealer_draws_to_16_and_stands_on_all_17(cards: str, draws: bool, total: int) -> None:
    """DEA-006."""
    held = cards.split()
    assert (hands.dealer_draws(held), hands.points(held)) == (draws, total)


@pytest.mark.rule("BJ-48")
def test_with_the_option_soft_17_draws_and_hard_17_stands() -> None:
    assert hands.dealer_draws(["As", "6d"], True)
    assert hands.dealer_draws(["As", "2d", "4c"], True)
    assert not hands.dealer_draws(["As", "6d", "Kc"], True)
    assert not hands.dealer_draws(["As", "7d"], True)


@pytest.mark.rule("BJ-26")
@pytest.mark.rule("BJ-36")
def test_a_blackjack_is_an_ace_and_a_ten_as_dealt() -> None:
    assert hands.is_blackjack(["As", "Jd"]) and hands.is_blackjack(["Td", "Ac"])
    assert not hands.is_blackjack(["As", "Jd"], "Ah")
    assert not hands.is_blackjack(["5s", "6d"]) and not hands.is_blackjack(["7h", "7d", "7c"])


@pytest.mark.rule("BJ-24")
def test_pairs_by_value_and_by_rank() -> None:
    assert hands.is_pair("Ks", "Qd") and not hands.is_pair("Ks", "Qd", "rank")
    assert hands.is_pair("Ks", "Kd", "rank") and not hands.is_pair("9s", "Td")


def test_cards_without_suit_are_refused_and_covered_ones_only_where_one_lies() -> None:
    for value in ("v5", "v0", "??", 9, None, "Zz"):
        with pytest.raises(Refused):
            hands.read_card(value)
    assert hands.read_card("??", covered=True) == "??"
    assert hands.read_card("10♦") == "Td"


def test_hands_are_told_in_words() -> None:
    assert hands.worth(("As", "6d")).es == "17 blando"
    assert hands.worth(("As", "Kd")).es == "black jack"
    assert hands.worth(("As", "Kd"), "Ah").es == "21"
    assert hands.worth(("Ks", "Kd", "5c")).en == "25, bust"
    assert hands.worth(("Ks", "??")) is None and hands.worth(()) is None
