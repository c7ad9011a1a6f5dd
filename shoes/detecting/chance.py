"""Chances computed exactly or bounded: tails, first crossings, chi-square. The standard library only.

A row of tails has one entry more than there are trials: `row[s]` is the chance of at least `s` hits.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, erfc, exp, lgamma, log, sqrt


def binomial_tail(trials: int, chance: float, hits: int) -> float:
    """The chance of at least `hits` in so many independent trials."""
    return sum(
        comb(trials, s) * chance**s * (1 - chance) ** (trials - s) for s in range(max(hits, 0), trials + 1)
    )


def _one_more(shares: Sequence[float], chance: float) -> list[float]:
    """The distribution of hits after one more trial."""
    missed = [share * (1 - chance) for share in shares] + [0.0]
    for hits, share in enumerate(shares):
        missed[hits + 1] += share * chance
    return missed


def tails(chances: Sequence[float]) -> list[list[float]]:
    """For 0, 1, 2 … independent trials with these chances: the row of tails."""
    shares, rows = [1.0], [[1.0, 0.0]]
    for chance in chances:
        shares = _one_more(shares, chance)
        row = [0.0]
        for share in reversed(shares):
            row.append(row[-1] + share)
        rows.append(row[::-1])
    return rows


def limits(rows: Sequence[Sequence[float]], level: float) -> list[int]:
    """For each row of tails the least number of hits whose tail is no more than `level`."""
    return [next(hits for hits, tail in enumerate(row) if tail <= level) for row in rows]


def crossing(chances: Sequence[float], limit: Sequence[int]) -> float:
    """The chance that the hits of growing trials ever reach `limit[n]`, the limit after n of them."""
    shares, crossed = [1.0], 0.0
    for chance, bound in zip(chances, limit[1:], strict=True):
        shares = _one_more(shares, chance)
        crossed += sum(shares[bound:])
        del shares[bound:]
    return crossed


def chi_square_above(x: float, df: int) -> float:
    """The chance that chi-square with `df` degrees of freedom is at least x, in closed form.

    Even df = 2m: e^-y Σ y^i/i! for i < m, with y = x/2. Odd df = 2m+1: erfc(√y) + e^-y Σ y^(i+1/2)/Γ(i+3/2)
    for i < m.
    """
    if x <= 0:
        return 1.0
    y = x / 2
    if df % 2 == 0:
        return sum(exp(i * log(y) - y - lgamma(i + 1)) for i in range(df // 2))
    return erfc(sqrt(y)) + sum(exp((i + 0.5) * log(y) - y - lgamma(i + 1.5)) for i in range(df // 2))


def chi_square_below(x: float, df: int) -> float:
    """The chance that chi-square is at most x, by the series of the lower gamma function: good near 0 too."""
    if x <= 0:
        return 0.0
    y, a = x / 2, df / 2
    term = total = exp(a * log(y) - y - lgamma(a + 1))
    n = a
    while term > total * 1e-17:
        n += 1
        term *= y / n
        total += term
    return total
