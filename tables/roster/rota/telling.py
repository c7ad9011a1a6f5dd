"""Plans of posts on the trail: each event holds who stands where as it then is, so that rows are proved."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from audits import trail
from audits.by import By
from casino.kernel import clock
from tables.models import RotationPlan

RULES = ("FLOOR-01", "FLOOR-03")


def tell(action: str, plan: RotationPlan, by: By, **more: Any) -> None:
    """An event of the plan's gaming day; `more` beside what the plan is now."""
    zone = ZoneInfo(by.casino.zone)
    trail.record(
        action,
        stream=plan.stream,
        subject=trail.Subject("rotation", plan.pk, plan.label),
        by=by,
        data={
            "number": plan.number,
            "day": plan.day.isoformat(),
            "pit": plan.pit_id,
            "starts": clock.stamp(plan.starts),
            "ends": clock.stamp(plan.ends),
            "local_start": plan.starts.astimezone(zone).strftime("%Y-%m-%d %H:%M"),
            "local_end": plan.ends.astimezone(zone).strftime("%H:%M"),
            "slot_minutes": plan.slot_minutes,
            "solver": plan.solver,
            "base": plan.base_id,
            "turns": plan.turns,
            "measures": plan.measures,
            **more,
        },
        rules=RULES,
    )
