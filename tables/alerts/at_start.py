"""What alerts and the shift register at start-up."""

from __future__ import annotations

from audits import verify
from tables.alerts import actions, filing_watch, policies, proofs, watches  # noqa: F401
from tables.alerts.causes import register_watch
from tables.overview import standing


def register() -> None:
    register_watch(standing.watch, kinds=standing.KINDS)
    for watch, kinds in (watches.WATCHES | filing_watch.WATCHES).items():
        register_watch(watch, kinds=kinds)
    verify.register_trail_proof("tables.alerts", proofs.told_faults)
