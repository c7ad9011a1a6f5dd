"""Saving settings so that their history knows who and why.

django-simple-history writes the version row; this sets its user and its reason, always, also where
no request exists (commands, workers). Models kept this way use `History` as their history field.
"""

from __future__ import annotations

from django.db.models import Model
from simple_history.models import HistoricalRecords

from audits.by import By


class History(HistoricalRecords):
    """`HistoricalRecords` that refuses to write a version without its author and reason."""

    def create_historical_record(self, instance: Model, history_type: str, using: str | None = None) -> None:
        if not (getattr(instance, "_change_reason", "") and getattr(instance, "_history_user", None)):
            raise RuntimeError(f"{type(instance).__name__} is saved through audits.history.save_version()")
        super().create_historical_record(instance, history_type, using)


def save_version(instance: Model, *, by: By) -> None:
    """Save a settings row with its new version in history. Raises `Refused` without a reason."""
    reason = by.need_reason()
    instance._history_user = by.actor.user  # type: ignore[attr-defined]
    instance._change_reason = reason  # type: ignore[attr-defined]
    instance._history_date = by.occurred_at  # type: ignore[attr-defined]
    instance.save()
