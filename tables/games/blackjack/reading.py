"""Reading one figure of a version of rules: a word of a list, a number between two, yes or no.

Each refusal names the field and the rule that fixes it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from tables.games import reading
from tables.games.paying import read_ratio

Reader = Callable[[Any, str], Any]

MOST_TO_ONE_HAND = 100
"""No hand pays above 100:1: seven seats with two hands of four splits, all doubled, are 112 stakes, and
112 x 101 x 10^11 = 1.1 x 10^15 stays within `tables.games.base.MOST_ON_A_SPOT`'s arithmetic."""


def read_hand_ratio(value: object, field: str) -> str:
    """What a hand, an insurance or even money pays, such as `3:2`."""
    return read_ratio(value, field, MOST_TO_ONE_HAND)


def one_of(*allowed: str, rule: str) -> Reader:
    """A reader of one of these words."""
    return partial(read_word, allowed=allowed, rule=rule)


def between(low: int, high: int, rule: str) -> Reader:
    """A reader of a whole number within these bounds."""
    return partial(read_number, low=low, high=high, rule=rule)


def read_word(value: object, key: str, *, allowed: tuple[str, ...], rule: str) -> str:
    if not isinstance(value, str):
        raise reading.bad_type(key, Text("una palabra", "a word"))
    if value not in allowed:
        listed = ", ".join(allowed)
        raise RuleViolation(
            rule,
            Text(
                f"«{reading.shown(value)}» no vale para «{key}»; elija entre {listed}",
                f"“{reading.shown(value)}” is no value of “{key}”; choose among {listed}",
            ),
            code="bad_value",
            field=key,
            detail={"allowed": list(allowed)},
        )
    return str(value)


def read_number(value: object, key: str, *, low: int, high: int, rule: str) -> int:
    if type(value) is not int:
        raise reading.bad_type(key, Text("un número entero", "a whole number"))
    if not low <= value <= high:
        raise RuleViolation(
            rule,
            Text(
                f"«{key}» va de {low} a {high}; se recibió {reading.shown(value)}",
                f"“{key}” goes from {low} to {high}; got {reading.shown(value)}",
            ),
            code="out_of_range",
            field=key,
        )
    return value


def read_flag(value: object, key: str) -> bool:
    if type(value) is not bool:
        raise reading.bad_type(key, Text("sí o no (true o false)", "yes or no (true or false)"))
    return value
