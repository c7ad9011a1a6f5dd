"""CSV for programs: UTF-8 with a byte order mark, commas, CRLF (RFC 4180), a decimal point.

The mark is there because spreadsheets take a file without it for Latin-1 and spoil the ñ; readers
open it as `utf-8-sig`. Text that a spreadsheet would run as a formula gets an apostrophe in front that can be
taken off again (`guard.py`): this form loses nothing, and every other format is made from it
(`audits/reports/kept.py`).

A report with one table is that table: a heading and its rows. One with several says first what it is
(house, day, state), then has each table under its title, an empty line between.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from audits.reports.document import Document, Progress
from audits.reports.formats import served
from audits.reports.formats.guard import safe
from audits.reports.registry import Cell, Column, Kind, Section

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a section lies in the file: the first byte of its rows, how many, that of its closing line."""

    offset: int
    rows: int
    closing: int | None


class Lines:
    """Rows as lines of the file, in one dialect."""

    def __init__(self, file: BinaryIO, delimiter: str = ",") -> None:
        self.file = file
        self._writer = csv.writer(self, delimiter=delimiter)
        self.row = self._writer.writerow

    def write(self, line: str) -> None:
        """Half of a surrogate pair is no text: it is written as a question mark."""
        self.file.write(line.encode("utf-8", "replace"))


def write(document: Document, path: Path, progress: Progress) -> tuple[Placed, ...]:
    """Write the document's tables, row by row, to `path`; where each of them lies."""
    placed = []
    with path.open("wb") as file:
        file.write(BOM)
        out = Lines(file)
        for section in document.sections:
            head(document, section, out)
            offset = file.tell()
            rows = _rows(document, section, out, progress)
            totals = document.totals(section)
            closing = file.tell() if totals else None
            if totals:
                out.row([cell_of(document, totals.get(c.key), c.kind) for c in section.columns])
            placed.append(Placed(offset, rows, closing))
    return tuple(placed)


def head(document: Document, section: Section, out: Lines) -> None:
    """What stands above a table's rows; before the first of several tables, what the report is."""
    if len(document.sections) > 1:
        if section is document.sections[0]:
            out.row([safe(document.casino.name), safe(document.title)])
            for said, value in document.particulars:
                out.row([safe(said), safe(value)])
        out.row([])
        out.row([safe(document.say(section.title))])
    out.row([safe(_heading(document, column)) for column in section.columns])


def _rows(document: Document, section: Section, out: Lines, progress: Progress) -> int:
    if section.served is not None:
        return served.write(document, section, out.file, progress)
    keys: Sequence[tuple[str, Kind]] = [(column.key, column.kind) for column in section.columns]
    count = 0
    for row in document.rows(section, progress):
        out.row([cell_of(document, row.get(key), kind) for key, kind in keys])
        count += 1
    return count


def _heading(document: Document, column: Column) -> str:
    said = document.say(column.heading)
    return f"{said} %" if column.kind is Kind.PERCENT else said


def cell_of(document: Document, cell: Cell, kind: Kind) -> str:
    """A cell as it stands in the file."""
    shown = document.plain(cell, kind)
    return shown if kind.is_number else safe(shown)
