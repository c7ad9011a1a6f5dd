"""Betting, dealing and deciding: what each game takes, in which order, and what it refuses by which rule."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import RuleViolation
from shoes.cards import COVERED
from tables.games.base import MOST_ON_A_SPOT, Detail, Game
from tests.games.house_poker.building import (
    CARIBBEAN,
    CLOSE,
    COVERED5,
    DRAW,
    GO,
    HAND_1,
    HAND_2,
    HOUSE,
    THREE,
    bet,
    choice,
    covered,
    deal,
    dealt,
    go,
    play,
    refused,
    show,
    show_dealer,
    start,
    three,
    to,
    to_seat,
)

# The order of the deal -------------------------------------------------------------------------


@pytest.mark.rule("PH-03")
def test_five_cards_go_round_from_seat_one_and_the_dealer_last() -> None:
    state = play(DRAW, start(DRAW), bet(5, "ante", 1000), bet(2, "ante", 1000), CLOSE)
    went = []
    while DRAW.prompts(state)[0].kind == "card":
        prompt = DRAW.prompts(state)[0]
        assert prompt.rule == "PH-03"
        went.append(prompt.seat or prompt.to)
        state = DRAW.play(state, {**prompt.events[0], "card": COVERED})
    assert went == [2, 5, "dealer"] * 5


@pytest.mark.rule("PH-19")
def test_three_cards_each_and_three_for_the_dealer() -> None:
    state = play(THREE, start(THREE), bet(1, "ante", 1000), bet(7, "ante", 1000), CLOSE)
    went = []
    while THREE.prompts(state)[0].kind == "card":
        prompt = THREE.prompts(state)[0]
        went.append(prompt.seat or prompt.to)
        state = THREE.play(state, {**prompt.events[0], "card": COVERED})
    assert went == [1, 7, "dealer"] * 3


@pytest.mark.rule("PH-17")
@pytest.mark.rule("PH-18")
def test_go_poker_deals_three_cards_no_dealer_hand_and_one_community_card_after_each_decision() -> None:
    state = play(GO, start(GO), [bet(1, f"bet{n}", 500) for n in (1, 2, 3)], CLOSE)
    order = []
    while not state.complete:
        prompt = GO.prompts(state)[0]
        order.append(prompt.to if prompt.kind == "card" else prompt.kind)
        event = dict(prompt.events[0])
        if prompt.kind == "card":
            event["card"] = ["2c", "7d", "9h", "Ks", "Ah"][sum(e["e"] == "card" for e in state.log)]
        state = GO.play(state, event)
    assert order == ["seat", "seat", "seat", "choice", "board", "choice", "board"]


@pytest.mark.rule("PH-08")
def test_changed_cards_are_replaced_one_at_a_time_from_the_left() -> None:
    state = play(DRAW, start(DRAW), [bet(seat, "ante", 1000) for seat in (1, 2, 4)], CLOSE)
    state = play(DRAW, state, deal({1: COVERED5, 2: COVERED5, 4: COVERED5}, COVERED5))
    state = play(DRAW, state, [choice(seat, "bet") for seat in (1, 2, 4)])
    state = play(DRAW, state, choice(1, "change", count=2), choice(2, "keep"), choice(4, "change", count=2))
    went = []
    while DRAW.prompts(state)[0].kind == "card":
        prompt = DRAW.prompts(state)[0]
        assert prompt.rule == "PH-08"
        went.append(prompt.seat)
        state = DRAW.play(state, {**prompt.events[0], "card": COVERED})
    assert went == [1, 4, 1, 4]


@pytest.mark.rule("PH-06")
@pytest.mark.rule("PH-08")
def test_only_whoever_placed_the_bet_is_given_cards() -> None:
    state = play(DRAW, dealt(), choice(1, "fold"), choice(3, "bet"), choice(3, "change", cards=["6s", "3d"]))
    assert refused(DRAW, state, to_seat(1, "Th")).rule == "PH-08"
    state = play(DRAW, state, to_seat(3, "Ah"), to_seat(3, "As"))
    assert state.places[3].cards == ("Ac", "Qd", "8h", "Ah", "As")


# Money that follows from the ANTE --------------------------------------------------------------


@pytest.mark.rule("PH-04")
def test_the_bet_is_twice_the_ante() -> None:
    state = play(DRAW, dealt(), choice(1, "bet"), choice(3, "bet", amount=4000))
    assert state.stakes == {(1, "ante"): 1000, (3, "ante"): 2000, (1, "bet"): 2000, (3, "bet"): 4000}


@pytest.mark.rule("PH-20")
def test_the_play_is_equal_to_the_ante() -> None:
    assert play(THREE, three(), choice(2, "play")).stakes[2, "play"] == 1000


@pytest.mark.rule("PH-18")
def test_one_equal_bet_may_be_withdrawn_before_each_community_card() -> None:
    state = play(GO, go(), choice(2, "withdraw"))
    assert {bet.spot for bet in state.bets} == {"bet2", "bet3"}
    state = play(GO, state, to("board", "As"), choice(2, "withdraw"), to("board", "Ks"))
    assert {bet.spot for bet in state.bets} == {"bet3"}


@pytest.mark.rule("PH-18")
def test_a_table_without_withdrawals_goes_straight_to_the_community_cards() -> None:
    state = go(rules={"equal_bets": 1, "withdrawable_bets": 0})
    assert [prompt.to for prompt in GO.prompts(state)] == ["board"]


def test_limits_of_the_second_bet_bound_the_ante() -> None:
    """GEN-04: a BET of at most 30,00 leaves ANTEs of at most 15,00."""
    state = start(DRAW, limits={"ante": (100, 100_000), "bet": (400, 3000)})
    assert refused(DRAW, state, bet(1, "ante", 1600)).rule == "GEN-04"
    assert refused(DRAW, state, bet(1, "ante", 100)).rule == "GEN-04"
    assert play(DRAW, state, bet(1, "ante", 1500)).stakes == {(1, "ante"): 1500}


def test_no_bet_that_follows_is_above_the_largest_of_a_spot() -> None:
    """GEN-04: a BET of at most 10^11 leaves ANTEs of half of that."""
    state = start(DRAW, chip=1, limits={"ante": (1, MOST_ON_A_SPOT)})
    assert refused(DRAW, state, bet(1, "ante", MOST_ON_A_SPOT // 2 + 1)).rule == "GEN-04"
    assert play(DRAW, state, bet(1, "ante", MOST_ON_A_SPOT // 2)).stakes


# Levels of detail ------------------------------------------------------------------------------


@pytest.mark.rule("PH-05")
def test_at_detail_cards_seats_sit_and_decisions_carry_no_money() -> None:
    state = play(DRAW, start(DRAW, Detail.CARDS), {"e": "in", "seat": 4}, {"e": "in", "seat": 2})
    assert refused(DRAW, state, {"e": "in", "seat": 2}).code == "seat_in"
    assert refused(DRAW, state, {"e": "in", "seat": 3, "hands": 2}).code == "one_hand"
    assert refused(DRAW, state, bet(1, "ante", 500)).code == "detail_forbids"
    assert refused(DRAW, state, CLOSE).code == "detail_forbids"
    state = play(DRAW, state, deal({2: HAND_1, 4: HAND_2}, HOUSE))
    assert refused(DRAW, state, {"e": "in", "seat": 1}).rule == "PH-02"
    assert refused(DRAW, state, choice(2, "bet", amount=2000)).code == "detail_forbids"
    state = play(DRAW, state, choice(2, "bet"), choice(4, "fold"), choice(2, "keep"))
    assert state.complete and not DRAW.settle(state).payouts


def test_at_detail_result_only_the_end_is_logged() -> None:
    state = start(CARIBBEAN, Detail.RESULT)
    assert refused(CARIBBEAN, state, to_seat(1)).code == "detail_forbids"
    assert refused(CARIBBEAN, state, choice(1, "bet")).code == "detail_forbids"
    assert refused(CARIBBEAN, state, show(1, HAND_1)).code == "detail_forbids"
    assert refused(CARIBBEAN, state, {"e": "result", "winner": "banca"}).code == "bad_value"
    state = play(CARIBBEAN, state, {"e": "result", "winner": "unqualified"})
    assert refused(CARIBBEAN, state, {"e": "result", "winner": "dealer"}).code == "result_given"
    settled = CARIBBEAN.settle(state)
    assert settled.outcome.winner == "unqualified" and len(settled.unchecked) == 2


# Undoing ---------------------------------------------------------------------------------------


def test_before_the_first_card_betting_opens_again() -> None:
    state = play(DRAW, start(DRAW), bet(1, "ante", 1000), CLOSE)
    assert refused(DRAW, state, {"e": "undo", "of": 1, "why": "error"}).code == "undo_too_late"
    state = play(DRAW, state, {"e": "undo", "of": 2, "why": "error"}, {"e": "undo", "of": 1, "why": "error"})
    assert not state.bets and not state.closed


def test_a_decision_may_be_undone_and_its_bet_with_it() -> None:
    state = play(DRAW, dealt(), choice(1, "bet"))
    state = play(DRAW, state, {"e": "undo", "of": len(state.log), "why": "era retiro"})
    assert (1, "bet") not in state.stakes
    assert play(DRAW, state, choice(1, "fold")).folds == (1,)


@pytest.mark.rule("PH-09")
def test_a_fold_may_not_be_undone_once_the_dealer_is_seen() -> None:
    state = play(DRAW, covered(), choice(1, "fold"), choice(3, "bet"), choice(3, "keep"), show_dealer(HOUSE))
    fold = next(at for at, event in enumerate(state.log, 1) if event.get("do") == "fold")
    assert refused(DRAW, state, {"e": "undo", "of": fold, "why": "error"}).code == "undo_blocked"


# The dealer's own change -----------------------------------------------------------------------


def all_decided(house: str, rules: Any = None) -> Any:
    state = play(DRAW, start(DRAW, rules=rules), bet(1, "ante", 1000), CLOSE, deal({1: HAND_1}, house))
    return play(DRAW, state, choice(1, "bet"), choice(1, "keep"))


@pytest.mark.rule("PH-14")
@pytest.mark.parametrize(
    ("house", "rules", "changed"),
    [
        ("8c 8h 4h 3s 2c", {}, ()),  # opens: nothing to gain
        ("7c 7d Ah Qs Jc", {}, ("Jc", "Qs")),
        ("Ac Kh Qh Js 9c", {}, ("9c", "Js")),
        ("7c 7d Ah Qs Jc", {"dealer_changes": {"low_pair": 1}}, ("Jc",)),
        ("Ac Kh Qh Js 9c", {"dealer_changes": {"high_card": 0}}, ()),
        ("Ac Kh Qh Js 9c", {"dealer_change_max_cards": 1}, ("9c",)),
        ("7c 7d Ah Qs Jc", {"dealer_draws": False}, ()),
    ],
)
def test_the_dealer_changes_by_the_declared_rule(house: str, rules: Any, changed: tuple[str, ...]) -> None:
    state = all_decided(house, rules)
    if not changed:
        assert state.complete
        return
    prompt = DRAW.prompts(state)[0]
    assert (prompt.kind, prompt.to, prompt.rule) == ("choice", "dealer", "PH-14")
    assert [dict(event) for event in prompt.events] == [
        {"e": "choice", "to": "dealer", "do": "change", "cards": list(changed)}
    ]
    wrong = {"e": "choice", "to": "dealer", "do": "change", "cards": ["Ah"]}
    assert refused(DRAW, state, wrong).code == "not_the_declared_change"
    state = play(DRAW, state, dict(prompt.events[0]))
    assert refused(DRAW, state, to_seat(1, "Th")).rule == "PH-14"
    new = ["7h", "7s"][: len(changed)]
    state = play(DRAW, state, [to("dealer", card) for card in new])
    assert state.complete and len(state.house.cards) == 5


@pytest.mark.rule("PH-14")
def test_the_dealers_new_cards_may_lie_covered_until_shown() -> None:
    state = play(DRAW, covered(), choice(1, "bet"), choice(3, "fold"), choice(1, "keep"))
    state = play(DRAW, state, show_dealer("Ac Kh Qh Js 9c"))
    state = play(DRAW, state, dict(DRAW.prompts(state)[0].events[0]), to("dealer"), to("dealer"))
    assert DRAW.prompts(state)[0].events == ({"e": "show", "to": "dealer", "cards": [COVERED, COVERED]},)
    state = play(DRAW, state, show_dealer("Ad As"))
    assert state.house.cards == ("Ac", "Kh", "Qh", "Ad", "As")
    assert [prompt.kind for prompt in DRAW.prompts(state)] == ["show"]


# Tables that cannot be played ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "changes", "rule"),
    [
        (DRAW, {"seats": 7}, "PH-14"),
        (GO, {"seats": 8}, "PH-17"),
        (DRAW, {"limits": {"bet": (100, 1000)}}, "GEN-04"),
        (DRAW, {"limits": {"ante": (1000, 2000), "bet": (100, 1900)}}, "GEN-04"),
        (DRAW, {"limits": {"ante": (1000, 2000), "tie": (100, 1900)}}, "GEN-04"),
        (DRAW, {"limits": {"ante": (101, 199)}}, "GEN-04"),
    ],
)
def test_terms_that_cannot_be_played_are_refused(game: Game, changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        start(game, **changes)
    assert refusal.value.rule == rule


@pytest.mark.rule("GEN-04")
def test_pair_plus_is_taken_only_where_the_table_has_limits_for_it() -> None:
    state = start(THREE, limits={"ante": (100, 1000)})
    assert refused(THREE, state, bet(1, "pair_plus", 100)).code == "spot_not_offered"
