"""What the guests make known when the house starts: acts, actions, an incident kind, proofs, reports."""

from __future__ import annotations


def register() -> None:
    """Called once by the floor's `AppConfig.ready`."""
    from audits import closing, verify
    from tables.alerts.causes import register_watch
    from tables.guests import actions, admitting, committing, policies, proofs, recognising, reports  # noqa: F401

    register_watch(recognising.watch, kinds=(recognising.BARRED,))
    closing.register_preparation(committing.prepare)
    verify.register_trail_proof("tables.guests", proofs.guest_faults)
