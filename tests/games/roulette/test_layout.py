"""The layout against the geometry of the cloth, and every bet's edge against all 37 numbers."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise

import pytest

from casino.kernel import rulebook
from tables.games.base import MOST_ON_A_SPOT
from tables.games.roulette import ROULETTE
from tables.games.roulette.layout import KINDS, LAYOUT, REDS, SPOTS, called
from tables.games.roulette.rules import MOST_TO_ONE, default_rules, edges, read_rules, zero_gives_back
from tests.games.roulette.spins import bet, spun


def at(number: int) -> tuple[int, int]:
    """Row and column on the cloth."""
    return (number - 1) // 3, (number - 1) % 3


def inside(kind: str) -> set[frozenset[int]]:
    return {spot.covers for spot in LAYOUT.values() if spot.kind == kind}


@pytest.mark.rule("RUL-02")
def test_inside_bets_are_the_neighbours_on_the_cloth() -> None:
    ones = range(1, 37)
    assert inside("straight") == {frozenset({n}) for n in range(37)}
    touching = {
        frozenset(pair)
        for pair in combinations(ones, 2)
        if abs(at(pair[0])[0] - at(pair[1])[0]) + abs(at(pair[0])[1] - at(pair[1])[1]) == 1
    }
    assert inside("split") == touching | {frozenset({0, n}) for n in (1, 2, 3)}
    rows = [frozenset(n for n in ones if at(n)[0] == row) for row in range(12)]
    assert inside("street") == set(rows)
    assert inside("six_line") == {a | b for a, b in pairwise(rows)}
    squares = {
        frozenset(n for n in ones if at(n)[0] in (row, row + 1) and at(n)[1] in (column, column + 1))
        for row in range(11)
        for column in range(2)
    }
    assert inside("corner") == squares
    assert inside("trio") == {frozenset({0, 1, 2}), frozenset({0, 2, 3})}
    assert inside("first_four") == {frozenset({0, 1, 2, 3})}


@pytest.mark.rule("RUL-02")
def test_outside_bets() -> None:
    ones = frozenset(range(1, 37))
    columns = [frozenset(n for n in ones if at(n)[1] == column) for column in range(3)]
    dozens = [frozenset(range(12 * d + 1, 12 * d + 13)) for d in range(3)]
    assert inside("column") == set(columns) and inside("dozen") == set(dozens)
    assert inside("two_columns") == {columns[0] | columns[1], columns[1] | columns[2]}
    assert inside("two_dozens") == {dozens[0] | dozens[1], dozens[1] | dozens[2]}
    pairs = [("red", "black"), ("even", "odd"), ("low", "high")]
    for one, other in pairs:
        first, second = LAYOUT[one].covers, LAYOUT[other].covers
        assert len(first) == len(second) == 18
        assert first | second == ones and not first & second
    assert Counter(spot.kind for spot in LAYOUT.values()) == {
        "straight": 37,
        "split": 60,
        "street": 12,
        "trio": 2,
        "corner": 22,
        "first_four": 1,
        "six_line": 11,
        "dozen": 3,
        "column": 3,
        "two_dozens": 2,
        "two_columns": 2,
        "even_chance": 6,
    }


@pytest.mark.rule("RUL-01")
def test_the_reds_are_those_of_the_book() -> None:
    assert sorted(REDS) == rulebook.rule("RUL-01").params["red_numbers"]


def test_codes_and_words_fit_where_they_are_kept_and_tell_spots_apart() -> None:
    assert max(map(len, SPOTS)) <= 20
    assert len({words.es for words in SPOTS.values()}) == len({w.en for w in SPOTS.values()}) == len(SPOTS)
    assert list(SPOTS)[: len(KINDS)] == list(KINDS)
    assert (SPOTS["s17_20"].es, SPOTS["c17"].en, SPOTS["st13"].es) == (
        "Caballo 17-20",
        "Corner 17-18-20-21",
        "Transversal 13-14-15",
    )
    assert set(ROULETTE.layout) == set(LAYOUT)


def test_the_rules_of_the_roulette_are_declared_ours() -> None:
    """The AJ text recovered has no roulette: nothing of ours may look as if it came from there."""
    ours = [rule for rule in rulebook.rules().values() if rule.id.startswith("RUL-")]
    assert [rule.id for rule in ours] == [f"RUL-{n:02d}" for n in range(1, len(ours) + 1)]
    assert {rule.source for rule in ours} <= {"practice", "comparable"}
    assert {rule.games for rule in ours} == {("roulette.single_zero",)}
    assert rulebook.paytables()["roulette.single_zero"].confirm


@pytest.mark.rule("RUL-08")
def test_the_call() -> None:
    assert called(17).es == "17, negro, impar y falta"
    assert called(36).es == "36, rojo, par y pasa"
    assert (called(0).es, called(19).en) == ("cero", "19, red, odd, high")


@pytest.mark.rule("RUL-03")
def test_payouts_are_the_books_and_the_books_table_lists_them_all() -> None:
    rows = {row["hand"]: row["pays"] for row in rulebook.paytables()["roulette.single_zero"].rows}
    assert rows.pop("even_chance_on_zero") == "half_or_prison"
    assert rows == dict(default_rules().pays)
    entry = rulebook.game("roulette.single_zero")
    assert (entry.aj_status, entry.bank, entry.family) == ("non-official", "house", ROULETTE.family)
    assert {row for kind in KINDS.values() for row in (kind.row,)} == set(rows)


@pytest.mark.rule("RUL-03")
@pytest.mark.rule("RUL-06")
def test_over_all_numbers_every_bet_loses_one_unit_and_an_even_chance_half() -> None:
    """36 units on a spot, with each of the 37 numbers: 1/37 of all that was staked is lost, or half of it."""
    for code, spot in LAYOUT.items():
        lost = -sum(spun(number, bet(1, code, 3600)).payouts[0].won for number in range(37))
        assert lost == (1800 if spot.kind == "even_chance" else 3600), code


@pytest.mark.rule("GEN-06")
def test_edges_are_one_in_37_and_even_chances_one_in_74() -> None:
    found = {edge.bet: edge.percent for edge in edges(default_rules())}
    assert set(found) == set(KINDS)
    for kind, percent in found.items():
        assert percent == pytest.approx(100 / 74 if kind == "even_chance" else 100 / 37)
    by_policy = {
        policy: next(e.percent for e in edges(read_rules({"zero_policy": policy})) if e.bet == "even_chance")
        for policy in ("lose", "half", "prison")
    }
    assert by_policy == pytest.approx({"lose": 100 / 37, "half": 100 / 74, "prison": 100 / 74})
    # 36:1 on a number would be fair, 37:1 the player's.
    for pays, favours in (("36:1", False), ("37:1", True)):
        rules = read_rules({"inside_outside_pays": {"straight_one_number": pays}})
        straight = next(e for e in edges(rules) if e.bet == "straight")
        assert straight.favours_player is favours


@pytest.mark.rule("RUL-07")
@pytest.mark.parametrize(("again", "value"), [("stay", 1 / 2), ("lose", 18 / 37)])
def test_what_a_stake_in_prison_is_worth(again: str, value: float) -> None:
    rules = read_rules({"zero_policy": "prison", "zero_again": again})
    assert float(zero_gives_back(rules)) == pytest.approx(value)


@pytest.mark.rule("RUL-07")
def test_double_prison_is_worth_what_repeating_the_spin_gives() -> None:
    # Chance to get out of n prisons, by plain repetition: up to 40 deep, 4,000 spins.
    free = [1.0] + [0.0] * 40
    for _ in range(4000):
        free = [1.0] + [(18 * free[n - 1] + (free[n + 1] if n < 40 else 0)) / 37 for n in range(1, 41)]
    rules = read_rules({"zero_policy": "prison", "zero_again": "double"})
    assert float(zero_gives_back(rules)) == pytest.approx(free[1], abs=1e-9)
    assert Fraction(free[1]) < Fraction(1, 2)


@pytest.mark.rule("RUL-03")
def test_what_the_widest_spin_gives_back_stays_exact_in_json() -> None:
    """At most 21 spots win with a number: all of them at 40 to 1, at fourteen seats, are below 2^53."""
    most = max(sum(number in spot.covers for spot in LAYOUT.values()) for number in range(37))
    assert most == 21
    assert 14 * most * (MOST_TO_ONE + 1) * MOST_ON_A_SPOT < 2**53
