"""The fields of one PHH hand: actions and amounts, checked, in smallest units. `phh_read.py` plays them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from casino.kernel.words import Text
from tables.games import reading

MOST_ACTIONS: Final = 1_000
MOST_DECIMALS: Final = 8
_WRITTEN: Final = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?(?:[eE][+-]?\d{1,3})?", re.ASCII)
"""An amount in an action; a comma only parts thousands: read otherwise, «6,5» would be sixty-five."""


class Sheet:
    """The fields of one hand, checked and with amounts in smallest units."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        actions = data.get("actions")
        if not isinstance(actions, list) or not all(isinstance(one, str) for one in actions):
            raise reading.bad_type("actions", Text("una lista de acciones", "a list of actions"))
        if len(actions) > MOST_ACTIONS:
            raise reading.bad_type("actions", Text("menos acciones", "fewer actions"))
        self.actions: list[list[str]] = [action.partition("#")[0].split() for action in actions]
        self.exponent = self._exponent()

    def _exponent(self) -> int:
        stated = self.data.get("_sabot_exponent")
        if stated is not None:
            return reading.integer(stated, "_sabot_exponent", 0, MOST_DECIMALS)
        fields = (
            "antes",
            "blinds_or_straddles",
            "starting_stacks",
            "bring_in",
            "small_bet",
            "big_bet",
            "min_bet",
        )
        numbers = [decimal(one, name) for name in fields for one in self._list(name)]
        numbers += [
            decimal(words[2], "actions") for words in self.actions if words[1:2] == ["cbr"] and words[2:]
        ]
        decimals = max([-int(number.as_tuple().exponent) for number in numbers], default=0)
        if decimals > MOST_DECIMALS:
            raise reading.bad_type(
                "actions", Text("importes con hasta 8 decimales", "amounts of up to 8 decimals")
            )
        return max(decimals, 0)

    def _list(self, name: str) -> list[Any]:
        value = self.data.get(name, [])
        return value if isinstance(value, list) else [value]

    @property
    def players(self) -> int:
        return len(self._list("starting_stacks"))

    def amounts(self, name: str) -> list[int]:
        value = self.data.get(name)
        if not isinstance(value, list) or not 2 <= len(value) <= 10 or len(value) != self.players:
            raise reading.bad_type(name, Text("un importe por jugador", "an amount for each player"))
        return [units(one, self.exponent, name) for one in value]

    def amount(self, name: str) -> int:
        return units(self.data.get(name), self.exponent, name)

    @property
    def chip(self) -> int:
        return reading.integer(self.data.get("_sabot_chip", 1), "_sabot_chip", 1)


def decimal(value: object, field: str) -> Decimal:
    """A finite number that is not absurdly long, from TOML or from an action."""
    if isinstance(value, str):
        value = Decimal(value.replace(",", "")) if len(value) < 30 and _WRITTEN.fullmatch(value) else None
    elif type(value) is int:
        value = Decimal(value) if abs(value) < 10**15 else None
    if not isinstance(value, Decimal) or not value.is_finite() or not -12 < value.adjusted() < 15:
        raise reading.bad_type(field, Text("un importe", "an amount"))
    return value


def units(value: object, exponent: int, field: str) -> int:
    scaled = decimal(value, field).scaleb(exponent)
    if scaled != scaled.to_integral_value():
        raise reading.bad_type(field, Text("un importe que se pueda pagar", "an amount that can be paid"))
    return int(scaled)
