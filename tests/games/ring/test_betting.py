"""Forced bets, turns, and what may be bet: PR-11, PR-12, PR-13, PR-17."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.ring.betting import may_reopen
from tables.games.ring.state import Draft
from tests.games.ring.building import CLOSE, GAME, Hand, button, chips, limits_of, opened, seats


def dealt_to(state: Any) -> list[int]:
    return [due.seat for due in Draft(state).pending]


@pytest.mark.rule("PR-11")
def test_between_two_the_button_posts_the_small_blind() -> None:
    """Case ENG-030: the button posts the small blind, speaks first before the flop and last afterwards."""
    hand = Hand(opened(), {2: 1000, 5: 1000}, at=5)
    assert dict(hand.state.put) == {5: 50, 2: 100}
    assert hand.turn == 5
    hand.board = ["2c", "3c", "4c", "9d", "Jd"]
    hand.acts("5 call", "2 check")
    assert hand.turn == 2
    hand.acts("2 check")
    assert hand.turn == 5


@pytest.mark.rule("PR-11")
@pytest.mark.rule("PR-12")
def test_blinds_cards_and_turns_are_counted_from_the_button() -> None:
    """Seats 1, 3, 4, 8 with the button at 4: small blind 8, big blind 1, first 3; afterwards first 8."""
    state = GAME["texas"].play_all(
        opened(), [*(chips(seat, 1000) for seat in (1, 3, 4, 8)), button(4), CLOSE]
    )
    assert dict(state.put) == {8: 50, 1: 100, 3: 0, 4: 0}
    assert dealt_to(state) == [8, 1, 3, 4, 8, 1, 3, 4]
    hand = Hand(opened(), {1: 1000, 3: 1000, 4: 1000, 8: 1000}, board="2c 3c 4c 9d Jd", at=4)
    assert hand.turn == 3
    hand.acts("3 call", "4 call", "8 call", "1 check")
    assert hand.turn == 8
    hand.acts("8 fold", "1 fold")
    assert hand.turn == 3


@pytest.mark.rule("PR-09")
def test_a_short_stack_posts_what_it_has() -> None:
    """Ante 10, blinds 50 and 100; the small blind has 35: 10 + 25. The others owe the whole big blind."""
    hand = Hand(opened(limits=limits_of("texas", ante=10)), {1: 35, 2: 60, 3: 1000, 4: 1000}, at=4)
    assert dict(hand.state.put) == {1: 35, 2: 60, 3: 10, 4: 10}
    assert hand.turn == 3
    assert hand.may()["call"] == (100, 100) and hand.may()["raise"][0] == 200


@pytest.mark.rule("PR-13")
def test_no_limit_goes_from_a_full_raise_to_all_chips() -> None:
    hand = Hand(opened(), seats(1000, 3), board="2c 3c 4c 9d Jd", at=3)
    # Button, small blind, big blind: seat 3 speaks first and may raise 100 to 200.
    assert hand.may() == {"call": (100, 100), "fold": (0, 0), "raise": (200, 1000), "allin": (1000, 1000)}
    hand.acts("3 raise 350")
    # A raise of 250: the next goes to 600 at least.
    assert hand.may()["raise"] == (600, 1000)
    hand.acts("1 fold", "2 call")
    assert hand.may() == {"check": (0, 0), "bet": (100, 650), "allin": (650, 650), "fold": (0, 0)}


@pytest.mark.rule("PR-13")
def test_pot_limit_goes_to_the_pot_after_the_call() -> None:
    """Blinds 50 and 100: a call makes the pot 250, so the first may raise to 100 + 250 = 350; the next
    calls 350 into 500, and may raise by 850 to 1,200.
    """
    hand = Hand(opened("omaha", {"structure": "pot_limit"}), seats(10_000, 3), at=3)
    assert hand.may()["raise"] == (200, 350)
    assert "allin" not in hand.may()
    hand.acts("3 raise 350")
    # Small blind: 50 in. After calling 300 the pot is 150 + 350 + 300 = 800: to 350 + 800 = 1,150.
    assert hand.may()["raise"] == (600, 1150)


@pytest.mark.rule("PR-13")
@pytest.mark.parametrize(
    ("rules", "amounts"),
    [
        ({}, [200, 300, 400]),
        ({"blind_is_a_bet": False}, [200, 300, 400, 500]),
        ({"bets_max": 5}, [200, 300, 400, 500]),
        ({"bets_max": 3}, [200, 300]),
    ],
)
def test_fixed_limit_is_capped(rules: dict[str, Any], amounts: list[int]) -> None:
    """One big blind a raise; the blind itself is the first of four bets unless the rules say otherwise."""
    hand = Hand(opened("texas", {"structure": "fixed_limit", **rules}), seats(10_000, 3), at=3)
    for place, amount in enumerate(amounts):
        assert hand.may()["raise"] == (amount, amount)
        hand.acts(f"{(3, 1, 2)[place % 3]} raise {amount}")
    assert "raise" not in hand.may() and "call" in hand.may()


@pytest.mark.rule("PR-13")
def test_fixed_limit_doubles_on_the_turn_and_has_no_cap_between_two() -> None:
    state = opened("texas", {"structure": "fixed_limit"})
    hand = Hand(state, seats(10_000, 2), board="2c 3c 4c 9d Jd", at=1)
    hand.acts("1 call", "2 check", "2 bet 100", "1 call")
    for amount in range(200, 2_000, 200):
        hand.acts(f"{2 if amount % 400 == 200 else 1} {'bet' if amount == 200 else 'raise'} {amount}")
    assert hand.may()["raise"] == (2000, 2000)
    capped = Hand(
        opened("texas", {"structure": "fixed_limit", "heads_up_uncapped": False}), seats(10_000, 2), at=1
    )
    capped.acts("1 raise 200", "2 raise 300", "1 raise 400")
    assert "raise" not in capped.may()


@pytest.mark.rule("PR-13")
def test_an_all_in_below_a_raise_does_not_reopen_the_betting() -> None:
    """Case ENG-028: 16 over a blind of 2 is a raise of 14, so a full raise would be to 30; 19 is short."""
    state = opened(limits={"blind": (1, 2)})
    hand = Hand(state, {1: 19, 2: 200, 3: 200, 4: 200}, board="2c 3c 4c 9d Jd", at=4)
    hand.acts("3 raise 16", "4 call")
    assert Draft(hand.state).level + Draft(hand.state).raise_size == 30
    hand.acts("1 allin 19", "2 call")
    for seat in (3, 4):
        assert hand.turn == seat
        assert hand.may() == {"call": (19, 19), "fold": (16, 16)}
        assert not may_reopen(Draft(hand.state), seat)
        hand.acts(f"{seat} call")


@pytest.mark.rule("PR-13")
def test_short_all_ins_that_add_up_to_a_raise_reopen_it() -> None:
    """100, then all-ins of 150 and 200: the first faces 100 more, a full raise. Who called 150 faces 50."""
    hand = Hand(opened(), {1: 5000, 2: 250, 3: 300, 4: 5000}, board="2c 3c 4c 9d Jd", at=4)
    hand.acts("3 call", "4 call", "1 call", "2 check")
    hand.acts("1 bet 100", "2 allin 150", "3 allin 200", "4 call")
    assert hand.turn == 1
    assert hand.may()["raise"] == (300, 4900)


@pytest.mark.rule("PR-13")
def test_nobody_raises_when_all_the_others_are_all_in() -> None:
    hand = Hand(opened(), {1: 300, 2: 300, 3: 5000}, at=3)
    hand.acts("3 call", "1 allin", "2 call")
    assert hand.turn == 3
    assert hand.may() == {"call": (300, 300), "fold": (100, 100)}


@pytest.mark.rule("PR-12")
def test_the_last_one_with_chips_is_not_asked_to_bet_against_nobody() -> None:
    """Small blind all in for 30, button folds: the big blind has nothing to decide."""
    hand = Hand(opened(), {1: 30, 2: 1000, 3: 1000}, board="2c 3c 4c 9d Jd", at=3)
    hand.acts("3 fold")
    assert Draft(hand.state).phase == "showdown"
    assert len(hand.state.board) == 5


@pytest.mark.rule("PR-17")
def test_the_lowest_open_card_brings_it_in() -> None:
    """Equal ranks by suit: clubs below diamonds below hearts below spades."""
    hand = Hand(
        opened("seven_card_stud"),
        {1: 1000, 3: 1000, 6: 1000},
        {1: "As Ad 2d", 3: "Ks Kd 2c", 6: "Qs Qd 3c"},
    )
    assert hand.turn == 3
    assert hand.may() == {"bring_in": (50, 50), "bet": (100, 1000), "allin": (1000, 1000)}
    hand.acts("3 bring_in")
    # The next completes to 100, and need not raise above it.
    assert hand.turn == 6 and hand.may()["raise"][0] == 100
    hand.acts("6 raise 100")
    assert hand.may()["raise"][0] == 200
    hand.acts("1 call")
    # Completing was a full bet: who brought it in may raise.
    assert hand.turn == 3 and hand.may()["raise"] == (200, 1000)


@pytest.mark.rule("PR-17")
def test_afterwards_the_best_visible_hand_opens() -> None:
    """A pair of fours beats an ace; equal boards: the first from the dealer's left."""
    hand = Hand(
        opened("five_card_stud"),
        {2: 1000, 4: 1000, 7: 1000},
        {2: "9s Ad Qd Qc 2c", 4: "8s 4c 4h 5s 7d", 7: "7s 3d Kd Qh 2h"},
    )
    assert hand.turn == 7
    hand.acts("7 bring_in", "2 call", "4 call")
    assert hand.turn == 4
    hand.acts("4 check", "7 check", "2 check")
    # Now seat 2 shows a pair of queens.
    assert hand.turn == 2
    tie = Hand(opened("five_card_stud"), {2: 1000, 4: 1000}, {2: "9s 2d Qd", 4: "8s 2c Qh"})
    tie.own = {2: ["9s", "2d", "Qd", "3c", "3d"], 4: ["8s", "2c", "Qh", "4d", "5c"]}
    tie.acts("4 bring_in", "2 call")
    assert tie.turn == 2


@pytest.mark.rule("PR-17")
def test_who_is_all_in_for_the_ante_leaves_the_bring_in_to_the_next() -> None:
    hand = Hand(
        opened("seven_card_stud", limits=limits_of("seven_card_stud", ante=10)),
        {1: 10, 2: 1000, 3: 1000},
        {1: "As Ad 2c", 2: "Ks Kd 9c", 3: "Qs Qd Tc"},
    )
    assert hand.turn == 2 and "bring_in" in hand.may()


@pytest.mark.rule("PR-13")
@pytest.mark.parametrize("name", ["five_card_stud", "seven_card_stud"])
def test_stud_of_fixed_limit_bets_small_and_then_big(name: str) -> None:
    """Small bet 100 on the first two rounds, 200 after."""
    own = {1: "2c 3d 4c 5d 7c 8d 9c", 2: "2h Ks Kd Kc 9s Jd Qc"}
    hand = Hand(opened(name, {"structure": "fixed_limit"}), seats(5000, 2), own)
    opener = hand.turn
    hand.acts(f"{opener} bring_in", f"{3 - opener} raise 100", f"{opener} call")
    amounts = []
    while Draft(hand.state).queue:
        amounts.append(hand.may()["bet"])
        hand.acts(f"{hand.turn} check").acts(f"{hand.turn} check")
    early, late = (100, 100), (200, 200)
    assert amounts == [early, *[late] * (len(amounts) - 1)]
    rounds = {"five_card_stud": 4, "seven_card_stud": 5}[name]
    assert len(amounts) + 1 == rounds


@pytest.mark.rule("PR-03")
@pytest.mark.rule("PR-04")
@pytest.mark.rule("PR-05")
@pytest.mark.rule("PR-06")
@pytest.mark.parametrize(
    ("name", "own", "board", "rounds", "closed"),
    [
        ("texas", 2, 5, 4, 2),
        ("omaha", 4, 5, 4, 4),
        ("five_card_stud", 5, 0, 4, 1),
        ("seven_card_stud", 7, 0, 5, 3),
    ],
)
def test_how_many_cards_and_rounds(name: str, own: int, board: int, rounds: int, closed: int) -> None:
    cards = {
        1: "2c 3d 4c 5d 7c 8d 9c",
        2: "2h Ks Kd Kc 9s Jd Qc",
    }
    hand = Hand(opened(name), seats(5000, 2), cards, "Ah As 8s 8c 8h", at=0 if "stud" in name else 1)
    spoken = 0
    while Draft(hand.state).queue:
        spoken += 1
        street = hand.state.street
        while Draft(hand.state).queue and hand.state.street == street:
            may = hand.may()
            what = next(do for do in ("bring_in", "check", "call") if do in may)
            hand.acts(f"{hand.turn} {what}")
    assert spoken == rounds
    draft = Draft(hand.state)
    assert draft.phase == "showdown"
    assert [len(held) for held in draft.own.values()] == [own, own]
    assert len(draft.board) == board and len(draft.closed_cards(1)) == closed


@pytest.mark.rule("PR-13")
def test_whoever_faces_a_full_raise_in_all_may_raise_however_it_came_about() -> None:
    """100 bet; all-ins to 190 and 206, neither a full raise. The bettor faces 106 in all and may raise; after
    its call an all-in to 237 puts 31 before it, which reopens nothing.
    """
    stacks = {1: 239, 2: 192, 3: 208, 4: 5000, 5: 5000}
    hand = Hand(opened(limits={"blind": (1, 2)}), stacks, board="2c 3c 4c", at=5)
    hand.acts("3 call", "4 call", "5 call", "1 call", "2 check")
    hand.acts("1 check", "2 check", "3 check", "4 bet 100", "5 call", "1 call")
    hand.acts("2 allin", "3 allin")
    assert hand.turn == 4 and hand.may()["raise"][0] == 306
    hand.acts("4 call", "5 call")
    assert hand.turn == 1
    hand.acts("1 allin")
    assert hand.turn == 4 and "raise" not in hand.may()


@pytest.mark.rule("PR-17")
def test_an_all_in_below_the_completion_does_not_reopen_for_the_bring_in() -> None:
    """Bring-in 50, small bet 100; seat 2 is all in for 70. Who brought it in faces 20 and may call."""
    own = {1: "As Ad 2c", 2: "Ks Kd 9c", 3: "Qs Qd Tc"}
    hand = Hand(opened("seven_card_stud"), {1: 1000, 2: 70, 3: 1000}, own)
    hand.acts("1 bring_in", "2 allin")
    assert hand.may()["raise"][0] == 170
    hand.acts("3 call")
    assert hand.turn == 1 and hand.may() == {"call": (70, 70), "fold": (50, 50)}


@pytest.mark.rule("PR-12")
def test_the_prompt_says_whose_turn_it_is_and_every_amount() -> None:
    hand = Hand(opened(), seats(1000, 3), at=3)
    (prompt,) = GAME["texas"].prompts(hand.state)
    assert (prompt.seat, prompt.rule) == (3, "PR-12")
    assert prompt.text.es == "Habla el asiento 3; el pozo tiene 150"
    assert prompt.why.es == (
        "iguala hasta 100; se retira; sube a un total entre 200 y 1.000; apuesta todo, hasta 1.000"
    )
    assert prompt.why.en == "call to 100; fold; raise to 200 to 1,000 in all; go all in, to 1,000"
    assert [event["do"] for event in prompt.events] == ["call", "fold", "raise", "allin"]
