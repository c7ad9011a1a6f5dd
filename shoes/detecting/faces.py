"""Faces as small numbers, so that order is arithmetic; and as people read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from casino.kernel.words import Text, same
from shoes.cards import deck_type as deck_type_of
from shoes.cards import sign

BITS = 6
_SUIT = 16
_BESIDE_THE_RANKS = 14


@lru_cache(maxsize=16)
def codes(deck_type: str) -> Mapping[str, int]:
    """Each face's number, below 64: neighbours in rank within a suit differ by one, all others by more.

    A suit takes thirteen of sixteen numbers; the fifteenth of each is left for a joker, two away from any
    rank.
    """
    deck = deck_type_of(deck_type)
    if len(deck.ranks) >= _BESIDE_THE_RANKS or max(len(deck.suits), len(deck.extras)) > 4:
        raise ValueError(f"{deck_type} has more faces than {BITS} bits hold")
    numbers = {
        rank + suit: _SUIT * i + j for i, suit in enumerate(deck.suits) for j, rank in enumerate(deck.ranks)
    }
    numbers |= {extra: _SUIT * i + _BESIDE_THE_RANKS for i, extra in enumerate(deck.extras)}
    return MappingProxyType(numbers)


def numbered(cards: Sequence[str], deck_type: str) -> list[int]:
    """The numbers of `cards`; one whose face is not known gets a negative number next to no other."""
    known = codes(deck_type)
    return [known.get(card, -2 - 2 * at) for at, card in enumerate(cards)]


_SHOWN = 16


def shown(cards: Sequence[str], deck_type: str) -> Text:
    """The first of `cards` as they are printed: `A♠ 2♠ 3♠`."""
    deck = deck_type_of(deck_type)
    return same(
        " ".join([*(sign(card, deck) for card in cards[:_SHOWN]), *("…" for _ in cards[_SHOWN:][:1])])
    )
