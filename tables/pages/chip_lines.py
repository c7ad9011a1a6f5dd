"""Chips typed on a page, a box per denomination: what is shown, and what is read of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.http import HttpRequest

from casino.kernel import money
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables.chips import MOST_CHIPS
from tables.models import Slip

PREFIX = "n_"


@dataclass(frozen=True, slots=True)
class Line:
    """One denomination: its field, what is typed in it, how many there should be (None: unknown)."""

    denomination: int
    name: str
    typed: str
    there: int | None = None


def lines(
    request: HttpRequest,
    casino: Casino,
    *,
    there: Mapping[int, int] | None = None,
    filled: Mapping[int, int] | None = None,
    only: Iterable[int] | None = None,
) -> list[Line]:
    """A line for each denomination of the house (`only` those), largest first; `filled`: typed beforehand."""
    values = sorted(casino.denominations if only is None else only, reverse=True)
    given = request.POST if request.method == "POST" else None
    return [
        Line(
            value,
            f"{PREFIX}{value}",
            given.get(f"{PREFIX}{value}", "") if given is not None else _shown((filled or {}).get(value)),
            None if there is None else there.get(value, 0),
        )
        for value in values
    ]


def typed(request: HttpRequest, casino: Casino, *, every: bool = False) -> dict[int, int]:
    """The chips as typed, empty boxes left out; `every`: none may be, since a count says zero too.

    Raises `Refused` (`bad_count`, `count_not_typed`) beside the box.
    """
    found: dict[int, int] = {}
    for name, text in request.POST.items():
        given, value = str(text).strip(), name[len(PREFIX) :]
        if not name.startswith(PREFIX) or not given or not (value.isascii() and value.isdigit()):
            continue
        if value.startswith("0"):  # no box of ours: it would count a chip twice
            continue
        if not (given.isascii() and given.isdigit() and len(given) < 8 and int(given) <= MOST_CHIPS):
            chip = money.words(int(value[:15]), casino.exponent)
            known = int(value[:15]) in casino.denominations
            raise Refused(
                Text(
                    f"la cantidad de fichas de {chip.es} es un número entero desde cero",
                    f"the number of chips of {chip.en} is a whole number from zero",
                ),
                code="bad_count",
                field=name if known else "chips",
            )
        found[int(value[:15])] = int(given)
    missing = [value for value in sorted(casino.denominations, reverse=True) if value not in found]
    if every and missing:
        chip = money.words(missing[0], casino.exponent)
        raise Refused(
            Text(
                f"escriba cuántas fichas de {chip.es} hay; si no hay ninguna, escriba 0",
                f"type how many chips of {chip.en} there are; if there are none, type 0",
            ),
            code="count_not_typed",
            rule="FLOOR-05",
            field=f"{PREFIX}{missing[0]}",
        )
    return found


def total_so_far(shown: Iterable[Line]) -> int:
    """What the boxes of these lines add up to, those that cannot be read left out."""
    typed = ((line.denomination, line.typed.strip()) for line in shown)
    return sum(
        value * int(text) for value, text in typed if text.isascii() and text.isdigit() and len(text) < 8
    )


def slip_lines(slip: Slip) -> list[tuple[int, int, int]]:
    """A slip's chips as it prints them: denomination, number, value; largest first (FLOOR-07)."""
    rows = sorted(((int(value), number) for value, number in slip.chips.items()), reverse=True)
    return [(value, number, value * number) for value, number in rows]


def _shown(number: int | None) -> str:
    return str(number) if number else ""
