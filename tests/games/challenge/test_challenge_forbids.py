"""What Challenge 21 forbids, each with its rule."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Refused, RuleViolation
from tests.games.challenge.building import (
    CLOSE,
    GAME,
    PER_HAND,
    after,
    bets,
    dealt,
    do,
    seat,
    start,
    to,
)

TWO = [*bets(1, 1000, 1500), CLOSE]
SIXTEEN = [*TWO, *dealt({1: "Th 6d"}, "Td")]
ACE = [*TWO, *dealt({1: "Th 6d"}, "As")]
PAIR = [*TWO, *dealt({1: "8h 8d"}, "6d")]
BEGUN = [*SIXTEEN, do(1, "stand"), *to("dealer", "5c")]
CASES: list[tuple[str, str, str, list[Any], Any]] = [
    ("seat", "BJ-04", "no_such_seat", [], bets(8, 1000)[0]),
    ("spot", "BJ-44", "unknown_spot", [], {"e": "bet", "seat": 1, "spot": "perfect_pairs", "amount": 1000}),
    (
        "insurance before",
        "BJ-20",
        "insurance_by_choice",
        [],
        {"e": "bet", "seat": 1, "spot": "insurance_first", "amount": 1000},
    ),
    ("chip", "GEN-07", "not_in_chips", [], bets(1, 1050)[0]),
    ("low", "GEN-04", "below_minimum", [], bets(1, 900)[0]),
    ("high", "GEN-04", "above_maximum", [], bets(1, 100_100)[0]),
    ("nobody", "BJ-07", "no_bets", [], CLOSE),
    ("one bet", "BJ-09", "bet_missing", bets(1, 1000), CLOSE),
    ("third without second", "BJ-09", "bet_missing", [bets(1, 1000, 1, 1000)[i] for i in (0, 2)], CLOSE),
    ("late bet", "BJ-07", "bets_closed", TWO, bets(2, 1000)[0]),
    ("card before close", "BJ-07", "bets_open", bets(1, 1000, 1000), seat(1, "Th")[0]),
    ("dealer first", "BJ-10", "deal_order", TWO, to("dealer", "Td")[0]),
    ("second before dealer", "BJ-10", "deal_order", [*TWO, *seat(1, "Th")], seat(1, "6d")[0]),
    ("base to the wrong hand", "BJ-10", "deal_order", [*TWO, *seat(1, "Th")], to("dealer2", "Td")[0]),
    ("covered", "BJ-12", "covered_card", TWO, seat(1, "??")[0]),
    ("choice in the deal", "BJ-10", "deal_unfinished", [*TWO, *seat(1, "Th")], do(1, "stand")),
    ("no such seat in play", "BJ-13", "no_such_hand", SIXTEEN, do(2, "stand")),
    ("no such hand", "BJ-13", "no_such_hand", SIXTEEN, do(1, "stand", hand=1)),
    ("dealer before the players", "BJ-10", "card_not_due", SIXTEEN, to("dealer", "5c")[0]),
    ("card after standing", "BJ-13", "card_not_due", [*SIXTEEN, do(1, "stand")], seat(1, "5c")[0]),
    ("card at 21", "BJ-14", "card_not_due", [*SIXTEEN, *seat(1, "5c")], seat(1, "2c")[0]),
    ("hit at 21", "BJ-14", "card_not_due", [*SIXTEEN, *seat(1, "5c")], do(1, "hit")),
    ("decision while a card is due", "BJ-13", "card_due", [*SIXTEEN, do(1, "hit")], do(1, "stand")),
    ("double on three", "BJ-27", "not_two_cards", [*SIXTEEN, *seat(1, "2c")], do(1, "double")),
    (
        "card after a double",
        "BJ-27",
        "card_not_due",
        [*SIXTEEN, do(1, "double"), *seat(1, "2c")],
        seat(1, "2c")[0],
    ),
    ("split of unlike cards", "BJ-24", "not_a_pair", SIXTEEN, do(1, "split")),
    ("split of three", "BJ-24", "not_two_cards", [*PAIR, *seat(1, "2c")], do(1, "split")),
    (
        "third card to a split ace",
        "BJ-25",
        "card_not_due",
        [*TWO, *dealt({1: "Ah Ad"}, "6d"), do(1, "split"), *seat(1, "2c")],
        seat(1, "2c", 0)[0],
    ),
    ("surrender on three", "BJ-29", "not_two_cards", [*SIXTEEN, *seat(1, "2c")], do(1, "surrender")),
    ("surrender against an ace", "BJ-28", "dealer_ace", ACE, do(1, "surrender")),
    (
        "insurance without an ace",
        "BJ-20",
        "no_ace",
        SIXTEEN,
        do(1, "insurance", spot="insurance_first", amount=500),
    ),
    ("insurance against no hand", "BJ-22", "hand_not_named", ACE, do(1, "insurance", amount=500)),
    (
        "insurance against a hand not bet on",
        "BJ-22",
        "no_such_bet",
        ACE,
        do(1, "insurance", spot="insurance_third", amount=500),
    ),
    (
        "insurance above half",
        "BJ-21",
        "insurance_too_high",
        ACE,
        do(1, "insurance", spot="insurance_first", amount=600),
    ),
    (
        "half of an odd bet",
        "BJ-21",
        "insurance_too_high",
        ACE,
        do(1, "insurance", spot="insurance_second", amount=800),
    ),
    (
        "insurance after the third card",
        "BJ-20",
        "offer_over",
        [*ACE, *seat(1, "2c")],
        do(1, "insurance", spot="insurance_first", amount=500),
    ),
    ("even money without a black jack", "BJ-19", "no_blackjack", ACE, do(1, "even_money")),
    ("second round first", "BJ-39", "card_not_due", [*SIXTEEN, do(1, "stand")], to("dealer2", "5c")[0]),
    (
        "a round nobody bets on",
        "BJ-39",
        "card_not_due",
        [*BEGUN, *to("dealer", "5h"), *to("dealer2", "8c")],
        to("dealer3", "5c")[0],
    ),
    (
        "dealer draws on 17",
        "BJ-18",
        "card_not_due",
        [*SIXTEEN, do(1, "stand"), *to("dealer", "7c")],
        to("dealer", "5c")[0],
    ),
    (
        "dealer draws on a soft 17",
        "BJ-17",
        "card_not_due",
        [*ACE, do(1, "stand"), *to("dealer", "6c")],
        to("dealer", "5c")[0],
    ),
    ("dealer draws when bust", "BJ-33", "card_not_due", [*BEGUN, *to("dealer", "Kc")], to("dealer", "5c")[0]),
    ("leaving after the first round began", "BJ-41", "rounds_begun", BEGUN, do(1, "surrender")),
    ("hitting after the first round began", "BJ-41", "rounds_begun", BEGUN, do(1, "hit")),
]


@pytest.mark.rule("BJ-04")
@pytest.mark.rule("BJ-07")
@pytest.mark.rule("BJ-09")
@pytest.mark.rule("BJ-10")
@pytest.mark.rule("BJ-12")
@pytest.mark.rule("BJ-13")
@pytest.mark.rule("BJ-14")
@pytest.mark.rule("BJ-17")
@pytest.mark.rule("BJ-18")
@pytest.mark.rule("BJ-19")
@pytest.mark.rule("BJ-20")
@pytest.mark.rule("BJ-21")
@pytest.mark.rule("BJ-22")
@pytest.mark.rule("BJ-24")
@pytest.mark.rule("BJ-25")
@pytest.mark.rule("BJ-27")
@pytest.mark.rule("BJ-28")
@pytest.mark.rule("BJ-29")
@pytest.mark.rule("BJ-33")
@pytest.mark.rule("BJ-39")
@pytest.mark.rule("BJ-41")
@pytest.mark.rule("BJ-44")
@pytest.mark.parametrize(
    ("rule", "code", "events", "wrong"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_what_the_rules_forbid(rule: str, code: str, events: list[Any], wrong: Any) -> None:
    state = after(start(), *events)
    before = repr(state)
    with pytest.raises(RuleViolation) as refusal:
        GAME.play(state, wrong)
    assert (refusal.value.rule, refusal.value.code) == (rule, code)
    assert refusal.value.message.es and refusal.value.message.en
    assert repr(state) == before


@pytest.mark.rule("BJ-23")
def test_three_splits_make_four_hands_and_no_more() -> None:
    state = after(start(), *bets(1, 1000, 1000), CLOSE, *dealt({1: "8h 8d"}, "6d"))
    for number in (0, 0, 0):
        state = after(state, do(1, "split", hand=number), *seat(1, "8c", number))
    assert len(state.hands) == 4
    with pytest.raises(RuleViolation) as refusal:
        GAME.play(state, do(1, "split", hand=0))
    assert (refusal.value.rule, refusal.value.code) == ("BJ-23", "too_many_splits")
    assert "split" not in GAME.prompts(state)[0].options


@pytest.mark.rule("BJ-24")
@pytest.mark.rule("BJ-27")
@pytest.mark.rule("BJ-29")
def test_options_that_forbid_more() -> None:
    cases = [
        ({"split_pair_by": "rank"}, "Kh Qd", [], do(1, "split"), "BJ-24", "not_a_pair"),
        ({"splits_max": 0}, "Kh Kd", [], do(1, "split"), "BJ-23", "too_many_splits"),
        ({"double_totals": "9_10_11"}, "Kh 6d", [], do(1, "double"), "BJ-27", "double_totals"),
        (
            {"double_after_split": False},
            "8h 8d",
            [do(1, "split"), *seat(1, "3c")],
            do(1, "double"),
            "BJ-27",
            "double_after_split",
        ),
        ({"surrender": False}, "Kh 6d", [], do(1, "surrender"), "BJ-29", "no_surrender"),
    ]
    for rules, hand, events, wrong, rule, code in cases:
        state = after(start(rules=rules), *TWO, *dealt({1: hand}, "6d"), *events)
        with pytest.raises(RuleViolation) as refusal:
            GAME.play(state, wrong)
        assert (refusal.value.rule, refusal.value.code) == (rule, code)


@pytest.mark.rule("BJ-28")
@pytest.mark.rule("BJ-20")
def test_with_a_base_for_each_hand_one_ace_is_enough() -> None:
    state = after(start(rules=PER_HAND), *TWO, *dealt({1: "Th 6d"}, "6d As"))
    with pytest.raises(RuleViolation) as refusal:
        GAME.play(state, do(1, "surrender"))
    assert refusal.value.rule == "BJ-28"
    with pytest.raises(RuleViolation) as refusal:
        GAME.play(state, do(1, "insurance", spot="insurance_first", amount=500))
    assert (refusal.value.rule, refusal.value.code) == ("BJ-20", "no_ace")
    state = after(state, do(1, "insurance", spot="insurance_second", amount=700))
    for again in (do(1, "insurance", spot="insurance_second", amount=700), do(1, "no_insurance")):
        with pytest.raises(Refused) as answered:
            GAME.play(state, again)
        assert answered.value.code == "already_answered"


@pytest.mark.rule("CARD-42")
def test_the_shared_base_lies_there_once() -> None:
    nines = [*bets(1, 1000, 1000), *bets(2, 1000, 1000), *bets(3, 1000, 1000), CLOSE]
    state = after(start(), *nines, *dealt({1: "9d 9d", 2: "9d 2c", 3: "9d 2d"}, "9d"))
    state = after(state, do(1, "stand"), *seat(2, "9d"))
    with pytest.raises(RuleViolation) as refusal:
        GAME.play(after(state, do(2, "stand")), seat(3, "9d")[0])
    assert (refusal.value.rule, refusal.value.code) == ("CARD-42", "card_too_often")


@pytest.mark.rule("BJ-07")
@pytest.mark.rule("BJ-27")
def test_bets_and_money_decisions_stand() -> None:
    state = after(start(), *SIXTEEN, do(1, "double"), *seat(1, "2c"))
    for of, rule in ((1, "BJ-07"), (3, "BJ-07"), (7, "BJ-27")):
        with pytest.raises(RuleViolation) as refusal:
            GAME.play(state, {"e": "undo", "of": of, "why": "error"})
        assert (refusal.value.rule, refusal.value.code) == (rule, "undo_too_late")
    asked = after(start(), *SIXTEEN, do(1, "hit"), {"e": "undo", "of": 7, "why": "se plantó"})
    assert not asked.asked
    reopened = after(start(), *TWO, {"e": "undo", "of": 3, "why": "falta una"})
    assert not reopened.closed and reopened.hands == ()


@pytest.mark.rule("BJ-20")
def test_insurance_is_open_until_the_third_card_and_no_longer() -> None:
    """Before the third card is given: a seat that stands has been given none."""
    state = after(start(), *bets(1, 1000, 1000), *bets(2, 1000, 1000), CLOSE)
    state = after(state, *dealt({1: "Th 9d", 2: "9h 7d"}, "As"), do(1, "stand"))
    insure = do(2, "insurance", spot="insurance_second", amount=500)
    assert after(state, insure).bets[-1].spot == "insurance_second"
    assert after(state, do(2, "hit"), insure).hands[1].insured == (1,)
    for closed in (after(state, *seat(2, "2c")), after(state, do(2, "stand"))):
        with pytest.raises(RuleViolation) as refusal:
            after(closed, insure)
        assert (refusal.value.rule, refusal.value.code) == ("BJ-20", "offer_over")
        assert not [p for p in GAME.prompts(closed) if p.rule in ("BJ-19", "BJ-22")]


@pytest.mark.rule("BJ-21")
def test_what_a_split_adds_is_not_insured() -> None:
    state = after(start(), *TWO, *dealt({1: "8h 8d"}, "As"), do(1, "split"))
    for answer in (
        do(1, "insurance", hand=1, spot="insurance_first", amount=500),
        do(1, "no_insurance", hand=1),
    ):
        with pytest.raises(RuleViolation) as refusal:
            after(state, answer)
        assert (refusal.value.rule, refusal.value.code) == ("BJ-21", "split_hand")
    assert {p.hand for p in GAME.prompts(state) if p.rule == "BJ-22"} == {0}


@pytest.mark.rule("BJ-20")
@pytest.mark.parametrize(
    ("answers", "stands"),
    [
        ([], True),
        ([do(1, "no_insurance")], True),
        ([do(1, "no_even_money")], True),
        ([do(1, "insurance", spot="insurance_first", amount=500)], True),
        ([do(1, "no_insurance"), do(1, "no_even_money")], False),
    ],
)
def test_the_card_that_closed_the_offer_stands(answers: list[Any], stands: bool) -> None:
    """All have black jack against an ace, the dealer's second card is seen: with it struck out, insurance
    or even money would be taken knowing it."""
    state = after(start(), *TWO, *dealt({1: "Ah Kd"}, "As"), *answers, *to("dealer", "Kh"))
    undo = {"e": "undo", "of": len(state.log), "why": "mal leída"}
    if stands:
        with pytest.raises(RuleViolation) as refusal:
            after(state, undo)
        assert (refusal.value.rule, refusal.value.code) == ("BJ-20", "undo_too_late")
    else:
        assert not [p for p in GAME.prompts(after(state, undo)) if p.kind == "choice"]


@pytest.mark.rule("BJ-29")
def test_a_decision_about_money_with_a_seen_card_struck_out_is_flagged() -> None:
    state = after(start(), *SIXTEEN, do(1, "hit"), *seat(1, "Kd"))
    undone = [{"e": "undo", "of": len(state.log) - less, "why": "x"} for less in (0, 1)]
    settlement = GAME.settle(after(state, *undone, do(1, "surrender")))
    assert [n.rule for n in settlement.notes if n.code == "decided_after_struck_card"] == ["BJ-29"]
