"""The public cases of the area, each by its id. Amounts of the cases are whole units, here two decimals."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.blackjack import hands, pairs
from tables.games.blackjack.edges import quick_edges
from tests.games.blackjack.building import (
    PERFECT,
    after,
    dealer,
    do,
    paid,
    refusal,
    round_of,
    settled,
    to,
)

BYSTANDER = {7: "9h 9c"}
"""A second hand, so that no round is flagged; it stands on 18."""


def nets(state: Any, seat: int = 1) -> int:
    return sum(p.won for p in settled(state).payouts if p.seat == seat)


def against(cards: str, up: str, *events: Any, stake: int = 1000, drawn: str = "", **more: Any) -> Any:
    state = round_of({1: cards, **BYSTANDER}, up, *events, stake=stake, **more)
    return after(state, do(7, "stand"), *map(dealer, drawn.split()))


@pytest.mark.rule("BJ-06")
def test_eng_046_totals() -> None:
    dealt = ["As Ah", "Kd As Ah", "As Ah 9c", "As Ah Kc", "As Ah Kc 9d"]
    assert [hands.points(cards.split()) for cards in dealt] == [12, 12, 21, 12, 21]


@pytest.mark.rule("BJ-24")
def test_eng_047_split_requests() -> None:
    assert refusal(round_of({1: "6s 6h", **BYSTANDER}, "7h", to(1, "As")), do(1, "split")).rule == "BJ-24"
    assert refusal(round_of({1: "4d 4c", **BYSTANDER}, "7h", to(1, "Ks")), do(1, "split")).rule == "BJ-24"
    assert len(round_of({1: "6s 6h", **BYSTANDER}, "7h", do(1, "split")).hands) == 3


@pytest.mark.rule("BJ-26")
def test_eng_048_ace_and_ten_after_a_split() -> None:
    split = [do(1, "split"), to(1, "Kd"), to(1, "5c", 1)]
    case_1 = against("As Ah", "Th", *split, drawn="9d")
    assert [(p.returned, p.row) for p in paid(case_1).values() if p.seat == 1] == [
        (0, "total_lower"),
        (2000, "split_two_card_21_higher"),
    ]
    case_2 = against("As Ah", "As", *split, drawn="Jc")
    assert [p.returned for p in paid(case_2).values() if p.seat == 1] == [0, 0]
    # The variant the report quotes: the 21 stays.
    pushes = against("As Ah", "As", *split, drawn="Jc", rules={"split_21_pushes": True})
    assert {p.hand: p.returned for p in paid(pushes).values() if p.seat == 1} == {0: 1000, 1: 0}


@pytest.mark.rule("BJ-21")
@pytest.mark.rule("GEN-07")
@pytest.mark.parametrize(("chip", "most", "returned", "net"), [(50, 750, 2250, 0), (100, 700, 2100, -100)])
def test_eng_050_insurance_on_an_odd_bet(chip: int, most: int, returned: int, net: int) -> None:
    limits = {"main": (500, 100_000), "insurance": (50, 100_000)}
    dealt = round_of({1: "Ts 8c", **BYSTANDER}, "Ad", stake=1500, chip=chip, limits=limits)
    assert refusal(dealt, do(1, "insurance", amount=most + chip)).rule == "BJ-21"
    state = after(dealt, do(1, "insurance", amount=most), do(1, "stand"), do(7, "stand"), dealer("Qc"))
    assert paid(state, "insurance")[1, 0].returned == returned
    assert nets(state) == net


@pytest.mark.rule("BJ-35")
@pytest.mark.rule("BJ-36")
def test_eng_052_naturals_and_longer_21s() -> None:
    first = against("As Kd", "7h", drawn="7d 7c")
    second = against("7h 7d", "As", to(1, "7c"), drawn="Kd")
    third = against("As Kd", "Ah", drawn="Qc")
    fourth = against("5h 6d", "9h", do(1, "double"), to(1, "Tc"), drawn="5c 7d")
    got = [paid(state)[1, 0] for state in (first, second, third, fourth)]
    assert [p.returned for p in got] == [2500, 0, 1000, 2000]
    assert [p.row for p in got] == ["player_blackjack", "dealer_blackjack", "blackjack_both", "total_equal"]


@pytest.mark.rule("BJ-36")
@pytest.mark.parametrize(("bet", "returned"), [(20, 50), (100, 250), (5000, 12500)])
def test_eng_053_three_to_two(bet: int, returned: int) -> None:
    state = against("As Kd", "7h", drawn="Tc", stake=bet * 100)
    assert paid(state)[1, 0].returned == returned * 100


@pytest.mark.rule("BJ-35")
def test_eng_054_each_split_hand_alone() -> None:
    events = [do(1, "split"), to(1, "6h"), to(1, "Kd"), to(1, "Th", 1), do(1, "stand", 1)]
    state = against("9s 9d", "9h", *events, drawn="Tc")
    assert {p.hand: (p.row, p.returned) for p in paid(state).values() if p.seat == 1} == {
        0: ("player_bust", 0),
        1: ("total_equal", 1000),
    }
    assert nets(state) == -1000


@pytest.mark.rule("BJ-18")
def test_eng_055_the_dealer_draws_to_16_even_when_level() -> None:
    state = against("Th 6d", "9c", do(1, "stand"), drawn="7s")
    assert not state.complete
    end = after(state, dealer("Kd"))
    assert settled(end).outcome.facts["points"] == 26
    assert paid(end)[1, 0].returned == 2000


@pytest.mark.rule("BJ-34")
@pytest.mark.parametrize(("takes", "net"), [("all", -2000), ("original", -1000)])
def test_dea_004_dealers_black_jack_after_a_split(takes: str, net: int) -> None:
    events = [do(1, "split"), to(1, "Td"), do(1, "stand"), to(1, "9c", 1), do(1, "stand", 1)]
    state = against("8s 8h", "As", *events, drawn="Kd", rules={"dealer_blackjack_takes": takes})
    assert nets(state) == net


@pytest.mark.rule("BJ-36")
@pytest.mark.parametrize(
    ("bet", "profit"),
    [(5000, 7500), (17500, 26250), (25000, 37500), (57500, 86250), (137500, 206250), (500, 750), (700, 1050)],
)
def test_dea_007_profits_at_three_to_two(bet: int, profit: int) -> None:
    state = against("As Kd", "7h", drawn="Tc", stake=bet, chip=50)
    assert paid(state)[1, 0].won == profit


@pytest.mark.rule("BJ-35")
def test_dea_009_17_against_17_is_a_push() -> None:
    """The game's part: what is due. Reversal and signatures are the ledger's."""
    state = against(
        "5s 4h", "Tc", to(1, "2d"), to(1, "3c"), to(1, "3h"), do(1, "stand"), stake=5000, drawn="4d 3s"
    )
    assert hands.points(state.hands[0].cards) == 17 and settled(state).outcome.winner == "17"
    assert nets(state) == 0 and paid(state)[1, 0].act == "push"


@pytest.mark.rule("BJ-37")
@pytest.mark.parametrize(
    ("decks", "expected"),
    [(8, (1456, 1664, 3328, 79872, 86320)), (6, (780, 936, 1872, 44928, 48516))],
)
def test_dea_012_combinations_of_two_cards(decks: int, expected: tuple[int, ...]) -> None:
    """The formula and a count of every pair of cards of the shoe by `row_of` agree with the case."""
    from collections import Counter
    from itertools import combinations

    from shoes.cards import FRENCH52

    counted: Counter[str] = Counter()
    for first, second in combinations(FRENCH52.cards, 2):
        counted[pairs.row_of(first, second)] += decks * decks
    for card in FRENCH52.cards:
        counted[pairs.row_of(card, card)] += decks * (decks - 1) // 2
    rows = ("perfect_pair", "colour_pair", "mixed_pair", "no_pair")
    assert tuple(counted[row] for row in rows) == expected[:4]
    assert (*pairs.combinations(decks).values(), sum(pairs.combinations(decks).values())) == expected


@pytest.mark.rule("BJ-38")
@pytest.mark.rule("GEN-06")
@pytest.mark.parametrize(
    ("decks", "pays", "percent", "favours"),
    [
        (8, (25, 12, 6), 4.10, False),
        (8, (30, 10, 5), 3.37, False),
        (8, (25, 12, 5), 7.95, False),
        (8, (25, 15, 5), 2.17, False),
        (6, (30, 12, 6), -1.93, True),
    ],
)
def test_dea_036_edges_of_pay_tables(
    decks: int, pays: tuple[int, ...], percent: float, favours: bool
) -> None:
    rows = dict(zip(("perfect_pair", "colour_pair", "mixed_pair"), (f"{p}:1" for p in pays), strict=True))
    edge = pairs.edge(decks, rows)
    assert round(float(edge) * 100, 2) == percent and (edge < 0) is favours
    if decks == 6:
        rules = PERFECT.read_rules({"perfect_pairs_pays": rows})
        (quick,) = [e for e in quick_edges(rules) if e.bet == "perfect_pairs"]
        assert quick.favours_player is favours and quick.method == "exact"
