"""What a table adds to the rules of its game: positions, level of detail, chips and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables.games import reading

MOST_SEATS = 99
MOST_ON_A_SPOT = 100_000_000_000
"""Largest limit of a spot, 10^11 smallest units: what keeps every sum exact in JSON (below 2^53 - 1).

No payout is above 1,000:1. The widest round has 14 seats (Punto y Banca), and at most three bets of a
seat win at the highest payout (Go Poker, seven seats), so what goes back comes to at most
7 x 3 x 1,001 x 10^11 = 2.1 x 10^15. A session takes no further round once a total has passed
`tables.rounds.FULL_SESSION`, 10^15: so none ends above 3.2 x 10^15, less than half of 2^53.
"""


class Detail(StrEnum):
    """How much of a round the table writes down."""

    RESULT = "result"
    CARDS = "cards"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Terms:
    """What the table adds to the rules of its game.

    `seats`: positions at this table. `chip`: smallest chip, smallest units (GEN-07).
    `limits`: spot -> (minimum, maximum) in smallest units (GEN-04); a spot that is absent takes no
    bets. `differential`: largest gap between opposed totals, or None. `exponent`: decimals of the
    currency, for words only.
    """

    seats: int
    detail: Detail
    chip: int
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    differential: int | None = None
    exponent: int = 2

    def to_json(self) -> dict[str, Any]:
        return {
            "seats": self.seats,
            "detail": str(self.detail),
            "chip": self.chip,
            "limits": {spot: [low, high] for spot, (low, high) in self.limits.items()},
            "differential": self.differential,
            "exponent": self.exponent,
        }

    @classmethod
    def from_json(cls, data: object) -> Terms:
        """Terms from their stored form. Raises `Refused` naming the field."""
        given = reading.mapping(data, "terms")
        reading.known_keys(given, _TERMS_KEYS, "terms")
        limits: dict[str, tuple[int, int]] = {}
        for spot, pair in reading.mapping(given.get("limits", {}), "limits").items():
            if not isinstance(spot, str) or not isinstance(pair, list | tuple) or len(pair) != 2:
                raise reading.bad_type("limits", Text("lugar: [mínimo, máximo]", "spot: [minimum, maximum]"))
            low = reading.integer(pair[0], "limits", 1, MOST_ON_A_SPOT)
            limits[spot] = (low, reading.integer(pair[1], "limits", low, MOST_ON_A_SPOT))
        gap = given.get("differential")
        return cls(
            seats=reading.integer(given.get("seats"), "seats", 1, MOST_SEATS),
            detail=Detail(reading.one_of(given.get("detail"), "detail", tuple(Detail))),
            chip=reading.integer(given.get("chip"), "chip", 1),
            limits=limits,
            differential=None if gap is None else reading.integer(gap, "differential", 1),
            exponent=reading.integer(given.get("exponent", 2), "exponent", 0, 8),
        )


_TERMS_KEYS = frozenset({"seats", "detail", "chip", "limits", "differential", "exponent"})


_LOGGED = {
    Detail.RESULT: Text("registra sólo el resultado anunciado", "only the announced result is logged"),
    Detail.CARDS: Text("registran sólo las cartas", "only the cards are logged"),
    Detail.FULL: Text("registran apuestas y cartas", "bets and cards are logged"),
}


def refuse_detail(detail: Detail, what: Text) -> Refused:
    """The refusal of an event the table's level of detail has no place for."""
    return Refused(
        Text(
            f"en esta mesa se {_LOGGED[detail].es}: no se anotan {what.es}",
            f"at this table {_LOGGED[detail].en}: it takes no {what.en}",
        ),
        code="detail_forbids",
        field="e",
        detail={"detail": str(detail)},
    )
