"""What pages and API read of inspections alike: tables least inspected, units as typed."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from audits.inspections import counting, drawing, subjects
from casino.kernel import money
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino


@dataclass(frozen=True, slots=True)
class Inspected:
    """A table in service as a draw would weigh it; `last_day` is None where no inspector ever counted."""

    id: int
    label: str
    open: bool
    last_day: dt.date | None
    days: int
    times: int
    weight: int


def least_inspected(casino: Casino, today: dt.date) -> list[Inspected]:
    """The tables in service, the likeliest to be drawn first."""
    seen = drawing.tallies(casino, today)
    spots = {spot.id: spot for spot in subjects.tables(casino)}
    found = drawing.candidates_of(casino, today, open_only=False)
    rows = [
        Inspected(
            one.id,
            one.label,
            spots[one.id].open,
            seen.get(one.id, (None, 0))[0],
            one.days,
            one.times,
            one.weight,
        )
        for one in found
    ]
    return sorted(rows, key=lambda row: (-row.weight, row.label))


@dataclass(frozen=True, slots=True)
class Typed:
    """How what was counted is typed, where it is no chips."""

    unit: counting.Unit

    def read(self, typed: str | None, casino: Casino, language: str | None) -> int | None:
        """A number of cards or an amount; nothing typed is None. Raises `Refused` beside `total`."""
        said = (typed or "").strip()
        if not said:
            return None
        if self.unit == counting.Unit.MONEY:
            return money.typed(said, language, casino.exponent, field="total")
        if not (said.isascii() and said.isdigit() and len(said) <= 6):
            raise Refused(
                Text("escriba un número entero", "type a whole number"),
                code="bad_count",
                rule="REC-11",
                field="total",
            )
        return int(said)


def unit_of(kind: str) -> Typed:
    """Raises `Refused` (`unknown_kind`)."""
    return Typed(subjects.countable(kind).unit)
