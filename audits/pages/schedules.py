"""Reports the house makes by itself each period: which there are, ordering one, pausing and removing it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from audits import schedules
from audits.by import name_of
from audits.models import Export, ExportSchedule
from audits.pages.answers import by_of, changed, one, refused, rows_of, user_of
from audits.reports import formats, registered
from casino.kernel import permissions
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from casino.models import Casino

TEMPLATE = "audits/schedules.html"
STEPS = {
    "pause": schedules.pause_schedule,
    "resume": schedules.resume_schedule,
    "remove": schedules.remove_schedule,
}


def listing(request: HttpRequest) -> HttpResponse:
    """What is made each period; POST orders one more."""
    if request.method != "POST":
        return render(request, TEMPLATE, _context(request))
    try:
        schedules.schedule_report(
            report=request.POST.get("report", ""),
            params={},
            every=request.POST.get("every", ""),
            format=request.POST.get("format", ""),
            language="en" if (get_language() or "").startswith("en") else "es-bo",
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request), refusal)
    return changed(request, "schedules")


def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Pause it, resume it, remove it."""
    schedule = one(rows_of(ExportSchedule, request), pk=pk)
    try:
        step = STEPS.get(request.POST.get("do", ""))
        if step is None:
            raise Refused(
                Text("elija pausar, reanudar o quitar", "choose to pause, to resume or to remove"),
                code="not_chosen",
            )
        step(schedule=schedule, by=by_of(request))
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request), refusal)
    return changed(request, "schedules")


def _context(request: HttpRequest) -> dict[str, Any]:
    user, known = user_of(request), registered()
    rows = rows_of(ExportSchedule, request).exclude(state=ExportSchedule.State.REMOVED)
    return {
        "rows": _shown(user.casino, list(rows.select_related("ordered_by").order_by("pk"))),
        "owed": schedules.not_ordered(user.casino),
        "reports": [
            (name, report.title)
            for name, report in known.items()
            if permissions.may(user, report.act) and _periodic(report)
        ],
        "every": ExportSchedule.Every.choices,
        "formats": [choice for choice in Export.Format.choices if choice[0] in formats.WRITERS],
    }


def _shown(casino: Casino, rows: list[ExportSchedule]) -> list[dict[str, Any]]:
    """All of them at once: their last files, and why those rest that do."""
    known = registered()
    made = Export.objects.filter(schedule__in=rows).order_by("schedule_id", "-period").distinct("schedule_id")
    last = {export.schedule_id: export for export in made}
    resting = [row.pk for row in rows if row.state == ExportSchedule.State.PAUSED]
    pauses = schedules.pauses(casino, resting) if resting else {}
    return [
        {
            "schedule": row,
            "title": known[row.report].title if row.report in known else row.report,
            "format": Export.Format(row.format).label,
            "last": last.get(row.pk),
            "pause": pauses.get(row.pk),
            "who": name_of(row.ordered_by),
        }
        for row in rows
    ]


def _periodic(report: Any) -> bool:
    """Whether a period says all that the report asks."""
    fields = report.form.base_fields
    days = {"first", "last"} if {"first", "last"} <= set(fields) else {"day"}
    needed = {name for name, field in fields.items() if field.required}
    # A bundle is no table: none of a schedule's formats is its own.
    return days <= set(fields) and needed <= days and bool(set(formats.of(report)) & set(formats.WRITERS))
