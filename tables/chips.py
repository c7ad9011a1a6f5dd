"""Counting a float: a count is a mapping of denomination to number of chips, never just a total."""

from __future__ import annotations

from collections.abc import Mapping

from casino.kernel import money
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino

MOST_CHIPS = 1_000_000


def checked(casino: Casino, chips: Mapping[int, int], *, field: str = "chips") -> dict[int, int]:
    """A count without its empty lines. Denominations in smallest units.

    Raises `Refused` (codes `unknown_denomination`, `bad_count`) naming the line (FLOOR-04).
    """
    known = set(casino.denominations)
    clean: dict[int, int] = {}
    for denomination, number in chips.items():
        if denomination not in known:
            shown = money.plain(denomination, casino.exponent)
            raise Refused(
                Text(
                    f"no hay fichas de {shown}; las hay de {_listed(casino)}",
                    f"there are no chips of {shown}; there are of {_listed(casino)}",
                ),
                code="unknown_denomination",
                rule="FLOOR-04",
                field=field,
            )
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST_CHIPS:
            raise Refused(
                Text(
                    "la cantidad de fichas es un número entero desde cero",
                    "the number of chips is a whole number from zero",
                ),
                code="bad_count",
                rule="FLOOR-04",
                field=field,
            )
        if number:
            clean[denomination] = number
    if total(clean) > money.MAX_UNITS:
        raise Refused(
            Text(
                "el conteo suma más de lo posible; revíselo",
                "the count adds up to more than can be; check it",
            ),
            code="bad_count",
            rule="FLOOR-04",
            field=field,
        )
    return clean


def total(chips: Mapping[int, int]) -> int:
    """The value of a count in smallest units."""
    return sum(denomination * number for denomination, number in chips.items())


def difference(before: Mapping[int, int], now: Mapping[int, int]) -> dict[int, int]:
    """Chips more (+) or fewer (-) by denomination than before, only where they differ (FLOOR-05)."""
    return {
        denomination: now.get(denomination, 0) - before.get(denomination, 0)
        for denomination in sorted({*before, *now})
        if now.get(denomination, 0) != before.get(denomination, 0)
    }


def stored(chips: Mapping[int, int]) -> dict[str, int]:
    """As kept in JSON, whose keys are strings."""
    return {str(denomination): number for denomination, number in sorted(chips.items())}


def loaded(chips: Mapping[str, int]) -> dict[int, int]:
    return {int(denomination): number for denomination, number in chips.items()}


def _listed(casino: Casino) -> str:
    return ", ".join(money.plain(value, casino.exponent) for value in sorted(casino.denominations))
