"""Double, split, surrender, insurance and even money: when they may be taken, and with how much."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.words import Text
from tables.games.base import Detail
from tests.games.blackjack.building import (
    ONLINE,
    after,
    dealer,
    do,
    paid,
    refusal,
    round_of,
    settled,
    to,
)

OTHER = {2: "9h 9c"}
"""A second seat with 18, so that the round goes on."""


def facing(cards: str, up: str = "7h", *events: dict[str, Any], **more: Any) -> Any:
    return round_of({1: cards, **OTHER}, up, *events, **more)


@pytest.mark.rule("BJ-27")
def test_a_double_is_an_equal_bet_and_one_card() -> None:
    state = facing("5h 6d", "7h", do(1, "double"))
    assert state.bets[0].amount == 2000
    done = after(state, to(1, "2c"))
    refused = refusal(done, to(1, "3c"))
    assert (refused.rule, refused.code) == ("BJ-27", "card_not_due")
    assert done.turn == 1
    explicit = facing("5h 6d", "7h", do(1, "double", amount=1000))
    assert explicit.bets == state.bets
    for amount in (500, 2000, 1):
        refused = refusal(facing("5h 6d"), do(1, "double", amount=amount))
        assert (refused.rule, refused.code) == ("BJ-27", "unequal_bet")


@pytest.mark.rule("BJ-27")
@pytest.mark.parametrize(
    ("cards", "allowed"),
    [("5h 6d", True), ("2h 7d", True), ("6h 4d", True), ("9s 3d", False), ("As 8d", False)],
)
def test_double_only_on_9_10_11_where_the_table_says_so(cards: str, allowed: bool) -> None:
    assert facing(cards, "7h", do(1, "double")).asked
    state = facing(cards, rules={"double_totals": "9_10_11"})
    if allowed:
        assert after(state, do(1, "double")).asked
    else:
        refused = refusal(state, do(1, "double"))
        assert (refused.rule, refused.code) == ("BJ-27", "double_totals")


@pytest.mark.rule("BJ-27")
def test_no_double_after_a_third_card_nor_after_a_split_where_the_table_forbids_it() -> None:
    third = facing("2h 3d", "7h", to(1, "4c"))
    assert refusal(third, do(1, "double")).code == "not_two_cards"
    split = facing("8h 8d", "7h", do(1, "split"), to(1, "3c"))
    assert after(split, do(1, "double")).asked
    split = facing("8h 8d", "7h", do(1, "split"), to(1, "3c"), rules={"double_after_split": False})
    assert refusal(split, do(1, "double")).code == "double_after_split"


@pytest.mark.rule("BJ-24")
@pytest.mark.parametrize(
    ("cards", "more", "allowed"),
    [
        ("6s 6h", [], True),
        ("6s 6h", ["As"], False),
        ("4d 4c", ["Ks"], False),
        ("Ks Qd", [], True),
        ("9s Td", [], False),
    ],
)
def test_split_only_two_cards_of_equal_value(cards: str, more: list[str], allowed: bool) -> None:
    state = facing(cards, "7h", *(to(1, card) for card in more))
    if allowed:
        assert len(after(state, do(1, "split")).hands) == 3
    else:
        assert refusal(state, do(1, "split")).rule == "BJ-24"


@pytest.mark.rule("BJ-24")
def test_split_by_rank_where_the_table_says_so_and_with_an_equal_bet() -> None:
    state = facing("Ks Qd", rules={"split_pair_by": "rank"})
    assert refusal(state, do(1, "split")).code == "not_a_pair"
    assert len(after(facing("Ks Kd", rules={"split_pair_by": "rank"}), do(1, "split")).hands) == 3
    assert refusal(facing("8s 8d"), do(1, "split", amount=500)).code == "unequal_bet"


@pytest.mark.rule("BJ-23")
def test_a_split_hand_takes_the_next_number_and_is_played_right_after() -> None:
    state = round_of({1: "8h 8d", (1, 1): "9s 9d", **OTHER}, "7h", do(1, "split"))
    assert [(h.seat, h.hand, h.origin) for h in state.hands] == [(1, 0, 0), (1, 2, 0), (1, 1, 1), (2, 0, 0)]
    assert refusal(state, to(1, "2c", 2)).rule == "BJ-13"
    # The hand in turn has one card: a card is due before any decision.
    assert refusal(state, do(1, "stand")).code == "card_due"
    state = after(state, to(1, "8c"), do(1, "split"), to(1, "8s"), do(1, "split"))
    assert [h.hand for h in state.hands] == [0, 4, 3, 2, 1, 0]
    assert [(b.hand, b.amount) for b in state.bets if b.seat == 1] == [
        (0, 1000),
        (1, 1000),
        (2, 1000),
        (3, 1000),
        (4, 1000),
    ]
    fourth = refusal(after(state, to(1, "8h")), do(1, "split"))
    assert (fourth.rule, fourth.code) == ("BJ-23", "too_many_splits")
    # The limit is the initial hand's own: the other one may be split still.
    state = after(state, to(1, "Kh"), do(1, "stand"))
    for hand in (4, 3, 2):
        state = after(state, to(1, "Kd", hand), do(1, "stand", hand))
    assert len(after(state, do(1, "split", 1)).hands) == 7


@pytest.mark.rule("BJ-23")
def test_fewer_splits_where_the_table_says_so() -> None:
    once = facing("8h 8d", "7h", do(1, "split"), to(1, "8c"), rules={"splits_max": 1})
    assert refusal(once, do(1, "split")).rule == "BJ-23"
    assert refusal(facing("8h 8d", rules={"splits_max": 0}), do(1, "split")).rule == "BJ-23"


@pytest.mark.rule("BJ-25")
def test_split_aces_take_one_card_each_and_are_not_split_again() -> None:
    state = facing("As Ah", "7h", do(1, "split"), to(1, "5c"))
    assert state.hands[state.turn].hand == 1
    refused = refusal(state, to(1, "2c"))
    assert (refused.rule, refused.code) == ("BJ-25", "card_not_due")
    pair = after(state, to(1, "Ad", 1))
    assert pair.hands[pair.turn].seat == 2
    for what in ("split", "hit", "double"):
        assert refusal(pair, do(1, what, 1)).rule in ("BJ-13", "BJ-25")


@pytest.mark.rule("BJ-48")
def test_aces_split_again_only_where_an_online_variant_allows_it() -> None:
    rules = {"resplit_aces": True}
    state = round_of(
        {1: "As Ah", (1, 1): "9h 9c"}, "7h", do(1, "split"), to(1, "Ad"), game=ONLINE, rules=rules
    )
    for event in (to(1, "2c"), do(1, "hit"), do(1, "double")):
        assert refusal(state, event).rule == "BJ-25"
    again = after(state, do(1, "split"))
    assert [h.cards for h in again.hands[:3]] == [("As",), ("Ad",), ("Ah",)]
    assert after(state, do(1, "stand")).turn == 1


@pytest.mark.rule("BJ-26")
def test_21_after_a_split_is_no_black_jack() -> None:
    aces = facing("As Ah", "7h", do(1, "split"), to(1, "Kc"), to(1, "Qd", 1), do(2, "stand"), dealer("Td"))
    for hand in (0, 1):
        payout = paid(aces)[1, hand]
        assert (payout.row, payout.pays, payout.rule) == ("split_two_card_21_higher", "1:1", "BJ-26")
    tens = facing(
        "Ks Qh", "7h", do(1, "split"), to(1, "Ac"), to(1, "Qd", 1), do(1, "stand", 1), do(2, "stand")
    )
    bust = paid(after(tens, dealer("9d"), dealer("Kd")))[1, 0]
    assert (bust.row, bust.pays, bust.rule) == ("dealer_bust_split_two_card_21", "1:1", "BJ-33")


@pytest.mark.rule("BJ-29")
def test_surrender_is_on_the_first_two_cards_and_costs_half() -> None:
    state = facing("9d 7c", "Th", do(1, "surrender"), do(2, "stand"), dealer("7d"))
    payout = paid(state)[1, 0]
    assert (payout.returned, payout.pays, payout.row, payout.rule) == (500, "lose_half", "surrender", "BJ-29")
    assert refusal(facing("2d 3c", "Th", to(1, "4c")), do(1, "surrender")).rule == "BJ-29"
    assert refusal(facing("8d 8c", "Th", do(1, "split"), to(1, "4c")), do(1, "surrender")).rule == "BJ-29"
    assert (
        refusal(facing("9d 7c", "Th", rules={"surrender": "off"}), do(1, "surrender")).code == "no_surrender"
    )


@pytest.mark.rule("BJ-29")
@pytest.mark.rule("GEN-09")
@pytest.mark.parametrize(("percent", "returned"), [(50, 700), (25, 1100), (100, 0)])
def test_what_a_surrender_takes_is_rounded_up_to_the_chip(percent: int, returned: int) -> None:
    """1.500 of chips 100: half is 750, 800 is taken; a quarter is 375, 400 is taken."""
    rules = {"surrender_loss_percent": percent}
    state = facing("9d 7c", "Th", do(1, "surrender"), do(2, "stand"), dealer("7d"), stake=1500, rules=rules)
    assert paid(state)[1, 0].returned == returned


@pytest.mark.rule("BJ-28")
def test_no_surrender_against_an_ace() -> None:
    refused = refusal(facing("9d 7c", "Ah"), do(1, "surrender"))
    assert (refused.rule, refused.code) == ("BJ-28", "dealer_ace")


@pytest.mark.rule("BJ-20")
def test_insurance_is_proposed_to_all_before_the_third_card() -> None:
    state = facing("9d 7c", "Ah")
    for seat in (2, 1):
        assert after(state, do(seat, "insurance", amount=500)).bets[-1].spot == "insurance"
    assert refusal(facing("9d 7c", "Th"), do(1, "insurance", amount=500)).code == "no_ace"
    for event in (do(1, "stand"), do(1, "hit"), do(1, "double")):
        # No third card yet.
        assert after(state, event, do(2, "insurance", amount=500)).bets[-1].spot == "insurance"
    for events in ([to(1, "2c")], [do(1, "hit"), to(1, "2c")], [do(1, "stand"), to(2, "2c")]):
        refused = refusal(after(state, *events), do(2, "insurance", amount=500))
        assert (refused.rule, refused.code) == ("BJ-20", "offer_over")
    finished = after(state, do(1, "stand"), do(2, "stand"))
    assert refusal(finished, do(2, "insurance", amount=500)).code == "offer_over"
    answered = after(state, do(2, "no_insurance"))
    assert refusal(answered, do(2, "insurance", amount=500)).code == "already_answered"
    assert after(answered, do(1, "insurance", amount=500), do(1, "stand")).turn == 1
    assert (
        refusal(facing("9d 7c", "Ah", rules={"insurance": False}), do(1, "insurance", amount=500)).rule
        == "BJ-20"
    )


@pytest.mark.rule("BJ-21")
@pytest.mark.parametrize(
    ("amount", "rule"),
    [(501, "GEN-07"), (600, "BJ-21"), (10**20, None), (0, None), (-100, None), (True, None), ("5", None)],
)
def test_insurance_is_at_most_half_in_whole_chips(amount: Any, rule: str | None) -> None:
    refused = refusal(facing("9d 7c", "Ah"), do(1, "insurance", amount=amount))
    assert refused.rule == (rule or "")
    assert refused.field == "amount"


@pytest.mark.rule("BJ-21")
def test_insurance_is_half_of_the_initial_bet_and_pays_two_to_one() -> None:
    state = facing("9d 8c", "Ah", do(1, "insurance", amount=300), do(2, "insurance", amount=500))
    state = after(state, do(1, "double"), to(1, "2c"), do(2, "stand"))
    jack = paid(after(state, dealer("Jd")), "insurance")
    assert [(p.returned, p.pays, p.row) for p in jack.values()] == [
        (1500, "2:1", "dealer_blackjack"),
        (900, "2:1", "dealer_blackjack"),
    ]
    none = paid(after(state, dealer("8d")), "insurance")
    assert {p.pays for p in none.values()} == {"lose"}
    assert {p.rule for p in (*jack.values(), *none.values())} == {"BJ-21"}
    assert (
        refusal(facing("9d 8c", "Ah", rules={"insurance_percent": 30}), do(1, "insurance", amount=400)).rule
        == "BJ-21"
    )


@pytest.mark.rule("BJ-21")
def test_a_21_of_three_cards_does_not_pay_insurance() -> None:
    state = facing("9d 8c", "Ah", do(1, "insurance", amount=500), do(1, "stand"), do(2, "stand"))
    end = after(state, dealer("4d"), dealer("6d"))
    assert settled(end).outcome.winner == "21"
    assert paid(end, "insurance")[1, 0].returned == 0


@pytest.mark.rule("BJ-19")
def test_even_money_is_offered_to_a_black_jack_against_an_ace_and_paid_at_once() -> None:
    state = facing("As Kd", "Ah")
    offers = [p for p in ONLINE.prompts(state) if p.rule == "BJ-19"]
    assert offers[0].options == ("even_money", "no_even_money")
    taken = after(state, do(1, "even_money"), do(2, "stand"), dealer("Kc"))
    first = settled(taken).payouts[0]
    assert (first.seat, first.order, first.returned, first.row, first.rule) == (
        1,
        1,
        2000,
        "even_money_taken",
        "BJ-19",
    )
    assert "even_money_paid_at_once" in [note.code for note in settled(taken).notes]
    for declined in (after(state, do(1, "no_even_money"), do(2, "stand")), after(state, do(2, "stand"))):
        assert paid(after(declined, dealer("Kc")))[1, 0].row == "blackjack_both"
        assert paid(after(declined, dealer("9c")))[1, 0].returned == 2500
    assert refusal(state, do(2, "even_money")).code == "no_blackjack"
    assert refusal(facing("As Kd", "Th"), do(1, "even_money")).code == "no_ace"
    assert refusal(after(state, to(2, "2c")), do(1, "even_money")).code == "offer_over"
    assert refusal(facing("As Kd", "Ah", rules={"even_money": False}), do(1, "even_money")).rule == "BJ-19"


def test_amounts_belong_to_bets_and_to_tables_that_log_them() -> None:
    assert refusal(facing("9d 7c"), do(1, "hit", amount=100)).code == "unknown_key"
    assert refusal(facing("9d 7c", "Ah"), do(1, "insurance")).field == "amount"
    cards = facing("9d 7c", "Ah", detail=Detail.CARDS)
    assert refusal(cards, do(1, "insurance", amount=100)).code == "detail_forbids"
    insured = after(cards, do(1, "insurance"), to(1, "Kc"), to(2, "Kd"))
    assert not insured.complete and after(insured, dealer("2c")).complete


@pytest.mark.rule("BJ-21")
def test_only_initial_bets_are_insured_not_what_a_split_adds() -> None:
    """Half the initial bet is the most: a hand made by a split takes none, before or after the first did."""
    for before in ([], [do(1, "insurance", amount=500)]):
        state = facing("8s 8h", "Ah", *before, do(1, "split"))
        for answer in (do(1, "insurance", 1, amount=500), do(1, "no_insurance", 1)):
            refused = refusal(state, answer)
            assert (refused.rule, refused.code) == ("BJ-21", "split_hand")
        offered = [
            event for prompt in ONLINE.prompts(state) for event in prompt.events if event["e"] == "choice"
        ]
        assert {(event["seat"], event["hand"]) for event in offered if "insurance" in event["do"]} <= {
            (1, 0),
            (2, 0),
        }
    second = round_of({(1, 0): "8s 8h", (1, 1): "9d 7c"}, "Ah", do(1, "split"))
    assert after(second, do(1, "insurance", 1, amount=500)).bets[-1].amount == 500


@pytest.mark.rule("BJ-19")
def test_a_black_jack_that_declined_insurance_is_still_offered_even_money() -> None:
    state = facing("As Kd", "Ah", do(1, "no_insurance"), do(2, "no_insurance"))
    assert [p.options for p in ONLINE.prompts(state) if p.rule == "BJ-19"] == [
        ("even_money", "no_even_money")
    ]
    taken = after(state, do(1, "even_money"), do(2, "stand"), dealer("Kc"))
    assert paid(taken)[1, 0].returned == 2000
    declined = after(state, do(1, "no_even_money"))
    for do_now in ("even_money", "no_even_money", "insurance", "no_insurance"):
        assert refusal(declined, do(1, do_now)).code == "already_answered"


@pytest.mark.rule("BJ-23")
def test_no_split_where_the_table_has_none_and_one_is_said_as_one() -> None:
    assert "no se separa" in refusal(facing("8s 8h", rules={"splits_max": 0}), do(1, "split")).message.es
    once = facing("8s 8h", "7h", do(1, "split"), to(1, "8d"), rules={"splits_max": 1})
    refused = refusal(once, do(1, "split"))
    assert (refused.rule, refused.message.es) == ("BJ-23", "se separa como mucho 1 vez: 2 manos")
    assert refused.message.en == "at most 1 split: 2 hands"


@pytest.mark.rule("BJ-13")
def test_prompts_ask_as_a_croupier_asks() -> None:
    state = facing("8s 8h", "Th")
    asked = ONLINE.prompts(state)[0]
    assert asked.why.es == (
        "tiene 16; el croupier muestra diez de corazones;"
        " puede pedir carta, plantarse, doblar, separar o retirarse"
    )
    assert (
        asked.why.en
        == "has 16; the dealer shows ten of hearts; it may hit, stand, double, split or surrender"
    )
    split = after(state, do(1, "split"), to(1, "9c"), do(1, "stand"))
    assert ONLINE.prompts(split)[0].text == Text(
        "Dé una carta a la mano 2 del asiento 1", "Give a card to hand 2 of seat 1"
    )


@pytest.mark.rule("BJ-15")
@pytest.mark.rule("BJ-16")
def test_what_is_done_at_once_is_said_once_and_also_at_the_end() -> None:
    """A black jack is told to be paid when the deal is out, not again when the cards happen to be as many."""
    state = round_of({1: "8s 8h", 2: "As Kd"}, "9h")
    assert ONLINE.prompts(state)[0].text.es.startswith("Pague ya el black jack")
    # 8-2-2, 8 and the black jack: six cards in three hands again.
    later = after(state, do(1, "split"), to(1, "2c"), to(1, "2d"))
    assert "Pague ya" not in ONLINE.prompts(later)[0].text.es
    bust = after(state, to(1, "9c"))
    (last,) = ONLINE.prompts(bust)
    assert last.kind == "settle" and last.text.es.startswith("Retire ya la apuesta y las cartas de la mano")
    assert "Ninguna mano espera la suya" in last.text.es and "Anuncie" not in last.text.es
