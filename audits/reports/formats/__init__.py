"""The formats a report comes in. A writer is `write(document, path, progress)`; all are streams.

`LIMITS` is the largest number of rows each takes in one table: a spreadsheet ends at 1 048 576
lines, and nobody reads a PDF of a thousand pages. CSV and JSON have no limit.

A spreadsheet set to Spanish takes `csvcomma`. `ENDINGS`: how the files of a format are named.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from audits.models import Export
from audits.reports.document import Document, Progress
from audits.reports.formats import comma, csv, json, pdf, xlsx
from audits.reports.registry import Report
from casino.kernel.errors import Refused
from casino.kernel.words import Text

WRITERS: dict[str, Callable[[Document, Path, Progress], object]] = {
    "csv": csv.write,
    "csvcomma": comma.write,
    "xlsx": xlsx.write,
    "pdf": pdf.write,
    "json": json.write,
}
OF_THE_ORDER: dict[str, Callable[[Export, Path, Progress], None]] = {}
"""Formats that are made from the order itself and not from a table: the bundle, `audits/bundles/order.py`."""
ENDINGS = {name: name for name in WRITERS} | {"csvcomma": "excel.csv", "zip": "zip"}
LIMITS: dict[str, int] = {"xlsx": 1_000_000, "pdf": 20_000}


def refuse_too_long(format: str, rows: int | None) -> None:
    """Raise `Refused` (code `report_too_long`) when the format cannot hold that many rows."""
    limit = LIMITS.get(format)
    if limit is None or rows is None or rows <= limit:
        return
    raise Refused(
        Text(
            f"el reporte pasa de {limit} filas, demasiadas para {format.upper()}; pídalo en CSV",
            f"the report has more than {limit} rows, too many for {format.upper()}; ask for CSV",
        ),
        code="report_too_long",
        field="format",
    )


def of(report: Report) -> tuple[str, ...]:
    """The formats a report can be asked for in."""
    return report.formats or tuple(WRITERS)
