"""Exact chances of Punto y Banca: every deal of a shoe counted, in integers.

Cards are drawn without replacement from `decks` whole decks; only values matter, so the count goes
by value composition. Every deal is weighted as if six cards had left the shoe, which makes the
weights of four-, five- and six-card rounds add up. Used to refuse a pay table that favours the
player (GEN-06) and to show the house's edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement

from tables.games.baccarat.draws import next_hand


@dataclass(frozen=True, slots=True)
class Counts:
    """Weights of the outcomes; `deals` is their sum. `banca_six` is part of `banca`."""

    punto: int
    banca: int
    tie: int
    banca_six: int

    @property
    def deals(self) -> int:
        return self.punto + self.banca + self.tie


class _Shoe:
    """What is left of each value, and how many cards in all."""

    def __init__(self, decks: int) -> None:
        self.left = [16 * decks] + [4 * decks] * 9
        self.cards = 52 * decks

    def take(self, value: int) -> int:
        """Remove one card; the number of ways to do it."""
        ways = self.left[value]
        self.left[value] -= 1
        self.cards -= 1
        return ways

    def back(self, value: int) -> None:
        self.left[value] += 1
        self.cards += 1


def _filler(cards: int, drawn: int) -> int:
    """Ways to draw on to six cards, so that all deals weigh alike."""
    ways = 1
    for gone in range(drawn, 6):
        ways *= cards - (gone - drawn)
    return ways


@lru_cache(maxsize=16)
def counts(decks: int) -> Counts:
    """Count every deal of a fresh shoe of `decks` decks of 52."""
    shoe = _Shoe(decks)
    tally = {(p, b): 0 for p in range(10) for b in range(10)}
    pairs = tuple(combinations_with_replacement(range(10), 2))
    for punto in pairs:
        ways_punto = _take_pair(shoe, punto)
        for banca in pairs:
            ways = ways_punto * _take_pair(shoe, banca)
            _finish(shoe, punto, banca, ways, tally)
            _back_pair(shoe, banca)
        _back_pair(shoe, punto)
    return Counts(
        punto=sum(n for (p, b), n in tally.items() if p > b),
        banca=sum(n for (p, b), n in tally.items() if b > p),
        tie=sum(n for (p, b), n in tally.items() if p == b),
        banca_six=sum(n for (p, b), n in tally.items() if b == 6 and b > p),
    )


def _take_pair(shoe: _Shoe, pair: tuple[int, int]) -> int:
    orders = 1 if pair[0] == pair[1] else 2
    return orders * shoe.take(pair[0]) * shoe.take(pair[1])


def _back_pair(shoe: _Shoe, pair: tuple[int, int]) -> None:
    shoe.back(pair[0])
    shoe.back(pair[1])


def _finish(
    shoe: _Shoe, punto: tuple[int, ...], banca: tuple[int, ...], ways: int, tally: dict[tuple[int, int], int]
) -> None:
    """Draw on as the table says and add the weight of every way it can end."""
    if not ways:
        return
    to = next_hand(punto, banca)
    if not to:
        weight = ways * _filler(shoe.cards, len(punto) + len(banca))
        tally[sum(punto) % 10, sum(banca) % 10] += weight
        return
    for value in range(10):
        more = ways * shoe.take(value)
        if to == "punto":
            _finish(shoe, (*punto, value), banca, more, tally)
        else:
            _finish(shoe, punto, (*banca, value), more, tally)
        shoe.back(value)


@dataclass(frozen=True, slots=True)
class Edges:
    """What the house keeps of each stake in the long run, ties counted as stakes (exact)."""

    punto: Fraction
    banca: Fraction
    tie: Fraction


def edges(
    decks: int,
    *,
    punto_pays: Fraction = Fraction(1),
    banca_pays: Fraction = Fraction(1),
    banca_six_pays: Fraction | None = None,
    commission: Fraction = Fraction(5, 100),
    tie_pays: Fraction = Fraction(8),
) -> Edges:
    """House edge per bet. `banca_six_pays` None means that a winning six pays like any other."""
    seen = counts(decks)
    six = banca_pays if banca_six_pays is None else banca_six_pays
    banca_prize = (seen.banca - seen.banca_six) * banca_pays + seen.banca_six * six
    return Edges(
        punto=(seen.banca - seen.punto * punto_pays) / seen.deals,
        banca=(seen.punto - banca_prize * (1 - commission)) / seen.deals,
        tie=(seen.punto + seen.banca - seen.tie * tie_pays) / seen.deals,
    )
