"""The rules of Baccarat with a player's bank as data, with the AJ catalogue's defaults.

The cards are Punto y Banca's; what is of this game alone is who pays (the player who holds the bank),
who decides punto's third card, and the part of the banker's winnings the house keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import Rounding
from casino.kernel.words import Text
from tables.games import declaring, reading
from tables.games.baccarat.rules import DECKS_ALLOWED
from tables.games.base import MOST_ON_A_SPOT, Detail, Terms
from tables.games.paying import ratio, read_ratio
from tables.games.staking import least, require_known_limits

GAME = "baccarat.banked"
NAME = Text("Baccarat (banco de jugador)", "Baccarat (player-banked)")
SPOTS: Mapping[str, Text] = MappingProxyType({"punto": Text("Punto", "Punto"), "bank": Text("Banco", "Bank")})
HANDS: Mapping[str, Text] = MappingProxyType(
    {"punto": Text("Punto", "Punto"), "banca": Text("Banca", "Banca")}
)
CHOICES: Mapping[str, Text] = MappingProxyType(
    {"draw": Text("pide carta", "draws"), "stand": Text("se planta", "stands")}
)
WINNERS: Mapping[str, Text] = MappingProxyType({**HANDS, "tie": Text("Empate", "Tie")})

SEATS, SEATS_MAX = 9, 14
"""BAC-05."""

TOTALS_WITHOUT_NATURAL = range(8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One version of the rules.

    `punto_free_choice`: punto's two-card totals on which its highest bettor chooses (BAC-17). The
    deduction is in basis points of what the banker won in the round, rounded to `deduction_rounding_unit`
    smallest units of the currency by `deduction_rounding` (BANK-19), then up to whole chips (GEN-09).

    How the bank passes on, read by `tables.bank`: `rotation` to the right or the left (BANK-24);
    `bid_increment` smallest units, 0 the smallest chip (BANK-26); `retired_banker_barred_same_shoe`
    (BANK-28); `set_aside_minimums`: winnings above so many table minimums may be set aside, 0 never (no AJ
    rule; BANK-14). An auction lasts `auction_seconds`; a bid in the last `auction_window_seconds` leaves at
    least `auction_extension_seconds` more.
    """

    game: str = GAME
    seats: int = SEATS
    seats_max: int = SEATS_MAX
    decks: int = 6
    punto_pays: str = "1:1"
    punto_free_choice: tuple[int, ...] = (5,)
    deduction_basis_points: int = 500
    deduction_rounding_unit: int = 10
    deduction_rounding: Rounding = Rounding.NEAREST
    rotation: str = "right"
    bid_increment: int = 0
    retired_banker_barred_same_shoe: bool = False
    set_aside_minimums: int = 0
    auction_seconds: int = 60
    auction_window_seconds: int = 10
    auction_extension_seconds: int = 15

    def to_json(self) -> dict[str, Any]:
        data = {key: getattr(self, key) for key in _KEYS}
        data["punto_free_choice"] = list(self.punto_free_choice)
        data["deduction_rounding"] = str(self.deduction_rounding)
        return data


_KEYS = tuple(Rules.__dataclass_fields__)


@lru_cache(maxsize=1)
def default_rules() -> Rules:
    """The catalogue's rules, before an operator changes anything."""
    return Rules()


def read_rules(data: object) -> Rules:
    """Rules from their stored form; keys that are absent take the catalogue's default.

    Raises `Refused` or `RuleViolation` naming the field: BAC-05 seats, CARD-06 decks, BANK-27 a payout
    the bank does not cover, BAC-17 a free choice where none can be, BANK-19 a rounding.
    """
    given = declaring.stored(data, GAME, default_rules().to_json())
    seats_max = _seats(given["seats_max"], "seats_max", SEATS_MAX)
    return Rules(
        seats=_seats(given["seats"], "seats", seats_max),
        seats_max=seats_max,
        decks=declaring.decks(given["decks"], DECKS_ALLOWED, "CARD-06"),
        punto_pays=_punto_pays(given["punto_pays"]),
        punto_free_choice=_free_choice(given["punto_free_choice"]),
        deduction_basis_points=reading.integer(
            given["deduction_basis_points"], "deduction_basis_points", 0, 10_000
        ),
        deduction_rounding_unit=reading.integer(
            given["deduction_rounding_unit"], "deduction_rounding_unit", 1, 1_000_000
        ),
        deduction_rounding=_rounding(given["deduction_rounding"]),
        **_passing_on(given),
    )


ROTATIONS = ("right", "left")


def _passing_on(given: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of how the bank passes on."""
    seconds = {
        key: reading.integer(given[key], key, low, 3_600)
        for key, low in (
            ("auction_seconds", 5),
            ("auction_window_seconds", 0),
            ("auction_extension_seconds", 0),
        )
    }
    return {
        "rotation": reading.one_of(given["rotation"], "rotation", ROTATIONS),
        "bid_increment": reading.integer(given["bid_increment"], "bid_increment", 0, MOST_ON_A_SPOT),
        "retired_banker_barred_same_shoe": declaring.flag(
            given["retired_banker_barred_same_shoe"], "retired_banker_barred_same_shoe"
        ),
        "set_aside_minimums": reading.integer(given["set_aside_minimums"], "set_aside_minimums", 0, 1_000),
        **seconds,
    }


def _seats(value: object, field: str, most: int) -> int:
    seats = declaring.seats(value, field, most, "BAC-05")
    if seats < 2:
        raise RuleViolation(
            "BANK-01",
            Text(
                "hacen falta dos posiciones: la del banquero y la de quien juega contra él",
                "two positions are needed: the banker's and one of who plays against it",
            ),
            code="too_few_seats",
            field=field,
        )
    return seats


def _punto_pays(value: object) -> str:
    pays = read_ratio(value, "punto_pays")
    if ratio(pays) > 1:
        raise RuleViolation(
            "BANK-27",
            Text(
                "el punto no puede cobrar más de 1 a 1: el banco cubre cada apuesta con otro tanto",
                "punto cannot be paid above 1 to 1: the bank covers each bet with as much",
            ),
            code="bank_not_enough",
            field="punto_pays",
        )
    return pays


def _free_choice(value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        wanted = Text("una lista de totales de 0 a 7", "a list of totals from 0 to 7")
        raise reading.bad_type("punto_free_choice", wanted)
    totals = {reading.integer(total, "punto_free_choice", 0) for total in value}
    if not totals <= set(TOTALS_WITHOUT_NATURAL):
        raise RuleViolation(
            "BAC-17",
            Text(
                "con 8 o 9 en dos cartas nadie pide: la elección sólo cabe de 0 a 7",
                "with 8 or 9 in two cards nobody draws: a choice can only be from 0 to 7",
            ),
            code="choice_on_natural",
            field="punto_free_choice",
        )
    return tuple(sorted(totals))


def _rounding(value: object) -> Rounding:
    policy = Rounding(reading.one_of(value, "deduction_rounding", tuple(Rounding)))
    if policy is Rounding.EXACT:
        raise RuleViolation(
            "BANK-19",
            Text(
                "la deducción se redondea: lo que gane el banquero no se sabe de antemano; elija «nearest»,"
                " «up» o «down»",
                "the deduction is rounded: what the banker will win is not known before; choose “nearest”,"
                " “up” or “down”",
            ),
            code="deduction_not_exact",
            field="deduction_rounding",
        )
    return policy


def require_playable(rules: Rules, terms: Terms) -> None:
    """Refuse a table that cannot be played: seats (BAC-05, BANK-01), limits no bet can meet (GEN-04)."""
    _seats(terms.seats, "seats", rules.seats_max)
    require_known_limits(terms, SPOTS)
    if terms.detail is not Detail.FULL:
        return
    if "punto" not in terms.limits or least_bank(terms) > most_bank(terms):
        raise RuleViolation(
            "GEN-04",
            Text(
                "hacen falta límites de Punto y un banco que llegue a su mínimo",
                "limits of Punto and a bank that reaches its minimum are needed",
            ),
            code="unplayable_limits",
            field="limits",
        )


def least_bank(terms: Terms) -> int:
    """The least a bank may hold: the table's minimum, or the bank's own where it has one (BANK-02)."""
    low = least(terms, "punto")
    return max(low, least(terms, "bank")) if "bank" in terms.limits else low


def most_bank(terms: Terms) -> int:
    """The most a bank may hold, whole chips (GEN-04)."""
    high = terms.limits["bank"][1] if "bank" in terms.limits else MOST_ON_A_SPOT
    return min(high, MOST_ON_A_SPOT) // terms.chip * terms.chip
