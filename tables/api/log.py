"""The round log at the edge: inside amounts are smallest units, outside decimal strings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits.api.fields import Money
from casino.kernel import money
from tables.games.registry import GAMES
from tables.rounds import MOST_EVENTS

MONEY_KEYS = frozenset({"amount"})
"""Of an event that is sent."""
MONEY_SHOWN = MONEY_KEYS | {"rounding"}
"""Of an event that is shown: one handed on from the round before also tells what rounding was in it."""

FIGURES = frozenset(
    {
        "amount",
        "pot",
        "rake",
        "bank",
        "bank_after",
        "bank_won",
        "at_risk",
        "deduction",
        "in_prison",
        "sold_for",
    }
)
SEAT_AND_AMOUNT = frozenset({"uncovered", "chips_after"})
"""What is money among the figures of an outcome, by key; and the lists of pairs of a seat and an amount."""

EVENT_SCHEMA = {
    "type": "object",
    "description": "One event of a round log; which keys go with which `e` is in docs/api.md.",
    "required": ["e"],
    "properties": {
        "e": {"type": "string", "enum": sorted({kind for game in GAMES.values() for kind in game.events})},
        "seat": {"type": "integer"},
        "spot": {"type": "string"},
        "amount": {"type": "string", "description": "decimal string", "example": "100.00"},
        "to": {"type": "string"},
        "hand": {"type": "integer"},
        "card": {"type": "string", "example": "9d"},
        "cards": {"type": "array", "items": {"type": "string"}, "example": ["9d", "Kh"]},
        "do": {"type": "string", "description": "a decision", "example": "stand"},
    },
    "additionalProperties": True,
}


@extend_schema_field(EVENT_SCHEMA)
class EventField(serializers.Field[dict[str, Any], Any, Any, Any]):
    """An event whose money is text. What an event may say is the engine's to judge."""

    default_error_messages = {"not_an_object": "un evento es un objeto / an event is an object"}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_an_object")
        return {name: self._units(value) if name in MONEY_KEYS else value for name, value in data.items()}

    def to_representation(self, value: Any) -> Any:
        return value

    def _units(self, value: Any) -> int:
        amount = Money()
        amount._context = self.context  # type: ignore[attr-defined]
        return int(amount.to_internal_value(value))


class EventsField(serializers.ListField):
    child = EventField()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_length=1, max_length=MOST_EVENTS, **kwargs)


def shown_log(log: Sequence[Mapping[str, Any]], exponent: int) -> list[dict[str, Any]]:
    """A stored log with its amounts as decimal strings."""
    return [shown_money(event, MONEY_SHOWN, exponent) for event in log]


def shown_outcome(outcome: Mapping[str, Any], exponent: int) -> dict[str, Any]:
    """A stored outcome with its amounts as decimal strings, however deep they lie."""
    shown: dict[str, Any] = _figures(outcome, exponent)
    return shown


def _figures(value: Any, exponent: int, key: str = "") -> Any:
    if isinstance(value, Mapping):
        return {name: _figures(inner, exponent, name) for name, inner in value.items()}
    if isinstance(value, list) and key in SEAT_AND_AMOUNT:
        return [[seat, money.plain(amount, exponent)] for seat, amount in value]
    if isinstance(value, list):
        return [_figures(inner, exponent) for inner in value]
    return money.plain(value, exponent) if key in FIGURES and type(value) is int else value


def shown_money(values: Mapping[str, Any], names: Any, exponent: int) -> dict[str, Any]:
    """A mapping with the named amounts as decimal strings."""
    return {
        name: money.plain(value, exponent) if name in names and isinstance(value, int) else value
        for name, value in values.items()
    }
