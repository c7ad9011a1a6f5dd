"""What the croupier reads and calls in poker against the house, word for word."""

from __future__ import annotations

import pytest

from tests.games.house_poker.building import (
    CARIBBEAN,
    CLOSE,
    DRAW,
    GO,
    THREE,
    bet,
    choice,
    covered,
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


@pytest.mark.rule("PH-03")
def test_cards_go_to_a_seat_and_to_the_dealer_in_good_spanish() -> None:
    state = play(DRAW, start(DRAW), bet(2, "ante", 1000), CLOSE)
    first = DRAW.prompts(state)[0].text
    assert (first.es, first.en) == ("Reparta una carta al asiento 2", "Deal a card to seat 2")
    second = DRAW.prompts(play(DRAW, state, to_seat(2)))[0].text
    assert (second.es, second.en) == ("Reparta una carta al croupier", "Deal a card to the dealer")
    wrong = refused(DRAW, state, to("dealer"))
    assert wrong.message.es.startswith("esta carta no es para el croupier sino para el asiento 2")


@pytest.mark.rule("PH-09")
def test_a_hand_is_turned_over_of_somebody() -> None:
    state = covered()
    early = refused(DRAW, state, show_dealer("Ac Ad 3c 4c 5c")).message
    assert early.es == "todavía no se descubre la mano del croupier: faltan decisiones de los jugadores"
    assert early.en == "the hand of the dealer is not turned over yet: players have decisions to make"
    state = play(DRAW, state, choice(1, "bet"), choice(1, "keep"), choice(3, "fold"))
    assert DRAW.prompts(state)[0].text.es == "Descubra la mano del croupier"
    state = play(DRAW, state, show_dealer("8c 8d 4h 3s 2c"))
    assert DRAW.prompts(state)[0].text.es == "Descubra la mano del asiento 1"


@pytest.mark.rule("PH-04")
def test_the_second_bet_is_so_many_times_the_ante() -> None:
    """An ANTE of 10.00 takes a BET of 20.00; with three cards the PLAY is the ANTE again."""
    wrong = refused(DRAW, dealt(), choice(1, "bet", amount=1999)).message
    assert wrong.es == "el BET es exactamente 2 veces el ANTE, que es de 10,00: ponga 20,00"
    why = THREE.prompts(three())[0].why
    assert why.es == "el PLAY es exactamente igual al ANTE: 10,00; retirarse pierde el ANTE"
    assert CARIBBEAN.prompts(dealt(CARIBBEAN))[0].why.en.startswith("the BET is exactly 2 times the ANTE")


@pytest.mark.rule("PH-17")
def test_go_poker_calls_the_hands_that_are_paid() -> None:
    state = go((1, 2, 4))
    wrong = refused(GO, state, to("board", "As")).message
    assert wrong.es == "ahora no va carta a las comunitarias: faltan decisiones de los jugadores"
    for card in ("As", "Ts"):
        state = play(GO, state, [choice(seat, "keep") for seat in (1, 2, 4)], to("board", card))
    state = play(GO, state, show(1, "Ks Qs Js"), show(2, "2c 3d 9h"), show(4, "Td 5c 7h"))
    assert GO.settle(state).announcement.es == "se paga: asiento 4, par de dieces; asiento 1, escala real"
    assert GO.settle(state).outcome.winner == "paid"
