"""The rules as data: what the catalogue says, what an operator may change, what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel import rulebook
from casino.kernel.errors import Refused, RuleViolation, SabotError
from casino.kernel.money import Rounding
from tables.games.baccarat import draws, exact
from tables.games.base import Detail, Terms
from tables.games.registry import GAMES, game
from tests.games.building import LIMITS, MIDI, MINI, PUNTO_BANCA, start, terms
from tests.games.legal import OUTCOMES, legal_rounds, won_by_bet

ALL = (PUNTO_BANCA, MIDI, MINI)


def params(rule_id: str) -> Any:
    return rulebook.rule(rule_id).params


@pytest.mark.rule("CARD-06")
@pytest.mark.rule("BAC-22")
@pytest.mark.rule("GEN-09")
@pytest.mark.parametrize("of", ALL, ids=lambda g: g.code)
def test_defaults_are_the_rulebooks(of: Any) -> None:
    rules, entry, pays = of.default_rules(), rulebook.game(of.code), params("BAC-22")
    assert rules.decks == params("CARD-06")["decks_default"] == entry.decks_default
    assert rules.commission_basis_points == pays["banca_commission_percent"] * 100
    assert (rules.punto_pays, rules.banca_pays, rules.tie_pays) == (
        pays["punto_pays"],
        pays["banca_pays"],
        pays["tie_pays"],
    )
    assert f"{rules.commission_rounding}_to_smallest_chip" == params("GEN-09")["deduction_rounding"]
    assert f"{rules.prize_rounding}_to_smallest_chip" == params("GEN-09")["prize_rounding"]
    assert (rules.seats, rules.seats_max) == (entry.seats_default, entry.seats_max)
    assert of.deck_type == entry.deck and of.family == entry.family and of.name == entry.name
    assert of.read_rules({}) == rules


def test_pay_table_rows_are_the_rulebooks() -> None:
    rows = {row["hand"]: row["pays"] for row in rulebook.paytables()["baccarat.banca.no_commission"].rows}
    assert MINI.default_rules().banca_six_pays == rows["banca_wins_with_six"]
    assert MINI.default_rules().banca_variant == "commission"
    assert rulebook.paytables()["baccarat.banca.commission"].default


@pytest.mark.rule("BAC-02")
@pytest.mark.rule("BAC-03")
@pytest.mark.rule("BAC-04")
def test_who_deals_is_the_modalitys() -> None:
    for of, rule_id in ((PUNTO_BANCA, "BAC-02"), (MIDI, "BAC-03"), (MINI, "BAC-04")):
        dealer = params(rule_id)["dealer"]
        assert of.default_rules().dealer == dealer
        with pytest.raises(RuleViolation) as refusal:
            of.read_rules({"dealer": "house" if dealer == "player" else "player"})
        assert (refusal.value.rule, refusal.value.field) == (rule_id, "dealer")


@pytest.mark.rule("BAC-03")
@pytest.mark.rule("BAC-04")
@pytest.mark.rule("BAC-05")
@pytest.mark.parametrize(
    ("of", "rule_id", "most"),
    [
        (PUNTO_BANCA, "BAC-05", params("BAC-05")["positions_max"]),
        (MIDI, "BAC-03", params("BAC-03")["positions"]),
        (MINI, "BAC-04", params("BAC-04")["positions"]),
    ],
    ids=["punto_banca", "midi", "mini"],
)
def test_seats_up_to_the_modalitys_most(of: Any, rule_id: str, most: int) -> None:
    assert of.read_rules({"seats": most, "seats_max": most}).seats == most
    for change in ({"seats": most + 1}, {"seats_max": most + 1, "seats": 1}):
        with pytest.raises(RuleViolation) as refusal:
            of.read_rules(change)
        assert (refusal.value.rule, refusal.value.code) == (rule_id, "too_many_seats")
    assert start(of=of, seats=most).terms.seats == most
    with pytest.raises(RuleViolation) as refusal:
        start(of=of, seats=most + 1)
    assert (refusal.value.rule, refusal.value.field) == (rule_id, "seats")


@pytest.mark.rule("CARD-06")
@pytest.mark.parametrize("decks", range(1, 12))
def test_six_or_eight_decks(decks: int) -> None:
    if decks in params("CARD-06")["decks_allowed"]:
        assert MINI.read_rules({"decks": decks}).decks == decks
        return
    with pytest.raises(RuleViolation) as refusal:
        MINI.read_rules({"decks": decks})
    assert (refusal.value.rule, refusal.value.field) == ("CARD-06", "decks")


@pytest.mark.rule("BAC-10")
def test_points_of_every_card() -> None:
    expected = {
        "A": 1,
        "2": 2,
        "3": 3,
        "4": 4,
        "5": 5,
        "6": 6,
        "7": 7,
        "8": 8,
        "9": 9,
        "T": 0,
        "J": 0,
        "Q": 0,
        "K": 0,
    }
    assert params("BAC-10") == {"ace_points": 1, "ten_and_court_points": 0, "modulo": 10}
    assert {card: value for card, value in draws.VALUES.items() if card[0] != "v"} == {
        rank + suit: value for rank, value in expected.items() for suit in "shdc"
    }
    assert [draws.VALUES[f"v{n}"] for n in range(10)] == list(range(10))
    assert draws.points((9, 8, 7)) == 4


def _two_cards(total: int) -> tuple[int, int]:
    return (0, total)


@pytest.mark.rule("BAC-12")
@pytest.mark.rule("BAC-13")
@pytest.mark.rule("BAC-14")
def test_two_card_table_cell_by_cell() -> None:
    naturals = params("BAC-12")["natural_points"]
    punto_draws, punto_stands = params("BAC-13")["punto_draws"], params("BAC-13")["punto_stands"]
    banca_draws = params("BAC-14")["banca_draws_if_punto_stands"]
    for p in range(10):
        for b in range(10):
            answer = draws.because(_two_cards(p), _two_cards(b))
            assert answer.to == draws.next_hand(_two_cards(p), _two_cards(b))
            if p in naturals or b in naturals:
                assert (answer.to, answer.rule) == ("", "BAC-12"), (p, b)
            elif p in punto_draws:
                assert (answer.to, answer.rule) == ("punto", "BAC-13"), (p, b)
            else:
                assert p in punto_stands
                assert (answer.to, answer.rule) == ("banca" if b in banca_draws else "", "BAC-14"), (p, b)


@pytest.mark.rule("BAC-15")
def test_banca_table_cell_by_cell() -> None:
    cells = 0
    for b in range(8):
        against = params("BAC-15")[f"banca_{b}_draws"]
        for p in params("BAC-13")["punto_draws"]:
            for third in range(10):
                punto = (*_two_cards(p), third)
                answer = draws.because(punto, _two_cards(b))
                assert (answer.to, answer.rule) == ("banca" if third in against else "", "BAC-15"), (
                    b,
                    p,
                    third,
                )
                assert draws.next_hand(punto, (*_two_cards(b), 1)) == ""
                cells += 1
    assert cells == 8 * 6 * 10


def test_words_of_the_table_name_the_figures() -> None:
    assert draws.because((2, 3, 8), (1, 2)).why.es == (
        "la tercera del punto vale 8 y la banca tiene 3: se planta (con 3 sólo pide contra 0 a 7 y 9)"
    )
    assert draws.because((2, 3, 6), (1, 5)).why.es == (
        "la tercera del punto vale 6 y la banca tiene 6: debe pedir (con 6 pide contra 6 y 7)"
    )
    assert "punto has 5" in draws.because((2, 3), (1, 5)).why.en


@pytest.mark.rule("GEN-06")
@pytest.mark.parametrize(
    ("change", "bet"),
    [
        # 8 decks: punto 0.446247, banca 0.458597, tie 0.095156. Break-even: punto 0.458597/0.446247 = 1.0277;
        # tie 0.904844/0.095156 = 9.509 with 8 decks and 0.904931/0.095069 = 9.519 with 6.
        ({"punto_pays": "103:100"}, "punto"),
        ({"tie_pays": "10:1"}, "tie"),
        ({"tie_pays": "951:100"}, "tie"),
        # banca without commission has 0.458597 - 0.446247 = 1.24 % for the player; break-even 2.69 %
        ({"commission_basis_points": 0}, "banca"),
        ({"commission_basis_points": 269}, "banca"),
        ({"banca_variant": "no_commission", "banca_six_pays": "1:1"}, "banca"),
    ],
)
def test_a_pay_table_for_the_player_shows_in_its_edges(change: dict[str, Any], bet: str) -> None:
    """The engine reads and counts it; publishing is what refuses it (tests/tables/test_publishing.py)."""
    edges = MINI.quick_edges(MINI.read_rules(change))
    assert {edge.bet for edge in edges if edge.favours_player} == {bet}
    assert {(edge.bet, edge.method) for edge in edges} == {
        (name, "exact") for name in ("punto", "banca", "tie")
    }


@pytest.mark.rule("GEN-06")
@pytest.mark.parametrize(
    "change",
    [
        {"punto_pays": "102:100"},
        {"tie_pays": "9:1"},
        {"tie_pays": "950:100"},
        {"commission_basis_points": 270},
        {"banca_variant": "no_commission"},
        {"commission_basis_points": 10_000},
    ],
)
def test_a_pay_table_just_for_the_house_favours_nobody_else(change: dict[str, Any]) -> None:
    rules = MINI.read_rules(change)
    assert all(rules.to_json()[key] == value for key, value in change.items())
    assert not any(edge.favours_player for edge in MINI.quick_edges(rules))


@pytest.mark.rule("GEN-06")
@pytest.mark.rule("GEN-09")
def test_rounding_down_needs_stakes_that_carry_commission() -> None:
    # 5 % of 19 chips rounds down to none; of 40 chips to 2. 39 chips carry 1 = 2.56 %, under the 2.69 needed.
    rules = {"commission_rounding": "down"}

    def banca(chips_from: int) -> dict[str, tuple[int, int]]:
        return {**LIMITS, "banca": (chips_from * 500, 1_000_000)}

    for low in (20, 39):
        with pytest.raises(RuleViolation) as refusal:
            start(rules=rules, limits=banca(low))
        assert (refusal.value.rule, refusal.value.field) == ("GEN-06", "commission_rounding")
    assert start(rules=rules, limits=banca(40)).boxes["banca"].low == 20_000
    # Nearest: 10 chips carry 1, 29 carry 1 (3.4 %); 9 carry none.
    assert start(rules={"commission_rounding": "nearest"}, limits=banca(10)).bets == ()
    with pytest.raises(RuleViolation):
        start(rules={"commission_rounding": "nearest"}, limits=banca(9))


@pytest.mark.rule("GEN-06")
@pytest.mark.rule("GEN-09")
@pytest.mark.parametrize("policy", ["up", "nearest"])
def test_prizes_are_never_rounded_up(policy: str) -> None:
    # 1:2 on one chip of 500 is 250: half a chip, which goes up to a whole one: even money on six.
    for variant in (
        {"banca_variant": "no_commission"},
        {"commission_basis_points": 0, "banca_pays": "19:20"},
    ):
        with pytest.raises(RuleViolation) as refusal:
            MINI.read_rules({**variant, "prize_rounding": policy})
        assert (refusal.value.rule, refusal.value.field) == ("GEN-09", "prize_rounding")
        assert "GEN-06" in refusal.value.message.es and "«down»" in refusal.value.message.es
        for fit in ("down", "exact"):
            assert MINI.read_rules({**variant, "prize_rounding": fit}).prize_rounding == fit


@pytest.mark.rule("GEN-06")
@settings(max_examples=300, deadline=None)
@given(legal_rounds())
def test_no_stake_at_any_legal_table_favours_the_player(opened: Any) -> None:
    """Each stake's long run by the counts of all deals, times what `settle` really pays for it."""
    paid = {name: won_by_bet(opened, name) for name in OUTCOMES}
    for decks in (6, 8):
        seen = exact.counts(decks)
        weights = {
            "punto": seen.punto,
            "banca": seen.banca - seen.banca_six,
            "banca_six": seen.banca_six,
            "tie": seen.tie,
        }
        for bet in opened.bets:
            assert sum(weights[name] * paid[name][bet.seat, bet.spot] for name in OUTCOMES) <= 0, bet


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"deks": 6}, "deks"),
        ({"decks": "6"}, "decks"),
        ({"decks": True}, "decks"),
        ({"decks": 6.0}, "decks"),
        ({"seats": 0}, "seats"),
        ({"commission_basis_points": -1}, "commission_basis_points"),
        ({"commission_basis_points": 10_001}, "commission_basis_points"),
        ({"tie_pays": "8"}, "tie_pays"),
        ({"tie_pays": "0:1"}, "tie_pays"),
        ({"tie_pays": 8}, "tie_pays"),
        ({"tie_pays": "8\u0663:10"}, "tie_pays"),
        ({"banca_variant": "free"}, "banca_variant"),
        ({"commission_rounding": "sideways"}, "commission_rounding"),
        ({"game": "baccarat.midi"}, "game"),
        ({"dealer": None}, "dealer"),
    ],
)
def test_bad_rules_name_the_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refusal:
        MINI.read_rules(change)
    assert refusal.value.field == field


@pytest.mark.parametrize("of", ALL, ids=lambda g: g.code)
def test_rules_survive_json(of: Any) -> None:
    rules = of.read_rules({"decks": 8, "commission_rounding": "exact", "tie_pays": "9:1", "seats": 5})
    assert of.read_rules(json.loads(json.dumps(rules.to_json()))) == rules
    assert rules.commission_rounding is Rounding.EXACT


def test_terms_survive_json() -> None:
    for given_terms in (terms(), terms(Detail.RESULT, limits={}), terms(differential=5000, exponent=0)):
        assert Terms.from_json(json.loads(json.dumps(given_terms.to_json()))) == given_terms


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"seats": 0}, "seats"),
        ({"seats": 100}, "seats"),
        ({"detail": "all"}, "detail"),
        ({"chip": 0}, "chip"),
        ({"chip": 2.5}, "chip"),
        ({"limits": {"punto": [10]}}, "limits"),
        ({"limits": {"punto": [10, 9]}}, "limits"),
        ({"limits": []}, "limits"),
        ({"differential": 0}, "differential"),
        ({"exponent": 9}, "exponent"),
        ({"seat": 7}, "seat"),
    ],
)
def test_bad_terms_name_the_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refusal:
        Terms.from_json({**terms().to_json(), **change})
    assert refusal.value.field == field


@pytest.mark.rule("GEN-04")
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"limits": {"punto": (1000, 2000)}}, "limits"),
        ({"limits": {**LIMITS, "banca": (501, 999)}}, "limits"),
        ({"differential": 999}, "differential"),
    ],
)
def test_terms_no_bet_can_meet_are_refused(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        start(**changes)
    assert (refusal.value.rule, refusal.value.field) == ("GEN-04", field)


@pytest.mark.rule("BAC-06")
def test_limits_of_a_spot_the_game_lacks_are_refused() -> None:
    with pytest.raises(RuleViolation) as refusal:
        start(limits={**LIMITS, "dragon": (1, 2)})
    assert (refusal.value.rule, refusal.value.field) == ("BAC-06", "limits")


def test_registry_knows_its_games() -> None:
    assert {"baccarat.punto_banca", "baccarat.midi", "baccarat.mini"} <= set(GAMES)
    assert set(GAMES) <= set(rulebook.games())
    with pytest.raises(SabotError) as refusal:
        game("canasta")
    assert (refusal.value.code, refusal.value.status) == ("unknown_game", 404)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted(MINI.default_rules().to_json())), _json) | _json)
def test_mangled_rules_are_only_refused(data: object) -> None:
    try:
        rules = MINI.read_rules(data)
    except SabotError:
        return
    assert MINI.read_rules(rules.to_json()) == rules


@given(st.dictionaries(st.sampled_from(sorted(terms().to_json())), _json) | _json)
def test_mangled_terms_are_only_refused(data: object) -> None:
    base = terms().to_json()
    try:
        read = Terms.from_json({**base, **data} if isinstance(data, dict) else data)
    except SabotError:
        return
    assert Terms.from_json(read.to_json()) == read
