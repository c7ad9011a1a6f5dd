"""Exports asked for in tests, and what became of them."""

from __future__ import annotations

import datetime as dt

from audits import exports
from audits.models import Event, Export
from casino.kernel import clock


def ask(house, user, report="audits.sample", params=None, format="csv", language="es-bo"):
    if params is None:
        params = {"day": "2026-11-29"} if report == "audits.sample" else {}
    return exports.request_export(
        report=report, params=params, format=format, language=language, by=house.by(user, reason="")
    )


def actions(export):
    rows = Event.objects.filter(subject_type="export", subject_id=export.pk).order_by("pk")
    return [row.action.removeprefix("audits.export.") for row in rows]


def folder(files):
    return sorted(path.name for path in files.iterdir()) if files.exists() else []


def grow_old(export, **changes):
    past = clock.now() - exports.STALE_AFTER - dt.timedelta(seconds=1)
    Export.objects.filter(pk=export.pk).update(**{"heartbeat_at": past} | changes)
