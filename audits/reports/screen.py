"""A report on the screen: the same cells as its files, a page of rows at a time, each row with its address.

A row is found again by its place and by what it said; figures of an evening that is played move on, so the
address holds two marks: of all the row's cells, and of those that say what the row is about.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice

from audits.persons import naming
from audits.reports.document import Document
from audits.reports.registry import EVENTS, Cell, Column, EventsOf, Kind, Row, Section, events_named
from audits.reports.resting import merged
from casino.kernel.canonical import canonical

PAGE_ROWS = 50
LONG = 28
MOST_ROWS = 20_000
"""What is read for the screen; nobody turns so many pages, and a file has no such limit."""
TOTAL = "total"
"""The place of a section's closing line."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell: as people read it, and as the files have it, so that nobody need trust the grouping."""

    readable: str
    plain: str
    kind: Kind

    @property
    def is_number(self) -> bool:
        return self.kind.is_number

    @property
    def is_long(self) -> bool:
        """Whether it is prose that needs some width to be read in."""
        return self.kind is Kind.TEXT and len(self.readable) > LONG


@dataclass(frozen=True, slots=True)
class Line:
    """A row: its cells, and where its events are found (empty: it names none)."""

    cells: tuple[Shown, ...]
    place: str
    mark: str
    label: str
    rests: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One table of the report, or a page of it. `whole`: how many rows it has, None where nobody counted."""

    section: Section
    lines: tuple[Line, ...]
    total: Line | None
    page: int
    more: bool
    cut: bool
    whole: int | None

    @property
    def first(self) -> int:
        return (self.page - 1) * PAGE_ROWS + 1

    @property
    def last(self) -> int:
        return self.first + len(self.lines) - 1


def part(document: Document, section: Section, page: int = 1) -> Part:
    """A page of a section's rows, and its closing line once all rows were read."""
    begin = (page - 1) * PAGE_ROWS
    with _reading(section, MOST_ROWS + 1) as rows:
        chosen = list(islice(rows, begin, begin + PAGE_ROWS))
        left = 1 if next(rows, None) is not None else 0
        if section.totals is not None:
            left += sum(1 for _row in rows)  # its totals are asked for after its last row
    total = None
    read = begin + len(chosen) + left
    if section.totals is not None and read <= MOST_ROWS:
        closing = section.totals()
        rests = bool(chosen)
        total = _line(document, section, closing, TOTAL, rests=rests) if closing else None
    lines = tuple(_line(document, section, row, str(begin + n)) for n, row in enumerate(chosen))
    whole = section.count()
    return Part(
        section=section,
        lines=lines,
        total=total,
        page=page,
        more=bool(left) and begin + PAGE_ROWS < MOST_ROWS,
        cut=bool(left) and begin + PAGE_ROWS >= MOST_ROWS,
        whole=whole if whole is not None or left or page > 1 else len(lines),
    )


def _line(document: Document, section: Section, row: Row, place: str, *, rests: bool | None = None) -> Line:
    cells = tuple(shown(document, row.get(column.key), column.kind) for column in section.columns)
    naming.note(*row.get(naming.PEOPLE, ()))
    mark, label = marks(document, section, row)
    return Line(cells, place, mark, label, rests=EVENTS in row if rests is None else rests)


def shown(document: Document, cell: Cell, kind: Kind) -> Shown:
    """One cell as it is shown."""
    return Shown(document.readable(cell, kind), document.plain(cell, kind), kind)


# ---- a row found again ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """A row and the events it rests on. `moved_on`: its figures are others than those that were clicked."""

    row: Row
    named: tuple[EventsOf, ...]
    moved_on: bool = False


def marks(document: Document, section: Section, row: Row) -> tuple[str, str]:
    """What a row says, and what it is about: sixteen hexadecimal digits each, in any language the same."""
    spanish = replace(document, language="es-bo")
    about = [column for column in section.columns if not _moves(column)]
    return _mark(spanish, section, row, section.columns), _mark(spanish, section, row, about)


def _moves(column: Column) -> bool:
    return column.kind.is_number or column.kind is Kind.INSTANT


def _mark(document: Document, section: Section, row: Row, columns: object) -> str:
    assert isinstance(columns, list | tuple)
    said = [[column.key, document.plain(row.get(column.key), column.kind)] for column in columns]
    return hashlib.sha256(canonical([section.key, said])).hexdigest()[:16]


def find(document: Document, section: Section, place: str, mark: str, label: str) -> Found | None:
    """The row that stood at a place and said so; where it moved, the same row elsewhere; where its figures
    moved on, the row about the same. None where there is no such row any more."""
    if place == TOTAL:
        return _whole(section)
    about: Row | None = None
    with _reading(section, MOST_ROWS) as rows:
        for n, row in enumerate(rows):
            is_there, is_about = marks(document, section, row)
            if is_there == mark:
                return Found(row, events_named(row))
            if is_about == label and (about is None or str(n) == place):
                about = row
    return Found(about, events_named(about), moved_on=True) if about is not None else None


def _whole(section: Section) -> Found | None:
    """The closing line: what it names itself, or the events of all its rows."""
    with _reading(section, MOST_ROWS) as rows:
        named = merged(one for row in rows for one in events_named(row))
    closing = section.totals() if section.totals is not None else None
    if not closing:
        return None
    return Found(closing, events_named(closing) or tuple(named))


@contextmanager
def _reading(section: Section, most: int) -> Iterator[Iterator[Row]]:
    """The first rows of a section. Who stops early leaves no cursor open in the database."""
    rows = iter(section.rows())
    try:
        yield islice(rows, most)
    finally:
        if isinstance(rows, Generator):
            rows.close()
