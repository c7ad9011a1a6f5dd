"""What was given for a step, as people read it: the codes a step stores, said in both languages. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from casino.kernel import words
from casino.kernel.words import Text
from shoes import cards
from shoes.steps import DEALER, Field, Shuffle, ShuffleByHand


def _shuffle(kind: Any) -> Text:
    known = dict((*Shuffle.fields[0].choices, *ShuffleByHand.fields[0].choices))
    return known.get(kind, words.same(str(kind)))


def _cutter(who: Any) -> Text:
    if who == DEALER:
        return Text("el croupier", "the dealer")
    return Text("el asiento {n}", "seat {n}").fill(n=who)


def _card(card: Any) -> Text:
    return words.same(cards.sign(card) if isinstance(card, str) and len(card) == 2 else str(card))


def _seats(seats: Any) -> Text:
    return words.same(", ".join(str(seat) for seat in seats))


def said(field: Field, value: Any) -> Text:
    """What was given for a field of a step, as people read it."""
    return _BY_KIND.get(field.kind, lambda given: words.same(str(given)))(value)


_BY_KIND: dict[str, Callable[[Any], Text]] = {
    "choice": _shuffle,
    "cutter": _cutter,
    "card": _card,
    "seats": _seats,
    "serials": _seats,
}

CODES: dict[str, Callable[[Any], Text]] = {"shuffle": _shuffle, "cutter": _cutter, "card": _card}
"""How the codes that a step stores are said."""
