"""The true distribution of what `distribution` measures, counted without any approximation.

The number of draws of n cards in which the classes come out o1, o2 … is Π C(size, o). They are summed by Σ
weight·o² as polynomials whose coefficients lie side by side in one big integer, so every count is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

Classes = Sequence[tuple[int, int]]
"""For each class how many cards the pack holds of it, and the weight of the square of its count."""


def ranks(decks: int) -> Classes:
    return [(4 * decks, 1)] * 13


def suits(decks: int) -> Classes:
    return [(13 * decks, 1)] * 4


def values(decks: int) -> Classes:
    """Nine values of four cards a deck, and tens with sixteen: four times as many, so a quarter of the
    weight."""
    return [(4 * decks, 4)] * 9 + [(16 * decks, 1)]


def draws(classes: Classes, n: int) -> dict[int, int]:
    """How many draws of n cards have each value of Σ weight·o²."""
    width = sum(size for size, _ in classes) // 8 + 1
    by_cards = [0] * (n + 1)
    by_cards[0] = 1
    for size, weight in classes:
        grown = [0] * (n + 1)
        for out in range(min(size, n) + 1):
            ways, shift = comb(size, out), 8 * width * weight * out * out
            for cards in range(n - out + 1):
                if by_cards[cards]:
                    grown[cards + out] += (by_cards[cards] * ways) << shift
        by_cards = grown
    packed = by_cards[n].to_bytes(by_cards[n].bit_length() // 8 + width, "little")
    counted = (int.from_bytes(packed[at : at + width], "little") for at in range(0, len(packed), width))
    return {square: count for square, count in enumerate(counted) if count}


def x_squared(classes: Classes, n: int, square: int) -> float:
    """X² of a draw with this Σ weight·o², by its definition: (N-1)/(N-n) · (Σ o²/E - n)."""
    whole = sum(size for size, _ in classes)
    size, weight = classes[0]
    return (square / weight / (n * size / whole) - n) * (whole - 1) / (whole - n)
