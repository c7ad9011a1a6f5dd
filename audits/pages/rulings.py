"""The library of rulings: how incidents were settled, by rule, kind, table and words."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits import incidents, rulings
from audits.by import name_of
from audits.models import Incident
from audits.pages.answers import page_of, user_of

FILTERS = {"q": rulings.LONGEST_WORDS, "rule": 12, "kind": 40, "table": 20}


def listing(request: HttpRequest) -> HttpResponse:
    asked = {name: request.GET.get(name, "").strip()[:most] for name, most in FILTERS.items()}
    casino = user_of(request).casino
    rows = rulings.search(
        casino, words=asked["q"], rule=asked["rule"], kind=asked["kind"], table=asked["table"]
    )
    page = page_of(request, rows, 25)
    query = urlencode({name: value for name, value in asked.items() if value})
    context = {
        "page": page,
        "rulings": [told(found) for found in page],
        "asked": asked,
        "query": query + "&" if query else "",
        "kinds": [(kind.code, kind.name) for kind in incidents.kinds().values()],
    }
    return render(request, "audits/rulings.html", context)


def told(found: Incident) -> dict[str, Any]:
    """A ruling as it is shown."""
    return {
        "incident": found,
        "kind": incidents.kind_name(found.kind),
        "summary": incidents.summary_of(found),
        "by": name_of(found.resolved_by) if found.resolved_by else None,
        "with": name_of(found.resolved_with) if found.resolved_with else None,
    }
