"""What a bet loses to the bank on average when two play from a whole pack: every way it can go, counted.

The game has no best play to count with (the bank sees hands come out, and nobody is bound to anything), so
the figure holds for a stated one: both stand from some total on. Integers, and fractions of them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import perm
from typing import NamedTuple

from casino.kernel.words import Text
from tables.games.base import Draw, Edge
from tables.games.paying import ratio
from tables.games.siete.balance import row_of
from tables.games.siete.points import TARGET, said
from tables.games.siete.rules import SPOTS, Rules

STANDS_FROM = 10
"""Five points, in halves: with more, most cards left pass seven and a half."""

_WORTH = (1, 2, 4, 6, 8, 10, 12, 14)
"""Halves of a court card, then of one to seven; a pack counts cards in this order."""

_Pack = tuple[int, ...]
_WHOLE: _Pack = (12, 4, 4, 4, 4, 4, 4, 4)
_CARDS = sum(_WHOLE)


class _End(NamedTuple):
    """How a hand can end: its total in halves, what is left of the pack, how many cards it took."""

    total: int
    pack: _Pack
    cards: int


def _ends(pack: _Pack, stands: int) -> dict[_End, int]:
    """Every way a hand drawn from a pack can end, with the number of orders its cards can come in."""
    ended: dict[_End, int] = {}
    growing = {_End(0, pack, 0): 1}
    while growing:
        longer: dict[_End, int] = {}
        for (total, left, cards), ways in growing.items():
            for at, there in enumerate(left):
                if there:
                    after = _End(total + _WORTH[at], (*left[:at], there - 1, *left[at + 1 :]), cards + 1)
                    into = ended if after.total >= stands else longer
                    into[after] = into.get(after, 0) + ways * there
        growing = longer
    return ended


@lru_cache(maxsize=8)
def rows(stands: int) -> dict[str, Fraction]:
    """How likely each row of the pay table is; both draw one card, then more up to `stands` halves."""
    found: dict[str, Fraction] = {}
    for player, ways in _ends(_WHOLE, stands).items():
        if player.total > TARGET:
            chance = Fraction(ways, perm(_CARDS, player.cards))
            found["player_bust"] = found.get("player_bust", Fraction(0)) + chance
            continue
        banks: dict[tuple[str, int], int] = {}
        for bank, more in _ends(player.pack, stands).items():
            key = (row_of(player.total, bank.total), bank.cards)
            banks[key] = banks.get(key, 0) + more
        for (row, cards), more in banks.items():
            chance = Fraction(ways * more, perm(_CARDS, player.cards + cards))
            found[row] = found.get(row, Fraction(0)) + chance
    return found


def edges(rules: Rules, draw: Draw | None = None, rounds: int = 0) -> tuple[Edge, ...]:
    """What a player loses to the bank, percent of the bet, when both stand from five on (exact).

    The bank is a player's and the game has no house: there is nothing for GEN-06 to refuse.
    """
    pays = dict(rules.pays)
    lost = sum(
        (chance * (-ratio(pays[row]) if row in pays else 1) for row, chance in rows(STANDS_FROM).items()),
        Fraction(0),
    )
    note = Text(
        "un jugador contra la banca, ambos se plantan desde {total}; lo gana la banca, no la casa",
        "one player against the bank, both standing from {total} on; the bank wins it, not the house",
    ).fill(total=said(STANDS_FROM))
    return (Edge("main", SPOTS["main"], float(lost * 100), "exact", rules.decks, note=note),)
