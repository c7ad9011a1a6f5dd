"""The counts behind Caribbean Poker's exact edge, made again: a minute or two.

    python -m tests.games.house_poker.counting

prints whether `tables.games.house_poker.caribbean.COUNTED` is what comes out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from shoes.cards import FRENCH52
from tables.games.house_poker.caribbean import COUNTED, FLOOR, Deals, group_of
from tables.games.poker import ranks

Look = tuple[int, ...]
_PLACES = {card: (ranks.SUITS.index(card[1]), 1 << ranks.RANKS.index(card[0])) for card in FRENCH52.cards}


def _look(cards: Sequence[str]) -> Look:
    """Cards up to the names of the suits: the ranks in each suit as bits, the suits in order of size."""
    suits = [0, 0, 0, 0]
    for card in cards:
        place, bit = _PLACES[card]
        suits[place] |= bit
    suits.sort()
    return tuple(suits)


def count() -> dict[str, Deals]:
    """`COUNTED`, counted. Dealer's hands without the player's cards by inclusion and exclusion: all of
    them, less those with one of the five, plus those with two, and so on.
    """
    seen: dict[Look, tuple[tuple[str, ...], int]] = {}
    everything = []
    hand: tuple[str, ...]
    for hand in combinations(FRENCH52.cards, 5):
        everything.append(ranks.best(hand))
        look = _look(hand)
        first, times = seen.get(look, (hand, 0))
        seen[look] = (first, times + 1)
    everything.sort()
    holding = _values_with()
    found: dict[str, Counter[str]] = {}
    for hand, times in seen.values():
        added = [everything]
        taken: list[list[int]] = []
        for size in range(1, 5):
            side = taken if size % 2 else added
            side += [holding[_look(some)] for some in combinations(hand, size)]
        value = ranks.best(hand)

        def below(
            limit: int, added: list[list[int]] = added, taken: list[list[int]] = taken, own: int = value
        ) -> int:
            more = sum([bisect_left(values, limit) for values in added])
            return more - sum([bisect_left(values, limit) for values in taken]) - (own < limit)

        unqualified = below(FLOOR)
        lower = max(below(value) - unqualified, 0)
        equal = max(below(value + 1), unqualified) - unqualified - lower
        group = found.setdefault(group_of(value), Counter())
        deals = Deals(1, unqualified, lower, equal)
        group.update({name: times * number for name, number in deals._asdict().items()})
    return {group: Deals(*[numbers[name] for name in Deals._fields]) for group, numbers in found.items()}


def _values_with() -> dict[Look, list[int]]:
    """For one to four cards, up to the names of the suits: the values of all hands that hold them."""
    found: dict[Look, list[int]] = {}
    for size in range(1, 5):
        for some in combinations(FRENCH52.cards, size):
            look = _look(some)
            if look not in found:
                rest = [card for card in FRENCH52.cards if card not in some]
                found[look] = sorted(
                    [ranks.best((*some, *others)) for others in combinations(rest, 5 - size)]
                )
    return found


if __name__ == "__main__":
    print("the same" if count() == COUNTED else "NOT the same")
