"""The floor: tables, sessions, people, rounds. Registers its acts, actions, checks and proofs."""

from __future__ import annotations

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"
    label = "tables"
    verbose_name = "Mesas"

    def ready(self) -> None:
        from audits import days, verify
        from tables import actions, policies, proofs, reports, sessions  # noqa: F401

        days.register_check(sessions.holds_day)
        verify.register_proof("tables", proofs.session_faults)
