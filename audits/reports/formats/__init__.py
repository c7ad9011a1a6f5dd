"""The formats a report comes in. A writer is `write(document, path, progress)`; all are streams.

`LIMITS` is the largest number of rows each takes in one table: a spreadsheet ends at 1 048 576
lines, and nobody reads a PDF of a thousand pages. CSV has no limit.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from audits.reports.document import Document, Progress
from audits.reports.formats import csv, pdf, xlsx
from casino.kernel.errors import Refused
from casino.kernel.words import Text

WRITERS: dict[str, Callable[[Document, Path, Progress], None]] = {
    "csv": csv.write,
    "xlsx": xlsx.write,
    "pdf": pdf.write,
}
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
