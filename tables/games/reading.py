"""Reading what the outside sends: stored JSON of rules and terms, and events of a round.

A game is fed by people, tablets and files. Whatever arrives, the answer is a refusal that names
the field, never a Python error: every value passes through here before a rule looks at it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from casino.kernel.errors import Refused
from casino.kernel.money import MAX_UNITS
from casino.kernel.words import Text

LONGEST_TEXT = 500
_SHOWN = 24


def shown(value: object) -> str:
    """A value as a refusal may repeat it: short, printable, and safe for any type."""
    if isinstance(value, str):
        head = "".join(c if c.isprintable() else "?" for c in value[:_SHOWN])
        return head + ("…" if len(value) > _SHOWN else "")
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    # An integer of thousands of digits cannot even be printed by Python.
    if isinstance(value, int):
        return str(value) if abs(value) <= MAX_UNITS else "…"
    if isinstance(value, float):
        return str(value)
    return "?"


def bad_type(field: str, wanted: Text) -> Refused:
    return Refused(
        Text(f"«{field}» debe ser {wanted.es}", f"“{field}” must be {wanted.en}"),
        code="bad_value",
        field=field,
    )


def mapping(value: object, field: str) -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(value, Mapping):
        raise bad_type(field, Text("un objeto", "an object"))
    return value


def known_keys(value: Mapping[Any, Any], allowed: Collection[str], field: str = "") -> None:
    """Refuse a key nobody reads: it is a misspelt one, and what it meant would be lost."""
    for key in value:
        if key not in allowed:
            raise Refused(
                Text(
                    f"clave desconocida «{shown(key)}»; se admiten: {', '.join(sorted(allowed))}",
                    f"unknown key “{shown(key)}”; allowed: {', '.join(sorted(allowed))}",
                ),
                code="unknown_key",
                field=shown(key) if isinstance(key, str) else field,
            )


def integer(value: object, field: str, low: int, high: int = MAX_UNITS) -> int:
    """A whole number within bounds; `True` is not 1 and `5.0` is not 5."""
    if type(value) is not int:
        raise bad_type(field, Text("un número entero", "a whole number"))
    if not low <= value <= high:
        raise Refused(
            Text(
                f"«{field}» debe estar entre {low} y {high}; se recibió {shown(value)}",
                f"“{field}” must be between {low} and {high}; got {shown(value)}",
            ),
            code="out_of_range",
            field=field,
        )
    return value


def one_of(value: object, field: str, allowed: Collection[str]) -> str:
    """One of a closed list of words; its refusal carries the list as `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        raise Refused(
            Text(
                f"«{field}» debe ser uno de {', '.join(allowed)}; se recibió «{shown(value)}»",
                f"“{field}” must be one of {', '.join(allowed)}; got “{shown(value)}”",
            ),
            code="bad_value",
            field=field,
            detail={"allowed": [str(word) for word in allowed]},
        )
    return str(value)


def sentence(value: object, field: str) -> str:
    """One line a person wrote: not empty, printable, at most `LONGEST_TEXT` characters."""
    if not isinstance(value, str) or not value.strip():
        raise Refused(
            Text(f"falta «{field}»: escriba el motivo", f"“{field}” is missing: write why"),
            code="missing_value",
            field=field,
        )
    cleaned = value.strip()
    if len(cleaned) > LONGEST_TEXT or not cleaned.isprintable():
        raise bad_type(
            field,
            Text(
                f"una línea de hasta {LONGEST_TEXT} caracteres imprimibles",
                f"one line of up to {LONGEST_TEXT} printable characters",
            ),
        )
    return cleaned
