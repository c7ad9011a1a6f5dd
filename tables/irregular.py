"""Irregularities typed at a table, which no prompt asks for: those a game has an event of. Pure.

mal 3 6   mal c 4    seat 3, or the dealer by its key, was dealt 6 or 4 cards
baraja    baraja 3   the deck is defective; seat 3 knew it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from casino.kernel.words import Text
from tables import keys
from tables.games.base import Game

MISDEAL = ("mal", "misdeal")
DEFECTIVE = ("baraja", "deck")


def events(tokens: Sequence[str], game: Game) -> list[dict[str, Any]] | None:
    """The event that the words of a line stand for, None where they are something else."""
    word, *rest = (token.lower() for token in tokens)
    if word in MISDEAL and "misdeal" in game.events and len(rest) == 2 and _number(rest[1]):
        whose = _whose(rest[0], game)
        return None if whose is None else [{"e": "misdeal", **whose, "count": int(rest[1])}]
    if word in DEFECTIVE and "defective" in game.events and all(map(_number, rest)):
        return [{"e": "defective", **({"knew": [int(seat) for seat in rest]} if rest else {})}]
    return None


def _whose(word: str, game: Game) -> dict[str, Any] | None:
    if _number(word):
        return {"seat": int(word)}
    hands = keys.found(word, game.hands)
    return {"to": hands[0]} if len(hands) == 1 else None


def _number(word: str) -> bool:
    """Only the digits 0 to 9, and no more than a number of cards or a seat has."""
    return word.isascii() and word.isdecimal() and len(word) < 3


def help_of(game: Game) -> Iterator[tuple[str, Text]]:
    """What may be typed of irregularities at a game, and what it means."""
    if "misdeal" in game.events:
        yield (
            f"{MISDEAL[0]} 3 6",
            Text("mal reparto: el asiento 3 tiene 6 cartas", "misdeal: seat 3 has 6 cards"),
        )
    if "defective" in game.events:
        yield (
            f"{DEFECTIVE[0]} 3",
            Text("baraja defectuosa, y el asiento 3 sabía", "defective deck, seat 3 knew"),
        )
