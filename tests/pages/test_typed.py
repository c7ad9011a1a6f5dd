"""What a person types, read into events: cards, bets, results, and what cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import SabotError
from tables import entering, keys, offers, telling, typed
from tables.games import registry
from tables.games.base import Detail, Terms

GAME = registry.game("baccarat.mini")
LIMITS = {"punto": (5_000, 100_000), "banca": (5_000, 100_000), "tie": (1_000, 10_000)}


def state(detail: Detail, *events: dict[str, Any]) -> Any:
    opened = GAME.open(GAME.default_rules(), Terms(7, detail, 500, LIMITS))
    return GAME.play_all(opened, events)


def card(to: str, face: str) -> dict[str, Any]:
    return {"e": "card", "to": to, "card": face}


@pytest.mark.parametrize(
    ("text", "face"), [("9d", "9d"), ("kh", "Kh"), ("10d", "Td"), ("T♦", "Td"), (" as ", "As"), ("QC", "Qc")]
)
def test_a_card_goes_to_the_hand_whose_turn_it_is(text: str, face: str) -> None:
    assert typed.events(text, GAME, state(Detail.CARDS)) == [card("punto", face)]
    assert typed.events(text, GAME, state(Detail.CARDS, card("punto", "2c"))) == [card("banca", face)]


def test_a_card_may_name_its_hand() -> None:
    assert typed.events("b9d", GAME, state(Detail.CARDS)) == [card("banca", "9d")]
    assert typed.events("p10d", GAME, state(Detail.CARDS)) == [card("punto", "Td")]


@pytest.mark.rule("BAC-12")
def test_a_card_when_none_is_due_is_put_where_it_was_most_likely_dealt() -> None:
    natural = state(
        Detail.CARDS, card("punto", "9d"), card("banca", "2c"), card("punto", "Kh"), card("banca", "3c")
    )
    events = typed.events("4s", GAME, natural)
    assert events == [card("punto", "4s")]
    with pytest.raises(SabotError) as refusal:
        GAME.play(natural, events[0])
    assert refusal.value.rule == "BAC-12"


def test_the_first_card_says_that_betting_is_over() -> None:
    assert typed.events("9d", GAME, state(Detail.FULL)) == [{"e": "close"}, card("punto", "9d")]
    closed = state(Detail.FULL, {"e": "close"})
    assert typed.events("9d", GAME, closed) == [card("punto", "9d")]


@pytest.mark.parametrize(
    ("text", "seat", "spot", "amount"),
    [
        ("b 3 500", 3, "banca", 50_000),
        ("p1 200", 1, "punto", 20_000),
        ("E 7 12,5", 7, "tie", 1_250),
        ("b 3 6.000", 3, "banca", 600_000),
        ("b 3 6.000,00", 3, "banca", 600_000),
    ],
)
def test_a_bet_is_spot_seat_amount(text: str, seat: int, spot: str, amount: int) -> None:
    assert typed.events(text, GAME, state(Detail.FULL)) == [
        {"e": "bet", "seat": seat, "spot": spot, "amount": amount}
    ]


@pytest.mark.rule("BAC-19")
@pytest.mark.parametrize(
    ("text", "winner", "punto", "banca"),
    [("p 6 2", "punto", 6, 2), ("b 7 1", "banca", 1, 7), ("e 6", "tie", 6, 6), ("b71", "banca", 1, 7)],
)
def test_a_result_is_the_winner_and_its_total_first(text: str, winner: str, punto: int, banca: int) -> None:
    expected = {"e": "result", "winner": winner, "punto": punto, "banca": banca}
    assert typed.events(text, GAME, state(Detail.RESULT)) == [expected]


def test_a_result_without_totals_is_the_winner_alone() -> None:
    assert typed.events("b", GAME, state(Detail.RESULT)) == [{"e": "result", "winner": "banca"}]


@pytest.mark.parametrize(
    ("detail", "text", "code"),
    [
        (Detail.CARDS, "9x", "unknown_card"),
        (Detail.CARDS, "hola", "unknown_card"),
        (Detail.CARDS, "p", "not_understood"),
        (Detail.CARDS, "9" * 80, "not_understood"),
        (Detail.FULL, "b 3 mucho", "bad_amount"),
        (Detail.FULL, "b 3", "not_understood"),
        (Detail.RESULT, "p 6", "not_understood"),
        (Detail.RESULT, "9d", "not_understood"),
        # Digits of other scripts, and a tail behind blanks, are not what somebody at a table typed.
        (Detail.FULL, "b \u0663 500", "not_understood"),
        (Detail.FULL, "b 3 \u0665\u0660\u0660", "bad_amount"),
        (Detail.FULL, "b \uff13 500", "not_understood"),
        (Detail.FULL, "r \u0663", "not_understood"),
        # No letter closes betting on its own: `x 2 25` was a bet mistyped.
        (Detail.FULL, "x 2 25", "not_understood"),
        (Detail.FULL, "x", "unknown_card"),
        (Detail.FULL, "p 1 0", "bad_amount"),
        (Detail.FULL, "p 1 -50", "bad_amount"),
        (Detail.FULL, "p 1 1,250.50", "bad_amount"),
        (Detail.RESULT, "p \u0666 \u0662", "not_understood"),
        (Detail.RESULT, "p\u0666", "not_understood"),
        (Detail.CARDS, "\u0669d", "unknown_card"),
        (Detail.CARDS, "p\uff19d", "not_understood"),
        (Detail.FULL, "b 3 500" + " " * 60 + "99", "not_understood"),
    ],
)
def test_what_cannot_be_read_is_refused_with_an_example(detail: Detail, text: str, code: str) -> None:
    with pytest.raises(SabotError) as refusal:
        typed.events(text, GAME, state(detail))
    assert refusal.value.code == code
    assert refusal.value.message.es != refusal.value.message.en


def test_a_bet_is_read_in_the_language_of_the_page() -> None:
    assert typed.events("b 3 6,000.00", GAME, state(Detail.FULL), "en")[0]["amount"] == 600_000


@pytest.mark.parametrize("word", ["hola", "11s", "x 2 25", "p 9"])
def test_a_refusal_shows_the_whole_word(word: str) -> None:
    with pytest.raises(SabotError) as refusal:
        typed.events(word, GAME, state(Detail.FULL))
    assert f"«{word}»" in refusal.value.message.es


def test_enter_with_no_bets_closes_nothing() -> None:
    with pytest.raises(SabotError) as refusal:
        entering.on_enter(GAME, state(Detail.FULL))
    assert refusal.value.code == "nothing_to_close"


def test_enter_settles_closes_or_says_what_is_due() -> None:
    bet = {"e": "bet", "seat": 1, "spot": "punto", "amount": 10_000}
    assert entering.on_enter(GAME, state(Detail.FULL, bet)) == [{"e": "close"}]
    done = state(
        Detail.CARDS, card("punto", "9d"), card("banca", "2c"), card("punto", "Kh"), card("banca", "3c")
    )
    assert entering.on_enter(GAME, done) == "settle"
    with pytest.raises(SabotError) as refusal:
        entering.on_enter(GAME, state(Detail.CARDS, card("punto", "9d")))
    assert refusal.value.code == "round_incomplete"
    assert refusal.value.message.es == "al pase le falta: reparta una carta a la banca"


@pytest.mark.parametrize(
    ("code", "word", "spots"),
    [
        ("baccarat.mini", "b", ["banca"]),
        ("baccarat.mini", "tie", ["tie"]),  # the English word
        ("roulette.single_zero", "17", ["n17"]),
        ("roulette.single_zero", "17-20", ["s17_20"]),
        ("roulette.single_zero", "1", ["n1"]),  # numbers alone are the number, not the dozen
        ("roulette.single_zero", "doc1", ["d1"]),
        ("roulette.single_zero", "r", ["red"]),
        ("roulette.single_zero", "pa", ["even", "high"]),  # Par or Pasa: not told apart
        ("trente.classic", "sn", ["insurance_black"]),  # Seguro de Negra
        ("trente.classic", "n", ["black"]),
        ("trente.classic", "x", []),
    ],
)
def test_spots_are_named_by_their_first_letters_or_numbers(code: str, word: str, spots: list[str]) -> None:
    assert keys.found(word, keys.bettable(registry.game(code))) == spots


@pytest.mark.parametrize(
    ("word", "decision"),
    [
        ("pi", "hit"),
        ("pl", "stand"),
        ("plantarse", "stand"),
        ("d", "double"),
        ("s", "split"),
        ("nt", "no_insurance"),
    ],
)
def test_decisions_are_named_by_their_first_letters(word: str, decision: str) -> None:
    assert keys.found(word, registry.game("blackjack.classic").choices) == [decision]


def test_what_may_be_several_things_says_which() -> None:
    wheel = registry.game("roulette.single_zero")
    opened = wheel.open(wheel.default_rules(), Terms(7, Detail.FULL, 500, {"even_chance": (1_000, 100_000)}))
    with pytest.raises(SabotError) as refusal:
        typed.events("pa 3 500", wheel, opened)
    assert refusal.value.code == "ambiguous"
    assert "par (Par) o pas (Pasa)" in refusal.value.message.es


@pytest.mark.rule("PR-14")
def test_the_flop_says_that_a_card_was_burned() -> None:
    """What can only lie covered has no key of its own: the board's card came after it."""
    texas = registry.game("poker.texas")
    limits = {"blind": (500, 1_000), "buy_in": (20_000, 200_000)}
    state = texas.open(texas.default_rules(), Terms(6, Detail.FULL, 500, limits))
    table: list[dict[str, Any]] = [
        {"e": "chips", "seat": 1, "amount": 20_000},
        {"e": "chips", "seat": 2, "amount": 20_000},
        {"e": "button", "seat": 1},
        {"e": "close"},
    ]
    state = texas.play_all(state, table)
    state = texas.play_all(state, typed.events("** **", texas, state))  # two covered cards each
    while texas.prompts(state)[0].kind == "choice":
        word = "i" if "call" in texas.prompts(state)[0].options else "pa"  # iguala, pasa
        state = texas.play_all(state, typed.events(word, texas, state))
    flop = typed.events("9d kh 2c", texas, state)
    assert [(e["to"], e["card"]) for e in flop] == [
        ("burn", "??"),
        ("board", "9d"),
        ("board", "Kh"),
        ("board", "2c"),
    ]
    assert texas.play_all(state, flop).log[-1]["card"] == "2c"


def test_enter_closes_the_seats_of_players_poker_and_names_the_button_while_it_lacks() -> None:
    """No bet is on the table yet: chips are what begins a hand between players."""
    texas = registry.game("poker.texas")
    limits = {"blind": (500, 1_000), "buy_in": (20_000, 200_000)}
    state = texas.open(texas.default_rules(), Terms(6, Detail.FULL, 500, limits))
    chips: list[dict[str, Any]] = [{"e": "chips", "seat": seat, "amount": 20_000} for seat in (1, 2)]
    state = texas.play_all(state, chips)
    with pytest.raises(SabotError) as refusal:
        entering.on_enter(texas, state)
    assert "botón" in refusal.value.message.es
    state = texas.play_all(state, [{"e": "button", "seat": 1}])
    assert entering.on_enter(texas, state) == [{"e": "close"}]


def test_a_burned_card_and_a_stake_in_prison_are_told_in_words() -> None:
    burned = {"e": "card", "to": "burn", "card": "??"}
    prison = {"e": "prison", "seat": 2, "spot": "black", "amount": 20_000, "times": 1}
    texas, trente = registry.game("poker.texas"), registry.game("trente.classic")
    assert telling.words_of(texas, burned, 2).es == "carta quemada, tapada"
    assert telling.words_of(texas, {**burned, "card": "9d"}, 2).en == "card burned: 9♦"
    assert telling.words_of(trente, prison, 2).es == "asiento 2: 200,00 a Negra, en prisión"


def test_an_offer_for_the_bank_is_typed_in_money_of_any_amount() -> None:
    """Not by the code `offer` and in centavos, and not only the least there is."""
    siete = registry.game("siete.medio")
    limits = {"main": (2_500, 100_000)}
    state = siete.open(siete.default_rules(), Terms(7, Detail.FULL, 2_500, limits))
    begun = [{"e": "deal", "seat": 1}, *({"e": "chips", "seat": n, "amount": 50_000} for n in (1, 2, 3))]
    state = siete.play_all(state, begun)
    shown = [o for group in offers.groups(siete, state, siete.prompts(state)) for o in group.offers]
    offered = {offer.typed: offer.amount for offer in shown if offer.typed.startswith("of ")}
    assert offered == {"of 2": 2_500, "of 3": 2_500}
    assert typed.events("of 2", siete, state) == [{"e": "offer", "seat": 2, "amount": 2_500}]
    assert typed.events("oferta 3 100", siete, state) == [{"e": "offer", "seat": 3, "amount": 10_000}]


def test_enter_with_seats_that_play_asks_for_the_card_not_for_seats() -> None:
    game = registry.game("blackjack.classic")
    limits = {"main": (2_500, 100_000)}
    opened = game.open(game.default_rules(), Terms(7, Detail.CARDS, 500, limits))
    with pytest.raises(SabotError) as refusal:
        entering.on_enter(game, opened)
    assert refusal.value.code == "nothing_to_close"
    seated = game.play_all(opened, [{"e": "in", "seat": 1}])
    with pytest.raises(SabotError) as refusal:
        entering.on_enter(game, seated)
    assert refusal.value.code == "round_incomplete"
