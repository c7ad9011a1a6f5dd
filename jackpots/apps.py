"""Progressive pools."""

from __future__ import annotations

from django.apps import AppConfig


class JackpotsConfig(AppConfig):
    name = "jackpots"
    label = "jackpots"
    verbose_name = "Pozos"
