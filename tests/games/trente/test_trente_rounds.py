"""Rows, chances, announcements and payouts of Treinta y Cuarenta."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Conflict, Refused, RuleViolation, SabotError
from tables.games.base import Detail
from tests.games.trente.building import (
    CHANCE_LIMITS,
    CLOSE,
    GAME,
    LIMITS,
    REFAIT,
    after,
    bet,
    choose,
    returns,
    rows,
    settled,
    start,
)


@pytest.mark.rule("TYC-05")
@pytest.mark.rule("TYC-08")
@pytest.mark.rule("TYC-09")
@pytest.mark.rule("TYC-13")
def test_colour_looks_at_the_very_first_card() -> None:
    """DEA-021: 37 against 32; the first card is black and red wins, so inverse wins."""
    chances = [bet(1, "colour", 1000), bet(1, "inverse", 1000), bet(2, "black", 1000), bet(2, "red", 1000)]
    settlement = settled(*chances, CLOSE, *rows("Ks 9h 8d Qc", "7h Td Jc 5s"))
    assert settlement.outcome.facts["negra"] == 37 and settlement.outcome.facts["roja"] == 32
    assert returns(settlement) == {
        (1, "colour", 0): 0,
        (1, "inverse", 0): 2000,
        (2, "black", 0): 0,
        (2, "red", 0): 2000,
    }
    assert settlement.announcement.es == "37 y 32: gana roja e inverso"
    assert settlement.announcement.en == "37 and 32: red and inverse win"


@pytest.mark.rule("TYC-05")
@pytest.mark.rule("TYC-06")
@pytest.mark.rule("TYC-07")
@pytest.mark.parametrize(("last", "total"), [("Th", 40), ("2c", 32), ("As", 31)])
def test_a_row_is_closed_only_at_31(last: str, total: int) -> None:
    """DEA-023: thirty still takes a card, so forty is the highest end."""
    state = after(start(Detail.CARDS), *rows("Kd Qs 9h Ac", ""))
    assert GAME.hands_on(state)[0].worth.es == "30"
    assert GAME.prompts(state)[0].to == "negra"
    state = after(state, *rows(last, ""))
    assert GAME.hands_on(state)[0].worth.es == str(total)
    assert GAME.prompts(state)[0].to == "roja"


@pytest.mark.rule("TYC-13")
@pytest.mark.parametrize(
    ("negra", "roja", "winner", "call"),
    [
        ("Ks 9h 8d 4c", "Td Jc 5s 9h", "black", "31 y 34: gana negra y color"),
        ("Kh 9h 8d 4c", "Td Jc 5s 9h", "black", "31 y 34: gana negra e inverso"),
        ("Kh 9h 8d 6c", "Td Jc 5s 7h", "red", "33 y 32: gana roja y color"),
        ("Ks 9h 8d 6c", "Td Jc 5s 7h", "red", "33 y 32: gana roja e inverso"),
        ("Ks 9h 8d 6c", "Td Jc 5s 8h", "tie", "33 y 33: empate, suertes nulas"),
        (*REFAIT, "refait", "31 y 31: refait"),
    ],
)
def test_announcements(negra: str, roja: str, winner: str, call: str) -> None:
    settlement = GAME.settle(after(start(Detail.CARDS), *rows(negra, roja)))
    assert (settlement.outcome.winner, settlement.announcement.es) == (winner, call)
    assert [hand.verdict for hand in settlement.outcome.hands] == {
        "black": ["win", "lose"],
        "red": ["lose", "win"],
    }.get(winner, ["push", "push"])


@pytest.mark.rule("TYC-10")
@pytest.mark.rule("TYC-14")
def test_losers_first_then_winners_right_to_left_then_what_is_void() -> None:
    bets = [bet(seat, spot, 1000 * seat) for seat in (1, 2, 3) for spot in ("black", "red")]
    settlement = settled(*bets, bet(2, "colour", 1500), CLOSE, *rows("Ks 9h 8d 4c", "Td Jc 5s 9h"))
    assert [(p.act, p.seat, p.spot) for p in settlement.payouts] == [
        ("collect", 3, "red"),
        ("collect", 2, "red"),
        ("collect", 1, "red"),
        ("pay", 3, "black"),
        ("pay", 2, "black"),
        ("pay", 2, "colour"),
        ("pay", 1, "black"),
    ]
    # K 9 8 4 is 31, T J 5 9 is 34.
    assert settlement.payouts[3].words.es == "gana negra 31 contra 34: 1 a 1 sobre 30,00 = 30,00"
    assert settlement.payouts[0].words.en == "black wins 31 against 34: take 30.00"
    tie = settled(*bets, CLOSE, *rows("Ks 9h 8d 6c", "Td Jc 5s 8h"))
    assert {(p.act, p.pays, p.row, p.rule) for p in tie.payouts} == {("push", "push", "rows_equal", "TYC-10")}
    assert tie.totals.house_result == 0


FULL_CASES: list[tuple[str, str, str, list[Any], Any]] = [
    ("seat", "TYC-03", "no_such_seat", [], bet(11, "black", 1000)),
    ("spot", "TYC-04", "unknown_spot", [], bet(1, "odd", 1000)),
    ("colour off", "TYC-04", "unknown_spot", [], bet(1, "colour", 1000)),
    ("insured colour off", "TYC-04", "unknown_spot", [], bet(1, "insurance_colour", 100)),
    ("chip", "GEN-07", "not_in_chips", [], bet(1, "black", 1050)),
    ("low", "GEN-04", "below_minimum", [], bet(1, "black", 900)),
    ("high", "GEN-04", "above_maximum", [bet(1, "black", 1_000_000)], bet(1, "black", 100)),
    ("gap", "GEN-04", "differential_exceeded", [bet(1, "black", 50_000)], bet(2, "black", 1000)),
    ("nobody", "TYC-02", "no_players", [], CLOSE),
    ("late bet", "TYC-03", "bets_closed", [bet(1, "black", 1000), CLOSE], bet(2, "red", 1000)),
    (
        "late prison",
        "TYC-03",
        "bets_closed",
        [bet(1, "black", 1000), CLOSE],
        {"e": "prison", "seat": 1, "spot": "black", "amount": 1000},
    ),
    ("card before close", "TYC-03", "bets_open", [bet(1, "black", 1000)], rows("Ks", "")[0]),
    ("red first", "TYC-05", "card_not_due", [bet(1, "black", 1000), CLOSE], rows("", "Ks")[0]),
    ("first without suit", "TYC-09", "card_without_suit", [bet(1, "black", 1000), CLOSE], rows("v5", "")[0]),
    (
        "black after 31",
        "TYC-05",
        "card_not_due",
        [bet(1, "black", 1000), CLOSE, *rows("Ks Kh Kd Ac", "")],
        rows("2s", "")[0],
    ),
    (
        "card after both",
        "TYC-05",
        "card_not_due",
        [bet(1, "black", 1000), CLOSE, *rows("Ks Kh Kd Ac", "Ks Kh Kd 2c")],
        rows("", "2s")[0],
    ),
    (
        "a seventh ace of spades",
        "CARD-42",
        "card_too_often",
        [bet(1, "black", 1000), CLOSE, *rows("As As As As As As", "")],
        rows("As", "")[0],
    ),
    (
        "choice without refait",
        "TYC-11",
        "no_refait",
        [bet(1, "black", 1000), CLOSE, *rows("Ks Kh Kd Ac", "Ks Kh Kd 2c")],
        choose(1, "black", "half"),
    ),
    (
        "choice on what is not there",
        "TYC-11",
        "no_such_bet",
        [bet(1, "black", 1000), CLOSE, *rows(*REFAIT)],
        choose(2, "black", "half"),
    ),
    ("nothing insured", "TYC-12", "nothing_to_insure", [], bet(1, "insurance_black", 100)),
    (
        "too small",
        "TYC-12",
        "stake_too_small",
        [bet(1, "black", 1000)],
        bet(1, "insurance_black", 100),
    ),
    (
        "wrong premium",
        "TYC-12",
        "wrong_premium",
        [bet(1, "black", 20_000)],
        bet(1, "insurance_black", 300),
    ),
    (
        "insured twice",
        "TYC-12",
        "insured_already",
        [bet(1, "black", 20_000), bet(1, "insurance_black", 200)],
        bet(1, "insurance_black", 200),
    ),
    (
        "raised without premium",
        "TYC-12",
        "premium_short",
        [bet(1, "black", 20_000), bet(1, "insurance_black", 200), bet(1, "black", 10_000)],
        CLOSE,
    ),
    (
        "choice on an insured stake",
        "TYC-12",
        "insured",
        [
            bet(1, "black", 20_000),
            bet(2, "red", 1000),
            bet(1, "insurance_black", 200),
            CLOSE,
            *rows(*REFAIT),
        ],
        choose(1, "black", "half"),
    ),
]


@pytest.mark.rule("TYC-02")
@pytest.mark.rule("TYC-03")
@pytest.mark.rule("TYC-04")
@pytest.mark.rule("TYC-05")
@pytest.mark.rule("TYC-09")
@pytest.mark.rule("TYC-11")
@pytest.mark.rule("TYC-12")
@pytest.mark.parametrize(
    ("rule", "code", "events", "wrong"),
    [case[1:] for case in FULL_CASES],
    ids=[case[0] for case in FULL_CASES],
)
def test_what_the_rules_forbid(rule: str, code: str, events: list[Any], wrong: Any) -> None:
    rules = {"bets": ["black", "red", "inverse"], "insurance_min_stake_units": 100}
    state = after(
        start(rules=rules, differential=50_000) if code == "differential_exceeded" else start(rules=rules),
        *events,
    )
    before = repr(state)
    with pytest.raises(RuleViolation) as refusal:
        GAME.play(state, wrong)
    assert (refusal.value.rule, refusal.value.code) == (rule, code)
    assert refusal.value.message.es and refusal.value.message.en
    assert repr(state) == before


@pytest.mark.rule("TYC-04")
def test_a_spot_without_limits_is_not_offered() -> None:
    limits = {"black": (1000, 5000), "red": (1000, 5000)}
    state = start(limits=limits)
    assert GAME.prompts(state)[0].options == ("black", "red")
    with pytest.raises(RuleViolation) as refusal:
        GAME.play(state, bet(1, "colour", 1000))
    assert (refusal.value.rule, refusal.value.code) == ("TYC-04", "spot_not_offered")


@pytest.mark.rule("TYC-07")
@pytest.mark.rule("TYC-08")
@pytest.mark.rule("TYC-10")
@pytest.mark.rule("TYC-13")
def test_results_announced() -> None:
    state = start(Detail.RESULT)
    told = {"e": "result", "winner": "black", "chance": "colour", "negra": 31, "roja": 34}
    settlement = GAME.settle(after(state, told))
    assert settlement.announcement.es == "31 y 34: gana negra y color"
    assert not settlement.payouts and settlement.unchecked
    assert GAME.settle(after(state, {"e": "result", "winner": "refait"})).announcement.es == "refait"
    wrong = [
        ({**told, "roja": 41}, "TYC-07", "row_out_of_range"),
        ({**told, "negra": 30}, "TYC-07", "row_out_of_range"),
        ({**told, "negra": 35}, "TYC-08", "result_mismatch"),
        ({**told, "negra": 34}, "TYC-08", "result_mismatch"),
        ({"e": "result", "winner": "tie", "negra": 31, "roja": 31}, "TYC-08", "result_mismatch"),
        ({"e": "result", "winner": "tie", "chance": "colour"}, "TYC-10", "result_mismatch"),
        ({"e": "result", "winner": "black"}, "", "bad_value"),
        ({**told, "winner": "negra"}, "", "bad_value"),
    ]
    for event, rule, code in wrong:
        with pytest.raises(SabotError) as refusal:
            GAME.play(state, event)
        assert (refusal.value.rule, refusal.value.code) == (rule, code)
    with pytest.raises(Refused):
        GAME.play(after(state, told), told)


def test_each_detail_takes_only_its_own_events() -> None:
    for detail, event in [
        (Detail.RESULT, bet(1, "black", 1000)),
        (Detail.RESULT, rows("Ks", "")[0]),
        (Detail.RESULT, CLOSE),
        (Detail.CARDS, bet(1, "black", 1000)),
        (Detail.CARDS, CLOSE),
        (Detail.CARDS, choose(1, "black", "half")),
        (Detail.CARDS, {"e": "prison", "seat": 1, "spot": "black", "amount": 1000}),
        (Detail.CARDS, {"e": "result", "winner": "tie"}),
        (Detail.FULL, {"e": "result", "winner": "tie"}),
    ]:
        with pytest.raises(Refused) as refusal:
            GAME.play(start(detail), event)
        assert refusal.value.code == "detail_forbids"


@pytest.mark.rule("TYC-03")
def test_bets_stand_once_cards_are_out() -> None:
    state = after(start(), bet(1, "black", 1000), CLOSE, *rows("Ks", ""))
    for of in (1, 2):
        with pytest.raises(RuleViolation) as refusal:
            GAME.play(state, {"e": "undo", "of": of, "why": "error"})
        assert (refusal.value.rule, refusal.value.code) == ("TYC-03", "undo_too_late")
    struck = after(state, {"e": "undo", "of": 3, "why": "error"})
    assert struck.negra == () and struck.closed
    with pytest.raises(RuleViolation):
        GAME.play(struck, {"e": "undo", "of": 2, "why": "error"})


@pytest.mark.rule("CARD-41")
def test_a_card_drawn_by_mistake_is_told() -> None:
    state = after(start(), bet(1, "black", 1000), CLOSE, {"e": "note", "code": "exposed_card", "card": "9d"})
    settlement = GAME.settle(after(state, *rows("Ks 9h 8d 4c", "Td Jc 5s 9h")))
    assert [(note.code, note.rule) for note in settlement.notes] == [("exposed_card", "CARD-41")]


def test_an_incomplete_round_says_what_is_missing() -> None:
    states = [
        (start(Detail.RESULT), "TYC-13"),
        (start(), "TYC-03"),
        (after(start(), bet(1, "black", 1000), CLOSE), "TYC-05"),
        (after(start(), bet(1, "black", 1000), CLOSE, *rows(*REFAIT)), "TYC-11"),
    ]
    for state, rule in states:
        with pytest.raises(Conflict) as refusal:
            GAME.settle(state)
        assert (refusal.value.rule, refusal.value.code) == (rule, "round_incomplete")


@pytest.mark.rule("GEN-04")
@pytest.mark.rule("CARD-07")
@pytest.mark.parametrize(
    ("rules", "rule"),
    [
        ({"decks": 5}, "CARD-07"),
        ({"decks": 9}, "CARD-07"),
        ({"bets": ["black", "green"]}, "TYC-04"),
        ({"bets": ["black", "black"]}, "TYC-04"),
        ({"bets": [["black"]]}, "TYC-04"),
        ({"refait_policy": "lose"}, "TYC-11"),
        ({"bets": []}, ""),
        ({"seats": 21}, ""),
        ({"seats_max": 21}, ""),
        ({"insurance_basis_points": 0}, ""),
        ({"even_chance_pays": "0:1"}, ""),
        ({"game": "baccarat.mini"}, ""),
        ({"colour": 1}, ""),
    ],
)
def test_rules_that_cannot_be(rules: dict[str, Any], rule: str) -> None:
    with pytest.raises(Refused) as refusal:
        GAME.read_rules(rules)
    assert refusal.value.rule == rule


def test_rules_round_trip_with_the_rulebooks_defaults() -> None:
    default = GAME.default_rules()
    assert GAME.read_rules({}) == GAME.read_rules(default.to_json()) == default
    assert default.to_json() == {
        "game": "trente.classic",
        "seats": 10,
        "seats_max": 20,
        "decks": 6,
        "bets": ["black", "red", "colour", "inverse"],
        "even_chance_pays": "1:1",
        "refait_policy": "half_or_prison",
        "insurance_basis_points": 100,
        "insurance_min_stake_units": 10,
    }


@pytest.mark.rule("GEN-04")
@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"limits": {}}, "unplayable_limits"),
        ({"limits": {"insurance_black": (100, 1000)}}, "unplayable_limits"),
        ({"limits": {"green": (100, 1000)}}, "unknown_spot"),
        ({"limits": {"black": (1010, 1090)}}, "unplayable_limits"),
        ({"differential": 900}, "unplayable_limits"),
        ({"seats": 21}, "too_many_seats"),
    ],
)
def test_terms_that_cannot_be_played(terms: dict[str, Any], code: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        start(**terms)
    assert refusal.value.code == code
    assert start(limits={**LIMITS, **CHANCE_LIMITS}).bets == ()
