"""What drop boxes and results register when the house starts: acts, words, exceptions, proofs."""

from __future__ import annotations

from audits import incidents, verify
from audits.sealing import sealing
from tables import results
from tables.money import (  # noqa: F401
    box_actions,
    box_counts,
    box_policies,
    box_proofs,
    boxes,
    differences,
    reconciling,
)


def register() -> None:
    incidents.register_objection(box_counts.objection)
    results.register_exception(reconciling.boxes_outstanding)
    results.register_exception(differences.outstanding)
    sealing.register_hold(differences.holds_seal)
    verify.register_trail_proof("tables.boxes", box_proofs.box_faults)
