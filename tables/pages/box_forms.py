"""The form of a box count: a line per note, coin and chip, a few lines for papers; read back as typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from casino.kernel import money
from casino.kernel.errors import Refused
from casino.kernel.words import Text, same
from tables.models import BoxCount, DropBox
from tables.money.box_contents import DOCUMENTS
from tables.money.denominations import CHIP, FOREIGN_EXPONENT, NAMES, NOTES_AND_COINS

PAPERS = 4
"""How many papers the form has lines for; the API takes more."""
OTHER_LINES = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """One line of the form: denomination in smallest units, its field, what is typed."""

    denomination: int
    name: str
    typed: str


@dataclass(frozen=True, slots=True)
class Currency:
    code: str
    words: Text
    pieces: tuple[Piece, ...]


def lines(request: HttpRequest, box: DropBox) -> list[Currency]:
    """The currencies a count of this box is asked for: the house's, dollars, chips in a deduction box."""
    casino = box.session.casino
    codes = [casino.currency, *(["USD"] if casino.currency != "USD" else [])]
    if box.kind == DropBox.Kind.DEDUCTION:
        codes.insert(0, CHIP)
    return [
        Currency(
            code,
            NAMES.get(code, same(code)),
            tuple(
                Piece(value, _field(code, value), request.POST.get(_field(code, value), ""))
                for value in _denominations(code, box)
            ),
        )
        for code in codes
    ]


def _denominations(code: str, box: DropBox) -> tuple[int, ...]:
    if code == CHIP:
        return tuple(sorted(box.session.casino.denominations, reverse=True))
    return NOTES_AND_COINS.get(code, ())


def _field(code: str, value: int) -> str:
    return f"n_{code}_{value}"


def pieces_typed(request: HttpRequest, box: DropBox) -> dict[str, dict[int, int]]:
    """What the form says lay in the box, by currency. Raises `Refused` beside the line."""
    found: dict[str, dict[int, int]] = {}
    for currency in lines(request, box):
        found[currency.code] = {
            piece.denomination: _number(piece.typed, piece.name) for piece in currency.pieces
        }
    for row in range(1, OTHER_LINES + 1):
        code = request.POST.get(f"other_{row}", "").strip().upper()
        if not code and not any(
            request.POST.get(f"other_{row}_{part}", "").strip() for part in ("value", "count")
        ):
            continue
        value = money.typed(
            request.POST.get(f"other_{row}_value", ""), get_language(), FOREIGN_EXPONENT, field="contents"
        )
        pieces = found.setdefault(code, {})
        pieces[value] = pieces.get(value, 0) + _number(request.POST.get(f"other_{row}_count", ""), "contents")
    return found


def _number(typed: str, field: str) -> int:
    typed = typed.strip()
    if not typed:
        return 0
    if not (typed.isascii() and typed.isdigit() and len(typed) < 8):
        raise Refused(
            Text("la cantidad es un número entero desde cero", "the number is a whole number from zero"),
            code="bad_count",
            rule="FLOOR-11",
            field=field,
        )
    return int(typed)


def paper_lines(request: HttpRequest) -> list[dict[str, str]]:
    """The lines for papers, with what was typed."""
    return [
        {
            "row": str(row),
            "kind": request.POST.get(f"paper_{row}_kind", ""),
            "number": request.POST.get(f"paper_{row}_number", ""),
            "amount": request.POST.get(f"paper_{row}_amount", ""),
        }
        for row in range(1, PAPERS + 1)
    ]


def papers_typed(request: HttpRequest, exponent: int) -> list[dict[str, Any]]:
    """The papers of the form; a line without number and amount is none."""
    papers = []
    for line in paper_lines(request):
        amount = line["amount"].strip()
        if not line["number"].strip() and not amount:
            continue
        papers.append(
            {
                "kind": line["kind"],
                "number": line["number"],
                "amount": money.typed(amount, get_language(), exponent, field="documents") if amount else 0,
            }
        )
    return papers


def rate_typed(request: HttpRequest) -> int:
    """A rate as typed, in ten-thousandths of a unit of the house's money."""
    return int(money.typed(request.POST.get("rate", ""), get_language(), 4, field="rate"))


def shown(box: DropBox, count: BoxCount) -> list[tuple[Text, str, int]]:
    """What a count found, a line each: the piece, its denomination in words, how many."""
    found = []
    for code, pieces in count.contents.items():
        exponent = (
            box.session.casino.exponent if code in (CHIP, box.session.casino.currency) else FOREIGN_EXPONENT
        )
        for value, number in sorted(pieces.items(), key=lambda item: -int(item[0])):
            found.append(
                (NAMES.get(code, same(code)), money.readable(int(value), get_language(), exponent), number)
            )
    for paper in count.documents:
        words = DOCUMENTS[paper["kind"]]
        said = f"{paper['number']} · {money.readable(paper['amount'], get_language())}"
        found.append((words, said, 1))
    return found
