"""How wide the columns of a PDF table are and how its cells break into lines. Points throughout."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from audits.reports.document import Document
from audits.reports.registry import Kind, Row, Section

BODY, BOLD = "Vera", "VeraBd"
PAD, PAD_ABOVE = 4.0, 3.5
PAD_SMALLER = 2.5
"""Beside a cell in the sizes of `SMALLER`."""
SIZES = (8.0, 7.5, 7.0, 6.5, 6.0)
SMALLER = (5.5, 5.0)
"""For tables of many columns: small print is read, a date or an identifier in two pieces is not."""
LONGEST_WHOLE = 26
"""Letters of the longest word that stays whole for sure; a SHA-256 does not."""
TIGHTEST = (0.92, 0.84, 0.76)
"""How much smaller one cell may be set than its table to keep its words whole."""
UPRIGHT_SIZE = 7.0
WIDEST_TEXT, NARROWEST_TEXT = 190.0, 40.0
TEXT_SHARE = 3
_ELLIPSIS = "…"
Broken = tuple[list[str], float]
"""A cell's lines and the size of its letters."""
_WRITTEN = str.maketrans({"♠": "s", "♥": "h", "♦": "d", "♣": "c", "→": ">"})
"""What the faces have no glyph for and there is another way to write: `7♣` is `7c`."""


@lru_cache(maxsize=1)
def use_fonts() -> None:
    """Make the two faces known to reportlab; they are files of its own package."""
    for name in (BODY, BOLD):
        pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))


def width(text: str, font: str, size: float) -> float:
    use_fonts()
    return float(pdfmetrics.stringWidth(text, font, size))


def printable(text: str) -> str:
    """The text on one line, `?` for what the face has no glyph for."""
    use_fonts()
    known = pdfmetrics.getFont(BODY).face.charToGlyph
    written = " ".join(text.split()).translate(_WRITTEN)
    return "".join(char if ord(char) in known else "?" for char in written)


def cut(text: str, font: str, size: float, room: float) -> str:
    """The text, shortened with an ellipsis when it does not fit in `room`."""
    fitting = beginning(text, font, size, room)
    if fitting == len(text):
        return text
    return text[: beginning(text, font, size, room - width(_ELLIPSIS, font, size))] + _ELLIPSIS


def beginning(text: str, font: str, size: float, room: float) -> int:
    """How many letters from the first on fit in `room`; no more of the text is measured than needed."""
    most = 8
    while most < len(text) and width(text[:most], font, size) <= room:
        most *= 2
    fitting, most = 0, min(most, len(text))
    while fitting < most:
        middle = (fitting + most + 1) // 2
        if width(text[:middle], font, size) <= room:
            fitting = middle
        else:
            most = middle - 1
    return fitting


def broken(text: str, font: str, size: float, room: float) -> list[str]:
    """The text in lines of at most `room`: between words, inside a word only when it alone is wider."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if beginning(longer, font, size, room) == len(longer):
            line = longer
            continue
        if line:
            lines.append(line)
        while len(word) > 1 and (taken := beginning(word, font, size, room)) < len(word):
            lines.append(word[: max(taken, 1)])
            word = word[max(taken, 1) :]
        line = word
    lines.append(line)
    return lines


def levelled(widths: Sequence[float], least: Sequence[float], room: float) -> list[float]:
    """The widths cut to one level, the highest that fits in `room`, none below its `least`: what is narrow
    stays as it is. The least themselves where not even those fit."""
    low, high = 0.0, max(widths, default=0.0)
    for _halved in range(40):
        level = (low + high) / 2
        if sum(max(min(wide, level), floor) for wide, floor in zip(widths, least, strict=True)) <= room:
            low = level
        else:
            high = level
    return [max(min(wide, low), floor) for wide, floor in zip(widths, least, strict=True)]


def _pad(size: float) -> float:
    return PAD if size >= SIZES[-1] else PAD_SMALLER


class Table:
    """Columns of one section: natural widths from a sample of rows, then fitted to the page."""

    def __init__(self, document: Document, section: Section, sample: Sequence[Row]) -> None:
        self.document, self.columns, self.least_lines = document, section.columns, section.lines
        self.right = [column.kind.is_number for column in section.columns]
        self.headings = [printable(document.say(column.heading)) for column in section.columns]
        self.size = SIZES[0]
        self._sample = [self.said(row) for row in sample]
        self.widths = self._natural(self.size)

    @property
    def natural_width(self) -> float:
        return sum(self.widths)

    @property
    def pad(self) -> float:
        """What is left white at each side of a cell."""
        return _pad(self.size)

    @property
    def leading(self) -> float:
        return self.size * 1.22

    @property
    def heading_height(self) -> float:
        return self.row_height(self.headings, BOLD) + 2

    def said(self, row: Row) -> list[str]:
        """A row's cells as people read them."""
        say = self.document.readable
        return [printable(say(row.get(column.key), column.kind)) for column in self.columns]

    def fits(self, room: float) -> bool:
        """Whether the table still reads well in that width."""
        return sum(self._natural(UPRIGHT_SIZE)) <= room

    def fit(self, room: float) -> None:
        """Choose letter size and widths so that the table is exactly `room` wide."""
        for size in SIZES:
            self.size, self.widths = size, self._natural(size)
            if self.natural_width <= room:
                break
        for size in SMALLER:
            if sum(self._least(self.size)) <= room:
                break
            self.size, self.widths = size, self._natural(size)
        spare = room - self.natural_width
        if spare < 0:
            self._shrink(room)
        else:
            shares = [TEXT_SHARE if column.kind is Kind.TEXT else 1 for column in self.columns]
            for index, share in enumerate(shares):
                self.widths[index] += spare * share / sum(shares)
        self._sample = []

    def row_height(self, cells: Sequence[str], font: str = BODY) -> float:
        most = max((len(self.lines(i, cell, font)[0]) for i, cell in enumerate(cells)), default=1)
        least = self.least_lines if font == BODY else 1
        return max(most, least) * self.leading + 2 * PAD_ABOVE

    def broken(self, cells: Sequence[str], font: str) -> list[Broken]:
        """A row's cells, each in lines."""
        return [self.lines(index, cell, font) for index, cell in enumerate(cells)]

    def lines(self, index: int, cell: str, font: str) -> Broken:
        """A cell's lines and letter size: text wraps, a figure is never broken but set smaller, and so is a
        word a little wider than its column."""
        inner = self.widths[index] - 2 * self.pad
        if not self.right[index] or " " in cell.replace(" %", ""):
            return self._wrapped(cell, font, inner)
        wide = width(cell, font, self.size)
        return [cell], self.size if wide <= inner else self.size * inner / wide

    def _natural(self, size: float) -> list[float]:
        widths = []
        for index, heading in enumerate(self.headings):
            words = max(width(word, BOLD, size) for word in heading.split(" "))
            # Closing lines are bold and longer than their rows: room for one more digit.
            cells = max((width(cells[index], BOLD, size) for cells in self._sample), default=0.0)
            if self.right[index]:
                cells += width("0", BOLD, size)
            widths.append(max(words, min(cells, WIDEST_TEXT)) + 2 * _pad(size))
        return widths

    def _least(self, size: float) -> list[float]:
        """How wide each column must be at least for no word of its sample or heading to be cut."""
        least = []
        for index, wide in enumerate(self._natural(size)):
            said = [word for cells in self._sample for word in set(cells[index].split(" "))]
            words = {word for word in said if len(word) <= LONGEST_WHOLE}
            words |= {word for word in self.headings[index].split(" ") if len(word) <= LONGEST_WHOLE}
            longest = max((width(word, BOLD, size) for word in words), default=0.0) + 2 * _pad(size)
            least.append(wide if self.right[index] else min(wide, longest))
        return least

    def _wrapped(self, cell: str, font: str, inner: float) -> Broken:
        lines = broken(cell, font, self.size, inner)
        if " ".join(lines) == cell or any(len(word) > LONGEST_WHOLE for word in cell.split(" ")):
            return lines, self.size
        for share in TIGHTEST:
            tighter = broken(cell, font, self.size * share, inner)
            if " ".join(tighter) == cell:
                return tighter, self.size * share
        return lines, self.size

    def _shrink(self, room: float) -> None:
        """Take what is missing from the widest text columns, so that numbers stay whole; then from all, down
        to their longest words; and only where not even these fit, from the widest of them."""
        least = self._least(self.size)
        texts = [i for i, column in enumerate(self.columns) if column.kind is Kind.TEXT]
        left = room - sum(wide for i, wide in enumerate(self.widths) if i not in texts)
        floors = [max(least[i], min(self.widths[i], NARROWEST_TEXT)) for i in texts]
        for index, wide in zip(texts, levelled([self.widths[i] for i in texts], floors, left), strict=True):
            self.widths[index] = wide
        if self.natural_width > room:
            self.widths = levelled(self.widths, least, room)
        if self.natural_width > room:
            self.widths = levelled(least, [0.0] * len(least), room)
        scale = room / self.natural_width
        self.widths = [wide * scale for wide in self.widths]
