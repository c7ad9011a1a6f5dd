"""Reports: choose one, say what it is about, see it being made, take the file with its SHA-256."""

from __future__ import annotations

import datetime as dt
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language

from audits import exports, policies
from audits.by import name_of
from audits.models import Export
from audits.pages.answers import by_of, one, page_of, refused, rows_of, user_of
from audits.reports import formats, get, registered
from audits.reports.registry import Report
from casino.kernel import clock, permissions
from casino.kernel.errors import NotFound, SabotError


def listing(request: HttpRequest) -> HttpResponse:
    """The reports this person may see, and the files made of late."""
    return render(request, "audits/reports.html", _listing(request))


def order(request: HttpRequest, identifier: str) -> HttpResponse:
    """The form of one report; POST orders the file."""
    report = report_of(request, identifier)
    if request.method != "POST":
        return render(request, "audits/report.html", form_of(request, report))
    given = {
        name: value_of(request, report, name)
        for name in report.form(casino=user_of(request).casino).fields
        if request.POST.get(name, "").strip()
    }
    try:
        exports.request_export(
            report=identifier,
            params=given,
            format=request.POST.get("format", ""),
            language=language_of(request),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, "audits/report.html", form_of(request, report), refusal)
    return redirect("reports")


def download(request: HttpRequest, pk: int) -> HttpResponse | FileResponse:
    export = one(exports_of(request), pk=pk)
    try:
        file = exports.open_file(export=export, by=by_of(request))
    except SabotError as refusal:
        return refused(request, "audits/reports.html", _listing(request), refusal)
    response = FileResponse(file, as_attachment=True, filename=export.file_name)
    response["X-Content-SHA256"] = export.sha256
    return response


def _listing(request: HttpRequest) -> dict[str, Any]:
    user = user_of(request)
    reports = [report for report in registered().values() if permissions.may(user, report.act)]
    asked = {name: request.GET.get(name, "") for name in ("state", "report")}
    rows = exports_of(request).filter(**{name: value for name, value in asked.items() if value})
    page = page_of(request, rows, 15)
    return {
        "reports": reports,
        "page": page,
        "exports": [shown(export) for export in page],
        "states": Export.State.choices,
        "asked": asked,
        "query": urlencode({k: v for k, v in asked.items() if v}) + "&" if any(asked.values()) else "",
    }


def language_of(request: HttpRequest) -> str:
    """The language of the page, as reports are asked for in."""
    return "en" if (get_language() or "").startswith("en") else "es-bo"


def form_of(request: HttpRequest, report: Report) -> dict[str, Any]:
    """The form of a report as a page shows it, with what was typed or stood in the address."""
    casino = user_of(request).casino
    form = report.form(casino=casino)
    asked = {name for name in request.GET if name in form.fields}
    given = request.POST or {name: value_of(request, report, name) for name in asked}
    form = report.form(given or None, casino=casino)
    today = casino.gaming_day(clock.now())
    for name in ("day", "first", "last"):
        if name in form.fields:
            field = form.fields[name]
            field.initial = _day_asked(request, name) or field.initial or today
    known = formats.of(report)
    choices = [choice for choice in Export.Format.choices if choice[0] in known]
    format = (request.POST or request.GET).get("format", "")
    return {
        "report": report,
        "form": form,
        "formats": choices,
        "chosen": format if format in known else choices[0][0],
        "only_a_file": set(known) <= formats.OF_THE_ORDER.keys(),
    }


def value_of(request: HttpRequest, report: Report, name: str) -> Any:
    """One value, or all of a field that takes several."""
    field = report.form.base_fields.get(name)
    several = isinstance(field, forms.MultipleChoiceField | forms.ModelMultipleChoiceField)
    said = request.POST if request.method == "POST" else request.GET
    return said.getlist(name) if several else said[name]


def _day_asked(request: HttpRequest, name: str) -> dt.date | None:
    """A day named in the address, as by the page of a day; nothing for what is none."""
    try:
        return dt.date.fromisoformat(request.GET.get(name, ""))
    except ValueError:
        return None


def report_of(request: HttpRequest, identifier: str) -> Report:
    """A report this person may see, or 404."""
    try:
        report = get(identifier)
    except NotFound as refusal:
        raise Http404(str(refusal)) from refusal
    permissions.require(user_of(request), policies.READ_REPORTS)
    if not permissions.may(user_of(request), report.act):
        raise Http404
    return report


def exports_of(request: HttpRequest) -> Any:
    """Files of the reports this person may see."""
    allowed = [name for name, report in registered().items() if permissions.may(user_of(request), report.act)]
    rows = rows_of(Export, request).filter(report__in=allowed)
    return rows.select_related("requested_by", "casino", "delivery").prefetch_related("signatures")


def shown(export: Export) -> dict[str, Any]:
    """A file with its report's title and what it is about, named: the session, not its number."""
    known, who = registered().get(export.report), name_of(export.requested_by)
    if known is None:
        told = " ".join(map(str, export.params.values()))
        return {"export": export, "title": export.report, "about": told, "who": who, "again_at": ""}
    fields = known.form(casino=export.casino).fields
    # In the form's order: the database keeps the keys of `params` in one of its own (`last` before `first`).
    order = {name: place for place, name in enumerate(fields)}
    given = sorted(export.params.items(), key=lambda item: order.get(item[0], len(order)))
    about = [_named(fields.get(name), value) for name, value in given]
    told = " · ".join(about)
    return {"export": export, "title": known.title, "about": told, "who": who, "again_at": _again_at(export)}


def _again_at(export: Export) -> str:
    """Where what came to nothing is asked for once more, as it was asked for; empty for what did not."""
    if export.state not in (Export.State.FAILED, Export.State.CANCELLED):
        return ""
    if export.of_id is not None:
        return reverse("export-show", args=[export.of_id])
    asked = urlencode({**export.params, "format": export.format}, doseq=True)
    return f"{reverse('report', args=[export.report])}?{asked}"


def _named(field: Any, value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_named(field, item) for item in value)
    if isinstance(field, forms.MultipleChoiceField):
        return str(dict(field.choices).get(value, value))  # type: ignore[arg-type]
    if isinstance(field, forms.ModelChoiceField) and field.queryset is not None:
        return str(field.queryset.filter(pk=value).first() or value)
    return str(value)
