"""XLSX: one sheet per table, written row by row, real numbers and dates, never a formula.

Money is a number with two decimals, so that people can add it up. A spreadsheet keeps numbers as
doubles, which are exact to fifteen digits: we hand over the decimal digits themselves (no float of
ours in between), and an amount of more than fifteen digits goes in as text rather than be rounded.
Properties and dates of the file are fixed, so the same request gives the same bytes.
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from audits.reports.document import BASIS_POINTS_EXPONENT, Document, Progress
from audits.reports.registry import Cell, Kind, Row, Section

EXACT_DIGITS = 15
LONGEST_TEXT = 32_767
"""What a cell holds, in units of UTF-16; a longer text ends in an ellipsis, CSV and JSON have all of it."""
_WIDTHS = {Kind.TEXT: 26, Kind.INT: 11, Kind.MONEY: 16, Kind.PERCENT: 11, Kind.DATE: 12, Kind.DAY: 12}
_INSTANT_WIDTH = 20
_NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f\ud800-\udfff\ufffe\uffff]")
_CONTROL = re.compile(r"[\x00-\x1f\ud800-\udfff\ufffe\uffff]")
_CREATED = dt.datetime(2000, 1, 1, tzinfo=dt.UTC).replace(tzinfo=None)


def write(document: Document, path: Path, progress: Progress) -> None:
    """Write the document to `path`, one sheet per section."""
    book = xlsxwriter.Workbook(
        str(path),
        {
            "constant_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
            "in_memory": False,
        },
    )
    title, author = (_CONTROL.sub(" ", said) for said in (document.title, document.casino.name))
    book.set_properties({"title": title, "author": author, "created": _CREATED})
    styles = _styles(book, document.casino.exponent)
    names: set[str] = set()
    for section in document.sections:
        sheet = book.add_worksheet(_sheet_name(document.say(section.title), names), _PlainSheet)
        _Sheet(document, sheet, styles).fill(section, progress)
    book.close()


class _PlainSheet(Worksheet):
    """A text that looks like the file format's own runs (`<r>…</r>`) is a text too, no part of the file."""

    def _xml_rich_inline_string(self, string: str, attributes: Any = ()) -> None:
        self._xml_inline_string(string, False, attributes)


class _Sheet:
    """One sheet: head, column headings, rows, closing line, from top to bottom."""

    def __init__(self, document: Document, sheet: Any, styles: dict[str, Any]) -> None:
        self.document, self.sheet, self.styles, self.line = document, sheet, styles, 0

    def fill(self, section: Section, progress: Progress) -> None:
        document, sheet = self.document, self.sheet
        for index, column in enumerate(section.columns):
            heading = document.say(column.heading)
            width = max(_WIDTHS.get(column.kind, _INSTANT_WIDTH), min(len(heading) + 2, 40))
            sheet.set_column(index, index, width)
        heading_line = 3 + len(document.particulars)
        sheet.freeze_panes(heading_line + 1, 0)
        sheet.repeat_rows(heading_line)
        sheet.fit_to_pages(1, 0)
        sheet.set_paper(9)
        if len(section.columns) > 6:
            sheet.set_landscape()
        sheet.set_footer(f"&L{document.report.identifier}&R&P / &N")
        self._head(section)
        for index, column in enumerate(section.columns):
            style = self.styles["heading_number" if column.kind.is_number else "heading"]
            sheet.write_string(self.line, index, document.say(column.heading), style)
        self.line += 1
        for row in document.rows(section, progress):
            self._row(section, row, "")
        totals = document.totals(section)
        if totals:
            self._row(section, totals, "total_")

    def _head(self, section: Section) -> None:
        document, title = self.document, self.document.title
        if len(document.sections) > 1:
            title = f"{title} · {document.say(section.title)}"
        self.sheet.write_string(0, 0, title, self.styles["title"])
        self.sheet.write_string(1, 0, document.casino.name, self.styles["small"])
        for index, (label, value) in enumerate(document.particulars):
            self.sheet.write_string(2 + index, 0, f"{label}: {value}", self.styles["small"])
        self.line = 3 + len(document.particulars)

    def _row(self, section: Section, row: Row, prefix: str) -> None:
        for index, column in enumerate(section.columns):
            self._cell(index, row.get(column.key), column.kind, self.styles[prefix + column.kind.value])
        self.line += 1

    def _cell(self, index: int, cell: Cell, kind: Kind, style: Any) -> None:
        document, sheet, line = self.document, self.sheet, self.line
        if cell is None:
            sheet.write_blank(line, index, None, style)
        elif kind.is_number:
            number = Decimal(document.plain(cell, kind))
            if len(number.as_tuple().digits) > EXACT_DIGITS:
                sheet.write_string(line, index, document.plain(cell, kind), style)
            else:
                # A percent cell holds the fraction; its format shows it times a hundred.
                number = number.scaleb(-2) if kind is Kind.PERCENT else number
                sheet.write_number(line, index, number, style)
        elif isinstance(cell, dt.datetime):
            wall = cell.astimezone(document.zone).replace(tzinfo=None, microsecond=0)
            sheet.write_datetime(line, index, wall, style)
        elif isinstance(cell, dt.date):
            sheet.write_datetime(line, index, dt.datetime.combine(cell, dt.time()), style)
        else:
            sheet.write_string(line, index, _fitting(document.plain(cell, kind)), style)


def _styles(book: Any, exponent: int) -> dict[str, Any]:
    money = "#,##0" + ("." + "0" * exponent if exponent else "")
    formats: dict[Kind, dict[str, Any]] = {
        Kind.TEXT: {"num_format": "@"},
        Kind.INT: {"num_format": "#,##0"},
        Kind.MONEY: {"num_format": f"{money};[Red]-{money}"},
        Kind.PERCENT: {"num_format": "0." + "0" * BASIS_POINTS_EXPONENT + "%"},
        Kind.DATE: {"num_format": "yyyy-mm-dd", "align": "left"},
        Kind.DAY: {"num_format": "yyyy-mm-dd", "align": "left"},
        Kind.INSTANT: {"num_format": "yyyy-mm-dd hh:mm:ss", "align": "left"},
    }
    total = {"bold": True, "top": 1}
    heading = {"bold": True, "bottom": 1, "bg_color": "#E9EDF2", "text_wrap": True, "valign": "vcenter"}
    styles = {kind.value: book.add_format(form) for kind, form in formats.items()}
    styles |= {f"total_{kind.value}": book.add_format({**form, **total}) for kind, form in formats.items()}
    styles["title"] = book.add_format({"bold": True, "font_size": 14})
    styles["small"] = book.add_format({"font_color": "#555555"})
    styles["heading"] = book.add_format(heading)
    styles["heading_number"] = book.add_format({**heading, "align": "right"})
    return styles


def _fitting(text: str) -> str:
    """The text, cut with an ellipsis when a cell does not hold it."""
    if len(text) * 2 <= LONGEST_TEXT or len(text.encode("utf-16-le", "replace")) // 2 <= LONGEST_TEXT:
        return text
    data = text.encode("utf-16-le", "replace")[: 2 * (LONGEST_TEXT - 1)]
    return data.decode("utf-16-le", "ignore") + "…"


def _sheet_name(title: str, taken: set[str]) -> str:
    """A name a spreadsheet accepts: at most 31 characters, none of `[]:*?/\\`, not used before."""
    base = _NOT_IN_NAMES.sub(" ", title).strip("' ")[:31].strip() or "1"
    name, number = base, 1
    while name.casefold() in taken:
        number += 1
        name = f"{base[: 31 - len(str(number)) - 1]} {number}"
    taken.add(name.casefold())
    return name
