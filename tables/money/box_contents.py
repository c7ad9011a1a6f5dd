"""What a team found in a box, as plain values: checked, added up, compared, committed to (FLOOR-11).

Pure: no database, no clock. Amounts are in the smallest unit of the currency named; totals in the house's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from casino.kernel import money, texts
from casino.kernel.canonical import canonical
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables.money.denominations import CHIP, FOREIGN_EXPONENT, NOTES_AND_COINS

MOST_PIECES = 1_000_000
MOST_DOCUMENTS = 200
DOCUMENTS: Mapping[str, Text] = {
    "voucher": Text("vale o cupón", "voucher"),
    "cheque": Text("cheque", "cheque"),
    "slip": Text("comprobante de reposición o retiro", "fill or credit slip"),
    "other": Text("otro documento", "other document"),
}
WORTH_NOTHING = ("slip", "other")
"""Papers that tell of chips or of something else; they are no money."""
RATE_STEP = 10_000
"""A rate is kept in ten-thousandths of a unit of the house's money."""


@dataclass(frozen=True, slots=True)
class House:
    """What of a house the count of its boxes depends on. `rates`: currency -> ten-thousandths of a unit."""

    currency: str
    exponent: int
    chips: frozenset[int]
    rates: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Found:
    """A count without its empty lines. `total` in the house's smallest units; `rates`: those it used."""

    contents: dict[str, dict[str, int]]
    documents: list[dict[str, Any]]
    rates: dict[str, int]
    total: int

    def same_as(self, contents: Any, documents: Any) -> bool:
        """Whether another count found the very same: each denomination, each paper."""
        return (self.contents, self.documents) == (contents, documents)


def found(
    house: House, pieces: Mapping[str, Mapping[int, int]], documents: Sequence[Mapping[str, Any]]
) -> Found:
    """A count checked and added up.

    `pieces`: currency -> denomination -> number; `documents`: `{kind, number, amount}` each. Raises
    `Refused`: `unknown_denomination`, `bad_count`, `no_rate`, `bad_document` (FLOOR-11).
    """
    contents: dict[str, dict[str, int]] = {}
    rates: dict[str, int] = {}
    total = 0
    for currency, lines in sorted(pieces.items()):
        clean = {d: _number(n) for d, n in sorted(lines.items()) if n != 0}
        if not clean:
            continue
        _require_known(house, currency, clean)
        contents[currency] = {str(d): n for d, n in clean.items()}
        value = sum(d * n for d, n in clean.items())
        if currency not in (house.currency, CHIP):
            rates[currency] = _rate(house, currency)
            value = converted(value, rates[currency], house.exponent)
        total += value
    papers = _papers(documents)
    total += sum(paper["amount"] for paper in papers)
    if total > money.MAX_UNITS:
        raise _refused(
            "bad_count", "el recuento suma más de lo posible; revíselo", "the count adds up to too much"
        )
    return Found(contents, papers, rates, total)


def converted(foreign: int, rate: int, exponent: int) -> int:
    """Foreign money in the house's smallest units; a fraction of one is dropped, for both teams alike."""
    return foreign * rate * 10**exponent // (RATE_STEP * 10**FOREIGN_EXPONENT)


def commitment(box: int, nth: int, count: Found, salt: str) -> str:
    """SHA-256, in hex, over what was found and a salt: binds the first team and tells nobody anything."""
    told = {
        "box": box, "nth": nth, "contents": count.contents, "documents": count.documents,
        "rates": count.rates, "total": count.total, "salt": salt,
    }  # fmt: skip
    return hashlib.sha256(canonical(told)).hexdigest()


def _require_known(house: House, currency: str, lines: Mapping[int, int]) -> None:
    known = house.chips if currency == CHIP else NOTES_AND_COINS.get(currency)
    if not (currency == CHIP or (len(currency) == 3 and currency.isascii() and currency.isupper())):
        raise _refused(
            "unknown_currency", "escriba la moneda por sus tres letras", "write the currency by its letters"
        )
    for denomination in lines:
        if denomination <= 0 or (known is not None and denomination not in known):
            shown = money.plain(denomination, house.exponent if currency == CHIP else FOREIGN_EXPONENT)
            raise _refused(
                "unknown_denomination",
                f"no hay pieza de {shown} {currency}; revise la denominación",
                f"there is no piece of {shown} {currency}; check the denomination",
            )


def _number(number: Any) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST_PIECES:
        raise _refused(
            "bad_count",
            "la cantidad de piezas es un número entero desde cero",
            "the number of pieces is a whole number from zero",
        )
    return number


def _rate(house: House, currency: str) -> int:
    if currency not in house.rates:
        raise _refused(
            "no_rate",
            f"no hay tipo de cambio para {currency}: fíjelo en la sala de recuento antes de contar",
            f"there is no exchange rate for {currency}: set it in the count room before counting",
        )
    return house.rates[currency]


def _papers(documents: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if len(documents) > MOST_DOCUMENTS:
        raise _refused("bad_document", "demasiados documentos", "too many documents", field="documents")
    papers = [_paper(document) for document in documents]
    return sorted(papers, key=lambda paper: (paper["kind"], paper["number"], paper["amount"]))


def _paper(document: Mapping[str, Any]) -> dict[str, Any]:
    kind, amount = document.get("kind"), document.get("amount", 0)
    if kind not in DOCUMENTS:
        raise _refused(
            "bad_document", "elija la clase de documento", "choose the kind of paper", field="documents"
        )
    if isinstance(amount, bool) or not isinstance(amount, int) or not 0 <= amount <= money.MAX_UNITS:
        raise _refused("bad_document", "importe del documento", "amount of the paper", field="documents")
    if amount and kind in WORTH_NOTHING:
        raise _refused(
            "bad_document",
            "un comprobante no es dinero: su importe en la caja es cero",
            "a slip is no money: in the box it is worth nothing",
            field="documents",
        )
    number = texts.line(
        str(document.get("number", "")), "documents", 40, code="bad_document", rule="FLOOR-11"
    )
    return {"kind": kind, "number": number, "amount": amount}


def _refused(code: str, es: str, en: str, *, field: str = "contents") -> Refused:
    return Refused(Text(es, en), code=code, rule="FLOOR-11", field=field)
