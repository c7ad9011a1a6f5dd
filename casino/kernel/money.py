"""Money: an integer count of the currency's smallest unit inside, a decimal string at every edge.

Parsing, formatting and rounding live here and nowhere else. A rounding always names its policy
(GEN-09) and says what it left over, so that the caller can post it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from casino.kernel.errors import Refused
from casino.kernel.words import Text

MAX_UNITS = 10_000_000_000_000
"""Largest amount accepted at an edge: 10^13 smallest units.

What is told of amounts (trail, seals, API) is exact in every JSON reader only up to 2^53 - 1, about
9.007 x 10^15: nine hundred of the largest amounts still add up to less than that.
"""

LONGEST = 40
"""Characters of an amount, spaces included. A longer text is refused, never cut to its beginning."""

_PLAIN = re.compile(r"-?\d{1,16}(?:\.\d+)?", re.ASCII)


def parse(text: str, exponent: int = 2, *, field: str = "") -> int:
    """The smallest units in a decimal string: `"1250.50"` with exponent 2 is 125050.

    A comma is accepted as the decimal sign (`"1250,5"`), grouping signs are not: `1.250` would be
    read differently by different people. Raises `Refused` (code `bad_amount`).
    """
    cleaned = str(text).strip() if len(str(text)) <= LONGEST else ""
    if cleaned.count(",") == 1 and "." not in cleaned:
        cleaned = cleaned.replace(",", ".")
    if not _PLAIN.fullmatch(cleaned):
        example = plain(1250 * 10**exponent, exponent)
        raise Refused(
            Text(
                f"«{_short(text)}» no es un importe; escriba por ejemplo {example}, sin separador de miles",
                f"“{_short(text)}” is not an amount; write for example {example}, without thousands signs",
            ),
            code="bad_amount",
            field=field,
        )
    # Counted in the text, not in the value: `1.250` may be a thousand, and is never 1.25 unasked.
    if len(cleaned.partition(".")[2]) > exponent:
        raise Refused(
            Text(
                f"«{_short(text)}» tiene más de {exponent} decimales",
                f"“{_short(text)}” has more than {exponent} decimals",
            ),
            code="bad_amount",
            field=field,
        )
    units = int(Decimal(cleaned).scaleb(exponent))
    if abs(units) > MAX_UNITS:
        raise Refused(
            Text(f"«{_short(text)}» es demasiado grande", f"“{_short(text)}” is too large"),
            code="bad_amount",
            field=field,
        )
    return units


_GROUPED = re.compile(r"(-?)(\d{1,3}(?:,\d{3})+|\d{1,16})(?:\.(\d+))?", re.ASCII)
"""An amount as English writes it; Spanish has both signs the other way round."""

_SWAPPED = str.maketrans(".,", ",.")


def typed(text: str, language: str | None = None, exponent: int = 2, *, field: str = "") -> int:
    """The smallest units in what a person typed on a page in `language`, thousands signs or not.

    Spanish: `6.000`, `6.000,00`, `1.250,5`; English: `6,000`, `6,000.00`. The other language's decimal
    sign is read where it can be nothing else (`12.5` in Spanish), so that a numeric pad's point and what
    a form was filled with do. Anything else is refused with what to type: `1,250` in Spanish may be a
    thousand or a bit over one. Raises `Refused` (code `bad_amount`). Other edges than pages: `parse`.
    """
    english = (language or "").lower().startswith("en")
    given = str(text).strip() if len(str(text)) <= LONGEST else ""
    cleaned = given if english else given.translate(_SWAPPED)
    foreign = re.fullmatch(r"-?\d{1,16},(\d{1,2})", cleaned, re.ASCII)
    if foreign and len(foreign[1]) <= exponent:
        cleaned = cleaned.replace(",", ".")
    found = _GROUPED.fullmatch(cleaned)
    # With three decimals `6.000` is also how a Spanish form is filled with six.
    doubtful = exponent > 2 and not english and cleaned.count(",") == 1 and "." not in cleaned
    if not found or doubtful or len(found[3] or "") > exponent:
        raise _unreadable(text, exponent, field)
    return parse(
        found[1] + found[2].replace(",", "") + (f".{found[3]}" if found[3] else ""), exponent, field=field
    )


def _unreadable(text: str, exponent: int, field: str) -> Refused:
    units = 1250 * 10**exponent
    whole = words(1250, 0)
    return Refused(
        Text(
            f"«{_short(text)}» no se lee como importe; escriba por ejemplo 1250, {whole.es}"
            + (f" o {readable(units, 'es', exponent)}" if exponent else ""),
            f"“{_short(text)}” cannot be read as an amount; write for example 1250, {whole.en}"
            + (f" or {readable(units, 'en', exponent)}" if exponent else ""),
        ),
        code="bad_amount",
        field=field,
    )


def plain(units: int, exponent: int = 2) -> str:
    """The decimal string of an amount: 125050 is `"1250.50"`. The form used at every edge."""
    sign, digits = ("-" if units < 0 else ""), str(abs(units)).rjust(exponent + 1, "0")
    if not exponent:
        return sign + digits
    return f"{sign}{digits[:-exponent]}.{digits[-exponent:]}"


def readable(units: int, language: str | None = None, exponent: int = 2) -> str:
    """The amount as people read it: `1.250,50` in Spanish, `1,250.50` in English."""
    whole, _, cents = plain(abs(units), exponent).partition(".")
    english = (language or "").lower().startswith("en")
    grouped = f"{int(whole):,}"
    if not english:
        grouped = grouped.replace(",", ".")
    tail = f"{'.' if english else ','}{cents}" if cents else ""
    return ("\N{MINUS SIGN}" if units < 0 else "") + grouped + tail


def words(units: int, exponent: int = 2) -> Text:
    """The amount as people read it, in both languages."""
    return Text(readable(units, "es", exponent), readable(units, "en", exponent))


class Rounding(StrEnum):
    """The rounding policies an operator may declare (GEN-09)."""

    EXACT = "exact"  # refuse anything but a whole number of steps
    UP = "up"
    DOWN = "down"
    NEAREST = "nearest"  # half goes up, away from zero never arises: amounts are positive


@dataclass(frozen=True, slots=True)
class Rounded:
    """A rounded amount in smallest units, and `left`: what rounding added (+) or dropped (-)."""

    amount: int
    left: Fraction


def round_to(exact: Fraction, step: int, policy: Rounding) -> Rounded:
    """Round a non-negative exact amount to a multiple of `step` smallest units.

    Raises `Refused` (code `inexact_amount`) under `EXACT` when the amount is no multiple.
    """
    if exact < 0 or step < 1:
        raise ValueError("round_to takes a non-negative amount and a positive step")
    steps, rest = divmod(exact, step)
    amount = int(steps) * step
    if rest:
        if policy is Rounding.EXACT:
            raise Refused(
                Text(
                    "el importe exacto no se puede pagar con la ficha menor de la mesa",
                    "the exact amount cannot be paid with the table's smallest chip",
                ),
                code="inexact_amount",
                rule="GEN-09",
            )
        if policy is Rounding.UP or (policy is Rounding.NEAREST and 2 * rest >= step):
            amount += step
    return Rounded(amount, Fraction(amount) - exact)


def _short(text: object) -> str:
    shown = str(text)
    return shown if len(shown) <= 24 else shown[:24] + "…"
