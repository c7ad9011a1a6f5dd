"""The house's edge counted exactly: Pair Plus, Three Card's ANTE and PLAY, and Go Poker.

Counts do not depend on the pay table, so they are made once; a table is then a sum over them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import NamedTuple

from shoes.cards import FRENCH52
from tables.games.house_poker.kinds import GO, THREE_CARD
from tables.games.house_poker.outcome import listed
from tables.games.house_poker.rules import GoRules, ThreeCardRules, qualifier
from tables.games.paying import ratio
from tables.games.poker import ranks

HANDS3 = comb(52, 3)
DEALERS3 = comb(49, 3)


def gain(pays: str) -> Fraction:
    """What a unit staked wins or loses in a row of a pay table."""
    if pays == "lose":
        return Fraction(-1)
    return Fraction(0) if pays == "push" else ratio(pays)


@lru_cache(maxsize=1)
def _listed3() -> Mapping[str, int]:
    """How many of the 22,100 three-card hands fall in each row."""
    return Counter(listed(THREE_CARD, ranks.three(hand)) for hand in combinations(FRENCH52.cards, 3))


def pair_plus(rules: ThreeCardRules) -> Fraction:
    """The edge on Pair Plus per unit staked, over all 22,100 hands."""
    paid = sum(times * gain(rules.pair_plus_pays[row]) for row, times in _listed3().items())
    return -Fraction(paid) / HANDS3


# Three Card's ANTE and PLAY --------------------------------------------------------------------


class Against(NamedTuple):
    """A player's hand against all the dealer's from the other 49 cards: how many do not qualify, and of
    those that do how many are lower, equal and higher.
    """

    row: str
    value: int
    unqualified: int
    lower: int
    equal: int
    higher: int


@lru_cache(maxsize=4)
def against_dealer(floor: int) -> tuple[tuple[Against, int], ...]:
    """Every player's hand against every dealer's, with how often it comes. `floor`: the lowest value
    that qualifies.

    Hands without three given cards are counted by inclusion and exclusion: all of them, less those with
    one of the cards, plus those with two, less the one with all three.
    """
    everything: list[int] = []
    holding: dict[tuple[str, ...], list[int]] = {}
    hands = [(hand, ranks.three(hand)) for hand in combinations(FRENCH52.cards, 3)]
    for hand, value in hands:
        everything.append(value)
        for size in (1, 2):
            for some in combinations(hand, size):
                holding.setdefault(some, []).append(value)
    everything.sort()
    for values in holding.values():
        values.sort()
    found: Counter[Against] = Counter()
    for hand, value in hands:
        ones = [holding[some] for some in combinations(hand, 1)]
        twos = [holding[some] for some in combinations(hand, 2)]

        def below(
            limit: int,
            ones: list[list[int]] = ones,
            twos: list[list[int]] = twos,
            own: int = value,
        ) -> int:
            with_one = sum([bisect_left(values, limit) for values in ones])
            with_two = sum([bisect_left(values, limit) for values in twos])
            return bisect_left(everything, limit) - with_one + with_two - (own < limit)

        unqualified = below(floor)
        lower = max(below(value) - unqualified, 0)
        to_here = max(below(value + 1), unqualified)
        equal = to_here - unqualified - lower
        row = listed(THREE_CARD, value)
        found[Against(row, value, unqualified, lower, equal, DEALERS3 - to_here)] += 1
    return tuple(found.items())


class BestPlay(NamedTuple):
    """`edge` per unit of ANTE when every hand is played as well as can be; `lowest` the lowest value
    with which going on is better than folding.
    """

    edge: Fraction
    lowest: int


def ante_and_play(rules: ThreeCardRules) -> BestPlay:
    """The edge on the ANTE, its bonus and the PLAY that follows it, all 22,100 x 18,424 deals counted."""
    kind, times = THREE_CARD, rules.play_ante_multiple
    unqualified, lower, equal, higher = (
        gain(rules.ante_pays[row]) + times * gain(rules.play_pays[row])
        for row in (kind.unqualified, "player_higher", "hands_equal", "player_lower")
    )
    total, lowest = Fraction(0), 0
    for hand, often in against_dealer(qualifier(rules)[0]):
        played = (
            hand.unqualified * unqualified + hand.lower * lower + hand.equal * equal + hand.higher * higher
        )
        played += DEALERS3 * gain(rules.ante_bonus_pays.get(hand.row, "push"))
        if played > -DEALERS3:
            lowest = min(lowest or hand.value, hand.value)
        total += often * max(played, Fraction(-DEALERS3))
    return BestPlay(-total / (HANDS3 * DEALERS3), lowest)


# Go Poker --------------------------------------------------------------------------------------

Rows = Mapping[str, int]


class Start(NamedTuple):
    """Cards a seat knows, up to the suits' names: their ranks, whether all are of one suit, and how
    many hands look so.
    """

    held: tuple[int, ...]
    suited: bool
    times: int


def _starts(size: int) -> list[Start]:
    found = []
    for held in combinations_with_replacement(range(13), size):
        counts = Counter(held)
        ways = prod(comb(4, number) for number in counts.values())
        if len(counts) == size:
            found.append(Start(held, True, 4))
            ways -= 4
        found.append(Start(held, False, ways))
    return found


def _five(held: Sequence[int], suited: bool) -> str:
    """The row of five cards with these ranks, all of one suit or not."""
    suits = "sssss" if suited else "shdcs"
    # Ranks in order, so that equal ones lie side by side and take different suits.
    cards = [ranks.RANKS[rank] + suit for rank, suit in zip(sorted(held), suits, strict=True)]
    return listed(GO, ranks.best(cards))


@lru_cache(maxsize=1)
def _after_four() -> Mapping[tuple[tuple[int, ...], bool], Rows]:
    """For every four cards, how many of the 48 others make each row."""
    found = {}
    for held, suited, _ in _starts(4):
        rows: Counter[str] = Counter()
        for rank in range(13):
            left = 4 - held.count(rank)
            same = 1 if suited and rank not in held else 0
            if same:
                rows[_five((*held, rank), True)] += 1
            if left - same > 0:
                rows[_five((*held, rank), False)] += left - same
        found[held, suited] = rows
    return found


@lru_cache(maxsize=1)
def _after_three() -> Mapping[tuple[tuple[int, ...], bool], Rows]:
    """For every three cards, how many of the 49 x 48 ways to go on make each row."""
    four = _after_four()
    found = {}
    for held, suited, _ in _starts(3):
        rows: Counter[str] = Counter()
        for rank in range(13):
            left = 4 - held.count(rank)
            same = 1 if suited and rank not in held else 0
            longer = tuple(sorted((*held, rank)))
            for number, one_suit in ((same, True), (left - same, False)):
                if number:
                    rows.update({row: number * often for row, often in four[longer, one_suit].items()})
        found[held, suited] = rows
    return found


def go(rules: GoRules) -> Fraction:
    """Go Poker's edge per unit of one of the equal bets, each withdrawn when that is better.

    The last bets stay whatever comes; the first is judged on three cards, the second on four.
    """
    staying = rules.equal_bets - rules.withdrawable_bets
    total = staying * _on_average(rules, 3, stays=True)
    for known in (3, 4)[: rules.withdrawable_bets]:
        total += _on_average(rules, known, stays=False)
    return -total


def _on_average(rules: GoRules, known: int, stays: bool) -> Fraction:
    after = _after_three() if known == 3 else _after_four()
    each = {row: gain(pays) for row, pays in rules.pays.items()}
    ways = 49 * 48 if known == 3 else 48
    total = Fraction(0)
    for held, suited, times in _starts(known):
        value = sum((often * each[row] for row, often in after[held, suited].items()), Fraction(0))
        total += times * (value if stays else max(value, Fraction(0)))
    return total / (comb(52, known) * ways)
