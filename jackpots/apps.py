"""Progressive pools. Registers their acts, actions, checks and proofs."""

from __future__ import annotations

from django.apps import AppConfig


class JackpotsConfig(AppConfig):
    name = "jackpots"
    label = "jackpots"
    verbose_name = "Pozos"

    def ready(self) -> None:
        from jackpots import actions, at_start, filings, inspected, policies, reports  # noqa: F401

        at_start.register()
        inspected.register()
