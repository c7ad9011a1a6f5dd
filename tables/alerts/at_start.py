"""What alerts and the shift register at start-up."""

from __future__ import annotations

from audits import verify
from tables.alerts import (  # noqa: F401
    actions,
    filing_watch,
    incident_watch,
    policies,
    proof_watch,
    proofs,
    watches,
)
from tables.alerts.causes import Watch, register_watch
from tables.overview import standing


def register() -> None:
    register_watch(standing.watch, kinds=standing.KINDS)
    for watch, kinds in _all_watches().items():
        register_watch(watch, kinds=kinds)
    verify.register_trail_proof("tables.alerts", proofs.told_faults)


def _all_watches() -> dict[Watch, tuple[str, ...]]:
    kept = (watches, filing_watch, incident_watch, proof_watch)
    return {watch: tuple(kinds) for module in kept for watch, kinds in module.WATCHES.items()}
