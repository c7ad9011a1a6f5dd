"""What the cage registers at start-up: its acts and actions, its proofs, its reports."""

from __future__ import annotations


def register() -> None:
    from audits import verify
    from tables.money import (  # noqa: F401
        cage,
        cage_actions,
        cage_counts,
        cage_policies,
        cage_proofs,
        funds,
        orphans,
        payouts,
        tip_handing,
        tips,
        transfers,
    )
    from tables.reports import cage as cage_reports  # noqa: F401

    verify.register_proof("tables.cage", cage_proofs.ledger_faults)
    verify.register_trail_proof("tables.cage", cage_proofs.told_faults)
