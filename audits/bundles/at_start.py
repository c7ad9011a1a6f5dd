"""What the bundle room makes known at start-up: its format, its report, its figure."""

from __future__ import annotations

from audits.bundles import order, timing
from audits.reports import formats
from casino.bench import figures


def register() -> None:
    formats.OF_THE_ORDER[order.FORMAT] = order.write
    figures.register("verifier", timing.verifier)
