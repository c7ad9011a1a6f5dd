"""Points of siete y medio, counted in halves so that they stay whole: seven and a half is 15 (SYM-01)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from casino.kernel.words import Text
from shoes.cards import deck_type

DECK = "spanish40"
TARGET = 15
"""Seven and a half, in halves."""

COURTS = frozenset("SCR")
VALUES: dict[str, int] = {
    card: 1 if card[0] in COURTS else 2 * int(card[0]) for card in deck_type(DECK).cards
}
"""Halves of every card: court cards one, the rest twice their number."""


def halves(cards: Sequence[str]) -> int:
    """What a hand comes to, in halves."""
    return sum([VALUES[card] for card in cards])


def is_court(card: str) -> bool:
    return card[0] in COURTS


@lru_cache(maxsize=256)
def said(total: int) -> Text:
    """A total as people say it: `7 y medio`, `medio`, `6`."""
    whole, rest = divmod(total, 2)
    if not rest:
        return Text(str(whole), str(whole))
    if not whole:
        return Text("medio", "half")
    return Text(f"{whole} y medio", f"{whole} and a half")
