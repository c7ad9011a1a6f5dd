"""What the house asks for before something goes live, and the terms of complaints; changed with a reason."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits import complaints
from audits import filing_demands as demands
from audits.by import name_of
from audits.models import ComplaintTerms, FilingDemand
from audits.pages.answers import by_of, changed, refused, rows_of, user_of, whole
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text

DEMANDS, TERMS = "audits/filing_demands.html", "audits/complaint_terms.html"
VERSIONS = 20


def demanded(request: HttpRequest) -> HttpResponse:
    """Which filings are asked for: by the AJ text, and by the house; POST changes one of the house's."""
    if request.method != "POST":
        return render(request, DEMANDS, _demands(request))
    try:
        wanted = request.POST.get("demanded", "")
        if wanted not in ("yes", "no"):
            raise Refused(
                Text("elija uno de la lista", "choose one from the list"), code="not_chosen", field="demanded"
            )
        demands.set_demand(kind=request.POST.get("kind", ""), demanded=wanted == "yes", by=by_of(request))
    except SabotError as refusal:
        return refused(request, DEMANDS, _demands(request), refusal)
    return changed(request, "filing-demands")


def _demands(request: HttpRequest) -> dict[str, Any]:
    casino = user_of(request).casino
    latest, known = demands.latest(casino), demands.kinds()
    asked = demands.demanded(casino, *(kind.code for kind in demands.by_house()))
    return {
        "always": [
            kind for kind in known.values() if kind.approval and not kind.by_house and not kind.of_house
        ],
        "by_house": [(kind, kind.code in asked, _said(latest.get(kind.code))) for kind in demands.by_house()],
    }


def _said(row: FilingDemand | None) -> dict[str, Any] | None:
    return None if row is None else {"at": row.at, "name": name_of(row.by), "reason": row.reason}


def terms(request: HttpRequest) -> HttpResponse:
    """The terms of complaints in force; POST sets them anew."""
    if request.method != "POST":
        return render(request, TERMS, _terms(request))
    try:
        complaints.set_terms(
            file_days=whole(request, "file_days"),
            answer_days=whole(request, "answer_days"),
            appeal_days=whole(request, "appeal_days"),
            video_days=whole(request, "video_days"),
            holidays=_days(request.POST.get("holidays", "")),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, TERMS, _terms(request), refusal)
    return changed(request, "complaint-terms")


def _days(typed: str) -> list[dt.date]:
    """Dates one after another, with spaces, commas or lines between them."""
    found = []
    for word in typed.replace(",", " ").split():
        try:
            found.append(dt.date.fromisoformat(word))
        except ValueError:
            raise Refused(
                Text(
                    f"«{word[:20]}» no es una fecha: escriba los feriados como 2026-12-25",
                    f"“{word[:20]}” is not a date: write holidays such as 2026-12-25",
                ),
                code="bad_date",
                field="holidays",
            ) from None
    return found


def _terms(request: HttpRequest) -> dict[str, Any]:
    in_force = complaints.terms_of(user_of(request).casino)
    return {
        "terms": in_force,
        "holidays": " ".join(str(day) for day in sorted(in_force.holidays)),
        "versions": rows_of(ComplaintTerms, request).select_related("by").order_by("-pk")[:VERSIONS],
    }
