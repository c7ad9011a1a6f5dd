"""The rules of siete y medio as data. The game is not in the AJ text: points only (GEN-01, SYM)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from tables.games import declaring, reading
from tables.games.base import Detail, Terms
from tables.games.staking import require_known_limits

GAME = "siete.medio"
NAME = Text("Siete y medio", "Seven and a half")
SPOTS: Mapping[str, Text] = MappingProxyType(
    {
        "main": Text("Apuesta", "Bet"),
        "bank": Text("Banca", "Bank"),
        "purchase": Text("Compra de la banca", "Purchase of the bank"),
    }
)
HANDS: Mapping[str, Text] = MappingProxyType({"banca": Text("Banca", "Bank")})
CHOICES: Mapping[str, Text] = MappingProxyType(
    {
        "draw": Text("pide carta", "draws"),
        "stand": Text("se planta", "stands"),
        "split": Text("abre", "splits"),
        "sell": Text("vende la banca", "sells the bank"),
        "keep": Text("conserva la banca", "keeps the bank"),
    }
)
WINNERS: Mapping[str, Text] = MappingProxyType(
    {
        "bank": Text("Banca", "Bank"),
        "players": Text("Jugadores", "Players"),
        "mixed": Text("Repartido", "Mixed"),
    }
)

SEATS, SEATS_MAX = 6, 10
OFFER_TIMES = ("before_hand", "after_bet")
"""SYM-08: when a player may offer to buy the bank."""

MOST_TO_ONE = 10
"""No bet pays above 10:1, so that every sum stays exact (`tables.games.base.MOST_ON_A_SPOT`)."""

_DEFAULT_PAYS = (("player_seven_and_half", "2:1"), ("bank_bust", "1:1"), ("player_higher", "1:1"))
"""SYM-06, SYM-07: the rows of `siete.main` that pay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One version of the rules. `pays`: (row of the pay table, payout) of the rows that pay."""

    game: str = GAME
    seats: int = SEATS
    seats_max: int = SEATS_MAX
    decks: int = 1
    pays: tuple[tuple[str, str], ...] = _DEFAULT_PAYS
    initial_cards: int = 1
    takes_bank: bool = True
    offer_time: str = "before_hand"
    offer_max_percent_of_rest: int = 50
    split_court_cards: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "seats": self.seats,
            "seats_max": self.seats_max,
            "decks": self.decks,
            "main_pays": dict(self.pays),
            "initial_cards": self.initial_cards,
            "takes_bank": self.takes_bank,
            "offer_time": self.offer_time,
            "offer_max_percent_of_rest": self.offer_max_percent_of_rest,
            "split_court_cards": self.split_court_cards,
        }


@lru_cache(maxsize=1)
def default_rules() -> Rules:
    """The catalogue's rules, before anything is changed."""
    return Rules()


def read_rules(data: object) -> Rules:
    """Rules from their stored form; keys that are absent take the catalogue's default.

    Raises `Refused` or `RuleViolation` naming the field: SYM-01 the pack, SYM-03 positions and the
    first cards, SYM-06 payouts.
    """
    given = declaring.stored(data, GAME, default_rules().to_json())
    seats_max = _seats(given["seats_max"], "seats_max", SEATS_MAX)
    return Rules(
        seats=_seats(given["seats"], "seats", seats_max),
        seats_max=seats_max,
        decks=_one_of_numbers(given["decks"], "decks", (1,), "SYM-01"),
        pays=declaring.pay_rows(given["main_pays"], "main_pays", dict(_DEFAULT_PAYS), MOST_TO_ONE, "SYM-06"),
        initial_cards=_one_of_numbers(given["initial_cards"], "initial_cards", (1, 2), "SYM-03"),
        takes_bank=declaring.flag(given["takes_bank"], "takes_bank"),
        offer_time=reading.one_of(given["offer_time"], "offer_time", OFFER_TIMES),
        offer_max_percent_of_rest=reading.integer(
            given["offer_max_percent_of_rest"], "offer_max_percent_of_rest", 0, 100
        ),
        split_court_cards=declaring.flag(given["split_court_cards"], "split_court_cards"),
    )


def _seats(value: object, field: str, most: int) -> int:
    seats = reading.integer(value, field, 1)
    if not 2 <= seats <= most:
        raise RuleViolation(
            "SYM-03",
            Text(
                f"de 2 a {most} posiciones, con la banca; se pidieron {seats}",
                f"from 2 to {most} positions, the bank's included; {seats} asked",
            ),
            code="bad_seats",
            field=field,
        )
    return seats


def _one_of_numbers(value: object, field: str, allowed: tuple[int, ...], rule: str) -> int:
    number = reading.integer(value, field, 0)
    if number not in allowed:
        listed = " o ".join(map(str, allowed)), " or ".join(map(str, allowed))
        raise RuleViolation(
            rule,
            Text(f"«{field}» debe ser {listed[0]}", f"“{field}” must be {listed[1]}"),
            code="not_allowed_value",
            field=field,
        )
    return number


def require_playable(rules: Rules, terms: Terms) -> None:
    """Refuse a table that cannot be played: positions (SYM-03), limits no bet can meet (GEN-04)."""
    _seats(terms.seats, "seats", rules.seats_max)
    require_known_limits(terms, SPOTS)
    if terms.detail is Detail.FULL and "main" not in terms.limits:
        raise RuleViolation(
            "GEN-04",
            Text(
                "hacen falta límites de la apuesta («main»)",
                "limits of the bet (“main”) are needed",
            ),
            code="unplayable_limits",
            field="limits",
        )
