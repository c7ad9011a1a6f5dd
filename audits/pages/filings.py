"""Filings with the AJ: what was drafted, presented and decided; each step by who may take it (GEN-10).

A filing about something is drafted on the page of what it is about.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits import filings
from audits.models import Event, Filing
from audits.pages.answers import by_of, one, page_of, refused, rows_of
from audits.pages.trail import sentence_of
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text, same

LISTING, TEMPLATE = "audits/filings.html", "audits/filing.html"
MOST_EVENTS = 50


def listing(request: HttpRequest) -> HttpResponse:
    """The filings of the house, those that wait for somebody first."""
    rows = rows_of(Filing, request).select_related("author")
    asked = {name: request.GET.get(name, "") for name in ("state", "kind")}
    rows = rows.filter(**{name: value for name, value in asked.items() if value})
    page = page_of(request, rows.order_by("-pk"))
    known = filings.kinds()
    context = {
        "page": page,
        "rows": [(filing, name_of(filing.kind), rule_of(filing.kind)) for filing in page],
        "states": Filing.State.choices,
        "kinds": [(code, kind.name) for code, kind in known.items()],
        "asked": asked,
        "query": urlencode({k: v for k, v in asked.items() if v}) + "&" if any(asked.values()) else "",
        "waiting": rows_of(Filing, request).filter(state__in=("draft", "presented")).count(),
    }
    return render(request, LISTING, context)


def show(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, TEMPLATE, _context(request, _filing(request, pk)))


def present(request: HttpRequest, pk: int) -> HttpResponse:
    """It was handed in at the AJ."""
    return _done(request, pk, lambda found: filings.present_filing(filing=found, by=by_of(request)))


def decide(request: HttpRequest, pk: int) -> HttpResponse:
    """What the AJ answered, noted by another person than its author."""

    def act(found: Filing) -> object:
        answer = request.POST.get("approved", "")
        if answer not in ("yes", "no"):
            raise Refused(
                Text("elija uno de la lista", "choose one from the list"), code="not_chosen", field="approved"
            )
        return filings.decide_filing(
            filing=found,
            approved=answer == "yes",
            reference=request.POST.get("reference", ""),
            valid_from=_day(request, "valid_from"),
            valid_until=_day(request, "valid_until"),
            by=by_of(request),
        )

    return _done(request, pk, act)


def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """The AJ took its approval back, with its document and the reason."""
    document = request.POST.get("document", "")
    return _done(
        request,
        pk,
        lambda found: filings.revoke_filing(filing=found, document=document, by=by_of(request)),
    )


def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """It is not pursued, with the reason."""
    return _done(request, pk, lambda found: filings.withdraw_filing(filing=found, by=by_of(request)))


def name_of(kind: str) -> Text:
    found = filings.kinds().get(kind)
    return same(kind) if found is None else found.name


def rule_of(kind: str) -> str:
    found = filings.kinds().get(kind)
    return "" if found is None else found.rule


def _day(request: HttpRequest, field: str) -> dt.date | None:
    typed = request.POST.get(field, "").strip()
    try:
        return dt.date.fromisoformat(typed) if typed else None
    except ValueError:
        raise Refused(
            Text("escriba una fecha, como 2026-11-29", "type a date, such as 2026-11-29"),
            code="bad_date",
            field=field,
        ) from None


def _done(request: HttpRequest, pk: int, act: Callable[[Filing], object]) -> HttpResponse:
    try:
        act(_filing(request, pk))
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request, _filing(request, pk)), refusal)
    messages.success(request, _("Registrado"))
    return redirect("filing", pk)


def _filing(request: HttpRequest, pk: int) -> Filing:
    found: Filing = one(
        rows_of(Filing, request).select_related("author", "decided_by", "ended_by", "casino"), pk=pk
    )
    return found


def _context(request: HttpRequest, filing: Filing) -> dict[str, Any]:
    rows = Event.objects.filter(casino=filing.casino_id, subject_type="filing", subject_id=filing.pk)
    known = filings.kinds().get(filing.kind)
    return {
        "filing": filing,
        "kind": name_of(filing.kind),
        "rule": rule_of(filing.kind),
        "approval": known is None or known.approval,
        "facts": json.dumps(filing.facts, ensure_ascii=False, indent=2) if filing.facts else "",
        "events": [
            (event, sentence_of(event)) for event in rows.select_related("actor").order_by("pk")[:MOST_EVENTS]
        ],
        "own": filing.author_id == getattr(getattr(request.user, "actor", None), "pk", None),
    }
