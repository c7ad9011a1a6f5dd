"""What the croupier is told and calls out in ring games: who shows, who won with what, who puts in what."""

from __future__ import annotations

import pytest

from tables.games.base import MOST_ON_A_SPOT, Detail
from tests.games.ring.building import (
    CLOSE,
    GAME,
    Hand,
    button,
    card,
    chips,
    do,
    limits_of,
    opened,
    seats,
    show,
)

BOARD = "3c 9h Js 4d 5s"


def to_the_river() -> Hand:
    """Three seats with 100 in each, button at 3; seat 1 bets 200 on the river, 2 calls, 3 folds: 700."""
    hand = Hand(opened(), seats(1000, 3), {1: "As Ah", 2: "Kc Kd", 3: "7c 2d"}, BOARD, 3)
    hand.acts("3 call", "1 call", "2 check")
    hand.acts("1 check", "2 check", "3 check", "1 check", "2 check", "3 check")
    return hand.acts("1 bet 200", "2 call", "3 fold")


@pytest.mark.rule("PR-15")
def test_who_showed_wins_with_the_hand_though_the_others_mucked() -> None:
    hand = to_the_river().play(show(1, "As Ah")).play(do(2, "muck"))
    settlement = hand.settle()
    assert settlement.announcement.es == "asiento 1: pozo de 700 con par de ases"
    assert settlement.payouts[-1].words.en == "pot with pair of aces: 700"
    assert settlement.outcome.to_json()["facts"]["pots"][0]["hand"]["es"] == "par de ases"
    assert {payout.seat: payout.won for payout in settlement.payouts} == {1: 400, 2: -300, 3: -100}


@pytest.mark.rule("PR-15")
def test_who_is_left_without_having_shown_collects_without_showing() -> None:
    settlement = to_the_river().play(do(2, "muck")).settle()
    assert settlement.announcement.es == "asiento 1: pozo de 700 sin mostrar"
    assert settlement.outcome.to_json()["facts"]["pots"][0]["hand"] is None


@pytest.mark.rule("PR-15")
@pytest.mark.parametrize(
    ("shown", "call"), [(True, "asiento 2 gana con par de ases"), (False, "asiento 2 cobra sin mostrar")]
)
def test_where_no_bets_are_logged_the_hand_is_called_too(shown: bool, call: str) -> None:
    game = GAME["texas"]
    state = opened(detail=Detail.CARDS, limits={})
    state = game.play_all(state, [{"e": "in", "seat": 1}, {"e": "in", "seat": 2}, button(1)])
    for seat, one in ((2, "As"), (1, "Kc"), (2, "Ah"), (1, "Kd")):
        state = game.play(state, card(seat, one))
    for street in (BOARD.split()[:3], BOARD.split()[3:4], BOARD.split()[4:]):
        state = game.play_all(state, [card("burn", "??"), *[card("board", one) for one in street]])
    if shown:
        state = game.play(state, show(2, "As Ah"))
    state = game.play(state, do(1, "muck"))
    assert game.settle(state).announcement.es == call
    (prompt,) = game.prompts(state)
    assert prompt.kind == "settle" and prompt.text.es == f"Anuncie «{call}»; entregue los pozos"


@pytest.mark.rule("PR-09")
def test_the_number_of_a_side_pot_stands_apart_from_its_amount() -> None:
    """100 all in, 250 all in, two with 400, a fold that left 100: 500, 450 and 300."""
    hand = Hand(
        opened(),
        {1: 100, 2: 250, 3: 1000, 4: 1000, 5: 1000},
        {1: "As Ad", 2: "Ks Kd", 3: "Qs Qd", 4: "Qh Qc", 5: "2c 7d"},
        BOARD,
        5,
    )
    hand.acts("3 call", "4 call", "5 call", "1 allin", "2 allin", "3 raise 400", "4 call", "5 fold")
    hand.acts(*["3 check", "4 check"] * 3).showdown()
    assert hand.settle().announcement.es == (
        "asientos 3 y 4: pozo secundario 2 de 300 con par de reinas; "
        "asiento 2: pozo secundario 1 de 450 con par de reyes; "
        "asiento 1: pozo principal de 500 con par de ases"
    )
    assert hand.settle().payouts[1].words.es == (
        "pozo secundario 2 con par de reinas: 150, repartido entre 2"
    )


@pytest.mark.rule("PR-17")
def test_in_stud_the_best_open_hand_shows_first_when_nobody_bet() -> None:
    """Open cards at the end: 2c Kd Ks 4h, then 2d Qc Qh 6h, then Ah 9c 9h Th: seat 2's pair is not best,
    seat 1's kings are. Given seat 3 the kings, seat 3 shows first.
    """
    kings = "2c Kd Ks 4h"
    for first, (one, three) in {1: (kings, "Ah 9c 9h Th"), 3: ("Ah 9c 9h Th", kings)}.items():
        hand = Hand(
            opened("seven_card_stud", {"structure": "fixed_limit"}),
            seats(2000, 3),
            {1: f"3c 3h {one} 5h", 2: "4s 4d 2d Qc Qh 6h 7h", 3: f"8s 8d {three} Jh"},
        )
        while GAME["seven_card_stud"].prompts(hand.state)[0].kind != "show":
            may = hand.may()
            what = "bring_in" if "bring_in" in may else "call" if "call" in may else "check"
            hand.acts(f"{hand.turn} {what}")
        prompts = GAME["seven_card_stud"].prompts(hand.state)
        assert [prompt.seat for prompt in prompts if prompt.kind == "show"] == (
            [1, 2, 3] if first == 1 else [3, 1, 2]
        )
        assert "la mejor mano abierta" in prompts[0].why.es


@pytest.mark.rule("GEN-07")
@pytest.mark.parametrize("chip", [10**9, 3 * 10**9])
def test_the_stack_that_is_offered_is_never_more_than_may_be_had(chip: int) -> None:
    """Forty big blinds of 10^10 are more than the 10^11 a seat may have."""
    state = opened(chip=chip, limits={"blind": (2 * chip, 4 * chip)})
    offered = GAME["texas"].prompts(state)[0].events[0]
    assert offered["amount"] == MOST_ON_A_SPOT // chip * chip
    assert GAME["texas"].play(state, offered).log


@pytest.mark.rule("PR-11")
def test_closing_says_who_puts_in_what() -> None:
    """Button at 4 of 1, 4 and 7: the small blind is seat 7's, who has 30 of its 50 with an ante of 10."""
    state = opened(limits=limits_of("texas", ante=10))
    events = [chips(1, 1000), chips(4, 1000), chips(7, 40), button(4)]
    prompt = GAME["texas"].prompts(GAME["texas"].play_all(state, events))[-1]
    assert prompt.events == (CLOSE,)
    assert prompt.why.es == (
        "ante de 10 cada uno; ciega pequeña de 30 el asiento 7; ciega grande de 100 el asiento 1"
    )


@pytest.mark.rule("PR-17")
def test_closing_in_stud_speaks_of_no_blinds() -> None:
    state = GAME["five_card_stud"].play_all(opened("five_card_stud"), [chips(1, 500), chips(2, 500)])
    prompt = GAME["five_card_stud"].prompts(state)[-1]
    assert prompt.kind == "close" and "ciega" not in prompt.text.es + prompt.why.es
    assert prompt.why.es == "la entrada de 50 se pone con las cartas abiertas"


@pytest.mark.rule("PR-15")
@pytest.mark.parametrize(
    ("one", "two", "board", "winner", "loser"),
    [
        ("Ks Ad", "Kh Qd", "Kc 9h 7s 4d 2s", "par de reyes, con as, nueve y siete", "reina, nueve y siete"),
        ("Ks Kh", "Kd Qd", "Kc 9h 7s 4d 2s", "trío de reyes", "par de reyes"),
        ("As 4h", "Qs 4c", "9h 9d 4s 7d 2c", "dos pares, nueves y cuatros, con as", "cuatros, con reina"),
        ("As 4s", "Ks 3s", "9s 7s 2s 4d 2c", "color al as", "color al rey"),
        ("As Kd", "Ah Qd", "9s 7s 2h 4d 3c", "carta alta, as y rey", "carta alta, as y reina"),
        (
            "As Jd",
            "Ah Td",
            "Qs 7s 2h 4d 3c",
            "as y reina, con jota, siete y cuatro",
            "con diez, siete y cuatro",
        ),
    ],
)
def test_hands_that_read_alike_are_told_with_their_side_cards(
    one: str, two: str, board: str, winner: str, loser: str
) -> None:
    hand = Hand(opened(), {1: 500, 2: 500}, {1: one, 2: two}, board, 1)
    settlement = hand.acts("1 allin", "2 call").showdown().settle()
    lost, won = settlement.payouts
    assert (lost.seat, won.seat) == (2, 1)
    assert loser in lost.words.es and winner in won.words.es and winner in settlement.announcement.es
