"""The rules of Challenge 21 as data, and the terms they can be played under."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Refused, RuleViolation
from tests.games.challenge.building import (
    GAME,
    LIMITS,
    bets,
    start,
)


@pytest.mark.rule("CARD-05")
@pytest.mark.rule("BJ-04")
@pytest.mark.rule("BJ-11")
@pytest.mark.rule("BJ-16")
@pytest.mark.rule("BJ-43")
@pytest.mark.parametrize(
    ("rules", "rule"),
    [
        ({"decks": 8}, "CARD-05"),
        ({"seats": 8}, "BJ-04"),
        ({"seats": 7, "seats_max": 6}, "BJ-04"),
        ({"dealer_base_card": "none"}, "BJ-11"),
        ({"immediate_pay": "never"}, "BJ-16"),
        ({"insurance_percent": 51}, "BJ-21"),
        ({"splits_max": 4}, "BJ-23"),
        ({"split_pair_by": "suit"}, "BJ-24"),
        ({"double_totals": "11"}, "BJ-27"),
        ({"surrender_loss_percent": 0}, "BJ-29"),
        ({"decision_applies_to": "one_bet"}, "BJ-43"),
        ({"hands_to_start_min": 3}, "BJ-05"),
        ({"seats": 1, "seats_max": 1}, "BJ-05"),
        ({"surrender": 1}, ""),
        ({"win_pays": "1"}, ""),
        ({"decks": True}, ""),
        ({"immediate_pay": 3}, ""),
        ({"game": "blackjack.classic"}, ""),
        ({"soft": 1}, ""),
    ],
)
def test_rules_that_cannot_be(rules: dict[str, Any], rule: str) -> None:
    with pytest.raises(Refused) as refusal:
        GAME.read_rules(rules)
    assert refusal.value.rule == rule


@pytest.mark.rule("BJ-36")
@pytest.mark.rule("BJ-43")
def test_rules_round_trip_with_the_books_defaults() -> None:
    default = GAME.default_rules()
    assert GAME.read_rules({}) == GAME.read_rules(default.to_json()) == default
    told = default.to_json()
    assert (told["win_pays"], told["blackjack_pays"], told["insurance_pays"]) == ("1:1", "3:2", "2:1")
    assert (told["dealer_base_card"], told["decision_applies_to"]) == ("shared", "each_live_bet")


@pytest.mark.rule("GEN-04")
def test_terms_that_cannot_be_played() -> None:
    for terms, code in [
        ({"limits": {"first": (1000, 2000)}}, "unplayable_limits"),
        ({"limits": {**LIMITS, "main": (1000, 2000)}}, "unknown_spot"),
        ({"limits": {**LIMITS, "third": (1010, 1090)}}, "unplayable_limits"),
        ({"seats": 8}, "too_many_seats"),
    ]:
        with pytest.raises(RuleViolation) as refusal:
            start(**terms)
        assert refusal.value.code == code
    two = start(limits={"first": (1000, 2000), "second": (1000, 2000)})
    assert GAME.prompts(two)[0].options == ("first", "second")
    with pytest.raises(RuleViolation) as refusal:
        GAME.play(two, bets(1, 1, 1, 1000)[2])
    assert (refusal.value.rule, refusal.value.code) == ("GEN-04", "spot_not_offered")
