"""Before the first card: seats, hands, spots, limits, the close, and what stands from then on."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import RuleViolation, SabotError
from tables.games.base import Detail
from tests.games.blackjack.building import (
    CLASSIC,
    CLOSE,
    LIMITS,
    PERFECT,
    after,
    bet,
    come_in,
    deal,
    dealer,
    do,
    refusal,
    round_of,
    settled,
    table,
    to,
)


@pytest.mark.rule("BJ-07")
def test_no_initial_bet_after_the_close_and_no_card_before_it() -> None:
    state = after(table(), bet(1, 1000))
    early = refusal(state, to(1, "9h"))
    assert (early.rule, early.code) == ("BJ-07", "bets_open")
    closed = after(state, CLOSE)
    late = refusal(closed, bet(2, 1000))
    assert (late.rule, late.code) == ("BJ-07", "bets_closed")
    assert refusal(closed, CLOSE).code == "bets_closed"
    assert refusal(table(), CLOSE).rule == "BJ-07"


@pytest.mark.rule("BJ-03")
def test_two_hands_a_player_and_no_third() -> None:
    state = after(table(), bet(1, 1000), bet(1, 2000, hand=1))
    assert [(b.hand, b.amount) for b in state.bets] == [(0, 1000), (1, 2000)]
    third = refusal(state, bet(1, 1000, hand=2))
    assert (third.rule, third.code) == ("BJ-03", "too_many_hands")
    skipped = refusal(table(), bet(1, 1000, hand=1))
    assert (skipped.rule, skipped.code) == ("BJ-03", "hand_skipped")
    assert refusal(table(rules={"hands_per_player": 1}), bet(1, 1000, hand=1)).rule == "BJ-03"
    cards = table(detail=Detail.CARDS)
    assert refusal(cards, come_in(1, 3)).rule == "BJ-03"
    assert refusal(cards, come_in(1, 0)).rule == "BJ-03"


@pytest.mark.rule("BJ-04")
def test_seven_seats_at_most() -> None:
    state = table()
    for seat in (0, 8, -1, 10**30):
        assert refusal(state, bet(seat, 1000)).rule == "BJ-04"
    with pytest.raises(RuleViolation) as caught:
        table(seats=8)
    assert (caught.value.rule, caught.value.code) == ("BJ-04", "too_many_seats")


@pytest.mark.rule("BJ-05")
def test_a_single_hand_is_flagged_and_two_are_not() -> None:
    def codes(hands: dict[Any, str], rules: Any = None) -> list[str]:
        state = round_of(hands, "7h", rules=rules)
        while state.stage == "decide":
            current = state.hands[state.turn]
            state = after(state, do(current.seat, "stand", current.hand))
        return [note.code for note in settled(after(state, dealer("Th"))).notes]

    assert "too_few_hands" in codes({1: "9s 9d"})
    assert "too_few_hands" not in codes({1: "9s 9d", (1, 1): "9h Tc"})
    assert "too_few_hands" not in codes({1: "9s 9d", 4: "9h Tc"})
    assert "too_few_hands" not in codes({1: "9s 9d"}, {"hands_to_start_min": 1})
    closing = next(p for p in CLASSIC.prompts(after(table(), bet(1, 1000))) if p.kind == "close")
    assert closing.rule == "BJ-05"


@pytest.mark.rule("BJ-08")
def test_perfect_pairs_stands_beside_a_main_bet_placed_before_or_with_it() -> None:
    lone = after(table(PERFECT), bet(2, 1000), bet(1, 1000, "perfect_pairs"))
    refused = refusal(lone, CLOSE)
    assert (refused.rule, refused.code) == ("BJ-08", "lone_perfect_pairs")
    assert all(prompt.kind != "close" for prompt in PERFECT.prompts(lone))
    assert after(lone, bet(1, 1000), CLOSE).closed
    assert refusal(after(lone, bet(1, 1000), CLOSE), bet(1, 1000, "perfect_pairs")).rule == "BJ-07"


@pytest.mark.rule("BJ-44")
@pytest.mark.parametrize(
    "spot", ["21_plus_3", "suits", "three_of_a_kind", "straight", "bet_behind", "x", 7, None]
)
def test_no_other_side_bet_exists(spot: Any) -> None:
    """DEA-013: 21+3 and its like are not in the Classifier; no category of theirs is ever paid."""
    for state in (table(), table(PERFECT)):
        assert refusal(state, {**bet(1, 1000), "spot": spot}).rule == "BJ-44"


@pytest.mark.rule("BJ-44")
def test_perfect_pairs_only_in_its_own_game() -> None:
    assert refusal(table(), bet(1, 1000, "perfect_pairs")).rule == "BJ-44"
    with pytest.raises(RuleViolation):
        table(limits={**LIMITS})


@pytest.mark.rule("GEN-04")
@pytest.mark.parametrize(
    ("amount", "code"), [(400, "below_minimum"), (1_000_100, "above_maximum"), (550, "not_in_chips")]
)
def test_limits_and_chips(amount: int, code: str) -> None:
    refused = refusal(table(), bet(1, amount))
    assert refused.code == code and refused.rule in ("GEN-04", "GEN-07")


@pytest.mark.rule("GEN-04")
def test_limits_hold_for_the_total_on_a_hand() -> None:
    state = after(table(), bet(1, 999_900), bet(1, 100))
    assert refusal(state, bet(1, 100)).code == "above_maximum"
    assert after(state, bet(1, 500, hand=1)).bets[-1].amount == 500
    with pytest.raises(RuleViolation) as caught:
        table(limits={"insurance": (100, 1000)})
    assert caught.value.rule == "GEN-04"
    assert (
        refusal(table(PERFECT, limits={"main": (500, 1000)}), bet(1, 500, "perfect_pairs")).rule == "GEN-04"
    )


@pytest.mark.rule("BJ-20")
def test_insurance_is_no_initial_bet() -> None:
    refused = refusal(table(), bet(1, 1000, "insurance"))
    assert (refused.rule, refused.code) == ("BJ-20", "insurance_by_choice")


def test_each_level_of_detail_takes_its_own_events() -> None:
    full, cards, result = (table(detail=detail) for detail in (Detail.FULL, Detail.CARDS, Detail.RESULT))
    for state, event in (
        (full, come_in(1)),
        (full, {"e": "result", "winner": "17"}),
        (cards, bet(1, 1000)),
        (cards, CLOSE),
        (cards, {"e": "result", "winner": "17"}),
        (result, come_in(1)),
        (result, bet(1, 1000)),
        (result, to(1, "9h")),
        (result, do(1, "hit")),
        (result, {"e": "show", "to": "dealer", "cards": ["9h"]}),
    ):
        assert refusal(state, event).code == "detail_forbids", event
    assert refusal(cards, to(1, "9h")).rule == "BJ-07"
    assert refusal(after(cards, come_in(2)), come_in(2)).code == "seat_in"
    assert refusal(after(cards, come_in(2), to(2, "9h")), come_in(3)).rule == "BJ-07"


@pytest.mark.rule("BJ-07")
def test_bets_stand_once_a_card_is_out_even_a_struck_one() -> None:
    state = after(table(), bet(1, 1000), bet(2, 1000), CLOSE)
    assert refusal(state, {"e": "undo", "of": 1, "why": "error"}).code == "undo_too_late"
    assert not after(state, {"e": "undo", "of": 3, "why": "error"}).closed
    out = after(state, to(1, "9h"))
    struck = after(out, {"e": "undo", "of": 4, "why": "carta mal leída"})
    for one in (out, struck):
        for position in (1, 3):
            refused = refusal(one, {"e": "undo", "of": position, "why": "error"})
            assert (refused.rule, refused.code) == ("BJ-07", "undo_too_late")
    assert after(struck, to(1, "8h")).hands[0].cards == ("8h",)


@pytest.mark.parametrize(
    ("rule", "event"),
    [
        ("BJ-27", do(1, "double")),
        ("BJ-29", do(1, "surrender")),
        ("BJ-24", do(1, "split")),
    ],
)
def test_a_decision_about_money_stands_once_the_next_card_is_out(rule: str, event: dict[str, Any]) -> None:
    state = round_of({1: "5h 5d", 2: "9h 9d"}, "7h", event)
    undo = {"e": "undo", "of": len(state.log), "why": "error"}
    undone = after(state, undo)
    assert (undone.turn, len(undone.hands)) == (0, 2) and undone.bets == round_of(
        {1: "5h 5d", 2: "9h 9d"}, "7h"
    ).bets
    seat = state.hands[state.turn].seat
    with pytest.raises(SabotError) as caught:
        after(after(state, to(seat, "2c", state.hands[state.turn].hand)), undo)
    assert (caught.value.rule, caught.value.code) == (rule, "undo_too_late")


@pytest.mark.rule("BJ-21")
def test_insurance_stands_once_the_dealers_card_is_out() -> None:
    state = round_of(
        {1: "9h 9d", 2: "9s 9c"}, "Ah", do(1, "insurance", amount=500), do(1, "stand"), do(2, "stand")
    )
    place = next(n for n, e in enumerate(state.log, 1) if e.get("do") == "insurance")
    undo = {"e": "undo", "of": place, "why": "error"}
    assert all(b.spot == "main" for b in after(state, undo).bets)
    assert refusal(after(state, dealer("5d")), undo).rule == "BJ-21"


def test_a_full_deal_goes_in_order_of_seats_whatever_the_order_of_bets() -> None:
    state = after(table(), bet(5, 1000), bet(2, 1000), bet(2, 700, hand=1), CLOSE)
    assert [(h.seat, h.hand, h.first) for h in state.hands] == [(2, 0, 1000), (2, 1, 700), (5, 0, 1000)]
    dealt = after(state, *deal({2: "2s 3s", (2, 1): "4s 5s", 5: "6s 7s"}, "8s"))
    assert [h.cards for h in dealt.hands] == [("2s", "3s"), ("4s", "5s"), ("6s", "7s")]


@pytest.mark.rule("BJ-20")
def test_the_dealers_card_that_closed_insurance_stands_while_somebody_has_not_answered() -> None:
    """Nobody had anything to decide: struck out, the card would be known and insurance open again."""
    hands = {1: "As Kd", 2: "Ac Qd"}
    state = round_of(hands, "Ah", dealer("9d"))
    undo = {"e": "undo", "of": len(state.log), "why": "error"}
    assert (refusal(state, undo).rule, refusal(state, undo).code) == ("BJ-20", "undo_too_late")
    misread = round_of({1: "9h 9c", 2: "Ts Td"}, "Ah", do(1, "stand"), do(2, "stand"), dealer("9d"))
    assert after(misread, {"e": "undo", "of": len(misread.log), "why": "era un ocho"}).stage == "dealer"
    told = round_of(hands, "Ah", do(1, "no_even_money"), do(2, "no_even_money"), dealer("9d"))
    again = after(told, {"e": "undo", "of": len(told.log), "why": "era un ocho"}, dealer("8d"))
    assert settled(again).outcome.hands[0].cards == ("Ah", "8d")


@pytest.mark.rule("BJ-27")
def test_a_decision_about_money_after_a_struck_card_is_flagged() -> None:
    state = round_of({1: "5h 6d", 2: "9h 9c"}, "7h", to(1, "2c"))
    struck = after(state, {"e": "undo", "of": len(state.log), "why": "dobló"})
    doubled = after(struck, do(1, "double"), to(1, "2c"), do(2, "stand"), dealer("Kd"))
    (flag,) = [note for note in settled(doubled).notes if note.code == "decided_after_struck_card"]
    assert flag.rule == "BJ-27"
    misread = after(struck, to(1, "3c"), to(1, "4c"), do(1, "stand"), do(2, "stand"), dealer("Kd"))
    assert "decided_after_struck_card" not in [note.code for note in settled(misread).notes]


@pytest.mark.rule("BJ-03")
@pytest.mark.parametrize("hands", [0, -1, 3, 10**400])
def test_a_seat_noted_with_too_many_hands_is_told_how_many_there_may_be(hands: int) -> None:
    refused = refusal(table(CLASSIC, Detail.CARDS), come_in(1, hands))
    assert (refused.rule, refused.field) == ("BJ-03", "hands")
    assert "de 1 a 2 manos" in refused.message.es and "1 to 2 hands" in refused.message.en
    assert refusal(table(CLASSIC, Detail.CARDS), {"e": "in", "seat": 1, "hands": "2"}).field == "hands"
