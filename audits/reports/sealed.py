"""Which events lie under the signed seal of a gaming day (REC-06): from then on nobody can take them back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from django.apps import apps

from audits.models import Event


def sealed_on(events: Iterable[Event]) -> Mapping[int, dt.date]:
    """The gaming day whose seal is the first to cover each event, by the event's number; the rest left out.

    A seal names the chains that grew since the one before, and how far (`SealLeaf`): it covers the events of
    such a chain up to that number.
    """
    leaves: Any = apps.all_models["audits"].get("sealleaf")
    if leaves is None:
        return {}
    by_stream: dict[int, list[Event]] = {}
    for event in events:
        by_stream.setdefault(event.stream_id, []).append(event)
    covered = leaves.objects.filter(stream__in=by_stream).order_by("stream", "seq")
    found: dict[int, dt.date] = {}
    for stream, seq, day in covered.values_list("stream", "seq", "seal__day__date"):
        for event in by_stream[stream]:
            if event.seq <= seq:
                found.setdefault(event.pk, day)
    return found
