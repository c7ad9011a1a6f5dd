"""The rules as data: defaults from the book, what may be declared, and what each figure is refused with."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest

from casino.kernel import rulebook
from casino.kernel.errors import Refused, RuleViolation, SabotError
from casino.kernel.money import parse
from tables.games.blackjack.rules import CHARLIE, keys_of
from tables.games.blackjack.variants import MAIN_ROWS, PAIR_TABLES, PRESETS
from tests.games.blackjack.building import CLASSIC, ONLINE, PERFECT

GAMES = (CLASSIC, PERFECT, ONLINE)


def params(rule_id: str) -> Any:
    return rulebook.rule(rule_id).params


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_stored_and_read_again_unchanged(game: Any) -> None:
    default = game.default_rules()
    assert game.read_rules({}) == default
    stored = json.loads(json.dumps(default.to_json()))
    assert game.read_rules(stored) == default
    assert set(stored) == set(keys_of(game.code)) and stored["game"] == game.code
    assert hash(game.read_rules(stored)) == hash(default)


@pytest.mark.rule("BJ-02")
def test_the_three_games_and_what_tells_them_apart() -> None:
    assert [game.code for game in GAMES] == [
        "blackjack.classic",
        "blackjack.perfect_pairs",
        "blackjack.online",
    ]
    assert [set(game.spots) for game in GAMES] == [
        {"main", "insurance"},
        {"main", "insurance", "perfect_pairs"},
        {"main", "insurance"},
    ]
    assert "perfect_pairs_pays" not in keys_of("blackjack.classic")
    assert "preset" in keys_of("blackjack.online") and "preset" not in keys_of("blackjack.perfect_pairs")


@pytest.mark.rule("CARD-05")
@pytest.mark.rule("BJ-03")
@pytest.mark.rule("BJ-04")
@pytest.mark.rule("BJ-05")
@pytest.mark.rule("BJ-16")
@pytest.mark.rule("BJ-23")
@pytest.mark.rule("BJ-24")
@pytest.mark.rule("BJ-27")
@pytest.mark.parametrize("game", [CLASSIC, PERFECT])
def test_defaults_of_the_official_games_are_the_books(game: Any) -> None:
    rules, entry = game.default_rules(), rulebook.game(game.code)
    assert (rules.decks, rules.variant.decks) == (entry.decks_default, entry.decks_allowed)
    assert (rules.seats, rules.seats_max) == (entry.seats_default, entry.seats_max)
    assert list(rules.variant.decks) == params("CARD-05")["decks_allowed"]
    assert rules.hands_per_player == params("BJ-03")["hands_per_player_max"]
    assert rules.seats_max == params("BJ-04")["seats_max"]
    assert rules.hands_to_start_min == params("BJ-05")["hands_to_start_min"]
    assert rules.immediate_pay == params("BJ-16")["immediate_pay_policy"]
    assert rules.splits_max == params("BJ-23")["splits_max"]
    assert rules.split_pair_by == params("BJ-24")["split_pair_by"]
    assert rules.double_totals == params("BJ-27")["double_totals"]
    assert rules.double_after_split is params("BJ-27")["double_after_split"]
    assert rules.surrender == "early" and rules.insurance and rules.even_money


@pytest.mark.rule("BJ-17")
@pytest.mark.rule("BJ-19")
@pytest.mark.rule("BJ-21")
@pytest.mark.rule("BJ-25")
@pytest.mark.rule("BJ-29")
@pytest.mark.rule("BJ-36")
@pytest.mark.rule("BJ-46")
@pytest.mark.rule("BJ-47")
@pytest.mark.rule("BJ-48")
@pytest.mark.parametrize("game", GAMES)
def test_defaults_of_every_form_are_the_books(game: Any) -> None:
    rules = game.default_rules()
    assert rules.dealer_hits_soft_17 is not params("BJ-17")["dealer_stands_soft_17"]
    assert rules.dealer_hits_soft_17 is params("BJ-48")["dealer_hits_soft_17_default"]
    assert rules.even_money_pays == params("BJ-19")["even_money_pays"]
    assert rules.insurance_percent == params("BJ-21")["insurance_max_stake_percent"]
    assert rules.insurance_pays == params("BJ-21")["insurance_pays"]
    assert rules.resplit_aces is params("BJ-25")["resplit_aces"] is params("BJ-48")["resplit_aces"]
    assert rules.surrender_loss_percent == params("BJ-29")["surrender_loss_percent"]
    assert rules.surrender_loss_percent == params("BJ-48")["late_surrender_loss_percent"]
    assert (rules.win_pays, rules.blackjack_pays) == (
        params("BJ-36")["win_pays"],
        params("BJ-36")["blackjack_pays"],
    )
    assert rules.hole_card == params("BJ-46")["hole_card"]
    assert bool(rules.charlie_cards) is params("BJ-47")["charlie_default"]
    assert params("BJ-47")["charlie_cards"] == CHARLIE


@pytest.mark.rule("BJ-36")
def test_rows_and_payouts_are_those_of_the_books_pay_tables() -> None:
    book = {row["hand"]: row["pays"] for row in rulebook.paytables()["blackjack.main"].rows}
    assert set(book) == set(MAIN_ROWS) - {"charlie"}
    assert (book["player_blackjack"], book["total_higher"], book["even_money_taken"]) == ("3:2", "1:1", "1:1")
    insurance = {row["hand"]: row["pays"] for row in rulebook.paytables()["blackjack.insurance"].rows}
    assert insurance == {"dealer_blackjack": "2:1", "no_dealer_blackjack": "lose"}
    for letter in PAIR_TABLES:
        rows = {r["hand"]: r["pays"] for r in rulebook.paytables()[f"blackjack.perfect_pairs.{letter}"].rows}
        assert {**PAIR_TABLES[letter], "no_pair": "lose"} == rows


@pytest.mark.rule("BJ-38")
def test_both_pay_tables_of_the_book_may_be_named() -> None:
    assert dict(PAIR_TABLES["a"]) == {"perfect_pair": "25:1", "colour_pair": "12:1", "mixed_pair": "6:1"}
    assert dict(PAIR_TABLES["b"]) == {"perfect_pair": "30:1", "colour_pair": "10:1", "mixed_pair": "5:1"}
    assert PERFECT.read_rules({"perfect_pairs_pays": "b"}).to_json()["perfect_pairs_pays"] == PAIR_TABLES["b"]
    assert PERFECT.default_rules().perfect_pairs_pays == PAIR_TABLES["a"]


@pytest.mark.parametrize(
    ("game", "key", "value", "rule"),
    [
        (CLASSIC, "decks", 8, "CARD-05"),
        (CLASSIC, "decks", 0, "CARD-05"),
        (PERFECT, "decks", 1, "CARD-05"),
        (ONLINE, "decks", 4, "BJ-45"),
        (CLASSIC, "seats_max", 8, "BJ-04"),
        (ONLINE, "seats", 2, "BJ-04"),
        (CLASSIC, "hands_per_player", 3, "BJ-03"),
        (CLASSIC, "hands_to_start_min", 3, "BJ-05"),
        (CLASSIC, "hole_card", "american", "BJ-46"),
        (CLASSIC, "hole_card", "none", "BJ-46"),
        (CLASSIC, "immediate_pay", "always", "BJ-16"),
        (CLASSIC, "dealer_hits_soft_17", True, "BJ-17"),
        (PERFECT, "resplit_aces", True, "BJ-25"),
        (CLASSIC, "insurance_percent", 51, "BJ-21"),
        (CLASSIC, "insurance_percent", 0, "BJ-21"),
        (CLASSIC, "split_pair_by", "suit", "BJ-24"),
        (CLASSIC, "splits_max", 4, "BJ-23"),
        (CLASSIC, "splits_max", -1, "BJ-23"),
        (CLASSIC, "double_totals", "11", "BJ-27"),
        (CLASSIC, "surrender", "late", "BJ-48"),
        (CLASSIC, "surrender", "sometimes", "BJ-29"),
        (CLASSIC, "surrender_loss_percent", 0, "BJ-29"),
        (CLASSIC, "charlie_cards", 7, "BJ-47"),
        (ONLINE, "charlie_cards", 5, "BJ-47"),
        (ONLINE, "preset", "M2", "BJ-45"),
        (ONLINE, "surrender", "late", "BJ-48"),
        (PERFECT, "perfect_pairs_pays", "c", "BJ-38"),
    ],
)
def test_a_figure_outside_the_book_is_refused_with_its_rule(
    game: Any, key: str, value: Any, rule: str
) -> None:
    with pytest.raises(RuleViolation) as caught:
        game.read_rules({key: value})
    assert caught.value.rule == rule
    assert caught.value.field == key or (key == "seats_max" and caught.value.field in ("seats", "seats_max"))
    assert caught.value.message.es and caught.value.message.en


@pytest.mark.rule("BJ-48")
def test_options_that_need_each_other() -> None:
    with pytest.raises(RuleViolation):
        ONLINE.read_rules({"hole_card": "american", "surrender": "early"})
    assert ONLINE.read_rules({"hole_card": "american", "surrender": "late"}).surrender == "late"
    with pytest.raises(RuleViolation) as caught:
        ONLINE.read_rules({"preset": "M1", "hands_per_player": 2})
    assert caught.value.rule == "BJ-45"
    assert ONLINE.read_rules({"preset": "S3", "hands_per_player": 2}).hands_per_player == 2
    with pytest.raises(RuleViolation) as caught:
        ONLINE.read_rules({"resplit_aces": True, "splits_max": 1})
    assert (caught.value.rule, caught.value.field) == ("BJ-48", "resplit_aces")


@pytest.mark.rule("BJ-05")
def test_a_table_can_hold_the_hands_it_needs_to_start() -> None:
    lonely = {"seats": 1, "seats_max": 1, "hands_per_player": 1}
    with pytest.raises(RuleViolation) as caught:
        CLASSIC.read_rules(lonely)
    assert (caught.value.rule, caught.value.field) == ("BJ-05", "hands_to_start_min")
    assert CLASSIC.read_rules({**lonely, "hands_to_start_min": 1}).seats == 1
    assert CLASSIC.read_rules({**lonely, "hands_per_player": 2}).hands_to_start_min == 2
    with pytest.raises(RuleViolation):
        ONLINE.read_rules({"preset": "M1", "hands_to_start_min": 2})


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "x",
        7,
        {"unknown": 1},
        {"decks": "6"},
        {"decks": True},
        {"decks": 10**400},
        {"game": "baccarat.mini"},
        {"game": None},
        {"win_pays": "1"},
        {"win_pays": "0:1"},
        {"blackjack_pays": None},
        {"insurance": 1},
        {"insurance": "yes"},
        {"split_pair_by": ["value"]},
        {"surrender": {}},
        {5: 1},
    ],
)
def test_malformed_rules_are_refused(game: Any, data: Any) -> None:
    with pytest.raises(SabotError):
        game.read_rules(data)


@pytest.mark.parametrize(
    "pays",
    [
        {},
        {"perfect_pair": "25:1"},
        {"perfect_pair": "25:1", "colour_pair": "12:1", "mixed_pair": "6"},
        5,
        None,
        {"x": "1:1"},
    ],
)
def test_malformed_pay_tables_of_perfect_pairs_are_refused(pays: Any) -> None:
    with pytest.raises(Refused):
        PERFECT.read_rules({"perfect_pairs_pays": pays})


def test_keys_of_another_game_are_refused() -> None:
    for game, key in ((CLASSIC, "perfect_pairs_pays"), (CLASSIC, "preset"), (ONLINE, "perfect_pairs_pays")):
        with pytest.raises(Refused) as caught:
            game.read_rules({key: "a"})
        assert caught.value.code == "unknown_key"


@pytest.mark.rule("BJ-45")
def test_presets_are_the_six_of_the_book() -> None:
    assert list(PRESETS) == ["M1", "M3", "S1", "S3", "Video", "Clasico"]
    assert ONLINE.default_rules().preset in PRESETS
    for code in PRESETS:
        rules = ONLINE.read_rules({"preset": code})
        assert rules.hands_per_player == (1 if code.endswith("1") else 3)
    assert PRESETS["Video"].presentation == "video"


@pytest.mark.rule("BJ-45")
def test_presets_have_the_figures_of_the_book() -> None:
    """casino/rulebook/blackjack.toml, [[preset]]."""
    book = tomllib.loads((rulebook.FOLDER / "blackjack.toml").read_text(encoding="utf-8"))
    assert [preset["code"] for preset in book["preset"]] == list(PRESETS) == params("BJ-45")["presets"]
    for told in book["preset"]:
        ours = PRESETS[told["code"]]
        assert ours.limits(2) == (parse(told["min_stake"]), parse(told["max_stake"]))
        assert (ours.hands_max, ours.presentation) == (told["hands_max"], told["presentation"])
        assert ours.name.as_dict() == told["name"]
    entry = rulebook.game("blackjack.online")
    rules = ONLINE.default_rules()
    assert (rules.decks, rules.variant.decks) == (entry.decks_default, entry.decks_allowed)
    assert (rules.seats, rules.seats_max) == (entry.seats_default, entry.seats_max)
