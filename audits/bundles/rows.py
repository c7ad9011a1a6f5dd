"""The chosen reports in a bundle: the CSV people read, and beside each row the events it rests on.

`<n>-<report>.csv` is what the export of that report is. `<n>-<report>.rows.jsonl` has the same cells with,
for each row, spans of events (chain, first, last) up to the bundle's seal, and how many later ones it rests
on besides, which nothing proves yet.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, Inexact, InvalidOperation
from pathlib import Path
from typing import IO, Any

from audits.bundles.packing import Packing
from audits.bundles.span import Span
from audits.models import Event, Stream
from audits.reports import Kind, Report, Section, document, events_named, forms, resting
from audits.reports.document import Document, Progress
from audits.reports.formats.guard import safe
from audits.reports.registry import EventsOf
from audits.sealing.sealing import SEALED
from casino.kernel import clock
from casino.kernel.canonical import canonical
from casino.kernel.errors import Refused
from casino.models import Casino

BOM = b"\xef\xbb\xbf"
CHUNK = 1 << 20
LINES = "\r\n"
EXACT = Context(prec=100, traps=[Inexact, InvalidOperation])
"""Sums are never rounded, whatever the precision Python adds with otherwise."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """One report of a bundle: which, with the form's values."""

    report: Report
    params: Mapping[str, Any]


def ordered(reports: Iterable[Report], casino: Casino, span: Span) -> Iterator[Ordered]:
    """Each report over the span: once for each day or once for all of it, as its form asks."""
    for report in sorted(reports, key=lambda each: each.identifier):
        for given in values_for(report, casino, [seal.day.date for seal in span.days]):
            yield Ordered(report, forms.read(report.form, casino, given))


def values_for(report: Report, casino: Casino, days: Sequence[dt.date]) -> list[dict[str, str]]:
    """What to fill a report's form with, once or for each day."""
    names = set(report.form(casino=casino).fields)
    if "day" in names:
        return [{"day": str(day)} for day in days]
    if {"first", "last"} <= names:
        return [{"first": str(days[0]), "last": str(days[-1])}]
    return [{}]


def fits(report: Report, casino: Casino) -> bool:
    """Whether a report can be made knowing the days alone: its form, filled with one, has nothing to ask."""
    try:
        for given in values_for(report, casino, [casino.gaming_day(clock.now())]):
            forms.read(report.form, casino, given)
    except Refused:
        return False
    return True


class Rows:
    """The reports of one bundle, written one after the other to files aside until their chains are known."""

    def __init__(self, span: Span, language: str, folder: Path) -> None:
        self.span, self.language, self.folder = span, language, folder
        self.count = 0
        self.told: list[dict[str, Any]] = []
        self._names = {pk: name for name, pk in span.ids.items()}
        self._own = _own_event(span)
        self._now = dict(Stream.objects.filter(casino=span.casino).values_list("name", "head_seq"))

    def read(self, reports: Iterable[Ordered], progress: Progress) -> None:
        """Read every report; the chains its rows rest on are covered by the bundle from here on."""
        for n, one in enumerate(reports, 1):
            made = document.prepare(one.report, self.span.casino, one.params, self.language)
            stem = f"{n:03d}-{one.report.identifier.replace('.', '-')}"
            with (
                (self.folder / f"{stem}.csv").open("wb") as table,
                (self.folder / f"{stem}.rows.jsonl").open("wb") as beside,
            ):
                self._one(made, forms.plain(one.params), table, beside, progress)
            self.told.append(
                {
                    "report": one.report.identifier,
                    "params": forms.plain(one.params),
                    "file": f"reports/{stem}.csv",
                }
            )

    def put(self, packing: Packing) -> None:
        for path in sorted(self.folder.iterdir()):
            with packing.file(f"reports/{path.name}") as out, path.open("rb") as kept:
                while chunk := kept.read(CHUNK):
                    out.write(chunk)

    def _one(
        self,
        made: Document,
        params: Mapping[str, Any],
        table: IO[bytes],
        beside: IO[bytes],
        progress: Progress,
    ) -> None:
        lines = Lines(table)
        preamble: list[list[str]] = []
        if len(made.sections) > 1:
            preamble = [[safe(made.casino.name), safe(made.title)]]
            preamble += [[safe(said), safe(value)] for said, value in made.particulars]
        lines.rows(preamble)
        head = {
            "report": made.report.identifier,
            "title": made.title,
            "language": made.language,
            "params": params,
            "rules": list(made.report.rules),
            "preamble": preamble,
        }
        beside.write(canonical(head) + b"\n")
        for section in made.sections:
            self._section(made, section, lines, beside, progress)

    def _section(
        self, made: Document, section: Section, lines: Lines, beside: IO[bytes], progress: Progress
    ) -> None:
        before = [[], [safe(made.say(section.title))]] if len(made.sections) > 1 else []
        columns = [
            {"key": column.key, "heading": safe(_heading(made, column)), "kind": column.kind.value}
            for column in section.columns
        ]
        lines.rows([*before, [column["heading"] for column in columns]])
        said = {
            "section": section.key,
            "title": made.say(section.title),
            "before": before,
            "columns": columns,
        }
        beside.write(canonical(said) + b"\n")
        sums = [Decimal(0)] * len(columns)
        for row in made.rows(section, progress):
            cells = [made.plain(row.get(column.key), column.kind) for column in section.columns]
            for at, column in enumerate(section.columns):
                if column.kind.is_number and cells[at]:
                    sums[at] = EXACT.add(sums[at], Decimal(cells[at]))
            spans, unsealed = self.spans(events_named(row))
            beside.write(canonical({"cells": cells, "events": spans, "unsealed": unsealed}) + b"\n")
            lines.rows([_written(cells, section)])
            self.count += 1
        self._totals(made, section, sums, lines, beside)

    def _totals(
        self, made: Document, section: Section, sums: Sequence[Decimal], lines: Lines, beside: IO[bytes]
    ) -> None:
        totals = made.totals(section)
        cells = (
            [made.plain(totals.get(column.key), column.kind) for column in section.columns] if totals else []
        )
        if cells:
            lines.rows([_written(cells, section)])
        summed = [
            column.key
            for column, cell, total in zip(section.columns, cells, sums, strict=False)
            if column.kind in (Kind.INT, Kind.MONEY) and cell and Decimal(cell) == total
        ]
        beside.write(canonical({"totals": cells, "sums": summed}) + b"\n")

    def spans(self, named: Sequence[EventsOf]) -> tuple[list[list[Any]], int]:
        """The events a row rests on as spans of its chains, and how many of them have no seal yet."""
        found: dict[str, list[list[int]]] = {}
        unsealed = 0
        for stream, first, last in self._meant(named):
            end = self.span.heads.get(stream, (0, b""))[0]
            beyond = range(max(end + 1, first), last + 1)
            unsealed += len(beyond) - (stream == self._own[0] and self._own[1] in beyond)
            last = min(last, end)
            if first > last:
                continue
            spans = found.setdefault(stream, [])
            if spans and spans[-1][1] + 1 == first:
                spans[-1][1] = last
            else:
                spans.append([first, last])
        self.span.cover(found)
        in_order = sorted(found.items(), key=lambda item: item[0].encode())
        return [[stream, first, last] for stream, spans in in_order for first, last in spans], unsealed

    def _meant(self, named: Sequence[EventsOf]) -> Iterator[tuple[str, int, int]]:
        whole = [one for one in named if one == EventsOf(streams=one.streams or ("-",))]
        if len(whole) == len(named):  # chains whole: no need to look for their events
            for stream in sorted({stream for one in whole for stream in one.streams}, key=str.encode):
                if self._now.get(stream):
                    yield stream, 1, self._now[stream]
            return
        events = resting.events(self.span.casino, named).order_by("stream_id", "seq").distinct()
        for stream_id, seq in events.values_list("stream_id", "seq"):
            yield self._names[stream_id], seq, seq


def _own_event(span: Span) -> tuple[str, int]:
    """The event that tells of the last seal: it can only come after it, and the seal itself stands for it."""
    told = Event.objects.filter(
        casino=span.casino, action=SEALED, subject_type="day", subject_id=span.through.day_id
    )
    return told.values_list("stream__name", "seq").order_by("seq").first() or ("", 0)


class Lines:
    """Rows as lines of CSV, as `formats/csv.py` writes them."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out, self._text = out, io.StringIO()
        self._writer = csv.writer(self._text)
        out.write(BOM)

    def rows(self, rows: Iterable[Sequence[str]]) -> None:
        self._writer.writerows(rows)
        self._out.write(self._text.getvalue().encode("utf-8", "replace"))
        self._text.seek(0)
        self._text.truncate()


def _written(cells: Sequence[str], section: Section) -> list[str]:
    pairs = zip(cells, section.columns, strict=True)
    return [cell if column.kind.is_number else safe(cell) for cell, column in pairs]


def _heading(made: Document, column: Any) -> str:
    said = made.say(column.heading)
    return f"{said} %" if column.kind is Kind.PERCENT else said


def aside() -> tempfile.TemporaryDirectory[str]:
    """A folder for what is read before it can be packed."""
    return tempfile.TemporaryDirectory(prefix="sabot-bundle-")
