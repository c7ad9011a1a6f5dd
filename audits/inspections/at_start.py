"""What inspections register when the house starts."""

from __future__ import annotations

from audits import verify
from audits.inspections import actions, counting, policies, proofs, report, standing  # noqa: F401
from casino import logins


def register() -> None:
    verify.register_trail_proof("inspections", proofs.inspection_faults)
    logins.register_over(standing.is_over)
