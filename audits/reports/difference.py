"""What is otherwise in a report since it was exported: rows added and removed, cells changed from what to
what.

Both are read side by side as CSV, so that equal rows are let go at once: memory holds only what differs. A
row is the same row in both by the columns its table names (`Section.identity`), else by the first columns
that tell the differing rows apart; where nothing does, it is removed and added.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from audits.reports import kept
from audits.reports.document import Document, Progress
from audits.reports.formats.guard import unsafe
from audits.reports.registry import Column, Section
from casino.kernel.errors import Refused
from casino.kernel.words import Text, same
from casino.models import Casino

MOST = 50_000
"""Differing rows of one table; beyond it they are two reports, not a report and its corrections."""

ADDED = Text("fila añadida", "row added")
REMOVED = Text("fila quitada", "row removed")
CHANGED = Text("celda cambiada", "cell changed")
CLOSING = Text("Línea de cierre", "Closing line")
HEAD = Text("Encabezado", "Head")
COLUMNS = [
    Column("change", Text("Cambio", "Change")),
    Column("row", Text("Fila", "Row")),
    Column("column", Text("Columna", "Column")),
    Column("before", Text("Antes", "Before")),
    Column("after", Text("Ahora", "Now")),
]
Cells = tuple[str, ...]
Line = dict[str, Any]


def of(before: kept.Kept, after: kept.Kept, progress: Progress) -> Document:
    """The report of the differences. Raises `Refused` (`difference_too_long`)."""
    tables = [_Head(before.outline, after.outline).section()]
    then, now = (_by_key(outline.outline) for outline in (before, after))
    for key in [*now, *(key for key in then if key not in now)]:
        table = _Table(before, after, then.get(key), now.get(key))
        tables.append(table.section(progress))
    said = before.outline
    counts = Counter(line["change"] for _section, lines in tables for line in lines)
    title = Text("Diferencias: {title}", "Differences: {title}").fill(title=said["title"])
    language = said["language"]
    report = kept.KeptReport(said["report"], title.say(language), said["rules"])
    casino = Casino(**after.outline["casino"], denominations=[])
    zone = Document(casino, report, language, (), ()).zone
    particulars = [
        *((label, value) for label, value in said["particulars"]),
        (Text("Según lo sabido", "As known"), _local(before.known_at, zone)),
        (Text("Comparado con lo sabido", "Against what was known"), _local(after.known_at, zone)),
        (Text("Filas añadidas", "Rows added"), str(counts[ADDED])),
        (Text("Filas quitadas", "Rows removed"), str(counts[REMOVED])),
        (Text("Celdas cambiadas", "Cells changed"), str(counts[CHANGED])),
    ]
    spoken = tuple(
        (label.say(language) if isinstance(label, Text) else label, value) for label, value in particulars
    )
    return Document(casino, report, language, spoken, tuple(section for section, _lines in tables))


def _local(instant: dt.datetime, zone: dt.tzinfo) -> str:
    return instant.astimezone(zone).isoformat(sep=" ", timespec="seconds")


def _by_key(outline: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {section["key"]: section for section in outline["sections"]}


def _section(key: str, title: str, lines: Sequence[Line]) -> tuple[Section, Sequence[Line]]:
    return Section(key, same(title), COLUMNS, lambda: lines, lambda: len(lines)), lines


@dataclass
class _Head:
    """What stands above the tables: the title, the state of the day, who the house was."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]

    def section(self) -> tuple[Section, Sequence[Line]]:
        then, now = self._said(self.before), self._said(self.after)
        lines = [
            {"change": CHANGED, "row": HEAD, "column": name, "before": then.get(name), "after": now.get(name)}
            for name in [*now, *(name for name in then if name not in now)]
            if then.get(name) != now.get(name)
        ]
        return _section("head", HEAD.say(self.before["language"]), lines)

    def _said(self, outline: Mapping[str, Any]) -> dict[str, str]:
        english = outline["language"].startswith("en")
        names = ("Casino", "Licence", "Title") if english else ("Casino", "Licencia", "Título")
        casino = outline["casino"]
        fixed = zip(names, (casino["name"], casino["licence"], outline["title"]), strict=True)
        return dict(fixed) | dict(outline["particulars"])


@dataclass
class _Table:
    """One table of the report, then and now; either may be missing."""

    before: kept.Kept
    after: kept.Kept
    then: Mapping[str, Any] | None
    now: Mapping[str, Any] | None
    removed: Counter[Cells] = field(default_factory=Counter)
    added: Counter[Cells] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        told = self.now or self.then
        assert told is not None
        self.told = told
        headings: dict[str, str] = {}
        for section in (self.then, self.now):
            headings |= {key: heading for key, heading, _kind in (section or {"columns": []})["columns"]}
        self.keys, self.headings = list(headings), list(headings.values())

    def section(self, progress: Progress) -> tuple[Section, Sequence[Line]]:
        self._hold_together(progress)
        lines = [*self._lines(), *self._closing()]
        return _section(self.told["key"], self.told["title"], lines)

    def _hold_together(self, progress: Progress) -> None:
        """Let go what is equal, wherever it stands; keep what is left on either side."""
        for old, new in zip_longest(self._rows(self.before, self.then), self._rows(self.after, self.now)):
            progress(1)
            if old == new:
                continue
            if old is not None and not _taken(self.added, old):
                self.removed[old] += 1
            if new is not None and not _taken(self.removed, new):
                self.added[new] += 1
            if len(self.removed) + len(self.added) > MOST:
                raise Refused(
                    Text(
                        f"difieren más de {MOST} filas: son dos reportes distintos, no uno corregido",
                        f"more than {MOST} rows differ: these are two reports, not one corrected",
                    ),
                    code="difference_too_long",
                )

    def _rows(self, side: kept.Kept, section: Mapping[str, Any] | None) -> Iterator[Cells]:
        if section is None:
            return
        places = self._places(section)
        for cells in kept.lines(side.path, section):
            yield tuple(cells) if places is None else self._spread(cells, places)

    def _places(self, section: Mapping[str, Any]) -> dict[str, int] | None:
        """Where each column stands in this version of the table; None if it has just these columns."""
        own = [key for key, _heading, _kind in section["columns"]]
        return None if own == self.keys else {key: index for index, key in enumerate(own)}

    def _spread(self, cells: Sequence[str], places: Mapping[str, int]) -> Cells:
        return tuple(cells[places[key]] if key in places else "" for key in self.keys)

    def _lines(self) -> Iterator[Line]:
        """Pairs of the same row first, in the order of now; then what has no other half."""
        old, new = list(self.removed.elements()), list(self.added.elements())
        by = self._identity(old, new)
        name = {row: self._name(row, by) for row in (*old, *new)}
        halves = {self._key(row, by): row for row in old} if by else {}
        for row in new:
            half = halves.pop(self._key(row, by), None) if by else None
            if half is None:
                yield {
                    "change": ADDED,
                    "row": name[row],
                    "column": None,
                    "before": None,
                    "after": self._all(row),
                }
                continue
            for index in range(len(self.keys)):
                if half[index] != row[index]:
                    yield self._changed(name[row], self.headings[index], half[index], row[index])
        left = set(halves.values()) if by else set(old)
        for row in old:
            if row in left:
                yield {
                    "change": REMOVED,
                    "row": name[row],
                    "column": None,
                    "before": self._all(row),
                    "after": None,
                }

    def _changed(self, row: str | Text, column: str, before: str, after: str) -> Line:
        return {
            "change": CHANGED,
            "row": row,
            "column": column,
            "before": unsafe(before) or None,
            "after": unsafe(after) or None,
        }

    def _identity(self, old: Sequence[Cells], new: Sequence[Cells]) -> list[int]:
        """The columns by which a row is the same row; none if nothing tells the rows of a side apart."""
        named = [self.keys.index(key) for key in self.told["identity"] if key in self.keys]
        tries: Iterable[list[int]] = (
            [named] if named else (list(range(count)) for count in range(1, len(self.keys)))
        )
        for by in tries:
            if all(len({self._key(row, by) for row in side}) == len(side) for side in (old, new)):
                return by
        return []

    def _key(self, row: Cells, by: Sequence[int]) -> Cells:
        return tuple(row[index] for index in by)

    def _name(self, row: Cells, by: Sequence[int]) -> str:
        shown = [unsafe(row[index]) for index in by or range(min(2, len(row)))]
        return " · ".join(cell for cell in shown if cell)

    def _all(self, row: Cells) -> str:
        filled = zip(self.headings, row, strict=True)
        return "; ".join(f"{heading}: {unsafe(cell)}" for heading, cell in filled if cell)

    def _closing(self) -> Iterator[Line]:
        sides = []
        for side, section in ((self.before, self.then), (self.after, self.now)):
            cells = kept.closing(side.path, section) if section is not None else []
            places = self._places(section) if section is not None else None
            sides.append(self._spread(cells, places) if cells and places is not None else tuple(cells))
        blank = ("",) * len(self.keys)
        then, now = (side or blank for side in sides)
        for index, heading in enumerate(self.headings):
            if then[index] != now[index]:
                yield self._changed(CLOSING, heading, then[index], now[index])


def _taken(held: Counter[Cells], row: Cells) -> bool:
    """Whether the other side had this row waiting; if so it is gone from there."""
    if not held.get(row):
        return False
    held[row] -= 1
    if not held[row]:
        del held[row]
    return True
