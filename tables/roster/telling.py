"""Shifts on the trail: each event holds the whole shift as it then stands, so that a row can be proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from audits import trail
from audits.by import By
from casino.kernel import clock
from tables.models import Shift


def tell(action: str, shift: Shift, by: By, rules: Sequence[str] = (), **more: Any) -> None:
    """An event of the shift's person; `more` beside what the shift is now."""
    trail.record(
        action,
        stream=shift.stream,
        subject=trail.Subject("shift", shift.pk, shift.label),
        by=by,
        data={**_standing(shift, by), **more},
        rules=rules,
    )


def _standing(shift: Shift, by: By) -> Mapping[str, Any]:
    zone = ZoneInfo(by.casino.zone)
    return {
        "staff": shift.staff_id,
        "day": shift.day.isoformat(),
        "start": clock.stamp(shift.start),
        "end": clock.stamp(shift.end),
        "local_start": shift.start.astimezone(zone).strftime("%Y-%m-%d %H:%M"),
        "local_end": shift.end.astimezone(zone).strftime("%Y-%m-%d %H:%M"),
        "came": clock.stamp(shift.came) if shift.came else None,
        "left": clock.stamp(shift.left) if shift.left else None,
        "state": str(shift.state),
        "duty": shift.duty,
        "note": shift.note,
    }
