"""Seals and keys as rows of a bundle or of a row's proof."""

from __future__ import annotations

from typing import Any

from audits.models import Seal, SealKey
from casino.kernel import clock
from casino.models import Casino


def seal_row(seal: Seal) -> dict[str, Any]:
    """The signed document itself, with its signature: what it says is not said twice."""
    return {"document": bytes(seal.document).decode(), "signature": bytes(seal.signature).hex()}


def key_row(key: SealKey) -> dict[str, Any]:
    """A key with its introduction, signed by itself and by the one before."""
    return {
        "key_id": key.key_id,
        "public_key": bytes(key.public_key).hex(),
        "since": clock.stamp(key.since),
        "until": None if key.until is None else clock.stamp(key.until),
        "document": bytes(key.document).decode(),
        "signature": bytes(key.signature).hex(),
        "introduced_by": None if key.introduced_by is None else bytes(key.introduced_by).hex(),
        "lost": key.lost,
        "reason": key.reason,
    }


def casino_row(casino: Casino) -> dict[str, Any]:
    return {
        "code": casino.code,
        "name": casino.name,
        "licence": casino.licence,
        "zone": casino.zone,
        "currency": casino.currency,
        "exponent": casino.exponent,
    }
