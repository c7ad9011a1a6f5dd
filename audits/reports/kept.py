"""What a report yielded, kept for good: its rows as CSV and, beside them, what they are (the outline).

Every export is first written as CSV, the one form that loses nothing, from one snapshot of the data; all
other formats are made from that file. So a format cannot tell another figure than the others, and any
export can be produced again later, byte for byte and in every format, whatever was corrected since: nothing
is asked of the tables again. The outline (the head of the report, its tables, columns, kinds, where in the
file the rows lie) is a part of the manifest, which is on the trail by its SHA-256.

Text "" and no text are one thing here, and instants are whole seconds: no format shows more.
"""

from __future__ import annotations

import csv as reader
import datetime as dt
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from audits.reports.document import BASIS_POINTS_EXPONENT, Document
from audits.reports.formats.csv import Placed
from audits.reports.formats.guard import unsafe
from audits.reports.registry import Cell, Column, Kind, Report, Row, Section
from casino.kernel.words import same
from casino.models import Casino

reader.field_size_limit(2**31 - 1)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:+-]+")


@dataclass(frozen=True, slots=True)
class Kept:
    """A report's outline, the CSV of its rows, and the instant it was known at."""

    outline: Mapping[str, Any]
    path: Path
    known_at: dt.datetime


class KeptReport(Report):
    """A report as it was then: the present one may be called otherwise, or answer other rules."""

    def __init__(self, identifier: str, title: str, rules: Sequence[str]) -> None:
        self.identifier, self.title, self.rules = identifier, same(title), tuple(rules)  # type: ignore[misc]


def outline(document: Document, placed: Sequence[Placed]) -> dict[str, Any]:
    """What the CSV of a document is, as JSON values."""
    casino = document.casino
    return {
        "casino": {
            "code": casino.code,
            "name": casino.name,
            "licence": casino.licence,
            "zone": casino.zone,
            "currency": casino.currency,
            "exponent": casino.exponent,
        },
        "report": document.report.identifier,
        "title": document.title,
        "rules": list(document.report.rules),
        "language": document.language,
        "particulars": [list(said) for said in document.particulars],
        "sections": [
            {
                "key": section.key,
                "title": document.say(section.title),
                "lines": section.lines,
                "identity": list(section.identity),
                "columns": [[c.key, document.say(c.heading), c.kind.value] for c in section.columns],
                "offset": place.offset,
                "rows": place.rows,
                "closing": place.closing,
            }
            for section, place in zip(document.sections, placed, strict=True)
        ],
    }


def document_of(said: Mapping[str, Any], path: Path) -> Document:
    """The document of an outline and its CSV; rows are read from the file when they are asked for."""
    casino = Casino(**said["casino"], denominations=[])
    report = KeptReport(said["report"], said["title"], said["rules"])
    particulars = tuple((label, value) for label, value in said["particulars"])
    sections = tuple(_section(casino, section, path) for section in said["sections"])
    return Document(casino, report, said["language"], particulars, sections)


def _section(casino: Casino, said: Mapping[str, Any], path: Path) -> Section:
    columns = [Column(key, same(heading), Kind(kind)) for key, heading, kind in said["columns"]]

    def rows() -> Iterator[Row]:
        for cells in lines(path, said):
            yield _row(casino, columns, cells)

    def totals() -> Row:
        return _row(casino, columns, closing(path, said))

    return Section(
        key=said["key"],
        title=same(said["title"]),
        columns=columns,
        rows=rows,
        count=lambda: int(said["rows"]),
        totals=totals if said["closing"] is not None else None,
        lines=said["lines"],
        identity=said["identity"],
    )


def lines(path: Path, said: Mapping[str, Any]) -> Iterator[list[str]]:
    """The rows of a section as the file has them, from its place in the file."""
    with path.open("rb") as raw:
        raw.seek(said["offset"])
        found = reader.reader(io.TextIOWrapper(raw, encoding="utf-8", newline=""))
        for _ in range(said["rows"]):
            yield next(found)


def closing(path: Path, said: Mapping[str, Any]) -> list[str]:
    """The closing line of a section; no cells where it has none."""
    if said["closing"] is None:
        return []
    return next(lines(path, {"offset": said["closing"], "rows": 1}))


def _row(casino: Casino, columns: Sequence[Column], cells: Sequence[str]) -> dict[str, Cell]:
    return {
        column.key: value_of(casino, cell, column.kind) for column, cell in zip(columns, cells, strict=True)
    }


def value_of(casino: Casino, cell: str, kind: Kind) -> Cell:
    """The value that `csv.cell_of` wrote."""
    if not cell:
        return None
    if kind is Kind.MONEY:
        return int(Decimal(cell).scaleb(casino.exponent))
    if kind is Kind.PERCENT:
        return int(Decimal(cell).scaleb(BASIS_POINTS_EXPONENT))
    if kind is Kind.INT:
        return int(cell)
    if kind is not Kind.TEXT and _DAY.fullmatch(cell):
        return dt.date.fromisoformat(cell)
    if kind is not Kind.TEXT and _INSTANT.fullmatch(cell):
        return dt.datetime.fromisoformat(cell)
    return unsafe(cell)  # also the "Total" that stands in a column of days
