"""Recordings held for an incident: which cameras, from when to when, and where they are kept.

Sabot keeps no video; it keeps that it was held, by whom and where, before it is recorded over (REC-07).
"""

from __future__ import annotations

import datetime as dt

from audits import incidents, policies
from audits.by import By
from audits.models import Incident, VideoHold
from casino.kernel import clock, texts
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text

LONGEST = 200
MOST_SPAN = dt.timedelta(days=3)


@command(policies.HOLD_VIDEO)
def hold_video(
    *, incident: Incident, cameras: str, first: dt.datetime, last: dt.datetime, kept_where: str, by: By
) -> VideoHold:
    """Note that the recordings of some cameras, from `first` to `last`, are not to be erased.

    Raises `Refused` (`bad_cameras`, `bad_place`, `bad_span` for a span out of order, in the future or of more
    than three days).
    """
    seen = texts.line(cameras, "cameras", LONGEST, code="bad_cameras")
    where = texts.line(kept_where, "kept_where", LONGEST, code="bad_place")
    if not first < last <= by.occurred_at + dt.timedelta(minutes=5) or last - first > MOST_SPAN:
        raise Refused(
            Text(
                "indique desde y hasta cuándo, hasta ahora y no más de tres días; para el resto pida otra",
                "say from when to when, up to now and no more than three days; for the rest ask for another",
            ),
            code="bad_span",
            field="last",
        )
    found = incidents.lock(incident)
    incidents.require_later(found, by)
    row = VideoHold.objects.create(
        casino=by.casino, incident=found, cameras=seen, first=first, last=last, kept_where=where, by=by.actor,
        at=by.occurred_at,
    )  # fmt: skip
    span = {"first": clock.stamp(first), "last": clock.stamp(last)}
    data = {"hold": row.pk, "cameras": seen, **span, "kept_where": where}
    incidents.tell(found, "audits.incident.video_held", by=by, data=data, rules=["REC-07"])
    return row
