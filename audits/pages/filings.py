"""Filings with the AJ: what was drafted, presented and decided, what is due; each step by who may take it.

A filing about something is drafted on the page of what it is about, one about the house itself on the list.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits import attachments, filing_kinds, filings
from audits import filing_deadlines as deadlines
from audits import filing_demands as demands
from audits.models import Event, Filing
from audits.pages import attached
from audits.pages.answers import by_of, day_typed, one, page_of, refused, rows_of, user_of
from audits.pages.trail import sentence_of
from casino.kernel import clock
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text, same

LISTING, TEMPLATE = "audits/filings.html", "audits/filing.html"
MOST_EVENTS = 50


def listing(request: HttpRequest) -> HttpResponse:
    """The filings of the house, what is due first; POST drafts one about the house itself."""
    if request.method != "POST":
        return render(request, LISTING, _listing(request))
    try:
        kind = request.POST.get("kind", "")
        known = filings.kinds().get(kind)
        if known is None or not known.of_house:
            raise Refused(
                Text("elija uno de la lista", "choose one from the list"), code="not_chosen", field="kind"
            )
        made = filings.draft_filing(
            kind=kind,
            subject=filing_kinds.about_house(user_of(request).casino),
            text=request.POST.get("text", ""),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, LISTING, _listing(request), refusal)
    messages.success(request, _("Trámite %(label)s redactado") % {"label": made.label})
    return redirect("filing", made.pk)


def _listing(request: HttpRequest) -> dict[str, Any]:
    casino = user_of(request).casino
    day = deadlines.today(casino, clock.now())
    rows = rows_of(Filing, request).select_related("author")
    asked = {name: request.GET.get(name, "")[:40] for name in ("state", "kind")}
    rows = rows.filter(**{name: value for name, value in asked.items() if value})
    page = page_of(request, deadlines.in_order(rows, day))
    known = filings.kinds()
    return {
        "page": page,
        "rows": [
            (
                filing,
                name_of(filing.kind),
                rule_of(filing.kind),
                deadlines.of(filing, day, renewed=filing.renewed),
            )
            for filing in page
        ],
        "states": Filing.State.choices,
        "kinds": [(code, kind.name) for code, kind in known.items()],
        "of_house": [(code, kind.name) for code, kind in known.items() if kind.of_house],
        "asked": asked,
        "query": urlencode({k: v for k, v in asked.items() if v}) + "&" if any(asked.values()) else "",
        "waiting": rows_of(Filing, request).filter(state__in=deadlines.WAITING).count(),
        "undemanded": [kind.name for kind in demands.by_house() if kind.code not in _demanded(request)],
    }


def _demanded(request: HttpRequest) -> set[str]:
    return demands.demanded(user_of(request).casino, *(kind.code for kind in demands.by_house()))


def show(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, TEMPLATE, _context(request, _filing(request, pk)))


def present(request: HttpRequest, pk: int) -> HttpResponse:
    """It was handed in at the AJ: its receipt, and until when the answer is awaited."""

    def act(found: Filing) -> object:
        return filings.present_filing(
            filing=found,
            receipt=request.POST.get("receipt", ""),
            answer_by=day_typed(request, "answer_by"),
            by=by_of(request),
        )

    return _done(request, pk, act)


def due(request: HttpRequest, pk: int) -> HttpResponse:
    """Until when what has to be done about it."""

    def act(found: Filing) -> object:
        return deadlines.set_due(
            filing=found,
            due_on=day_typed(request, "due_on"),
            due_for=request.POST.get("due_for", ""),
            by=by_of(request),
        )

    return _done(request, pk, act)


def attach(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a file with it."""
    return _done(
        request,
        pk,
        lambda found: attachments.attach_to_filing(filing=found, **attached.given(request)),
    )


def file(request: HttpRequest, pk: int, file: int) -> HttpResponse | FileResponse:
    """A file kept with it, if its bytes are still those that were attached."""
    try:
        return attached.handed_out(request, pk=file, filing=pk)
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request, _filing(request, pk)), refusal)


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
            valid_from=day_typed(request, "valid_from"),
            valid_until=day_typed(request, "valid_until"),
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
    rows = Event.objects.filter(casino=filing.casino_id, stream__name=filing.stream)
    known = filings.kinds().get(filing.kind)
    return {
        "filing": filing,
        "kind": name_of(filing.kind),
        "rule": rule_of(filing.kind),
        "approval": known is None or known.approval,
        "facts": json.dumps(filing.facts, ensure_ascii=False, indent=2) if filing.facts else "",
        "due": deadlines.of(filing, deadlines.today(filing.casino, clock.now())),
        "may_due": filing.state in deadlines.DUE_STATES,
        "files": filing.attachments.select_related("by"),
        "most_mb": attachments.MOST_BYTES // (1024 * 1024),
        "events": [
            (event, sentence_of(event)) for event in rows.select_related("actor").order_by("pk")[:MOST_EVENTS]
        ],
        "own": filing.author_id == getattr(getattr(request.user, "actor", None), "pk", None),
    }
