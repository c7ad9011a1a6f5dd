"""PDF to hand over: a head that says what it is, tables with their headings on every page, x of y.

Drawn straight on the canvas, row by row, because a platypus table keeps every cell in memory. The
letters are Bitstream Vera, which comes with reportlab itself: they are embedded, so the file reads
alike and has the same bytes on every machine, whatever fonts that has. `invariant` leaves out dates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, groupby, islice
from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from audits.reports.document import Document, Progress
from audits.reports.formats import layout
from audits.reports.formats.layout import BODY, BOLD, Table
from audits.reports.registry import Row, Section
from audits.sealing import symbol
from casino.kernel.words import Text

MARGIN = 40.0
FOOT = 46.0
SAMPLE_ROWS = 300
ROWS_TOGETHER = 2
"""Rows that stand on one page with the headings at the beginning of a table; as many stand at its end."""
INK, SOFT, LINE, BAND = (HexColor(colour) for colour in ("#16202C", "#5A6675", "#C9D1DA", "#E6EBF1"))
CODE_SIDE, CODE_SPACE = 92.0, 14.0
"""How large a QR code is, some 32 mm, and how much white it needs beside it."""
CODE_INK = HexColor("#000000")
PAGE = Text("Página", "Page")
OF = Text("de", "of")
LICENCE = Text("Licencia AJ", "AJ licence")
ANSWERS = Text("Reglas", "Rules")
NOTHING = Text("Sin registros.", "No records.")
TOTAL_PAGES, TOTAL_SLOT = "total-pages", 12.0


@dataclass(slots=True)
class _Opened:
    """A section whose first rows were looked at to choose the widths of its columns."""

    section: Section
    table: Table
    rows: Iterator[Row]


def write(document: Document, path: Path, progress: Progress) -> None:
    """Write the document to `path`: A4, on its side when a table is wide."""
    opened = [_open(document, section, progress) for section in document.sections]
    upright = A4[0] - 2 * MARGIN
    wide = any(not item.table.fits(upright) for item in opened)
    pages = _Pages(document, path, landscape(A4) if wide else A4)
    for item in opened:
        item.table.fit(pages.width)
        pages.section(item)
    pages.finish()


def _open(document: Document, section: Section, progress: Progress) -> _Opened:
    rows = document.rows(section, progress)
    sample = list(islice(rows, SAMPLE_ROWS))
    return _Opened(section, Table(document, section, sample), chain(sample, rows))


class _Pages:
    """The sheet being filled, from top to bottom; `y` is where the next thing goes."""

    def __init__(self, document: Document, path: Path, size: tuple[float, float]) -> None:
        self.document = document
        self.size = size
        self.width = size[0] - 2 * MARGIN
        self.page = 0
        self.y = 0.0
        self.beside = 0.0  # what stands at the right of the head's lines
        layout.use_fonts()
        self.canvas = Canvas(str(path), pagesize=size, invariant=1, pageCompression=1)
        self.canvas.setTitle(document.title)
        self.canvas.setAuthor(document.casino.name)
        self.canvas.setSubject(document.report.identifier)
        self.canvas.setCreator("Sabot")
        self._new_page()

    # ---- pages ----------------------------------------------------------------------------------

    def _new_page(self) -> None:
        if self.page:
            self.canvas.showPage()
        self.page += 1
        self._foot()
        self.y = self.size[1] - MARGIN
        if self.page == 1:
            self._first_head()
        else:
            self._running_head()

    def room_for(self, height: float) -> bool:
        return self.y - height >= FOOT

    def _first_head(self) -> None:
        document, casino = self.document, self.document.casino
        top = self.y
        self._text(casino.name, BOLD, 10, INK)
        if casino.licence:
            self._text(f"{document.say(LICENCE)} {casino.licence}", BODY, 8, SOFT, right=True)
        self.y -= 8
        self._rule(INK, 1.2)
        self.y -= 24
        self.beside = CODE_SIDE + CODE_SPACE if document.code else 0.0
        self._text(document.title, BOLD, 17, INK)
        self.y -= 8
        for label, value in document.particulars:
            self.y -= 13
            self._text(f"{label}:", BODY, 8.5, SOFT)
            indent = layout.width(f"{label}:", BODY, 8.5) + 5
            self._text(value, BOLD, 8.5, INK, indent=indent)
        if document.report.rules:
            self.y -= 13
            rules = ", ".join(document.report.rules)
            self._text(f"{document.say(ANSWERS)}: {rules}", BODY, 7.5, SOFT)
        self.beside = 0.0
        if document.code:
            self.y = min(self.y, self._code(top - 8 - CODE_SPACE))
        self.y -= 12

    def _code(self, top: float) -> float:
        """The code a scanner reads, drawn in squares at the right below `top`; answers its lower edge."""
        rows = symbol.modules(self.document.code)
        side = CODE_SIDE / len(rows)
        left = self.size[0] - MARGIN - CODE_SIDE
        self.canvas.setFillColor(CODE_INK)
        for line, row in enumerate(rows):
            # Dark modules side by side are one stroke: no seams between them on paper.
            start = 0
            for dark, run in groupby(row):
                length = len(list(run))
                if dark:
                    lower = top - (line + 1) * side
                    self.canvas.rect(left + start * side, lower, length * side, side, stroke=0, fill=1)
                start += length
        return top - CODE_SIDE

    def _running_head(self) -> None:
        document = self.document
        self._text(document.casino.name, BOLD, 8, INK)
        what = " · ".join([document.title, *(value for _, value in document.particulars)])
        self._text(what, BODY, 8, SOFT, right=True)
        self.y -= 6
        self._rule(INK, 0.8)
        self.y -= 10

    def _foot(self) -> None:
        canvas, right, base = self.canvas, self.size[0] - MARGIN, FOOT - 18
        canvas.setStrokeColor(LINE)
        canvas.setLineWidth(0.5)
        canvas.line(MARGIN, FOOT - 6, right, FOOT - 6)
        canvas.setFillColor(SOFT)
        canvas.setFont(BODY, 7)
        canvas.drawString(MARGIN, base, f"Sabot · {self.document.title}")
        # How many pages there are is known at the end: every page shows one form, drawn last.
        said = f"{self.document.say(PAGE)} {self.page} {self.document.say(OF)} "
        canvas.drawRightString(right - TOTAL_SLOT, base, said)
        canvas.saveState()
        canvas.translate(right - TOTAL_SLOT, base)
        canvas.doForm(TOTAL_PAGES)
        canvas.restoreState()

    def finish(self) -> None:
        self.canvas.showPage()
        self.canvas.beginForm(TOTAL_PAGES, 0, -2, 2 * TOTAL_SLOT, 10)
        self.canvas.setFillColor(SOFT)
        self.canvas.setFont(BODY, 7)
        self.canvas.drawString(0, 0, str(self.page))
        self.canvas.endForm()
        self.canvas.save()

    # ---- tables ---------------------------------------------------------------------------------

    def section(self, item: _Opened) -> None:
        table, document = item.table, self.document
        several = len(document.sections) > 1
        first = list(islice(item.rows, ROWS_TOGETHER))
        rows = chain(first, item.rows)
        begun = sum(table.row_height(table.said(row)) for row in first) or table.row_height([""])
        needed = table.heading_height + begun + (32 if several else 12)
        if not self.room_for(min(needed, self.size[1] / 2)):
            self._new_page()
        if several:
            self.y -= 18
            self._text(document.say(item.section.title), BOLD, 10.5, INK)
        self.y -= 8
        self._headings(table)
        last: list[str] | None = None
        held: list[str] | None = None  # the row before the last one: the two stay on one page
        for row in rows:
            if held is not None:
                self._row(table, held, BODY)
            held, last = last, table.said(row)
        if last is None:
            self.y -= 13
            self._text(document.say(NOTHING), BODY, table.size, SOFT, indent=table.pad)
            self.y -= 6
        totals = document.totals(item.section)
        closing = table.said(totals) if totals else None
        ending = [cells for cells in (held, last) if cells is not None]
        heights = [table.row_height(cells) for cells in ending]
        if closing is not None:
            heights.append(table.row_height(closing, BOLD))
        if not self.room_for(sum(heights)) and len(heights) > 1:
            self._new_page()
            self._headings(table)
        for cells in ending:
            self._row(table, cells, BODY)
        if closing is not None:
            self._row(table, closing, BOLD, closing=True)
        self.y -= 8

    def _headings(self, table: Table) -> None:
        height = table.heading_height
        self.canvas.setFillColor(BAND)
        self.canvas.rect(MARGIN, self.y - height, self.width, height, stroke=0, fill=1)
        self._cells(table, table.broken(table.headings, BOLD), BOLD, height)
        self.y -= height

    def _row(self, table: Table, cells: list[str], font: str, *, closing: bool = False) -> None:
        height = table.row_height(cells, font)
        if not self.room_for(height):
            self._new_page()
            self._headings(table)
        if closing:
            self._rule(INK, 0.9)
        said = table.broken(cells, font)
        while not self.room_for(height):  # taller than a page: it goes on overleaf, nothing is left out
            most = max(1, int((self.y - FOOT - 2 * layout.PAD_ABOVE) / table.leading))
            self._cells(table, [(lines[:most], size) for lines, size in said], font, height)
            said = [(lines[most:], size) for lines, size in said]
            height = max(len(lines) for lines, _ in said) * table.leading + 2 * layout.PAD_ABOVE
            self._new_page()
            self._headings(table)
        self._cells(table, said, font, height)
        self.y -= height
        if not closing:
            self._rule(LINE, 0.3)

    def _cells(self, table: Table, said: list[layout.Broken], font: str, height: float) -> None:
        canvas, left = self.canvas, MARGIN
        canvas.setFillColor(INK)
        for index, (lines, size) in enumerate(said):
            inner = table.widths[index] - 2 * table.pad
            # One line stands in the middle of the row, several start at its top.
            y = self.y - layout.PAD_ABOVE - table.size * 0.82
            if len(lines) == 1:
                y = self.y - height / 2 - table.size * 0.34
            canvas.setFont(font, size)
            for line in lines:
                if table.right[index]:
                    canvas.drawRightString(left + table.pad + inner, y, line)
                else:
                    canvas.drawString(left + table.pad, y, line)
                y -= table.leading
            left += table.widths[index]

    # ---- strokes --------------------------------------------------------------------------------

    def _text(
        self, text: str, font: str, size: float, colour: HexColor, *, right: bool = False, indent: float = 0
    ) -> None:
        self.canvas.setFillColor(colour)
        self.canvas.setFont(font, size)
        room = self.width - indent - self.beside if not right else self.width * 0.62
        shown = layout.cut(layout.printable(text), font, size, room)
        if right:
            self.canvas.drawRightString(self.size[0] - MARGIN, self.y, shown)
        else:
            self.canvas.drawString(MARGIN + indent, self.y, shown)

    def _rule(self, colour: HexColor, weight: float) -> None:
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(weight)
        self.canvas.line(MARGIN, self.y, MARGIN + self.width, self.y)
