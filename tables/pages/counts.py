"""Counting the tray on a page: what is typed, what it should be, and the tick that owns a difference.

A count is final once signed, so nothing here is filled in for the person: every denomination is typed,
zero too (FLOOR-04, FLOOR-10), and a difference that FLOOR-05 has reported is confirmed by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from casino.kernel import clock, money
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables import chips, queries
from tables.models import Table, TableSession
from tables.money import floats

PREFIX = "n_"


@dataclass(frozen=True, slots=True)
class Line:
    """One denomination of a count: its field, what is typed, what the previous closing says."""

    denomination: int
    name: str
    typed: str
    before: int | None


@dataclass(frozen=True, slots=True)
class Balance:
    """A count against what it should be: totals in smallest units, chips by denomination.

    `confirm`: the figure a tick must name before this count is taken, empty where none is asked. `usual`:
    what a table of the game opens on (FLOOR-09), None where nobody says.
    """

    total: int
    expected: int | None
    difference: int | None
    by_denomination: tuple[tuple[int, int], ...] = ()
    confirm: str = ""
    usual: int | None = None


def lines(request: HttpRequest, table: Table) -> list[Line]:
    previous = queries.previous_closing(table)
    before = chips.loaded(previous.chips) if previous else None
    return [
        Line(
            value,
            f"{PREFIX}{value}",
            request.POST.get(f"{PREFIX}{value}", ""),
            None if before is None else before.get(value, 0),
        )
        for value in sorted(table.casino.denominations, reverse=True)
    ]


def balance(request: HttpRequest, table: Table, session: TableSession | None) -> Balance:
    """The count so far; an opening is held against the previous closing, a closing against the ledger."""
    counted = {
        value: int(typed)
        for value in table.casino.denominations
        if _is_number(typed := request.POST.get(f"{PREFIX}{value}", "").strip())
    }
    if session is not None:
        return _closing(counted)
    return _opening(table, counted)


def _opening(table: Table, counted: dict[int, int]) -> Balance:
    total, usual = chips.total(counted), floats.usual_now(table, clock.now())
    previous = queries.previous_closing(table)
    if previous is None:
        return Balance(total, None, None, usual=usual)
    if not counted:
        return Balance(total, previous.total, None, usual=usual)
    by_chip = chips.difference(chips.loaded(previous.chips), {k: v for k, v in counted.items() if v})
    shown = tuple(sorted(by_chip.items(), reverse=True))
    confirm = str(total) if shown else ""
    return Balance(total, previous.total, total - previous.total, shown, confirm, usual)


def _closing(counted: dict[int, int]) -> Balance:
    total = chips.total(counted)
    # What the tray should hold is known with the drop, and shown to nobody before that is counted twice
    # (FLOOR-11); an empty tray is still owned.
    return Balance(total, None, None, confirm="0" if counted and not total else "")


def typed_count(request: HttpRequest, table: Table) -> dict[int, int]:
    """The count as typed, by denomination, none left out; raises `Refused` beside the line (FLOOR-04)."""
    counted: dict[int, int] = {}
    names = [f"{PREFIX}{value}" for value in sorted(table.casino.denominations, reverse=True)]
    others = [name for name in request.POST if name.startswith(PREFIX) and name[len(PREFIX) :].isdecimal()]
    for name in dict.fromkeys([*names, *others]):
        typed, value = request.POST.get(name, "").strip(), int(name[len(PREFIX) :])
        if not typed:
            raise _line_refused(
                name,
                "count_not_typed",
                Text(
                    "escriba cuántas fichas de {chip} hay; si no hay ninguna, escriba 0",
                    "type how many chips of {chip} there are; if there are none, type 0",
                ),
                value,
                table.casino,
            )
        if not _is_number(typed):
            raise _line_refused(
                name,
                "bad_count",
                Text(
                    "la cantidad de fichas de {chip} es un número entero desde cero",
                    "the number of chips of {chip} is a whole number from zero",
                ),
                value,
                table.casino,
            )
        counted[value] = int(typed)
    return counted


def require_confirmed(request: HttpRequest, found: Balance, *, reason: bool) -> None:
    """Refuse a difference nobody owned: a tick that names the counted figure, and, where asked, why.

    The tick's value is the figure it confirms, so that one given for another count confirms nothing.
    """
    if not found.confirm:
        return
    if request.POST.get("confirmed") != found.confirm:
        raise Refused(
            Text(
                "el conteo no es lo que debía haber: revíselo, o confirme la diferencia",
                "the count is not what there should be: check it, or confirm the difference",
            ),
            code="difference_not_confirmed",
            rule="FLOOR-05",
            field="confirmed",
        )
    if reason and not request.POST.get("reason", "").strip():
        raise Refused(
            Text("diga por qué no coincide con el cierre anterior", "say why it differs from the last close"),
            code="reason_missing",
            rule="FLOOR-05",
            field="reason",
        )


def _is_number(typed: str) -> bool:
    return typed.isascii() and typed.isdigit() and len(typed) < 8


def _line_refused(name: str, code: str, words: Text, value: int, casino: Casino) -> Refused:
    filled = Text(
        words.es.replace("{chip}", money.readable(value, "es", casino.exponent)),
        words.en.replace("{chip}", money.readable(value, "en", casino.exponent)),
    )
    known = value in casino.denominations
    return Refused(filled, code=code, rule="FLOOR-04", field=name if known else "chips")


def context(request: HttpRequest, table: Table, session: TableSession | None) -> dict[str, Any]:
    """What the templates of a count read."""
    return {
        "lines": lines(request, table),
        "balance": balance(request, table, session),
        "previous": queries.previous_closing(table) if session is None else None,
    }
