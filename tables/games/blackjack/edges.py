"""The house's edge on every bet: counted where that is possible, played out where it is not."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from casino.kernel.words import Text
from tables.games.base import Draw, Edge
from tables.games.blackjack import pairs
from tables.games.blackjack.rules import Rules
from tables.games.blackjack.simulate import simulate
from tables.games.blackjack.strategy import strategy_for
from tables.games.blackjack.variants import SPOTS
from tables.games.paying import ratio

_ENDLESS = Text(
    "con la estrategia básica y un sabot sin fin (cada carta vuelve): contado; con barajas difiere algo",
    "with basic strategy and an endless shoe (each card goes back): counted; real decks differ a little",
)
_BASIC = Text(
    "un jugador con una mano sigue la estrategia básica de estas reglas y no toma seguro",
    "one player with one hand follows the basic strategy of these rules and takes no insurance",
)
_UNSEEN = Text("sin más carta vista que el as del croupier", "with no card seen but the dealer's ace")


def insurance_edge(decks: int, pays: str) -> Fraction:
    """What the house keeps of each unit of insurance when only the dealer's ace is known (BJ-21)."""
    unseen, tens = 52 * decks - 1, 16 * decks
    return (unseen - tens - tens * ratio(pays)) / Fraction(unseen)


@lru_cache(maxsize=64)
def quick_edges(rules: Rules) -> tuple[Edge, ...]:
    """The edges that are counted, for each number of decks the game allows (GEN-06)."""
    percent = -100 * strategy_for(rules).earns()
    found = [Edge("main", SPOTS["main"], percent, "exact", note=_ENDLESS)]
    for decks in rules.variant.decks:
        if rules.insurance:
            percent = float(100 * insurance_edge(decks, rules.insurance_pays))
            found.append(Edge("insurance", SPOTS["insurance"], percent, "exact", decks, note=_UNSEEN))
        if rules.variant.pairs:
            percent = float(100 * pairs.edge(decks, rules.perfect_pairs_pays))
            found.append(Edge("perfect_pairs", SPOTS["perfect_pairs"], percent, "exact", decks))
    return tuple(found)


def edges(rules: Rules, draw: Draw, rounds: int) -> tuple[Edge, ...]:
    """Every bet's edge: the counted ones, and the main bet played out with the real decks."""
    counted = quick_edges(rules)
    if rounds < 1:
        return counted
    mean, margin = simulate(rules, draw, rounds)
    played = Edge(
        "main",
        SPOTS["main"],
        -100 * mean,
        "simulated",
        rules.decks,
        margin=100 * margin,
        rounds=rounds,
        note=_BASIC,
    )
    return (*counted, played)
