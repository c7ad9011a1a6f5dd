"""A report on the screen, and the events behind any of its figures: figure, list, event, in three clicks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from audits import personal, policies, vocabulary
from audits.by import name_of
from audits.models import Export
from audits.pages.answers import page_of, refused, user_of
from audits.pages.reports import form_of, language_of, report_of, value_of
from audits.persons import naming
from audits.reports import document, forms, provisional, resting, screen, sealed, snapshot
from audits.reports.document import Document
from audits.reports.registry import Report, Section
from casino.kernel import permissions
from casino.kernel.errors import SabotError

FURTHEST = screen.MOST_ROWS // screen.PAGE_ROWS


def show(request: HttpRequest, identifier: str) -> HttpResponse:
    """The report's tables, the first rows of each; or the pages of one (`section`)."""
    report = report_of(request, identifier)
    given = _given(request, report)
    if not given and report.form(casino=user_of(request).casino).fields:
        return redirect("report", identifier)
    try:
        cleaned = forms.read(report.form, user_of(request).casino, given)
        with snapshot.one_moment():
            casino = user_of(request).casino
            notes = provisional.said(casino, cleaned)
            made = document.prepare(report, casino, cleaned, language_of(request), notes)
            parts = _parts(request, made)
    except SabotError as refusal:
        return refused(request, "audits/report.html", form_of(request, report), refusal)
    query = urlencode(forms.plain(cleaned), doseq=True)
    context = {
        "report": report,
        "document": made,
        "parts": parts,
        "alone": request.GET.get("section", ""),
        "query": query + "&" if query else "",
        "params": _pairs(forms.plain(cleaned)),
        "formats": Export.Format.choices,
        "follow": permissions.may(user_of(request), policies.READ_TRAIL),
        "most": screen.MOST_ROWS,
    }
    return render(request, "audits/report_view.html", context)


def _pairs(said: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Each value with its name, a field of several once for each."""
    each = ((name, value if isinstance(value, list | tuple) else [value]) for name, value in said.items())
    return [(name, one) for name, values in each for one in values]


def behind(request: HttpRequest, identifier: str) -> HttpResponse:
    """The events that one row rests on, how many of each kind, and each with its place in its chain."""
    report = report_of(request, identifier)
    permissions.require(user_of(request), policies.READ_TRAIL)
    casino = user_of(request).casino
    try:
        cleaned = forms.read(report.form, casino, _given(request, report))
        with snapshot.one_moment():
            made = document.prepare(report, casino, cleaned, language_of(request))
            section = _section(made, request.GET.get("section", ""))
            found = screen.find(made, section, *(request.GET.get(key, "") for key in ("row", "is", "of")))
            if found is None:
                return _gone(request, report, cleaned)
            context = _behind(request, made, section, found)
    except SabotError as refusal:
        return refused(request, "audits/report.html", form_of(request, report), refusal)
    back = urlencode(forms.plain(cleaned), doseq=True)
    return render(request, "audits/report_events.html", {**context, "report": report, "back": back})


def _behind(request: HttpRequest, made: Document, section: Section, found: screen.Found) -> Mapping[str, Any]:
    naming.note(*found.row.get(naming.PEOPLE, ()))
    rests = resting.events(made.casino, found.named)
    kinds = rests.order_by().values_list("action").annotate(number=Count("pk")).order_by("-number", "action")
    told, asked = list(kinds), request.GET.get("action", "")[:80]
    chosen = rests.filter(action=asked) if asked else rests
    page = page_of(request, chosen.select_related("stream", "actor"))
    events = list(page)
    covered = sealed.sealed_on(events)
    names = vocabulary.kinds()
    kept = {key: value for key, value in request.GET.items() if key not in ("page", "action")}
    filled = [column for column in section.columns if found.row.get(column.key) not in (None, "")]
    cells = [(made.say(one.heading), screen.shown(made, found.row[one.key], one.kind)) for one in filled]
    return {
        "document": made,
        "section": section,
        "cells": cells,
        "moved_on": found.moved_on,
        "whole": sum(number for _action, number in told),
        "kinds": [(action, names.get(action, action), number) for action, number in told],
        "asked": asked,
        "page": page,
        "events": [
            (
                event,
                personal.sentence(event, made.casino.exponent),
                name_of(event.actor),
                covered.get(event.pk),
            )
            for event in events
        ],
        "kept": list(kept.items()),
        "query": urlencode({**kept, **({"action": asked} if asked else {})}) + "&",
    }


def _gone(request: HttpRequest, report: Report, cleaned: Mapping[str, Any]) -> HttpResponse:
    """The row is not in the report any more: back to it as it is now, saying so."""
    messages.warning(
        request, _("Esa fila ya no está en el reporte: sus cifras cambiaron. Éste es el actual.")
    )
    query = urlencode(forms.plain(cleaned), doseq=True)
    return redirect(reverse("report-view", args=[report.identifier]) + (f"?{query}" if query else ""))


def _given(request: HttpRequest, report: Report) -> dict[str, Any]:
    """The form's values in the address, which may hold more: the page, the section, the row."""
    fields = report.form(casino=user_of(request).casino).fields
    return {name: value_of(request, report, name) for name in fields if request.GET.get(name, "").strip()}


def _parts(request: HttpRequest, made: Document) -> list[screen.Part]:
    alone = request.GET.get("section", "")
    if not alone:
        return [screen.part(made, section) for section in made.sections]
    typed = request.GET.get("page", "1")
    page = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 7 else 1
    return [screen.part(made, _section(made, alone), min(max(page, 1), FURTHEST))]


def _section(made: Document, key: str) -> Section:
    for section in made.sections:
        if section.key == key:
            return section
    raise Http404
