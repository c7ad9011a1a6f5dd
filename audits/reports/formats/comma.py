"""CSV for a spreadsheet set to Spanish: semicolons between cells and a decimal comma in figures.

With a point, `9.10` is read there as the ninth of October; with commas between cells as well as in amounts, a
row falls apart. Programs are better served by plain CSV.
"""

from __future__ import annotations

from pathlib import Path

from audits.reports.document import Document, Progress
from audits.reports.formats import csv
from audits.reports.registry import Cell, Kind

DELIMITER = ";"


def write(document: Document, path: Path, progress: Progress) -> None:
    """The tables one under the other, as plain CSV has them."""
    with path.open("wb") as file:
        file.write(csv.BOM)
        out = csv.Lines(file, DELIMITER)
        for section in document.sections:
            csv.head(document, section, out)
            kinds = [(column.key, column.kind) for column in section.columns]
            for row in document.rows(section, progress):
                out.row([_cell(document, row.get(key), kind) for key, kind in kinds])
            totals = document.totals(section)
            if totals:
                out.row([_cell(document, totals.get(key), kind) for key, kind in kinds])


def _cell(document: Document, cell: Cell, kind: Kind) -> str:
    shown = csv.cell_of(document, cell, kind)
    return shown.replace(".", ",") if kind.is_number else shown
