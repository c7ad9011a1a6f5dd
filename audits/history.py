"""Saving settings so that their history knows who and why.

django-simple-history writes the version row; this sets its user and its reason, always, also where
no request exists (commands, workers). Models kept this way use `History` as their history field.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.db.models.signals import pre_save
from simple_history.models import HistoricalRecords

from audits.by import By


class History(HistoricalRecords):
    """`HistoricalRecords` that refuses to write a version without its author and reason.

    The author is the one `save_version` put on the row itself: neither a property of the model, nor the user
    of some request, has a say in it.
    """

    def finalize(self, sender: type[Model], **kwargs: Any) -> None:
        """The library writes the version after the row was saved, and outside a transaction it stays: so a
        row without its author is refused before."""
        super().finalize(sender, **kwargs)
        if sender is self.cls:
            pre_save.connect(self._require_author, sender=sender, weak=False)

    def _require_author(self, instance: Model, **_: Any) -> None:
        told = vars(instance)
        if not (told.get("_change_reason") and told.get("_history_user")):
            raise RuntimeError(f"{type(instance).__name__} is saved through audits.history.save_version()")

    def create_historical_record(self, instance: Model, history_type: str, using: str | None = None) -> None:
        self._require_author(instance)
        super().create_historical_record(instance, history_type, using)

    def get_history_user(self, instance: Model) -> Any:
        return vars(instance)["_history_user"]


def save_version(instance: Model, *, by: By) -> None:
    """Save a settings row with its new version in history. Raises `Refused` without a reason."""
    reason = by.need_reason()
    vars(instance).update(_history_user=by.actor.user, _change_reason=reason, _history_date=by.occurred_at)
    instance.save()
