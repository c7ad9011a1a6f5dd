"""CSV for programs and spreadsheets: UTF-8 with a byte order mark, commas, CRLF (RFC 4180).

The mark is there because spreadsheets take a file without it for Latin-1 and spoil the ñ; readers
open it as `utf-8-sig`. Amounts are decimal strings with a point. Text that a spreadsheet would run
as a formula gets an apostrophe in front; numbers do not, so that a loss stays a number.

A report with one table is that table: a heading and its rows. One with several says first what it is
(house, day, state), then has each table under its title, an empty line between.
"""

from __future__ import annotations

import csv
from pathlib import Path

from audits.reports.document import Document, Progress
from audits.reports.registry import Cell, Column, Kind

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def write(document: Document, path: Path, progress: Progress) -> None:
    """Write the document's tables, row by row, to `path`."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        out = csv.writer(file)
        several = len(document.sections) > 1
        if several:
            out.writerow([safe(document.casino.name), safe(document.title)])
            out.writerows([safe(said), safe(value)] for said, value in document.particulars)
        for section in document.sections:
            if several:
                out.writerow([])
                out.writerow([safe(document.say(section.title))])
            out.writerow([safe(_heading(document, column)) for column in section.columns])
            keys = [(column.key, column.kind) for column in section.columns]
            for row in document.rows(section, progress):
                out.writerow([_cell(document, row.get(key), kind) for key, kind in keys])
            totals = document.totals(section)
            if totals:
                out.writerow([_cell(document, totals.get(key), kind) for key, kind in keys])


def _heading(document: Document, column: Column) -> str:
    said = document.say(column.heading)
    return f"{said} %" if column.kind is Kind.PERCENT else said


def safe(text: str) -> str:
    """Text no spreadsheet takes for a formula."""
    return "'" + text if text.startswith(_FORMULA_STARTS) else text


def _cell(document: Document, cell: Cell, kind: Kind) -> str:
    shown = document.plain(cell, kind)
    return shown if kind.is_number else safe(shown)
