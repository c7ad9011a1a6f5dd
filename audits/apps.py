"""The ground floor registers its own actions, acts, report and proof at start-up."""

from django.apps import AppConfig


class AuditsConfig(AppConfig):
    name = "audits"
    verbose_name = "Auditoría"

    def ready(self) -> None:
        from audits import (  # noqa: F401
            actions,
            filing_proofs,
            incident_proofs,
            incident_report,
            policies,
            row_proofs,
            verify,
        )

        verify.register_trail_proof("incidents", incident_proofs.told_faults)
        verify.register_trail_proof("filings", filing_proofs.filing_faults)
        verify.register_trail_proof("rows", row_proofs.row_faults)
        verify.register_trail_proof("versions", row_proofs.history_faults)
