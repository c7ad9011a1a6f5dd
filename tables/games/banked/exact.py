"""Exact chances of player-banked Baccarat: every deal of a shoe counted, for both ways of choosing.

Where punto is free its bettor may always draw or always stand; a deal on a free total is counted twice,
once each way. Deals of four and five cards are weighted by the ways to draw on to six, so that all weights
add up. Integers throughout.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement

from casino.kernel.words import Text
from tables.games.baccarat.rules import DECKS_ALLOWED
from tables.games.banked.drawing import next_step
from tables.games.banked.rules import SPOTS, Rules
from tables.games.base import Draw, Edge
from tables.games.paying import ratio

_PAIRS = tuple(combinations_with_replacement(range(10), 2))


class _Count:
    """The shoe while it is counted, and what punto and banca won and tied under one way of choosing."""

    def __init__(self, decks: int, free: Collection[int], choice: str) -> None:
        self.left = [16 * decks] + [4 * decks] * 9
        self.cards = 52 * decks
        self.free, self.choice = free, choice
        self.tally = [0, 0, 0]

    def take(self, value: int) -> int:
        ways = self.left[value]
        self.left[value] -= 1
        self.cards -= 1
        return ways

    def back(self, value: int) -> None:
        self.left[value] += 1
        self.cards += 1

    def finish(self, punto: tuple[int, ...], banca: tuple[int, ...], ways: int) -> None:
        if not ways:
            return
        to = next_step(punto, banca, "", self.free)
        if to == "choice":
            to = next_step(punto, banca, self.choice, self.free)
        if not to:
            p, b = sum(punto) % 10, sum(banca) % 10
            for gone in range(len(punto) + len(banca), 6):
                ways *= self.cards - (gone - len(punto) - len(banca))
            self.tally[0 if p > b else 1 if b > p else 2] += ways
            return
        for value in range(10):
            more = ways * self.take(value)
            if to == "punto":
                self.finish((*punto, value), banca, more)
            else:
                self.finish(punto, (*banca, value), more)
            self.back(value)


@lru_cache(maxsize=32)
def counts(decks: int, free: tuple[int, ...], choice: str) -> tuple[int, int, int]:
    """Weights of punto winning, banca winning and a tie, when punto always makes this choice."""
    count = _Count(decks, free, choice)
    for punto in _PAIRS:
        ways_punto = _pair(count, punto)
        for banca in _PAIRS:
            count.finish(punto, banca, ways_punto * _pair(count, banca))
            count.back(banca[0])
            count.back(banca[1])
        count.back(punto[0])
        count.back(punto[1])
    return count.tally[0], count.tally[1], count.tally[2]


def _pair(count: _Count, pair: tuple[int, int]) -> int:
    return (1 if pair[0] == pair[1] else 2) * count.take(pair[0]) * count.take(pair[1])


def edges(rules: Rules, draw: Draw | None = None, rounds: int = 0) -> tuple[Edge, ...]:
    """What punto and the banker lose on average, percent of what they stake, before rounding.

    The bank is a player's: what punto loses the banker wins. Of both together the house keeps only its
    deduction (`quick_edges`), so the banker's figure may be negative.
    """
    found = []
    for decks in DECKS_ALLOWED:
        for choice in ("draw", "stand") if rules.punto_free_choice else ("draw",):
            punto, banca, tie = counts(decks, rules.punto_free_choice, choice)
            deals = punto + banca + tie
            prize, kept = punto * ratio(rules.punto_pays), banca * (1 - _rate(rules))
            for spot, loss in (("punto", banca - prize), ("bank", prize - kept)):
                percent = float(loss / deals * 100)
                found.append(Edge(spot, SPOTS[spot], percent, "exact", decks, note=_note(rules, choice)))
    return (*found, *quick_edges(rules))


def quick_edges(rules: Rules) -> tuple[Edge, ...]:
    """What the house keeps of each unit the bank puts at risk, which is never negative (GEN-06)."""
    found = []
    for decks in DECKS_ALLOWED:
        punto, banca, tie = counts(decks, rules.punto_free_choice, "draw")
        percent = float(Fraction(banca, punto + banca + tie) * _rate(rules) * 100)
        found.append(Edge("deduction", _DEDUCTION, percent, "exact", decks, note=_note(rules, "draw")))
    return tuple(found)


def _rate(rules: Rules) -> Fraction:
    return Fraction(rules.deduction_basis_points, 10_000)


_DEDUCTION = Text("Deducción de la casa", "House deduction")
_NOTES = {
    "draw": Text("el punto siempre pide con {free}", "punto always draws on {free}"),
    "stand": Text("el punto siempre se planta con {free}", "punto always stands on {free}"),
}


def _note(rules: Rules, choice: str) -> Text | None:
    if not rules.punto_free_choice:
        return None
    return _NOTES[choice].fill(free=", ".join(str(total) for total in rules.punto_free_choice))
