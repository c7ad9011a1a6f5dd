"""What an inspector may be led to and what he may count: told by the rooms above, which register at start-up.

`audits` knows no table. A room says which tables there are (`register_tables`) and what of its own can be
counted against a figure of its own (`register_countable`): a float, a pack of cards, a meter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from audits.by import By
from audits.models import InspectionCount
from audits.trail import Subject
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino

Unit = InspectionCount.Unit


@dataclass(frozen=True, slots=True)
class Spot:
    """A table of the floor: its id, its name, whether it is open now."""

    id: int
    label: str
    open: bool


@dataclass(frozen=True, slots=True)
class Target:
    """Something that can be counted now; `table`: the floor's table it is at, by id, and its name."""

    id: int
    label: str
    table: int | None = None
    table_label: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """What the house's own records say there should be, in smallest units or cards, with what it rests on.

    `basis` says in words how sure the figure is; `facts` are kept as JSON, without floats.
    """

    subject: Subject
    amount: int
    basis: Text
    facts: Mapping[str, Any] = field(default_factory=dict)
    table: int | None = None
    table_label: str = ""


Targets = Callable[[Casino], Sequence[Target]]
Expect = Callable[[int, int | None, By], Expected]
"""`expect(id, aside, by)`: locks what it reads, so that the figure is of that moment; raises `NotFound`."""


@dataclass(frozen=True, slots=True)
class Countable:
    """A kind of thing an inspector counts. `aside`: what else is noted with it, where the figure needs it."""

    code: str
    name: Text
    unit: Unit
    targets: Targets
    expect: Expect
    aside: Text | None = None


_countables: dict[str, Countable] = {}
_tables: list[Callable[[Casino], Sequence[Spot]]] = []


def register_countable(countable: Countable) -> None:
    """Make a kind known; safe twice."""
    _countables[countable.code] = countable


def register_tables(tables: Callable[[Casino], Sequence[Spot]]) -> None:
    """Have `tables(casino)` asked which tables are in service."""
    if tables not in _tables:
        _tables.append(tables)


def tables(casino: Casino) -> list[Spot]:
    """The tables in service, by name."""
    return sorted((spot for found in _tables for spot in found(casino)), key=lambda spot: spot.label)


def countables() -> dict[str, Countable]:
    return dict(_countables)


def countable(code: str) -> Countable:
    """Raises `Refused` (`unknown_kind`)."""
    found = _countables.get(code)
    if found is None:
        raise Refused(
            Text("elija qué se cuenta de la lista", "choose what is counted from the list"),
            code="unknown_kind",
            rule="REC-11",
            field="kind",
        )
    return found


def kind_name(code: str) -> Text:
    """What a kind is called; its code where no room knows it any more."""
    known = _countables.get(code)
    return known.name if known else Text(code, code)
