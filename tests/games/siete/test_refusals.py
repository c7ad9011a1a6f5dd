"""Every illegal event of siete y medio, with the rule that forbids it."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Conflict, Refused, RuleViolation
from tables.games.base import Detail
from tables.games.siete import SIETE
from tables.games.siete.dealing import require_cards_left
from tables.games.siete.points import VALUES
from tables.games.siete.state import Draft
from tests.games.siete.hands import after, bank, bet, chips, choice, drawn, offer, start, table, to

SAT = [bank(1), chips(1, 50_000), chips(6, 30_000), chips(5, 30_000)]
DEALT = [*SAT, to(6, "5o"), to(5, "6o"), to(0, "4o")]
BET = [*DEALT, bet(6, 1000)]
DRAWING = [*BET, choice(6, "draw")]
BOTH = [*BET, *drawn(6, ""), bet(5, 1000), *drawn(5, "")]
OVER = [*BOTH, choice(1, "stand")]
OFFERED = [*SAT, offer(6, 2000)]
SHORT = [bank(1), chips(1, 900), chips(6, 1500), to(6, "5o"), to(0, "4o")]
KEPT = [*OFFERED, choice(1, "keep")]

ILLEGAL: list[tuple[list[Any], Any, str, str]] = [
    ([], bank(7), "SYM-03", "no_such_seat"),
    ([bank(1)], bank(2), "SYM-02", "bank_given"),
    ([], chips(6, 3000), "SYM-02", "no_bank"),
    ([bank(1)], chips(7, 3000), "SYM-03", "no_such_seat"),
    ([bank(1)], chips(6, 900), "GEN-04", "below_minimum"),
    ([bank(1)], chips(6, 1050), "GEN-07", "not_in_chips"),
    (SAT, chips(6, 3000), "SYM-03", "already_in"),
    (DEALT, chips(4, 3000), "SYM-04", "in_too_late"),
    ([], to(6, "5o"), "SYM-02", "card_not_due"),
    ([bank(1)], to(6, "5o"), "SYM-03", "card_not_due"),
    ([bank(1), chips(6, 3000)], to(6, "5o"), "SYM-03", "card_not_due"),
    (SAT, to(5, "5o"), "SYM-03", "card_not_due"),
    (SAT, to(0, "5o"), "SYM-03", "card_not_due"),
    (SAT, to(6, "v5"), "SYM-01", "unknown_card"),
    (SAT, to(6, "8o"), "", "unknown_card"),
    (SAT, to(6, "Kh"), "", "unknown_card"),
    ([*SAT, to(6, "5o")], to(5, "5o"), "CARD-42", "card_twice"),
    (SAT, bet(6, 1000), "SYM-04", "not_your_turn"),
    (DEALT, bet(5, 1000), "SYM-04", "not_your_turn"),
    (DEALT, bet(1, 1000), "SYM-05", "banker_bets"),
    (BET, bet(6, 1000), "SYM-04", "not_your_turn"),
    (DEALT, {**bet(6, 1000), "spot": "pair"}, "SYM-04", "unknown_spot"),
    (DEALT, bet(6, 900), "GEN-04", "below_minimum"),
    (DEALT, bet(6, 20_100), "GEN-04", "above_maximum"),
    (DEALT, bet(6, 1050), "GEN-07", "not_in_chips"),
    (DEALT, to(6, "3o"), "SYM-04", "card_not_due"),
    (DEALT, choice(6, "draw"), "SYM-04", "not_your_turn"),
    (SAT, choice(6, "draw"), "SYM-03", "not_your_turn"),
    ([], choice(6, "draw"), "SYM-02", "not_your_turn"),
    (BET, to(6, "3o"), "SYM-04", "card_not_due"),
    (BET, choice(5, "draw"), "SYM-04", "not_your_turn"),
    (BET, choice(6, "draw", 1), "SYM-04", "not_your_turn"),
    (BET, choice(6, "split"), "SYM-10", "no_splitting"),
    (BET, choice(6, "sell"), "SYM-08", "choice_not_open"),
    (BET, choice(6, "double"), "", "bad_value"),
    (DRAWING, choice(6, "stand"), "SYM-04", "not_your_turn"),
    (DRAWING, to(0, "3o"), "SYM-04", "card_not_due"),
    (DRAWING, to(6, "6o"), "CARD-42", "card_twice"),
    (BOTH, choice(6, "draw"), "SYM-04", "not_your_turn"),
    (BOTH, choice(1, "split"), "SYM-05", "choice_not_open"),
    (OVER, choice(1, "draw"), "SYM-05", "not_your_turn"),
    (OVER, to(0, "3o"), "SYM-05", "card_not_due"),
    (OVER, choice(1, "sell"), "SYM-05", "not_your_turn"),
    (OFFERED, choice(1, "stand"), "SYM-08", "choice_not_open"),
    (OFFERED, choice(6, "sell"), "SYM-08", "not_your_turn"),
    (OFFERED, to(6, "3o"), "SYM-08", "card_not_due"),
    (KEPT, choice(1, "sell"), "SYM-03", "not_your_turn"),
    (KEPT, offer(5, 9000), "SYM-08", "no_offer_now"),
    ([*KEPT, to(6, "3o")], {"e": "undo", "of": 6, "why": "error"}, "", "undo_blocked"),
    (SAT, offer(1, 1000), "SYM-08", "no_offer_now"),
    (SAT, offer(4, 1000), "SYM-08", "no_offer_now"),
    (DEALT, offer(6, 1000), "SYM-08", "no_offer_now"),
    (SAT, offer(6, 1050), "GEN-07", "not_in_chips"),
    ([*SAT, offer(6, 2000)], offer(5, 2000), "SYM-09", "offer_too_low"),
    (SAT, offer(6, 14_600), "SYM-09", "offer_too_high"),
    (
        [bank(1), chips(1, 900), chips(6, 1500), to(6, "5o"), to(0, "4o")],
        bet(6, 1600),
        "GEN-07",
        "not_enough_points",
    ),
    (BET, {"e": "in", "seat": 4}, "", "detail_forbids"),
    (BET, {"e": "result", "winner": "bank"}, "", "detail_forbids"),
    ([*DRAWING, to(6, "1o")], {"e": "undo", "of": 8, "why": "error"}, "SYM-04", "undo_too_late"),
    (DEALT, {"e": "undo", "of": 3, "why": "error"}, "SYM-04", "undo_too_late"),
    (BOTH, {"e": "undo", "of": 8, "why": "error"}, "", "undo_blocked"),
    (SAT, {**to(0, "5o"), "seat": 1}, "", "unknown_key"),
]


@pytest.mark.rule("CARD-42")
@pytest.mark.rule("SYM-01")
@pytest.mark.rule("SYM-02")
@pytest.mark.rule("SYM-03")
@pytest.mark.rule("SYM-04")
@pytest.mark.rule("SYM-05")
@pytest.mark.rule("SYM-08")
@pytest.mark.rule("SYM-09")
@pytest.mark.rule("SYM-10")
@pytest.mark.parametrize(("before", "event", "rule", "code"), ILLEGAL)
def test_illegal_events(before: list[Any], event: Any, rule: str, code: str) -> None:
    state = after(start(), *before)
    said = repr(state)
    with pytest.raises(Refused) as refusal:
        SIETE.play(state, event)
    assert (refusal.value.rule, refusal.value.code) == (rule, code)
    assert repr(state) == said


@pytest.mark.rule("SYM-10")
def test_only_two_court_cards_are_split() -> None:
    state = after(table(9000, rules={"split_court_cards": True}), to(6, "So"), to(0, "4o"), bet(6, 1000))
    for cards in ([], [choice(6, "draw"), to(6, "2o")]):
        with pytest.raises(RuleViolation) as refusal:
            SIETE.play(after(state, *cards), choice(6, "split"))
        assert (refusal.value.rule, refusal.value.code) == ("SYM-10", "not_two_courts")


@pytest.mark.rule("SYM-04")
def test_a_bet_is_undone_while_no_card_came_after_it() -> None:
    state = after(start(), *BET, {"e": "undo", "of": 8, "why": "apuesta mal anotada"}, bet(6, 2000))
    assert state.stakes == {6: 2000}


def test_an_unfinished_hand_is_not_settled() -> None:
    with pytest.raises(Conflict) as refusal:
        SIETE.settle(after(start(), *BET))
    assert refusal.value.code == "round_incomplete"


@pytest.mark.rule("SYM-05")
def test_other_levels_of_detail() -> None:
    cards, results = start(Detail.CARDS), start(Detail.RESULT)
    told = {"e": "result", "winner": "bank"}
    held = after(cards, bank(1))
    for state, event, code in [
        (cards, chips(1, 1000), "detail_forbids"),
        (cards, bet(1, 1000), "detail_forbids"),
        (cards, offer(1, 1000), "detail_forbids"),
        (cards, {"e": "result", "winner": "bank"}, "detail_forbids"),
        (cards, {"e": "in", "seat": 2}, "no_bank"),
        (held, {"e": "in", "seat": 1}, "banker_plays_last"),
        (after(held, {"e": "in", "seat": 2}), {"e": "in", "seat": 2}, "already_in"),
        (results, bank(1), "detail_forbids"),
        (results, to(6, "5o"), "detail_forbids"),
        (results, choice(6, "draw"), "detail_forbids"),
        (results, {"e": "result", "winner": "banca"}, "bad_value"),
        (
            after(results, told),
            told,
            "result_given",
        ),
    ]:
        with pytest.raises(Refused) as refusal:
            SIETE.play(state, event)
        assert refusal.value.code == code


@pytest.mark.rule("CARD-42")
def test_when_the_pack_is_out_one_can_only_stand() -> None:
    draft = Draft(after(start(), *BET))
    draft.banca = list(VALUES)
    with pytest.raises(RuleViolation) as refusal:
        require_cards_left(draft)
    assert (refusal.value.rule, refusal.value.code) == ("CARD-42", "no_cards_left")


@pytest.mark.parametrize(
    ("data", "rule", "field"),
    [
        ({"decks": 2}, "SYM-01", "decks"),
        ({"initial_cards": 3}, "SYM-03", "initial_cards"),
        ({"seats_max": 11}, "SYM-03", "seats_max"),
        ({"seats": 1}, "SYM-03", "seats"),
        ({"main_pays": {"player_seven_and_half": "11:1"}}, "SYM-06", "main_pays"),
        ({"main_pays": {"equal": "1:1"}}, "", "equal"),
        ({"takes_bank": 1}, "", "takes_bank"),
        ({"split_court_cards": "no"}, "", "split_court_cards"),
        ({"offer_time": "never"}, "", "offer_time"),
        ({"offer_max_percent_of_rest": 101}, "", "offer_max_percent_of_rest"),
        ({"game": "social.tute"}, "", "game"),
    ],
)
@pytest.mark.rule("SYM-01")
@pytest.mark.rule("SYM-03")
@pytest.mark.rule("SYM-05")
@pytest.mark.rule("SYM-06")
def test_rules_that_cannot_be_played_are_refused(data: dict[str, Any], rule: str, field: str) -> None:
    with pytest.raises(Refused) as refusal:
        SIETE.read_rules(data)
    assert (refusal.value.rule, refusal.value.field) == (rule, field)


@pytest.mark.rule("GEN-04")
@pytest.mark.rule("SYM-05")
@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"seats": 11}, "SYM-03"),
        ({"seats": 1}, "SYM-03"),
        ({"seats": 1, "detail": Detail.CARDS, "limits": {}}, "SYM-03"),
        ({"seats": 1, "detail": Detail.RESULT, "limits": {}}, "SYM-03"),
        ({"limits": {}}, "GEN-04"),
        ({"limits": {"pair": (100, 200)}}, "GEN-04"),
        ({"limits": {"main": (150, 199)}}, "GEN-04"),
    ],
)
def test_tables_that_cannot_be_played_are_refused(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        start(**changes)
    assert refusal.value.rule == rule
