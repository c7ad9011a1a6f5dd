"""JSON for programs: what the report is, then each table with its columns and rows, written row by row.

Amounts and percents are decimal strings with a point, counts are numbers, days and instants ISO 8601 with the
casino's offset. Text is as it is: nothing runs a formula here. One row a line, so that two files compare.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

from audits.reports.document import Document, Progress
from audits.reports.registry import Cell, Kind, Row, Section

VERSION = 1
LARGEST_EXACT = 2**53 - 1
"""Beyond it other readers round a number: it is told as a string."""


def write(document: Document, path: Path, progress: Progress) -> None:
    """Write the document to `path`: one object."""
    with path.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        head = {
            "v": VERSION,
            "casino": {"code": document.casino.code, "name": document.casino.name},
            "report": document.report.identifier,
            "title": document.title,
            "rules": list(document.report.rules),
            "language": document.language,
            "currency": document.casino.currency,
            "zone": document.casino.zone,
            "particulars": [list(said) for said in document.particulars],
        }
        file.write(_said(head)[:-1] + ',"sections":[')
        for index, section in enumerate(document.sections):
            file.write("," if index else "")
            _section(document, section, file, progress)
        file.write("\n]}\n")


def _section(document: Document, section: Section, file: TextIO, progress: Progress) -> None:
    columns = [
        {"key": column.key, "heading": document.say(column.heading), "kind": column.kind.value}
        for column in section.columns
    ]
    head = {"key": section.key, "title": document.say(section.title), "columns": columns}
    file.write("\n" + _said(head)[:-1] + ',"rows":[')
    before = "\n"
    for row in document.rows(section, progress):
        file.write(before + _said(_row(document, section, row)))
        before = ",\n"
    totals = document.totals(section)
    file.write(f'\n],"totals":{_said(_row(document, section, totals)) if totals else "null"}}}')


def _row(document: Document, section: Section, row: Row) -> dict[str, Any]:
    return {column.key: _cell(document, row.get(column.key), column.kind) for column in section.columns}


def _cell(document: Document, cell: Cell, kind: Kind) -> str | int | None:
    if cell is None:
        return None
    shown = document.plain(cell, kind)
    if kind is Kind.INT and isinstance(cell, int) and abs(cell) <= LARGEST_EXACT:
        return cell
    return shown


def _said(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
