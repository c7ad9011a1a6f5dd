"""The cards themselves, from sealed deck to discard."""

from __future__ import annotations

from django.apps import AppConfig


class ShoesConfig(AppConfig):
    name = "shoes"
    label = "shoes"
    verbose_name = "Sabots"

    def ready(self) -> None:
        from audits import verify

        # Registering is importing.
        from shoes import (  # noqa: F401
            actions,
            deck_proofs,
            homologation,
            policies,
            proofs,
            reports,
            review_proofs,
            reviews,
            watch,
            watch_proofs,
        )

        verify.register_proof("shoes", proofs.shoe_faults)
        verify.register_proof("stock", deck_proofs.stock_faults)
        verify.register_trail_proof("shoes", proofs.told_faults)
        verify.register_trail_proof("decks", deck_proofs.told_faults)
        verify.register_trail_proof("discard reviews", review_proofs.review_faults)
        verify.register_trail_proof("card watch", watch_proofs.alert_faults)
