"""What every bet comes to, in which order, and how it is said. Expected figures are arithmetic or cases."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Conflict
from tables.games.base import Detail, Game
from tests.games.house_poker.building import (
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
    paid,
    payout,
    play,
    show,
    show_dealer,
    start,
    to,
)


def against(game: Game, own: str, house: str, rules: Any = None, ante: int = 1000, **terms: Any) -> Any:
    """Seat 1 goes on with a hand against the dealer's, no cards changed."""
    state = play(game, start(game, rules=rules, **terms), bet(1, "ante", ante), CLOSE)
    state = play(game, state, deal({1: own}, house), choice(1, "play" if game is THREE else "bet"))
    return play(game, state, choice(1, "keep")) if game is DRAW else state


STILL = {"dealer_draws": False}


# Draw Poker ------------------------------------------------------------------------------------


@pytest.mark.rule("PH-10")
@pytest.mark.rule("PH-11")
@pytest.mark.rule("PH-12")
@pytest.mark.parametrize(
    ("house", "opens"),
    [("8c 8d 4h 3s 2c", True), ("7c 7d Ah Ks Qc", False), ("Ac Kh Qd Js 9c", False)],
)
def test_dea_037_the_dealer_opens_with_a_pair_of_eights(house: str, opens: bool) -> None:
    """DEA-037: ANTE 10, BET 20, kings. Opened: ANTE 20 back, BET 1 to 1 for a pair, 40 back."""
    state = against(DRAW, "Kc Kd 9h 5s 2d", house, STILL, ante=1000)
    settled = DRAW.settle(state)
    assert settled.outcome.to_json()["facts"]["qualified"] is opens
    assert paid(DRAW, state) == {(1, "ante"): 2000, (1, "bet"): 4000 if opens else 2000}
    ante, second = payout(DRAW, state, 1, "ante"), payout(DRAW, state, 1, "bet")
    if opens:
        assert (settled.outcome.winner, ante.row, ante.rule) == ("players", "player_higher", "PH-12")
        assert (second.row, second.pays, second.rule) == ("pair", "1:1", "PH-13")
    else:
        assert (settled.outcome.winner, ante.row, ante.rule) == ("not_open", "dealer_not_open", "PH-10")
        assert (second.row, second.act, second.rule) == ("dealer_not_open", "push", "PH-11")


@pytest.mark.rule("PH-13")
@pytest.mark.parametrize(
    ("own", "row", "times"),
    [
        ("As Ks Qs Js Ts", "royal_flush", 100),
        ("9s 8s 7s 6s 5s", "straight_flush", 50),
        ("5c 5d 5h 5s 2d", "four_of_a_kind", 20),
        ("5c 5d 5h 2s 2d", "full_house", 7),
        ("Ah Th 7h 5h 3h", "flush", 5),
        ("6c 5d 4h 3s 2d", "straight", 4),
        ("5c 5d 5h Ks 2d", "three_of_a_kind", 3),
        ("Tc Td 5h 5s 2d", "two_pair", 2),
        ("Tc Td 9h 5s 2d", "pair", 1),
    ],
)
def test_the_bet_pays_by_the_hand(own: str, row: str, times: int) -> None:
    """Table A on a BET of 20,00 against a pair of nines: the prize and the stake go back."""
    for game in (DRAW, CARIBBEAN):
        state = against(game, own, "9c 9d 8h 3c 2c")
        second = payout(game, state, 1, "bet")
        assert (second.row, second.pays, second.returned) == (row, f"{times}:1", 2000 * times + 2000)


@pytest.mark.rule("PH-05")
@pytest.mark.rule("PH-12")
def test_folded_antes_are_taken_first_and_the_rest_from_the_right() -> None:
    state = play(DRAW, start(DRAW, rules=STILL), [bet(seat, "ante", 1000) for seat in (1, 2, 3, 4)], CLOSE)
    hands = {1: "Kc Kd 9h 5s 2d", 2: "Qh Qd Th 6s 3d", 3: "Ac Jd 8s 6h 3s", 4: "As Ad 7h 6c 4c"}
    state = play(DRAW, state, deal(hands, "9c 9d 8h 3c 2c"))
    state = play(DRAW, state, choice(4, "fold"), choice(2, "fold"), choice(1, "bet"), choice(3, "bet"))
    state = play(DRAW, state, choice(1, "keep"), choice(3, "keep"))
    settled = DRAW.settle(state)
    assert [(p.seat, p.spot, p.row) for p in settled.payouts] == [
        (4, "ante", "folded"),
        (2, "ante", "folded"),
        (3, "ante", "player_lower"),
        (3, "bet", "player_lower"),
        (1, "ante", "player_higher"),
        (1, "bet", "pair"),
    ]
    # Lost 10 + 10 + 10 + 20; won 10 on the ANTE and 20 on the BET.
    assert settled.totals.house_result == 5000 - 3000
    assert settled.outcome.winner == "mixed"
    assert settled.payouts[0].rule == "PH-05"
    verdicts = {hand.seat: hand.verdict for hand in settled.outcome.hands if hand.seat}
    assert verdicts == {1: "win", 2: "lose", 3: "lose", 4: "lose"}


@pytest.mark.rule("PH-11")
@pytest.mark.rule("PH-23")
def test_equal_hands_void_both_bets() -> None:
    state = against(DRAW, "Kc Kd 9h 5s 2d", "Kh Ks 9c 5d 2h")
    assert paid(DRAW, state) == {(1, "ante"): 1000, (1, "bet"): 2000}
    settled = DRAW.settle(state)
    assert settled.outcome.winner == "tie"
    assert {(p.act, p.rule, p.row) for p in settled.payouts} == {("push", "PH-11", "hands_equal")}


@pytest.mark.rule("PH-12")
def test_only_hands_with_a_bet_need_be_turned_over() -> None:
    state = play(DRAW, start(DRAW), bet(1, "ante", 1000), bet(2, "ante", 1000), CLOSE)
    state = play(DRAW, state, deal({1: COVERED5, 2: COVERED5}, COVERED5))
    state = play(DRAW, state, choice(1, "fold"), choice(2, "bet"), choice(2, "keep"))
    state = play(DRAW, state, show_dealer("9c 9d 8h 3c 2c"))
    assert [(prompt.kind, prompt.seat) for prompt in DRAW.prompts(state)] == [("show", 2)]
    state = play(DRAW, state, show(2, "Tc Td 9h 5s 2d"))
    settled = DRAW.settle(state)
    assert settled.totals.staked == 4000
    assert any("asientos 1" in text.es for text in settled.unchecked)


@pytest.mark.rule("PH-10")
def test_nobody_shows_when_the_dealer_does_not_open() -> None:
    state = play(DRAW, start(DRAW, rules=STILL), bet(1, "ante", 1000), CLOSE)
    state = play(DRAW, state, deal({1: COVERED5}, COVERED5), choice(1, "bet"), choice(1, "keep"))
    state = play(DRAW, state, show_dealer("Ac Kh Qd Js 9c"))
    assert state.complete and paid(DRAW, state) == {(1, "ante"): 2000, (1, "bet"): 2000}
    # Whoever wants to be seen, for a progressive prize say, may still be.
    assert play(DRAW, state, show(1, "Tc Td 9h 5s 2d")).places[1].covered == 0


@pytest.mark.rule("PH-05")
def test_when_all_fold_the_dealer_shows_nothing() -> None:
    state = play(CARIBBEAN, start(CARIBBEAN), bet(1, "ante", 1000), CLOSE)
    state = play(CARIBBEAN, state, deal({1: COVERED5}, COVERED5), choice(1, "fold"))
    settled = CARIBBEAN.settle(state)
    assert (settled.outcome.winner, settled.totals.house_result) == ("all_folded", 1000)


# Caribbean -------------------------------------------------------------------------------------


@pytest.mark.rule("PH-16")
@pytest.mark.parametrize(
    ("house", "qualifies"), [("Ac Kh 4d 3s 2c", True), ("Ac Qh Jd Ts 8c", False), ("2c 2h 4d 3s 5c", True)]
)
def test_the_dealer_qualifies_with_ace_and_king(house: str, qualifies: bool) -> None:
    state = against(CARIBBEAN, "Kc Kd 9h 5s 2d", house)
    ante, second = payout(CARIBBEAN, state, 1, "ante"), payout(CARIBBEAN, state, 1, "bet")
    assert (ante.returned, ante.rule) == (2000, "PH-16")
    assert (second.returned, second.rule) == ((4000, "PH-16") if qualifies else (2000, "PH-11"))


@pytest.mark.rule("PH-16")
@pytest.mark.rule("PH-23")
def test_ace_king_against_ace_king_goes_by_the_other_cards() -> None:
    """A-K-9 beats A-K-8 and is paid 1 to 1 by its own row."""
    state = against(CARIBBEAN, "Ac Kd 9h 5s 2d", "Ad Kh 8d 5h 2c")
    second = payout(CARIBBEAN, state, 1, "bet")
    assert (second.row, second.pays, second.returned) == ("ace_king", "1:1", 4000)
    state = against(CARIBBEAN, "Ac Kd 8h 5s 2h", "Ad Kh 9d 5h 2c")
    assert paid(CARIBBEAN, state) == {(1, "ante"): 0, (1, "bet"): 0}


@pytest.mark.rule("PH-16")
def test_table_b_pays_more_from_the_straight_up() -> None:
    rules = {"bet_pays": "caribbean.bet.b"}
    for own, times in (("5c 5d 5h 2s 2d", 10), ("Ah Th 7h 5h 3h", 8), ("6c 5d 4h 3s 2d", 5)):
        state = against(CARIBBEAN, own, "9c 9d 8h 3c 2c", rules)
        assert payout(CARIBBEAN, state, 1, "bet").returned == 2000 * times + 2000


# Go Poker --------------------------------------------------------------------------------------


def go(own: str, first: str, second: str, *, withdraw: tuple[bool, bool] = (False, False)) -> Any:
    state = play(GO, start(GO), [bet(1, f"bet{n}", 500) for n in (1, 2, 3)], CLOSE, deal({1: own}))
    state = play(GO, state, choice(1, "withdraw" if withdraw[0] else "keep"), to("board", first))
    return play(GO, state, choice(1, "withdraw" if withdraw[1] else "keep"), to("board", second))


@pytest.mark.rule("PH-17")
@pytest.mark.rule("PH-18")
@pytest.mark.parametrize(
    ("own", "first", "second", "row", "times"),
    [
        ("As Ks Qs", "Js", "Ts", "royal_flush", 1000),
        ("9s 8s 7s", "6s", "5s", "straight_flush", 200),
        ("5c 5d 5h", "5s", "2d", "four_of_a_kind", 50),
        ("5c 5d 5h", "2s", "2d", "full_house", 11),
        ("Ah Th 7h", "5h", "3h", "flush", 8),
        ("6c 5d 4h", "3s", "2d", "straight", 5),
        ("5c 5d 5h", "Ks", "2d", "three_of_a_kind", 3),
        ("3c 3d 2h", "2s", "Kd", "two_pair", 2),
        ("Tc Kd 2h", "Ts", "3d", "pair_tens_or_better", 1),
    ],
)
def test_go_poker_pays_each_bet_by_the_table(own: str, first: str, second: str, row: str, times: int) -> None:
    state = go(own, first, second)
    assert paid(GO, state) == {(1, f"bet{n}"): 500 * times + 500 for n in (1, 2, 3)}
    assert {p.row for p in GO.settle(state).payouts} == {row}
    assert GO.settle(state).outcome.winner == "paid"


@pytest.mark.rule("PH-17")
def test_a_pair_of_nines_is_not_listed() -> None:
    state = go("9c Kd 2h", "9s", "3d")
    assert paid(GO, state) == {(1, "bet1"): 0, (1, "bet2"): 0, (1, "bet3"): 0}
    assert GO.settle(state).outcome.winner == "unpaid"


@pytest.mark.rule("PH-18")
def test_a_withdrawn_bet_is_no_longer_at_stake() -> None:
    state = go("Tc Kd 2h", "Ts", "3d", withdraw=(True, False))
    settled = GO.settle(state)
    assert settled.totals.staked == 1000 and settled.totals.returned == 2000
    assert GO.settle(go("Tc Kd 2h", "9s", "3d", withdraw=(True, True))).totals.house_result == 500


@pytest.mark.rule("PH-17")
def test_every_covered_hand_is_turned_over_in_go_poker() -> None:
    state = play(GO, start(GO), [bet(1, f"bet{n}", 500) for n in (1, 2, 3)], CLOSE, deal({1: COVERED3}))
    state = play(GO, state, choice(1, "keep"), to("board", "Ts"), choice(1, "keep"), to("board", "Td"))
    assert [(prompt.kind, prompt.seat) for prompt in GO.prompts(state)] == [("show", 1)]
    state = play(GO, state, show(1, "Th 4c 2d"))
    assert payout(GO, state, 1, "bet3").row == "three_of_a_kind"


# Three cards: shared case file, area house_poker -----------------------------------------------


def three(ante: int, side: int, own: str, house: str, rules: Any = None) -> Any:
    bets = [bet(1, "ante", ante)] + ([bet(1, "pair_plus", side)] if side else [])
    state = play(THREE, start(THREE, rules=rules), bets, CLOSE, deal({1: own}, house))
    return play(THREE, state, choice(1, "play"))


@pytest.mark.rule("PH-19")
@pytest.mark.rule("PH-20")
def test_eng_038_a_straight_flush_wins_everywhere() -> None:
    """Ante and play 500 each paid 1 to 1 (1,000 back each), bonus 5 x 500, pair plus 40 x 500 + 500."""
    state = three(500, 500, "Ks Qs Js", "6c 6d 9h")
    assert paid(THREE, state) == {(1, "ante"): 1000 + 2500, (1, "play"): 1000, (1, "pair_plus"): 20_500}
    ante = payout(THREE, state, 1, "ante")
    assert (ante.row, ante.pays, ante.act) == ("player_higher+straight_flush", "1:1+5:1", "pay")
    assert ante.words.es == (
        "gana la mano: 1 a 1 sobre 5,00 = 5,00; bono de escalera de color: 5 a 1 sobre 5,00 = 25,00"
    )
    assert THREE.settle(state).totals.returned == 25_000


@pytest.mark.rule("PH-20")
def test_eng_040_queen_high_just_qualifies() -> None:
    state = three(100, 100, "Jc Jd 5h", "Qs 9c 3d")
    assert paid(THREE, state) == {(1, "ante"): 200, (1, "play"): 200, (1, "pair_plus"): 200}


@pytest.mark.rule("PH-11")
@pytest.mark.rule("PH-20")
def test_eng_042_a_dealer_who_does_not_qualify_touches_neither_bonus_nor_pair_plus() -> None:
    """Ante 200 back and 100 of bonus; play stands; pair plus 6 x 500 + 500."""
    state = three(100, 500, "4c 3d 2h", "Td 9c 7s")
    assert paid(THREE, state) == {(1, "ante"): 200 + 100, (1, "play"): 100, (1, "pair_plus"): 3500}
    assert THREE.settle(state).totals.returned == 3900
    assert payout(THREE, state, 1, "play").rule == "PH-11"


@pytest.mark.rule("PH-20")
@pytest.mark.parametrize(
    ("house", "qualifies"), [("Qs 3d 2h", True), ("Jc Td 8h", False), ("Ad Kc 4s", True), ("2c 2d 3h", True)]
)
def test_eng_043_what_qualifies_with_three_cards(house: str, qualifies: bool) -> None:
    settled = THREE.settle(three(100, 0, "Ac Ah 5h", house))
    assert settled.outcome.to_json()["facts"]["qualified"] is qualifies


@pytest.mark.rule("PH-11")
@pytest.mark.rule("PH-23")
def test_eng_044_equal_ranks_tie_and_the_table_says_what_a_tie_pays() -> None:
    own, house = "Kc 9d 5h", "Kh 9s 5c"
    assert THREE.settle(three(100, 0, own, house)).totals.returned == 200
    wins = {"ante_pays": {"hands_equal": "1:1"}, "play_pays": {"hands_equal": "1:1"}}
    assert THREE.settle(three(100, 0, own, house, wins)).totals.returned == 400


@pytest.mark.rule("PH-20")
@pytest.mark.parametrize(
    ("own", "house", "act", "returned"),
    [
        ("4c 3d 2h", "5c 4d 3h", "push", 100),  # ANTE lost, bonus 1 to 1
        ("4c 4d 4h", "5c 5d 5h", "pay", 400),  # ANTE lost, bonus 4 to 1
        ("9c 9d 2h", "5c 5d 2c", "pay", 200),  # no bonus
        ("4c 3d 2h", "4d 3h 2c", "pay", 200),  # tied, bonus 1 to 1
    ],
)
def test_the_bonus_is_paid_on_the_ante_whatever_the_dealer_holds(
    own: str, house: str, act: str, returned: int
) -> None:
    ante = payout(THREE, three(100, 0, own, house), 1, "ante")
    assert (ante.act, ante.returned) == (act, returned)


@pytest.mark.rule("PH-20")
@pytest.mark.parametrize(("loses", "returned"), [(False, 200), (True, 0)])
def test_folding_gives_pair_plus_up_unless_the_house_pays_it_by_its_table(loses: bool, returned: int) -> None:
    rules = {"fold_loses_pair_plus": loses}
    state = play(THREE, start(THREE, rules=rules), bet(1, "ante", 100), bet(1, "pair_plus", 100), CLOSE)
    state = play(THREE, state, deal({1: COVERED3}, COVERED3), choice(1, "fold"))
    assert state.complete is loses
    if not loses:
        state = play(THREE, state, show(1, "2c 2d 9h"))
    assert paid(THREE, state) == {(1, "ante"): 0, (1, "pair_plus"): returned}


# Rounding, notes, what is not checked ----------------------------------------------------------


@pytest.mark.rule("GEN-09")
def test_a_prize_goes_down_to_the_smallest_chip() -> None:
    """3 to 2 on 5,00 with chips of 5,00 is 7,50: 5,00 paid and 2,50 of breakage."""
    rules = {"pair_plus_pays": {"pair": "3:2"}}
    state = start(THREE, rules=rules, chip=500, limits={"ante": (500, 5000), "pair_plus": (500, 5000)})
    state = play(THREE, state, bet(1, "ante", 500), bet(1, "pair_plus", 500), CLOSE)
    state = play(THREE, state, deal({1: "Jc Jd 5h"}, "Qs 9c 3d"), choice(1, "play"))
    side = payout(THREE, state, 1, "pair_plus")
    assert (side.returned, side.breakage) == (1000, 250)


@pytest.mark.rule("PH-07")
@pytest.mark.rule("CARD-41")
def test_irregularities_noted_come_out_with_their_rule() -> None:
    state = against(DRAW, "Kc Kd 9h 5s 2d", "9c 9d 8h 3c 2c")
    state = play(DRAW, state, {"e": "note", "code": "cards_touched", "seat": 1})
    state = play(DRAW, state, {"e": "note", "code": "exposed_card", "card": "Ah"})
    notes = DRAW.settle(state).notes
    assert [(note.code, note.rule) for note in notes] == [
        ("cards_touched", "PH-07"),
        ("exposed_card", "CARD-41"),
    ]


@pytest.mark.rule("PH-21")
def test_the_last_prompt_says_to_collect_the_cards_from_the_right() -> None:
    prompt = DRAW.prompts(against(DRAW, "Kc Kd 9h 5s 2d", "9c 9d 8h 3c 2c"))[0]
    assert (prompt.kind, prompt.rule) == ("settle", "PH-21")
    assert "derecha a izquierda" in prompt.text.es and "recoja las cartas" in prompt.why.es
    assert prompt.text.en.startswith("Announce “dealer, pair of nines: the players win”")


@pytest.mark.parametrize("game", [DRAW, CARIBBEAN, GO, THREE])
def test_an_incomplete_round_is_not_settled(game: Game) -> None:
    for detail in Detail:
        with pytest.raises(Conflict) as refusal:
            game.settle(start(game, detail))
        assert refusal.value.code == "round_incomplete" and refusal.value.rule


def test_a_round_half_dealt_says_what_is_missing() -> None:
    state = play(DRAW, start(DRAW), bet(1, "ante", 1000), CLOSE)
    with pytest.raises(Conflict) as refusal:
        DRAW.settle(state)
    assert refusal.value.rule == "PH-03" and "repartiendo" in refusal.value.message.es
    state = play(DRAW, state, deal({1: COVERED5}, COVERED5), choice(1, "bet"), choice(1, "keep"))
    with pytest.raises(Conflict) as refusal:
        DRAW.settle(state)
    assert refusal.value.rule == "PH-09" and "dealer's hand" in refusal.value.message.en


def test_hands_lie_as_they_were_dealt_and_say_what_they_are_worth() -> None:
    state = against(CARIBBEAN, "Kc Kd 9h 5s 2d", "9c 9d 8h 3c 2c")
    dealer, seat = CARIBBEAN.hands_on(state)
    assert (dealer.name, dealer.worth and dealer.worth.es) == ("dealer", "par de nueves")
    assert (seat.seat, seat.cards[0], seat.worth and seat.worth.en) == (1, "Kc", "pair of kings")
    assert CARIBBEAN.hands_on(start(CARIBBEAN)) == ()
