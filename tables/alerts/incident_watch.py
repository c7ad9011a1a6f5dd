"""Notices of incidents that are due, among the alerts of the floor: four hours before, and once they are late
(REC-14)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from zoneinfo import ZoneInfo

from audits.models import Incident
from casino.kernel.words import Text
from casino.models import Casino
from tables.alerts.causes import BAD, WARN, Cause, register_kind

BEFORE = dt.timedelta(hours=4)
"""How long before its last instant a notice is asked for: the house's practice, half a shift."""
NOTICE = register_kind(
    "incident.notice", Text("aviso a la AJ por vencer o vencido", "notice to the AJ due or overdue")
)


def watch(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    waiting = Incident.objects.filter(
        casino=casino, notice_sent_at=None, notice_due__lte=instant + BEFORE
    ).order_by("notice_due", "pk")
    for incident in waiting:
        assert incident.notice_due is not None
        late = incident.notice_due < instant
        at = incident.notice_due.astimezone(ZoneInfo(casino.zone))
        words = (
            Text("{label}: el aviso a la AJ venció el {es}", "{label}: the notice to the AJ was due on {en}")
            if late
            else Text(
                "{label}: el aviso a la AJ sale hasta el {es}",
                "{label}: the notice to the AJ goes out by {en}",
            )
        )
        said = words.fill(label=incident.label, es=f"{at:%d/%m %H:%M}", en=f"{at:%Y-%m-%d %H:%M}")
        key = f"{NOTICE}:{incident.pk}:{'late' if late else 'due'}"
        yield Cause(key, NOTICE, BAD if late else WARN, said, rule="REC-14", subject=incident.label)


WATCHES = {watch: (NOTICE,)}
