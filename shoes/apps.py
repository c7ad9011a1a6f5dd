"""The cards themselves, from sealed deck to discard."""

from __future__ import annotations

from django.apps import AppConfig


class ShoesConfig(AppConfig):
    name = "shoes"
    label = "shoes"
    verbose_name = "Sabots"
