"""How the file of an export comes about: the report read at one moment, or the kept rows of another export.

A report is written as CSV first (`audits/reports/kept.py`); whatever else is asked for is made from that.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from audits import export_files, manifests
from audits.manifests import Yielded
from audits.models import Export, ExportNames
from audits.persons import naming
from audits.reports import difference, document, formats, forms, get, kept, provisional, snapshot
from audits.reports.formats import csv
from casino.kernel import clock


@dataclass(frozen=True, slots=True)
class Made:
    """What an attempt wrote: the file, the rows kept beside it (none for CSV), and what they are."""

    file: Path
    rows: Path | None
    yielded: Yielded
    measured_rows: manifests.Measured
    named: list[str] | None = None


def make(export: Export, progress: snapshot.ProgressNotes) -> Made:
    """Write the parts of an export; nothing of them is its own before `exports` says so."""
    plain = export_files.part_of(export, "rows")
    with naming.collecting() as names:
        yielded = _WAYS[Export.Purpose(export.purpose)](export, plain, progress)
    progress.flush()
    rows = manifests.measured(plain)
    if export.format == Export.Format.CSV:
        _to_disk(plain)
        return Made(plain, None, yielded, rows, names.told())
    file, packed = export_files.part_of(export, "file"), export_files.part_of(export, "packed")
    if export.format not in formats.OF_THE_ORDER:
        longest = max((section["rows"] for section in yielded.outline["sections"]), default=0)
        formats.refuse_too_long(export.format, longest)
        formats.WRITERS[export.format](kept.document_of(yielded.outline, plain), file, progress.beat)
    _to_disk(file)
    export_files.compress(plain, packed, progress.beat)
    return Made(file, packed, yielded, rows, names.told())


def _report(export: Export, plain: Path, progress: snapshot.ProgressNotes) -> Yielded:
    """The report as it is known now, all of it from one snapshot of the data."""
    described = get(export.report)
    with snapshot.one_moment():
        known_at = clock.now()
        cleaned = forms.read(described.form, export.casino, export.params)
        notes = provisional.said(export.casino, cleaned)
        made = document.prepare(described, export.casino, cleaned, export.language, notes)
        progress.total(document.row_count(made))
        placed = csv.write(made, plain, progress)
        if export.format in formats.OF_THE_ORDER:
            formats.OF_THE_ORDER[export.format](export, export_files.part_of(export, "file"), progress)
        left = [day.isoformat() for day in provisional.days_left(export.casino, cleaned)]
    return Yielded(kept.outline(made, placed), known_at, left)


def _again(export: Export, plain: Path, progress: snapshot.ProgressNotes) -> Yielded:
    """The rows of an export as they were known then."""
    assert export.of is not None
    said = manifests.read(export.of)
    export_files.copy_rows(export.of, plain)
    kept_names = ExportNames.objects.filter(export=export.of).first()
    naming.note_again(kept_names.named if kept_names else None)
    progress.total(said["rows"]["count"])
    progress(said["rows"]["count"])
    return Yielded(said["outline"], clock.parse_stamp(said["known_at"]), said["provisional"])


def _difference(export: Export, plain: Path, progress: snapshot.ProgressNotes) -> Yielded:
    """What of an export is otherwise by what is known now."""
    assert export.of is not None
    then, now = (export_files.part_of(export, name) for name in ("then", "now"))
    before = _again(export, then, progress)
    after = _report(export, now, progress)
    made = difference.of(
        kept.Kept(before.outline, then, before.known_at),
        kept.Kept(after.outline, now, after.known_at),
        progress.beat,
    )
    placed = csv.write(made, plain, progress.beat)
    progress.total(document.row_count(made))
    progress.set_rows(sum(place.rows for place in placed))
    return Yielded(kept.outline(made, placed), after.known_at, after.days_left)


_WAYS: dict[Export.Purpose, Callable[[Export, Path, snapshot.ProgressNotes], Yielded]] = {
    Export.Purpose.REPORT: _report,
    Export.Purpose.AGAIN: _again,
    Export.Purpose.DIFFERENCE: _difference,
}


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
