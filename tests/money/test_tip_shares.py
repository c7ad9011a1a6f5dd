"""Tips divided exactly, worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.money.tip_shares import Turn, Weight, shares, weights

HOUR = 3_600


def test_weights_are_hours_times_points_and_posts_without_points_have_none() -> None:
    turns = [
        Turn(1, "dealer", 4 * HOUR),
        Turn(2, "payer", 2 * HOUR),
        Turn(2, "dealer", 1 * HOUR),
        Turn(3, "supervisor", 6 * HOUR),
    ]
    found = weights(turns, {"dealer": 10, "payer": 8, "supervisor": 0})
    # 4 h x 10; 2 h x 8 + 1 h x 10 = 26.
    assert found == {1: Weight(4 * HOUR, 40 * HOUR), 2: Weight(3 * HOUR, 26 * HOUR)}


def test_the_largest_remainder_gets_the_centavo() -> None:
    # 100 centavos by 3 : 2 : 2 is 42,86 28,57 28,57: whole 42 28 28, two left, to .86 and the first .57.
    assert shares(100, {7: 3, 8: 2, 9: 2}) == {7: 43, 8: 29, 9: 28}


def test_equal_parts_that_do_not_divide() -> None:
    # 10,00 by three: 3,33 each and one centavo, to the lowest id.
    assert shares(1_000, {3: 5, 1: 5, 2: 5}) == {1: 334, 2: 333, 3: 333}


@given(st.integers(0, 10**9), st.dictionaries(st.integers(1, 50), st.integers(1, 10**6), min_size=1))
def test_shares_add_up_and_are_within_a_centavo_of_exact(total: int, parts: dict[int, int]) -> None:
    found, whole = shares(total, parts), sum(parts.values())
    assert sum(found.values()) == total
    for key, amount in found.items():
        exact = total * parts[key]
        assert exact - whole < amount * whole < exact + whole


def test_money_nobody_has_a_part_in_is_a_fault() -> None:
    with pytest.raises(ValueError, match="nothing to divide by"):
        shares(1, {1: 0})
