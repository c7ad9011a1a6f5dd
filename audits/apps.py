"""The ground floor registers its own actions, acts, report and proof at start-up."""

from django.apps import AppConfig


class AuditsConfig(AppConfig):
    name = "audits"
    verbose_name = "Auditoría"

    def ready(self) -> None:
        from audits import (  # noqa: F401
            actions,
            committing,
            coverage_report,
            evidence_proofs,
            export_proofs,
            filing_proofs,
            incident_proofs,
            incident_report,
            login_proofs,
            policies,
            refusals,
            registers,
            row_proofs,
            trail_report,
            verify,
        )
        from audits.bundles import at_start as bundles_at_start
        from audits.inspections import at_start as inspections_at_start
        from audits.persons import looking, report  # noqa: F401
        from audits.persons import proofs as people_proofs
        from audits.sealing import seal_proofs
        from casino.kernel import commands

        commands.watch_refusals(refusals.keep)
        looking.register_logins()
        bundles_at_start.register()
        verify.register_trail_proof("logins", login_proofs.login_faults)
        verify.register_trail_proof("people", people_proofs.people_faults)
        verify.register_trail_proof("seals", seal_proofs.told_faults)
        verify.register_trail_proof("exports", export_proofs.export_faults)
        verify.register_trail_proof("incidents", incident_proofs.told_faults)
        verify.register_trail_proof("filings", filing_proofs.filing_faults)
        verify.register_trail_proof("rows", row_proofs.row_faults)
        verify.register_trail_proof("versions", row_proofs.history_faults)
        inspections_at_start.register()
        verify.register_trail_proof("evidence", evidence_proofs.evidence_faults)
