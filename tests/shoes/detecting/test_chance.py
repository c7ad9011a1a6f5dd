"""The chances the detectors stand on, held to fractions, to enumeration and to published tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, exp, gamma, isclose, prod

import pytest

from shoes.detecting import chance

CHANCES = (0.1, 0.5, 0.25, 0.75, 0.3)


def ways(chances: tuple[float, ...]) -> list[tuple[tuple[int, ...], float]]:
    """Every outcome of the trials with its chance."""
    return [
        (outcome, prod(c if hit else 1 - c for c, hit in zip(chances, outcome, strict=True)))
        for outcome in product((0, 1), repeat=len(chances))
    ]


@pytest.mark.parametrize("hits", range(-1, 12))
def test_binomial_tail_is_that_of_fractions(hits: int) -> None:
    third = Fraction(1, 3)
    exact = sum(comb(10, s) * third**s * (1 - third) ** (10 - s) for s in range(max(0, hits), 11))
    assert isclose(chance.binomial_tail(10, 1 / 3, hits), float(exact), rel_tol=1e-12)


@pytest.mark.parametrize("trials", range(6))
def test_tails_are_those_of_all_outcomes(trials: int) -> None:
    row = chance.tails(CHANCES)[trials]
    for hits in range(trials + 2):
        exact = sum(p for outcome, p in ways(CHANCES[:trials]) if sum(outcome) >= hits)
        assert isclose(row[hits], exact, rel_tol=1e-12, abs_tol=1e-15)


def test_limits_are_the_least_hits_that_are_rare_enough() -> None:
    rows = chance.tails(CHANCES)
    for row, limit in zip(rows, chance.limits(rows, 0.05), strict=True):
        assert row[limit] <= 0.05
        assert limit == 0 or row[limit - 1] > 0.05


@pytest.mark.parametrize("limit", [(1, 1, 2, 2, 3, 3), (9, 9, 1, 9, 9, 9), (9, 9, 2, 3, 3, 2), (9,) * 6])
def test_a_crossing_is_counted_once_wherever_it_happens(limit: tuple[int, ...]) -> None:
    exact = sum(
        p
        for outcome, p in ways(CHANCES)
        if any(sum(outcome[:trials]) >= limit[trials] for trials in range(1, 6))
    )
    assert isclose(chance.crossing(CHANCES, limit), exact, rel_tol=1e-12, abs_tol=1e-15)


# The critical values printed in the tables of statistics books (three decimals).
TABLE = [
    (1, 0.05, 3.841), (1, 0.001, 10.828), (3, 0.05, 7.815), (3, 0.001, 16.266), (9, 0.05, 16.919),
    (9, 0.001, 27.877), (12, 0.05, 21.026), (12, 0.001, 32.909), (12, 0.99, 3.571), (9, 0.99, 2.088),
]  # fmt: skip


@pytest.mark.parametrize(("df", "share", "critical"), TABLE)
def test_chi_square_is_that_of_the_tables(df: int, share: float, critical: float) -> None:
    assert (
        chance.chi_square_above(critical - 0.0006, df)
        > share
        > chance.chi_square_above(critical + 0.0006, df)
    )
    assert isclose(chance.chi_square_below(critical, df), 1 - share, abs_tol=2e-4)


@pytest.mark.parametrize("df", [2, 3, 9, 12])
@pytest.mark.parametrize("x", [0.3, 2.0, 15.0, 60.0])
def test_the_tails_of_chi_square_are_the_integrals_of_its_density(df: int, x: float) -> None:
    def density(t: float) -> float:
        return (
            float(t ** (df / 2 - 1)) * exp(-t / 2) / (2 ** (df / 2) * gamma(df / 2))
            if t
            else float(df == 2) / 2
        )

    def integral(low: float, high: float, steps: int = 20_000) -> float:
        """Simpson's rule."""
        h = (high - low) / steps
        inner = sum((4 if i % 2 else 2) * density(low + i * h) for i in range(1, steps))
        return (density(low) + inner + density(high)) * h / 3

    assert isclose(chance.chi_square_above(x, df), integral(x, x + 200), rel_tol=1e-6)
    assert isclose(chance.chi_square_below(x, df), integral(0, x), rel_tol=1e-3)


def test_chi_square_at_its_edge() -> None:
    assert chance.chi_square_above(0, 3) == 1
    assert chance.chi_square_below(0, 3) == 0
    assert 0 < chance.chi_square_below(1e-9, 12) < 1e-50
