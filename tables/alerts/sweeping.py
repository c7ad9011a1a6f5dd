"""The look each minute at everything somebody watches: what is new is raised, what is over is cleared.

Safe twice at once: whoever looks holds the house's row, and a cause has one alert while it lasts. A watch
that fails says nothing: what it was told to watch is neither raised nor cleared until it looks again.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from django.db import transaction

from audits.by import By, by_system
from casino.kernel import locking
from casino.kernel.commands import command
from casino.kernel.errors import Busy
from casino.models import Casino
from tables.alerts import policies
from tables.alerts.causes import Cause, watches
from tables.alerts.keeping import clear, raise_now
from tables.models import Alert

log = logging.getLogger(__name__)

JOB = "floor-watch"


@dataclass(frozen=True, slots=True)
class Swept:
    """What a look changed: alerts raised and cleared."""

    raised: tuple[Alert, ...] = ()
    cleared: tuple[Alert, ...] = ()


@command(policies.WATCH, silent_when="nothing began and nothing ended")
def sweep(*, by: By) -> Swept:
    """Look once at the actor's house, at `by.occurred_at`."""
    locking.taking(locking.Rank.CASINO)
    Casino.objects.select_for_update(no_key=True).get(pk=by.casino.pk)
    # Known before looking: what an act raises while the watch looks is not held to be over.
    lasting = Alert.objects.filter(casino=by.casino, cleared_at=None)
    before = list(lasting.values_list("pk", flat=True))
    found, seen = _causes(by)
    locking.taking(locking.Rank.SLIP_SERIES)
    rows = lasting.filter(pk__in=before).select_for_update(of=("self",), no_key=True)
    standing = {alert.key: alert for alert in rows.select_related("table").order_by("pk")}
    over = [
        alert for key, alert in standing.items() if key not in found and (seen is None or alert.kind in seen)
    ]
    raised = raise_now([cause for key, cause in found.items() if key not in standing], by)
    for alert in over:
        clear(alert, by)
    return Swept(tuple(raised), tuple(over))


def _causes(by: By) -> tuple[dict[str, Cause], frozenset[str] | None]:
    """What every watch yields, by key; and the kinds that were looked for: None where no watch failed."""
    found: dict[str, Cause] = {}
    seeing: set[str] = set()
    failed = False
    for watch, kinds in watches().items():
        try:
            with transaction.atomic():
                causes = list(watch(by.casino, by.occurred_at))
        except Exception:
            log.exception("%s: %s could not look", by.casino.code, getattr(watch, "__module__", watch))
            failed = True
            continue
        seeing |= kinds
        for cause in causes:
            found.setdefault(cause.key, cause)
    return found, frozenset(seeing) if failed else None


def sweep_all() -> int:
    """Look at every house; how many could be. One that is in use is left for the next minute."""
    looked = 0
    for casino in Casino.objects.order_by("code"):
        try:
            sweep(by=by_system(casino, JOB))
            looked += 1
        except Busy:
            log.warning("%s: in use; the next run looks at its floor", casino.code)
        except Exception:
            log.exception("%s: its floor could not be looked at", casino.code)
    return looked
