"""What the plan of posts registers at start-up."""

from __future__ import annotations

from audits import verify
from tables import roster
from tables.roster.rota import actions, applying, asking, mending, policies, proofs, report  # noqa: F401


def register() -> None:
    roster.register_plan(asking.next_post)
    verify.register_trail_proof("tables.rotation", proofs.rotation_faults)
