"""Packs and rounds for the tests of the detectors."""

from __future__ import annotations

import random
from collections.abc import Sequence

from shoes.cards import deck_type


def new_decks(decks: int, kind: str = "french52", suits: str = "") -> list[str]:
    """New decks on one another, ace to king in each suit, as they leave their boxes."""
    deck = deck_type(kind)
    ordered = [rank + suit for suit in suits or deck.suits for rank in deck.ranks]
    return [*ordered, *deck.extras] * decks


def shuffled(decks: int, seed: int, kind: str = "french52") -> list[str]:
    pack = new_decks(decks, kind)
    random.Random(seed).shuffle(pack)
    return pack


def in_rounds(cards: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    """The cards cut into rounds of these sizes, over and over, the last one perhaps short."""
    rounds, at, turn = [], 0, 0
    while at < len(cards):
        size = sizes[turn % len(sizes)]
        rounds.append(list(cards[at : at + size]))
        at, turn = at + size, turn + 1
    return rounds
