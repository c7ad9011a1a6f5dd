"""Exact chances of Treinta y Cuarenta: what both rows come to, counted without replacement, in integers.

An order of cards weighs the same whichever cards of it lie in which row, so deals are counted by
composition. Of the n cards of one value, some go to the first row and some to the second: over all
values that is the product of (1 + t^value x + u^value y)^n, with t and u keeping the sums and x and y
the numbers of cards. The last card of each row is taken out beforehand, since it alone may pass thirty.
The numbers of cards are packed into one long integer, which is what makes the count quick.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial

STOP, TOP = 31, 40
"""TYC-05 and TYC-07: a row takes cards until it is worth 31, and ends at 40 at most."""

_WIDTH = 352
"""Bits for one count: eight decks give comb(416, 62) x comb(62, 31) < 2^310 at most, the ways to draw two
last cards 2^14, and 55 pairs of them are added."""

_SLOTS = STOP
"""A row without its last card is worth 30 at most, and holds 0 to 30 cards."""

Pack = tuple[int, ...]
"""How many cards there are of the values 1 to 10."""

Table = list[list[int]]
"""By the sums of both rows, the ways to lay them: packed by numbers of cards."""


def pack_of(decks: int) -> Pack:
    """Tens and court cards all count ten (TYC-06)."""
    return (*(4 * decks for _ in range(9)), 16 * decks)


def _falling(top: int, factors: int) -> int:
    """top x (top - 1) x …, so many factors."""
    product = 1
    for less in range(factors):
        product *= top - less
    return product


def _laid(pack: Pack, most: int) -> Table:
    """The ways to lay two rows of sums up to `most`."""
    table = [[0] * (most + 1) for _ in range(most + 1)]
    table[0][0] = 1
    for value in range(10, 0, -1):
        count = pack[value - 1]
        if value >= 3:
            table = _times_power(table, value, count)
        else:
            for _ in range(count):
                _times(table, value)
    return table


def _times_power(table: Table, value: int, count: int) -> Table:
    """The table times (1 + t^value x + u^value y)^count, term by term: few fit below the sums."""
    most = len(table) - 1
    after = [[0] * (most + 1) for _ in range(most + 1)]
    for a in range(min(count, most // value) + 1):
        for b in range(min(count - a, most // value) + 1):
            ways, shift = comb(count, a) * comb(count - a, b), _WIDTH * (a + _SLOTS * b)
            for first in range(a * value, most + 1):
                row, old = after[first], table[first - a * value]
                for second in range(b * value, most + 1):
                    if old[second - b * value]:
                        row[second] += ways * old[second - b * value] << shift
    return after


def _times(table: Table, value: int) -> None:
    """The table times 1 + t^value x + u^value y, in place."""
    most = len(table) - 1
    for first in range(most, -1, -1):
        row = table[first]
        above = table[first - value] if first >= value else None
        for second in range(most, -1, -1):
            if second >= value:
                row[second] += row[second - value] << _WIDTH * _SLOTS
            if above:
                row[second] += above[second] << _WIDTH


def _divided(table: Table, value: int) -> Table:
    """The table divided by 1 + t^value x + u^value y: one card of the value less in the pack."""
    most = len(table) - 1
    after: Table = []
    for first in range(most + 1):
        row: list[int] = []
        after.append(row)
        for second in range(most + 1):
            left = table[first][second]
            if second >= value:
                left -= row[second - value] << _WIDTH * _SLOTS
            if first >= value:
                left -= after[first - value][second] << _WIDTH
            row.append(left)
    return after


@lru_cache(maxsize=8)
def _orders(cards: int) -> tuple[tuple[int, ...], ...]:
    """By cards in both rows, two last cards apart: their orders, as if `2 * STOP` cards had left the pack."""
    return tuple(
        tuple(
            factorial(first) * factorial(second) * _falling(cards - drawn, 2 * STOP - drawn)
            for first in range(_SLOTS)
            if (drawn := first + second + 2)
        )
        for second in range(_SLOTS)
    )


def _weighed(ways: int, cards: int) -> int:
    """Packed ways, each in all its orders."""
    total, mask, column = 0, (1 << _WIDTH) - 1, (1 << _WIDTH * _SLOTS) - 1
    for second, orders in enumerate(_orders(cards)):
        laid = ways >> _WIDTH * _SLOTS * second & column
        for first in range(_SLOTS):
            count = laid >> _WIDTH * first & mask
            if count:
                total += count * orders[first]
    return total


@lru_cache(maxsize=8)
def joint(pack: Pack) -> dict[tuple[int, int], Fraction]:
    """How likely the first row ends on one total and the second on another; a second or two."""
    table, cards = _laid(pack, STOP - 1), sum(pack)
    totals = range(STOP, TOP + 1)
    alike = {(i, j): 0 for i in totals for j in totals}
    apart = dict(alike)
    for first in range(1, 11):
        once = _divided(table, first)
        for second in range(first, 11):
            left = pack[second - 1] - (first == second)
            into, twice = (alike if first == second else apart), _divided(once, second)
            for i in range(STOP, STOP + first):
                for j in range(STOP, STOP + second):
                    into[i, j] += pack[first - 1] * left * twice[i - first][j - second]
    # What ends on i by one last card and on j by another weighs as much the other way round.
    weights = {at: _weighed(apart[at], cards) for at in apart}
    whole = _falling(cards, 2 * STOP)
    return {
        (i, j): Fraction(_weighed(alike[i, j], cards) + weights[i, j] + weights[j, i], whole)
        for i, j in alike
    }


@lru_cache(maxsize=8)
def refait(decks: int) -> Fraction:
    """How likely both rows end on 31 (TYC-11): no last card passes it, and aces fill what is missing.

    Counted apart from `joint`, term by term, because it is asked for before rules are published.
    """
    pack = pack_of(decks)
    ways = {(0, 0, 0, 0): 1}
    for value in range(10, 1, -1):
        ways = _laid_further(ways, value, pack[value - 1])
    aces, cards, total = pack[0], sum(pack), 0
    for (first, second, n, m), count in ways.items():
        a, b = STOP - first, STOP - second
        n, m = n + a, m + b
        lay = comb(aces, a) * comb(aces - a, b) if a + b <= aces else 0
        if lay:
            orders = factorial(n) * factorial(m) * _falling(cards - n - m, 2 * STOP - n - m)
            total += count * lay * orders
    return Fraction(total, _falling(cards, 2 * STOP))


Laid = dict[tuple[int, int, int, int], int]
"""Ways to lay two rows, by both sums and both numbers of cards."""


def _laid_further(ways: Laid, value: int, count: int) -> Laid:
    """All ways to add cards of one value to both rows, none above `STOP`."""
    after: defaultdict[tuple[int, int, int, int], int] = defaultdict(int)
    fit = range(STOP // value + 1)
    picks = [[comb(count, a) * comb(max(count - a, 0), b) for b in fit] for a in fit]
    for (first, second, n, m), laid in ways.items():
        for a in range((STOP - first) // value + 1):
            pick = picks[a]
            for b in range((STOP - second) // value + 1):
                after[first + a * value, second + b * value, n + a, m + b] += laid * pick[b]
    return after


EQUAL: Mapping[int, Fraction] = {
    6: Fraction("0.10959891316214"),
    7: Fraction("0.10961985775428"),
    8: Fraction("0.10963562555978"),
}
"""How likely both rows end alike, 31 included, by decks: what `joint` counts, to fourteen places, kept here
because counting it takes longer than publishing rules may wait. A test counts it again."""


def prisoner(decks: int) -> Fraction:
    """What one unit in prison is worth: freed if it wins, kept by an equality, halved by a refait.

    Winning and losing are alike likely, because both rows are: v = win + (equal - refait) v + refait v / 2.
    """
    twice, alike = refait(decks), EQUAL[decks]
    return ((1 - alike) / 2) / (1 - (alike - twice) - twice / 2)
