"""Putting chips on the layout, as every game checks it: the seat, the chip, the limits of the spot.

A game's own rules (which bet needs which other, when betting is over) stay with the game.
"""

from __future__ import annotations

from collections.abc import Mapping

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading
from tables.games.base import MOST_ON_A_SPOT, Terms


def seat_of(value: object, terms: Terms, rule: str, field: str = "seat") -> int:
    """A seat of the table. Raises `RuleViolation` of the game's own `rule` (code `no_such_seat`)."""
    if type(value) is not int:
        raise reading.bad_type(field, Text("el número de un asiento", "a seat number"))
    if not 1 <= value <= terms.seats:
        raise RuleViolation(
            rule,
            Text(
                f"no hay asiento {reading.shown(value)}: esta mesa tiene del 1 al {terms.seats}",
                f"there is no seat {reading.shown(value)}: this table has 1 to {terms.seats}",
            ),
            code="no_such_seat",
            field=field,
        )
    return value


def require_positions(terms: Terms, most: int, rule: str) -> None:
    """Refuse a table with more positions than the game takes (code `too_many_seats`)."""
    if terms.seats > most:
        raise RuleViolation(
            rule,
            Text(
                f"como mucho {most} posiciones; se pidieron {terms.seats}",
                f"at most {most} positions; {terms.seats} asked",
            ),
            code="too_many_seats",
            field="seats",
        )


def require_known_limits(terms: Terms, spots: Mapping[str, Text]) -> None:
    """Refuse limits of a spot the game does not have, or that no stake in chips can meet (GEN-04)."""
    for spot, (low, high) in terms.limits.items():
        if spot not in spots:
            known = ", ".join(spots)
            raise RuleViolation(
                "GEN-04",
                Text(
                    f"el juego no tiene la apuesta «{reading.shown(spot)}»; las hay: {known}",
                    f"the game has no bet “{reading.shown(spot)}”; there are: {known}",
                ),
                code="unknown_spot",
                field="limits",
            )
        if high // terms.chip * terms.chip < low:
            raise RuleViolation(
                "GEN-04",
                Text(
                    f"con esta ficha menor ninguna apuesta cumple los límites de {spots[spot].es}",
                    f"with this smallest chip no bet meets the limits of {spots[spot].en}",
                ),
                code="unplayable_limits",
                field="limits",
            )


def least(terms: Terms, spot: str) -> int:
    """The least stake a spot takes: its minimum, up to whole chips."""
    return -(-terms.limits[spot][0] // terms.chip) * terms.chip


def require_chips(amount: int, terms: Terms, field: str = "amount") -> None:
    """Refuse an amount that no chips of the table make (GEN-07)."""
    require_multiple(amount, terms.chip, terms.exponent, field)


def require_multiple(amount: int, chip: int, exponent: int, field: str = "amount") -> None:
    """Refuse an amount that is not made of chips of `chip` (GEN-07)."""
    if amount % chip:
        say, smallest = money_words(amount, exponent), money_words(chip, exponent)
        raise RuleViolation(
            "GEN-07",
            Text(
                f"{say.es} no se forma con fichas: la menor es de {smallest.es}",
                f"{say.en} cannot be made of chips: the smallest is {smallest.en}",
            ),
            {"amount": amount, "chip": chip},
            code="not_in_chips",
            field=field,
        )


def require_limits(total: int, terms: Terms, spot: str, words: Text) -> None:
    """Refuse a total on a spot outside the table's limits (GEN-04). The spot must be in `terms.limits`."""
    low, high = terms.limits[spot]
    high = min(high, MOST_ON_A_SPOT)
    if low <= total <= high:
        return
    figures = {"spot": spot, "total": total, "min": low, "max": high}
    say = money_words(total, terms.exponent)
    if total > high:
        most = money_words(high, terms.exponent)
        raise RuleViolation(
            "GEN-04",
            Text(
                f"{say.es} a {words.es} supera el máximo de {most.es}",
                f"{say.en} on {words.en} is above the maximum of {most.en}",
            ),
            figures,
            code="above_maximum",
            field="amount",
        )
    if total < low:
        fewest = money_words(low, terms.exponent)
        raise RuleViolation(
            "GEN-04",
            Text(
                f"{say.es} a {words.es} no llega al mínimo de {fewest.es}",
                f"{say.en} on {words.en} is below the minimum of {fewest.en}",
            ),
            figures,
            code="below_minimum",
            field="amount",
        )
