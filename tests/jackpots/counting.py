"""The counts behind Draw Poker's chances at a pool, made again: half a minute.

    python -m tests.jackpots.counting

prints what comes out, and whether `jackpots.odds.DRAWN` is that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from jackpots.odds import CHANGES, DRAWN
from shoes.cards import FRENCH52
from tables.games.house_poker.simulate import changes
from tables.games.poker import ranks

Look = tuple[tuple[int, ...], ...]
_PACK = tuple(FRENCH52.cards)


def category(cards: Sequence[str]) -> str:
    return ranks.category(ranks.best(cards))


def look(cards: Sequence[str]) -> Look:
    """Cards up to the names of the suits: the ranks of each suit, the suits in order."""
    suits: dict[str, list[int]] = {suit: [] for suit in ranks.SUITS}
    for card in cards:
        suits[card[1]].append(ranks.RANKS.index(card[0]))
    return tuple(sorted(tuple(sorted(held)) for held in suits.values()))


def shown(of: Look) -> list[str]:
    return [ranks.RANKS[rank] + suit for held, suit in zip(of, ranks.SUITS, strict=True) for rank in held]


@cache
def going_on(held: Look) -> Counter[str]:
    """What three or four cards become with every two, or every one, of all the others."""
    cards = shown(held)
    others = [card for card in _PACK if card not in cards]
    return Counter(category([*cards, *more]) for more in combinations(others, 5 - len(cards)))


def after_change(hand: Sequence[str], out: Sequence[str]) -> Counter[str]:
    """Every way to change these cards, in 1,081ths. What was changed does not come back: of all the others,
    less those with one of them, plus those with both.
    """
    kept = [card for card in hand if card not in out]
    found = Counter(going_on(look(kept))) if out else Counter()
    if not out:
        found[category(hand)] = CHANGES
    elif len(out) == 1:
        found.subtract([category(hand)])
        found = Counter({kind: number * 23 for kind, number in found.items()})
    else:
        for card in out:
            found.subtract(going_on(look([*kept, card])))
        found.update([category(hand)])
    assert sum(found.values()) == CHANGES
    return found


def looks() -> Iterator[tuple[list[str], int]]:
    """Every hand up to the names of the suits, and how many hands look so."""
    seen = Counter(look(hand) for hand in combinations(_PACK, 5))
    for one, often in seen.items():
        yield shown(one), often


def count() -> dict[int, Counter[str]]:
    """`DRAWN`, counted."""
    found: dict[int, Counter[str]] = {1: Counter(), 2: Counter()}
    for hand, often in looks():
        for most, kinds in found.items():
            for kind, number in after_change(hand, changes(hand, most)).items():
                kinds[kind] += number * often
    return found


if __name__ == "__main__":
    counted = count()
    for most, kinds in counted.items():
        print(most, {kind: kinds[kind] for kind in reversed(ranks.CATEGORIES)})
    print("the same" if counted == {most: Counter(kinds) for most, kinds in DRAWN.items()} else "DIFFERENT")
