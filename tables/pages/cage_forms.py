"""What the cage's forms share: chips and cash typed by denomination, amounts, desks, sums so far."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable
from dataclasses import replace

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import get_language

from audits.by import By
from audits.pages.answers import by_of, chosen, rows_of, user_of
from casino.kernel import ids, money
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from tables.chips import MOST_CHIPS
from tables.models import CageDesk
from tables.money import cash
from tables.pages.chip_lines import Line

CHIPS, GIVEN, CASH = "n_", "g_", "c_"
"""Prefixes of the boxes: chips, chips handed over in an exchange, notes and coins."""


def lines(request: HttpRequest, values: Iterable[int], prefix: str = CHIPS) -> list[Line]:
    """A box for each denomination, largest first, with what was typed."""
    return [
        Line(value, f"{prefix}{value}", request.POST.get(f"{prefix}{value}", ""))
        for value in sorted(values, reverse=True)
    ]


def chip_boxes(request: HttpRequest, prefix: str = CHIPS) -> list[Line]:
    return lines(request, user_of(request).casino.denominations, prefix)


def cash_boxes(request: HttpRequest) -> list[Line]:
    return lines(request, cash.pieces_of(user_of(request).casino), CASH)


def typed(request: HttpRequest, prefix: str = CHIPS) -> dict[int, int]:
    """How many of each denomination, empty boxes left out. Raises `Refused` (`bad_count`) beside the box."""
    found: dict[int, int] = {}
    for name, text in request.POST.items():
        given, value = str(text).strip(), name[len(prefix) :]
        if not name.startswith(prefix) or not given or not (value.isascii() and value.isdigit()):
            continue
        if not (given.isascii() and given.isdigit() and len(given) < 8 and int(given) <= MOST_CHIPS):
            raise Refused(
                Text("escriba un número entero desde cero", "type a whole number from zero"),
                code="bad_count",
                field=name,
            )
        found[int(value[:15])] = int(given)
    return found


def so_far(request: HttpRequest, prefix: str = CHIPS) -> int:
    """What the boxes add up to, those that cannot be read left out."""
    total = 0
    for name, text in request.POST.items():
        value, given = name[len(prefix) :], str(text).strip()
        if name.startswith(prefix) and value.isdecimal() and given.isascii() and given.isdigit():
            total += int(value[:15]) * int(given[:7])
    return total


def amount(request: HttpRequest, field: str) -> int:
    """An amount as people type it. Refuses beside the field."""
    exponent = user_of(request).casino.exponent
    return money.typed(request.POST.get(field, ""), get_language(), exponent, field=field)


def amount_or_none(request: HttpRequest, field: str) -> int | None:
    return amount(request, field) if request.POST.get(field, "").strip() else None


def read_or_none(request: HttpRequest, field: str) -> int | None:
    """An amount while it is still being typed; None where it cannot be read."""
    try:
        return amount_or_none(request, field)
    except SabotError:
        return None


def day_of(text: str) -> dt.date | None:
    """A date as a browser sends it; None where it is none."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


def by_form(request: HttpRequest) -> By:
    """Who asks, with the number of the form as that of the request: a second click is no second act."""
    try:
        return replace(by_of(request), request_id=uuid.UUID(request.POST.get("form", "")))
    except ValueError:
        return by_of(request)


def form_number(request: HttpRequest) -> str:
    """The number a form is given, and keeps after a refusal."""
    return request.POST.get("form") or str(ids.new_request_id())


def paying_desk(request: HttpRequest) -> CageDesk:
    """The desk a prize is paid at. Refuses beside its field."""
    words = Text("elija la ventanilla que paga", "choose the desk that pays")
    found: CageDesk = chosen(desks(request), request, "desk", words=words)
    return found


def desks(request: HttpRequest) -> QuerySet[CageDesk]:
    """The desks of the house in service."""
    return rows_of(CageDesk, request).filter(active=True).order_by("number").select_related("casino")


def in_lines(counted: dict[str, int]) -> list[tuple[int, int, int]]:
    """As stored, to be shown: denomination, number, value; largest first."""
    rows = sorted(((int(value), number) for value, number in counted.items()), reverse=True)
    return [(value, number, value * number) for value, number in rows]
