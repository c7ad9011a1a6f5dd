"""The rules of single-zero roulette as data: what each kind of bet pays, and what zero does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from tables.games import declaring, reading
from tables.games.base import Detail, Draw, Edge, Terms
from tables.games.paying import ratio
from tables.games.roulette.layout import KINDS, LAYOUT, NUMBERS, SPOTS
from tables.games.staking import require_known_limits, require_positions

GAME = "roulette.single_zero"
NAME = Text("Ruleta de un cero", "Single-zero roulette")
SEATS, SEATS_MAX = 7, 14
"""RUL-10."""

MOST_TO_ONE = 40
"""No bet pays above 40:1 (RUL-03). At most 21 spots win with a number, at fourteen seats: what goes back is
at most 14 x 21 x 41 x 10^11, 1.3 x 10^15 smallest units, which `tables.games.base.MOST_ON_A_SPOT` allows."""

ZERO_POLICIES = ("lose", "half", "prison")
"""RUL-06: what zero does to an even chance."""
ZERO_AGAIN = ("stay", "lose", "double")
"""RUL-07: what zero does to a stake in prison."""

_TABLE = "inside_outside_pays"
_DEFAULT_PAYS = tuple({kind.row: kind.pays for kind in KINDS.values()}.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One version of the rules. `pays`: (row of the pay table, payout), one for each row."""

    game: str = GAME
    seats: int = SEATS
    seats_max: int = SEATS_MAX
    decks: int = 0
    pays: tuple[tuple[str, str], ...] = _DEFAULT_PAYS
    zero_policy: str = "half"
    zero_again: str = "stay"

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "seats": self.seats,
            "seats_max": self.seats_max,
            "decks": self.decks,
            _TABLE: dict(self.pays),
            "zero_policy": self.zero_policy,
            "zero_again": self.zero_again,
        }


@lru_cache(maxsize=1)
def default_rules() -> Rules:
    """The house's rules, before an operator changes anything."""
    return Rules()


def read_rules(data: object) -> Rules:
    """Rules from their stored form; keys that are absent take the default, rows of payouts too.

    Raises `Refused` or `RuleViolation` naming the field: RUL-10 seats, RUL-03 payouts, RUL-06 and RUL-07
    what zero does.
    """
    given = declaring.stored(data, GAME, default_rules().to_json())
    seats_max = declaring.seats(given["seats_max"], "seats_max", SEATS_MAX, "RUL-10")
    return Rules(
        seats=declaring.seats(given["seats"], "seats", seats_max, "RUL-10"),
        seats_max=seats_max,
        decks=reading.integer(given["decks"], "decks", 0, 0),
        pays=declaring.pay_rows(given[_TABLE], _TABLE, dict(_DEFAULT_PAYS), MOST_TO_ONE, "RUL-03"),
        zero_policy=reading.one_of(given["zero_policy"], "zero_policy", ZERO_POLICIES),
        zero_again=reading.one_of(given["zero_again"], "zero_again", ZERO_AGAIN),
    )


def seated(rules: Rules, terms: Terms) -> Terms:
    """The table's terms with a limit for every spot that takes bets: its own, or that of its kind (RUL-04).

    Raises `RuleViolation`: too many seats (RUL-10), limits no bet can meet or none at all (GEN-04).
    """
    require_positions(terms, rules.seats_max, "RUL-10")
    require_known_limits(terms, SPOTS)
    if terms.detail is not Detail.FULL:
        return terms
    limits = dict(terms.limits)
    for code, spot in LAYOUT.items():
        if code not in limits and spot.kind in limits:
            limits[code] = limits[spot.kind]
    if not any(code in limits for code in LAYOUT):
        raise RuleViolation(
            "GEN-04",
            Text(
                "la mesa no tiene límites para ninguna apuesta: dé los de alguna clase, como «straight»",
                "the table has limits for no bet: give those of some kind, for example “straight”",
            ),
            code="unplayable_limits",
            field="limits",
        )
    return replace(terms, limits=limits)


def edges(rules: Rules, draw: Draw | None = None, rounds: int = 0) -> tuple[Edge, ...]:
    """The house's edge on every kind of bet, counted over the 37 numbers; all spots of a kind are alike."""
    pays, found = dict(rules.pays), []
    for code, kind in KINDS.items():
        covered = next(len(spot.covers) for spot in LAYOUT.values() if spot.kind == code)
        win = Fraction(covered, len(NUMBERS))
        edge = 1 - win * (ratio(pays[kind.row]) + 1)
        note = None
        if code == "even_chance":
            edge -= Fraction(1, len(NUMBERS)) * zero_gives_back(rules)
            note = _ZERO[rules.zero_policy]
        found.append(Edge(code, kind.words, float(edge * 100), "exact", note=note))
    return tuple(found)


def zero_gives_back(rules: Rules) -> Fraction:
    """The part of an even chance's stake that comes back, on average, once zero has come.

    In prison with win = lose = 18/37 and zero = 1/37: v = win + zero x (v, nothing, or v squared: double
    prison is left twice). The last has a root, taken as a float.
    """
    if rules.zero_policy != "prison":
        return Fraction(0) if rules.zero_policy == "lose" else Fraction(1, 2)
    win, zero = Fraction(18, 37), Fraction(1, 37)
    if rules.zero_again == "stay":
        return win / (1 - zero)
    if rules.zero_again == "lose":
        return win
    return Fraction((1 - sqrt(1 - 4 * win * zero)) / (2 * float(zero)))


_ZERO = {
    "lose": Text("con el cero pierde", "loses on zero"),
    "half": Text("con el cero pierde la mitad", "loses half on zero"),
    "prison": Text(
        "con el cero queda en prisión y nadie la retira", "goes to prison on zero and stays there"
    ),
}
