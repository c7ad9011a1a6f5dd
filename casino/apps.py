"""The composition root as a Django app: holds the casino itself, its people and its settings."""

from __future__ import annotations

from django.apps import AppConfig


class CasinoConfig(AppConfig):
    name = "casino"
    label = "casino"
    verbose_name = "Casino"

    def ready(self) -> None:
        # Binds @shared_task to our application in every process, also the web ones that only send.
        from casino import celery  # noqa: F401
