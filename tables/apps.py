"""The floor: tables, sessions, people, rounds. Registers its acts, actions, checks and proofs."""

from __future__ import annotations

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"
    label = "tables"
    verbose_name = "Mesas"

    def ready(self) -> None:
        from audits import days, incident_links, incidents, manifests, rulings, verify
        from shoes import floor
        from tables import (  # noqa: F401
            actions,
            bundle_rounds,
            closings,
            inforce,
            inspected,
            openings,
            personal_data,
            plan_filings,
            plan_proofs,
            policies,
            proofs,
            replaying,
            reports,
            sessions,
            shoe_proofs,
            told_proofs,
        )
        from tables.bank import actions as bank_actions  # noqa: F401
        from tables.roster import actions as roster_actions  # noqa: F401
        from tables.roster import certificates, clocking, shifts  # noqa: F401
        from tables.roster import proofs as roster_proofs
        from tables.roster import reports as roster_reports  # noqa: F401
        from tables.standing_above import TablesAbove

        above = TablesAbove()
        floor.register(above)
        incidents.register_freezer(above.hold_table, names=above.table_names)
        incident_links.register_links(replaying.links_of)
        rulings.register_alike(replaying.tables_alike)
        days.register_check(closings.holds_day)
        manifests.register_versions(inforce.versions_at)
        verify.register_proof("tables", proofs.floor_faults)
        verify.register_trail_proof("tables", told_proofs.told_faults)
        verify.register_trail_proof("tables.plans", plan_proofs.plan_faults)
        verify.register_trail_proof("tables.shoes", shoe_proofs.count_faults)
        verify.register_trail_proof("tables.roster", roster_proofs.roster_faults)
        personal_data.register()
        bundle_rounds.register()
        self._register_subjects()
        inspected.register()

    def _register_subjects(self) -> None:
        """What each subject of the floor registers for itself."""
        from tables.alerts import at_start as alerts_at_start
        from tables.bank import at_start as bank_at_start
        from tables.guests import at_start as guests_at_start
        from tables.money import at_start as slips_at_start
        from tables.money import boxes_at_start, cage_at_start
        from tables.roster.rota import at_start as rota_at_start

        slips_at_start.register()
        guests_at_start.register()
        bank_at_start.register()
        boxes_at_start.register()
        cage_at_start.register()
        alerts_at_start.register()
        rota_at_start.register()
