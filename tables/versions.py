"""From when a version of rules, limits or a plan is in force: never from before it is recorded (GEN-03)."""

from __future__ import annotations

import datetime as dt

from audits.by import CLOCK_SKEW, By
from casino.kernel.errors import Refused
from casino.kernel.words import Text


def not_back(instant: dt.datetime | None, by: By) -> dt.datetime:
    """The instant stated (now when None), or `Refused` (`effective_in_past`) where it has passed."""
    if instant is None:
        return by.occurred_at
    if instant < by.occurred_at - CLOCK_SKEW:
        raise Refused(
            Text("una versión no rige hacia atrás", "a version is not in force backwards in time"),
            code="effective_in_past",
            rule="GEN-03",
            field="effective_from",
        )
    return max(instant, by.occurred_at)
