"""Perfect Pairs: which pair the first two cards make, and how often, counted exactly (BJ-37, BJ-38)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from casino.kernel.words import Text
from shoes.cards import FRENCH52
from tables.games.paying import ratio

ROWS: Mapping[str, Text] = {
    "perfect_pair": Text("par perfecto", "perfect pair"),
    "colour_pair": Text("par de color", "colour pair"),
    "mixed_pair": Text("par mezclado", "mixed pair"),
    "no_pair": Text("sin par", "no pair"),
}

_RED = frozenset(letter for letter, suit in FRENCH52.suits.items() if suit.red)


def row_of(first: str, second: str) -> str:
    """The row of the pay table two cards make: the same rank, by suit, by colour, or mixed (BJ-37)."""
    if first[0] != second[0]:
        return "no_pair"
    if first[1] == second[1]:
        return "perfect_pair"
    return "colour_pair" if (first[1] in _RED) == (second[1] in _RED) else "mixed_pair"


def combinations(decks: int) -> dict[str, int]:
    """How many two-card hands of a fresh pack of `decks` decks make each row, of 52n(52n-1)/2 in all."""
    return {
        # 52 cards, two of the n copies of each; 26 pairs of suits alike in colour, 52 unlike, n x n copies.
        "perfect_pair": 52 * decks * (decks - 1) // 2,
        "colour_pair": 26 * decks * decks,
        "mixed_pair": 52 * decks * decks,
        "no_pair": 78 * 16 * decks * decks,
    }


def edge(decks: int, pays: Mapping[str, str]) -> Fraction:
    """What the house keeps of each unit staked, before rounding; negative when it favours the player."""
    ways = combinations(decks)
    prizes = sum(ways[row] * ratio(pays[row]) for row in pays)
    return (ways["no_pair"] - prizes) / Fraction(sum(ways.values()))
