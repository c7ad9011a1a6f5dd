"""A report made ready for writing: words chosen in one language, cells still values.

The formats (CSV, XLSX, PDF, JSON) all read this, so that none of them can tell another figure.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from audits.persons import naming
from audits.reports.registry import Cell, Kind, Report, Row, Section
from casino.kernel import money
from casino.kernel.words import Text
from casino.models import Casino

Progress = Callable[[int], None]
"""Called with the number of rows written since the last call."""

BASIS_POINTS_EXPONENT = 2


@dataclass(frozen=True, slots=True)
class Document:
    casino: Casino
    report: Report
    language: str
    particulars: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    code: str = ""

    @property
    def title(self) -> str:
        return self.say(self.report.title)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.casino.zone)

    def say(self, text: Text | str) -> str:
        return text.say(self.language) if isinstance(text, Text) else str(text)

    def rows(self, section: Section, progress: Progress) -> Iterator[Row]:
        """The section's rows, each told to `progress` once it has been written."""
        for row in section.rows():
            naming.note(*row.get(naming.PEOPLE, ()))
            yield row
            progress(1)

    def totals(self, section: Section) -> Row:
        return section.totals() if section.totals is not None else {}

    def plain(self, cell: Cell, kind: Kind) -> str:
        """The cell for a program: decimal point, ISO dates, the casino's zone with its offset."""
        if cell is None:
            return ""
        if kind is Kind.MONEY:
            return money.plain(_whole(cell), self.casino.exponent)
        if kind is Kind.PERCENT:
            return money.plain(_whole(cell), BASIS_POINTS_EXPONENT)
        if kind is Kind.INT:
            return str(_whole(cell))
        if isinstance(cell, dt.datetime):
            return cell.astimezone(self.zone).isoformat(timespec="seconds")
        if isinstance(cell, dt.date):
            return cell.isoformat()
        # No format can hold a NUL, and half of them say so only while writing.
        return self.say(cell if isinstance(cell, Text) else str(cell)).replace("\0", "\ufffd")

    def readable(self, cell: Cell, kind: Kind) -> str:
        """The cell for a person: grouped amounts, the casino's wall clock."""
        if cell is None:
            return ""
        if kind is Kind.MONEY:
            return money.readable(_whole(cell), self.language, self.casino.exponent)
        if kind is Kind.PERCENT:
            return money.readable(_whole(cell), self.language, BASIS_POINTS_EXPONENT) + " %"
        if kind is Kind.INT:
            return money.readable(_whole(cell), self.language, 0)
        if isinstance(cell, dt.datetime):
            return cell.astimezone(self.zone).strftime("%Y-%m-%d %H:%M:%S")
        return self.plain(cell, kind)


def prepare(
    report: Report,
    casino: Casino,
    params: Mapping[str, Any],
    language: str,
    notes: Iterable[tuple[Text, Cell]] = (),
) -> Document:
    """The document of a report for a form's cleaned data, in one language.

    `notes`: what else is said under the title, such as that it is provisional (`audits.reports.provisional`).
    """
    document = Document(casino, report, language, (), tuple(report.sections(casino, params)))
    said = tuple(
        (document.say(label), document.readable(value, Kind.TEXT))
        for label, value in [*report.particulars(casino, params), *notes]
    )
    return Document(casino, report, language, said, document.sections, report.code(casino, params))


def row_count(document: Document) -> int | None:
    """Rows of all sections together, None when one of them cannot tell."""
    counts = [section.count() for section in document.sections]
    return None if None in counts else sum(count for count in counts if count is not None)


def _whole(cell: Cell) -> int:
    if isinstance(cell, bool) or not isinstance(cell, int):
        raise TypeError(f"a number cell holds an integer, not {cell!r}")
    return cell
