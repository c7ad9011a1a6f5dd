"""A device that goes to the tables by a pattern is noticed; chance hardly ever (CARD-46)."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from shoes.detecting.finding import ALARM
from shoes.detecting.regularity import too_regular

TABLES = [f"M-{n}" for n in range(1, 11)]

# The least m with T^m >= 50,000: 2^16 = 65,536, 3^10 = 59,049, 4^8 = 65,536, 5^7 = 78,125, 10^5 = 100,000.
RUNS = [(2, 16), (3, 10), (4, 8), (5, 7), (10, 5)]


def before(tables: int, count: int = 20) -> list[str]:
    """A history without a pattern, to stand before the one in question."""
    chance = random.Random(tables)
    return [chance.choice(TABLES[:tables]) for _ in range(count)]


@pytest.mark.rule("CARD-46")
@pytest.mark.parametrize(("tables", "repeats"), RUNS)
def test_the_same_table_again_and_again(tables: int, repeats: int) -> None:
    assert (
        5 * Fraction(1, tables) ** repeats <= Fraction(1, 10_000) < 5 * Fraction(1, tables) ** (repeats - 1)
    )
    assert too_regular(["M-1"] * repeats, tables) is None
    found = too_regular(["M-1"] * (repeats + 1), tables)
    assert found and found.detector == "regularity" and found.p <= ALARM
    assert json.loads(json.dumps(found.facts)) == {
        "kind": "cycle", "period": 1, "cycle": ["M-1"], "assignments": repeats + 1, "tables": tables,
    }  # fmt: skip
    assert "M-1" in found.words.es and "M-1" in found.words.en


@pytest.mark.rule("CARD-46")
@pytest.mark.parametrize("period", [2, 3, 4])
@pytest.mark.parametrize(("tables", "repeats"), RUNS[2:])
def test_a_fixed_turn(tables: int, repeats: int, period: int) -> None:
    turn = TABLES[:period]
    history = (turn * 10)[: period + repeats]
    assert too_regular(history[:-1], tables) is None
    found = too_regular(history, tables)
    assert found and found.facts["period"] == period
    assert sorted(found.facts["cycle"]) == turn and found.facts["assignments"] == len(history)
    # What came before it does not matter; one exception begins it anew.
    assert too_regular(["M-9", "M-8", *history], 10) is not None
    assert too_regular([*history, "M-9"], tables) is None


def test_a_longer_turn_is_not_seen() -> None:
    assert too_regular(TABLES[:5] * 8, 5) is None


@pytest.mark.rule("CARD-46")
def test_a_favourite_with_exceptions_between() -> None:
    """Five tables, 24 assignments: at most 5·5·P(Bin(24, 1/5) >= s) <= 1/10,000, first at s = 16."""

    def tail(hits: int) -> Fraction:
        fifth = Fraction(1, 5)
        return sum((comb(24, s) * fifth**s * (1 - fifth) ** (24 - s) for s in range(hits, 25)), Fraction(0))

    assert 25 * tail(16) <= Fraction(1, 10_000) < 25 * tail(15)
    # M-1 sixteen times, never five times at the same distance from the last.
    history = list("121131411151121143111211")
    assert history.count("1") == 16 and len(history) == 24
    found = too_regular(history, 5)
    assert found and found.facts["kind"] == "favourite" and found.facts["times"] == 16
    assert abs(found.p / float(25 * tail(16)) - 1) < 1e-9
    assert "4,8" in found.words.es and "4.8" in found.words.en
    less = ["2" if at == 0 else table for at, table in enumerate(history)]
    assert too_regular(less, 5) is None
    # Only the last 24 count.
    assert too_regular(["1"] * 3 + less, 5) is None


def test_no_choice_no_alarm() -> None:
    assert too_regular(["M-1"] * 50, 1) is None
    assert too_regular(["M-1"] * 50, 0) is None
    assert too_regular([], 5) is None
    assert too_regular(["M-1"], 5) is None


@pytest.mark.rule("CARD-46")
def test_of_all_histories_fewer_than_one_in_10000_alarm() -> None:
    """Two tables, 17 assignments: each of the 65,536 histories that begin with one of them is as likely."""
    alarms = sum(too_regular(("A", *history), 2) is not None for history in product("AB", repeat=16))
    assert 0 < alarms / 2**16 <= ALARM


@pytest.mark.rule("CARD-46")
@pytest.mark.parametrize("tables", [2, 3, 10])
def test_assignments_at_random_raise_no_alarm(tables: int) -> None:
    history = before(tables, 600)
    assert not any(too_regular(history[:n], tables) for n in range(1, 600))
