"""Cash by denomination: how many of each note and coin of the house's currency, never just a total."""

from __future__ import annotations

from collections.abc import Mapping

from casino.kernel import money
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables import chips
from tables.money.denominations import NOTES_AND_COINS

MOST_PIECES = 1_000_000


def pieces_of(casino: Casino) -> tuple[int, ...]:
    """The notes and coins of the house's currency, largest first; none where the currency is not listed."""
    return NOTES_AND_COINS.get(casino.currency, ())


def checked(casino: Casino, cash: Mapping[int, int], *, field: str = "cash") -> dict[int, int]:
    """A count of notes and coins without its empty lines; of an unlisted currency any denomination passes.

    Raises `Refused` (codes `unknown_denomination`, `bad_count`) naming the line.
    """
    known = pieces_of(casino)
    clean: dict[int, int] = {}
    for piece, number in cash.items():
        if piece < 1 or (known and piece not in known):
            shown = money.words(piece, casino.exponent)
            raise Refused(
                Text(
                    f"no hay billete ni moneda de {shown.es} en {casino.currency}; revise la línea",
                    f"there is no note or coin of {shown.en} in {casino.currency}; check the line",
                ),
                code="unknown_denomination",
                field=field,
            )
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST_PIECES:
            raise Refused(
                Text(
                    "la cantidad de billetes o monedas es un número entero desde cero",
                    "the number of notes or coins is a whole number from zero",
                ),
                code="bad_count",
                field=field,
            )
        if number:
            clean[piece] = number
    if chips.total(clean) > money.MAX_UNITS:
        raise Refused(
            Text("el efectivo suma más de lo posible; revíselo", "the cash adds up to more than can be"),
            code="bad_count",
            field=field,
        )
    return clean
