"""What each game refuses and by which rule; and what is no event at all."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import RuleViolation
from tables.games.base import Game
from tests.games.house_poker.building import (
    ANTE_IN,
    CARIBBEAN,
    CLOSE,
    DRAW,
    GO,
    HAND_1,
    HOUSE,
    THREE,
    bet,
    choice,
    covered,
    dealt,
    fresh,
    go,
    play,
    refused,
    show,
    show_dealer,
    three,
    to,
    to_seat,
)

# What is refused, and by which rule ------------------------------------------------------------


ILLEGAL: list[tuple[str, Game, Any, dict[str, Any], str, str]] = [
    # (what, game, state, event, rule, code)
    ("card before the close", DRAW, play(DRAW, fresh(DRAW), ANTE_IN), to_seat(1), "PH-02", "bets_open"),
    ("close with nobody in", CARIBBEAN, fresh(CARIBBEAN), CLOSE, "PH-02", "no_bets"),
    (
        "Pair Plus without ANTE",
        THREE,
        play(THREE, fresh(THREE), bet(1, "pair_plus", 500)),
        CLOSE,
        "PH-20",
        "bet_missing",
    ),
    ("ANTE after the close", DRAW, dealt(), bet(2, "ante", 1000), "PH-02", "bets_closed"),
    ("BET placed as a bet", DRAW, fresh(DRAW), bet(1, "bet", 2000), "PH-04", "bet_by_choice"),
    ("PLAY placed as a bet", THREE, fresh(THREE), bet(1, "play", 2000), "PH-20", "bet_by_choice"),
    (
        "a side bet the book has not",
        CARIBBEAN,
        fresh(CARIBBEAN),
        bet(1, "five_plus_one", 500),
        "GEN-07",
        "unknown_spot",
    ),
    ("Pair Plus in Draw", DRAW, fresh(DRAW), bet(1, "pair_plus", 500), "GEN-07", "unknown_spot"),
    ("no such seat", DRAW, fresh(DRAW), bet(7, "ante", 500), "PH-14", "no_such_seat"),
    ("no such seat of Go", GO, fresh(GO), bet(8, "bet1", 500), "PH-17", "no_such_seat"),
    ("a second hand", DRAW, fresh(DRAW), {**bet(1, "ante", 500), "hand": 1}, "PH-03", "one_hand"),
    ("not in chips", DRAW, fresh(DRAW), bet(1, "ante", 550), "GEN-07", "not_in_chips"),
    ("above the maximum", DRAW, fresh(DRAW), bet(1, "ante", 100_100), "GEN-04", "above_maximum"),
    (
        "unequal second bet",
        GO,
        play(GO, fresh(GO), bet(1, "bet1", 500)),
        bet(1, "bet2", 600),
        "PH-18",
        "bets_not_equal",
    ),
    ("second bet first", GO, fresh(GO), bet(1, "bet2", 500), "PH-18", "bets_not_equal"),
    (
        "first bet raised late",
        GO,
        play(GO, fresh(GO), bet(1, "bet1", 500), bet(1, "bet2", 500)),
        bet(1, "bet1", 100),
        "PH-18",
        "bets_not_equal",
    ),
    (
        "two bets of three",
        GO,
        play(GO, fresh(GO), bet(1, "bet1", 500), bet(1, "bet2", 500)),
        CLOSE,
        "PH-18",
        "bet_missing",
    ),
    (
        "card to the wrong seat",
        DRAW,
        play(DRAW, fresh(DRAW), ANTE_IN, bet(2, "ante", 500), CLOSE),
        to_seat(2),
        "PH-03",
        "card_not_due",
    ),
    (
        "card to the dealer too soon",
        THREE,
        play(THREE, fresh(THREE), ANTE_IN, CLOSE),
        to("dealer"),
        "PH-19",
        "card_not_due",
    ),
    (
        "card to a vacant seat",
        DRAW,
        play(DRAW, fresh(DRAW), ANTE_IN, CLOSE),
        to_seat(2),
        "PH-03",
        "card_not_due",
    ),
    ("a sixth card", CARIBBEAN, dealt(CARIBBEAN), to_seat(1, "Th"), "PH-16", "card_not_due"),
    ("a community card too soon", GO, go(), to("board", "As"), "PH-18", "card_not_due"),
    (
        "a community card covered",
        GO,
        play(GO, go(), choice(2, "keep")),
        to("board"),
        "PH-17",
        "board_is_open",
    ),
    (
        "the same card twice",
        DRAW,
        play(DRAW, fresh(DRAW), ANTE_IN, CLOSE, to_seat(1, "7h")),
        to("dealer", "7h"),
        "CARD-42",
        "duplicate_card",
    ),
    (
        "a changed card comes back",
        DRAW,
        play(DRAW, dealt(), choice(1, "bet"), choice(3, "fold"), choice(1, "change", cards=["2d"])),
        to_seat(1, "2d"),
        "CARD-42",
        "duplicate_card",
    ),
    (
        "a card without suit",
        DRAW,
        play(DRAW, fresh(DRAW), ANTE_IN, CLOSE),
        to_seat(1, "v5"),
        "PH-22",
        "suit_needed",
    ),
    (
        "deciding during the deal",
        DRAW,
        play(DRAW, fresh(DRAW), ANTE_IN, CLOSE, to_seat(1)),
        choice(1, "bet"),
        "PH-03",
        "choice_not_due",
    ),
    (
        "deciding before the close",
        DRAW,
        play(DRAW, fresh(DRAW), ANTE_IN),
        choice(1, "bet"),
        "PH-02",
        "not_in_play",
    ),
    ("deciding without ANTE", DRAW, dealt(), choice(2, "bet"), "PH-02", "not_in_play"),
    ("BET of three ANTEs", DRAW, dealt(), choice(1, "bet", amount=3000), "PH-04", "inexact_bet"),
    ("BET of one ANTE", CARIBBEAN, dealt(CARIBBEAN), choice(1, "bet", amount=1000), "PH-16", "inexact_bet"),
    ("PLAY of two ANTEs", THREE, three(), choice(2, "play", amount=2000), "PH-20", "inexact_bet"),
    ("BET twice", DRAW, play(DRAW, dealt(), choice(1, "bet")), choice(1, "bet"), "PH-04", "choice_not_due"),
    (
        "folding after the BET",
        DRAW,
        play(DRAW, dealt(), choice(1, "bet")),
        choice(1, "fold"),
        "PH-04",
        "choice_not_due",
    ),
    (
        "BET after folding",
        DRAW,
        play(DRAW, dealt(), choice(1, "fold")),
        choice(1, "bet"),
        "PH-05",
        "folded_hand",
    ),
    ("change before the BET", DRAW, dealt(), choice(1, "change", cards=["2d"]), "PH-06", "bet_first"),
    (
        "change of three",
        DRAW,
        play(DRAW, dealt(), choice(1, "bet")),
        choice(1, "change", cards=["2d", "5s", "9h"]),
        "PH-06",
        "too_many_changed",
    ),
    (
        "change of three covered",
        DRAW,
        play(DRAW, covered(), choice(1, "bet")),
        choice(1, "change", count=3),
        "PH-06",
        "too_many_changed",
    ),
    (
        "change of a card not held",
        DRAW,
        play(DRAW, dealt(), choice(1, "bet")),
        choice(1, "change", cards=["Ac"]),
        "PH-06",
        "card_not_held",
    ),
    (
        "change of one card named twice",
        DRAW,
        play(DRAW, dealt(), choice(1, "bet")),
        choice(1, "change", cards=["2d", "2d"]),
        "PH-06",
        "card_not_held",
    ),
    (
        "change counted of open cards",
        DRAW,
        play(DRAW, dealt(), choice(1, "bet")),
        choice(1, "change", count=1),
        "PH-06",
        "card_not_held",
    ),
    (
        "change twice",
        DRAW,
        play(DRAW, dealt(), choice(1, "bet"), choice(1, "change", cards=["2d"])),
        choice(1, "change", cards=["5s"]),
        "PH-06",
        "choice_not_due",
    ),
    (
        "change in Caribbean",
        CARIBBEAN,
        play(CARIBBEAN, dealt(CARIBBEAN), choice(1, "bet")),
        choice(1, "change", cards=["2d"]),
        "PH-15",
        "no_change",
    ),
    (
        "the dealer's change in Caribbean",
        CARIBBEAN,
        dealt(CARIBBEAN),
        {"e": "choice", "to": "dealer", "do": "change", "cards": ["2c"]},
        "PH-15",
        "no_change",
    ),
    ("change with three cards", THREE, three(), choice(2, "change", count=1), "PH-19", "no_change"),
    ("change in Go Poker", GO, go(), choice(2, "change", count=1), "PH-17", "no_change"),
    (
        "withdrawing twice",
        GO,
        play(GO, go((1, 2)), choice(1, "withdraw")),
        choice(1, "withdraw"),
        "PH-18",
        "choice_not_due",
    ),
    (
        "the dealer revealed before the decisions",
        DRAW,
        covered(),
        show_dealer(HOUSE),
        "PH-09",
        "revealed_early",
    ),
    (
        "the dealer revealed before the replacement",
        DRAW,
        play(
            DRAW,
            covered(),
            choice(1, "bet"),
            choice(3, "bet"),
            choice(1, "change", count=1),
            choice(3, "keep"),
        ),
        show_dealer(HOUSE),
        "PH-09",
        "revealed_early",
    ),
    (
        "the dealer revealed early in Caribbean",
        CARIBBEAN,
        covered(CARIBBEAN),
        show_dealer(HOUSE),
        "PH-03",
        "revealed_early",
    ),
    (
        "the dealer revealed early with three cards",
        THREE,
        three(),
        show_dealer("As Ks Qs"),
        "PH-19",
        "revealed_early",
    ),
    (
        "a hand turned over during the change",
        DRAW,
        play(DRAW, covered(), choice(1, "bet")),
        show(1, HAND_1),
        "PH-07",
        "revealed_early",
    ),
    (
        "a folded hand turned over",
        DRAW,
        play(DRAW, covered(), choice(1, "fold"), choice(3, "bet"), choice(3, "keep")),
        show(1, HAND_1),
        "PH-05",
        "folded_hand",
    ),
    ("a hand turned over twice", DRAW, dealt(), show(1, HAND_1), "PH-03", "nothing_covered"),
    (
        "shown cards that are out already",
        DRAW,
        play(DRAW, covered(), choice(1, "bet"), choice(3, "fold"), choice(1, "keep"), show_dealer(HOUSE)),
        show(1, "8c 8d 8h 8s 2h"),
        "CARD-42",
        "duplicate_card",
    ),
    (
        "shown cards with one twice",
        DRAW,
        play(DRAW, covered(), choice(1, "bet"), choice(3, "fold"), choice(1, "keep")),
        show_dealer("8c 8c 8h 8s 2h"),
        "CARD-42",
        "duplicate_card",
    ),
    (
        "the dealer's change when none is due",
        DRAW,
        dealt(),
        {"e": "choice", "to": "dealer", "do": "change", "cards": ["2c"]},
        "PH-14",
        "choice_not_due",
    ),
    (
        "undoing an ANTE with cards out",
        DRAW,
        dealt(),
        {"e": "undo", "of": 1, "why": "error"},
        "PH-02",
        "undo_too_late",
    ),
    (
        "undoing the close with cards out",
        GO,
        go(),
        {"e": "undo", "of": 4, "why": "error"},
        "PH-18",
        "undo_too_late",
    ),
]


@pytest.mark.rule("PH-02")
@pytest.mark.rule("PH-03")
@pytest.mark.rule("PH-04")
@pytest.mark.rule("PH-05")
@pytest.mark.rule("PH-06")
@pytest.mark.rule("PH-07")
@pytest.mark.rule("PH-09")
@pytest.mark.rule("PH-14")
@pytest.mark.rule("PH-15")
@pytest.mark.rule("PH-16")
@pytest.mark.rule("PH-17")
@pytest.mark.rule("PH-18")
@pytest.mark.rule("PH-19")
@pytest.mark.rule("PH-20")
@pytest.mark.rule("PH-22")
@pytest.mark.rule("CARD-42")
@pytest.mark.rule("GEN-04")
@pytest.mark.rule("GEN-07")
@pytest.mark.parametrize(
    ("game", "state", "event", "rule", "code"), [row[1:] for row in ILLEGAL], ids=[row[0] for row in ILLEGAL]
)
def test_an_illegal_event_is_refused_by_its_rule(
    game: Game, state: Any, event: dict[str, Any], rule: str, code: str
) -> None:
    refusal = refused(game, state, event)
    assert isinstance(refusal, RuleViolation)
    assert (refusal.rule, refusal.code) == (rule, code)
