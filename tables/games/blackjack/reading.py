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

Reader = Callable[[Any, str], Any]


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
