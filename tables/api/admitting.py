"""Addresses that admit people: who is turned away goes on record after the write was undone (GEN-11)."""

from __future__ import annotations

from rest_framework.response import Response

from audits.api.frame import Endpoint
from tables.guests.admitting import Barred


class Admitting(Endpoint):
    """An address whose write may turn somebody away. By the time DRF handles the refusal, its transaction
    (which an idempotency key may share) is over."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Barred):
            exc.remember()
        return super().handle_exception(exc)
