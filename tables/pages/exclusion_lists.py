"""A list of exclusions from a file: looked at first, then brought in; rows that will not do are named."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits.pages.answers import by_of, refused
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from tables.guests.importing import reading, run
from tables.models import Exclusion

TEMPLATE = "tables/guests/import.html"


def show(request: HttpRequest) -> HttpResponse:
    """The form; POST judges the file, and imports it unless it is a rehearsal."""
    if request.method != "POST":
        return render(request, TEMPLATE, _context())
    try:
        uploaded = request.FILES.get("file")
        if uploaded is None or uploaded.size is None or uploaded.size > reading.LARGEST:
            raise Refused(
                Text("elija un archivo CSV de hasta 5 MB", "choose a CSV file of up to 5 MB"),
                code="file_missing",
                field="file",
            )
        by, rehearsed = by_of(request), request.POST.get("do") != "import"
        outcome = run.import_list(
            content=uploaded.read(),
            source=request.POST.get("source", ""),
            kind=request.POST.get("kind", ""),
            by=by,
            dry_run=rehearsed,
            most=reading.MOST_ROWS if rehearsed else reading.MOST_ON_A_PAGE,
        )
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(), refusal)
    return render(request, TEMPLATE, {**_context(), "outcome": outcome, "given": request.POST})


def _context() -> dict[str, Any]:
    return {"kinds": Exclusion.Kind.choices}
