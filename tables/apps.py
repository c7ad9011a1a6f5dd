"""The floor: tables, sessions, people, rounds. Registers its acts, actions, checks and proofs."""

from __future__ import annotations

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"
    label = "tables"
    verbose_name = "Mesas"

    def ready(self) -> None:
        from audits import days, incidents, verify
        from shoes import floor
        from tables import (  # noqa: F401
            actions,
            closings,
            openings,
            policies,
            proofs,
            reports,
            sessions,
            shoe_proofs,
            told_proofs,
        )
        from tables.standing_above import TablesAbove

        above = TablesAbove()
        floor.register(above)
        incidents.register_freezer(above.hold_table, names=above.table_names)
        days.register_check(closings.holds_day)
        verify.register_proof("tables", proofs.floor_faults)
        verify.register_trail_proof("tables", told_proofs.told_faults)
        verify.register_trail_proof("tables.shoes", shoe_proofs.count_faults)
