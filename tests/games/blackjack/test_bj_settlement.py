"""What each bet comes to, in which order it is done, and what is said beside it."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Conflict
from tables.games.blackjack.hands import points
from tests.games.blackjack.building import (
    CLASSIC,
    PERFECT,
    after,
    dealer,
    do,
    game_of,
    paid,
    refusal,
    round_of,
    settled,
    table,
    to,
)

STANDS = [do(1, "stand"), do(2, "stand")]


@pytest.mark.rule("BJ-01")
@pytest.mark.rule("BJ-33")
@pytest.mark.rule("BJ-34")
@pytest.mark.rule("BJ-35")
@pytest.mark.parametrize(
    ("cards", "drawn", "row", "returned", "rule"),
    [
        ("9h 9c", "Td", "total_higher", 2000, "BJ-34"),
        ("9h 8c", "Td", "total_equal", 1000, "BJ-35"),
        ("9h 7c", "Td", "total_lower", 0, "BJ-34"),
        ("9h 7c", "9d Kd", "dealer_bust", 2000, "BJ-33"),
        ("As 6c", "Td", "total_equal", 1000, "BJ-35"),
        ("As 6c", "5d 9s", "total_lower", 0, "BJ-34"),
    ],
)
def test_the_hand_is_compared_with_the_dealers(
    cards: str, drawn: str, row: str, returned: int, rule: str
) -> None:
    state = after(round_of({1: cards, 2: "9s 9d"}, "7h", *STANDS), *map(dealer, drawn.split()))
    payout = paid(state)[1, 0]
    assert (payout.row, payout.returned, payout.rule) == (row, returned, rule)


@pytest.mark.rule("BJ-36")
@pytest.mark.rule("BJ-35")
@pytest.mark.parametrize(
    ("up", "drawn", "row", "returned"),
    [
        ("Th", "5d 6s", "player_blackjack", 2500),
        ("Th", "Ad", "blackjack_both", 1000),
        ("Th", "6d Kd", "player_blackjack", 2500),
        ("Ah", "Kd", "blackjack_both", 1000),
        ("Ah", "9d", "player_blackjack", 2500),
        ("7h", "7d 7c", "player_blackjack", 2500),
    ],
)
def test_a_black_jack_beats_every_other_21(up: str, drawn: str, row: str, returned: int) -> None:
    state = after(round_of({1: "As Kd", 2: "9s 9d"}, up, do(2, "stand")), *map(dealer, drawn.split()))
    assert (paid(state)[1, 0].row, paid(state)[1, 0].returned) == (row, returned)


@pytest.mark.rule("BJ-36")
def test_a_dealers_black_jack_beats_a_21_of_three_cards() -> None:
    state = round_of({1: "7s 7d", 2: "9s 9d"}, "Th", to(1, "7c"), do(2, "stand"), dealer("Ad"))
    assert points(state.hands[0].cards) == 21
    assert (paid(state)[1, 0].row, paid(state)[1, 0].returned) == ("dealer_blackjack", 0)


@pytest.mark.rule("BJ-16")
@pytest.mark.parametrize(
    ("policy", "up", "at_once"),
    [
        ("not_ace_ten_court", "9h", True),
        ("not_ace_ten_court", "2h", True),
        ("not_ace_ten_court", "Th", False),
        ("not_ace_ten_court", "Kh", False),
        ("not_ace_ten_court", "Ah", False),
        ("not_ace", "Th", True),
        ("not_ace", "Qh", True),
        ("not_ace", "9h", True),
        ("not_ace", "Ah", False),
    ],
)
def test_when_a_black_jack_is_paid_at_once(policy: str, up: str, at_once: bool) -> None:
    dealt = round_of({1: "9s 7d", 2: "As Kd"}, up, rules={"immediate_pay": policy})
    first = next(p for p in CLASSIC.prompts(dealt) if p.kind == "choice" and p.rule == "BJ-13")
    assert ("BJ-16" in first.text.es) is at_once
    state = after(dealt, to(1, "Kc"))
    while not state.complete:
        state = after(state, dealer("6d" if state.dealer[-1] != "6d" else "Kd"))
    settlement = settled(state)
    order = [(p.seat, p.row, p.rule) for p in settlement.payouts]
    bust = (1, "player_bust", "BJ-15")
    if at_once:
        assert order == [(2, "player_blackjack", "BJ-16"), bust]
    else:
        assert order == [bust, (2, "player_blackjack", "BJ-36")]
    assert ("blackjack_paid_at_once" in [n.code for n in settlement.notes]) is at_once


@pytest.mark.rule("BJ-16")
def test_paid_at_once_is_paid_whatever_the_dealer_makes_later() -> None:
    """Under the other reading a ten does not wait: what was paid stays paid."""
    state = round_of(
        {1: "As Kd", 2: "9s 9d"}, "Th", do(2, "stand"), dealer("Ad"), rules={"immediate_pay": "not_ace"}
    )
    assert paid(state)[1, 0].returned == 2500 and paid(state)[2, 0].returned == 0


@pytest.mark.rule("BJ-15")
@pytest.mark.rule("BJ-30")
def test_payouts_in_the_order_they_are_made() -> None:
    """At once, then busts as they happen, then losers and winners from right to left, then ties."""
    hands: dict[Any, str] = {
        1: "9s 7d",
        2: "As Kd",
        3: "9h 8c",
        (3, 1): "9c 7c",
        4: "Ts 8d",
        5: "Tc 6c",
        6: "Td 6d",
        7: "Qc 9d",
    }
    state = round_of(hands, "7h", to(1, "Kc"), do(3, "stand"), do(3, "stand", 1), do(4, "stand"), to(5, "Jc"))
    state = after(state, do(6, "stand"), do(7, "stand"), dealer("Th"))
    assert [(p.seat, p.hand, p.act, p.row) for p in settled(state).payouts] == [
        (2, 0, "pay", "player_blackjack"),
        (1, 0, "collect", "player_bust"),
        (5, 0, "collect", "player_bust"),
        (6, 0, "collect", "total_lower"),
        (3, 1, "collect", "total_lower"),
        (7, 0, "pay", "total_higher"),
        (4, 0, "pay", "total_higher"),
        (3, 0, "push", "total_equal"),
    ]
    assert settled(state).announcement.es == "croupier 17"


@pytest.mark.rule("BJ-15")
def test_a_bust_is_taken_before_the_next_hand_is_served() -> None:
    state = round_of({1: "9s 7d", 2: "9h 9c"}, "7h", to(1, "Kc"))
    assert "BJ-15" in CLASSIC.prompts(state)[0].text.es and "asiento 1" in CLASSIC.prompts(state)[0].text.es
    assert paid(after(state, do(2, "stand"), dealer("9d"), dealer("Kd")))[1, 0].returned == 0


@pytest.mark.rule("BJ-31")
@pytest.mark.rule("BJ-32")
def test_the_last_prompt_tells_how_to_collect_and_when_chips_may_be_taken() -> None:
    state = after(round_of({1: "9h 9c", 2: "9s 9d"}, "7h", *STANDS), dealer("Td"))
    (prompt,) = CLASSIC.prompts(state)
    assert (prompt.kind, prompt.rule, prompt.events) == ("settle", "BJ-30", ())
    assert "croupier 17" in prompt.text.es and "las suyas al final" in prompt.text.es
    assert "BJ-31" in prompt.why.es and "BJ-32" in prompt.why.es
    noted = after(state, {"e": "note", "code": "chips_taken_early", "seat": 1})
    (flag,) = [n for n in settled(noted).notes if n.code == "chips_taken_early"]
    assert flag.rule == "BJ-32"


@pytest.mark.rule("BJ-37")
@pytest.mark.rule("BJ-38")
@pytest.mark.parametrize(
    ("cards", "row", "returned"),
    [
        ("9h 9h", "perfect_pair", 26_000),
        ("9h 9d", "colour_pair", 13_000),
        ("9s 9c", "colour_pair", 13_000),
        ("9h 9s", "mixed_pair", 7_000),
        ("9c 9d", "mixed_pair", 7_000),
        ("Kh Qh", "no_pair", 0),
        ("9h 8h", "no_pair", 0),
        ("As Kd", "no_pair", 0),
    ],
)
def test_perfect_pairs_pay_by_suit_and_colour_of_one_rank(cards: str, row: str, returned: int) -> None:
    """25, 12 and 6 to 1 on 10,00 with the stake: 260,00, 130,00, 70,00."""
    state = round_of({1: cards, 2: "9s 8d"}, "7h", game=PERFECT, side={1: 1000})
    while not state.complete:
        if state.stage == "decide":
            state = after(state, do(state.hands[state.turn].seat, "stand"))
        else:
            state = after(state, dealer("Tc"))
    payout = paid(state, "perfect_pairs")[1, 0]
    assert (payout.row, payout.returned) == (row, returned)
    assert payout.rule == ("BJ-37" if row == "no_pair" else "BJ-38")


@pytest.mark.rule("BJ-37")
def test_perfect_pairs_look_at_the_two_cards_as_dealt_even_after_splits_and_busts() -> None:
    state = round_of(
        {1: "8h 8d", 2: "9s 9h"},
        "7h",
        do(1, "split"),
        to(1, "8h"),
        do(1, "split"),
        game=PERFECT,
        side={1: 1000},
    )
    state = after(
        state, to(1, "6s"), to(1, "Kc"), to(1, "6d", 2), to(1, "Qc", 2), to(1, "7c", 1), to(1, "Jc", 1)
    )
    state = after(state, do(2, "stand"), dealer("Td"))
    side = [p for p in settled(state).payouts if p.spot == "perfect_pairs"]
    assert [(p.seat, p.hand, p.row) for p in side] == [(1, 0, "colour_pair")]
    assert settled(state).payouts[-1].spot == "perfect_pairs"


@pytest.mark.rule("BJ-38")
def test_the_other_pay_table_of_the_book_and_one_of_the_operators_own() -> None:
    for table_given, returned in (
        ("b", 31_000),
        ({"perfect_pair": "20:1", "colour_pair": "10:1", "mixed_pair": "5:1"}, 21_000),
    ):
        state = round_of(
            {1: "9h 9h", 2: "9s 9d"},
            "7h",
            *STANDS,
            dealer("Tc"),
            game=PERFECT,
            side={1: 1000},
            rules={"perfect_pairs_pays": table_given},
        )
        assert paid(state, "perfect_pairs")[1, 0].returned == returned


@pytest.mark.rule("GEN-09")
def test_a_prize_goes_down_to_the_chip_and_the_rest_is_told() -> None:
    """3:2 on 15,00 is 22,50; with chips of 1,00 it pays 22,00 and 0,50 is breakage."""
    state = after(round_of({1: "As Kd", 2: "9s 9d"}, "7h", do(2, "stand"), stake=1500), dealer("Td"))
    payout = paid(state)[1, 0]
    assert (payout.returned, payout.breakage) == (1500 + 2200, 50)
    assert payout.words.es == "black jack: 3 a 2 sobre 15,00 = 22,00 (redondeado hacia abajo)"
    assert settled(state).totals.breakage == 50


@pytest.mark.parametrize("spot", ["main", "insurance"])
def test_only_the_original_bet_goes_where_the_table_says_so(spot: str) -> None:
    """Against an ace with no hole card: 8-8 split, one hand doubled; the dealer makes black jack."""
    events = [do(1, "insurance", amount=500), do(1, "split"), to(1, "3c"), do(1, "double"), to(1, "9c")]
    events += [to(1, "Kd", 1), do(1, "stand", 1), do(2, "stand"), dealer("Kc")]
    hands = {1: "8s 8h", 2: "9s 9d"}
    everything = round_of(hands, "Ah", *events)
    original = round_of(hands, "Ah", *events, rules={"dealer_blackjack_takes": "original"})
    if spot == "main":
        assert {k: p.returned for k, p in paid(everything).items()} == {(1, 0): 0, (1, 1): 0, (2, 0): 0}
        assert {k: p.returned for k, p in paid(original).items()} == {(1, 0): 1000, (1, 1): 1000, (2, 0): 0}
        assert [p.act for p in settled(original).payouts if p.spot == "main" and p.seat == 1] == [
            "collect",
            "push",
        ]
    else:
        assert (
            paid(original, "insurance")[1, 0].returned == paid(everything, "insurance")[1, 0].returned == 1500
        )


def test_pays_are_the_rules_own_figures() -> None:
    rules = {"win_pays": "4:5", "blackjack_pays": "6:5", "even_money_pays": "9:10", "insurance_pays": "3:2"}
    state = round_of(
        {1: "As Kd", 2: "9s 9d", 3: "Ac Kc"},
        "Ah",
        do(1, "even_money"),
        do(3, "insurance", amount=500),
        rules=rules,
    )
    state = after(state, do(2, "stand"), dealer("6h"))
    assert {p.seat: p.returned for p in paid(state).values()} == {1: 1900, 2: 1800, 3: 2200}
    jack = round_of(
        {1: "As Kd", 2: "9s 9d"},
        "Ah",
        do(1, "insurance", amount=400),
        do(2, "stand"),
        dealer("Kh"),
        rules=rules,
    )
    assert paid(jack, "insurance")[1, 0].returned == 400 + 600


def test_totals_and_words_of_a_whole_round() -> None:
    state = after(round_of({1: "9h 9c", 2: "9s 7d"}, "7h", *STANDS), dealer("Td"))
    settlement = settled(state)
    assert (settlement.totals.staked, settlement.totals.returned, settlement.totals.house_result) == (
        2000,
        2000,
        0,
    )
    # 9+7 and 9+9 against the dealer's 7+10.
    assert [p.words.es for p in settlement.payouts] == [
        "16 contra 17: se retira 10,00",
        "18 contra 17: 1 a 1 sobre 10,00 = 10,00",
    ]
    verdicts = {
        h.seat: (h.verdict, h.worth.es if h.worth else "") for h in settlement.outcome.hands if h.seat
    }
    assert verdicts == {1: ("win", "18"), 2: ("lose", "16")}
    assert settlement.outcome.hands[0].name == "dealer" and settlement.outcome.hands[0].cards == ("7h", "Td")


@pytest.mark.parametrize("events", [[], [do(1, "stand")], [*STANDS], [*STANDS, dealer("9d")]])
def test_a_round_that_is_not_complete_is_not_settled(events: list[dict[str, Any]]) -> None:
    for state in (table(), round_of({1: "9h 9c", 2: "9s 7d"}, "7h", *events)):
        with pytest.raises(Conflict) as caught:
            game_of(state).settle(state)
        assert caught.value.code == "round_incomplete" and caught.value.rule.startswith("BJ-")


@pytest.mark.rule("BJ-15")
@pytest.mark.rule("BJ-29")
@pytest.mark.rule("BJ-33")
@pytest.mark.rule("BJ-35")
def test_words_say_why_before_the_money() -> None:
    """Seat 1 busts with 9+7+8, seat 2 gives up 15 for half, seat 3 ties at 18 with 8+10."""
    hands = {1: "9h 7c", 2: "9s 6d", 3: "9d 9c"}
    played = (do(1, "hit"), to(1, "8h"), do(2, "surrender"), do(3, "stand"))
    words = [p.words for p in settled(after(round_of(hands, "8d", *played), dealer("Ts"))).payouts]
    assert [said.es for said in words] == [
        "se pasó con 24: se retira 10,00",
        "retiro: se retira la mitad, 5,00; vuelven 5,00",
        "empate a 18: quedan 10,00",
    ]
    assert words[2].en == "tie at 18: 10.00 stands"
    bust = settled(after(round_of({1: "9h 7c", 2: "9s 9d"}, "7h", *STANDS), dealer("9d"), dealer("Kd")))
    assert bust.payouts[0].words.es == "croupier pasado: 1 a 1 sobre 10,00 = 10,00"


@pytest.mark.rule("BJ-21")
def test_insurance_says_whether_the_dealer_had_blackjack() -> None:
    """2:1 on 5,00 is 10,00."""
    for card, words in (
        ("Kh", "seguro: black jack del croupier: 2 a 1 sobre 5,00 = 10,00"),
        ("8h", "seguro: croupier sin black jack: se retira 5,00"),
    ):
        events = (do(1, "insurance", amount=500), do(2, "no_insurance"), *STANDS)
        state = after(round_of({1: "9h 9c", 2: "9s 7d"}, "Ah", *events), dealer(card))
        assert paid(state, "insurance")[1, 0].words.es == words


def test_nothing_goes_on_after_the_end() -> None:
    state = after(round_of({1: "9h 9c", 2: "9s 9d"}, "7h", *STANDS), dealer("Td"))
    for event in (
        to(1, "2c"),
        dealer("2c"),
        do(1, "hit"),
        do(1, "insurance", amount=500),
        do(2, "surrender"),
    ):
        assert refusal(state, event).rule
