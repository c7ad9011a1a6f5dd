"""Rules and stakes as data: what is read, what is refused, and with which rule."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import SabotError
from casino.kernel.money import Rounding
from tables.games.base import Detail
from tests.games.ring.building import GAME, NAMES, opened


@pytest.mark.rule("PR-07")
@pytest.mark.rule("PR-10")
@pytest.mark.rule("PR-13")
@pytest.mark.rule("PR-16")
@pytest.mark.parametrize("name", NAMES)
def test_the_rulebooks_defaults(name: str) -> None:
    rules = GAME[name].default_rules()
    assert (rules.rake_basis_points, rules.rake_rounding, rules.rake_unit) == (400, Rounding.UP, "0.50")
    assert (rules.rake_cap, rules.odd_chip_to) == ("none", "first_left_of_button")
    assert (rules.structure, rules.small_blind_percent_of_big) == ("no_limit", 50)
    assert (rules.fixed_early_big_blinds, rules.fixed_late_big_blinds) == (1, 2)
    assert (rules.decks, rules.seats_max) == (1, 7 if name == "seven_card_stud" else 10)


@pytest.mark.parametrize("name", NAMES)
def test_rules_are_read_from_what_they_are_stored_as(name: str) -> None:
    game = GAME[name]
    assert game.read_rules({}) == game.default_rules()
    changed = {
        "structure": "fixed_limit",
        "rake_basis_points": 500,
        "rake_rounding": "nearest",
        "rake_unit": "1",
        "rake_cap": "12.50",
        "rake_free_up_to": "20",
        "no_flop_no_drop": False,
        "rake_from": "main_first",
        "odd_chip_to": "high_card_by_suit",
        "bets_max": 0,
        "blind_is_a_bet": False,
        "heads_up_uncapped": False,
        "burn_log": "required",
        "free_stakes": True,
        "seats": 2,
        "seats_max": 6,
    }
    rules = game.read_rules(changed)
    assert game.read_rules(rules.to_json()) == rules
    assert {key: rules.to_json()[key] for key in changed} == changed


@pytest.mark.parametrize(
    ("field", "value", "rule", "code"),
    [
        ("game", "poker.draw", "", "wrong_game"),
        ("seats", 11, "PR-16", "too_many_seats"),
        ("seats", 1, "PR-16", "too_few_seats"),
        ("seats_max", 11, "PR-16", "too_many_seats"),
        ("decks", 2, "PR-16", "bad_decks"),
        ("structure", "spread_limit", "PR-13", "bad_value"),
        ("structure", None, "PR-13", "bad_value"),
        ("rake_basis_points", -1, "", "out_of_range"),
        ("rake_basis_points", 4.5, "", "bad_value"),
        ("rake_rounding", "exact", "PR-07", "bad_value"),
        ("rake_unit", "0", "PR-07", "bad_amount"),
        ("rake_unit", 0.5, "PR-07", "bad_amount"),
        ("rake_unit", "-1", "PR-07", "bad_amount"),
        ("rake_cap", "nan", "PR-07", "bad_amount"),
        ("rake_cap", "1e9", "PR-07", "bad_amount"),
        ("rake_free_up_to", "٣", "PR-07", "bad_amount"),
        ("rake_from", "winner", "PR-07", "bad_value"),
        ("no_flop_no_drop", 1, "", "bad_value"),
        ("odd_chip_to", "house", "PR-10", "bad_value"),
        ("bets_max", 21, "", "out_of_range"),
        ("burn_log", True, "PR-14", "bad_value"),
        ("small_blind_percent_of_big", 0, "", "out_of_range"),
        ("fixed_early_big_blinds", 3, "", "out_of_range"),
        ("x", 1, "", "unknown_key"),
    ],
)
def test_rules_that_cannot_be(field: str, value: Any, rule: str, code: str) -> None:
    with pytest.raises(SabotError) as caught:
        GAME["texas"].read_rules({field: value})
    assert (caught.value.rule, caught.value.code) == (rule, code)


@pytest.mark.rule("PR-13")
def test_stakes_follow_the_big_blind_or_the_bring_in() -> None:
    texas = opened(limits={"blind": (50, 100), "buy_in": (1, 9_999)})
    assert (texas.stakes.small_bet, texas.stakes.big_bet, texas.stakes.ante) == (100, 200, 0)
    stud = opened("five_card_stud", limits={"bring_in": (5, 20), "ante": (2, 2)})
    assert (stud.stakes.small_bet, stud.stakes.big_bet, stud.stakes.ante) == (20, 40, 2)
    odd = opened(rules={"free_stakes": True}, limits={"blind": (10, 15), "bet": (30, 60)})
    assert (odd.stakes.small_blind, odd.stakes.small_bet, odd.stakes.big_bet) == (10, 30, 60)
    half = opened(rules={"small_blind_percent_of_big": 40}, limits={"blind": (40, 100)})
    assert half.stakes.small_blind == 40
    # No money is logged: nothing of it has to be set.
    assert opened(detail=Detail.CARDS).stakes.big_blind == 0


@pytest.mark.rule("PR-07")
def test_the_houses_share_is_told_as_its_edge() -> None:
    (edge,) = GAME["omaha"].quick_edges(GAME["omaha"].read_rules({"rake_basis_points": 250}))
    assert (edge.bet, edge.percent, edge.method, edge.favours_player) == ("pot", 2.5, "exact", False)
