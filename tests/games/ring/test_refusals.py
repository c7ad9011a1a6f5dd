"""What the rules forbid, one by one: the rule, the code, and the state as it was."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Conflict, RuleViolation, SabotError
from tables.games.base import Detail
from tests.games.ring.building import CLOSE, GAME, Hand, button, card, chips, do, limits_of, opened, show


def texas(rules: Any = None, stacks: Any = None, **changes: Any) -> Hand:
    """Seats 1 to 3, button at 3: blinds 1 and 2, seat 3 speaks first."""
    own = {1: "Ah Kh", 2: "Ad Kd", 3: "3h 6d"}
    return Hand(opened(rules=rules, **changes), stacks or dict.fromkeys((1, 2, 3), 1000), own, BOARD, 3)


BOARD = "Ts 9s 4c Jc 2h"


def stud() -> Hand:
    own = {1: "As Ad 2d 5h 6h 7h 8h", 2: "Ks Kd 2c 5s 6s 7s 8s"}
    return Hand(opened("seven_card_stud"), {1: 1000, 2: 1000}, own)


@pytest.mark.parametrize(
    ("told", "event", "rule", "code"),
    [
        ([], do(1, "call"), "PR-12", "not_your_turn"),
        ([], do(9, "call"), "PR-12", "not_your_turn"),
        ([], do(3, "check"), "PR-13", "choice_not_allowed"),
        ([], do(3, "bet", 300), "PR-13", "choice_not_allowed"),
        ([], do(3, "bring_in"), "PR-17", "choice_not_allowed"),
        ([], do(3, "raise", 199), "PR-13", "below_minimum"),
        ([], do(3, "raise", 1001), "GEN-07", "above_stack"),
        ([], do(3, "call", 99), "PR-13", "below_minimum"),
        ([], do(3, "call", 101), "PR-13", "above_maximum"),
        ([], do(3, "allin", 999), "PR-13", "below_minimum"),
        ([], do(3, "muck"), "PR-15", "muck_not_due"),
        ([], show(3, "3h 6d"), "PR-15", "show_not_due"),
        ([], card("board", "Qs"), "PR-12", "card_not_due"),
        ([], card(1, "Qs"), "PR-12", "card_not_due"),
        ([], do(3, "raise", 10**30), "", "out_of_range"),
        (["3 fold"], do(3, "call"), "PR-12", "not_your_turn"),
        (["3 call", "1 call"], do(2, "call"), "PR-13", "choice_not_allowed"),
        (["3 call", "1 call", "2 check"], do(1, "raise", 200), "PR-13", "choice_not_allowed"),
        (["3 call", "1 call", "2 check"], do(1, "bet", 99), "PR-13", "below_minimum"),
        (["3 allin", "1 allin", "2 allin"], do(1, "check"), "PR-12", "choice_not_due"),
        (["3 allin", "1 allin", "2 fold"], show(2, "Ad Kd"), "PR-15", "not_in_hand"),
        (["3 allin", "1 allin", "2 fold"], show(1, "Ah Kd"), "CARD-42", "card_not_shown"),
        (["3 allin", "1 allin", "2 fold"], show(1, "Ah"), "PR-04", "wrong_number_of_cards"),
        (["3 allin", "1 allin", "2 fold"], card("board", "Qs"), "PR-04", "card_not_due"),
    ],
)
def test_decisions_and_showdown(told: list[str], event: Any, rule: str, code: str) -> None:
    hand = texas().acts(*told)
    refused(hand.game, hand.state, event, rule, code)


def refused(game: Any, state: Any, event: Any, rule: str, code: str) -> SabotError:
    before = repr(state)
    with pytest.raises(SabotError) as caught:
        game.play(state, event)
    assert (caught.value.rule, caught.value.code) == (rule, code)
    assert caught.value.message.es and caught.value.message.en
    assert repr(state) == before
    return caught.value


def test_figures_say_what_may_be_done() -> None:
    error = refused(GAME["texas"], texas().state, do(3, "raise", 199), "PR-13", "below_minimum")
    assert error.detail["min"] == 200 and error.detail["amount"] == 199 and "200" in error.message.es
    error = refused(GAME["texas"], texas().state, do(3, "raise", 2000), "GEN-07", "above_stack")
    assert "1.000" in error.message.es


@pytest.mark.rule("PR-13")
def test_pot_limit_and_fixed_limit_refuse_what_is_above() -> None:
    pot = texas({"structure": "pot_limit"})
    refused(pot.game, pot.state, do(3, "raise", 351), "PR-13", "above_maximum")
    refused(pot.game, pot.state, do(3, "allin"), "PR-13", "choice_not_allowed")
    fixed = texas({"structure": "fixed_limit"})
    refused(fixed.game, fixed.state, do(3, "raise", 300), "PR-13", "above_maximum")
    fixed.acts("3 raise 200", "1 raise 300", "2 raise 400")
    error = refused(fixed.game, fixed.state, do(3, "raise", 500), "PR-13", "choice_not_allowed")
    assert "4 apuestas" in error.message.es


@pytest.mark.rule("PR-13")
def test_a_betting_not_reopened_takes_no_raise() -> None:
    hand = texas(stacks={1: 250, 2: 1000, 3: 1000})
    hand.acts("3 raise 200", "1 allin 250", "2 call")
    error = refused(hand.game, hand.state, do(3, "raise", 500), "PR-13", "choice_not_allowed")
    assert "no se reabre" in error.message.es
    refused(hand.game, hand.state, do(3, "allin"), "PR-13", "choice_not_allowed")


@pytest.mark.rule("GEN-07")
def test_amounts_are_whole_chips() -> None:
    hand = texas(chip=50, stacks={1: 1000, 2: 1000, 3: 1000})
    refused(hand.game, hand.state, do(3, "raise", 225), "GEN-07", "not_in_chips")
    state = opened(chip=50)
    refused(GAME["texas"], state, chips(1, 1025), "GEN-07", "not_in_chips")


@pytest.mark.rule("CARD-42")
def test_a_card_that_came_already() -> None:
    """Case REG-017: two tens of diamonds. The second one is refused and stops the hand; that the hand is
    void and every stake goes back: tests/tables/test_regulator_incidents.py.
    """
    state = GAME["texas"].play_all(
        opened(), [chips(1, 1800), chips(2, 1800), chips(3, 600), button(3), CLOSE]
    )
    state = GAME["texas"].play(state, card(1, "Td"))
    error = refused(GAME["texas"], state, card(2, "Td"), "CARD-42", "impossible_card")
    assert "nula" in error.message.es
    hand = Hand(opened(), {1: 600, 2: 600}, {1: "Td 2c"}, "3c 4c 5h 8h Jd", at=1).acts("1 allin", "2 call")
    refused(hand.game, hand.state, show(2, "Td Ks"), "CARD-42", "impossible_card")
    refused(hand.game, hand.state, show(2, "3c Ks"), "CARD-42", "impossible_card")
    refused(hand.game, hand.state, show(2, "Ks Ks"), "CARD-42", "impossible_card")


@pytest.mark.parametrize(
    ("event", "rule", "code"),
    [
        (card("board", "As"), "PR-04", "card_not_due"),
        (card("burn", "??"), "PR-14", "card_not_due"),
        (card(2, "As"), "PR-04", "card_not_due"),
        (card(9, "As"), "PR-04", "card_not_due"),
        (card(11, "As"), "PR-16", "no_such_seat"),
        (card(1, "v5"), "PH-22", "suit_missing"),
        (card(1, "7o"), "", "unknown_card"),
        (do(1, "fold"), "PR-12", "choice_not_due"),
        (chips(5, 1000), "PR-16", "hand_begun"),
        (button(1), "PR-16", "hand_begun"),
        (CLOSE, "PR-16", "hand_begun"),
        ({"e": "in", "seat": 5}, "", "detail_forbids"),
        ({"e": "result", "winner": "1"}, "", "detail_forbids"),
        ({"e": "bet", "seat": 1, "spot": "pot", "amount": 5}, "", "unknown_event"),
        ({**card(1, "As"), "hand": 0}, "", "unknown_key"),
    ],
)
def test_while_the_first_cards_are_dealt(event: Any, rule: str, code: str) -> None:
    state = GAME["texas"].play_all(opened(), [chips(1, 1000), chips(2, 1000), button(2), CLOSE])
    refused(GAME["texas"], state, event, rule, code)


@pytest.mark.rule("PR-14")
def test_burns_are_asked_for_required_or_left_out() -> None:
    told = ("3 call", "1 call", "2 check")
    events = [entry for entry in texas().acts(*told).state.log if entry.get("to") not in ("burn", "board")]
    asked = GAME["texas"].play_all(opened(), events)
    assert GAME["texas"].prompts(asked)[0].rule == "PR-14"
    unburned = GAME["texas"].play(asked, card("board", "Ts"))
    assert unburned.unburned == 1
    strict = GAME["texas"].play_all(opened(rules={"burn_log": "required"}), events)
    refused(GAME["texas"], strict, card("board", "Ts"), "PR-14", "card_not_due")
    off = GAME["texas"].play_all(opened(rules={"burn_log": "off"}), events)
    refused(GAME["texas"], off, card("burn", "??"), "PR-14", "card_not_due")
    assert GAME["texas"].play(off, card("board", "Ts")).unburned == 0


@pytest.mark.rule("PR-05")
@pytest.mark.rule("PR-17")
def test_stud_has_open_cards_no_button_and_a_bring_in() -> None:
    game = GAME["seven_card_stud"]
    state = game.play_all(opened("seven_card_stud"), [chips(1, 1000), chips(2, 1000)])
    refused(game, state, button(1), "PR-17", "no_button")
    state = game.play_all(state, [CLOSE, card(1, "??"), card(2, "??"), card(1, "??"), card(2, "??")])
    refused(game, state, card(1, "??"), "PR-05", "card_covered")
    hand = stud()
    refused(hand.game, hand.state, do(2, "fold"), "PR-17", "choice_not_allowed")
    refused(hand.game, hand.state, do(2, "check"), "PR-17", "choice_not_allowed")
    refused(hand.game, hand.state, do(2, "bet", 99), "PR-13", "below_minimum")
    refused(hand.game, hand.state, do(1, "call"), "PR-17", "not_your_turn")
    hand.acts("2 bring_in")
    refused(hand.game, hand.state, do(1, "bring_in"), "PR-17", "choice_not_allowed")
    refused(hand.game, hand.state, do(1, "raise", 99), "PR-13", "below_minimum")


@pytest.mark.rule("PR-11")
@pytest.mark.rule("PR-16")
def test_a_hand_begins_with_two_players_and_a_button_among_them() -> None:
    game = GAME["texas"]
    state = game.play(opened(), chips(1, 1000))
    refused(game, state, CLOSE, "PR-16", "too_few_players")
    refused(game, state, chips(1, 500), "PR-16", "seat_taken")
    refused(game, state, chips(11, 500), "PR-16", "no_such_seat")
    state = game.play(state, chips(2, 1000))
    refused(game, state, CLOSE, "PR-11", "no_button")
    refused(game, state, card(1, "As"), "PR-11", "bets_open")
    elsewhere = game.play(state, button(7))
    refused(game, elsewhere, CLOSE, "PR-11", "no_button")
    refused(game, elsewhere, button(1), "PR-11", "button_given")


@pytest.mark.rule("PR-02")
def test_the_last_one_for_a_pot_cannot_throw_the_hand_away() -> None:
    """Seat 1 is all in; seats 2 and 3 have a side pot. When 2 mucks, 3 must show or it would be nobody's."""
    hand = texas(stacks={1: 100, 2: 1000, 3: 1000}).acts("3 raise 500", "1 call", "2 call")
    for _ in range(3):
        hand.acts("2 check", "3 check")
    hand.acts("2 muck")
    refused(hand.game, hand.state, do(3, "muck"), "PR-02", "last_for_a_pot")
    hand.showdown()
    # 300 to seat 1 (ace high; seat 3 has jack high), the side pot of 800 to seat 3.
    assert hand.net() == {1: 200, 2: -500, 3: 300}


@pytest.mark.rule("PR-02")
def test_what_went_in_before_the_cards_stands() -> None:
    game = GAME["texas"]
    state = game.play_all(opened(), [chips(1, 1000), chips(2, 1000), button(2), CLOSE])
    again = game.play(state, {"e": "undo", "of": 4, "why": "falta un asiento"})
    again = game.play_all(again, [chips(3, 500), CLOSE, card(3, "As")])
    for of in (1, 3, 7):
        refused(game, again, {"e": "undo", "of": of, "why": "error"}, "PR-02", "undo_too_late")
    back = game.play(again, {"e": "undo", "of": 8, "why": "carta mal leída"})
    assert dict(back.own) == {3: (), 1: (), 2: ()}
    refused(game, back, {"e": "undo", "of": 7, "why": "error"}, "PR-02", "undo_too_late")


def test_a_decision_is_undone_while_nothing_hangs_on_it() -> None:
    hand = texas().acts("3 raise 300", "1 call")
    game, last = hand.game, len(hand.state.log)
    refused(game, hand.state, {"e": "undo", "of": last - 1, "why": "error"}, "", "undo_blocked")
    back = game.play(hand.state, {"e": "undo", "of": last, "why": "era el asiento 2"})
    assert back.queue[0] == 1 and dict(back.put) == {1: 50, 2: 100, 3: 300}


@pytest.mark.parametrize(
    ("name", "changes", "rule", "code"),
    [
        ("texas", {"limits": {}}, "GEN-04", "limits_missing"),
        ("texas", {"limits": {"blind": (50, 101)}}, "PR-11", "unplayable_limits"),
        ("texas", {"limits": {"blind": (50, 100), "bet": (100, 300)}}, "PR-13", "unplayable_limits"),
        ("texas", {"limits": {"blind": (50, 100), "ante": (5, 10)}}, "GEN-04", "unplayable_limits"),
        ("texas", {"limits": {"blind": (50, 100), "pot": (5, 10)}}, "GEN-04", "unknown_spot"),
        ("texas", {"limits": {"blind": (50, 100), "bring_in": (5, 10)}}, "GEN-04", "unknown_spot"),
        ("texas", {"limits": {"blind": (50, 100)}, "chip": 20}, "GEN-07", "not_in_chips"),
        ("texas", {"seats": 11}, "PR-16", "too_many_seats"),
        ("texas", {"seats": 1}, "PR-16", "too_few_seats"),
        ("seven_card_stud", {"seats": 8}, "PR-16", "too_many_seats"),
        ("seven_card_stud", {"limits": {"blind": (50, 100)}}, "GEN-04", "unknown_spot"),
        ("five_card_stud", {"limits": {"ante": (50, 50)}}, "GEN-04", "limits_missing"),
        ("five_card_stud", {"limits": {"bring_in": (100, 100)}}, "PR-17", "unplayable_limits"),
        (
            "five_card_stud",
            {"limits": {"bring_in": (50, 100), "bet": (200, 400)}},
            "PR-13",
            "unplayable_limits",
        ),
    ],
)
def test_tables_that_cannot_be_played(name: str, changes: Any, rule: str, code: str) -> None:
    with pytest.raises(RuleViolation) as caught:
        opened(name, **changes)
    assert (caught.value.rule, caught.value.code) == (rule, code)


def test_an_unfinished_hand_is_not_settled() -> None:
    for state, rule in (
        (opened(), "PR-16"),
        (texas().state, "PR-12"),
        (stud().state, "PR-17"),
        (texas().acts("3 allin", "1 allin", "2 fold").state, "PR-15"),
        (opened(detail=Detail.RESULT), "PR-02"),
    ):
        with pytest.raises(Conflict) as caught:
            GAME["texas"].settle(state)
        assert (caught.value.code, caught.value.rule) == ("round_incomplete", rule)


def test_limits_of_every_game_are_playable() -> None:
    assert opened("omaha", limits=limits_of("omaha", 1, 2)).stakes.big_bet == 4
    assert opened("five_card_stud", limits=limits_of("five_card_stud", 1, 4)).stakes.big_bet == 8


@pytest.mark.rule("PR-14")
def test_a_card_exposed_in_the_deal_is_replaced_and_burned() -> None:
    """Case REG-016, third of its four: nine players, the fifth card turned over by the dealer. It is taken
    back, another is dealt in its place, and it is the first burned card. The other three are misdeals:
    tests/tables/test_regulator_incidents.py.
    """
    game = GAME["texas"]
    told = [*(chips(seat, 1000) for seat in range(1, 10)), button(9), CLOSE]
    state = game.play_all(opened(), told)
    for seat in range(1, 5):
        state = game.play(state, card(seat, "??"))
    state = game.play(state, card(5, "Qs"))
    state = game.play(state, {"e": "undo", "of": len(state.log), "why": "carta expuesta al repartir"})
    order = [seat for _ in (1, 2) for seat in range(1, 10)][4:]
    state = game.play_all(state, [card(seat, "??") for seat in order])
    state = game.play_all(state, [do(seat, "fold") for seat in range(3, 9)])
    state = game.play_all(state, [do(9, "call"), do(1, "call"), do(2, "check"), card("burn", "Qs")])
    assert state.burns == ("Qs",)
    refused(game, state, card("board", "Qs"), "CARD-42", "impossible_card")
