"""What acts at a table put on its session's stream, and how they name what a shoe's own tells of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audits import trail
from audits.by import By
from audits.models import Event
from shoes.models import Shoe
from tables.models import TableSession


def note(action: str, session: TableSession, by: By, data: Mapping[str, Any], rules: Sequence[str]) -> Event:
    """An event of a session's stream."""
    subject = trail.Subject("session", session.pk, session.label)
    return trail.record(action, stream=session.stream, subject=subject, by=by, data=data, rules=rules)


def told_of(shoe: Shoe | None) -> dict[str, object] | None:
    """The event that the shoe's own stream has of this act (records.md)."""
    return None if shoe is None or shoe.told is None else trail.named(shoe.told, shoe.stream)
