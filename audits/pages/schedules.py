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
            raise Refused(Text("elija uno de la lista", "choose one from the list"), code="not_chosen")
        step(schedule=schedule, by=by_of(request))
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request), refusal)
    return changed(request, "schedules")


def _context(request: HttpRequest) -> dict[str, Any]:
    user, known = user_of(request), registered()
    rows = rows_of(ExportSchedule, request).exclude(state=ExportSchedule.State.REMOVED)
    return {
        "rows": [_shown(schedule) for schedule in rows.select_related("ordered_by").order_by("pk")],
        "reports": [
            (name, report.title)
            for name, report in known.items()
            if permissions.may(user, report.act) and _periodic(report)
        ],
        "every": ExportSchedule.Every.choices,
        "formats": [choice for choice in Export.Format.choices if choice[0] in formats.WRITERS],
    }


def _shown(schedule: ExportSchedule) -> dict[str, Any]:
    known = registered().get(schedule.report)
    last = Export.objects.filter(schedule=schedule).select_related("casino").order_by("-period").first()
    return {
        "schedule": schedule,
        "title": known.title if known else schedule.report,
        "format": Export.Format(schedule.format).label,
        "last": last,
        "who": name_of(schedule.ordered_by),
    }


def _periodic(report: Any) -> bool:
    """Whether a period says all that the report asks."""
    fields = report.form.base_fields
    days = {"first", "last"} if {"first", "last"} <= set(fields) else {"day"}
    needed = {name for name, field in fields.items() if field.required}
    # A bundle is no table: none of a schedule's formats is its own.
    return days <= set(fields) and needed <= days and bool(set(formats.of(report)) & set(formats.WRITERS))
