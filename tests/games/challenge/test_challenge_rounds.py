"""Three dealer hands, three rounds: the deal, the decisions and the payouts of Challenge 21."""

from __future__ import annotations

import pytest

from casino.kernel.errors import Conflict, Refused, SabotError
from tables.games.base import Detail
from tests.games.challenge.building import (
    CLOSE,
    GAME,
    PER_HAND,
    after,
    bets,
    dealt,
    do,
    returns,
    seat,
    settled,
    start,
    to,
)


@pytest.mark.rule("BJ-02")
@pytest.mark.rule("BJ-11")
@pytest.mark.rule("BJ-34")
@pytest.mark.rule("BJ-35")
@pytest.mark.rule("BJ-39")
@pytest.mark.rule("BJ-40")
def test_the_same_hand_meets_each_dealer_hand_on_its_own() -> None:
    """ENG-066: 19 against 18, 19 and 22 wins, pushes and wins."""
    settlement = settled(
        *bets(1, 1000, 1000, 1000),
        CLOSE,
        *dealt({1: "Th 9d"}, "Th Ts Td"),
        do(1, "stand"),
        *to("dealer", "8c"),
        *to("dealer2", "9c"),
        *to("dealer3", "6s 6h"),
        rules=PER_HAND,
    )
    assert settlement.outcome.facts == {"rounds": ["18", "19", "bust"], "points": [18, 19, 22]}
    assert settlement.outcome.winner == "one_bust"
    assert [(p.spot, p.row, p.rule) for p in settlement.payouts] == [
        ("first", "total_higher", "BJ-34"),
        ("second", "total_equal", "BJ-35"),
        ("third", "dealer_bust", "BJ-33"),
    ]
    assert returns(settlement) == {(1, "first", 0): 2000, (1, "second", 0): 1000, (1, "third", 0): 2000}
    assert -settlement.totals.house_result == 2000
    assert settlement.announcement.es == "ronda 1: 18; ronda 2: 19; ronda 3: se pasa con 22"


@pytest.mark.rule("BJ-10")
@pytest.mark.rule("BJ-11")
@pytest.mark.rule("BJ-39")
@pytest.mark.rule("BJ-42")
def test_the_shared_base_serves_three_rounds() -> None:
    state = after(start(), *bets(1, 1000, 1000, 1000), CLOSE, *dealt({1: "Th 9d"}, "Td"), do(1, "stand"))
    assert state.dealer == (("Td",), ("Td",), ("Td",))
    state = after(state, *to("dealer", "8c"))
    (prompt,) = GAME.prompts(state)
    assert (prompt.to, prompt.rule) == ("dealer2", "BJ-39")
    assert prompt.text.es.startswith("Ronda 1: anuncie «18», cobre y pague de derecha a izquierda")
    state = after(state, *to("dealer2", "6s"))
    (prompt,) = GAME.prompts(state)
    assert (prompt.to, prompt.rule) == ("dealer2", "BJ-18")
    state = after(state, *to("dealer2", "5s"), *to("dealer3", "9h"))
    settlement = GAME.settle(state)
    assert returns(settlement) == {(1, "first", 0): 2000, (1, "second", 0): 0, (1, "third", 0): 1000}
    assert GAME.prompts(state)[0].rule == "BJ-42"


@pytest.mark.rule("BJ-09")
@pytest.mark.rule("BJ-39")
def test_two_bets_play_two_rounds() -> None:
    deal = dealt({1: "Th 9d", 2: "Tc 8d"}, "Td Ts")
    state = after(start(rules=PER_HAND), *bets(1, 1000, 1500), *bets(2, 1000, 1000), CLOSE, *deal)
    state = after(state, do(1, "stand"), do(2, "stand"), *to("dealer", "8c"), *to("dealer2", "7s"))
    settlement = GAME.settle(state)
    assert settlement.outcome.facts["rounds"] == ["18", "17", "no_draw"]
    assert [(p.spot, p.act, p.seat) for p in settlement.payouts] == [
        ("first", "pay", 1),
        ("first", "push", 2),
        ("second", "pay", 2),
        ("second", "pay", 1),
    ]


@pytest.mark.rule("BJ-15")
@pytest.mark.rule("BJ-40")
def test_a_bust_takes_all_the_bets_at_once() -> None:
    deal = dealt({1: "Th 6d", 2: "Tc 9d"}, "Td")
    settlement = settled(
        *bets(1, 1000, 2000, 3000),
        *bets(2, 1000, 1000),
        CLOSE,
        *deal,
        *seat(1, "Kc"),
        do(2, "stand"),
        *to("dealer", "8c"),
        *to("dealer2", "9s"),
    )
    assert [(p.seat, p.spot, p.row) for p in settlement.payouts[:3]] == [
        (1, "first", "player_bust"),
        (1, "second", "player_bust"),
        (1, "third", "player_bust"),
    ]
    assert {p.rule for p in settlement.payouts[:3]} == {"BJ-40"}
    # Nobody is left against the third hand: no card is taken for it.
    assert settlement.outcome.facts["rounds"] == ["18", "19", "no_draw"]
    assert [note.rule for note in settlement.notes] == ["BJ-40", "BJ-42"]


@pytest.mark.rule("BJ-16")
@pytest.mark.rule("BJ-36")
def test_a_black_jack_is_paid_at_once_or_waits_for_its_round() -> None:
    natural = bets(1, 1000, 1000, 1000)
    at_once = after(start(), *natural, CLOSE, *dealt({1: "Ah Kd"}, "9d"))
    assert at_once.complete
    paid = GAME.settle(at_once)
    assert {(p.returned, p.rule, p.row) for p in paid.payouts} == {(2500, "BJ-16", "player_blackjack")}

    waiting = after(start(), *natural, CLOSE, *dealt({1: "Ah Kd"}, "Td"))
    assert not waiting.complete
    waiting = after(waiting, *to("dealer", "7c"), *to("dealer2", "Ac"), *to("dealer3", "6c 5c"))
    ended = GAME.settle(waiting)
    assert returns(ended) == {(1, "first", 0): 2500, (1, "second", 0): 1000, (1, "third", 0): 2500}
    assert [p.row for p in ended.payouts] == ["player_blackjack", "blackjack_both", "player_blackjack"]

    sooner = after(start(rules={"immediate_pay": "not_ace"}), *natural, CLOSE, *dealt({1: "Ah Kd"}, "Td"))
    assert sooner.complete

    each = after(start(rules=PER_HAND), *natural, CLOSE, *dealt({1: "Ah Kd"}, "9d Kd 5d"))
    assert [p.to for p in GAME.prompts(each)] == ["dealer2"]
    told = GAME.settle(after(each, *to("dealer2", "9c")))
    assert [(p.spot, p.rule) for p in told.payouts] == [
        ("first", "BJ-16"),
        ("third", "BJ-16"),
        ("second", "BJ-36"),
    ]


@pytest.mark.rule("BJ-19")
def test_even_money_is_for_bets_against_an_ace() -> None:
    natural = bets(1, 1000, 1000, 1000)
    state = after(start(rules=PER_HAND), *natural, CLOSE, *dealt({1: "Ah Kd"}, "As 9d Td"))
    even = next(p for p in GAME.prompts(state) if p.rule == "BJ-19")
    assert even.options == ("even_money", "no_even_money")
    ended = GAME.settle(after(state, do(1, "even_money"), *to("dealer3", "8c")))
    assert returns(ended) == {(1, "first", 0): 2000, (1, "second", 0): 2500, (1, "third", 0): 2500}
    shared = after(start(), *natural, CLOSE, *dealt({1: "Ah Kd"}, "As"), do(1, "even_money"))
    assert {p.row for p in GAME.settle(shared).payouts} == {"even_money_taken"}


@pytest.mark.rule("BJ-20")
@pytest.mark.rule("BJ-21")
@pytest.mark.rule("BJ-22")
def test_insurance_names_the_dealer_hand() -> None:
    state = after(start(), *bets(1, 1000, 1500, 2000), CLOSE, *dealt({1: "Th 9d"}, "As"))
    offer = GAME.prompts(state)[0]
    assert offer.rule == "BJ-22"
    assert [event.get("spot") for event in offer.events] == [
        "insurance_first",
        "insurance_second",
        "insurance_third",
        None,
    ]
    state = after(
        state,
        do(1, "insurance", spot="insurance_first", amount=500),
        # Half of 15,00 in chips of 1,00 is 7,00 at most.
        do(1, "insurance", spot="insurance_second", amount=700),
        do(1, "stand"),
        *to("dealer", "Kc"),
        *to("dealer2", "8c"),
        *to("dealer3", "Jc"),
    )
    settlement = GAME.settle(state)
    assert returns(settlement) == {
        (1, "first", 0): 0,
        (1, "second", 0): 1500,
        (1, "third", 0): 0,
        (1, "insurance_first", 0): 1500,
        (1, "insurance_second", 0): 0,
    }
    assert {p.rule for p in settlement.payouts if p.spot.startswith("insurance")} == {"BJ-21"}


@pytest.mark.rule("BJ-39")
@pytest.mark.rule("BJ-21")
def test_with_only_insurance_left_the_second_card_decides() -> None:
    state = after(start(), *bets(1, 1000, 1000), CLOSE, *dealt({1: "Th 6d"}, "As"))
    state = after(state, do(1, "insurance", spot="insurance_second", amount=500), *seat(1, "Kd"))
    assert [p.to for p in GAME.prompts(state)] == ["dealer2"]
    ended = GAME.settle(after(state, *to("dealer2", "Kc")))
    assert returns(ended)[1, "insurance_second", 0] == 1500
    assert ended.outcome.facts["rounds"] == ["no_draw", "blackjack", "no_draw"]
    assert GAME.settle(after(state, *to("dealer2", "5c"))).outcome.facts["rounds"][1] == "no_draw"


@pytest.mark.rule("BJ-27")
@pytest.mark.rule("BJ-43")
def test_a_double_doubles_each_live_bet() -> None:
    state = after(start(), *bets(1, 1000, 2000), CLOSE, *dealt({1: "6h 5d"}, "6d"), do(1, "double"))
    assert {(b.spot, b.amount) for b in state.bets} == {("first", 2000), ("second", 4000)}
    (prompt,) = GAME.prompts(state)
    assert (prompt.kind, prompt.rule) == ("card", "BJ-27")
    ended = GAME.settle(after(state, *seat(1, "9c"), *to("dealer", "Tc 5c"), *to("dealer2", "Ts 4c")))
    # 20 against 21 and 20.
    assert returns(ended) == {(1, "first", 0): 0, (1, "second", 0): 4000}


@pytest.mark.rule("BJ-23")
@pytest.mark.rule("BJ-24")
@pytest.mark.rule("BJ-25")
@pytest.mark.rule("BJ-26")
@pytest.mark.rule("BJ-43")
def test_a_split_makes_as_many_bets_again() -> None:
    state = after(start(), *bets(1, 1000, 2000), CLOSE, *dealt({1: "Ah Ad"}, "6d"), do(1, "split"))
    assert {(b.spot, b.hand, b.amount) for b in state.bets} == {
        ("first", 0, 1000),
        ("second", 0, 2000),
        ("first", 1, 1000),
        ("second", 1, 2000),
    }
    state = after(state, *seat(1, "Kc"), *seat(1, "Ac", 1))
    assert state.stage == "rounds"
    ended = GAME.settle(after(state, *to("dealer", "Tc 5c"), *to("dealer2", "Ts 9c")))
    # 21 with two cards after a split is no black jack: 1 to 1, and 12 loses to 21 but not to a bust.
    assert {(p.spot, p.hand, p.returned, p.row) for p in ended.payouts} == {
        ("first", 0, 1000, "total_equal"),
        ("first", 1, 0, "total_lower"),
        ("second", 0, 4000, "dealer_bust_split_two_card_21"),
        ("second", 1, 4000, "dealer_bust"),
    }


@pytest.mark.rule("BJ-29")
@pytest.mark.rule("BJ-43")
def test_surrender_costs_half_of_each_bet() -> None:
    state = after(start(), *bets(1, 1000, 1500), CLOSE, *dealt({1: "Th 6d"}, "Td"), do(1, "surrender"))
    ended = GAME.settle(state)
    # Half of 15,00 in chips of 1,00: 8,00 is taken (GEN-09).
    assert returns(ended) == {(1, "first", 0): 500, (1, "second", 0): 700}
    assert {(p.row, p.pays, p.rule) for p in ended.payouts} == {("surrender", "lose_half", "BJ-29")}
    dear = after(
        start(rules={"surrender_loss_percent": 100}), *bets(1, 1000, 1500), CLOSE, *dealt({1: "Th 6d"}, "Td")
    )
    assert {p.pays for p in GAME.settle(after(dear, do(1, "surrender"))).payouts} == {"lose_100%"}


@pytest.mark.rule("BJ-05")
@pytest.mark.rule("BJ-32")
@pytest.mark.rule("BJ-41")
def test_notes() -> None:
    state = after(start(), *bets(1, 1000, 1000), CLOSE, *dealt({1: "Ah Kd"}, "9d"))
    state = after(
        state, {"e": "note", "code": "chips_taken_early"}, {"e": "note", "code": "player_left_early"}
    )
    assert [note.rule for note in GAME.settle(state).notes] == ["BJ-16", "BJ-05", "BJ-42", "BJ-32", "BJ-41"]


@pytest.mark.rule("BJ-39")
def test_results_are_announced_round_by_round() -> None:
    state = start(Detail.RESULT)
    for number, call in enumerate(("18", "bust", "blackjack"), start=1):
        (prompt,) = GAME.prompts(state)
        assert f"ronda {number}" in prompt.text.es
        state = GAME.play(state, {"e": "result", "winner": call})
    settlement = GAME.settle(state)
    assert settlement.announcement.es == "ronda 1: 18; ronda 2: se pasa; ronda 3: black jack del croupier"
    assert settlement.outcome.winner == "one_bust" and len(settlement.unchecked) == 2
    for wrong in ({"e": "result", "winner": "19"}, {"e": "result", "winner": "no_bust"}):
        with pytest.raises(Refused):
            GAME.play(state, wrong)


def test_each_detail_takes_only_its_own_events() -> None:
    for detail, event in [
        (Detail.RESULT, bets(1, 1000)[0]),
        (Detail.RESULT, seat(1, "Th")[0]),
        (Detail.RESULT, do(1, "hit")),
        (Detail.RESULT, {"e": "in", "seat": 1}),
        (Detail.CARDS, bets(1, 1000)[0]),
        (Detail.CARDS, CLOSE),
        (Detail.CARDS, {"e": "result", "winner": "18"}),
        (Detail.FULL, {"e": "in", "seat": 1}),
        (Detail.FULL, {"e": "result", "winner": "18"}),
    ]:
        with pytest.raises(Refused) as refusal:
            GAME.play(start(detail), event)
        assert refusal.value.code == "detail_forbids"


@pytest.mark.rule("BJ-09")
@pytest.mark.rule("BJ-20")
def test_where_only_cards_are_logged() -> None:
    state = after(start(Detail.CARDS), {"e": "in", "seat": 2, "hands": 2}, {"e": "in", "seat": 1})
    for wrong, code in (
        ({"e": "in", "seat": 3, "hands": 4}, "wrong_number_of_bets"),
        ({"e": "in", "seat": 1}, "seat_in"),
    ):
        with pytest.raises(SabotError) as refusal:
            GAME.play(state, wrong)
        assert refusal.value.code == code
    state = after(state, *dealt({1: "Th 9d", 2: "Tc 8d"}, "As"), do(2, "insurance", spot="insurance_second"))
    state = after(state, do(1, "stand"), do(2, "stand"), *to("dealer", "8c"), *to("dealer2", "9c"))
    settlement = GAME.settle(after(state, *to("dealer3", "Kc")))
    assert settlement.outcome.facts["rounds"] == ["19", "20", "blackjack"]
    assert not settlement.payouts and len(settlement.unchecked) == 1


SIXTEEN = [*bets(1, 1000, 1500), CLOSE, *dealt({1: "Th 6d"}, "Td")]
BEGUN = [*SIXTEEN, do(1, "stand"), *to("dealer", "5c")]


def test_an_incomplete_pass_says_what_is_missing() -> None:
    for state, rule in [
        (start(Detail.RESULT), "BJ-39"),
        (start(), "BJ-07"),
        (after(start(), *SIXTEEN), "BJ-13"),
        (after(start(), *BEGUN), "BJ-39"),
    ]:
        with pytest.raises(Conflict) as refusal:
            GAME.settle(state)
        assert (refusal.value.rule, refusal.value.code) == (rule, "round_incomplete")


@pytest.mark.rule("BJ-15")
@pytest.mark.rule("BJ-16")
def test_prompts_say_what_is_done_on_the_layout_at_once() -> None:
    """The black jack against a nine is paid before anybody is asked, a bust taken before the next hand."""
    state = after(start(), *bets(1, 1000, 1000), *bets(2, 1000, 1000), CLOSE)
    state = after(state, *dealt({1: "Th 6d", 2: "As Kd"}, "9s"))
    (asked,) = GAME.prompts(state)
    assert asked.text.es.startswith("Pague ya el black jack y recoja sus cartas, asiento 2 (BJ-16).")
    assert asked.why.es.startswith("puede pedir carta, plantarse, doblar o retirarse;")
    assert asked.why.en.startswith("it may hit, stand, double or surrender;")
    assert asked.why.es.endswith("el croupier muestra nueve de picas")
    state = after(state, *seat(1, "Kd"))
    (last,) = GAME.prompts(state)
    assert last.kind == "settle" and last.text.es.startswith("Retire ya la apuesta y las cartas")
    # Against a ten the black jack waits, and nothing is said of it.
    waiting = after(start(), *bets(1, 1000, 1000), *bets(2, 1000, 1000), CLOSE)
    waiting = after(waiting, *dealt({1: "Th 6d", 2: "As Kd"}, "Ts"))
    assert GAME.prompts(waiting)[0].text.es.startswith("Pregunte a la mano del asiento 1")
