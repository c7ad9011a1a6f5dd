"""A deck found defective in the middle of a hand (REG-018): the pot back by contribution, but for who knew.

Amounts are whole units. Expected: what each put in; of who knew, nothing, and that part in the next main pot.
"""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Refused
from tables.games.base import Detail, Event, Settlement
from tables.games.ring import phh
from tests.games.ring.building import (
    CLOSE,
    GAME,
    NAMES,
    Hand,
    button,
    card,
    chips,
    do,
    opened,
    refusals,
    seats,
)

DEFECTIVE: dict[str, Any] = {"e": "defective"}


def knew(*seats: int) -> dict[str, Any]:
    return {**DEFECTIVE, "knew": list(seats)}


def running() -> Hand:
    """A 40, B 40, C 25, all in the pot at seats 1, 2 and 3: blinds of 5 and 10, the button at seat 1."""
    state = opened(limits={"blind": (5, 10)})
    return (
        Hand(state, {1: 500, 2: 500, 3: 25}, at=1)
        .acts("1 raise 40", "2 call")
        .play(do(3, "allin"), deal=False)
    )


def returned(settled: Settlement) -> dict[int, int]:
    return {payout.seat: payout.returned for payout in settled.payouts}


@pytest.mark.rule("GEN-08")
@pytest.mark.rule("CARD-42")
def test_reg_018_the_running_pot_goes_back_by_contribution() -> None:
    hand = running().play(DEFECTIVE, deal=False)
    settled = hand.settle()
    assert returned(settled) == {1: 40, 2: 40, 3: 25}
    assert settled.outcome.winner == "defective" in hand.game.ends
    assert (settled.totals.house_result, settled.totals.commission, settled.carry) == (0, 0, ())
    assert {p.rule for p in settled.payouts} == {"GEN-08"}
    assert [prompt.kind for prompt in hand.game.prompts(hand.state)] == ["settle"]


@pytest.mark.rule("GEN-08")
def test_reg_018_who_knew_forfeits_the_part_to_the_next_pot() -> None:
    """C knew: returned 0, 25 to the next pot, which begins with it."""
    settled = running().play(knew(3), deal=False).settle()
    assert returned(settled) == {1: 40, 2: 40, 3: 0}
    assert list(settled.carry) == [{"e": "forfeited", "seat": 3, "amount": 25}]
    facts = settled.outcome.to_json()["facts"]
    assert facts["forfeited"] == [{"seat": 3, "amount": 25}]
    assert facts["returned"] == [{"seat": 1, "amount": 40}, {"seat": 2, "amount": 40}]


def after(carry: tuple[Event, ...], state: Any, stacks: dict[int, int], **more: Any) -> Hand:
    """The next hand of the table, which begins with what was handed on."""
    return Hand(GAME["texas"].play_all(state, carry), stacks, **more)


FORFEITED: tuple[Event, ...] = ({"e": "forfeited", "seat": 3, "amount": 25},)


@pytest.mark.rule("GEN-08")
@pytest.mark.rule("PR-02")
def test_the_next_pot_is_won_with_what_was_forfeited() -> None:
    """Blinds 5 and 10. Seats 1 and 2 fold: 5 of the big blind are unmatched, the pot is 5 + 5 + 25 = 35."""
    hand = after(FORFEITED, opened(limits={"blind": (5, 10)}), {1: 500, 2: 500, 3: 500}, at=1)
    assert hand.game.prompts(hand.state)[0].text.es.endswith("el pozo tiene 40")  # 5 + 10 + 25
    settled = hand.acts("1 fold", "2 fold").settle()
    assert {p.seat: (p.stake, p.returned) for p in settled.payouts} == {2: (5, 0), 3: (5, 35)}
    assert settled.carry == ()
    assert settled.outcome.to_json()["facts"]["pot"] == 35
    assert [note.rule for note in settled.notes if note.code == "pot_forfeited"] == ["GEN-08"]


@pytest.mark.rule("PR-09")
def test_what_was_forfeited_lies_in_the_main_pot() -> None:
    """Seat 1 is all in for 30 with aces: 3 x 30 + 25 = 115. Seat 2 has kings: the side pot, 2 x 70 = 140."""
    state = opened(limits={"blind": (5, 10)})
    own = {1: "As Ah", 2: "Ks Kh", 3: "Qs Qh"}
    hand = after(FORFEITED, state, {1: 30, 2: 500, 3: 100}, own=own, board="2c 7d 9h 3s 4c", at=1)
    hand.acts("1 allin", "2 raise 100", "3 allin").showdown()
    settled = hand.settle()
    assert returned(settled) == {1: 115, 2: 140, 3: 0}
    assert sum(returned(settled).values()) == sum(p.stake for p in settled.payouts) + 25


@pytest.mark.rule("PR-07")
def test_the_deduction_counts_the_whole_of_the_next_pot() -> None:
    """40,00 + 40,00 + 25,00 = 105,00; 4 % is 4,20, up to the half unit 4,50: 100,50 are won."""
    rake = {"rake_basis_points": 400, "no_flop_no_drop": False}
    state = opened(rules=rake, limits={"blind": (2_000, 4_000)}, chip=50, exponent=2)
    carry = ({"e": "forfeited", "seat": 3, "amount": 2_500},)
    hand = after(
        carry, state, {1: 4_000, 2: 4_000}, own={1: "As Ah", 2: "Ks Kh"}, board="2c 7d 9h 3s 4c", at=1
    )
    settled = hand.acts("1 allin").showdown().settle()
    assert returned(settled) == {1: 10_050, 2: 0}
    assert settled.totals.commission == 450


@pytest.mark.rule("PR-13")
def test_pot_limit_counts_what_was_forfeited() -> None:
    """Blinds 5 and 10 and 25 forfeited: after a call of 10 the pot is 50, so the most is 10 + 50 = 60."""
    state = opened("omaha", {"structure": "pot_limit"}, limits={"blind": (5, 10)})
    hand = Hand(GAME["omaha"].play_all(state, FORFEITED), seats(500, 3), at=1)
    assert hand.may()["raise"] == (20, 60)


@pytest.mark.rule("PR-02")
def test_a_bet_nobody_matched_wins_what_was_forfeited() -> None:
    """Stud without ante: the bring-in of 50 is matched by nobody and goes back, with the 25."""
    state = GAME["five_card_stud"].play_all(opened("five_card_stud"), FORFEITED)
    hand = Hand(state, seats(500, 2), own={1: "?? 2c", 2: "?? 9h"})
    settled = hand.acts("1 bring_in", "2 fold").settle()
    assert {p.seat: (p.stake, p.returned) for p in settled.payouts} == {1: (50, 75)}


@pytest.mark.rule("GEN-08")
def test_a_second_defective_deck_hands_on_both_parts() -> None:
    """25 of seat 3 waited; then seat 2 knew and has 10 in the pot, and seat 3 again, 5 more."""
    hand = after(FORFEITED, opened(limits={"blind": (5, 10)}), {1: 500, 2: 500, 3: 500}, at=2)
    settled = hand.play(knew(1, 3), deal=False).settle()
    assert [dict(event) for event in settled.carry] == [
        {"e": "forfeited", "seat": 1, "amount": 10},
        {"e": "forfeited", "seat": 3, "amount": 30},
    ]


@pytest.mark.rule("GEN-08")
@pytest.mark.parametrize("name", NAMES)
def test_a_hand_may_be_given_up_at_any_moment_once_it_has_begun(name: str) -> None:
    game = GAME[name]
    start = [chips(1, 500), chips(2, 500), *([button(1)] if game.hands else []), CLOSE]
    state = game.play_all(opened(name), start)
    put = {bet.seat: bet.amount for bet in state.bets}
    over = game.play(state, DEFECTIVE)
    assert over.complete
    assert returned(game.settle(over)) == put
    again = game.play(over, {"e": "undo", "of": len(over.log), "why": "era otra baraja"})
    assert not again.complete and again.pending == state.pending


@pytest.mark.rule("GEN-08")
def test_what_cannot_be_is_refused() -> None:
    state = running().state
    game = GAME["texas"]
    over = game.play(state, DEFECTIVE)
    unbegun = opened(limits={"blind": (5, 10)})
    waiting = game.play_all(unbegun, FORFEITED)
    undo = {"e": "undo", "of": 1, "why": "no corresponde"}
    for at, event, code in (
        (over, DEFECTIVE, "defect_not_due"),
        (over, card("burn", "??"), "card_not_due"),
        (over, do(1, "check"), "choice_not_due"),
        (over, {"e": "show", "seat": 1, "cards": ["As", "Ah"]}, "show_not_due"),
        (unbegun, DEFECTIVE, "defect_not_due"),
        (state, knew(4), "nothing_to_forfeit"),
        (state, {**DEFECTIVE, "knew": 3}, "bad_value"),
        (waiting, FORFEITED[0], "forfeited_too_late"),
        (game.play(waiting, chips(1, 500)), {**FORFEITED[0], "seat": 2}, "forfeited_too_late"),
        (waiting, undo, "undo_carried"),
        (opened(detail=Detail.RESULT), DEFECTIVE, "detail_forbids"),
        (opened(detail=Detail.CARDS), dict(FORFEITED[0]), "detail_forbids"),
    ):
        assert refusals(game, at, [dict(event)]).code == code, event


@pytest.mark.rule("GEN-08")
def test_where_no_bets_are_logged_the_hand_is_over_and_nothing_is_forfeited() -> None:
    game = GAME["texas"]
    dealt = [{"e": "in", "seat": 1}, {"e": "in", "seat": 2}, button(1), card(2, "??")]
    state = game.play_all(opened(detail=Detail.CARDS), dealt)
    settled = game.settle(game.play(state, DEFECTIVE))
    assert (settled.outcome.winner, settled.payouts, len(settled.unchecked)) == ("defective", (), 1)
    assert refusals(game, state, [knew(1)]).code == "detail_forbids"


def test_no_hand_history_tells_of_one() -> None:
    over = running().play(DEFECTIVE, deal=False).state
    with pytest.raises(Refused) as refused:
        phh.dump(over)
    assert refused.value.code == "phh_unsupported"
