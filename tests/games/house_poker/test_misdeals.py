"""Hands dealt a wrong number of cards (REG-019): a seat's is dead, the dealer's voids the deal.

Expected: bets of a dead hand go back whole; the others are paid as if it were not there.
"""

from __future__ import annotations

from typing import Any

import pytest

from shoes.cards import COVERED
from tables.cards_out import cards_out, order_of
from tables.games.base import Detail, Game
from tests.games.house_poker.building import (
    BY_CODE,
    CARIBBEAN,
    CLOSE,
    COVERED3,
    COVERED5,
    DRAW,
    GO,
    THREE,
    bet,
    choice,
    deal,
    dealer_has,
    misdeal,
    paid,
    play,
    refused,
    show,
    show_dealer,
    start,
    to,
    to_seat,
)

KINGS, OTHER, EIGHTS = "Kc Kd 9h 5s 2d", "Ac Qd 8h 6s 3d", "8c 8d 4h 3s 2c"


def two(game: Game, first: str = COVERED5, second: str = KINGS, house: str = EIGHTS) -> Any:
    """ANTEs of 10,00 at seats 1 and 2, and their cards."""
    state = play(game, start(game), bet(1, "ante", 1000), bet(2, "ante", 1000), CLOSE)
    return play(game, state, deal({1: first, 2: second}, house))


@pytest.mark.rule("GEN-08")
@pytest.mark.rule("PH-16")
def test_reg_019_case_1_six_cards_at_a_seat_kill_that_hand_only() -> None:
    """S1's ANTE of 10 goes back; S2's pair of kings beats eights: ANTE 10 + 10, BET 20 + 20."""
    state = play(CARIBBEAN, two(CARIBBEAN), misdeal(1, 6), choice(2, "bet"))
    assert state.complete  # seat 1 neither decides nor shows
    assert paid(CARIBBEAN, state) == {(1, "ante"): 1000, (2, "ante"): 2000, (2, "bet"): 4000}
    settled = CARIBBEAN.settle(state)
    first = next(p for p in settled.payouts if p.seat == 1)
    assert (first.row, first.act, first.rule, first.won) == ("misdeal", "push", "GEN-08", 0)
    assert settled.outcome.winner == "players"
    assert settled.outcome.to_json()["facts"]["misdeal"] == {"1": 6}
    assert [(note.code, note.rule) for note in settled.notes] == [("misdeal", "GEN-08")]
    dead = next(hand for hand in settled.outcome.hands if hand.seat == 1)
    assert dead.worth is not None and (dead.worth.es, dead.verdict) == ("mano muerta", "push")


@pytest.mark.rule("GEN-08")
@pytest.mark.rule("PP-02")
def test_reg_019_case_2_four_cards_at_the_dealer_void_the_round_and_the_hands_are_still_read() -> None:
    """Both ANTEs of 10 go back, and S1's BET of 20; S1's flush and S2's kings stay for a progressive."""
    state = two(CARIBBEAN, COVERED5, COVERED5, COVERED5)
    state = play(CARIBBEAN, state, choice(1, "bet"), dealer_has(4))
    assert state.complete
    state = play(CARIBBEAN, state, show(1, "2h 6h Th Jh Ah"), show(2, KINGS))
    assert paid(CARIBBEAN, state) == {(1, "ante"): 1000, (1, "bet"): 2000, (2, "ante"): 1000}
    outcome = CARIBBEAN.settle(state).outcome
    assert outcome.winner == "misdeal"
    assert outcome.to_json()["facts"] == {
        "seats": {"1": "flush", "2": "pair"},
        "misdeal": {"dealer": 4},
    }
    assert CARIBBEAN.settle(state).totals.house_result == 0


@pytest.mark.rule("GEN-08")
def test_a_hand_that_folded_before_the_dealers_misdeal_has_its_ante_back() -> None:
    state = play(CARIBBEAN, two(CARIBBEAN), choice(1, "fold"), choice(2, "bet"), dealer_has(6))
    assert paid(CARIBBEAN, state) == {(1, "ante"): 1000, (2, "ante"): 1000, (2, "bet"): 2000}


@pytest.mark.rule("GEN-08")
@pytest.mark.parametrize("game", [DRAW, CARIBBEAN, THREE])
def test_a_hand_dead_in_the_deal_takes_no_more_cards(game: Game) -> None:
    """Seat 1 is found with three cards in the second circle: the rest of the deal passes it over."""
    state = play(game, start(game), bet(1, "ante", 1000), bet(2, "ante", 1000), CLOSE)
    state = play(game, state, to_seat(1), to_seat(2), to("dealer"), to_seat(1), misdeal(1, 3))
    assert refused(game, state, to_seat(1)).code == "dead_hand"
    wanted = game.prompts(state)[0]
    assert (wanted.kind, wanted.to, wanted.seat) == ("card", "seat", 2)
    while game.prompts(state)[0].kind == "card":
        state = play(game, state, {**game.prompts(state)[0].events[0], "card": COVERED})
    assert [prompt.seat for prompt in game.prompts(state)] == [2]
    assert [len(place.cards) for place in state.places.values()] == [2, state.kind.cards]
    assert refused(game, state, choice(1, "fold")).code == "dead_hand"


@pytest.mark.rule("GEN-08")
def test_a_dead_hand_of_three_card_poker_has_its_pair_plus_back_too() -> None:
    """Seat 1: ANTE 20 and Pair Plus 10 back. Seat 2 folds: its ANTE of 50 is lost."""
    state = play(THREE, start(THREE), bet(1, "ante", 2000), bet(1, "pair_plus", 1000), bet(2, "ante", 5000))
    state = play(THREE, state, CLOSE, deal({1: COVERED3, 2: COVERED3}, COVERED3), misdeal(1, 4))
    state = play(THREE, state, choice(2, "fold"))
    assert paid(THREE, state) == {(1, "ante"): 2000, (1, "pair_plus"): 1000, (2, "ante"): 0}
    assert THREE.settle(state).outcome.winner == "all_folded"


@pytest.mark.rule("GEN-08")
def test_a_dead_hand_of_go_poker_has_its_three_bets_back() -> None:
    """Seat 2 keeps its bets: tens in five cards are paid 1 to 1 by the table."""
    state = start(GO)
    for seat in (1, 2):
        state = play(GO, state, [bet(seat, f"bet{number}", 500) for number in (1, 2, 3)])
    state = play(GO, state, CLOSE, deal({1: COVERED3, 2: "Tc Td 4h"}), misdeal(1, 2))
    state = play(GO, state, choice(2, "keep"), to("board", "7c"), choice(2, "keep"), to("board", "2s"))
    spots = ("bet1", "bet2", "bet3")
    assert paid(GO, state) == {**{(1, spot): 500 for spot in spots}, **{(2, spot): 1000 for spot in spots}}
    assert GO.settle(state).outcome.winner == "paid"


@pytest.mark.rule("GEN-08")
@pytest.mark.parametrize("game", list(BY_CODE.values()))
def test_where_every_hand_is_dead_the_round_is_over(game: Game) -> None:
    state = start(game)
    spots = ("bet1", "bet2", "bet3") if game is GO else ("ante",)
    state = play(game, state, [bet(1, spot, 500) for spot in spots], CLOSE, to_seat(1), misdeal(1, 0))
    assert state.complete and [prompt.kind for prompt in game.prompts(state)] == ["settle"]
    settled = game.settle(state)
    assert settled.outcome.winner == "misdeal" in game.ends
    assert paid(game, state) == {(1, spot): 500 for spot in spots}


@pytest.mark.rule("PH-14")
@pytest.mark.rule("GEN-08")
def test_a_dead_hand_of_draw_poker_is_not_completed() -> None:
    """Seat 1 changes two cards and is then found with four: the others replace theirs, the dealer plays."""
    state = play(DRAW, two(DRAW, first=OTHER), choice(1, "bet"), choice(1, "change", cards=["6s", "3d"]))
    state = play(DRAW, state, choice(2, "bet"), choice(2, "keep"), misdeal(1, 4))
    assert state.complete
    assert paid(DRAW, state)[1, "bet"] == 2000
    assert paid(DRAW, state)[2, "ante"] == 2000


@pytest.mark.rule("CARD-42")
def test_the_cards_of_the_pack_are_counted_as_they_were_found() -> None:
    """15 are logged; seat 1 has 6 and the dealer 4, so 15 are out; with 6 and the dealer's 5 they are 16."""
    state = two(CARIBBEAN, COVERED5, COVERED5, COVERED5)
    six = play(CARIBBEAN, state, misdeal(1, 6))
    assert cards_out(six.log).dealt == len(order_of(six.log)) == 16
    both = play(CARIBBEAN, six, dealer_has(4))
    assert cards_out(both.log).dealt == len(order_of(both.log)) == 15
    undone = play(CARIBBEAN, both, {"e": "undo", "of": len(six.log), "why": "contadas otra vez"})
    assert cards_out(undone.log).dealt == 14
    assert not undone.places[1].dead and undone.house.dead


@pytest.mark.rule("CARD-42")
def test_cards_that_were_named_lie_in_the_hand() -> None:
    """Seat 2 has five named cards: it cannot have fewer; the pack of 52 has no more than 42 for it."""
    state = two(CARIBBEAN)
    assert refused(CARIBBEAN, state, misdeal(2, 4)).code == "out_of_range"
    assert refused(CARIBBEAN, state, misdeal(2, 43)).code == "out_of_range"
    assert play(CARIBBEAN, state, misdeal(2, 42)).places[2].found == 42


@pytest.mark.rule("GEN-08")
def test_what_is_no_misdeal_is_refused() -> None:
    state = two(CARIBBEAN)
    before = play(CARIBBEAN, start(CARIBBEAN), bet(1, "ante", 1000))
    dead = play(CARIBBEAN, state, misdeal(1, 6))
    folded = play(CARIBBEAN, state, choice(1, "fold"))
    for at, event, code in (
        (state, misdeal(1, 5), "count_is_right"),
        (state, dealer_has(5), "count_is_right"),
        (state, misdeal(3, 6), "not_in_play"),
        (before, misdeal(1, 6), "not_in_play"),
        (play(CARIBBEAN, before, CLOSE), misdeal(1, 6), "not_in_play"),
        (dead, misdeal(1, 7), "dead_hand"),
        (dead, show(1, OTHER), "dead_hand"),
        (folded, misdeal(1, 6), "folded_hand"),
        (state, {"e": "misdeal", "to": "board", "count": 6}, "bad_value"),
        (state, {"e": "misdeal", "seat": 1}, "bad_value"),
    ):
        assert refused(CARIBBEAN, at, event).code == code, event
    assert refused(CARIBBEAN, start(CARIBBEAN, Detail.RESULT), misdeal(1, 6)).code == "detail_forbids"


@pytest.mark.rule("GEN-08")
def test_where_no_bets_are_logged_a_misdeal_is_told_too() -> None:
    state = play(CARIBBEAN, start(CARIBBEAN, Detail.CARDS), {"e": "in", "seat": 1}, {"e": "in", "seat": 2})
    state = play(CARIBBEAN, state, deal({1: COVERED5, 2: KINGS}, COVERED5), misdeal(1, 6), choice(2, "bet"))
    settled = CARIBBEAN.settle(play(CARIBBEAN, state, show_dealer(EIGHTS)))
    assert settled.outcome.winner == "players" and not settled.payouts
