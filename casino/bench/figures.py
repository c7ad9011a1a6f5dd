"""The register of figures and what they may use while they run."""

from __future__ import annotations

import datetime as dt
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to measure: seconds a run, runs of each kind (interleaved), numbers of clients."""

    seconds: float
    runs: int
    clients: tuple[int, ...]

    @classmethod
    def quick(cls) -> Effort:
        """Enough to see that the yardstick itself works; its figures say little."""
        return cls(seconds=0.3, runs=1, clients=(1, 2))


@dataclass(frozen=True, slots=True)
class Report:
    """What a figure found: a title, a table (first row its head) and remarks below it."""

    title: str
    rows: Sequence[Sequence[str]]
    remarks: Sequence[str] = ()


Figure = Callable[[Effort], Report]
_figures: dict[str, Figure] = {}


def register(name: str, figure: Figure) -> None:
    """Add a figure; `name` is how the command line asks for it alone."""
    _figures[name] = figure


def registered() -> dict[str, Figure]:
    return dict(_figures)


def median(values: Sequence[float]) -> float:
    return statistics.median(values) if values else 0.0


def say(text: str) -> None:
    """Tell how far the measurement is, apart from the result."""
    sys.stderr.write(f"{dt.datetime.now(dt.UTC):%H:%M:%S} {text}\n")
    sys.stderr.flush()


def table(report: Report) -> str:
    """The report as text, columns aligned: the first to the left, figures to the right."""
    widths = [max(len(row[i]) for row in report.rows) for i in range(len(report.rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in report.rows
    ]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([report.title, "=" * len(report.title), lines[0], rule, *lines[1:], *report.remarks])
