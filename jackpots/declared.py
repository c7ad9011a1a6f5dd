"""A figure of a scheme as somebody declares it: within its bounds, or refused in people's own terms."""

from __future__ import annotations

from casino.kernel.errors import Refused
from casino.kernel.money import MAX_UNITS
from casino.kernel.words import Text
from jackpots import saying


def rate(value: object, at: str, low: int, high: int) -> int:
    """Basis points, said as a percentage."""
    first, last = saying.percent(low), saying.percent(high)
    return _number(value, at, low, high, Text(f"de {first.es} a {last.es}", f"{first.en} to {last.en}"))


def whole(value: object, at: str, low: int, high: int) -> int:
    first, last = saying.count(low), saying.count(high)
    return _number(value, at, low, high, Text(f"de {first.es} a {last.es}", f"{first.en} to {last.en}"))


def money(value: object, at: str, low: int, high: int = MAX_UNITS) -> int:
    """Smallest units; their currency is not known here."""
    above = Text("un importe mayor que la base", "an amount above the base")
    if not at.endswith(".cap"):
        above = Text("un importe mayor que cero", "an amount above zero")
    wanted = above if low else Text("un importe, o cero", "an amount, or nothing")
    return _number(value, at, low, high, wanted)


def _number(value: object, at: str, low: int, high: int, wanted: Text) -> int:
    if type(value) is int and low <= value <= high:
        return value
    of, code = saying.field(at), "out_of_range" if type(value) is int else "bad_value"
    raise Refused(Text(f"{of.es}: {wanted.es}", f"{of.en}: {wanted.en}"), code=code, field=at)
