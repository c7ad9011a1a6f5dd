"""The book of what nobody claimed, on pages: entered, given back, passed to the house (FLOOR-16)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.pages.answers import by_of, chosen, one, page_of, refused, rows_of, user_of
from casino.kernel import clock
from casino.kernel.errors import SabotError
from shoes.pages.reading import second_person
from tables.models import Orphan, Staff, TableSession
from tables.money import orphans
from tables.pages import cage_forms as forms

BOOK, ENTRY = "tables/orphans/book.html", "tables/orphans/entry.html"
RECENT = 60


def book(request: HttpRequest) -> HttpResponse:
    """Every entry, those in custody first; POST makes one."""
    if request.method != "POST":
        return render(request, BOOK, _book(request))
    try:
        made = orphans.enter_orphan(
            kind=request.POST.get("kind", ""),
            chips_found=forms.typed(request),
            found_by=chosen(_staff(request), request, "found_by"),
            witness=chosen(_staff(request), request, "witness"),
            session=chosen(_sessions(request), request, "session", required=False),
            place=request.POST.get("place", ""),
            by=forms.by_form(request),
        )
    except SabotError as refusal:
        if refusal.code != "sent_twice":
            return refused(request, BOOK, _book(request), refusal)
        made = one(_rows(request), pk=refusal.detail["id"])
    messages.success(request, _("%(label)s en custodia") % {"label": made.label})
    return redirect("orphan", made.pk)


def show(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, ENTRY, _entry(request, pk))


@sensitive_post_parameters("second_password", "claimant", "document")
def give_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Given back to whoever proves it theirs."""
    context = _entry(request, pk)
    try:
        orphans.return_orphan(
            orphan=context["orphan"],
            claimant=request.POST.get("claimant", ""),
            document=request.POST.get("document", ""),
            with_=second_person(request, "second"),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, ENTRY, context | {"doing": "return"}, refusal)
    messages.success(request, _("Devolución registrada"))
    return redirect("orphan", pk)


@sensitive_post_parameters("second_password")
def pass_on(request: HttpRequest, pk: int) -> HttpResponse:
    """Passed to the house after its term, by compliance."""
    context = _entry(request, pk)
    try:
        second = second_person(request, "second")
        orphans.pass_orphan(orphan=context["orphan"], with_=second, by=by_of(request))
    except SabotError as refusal:
        return refused(request, ENTRY, context | {"doing": "pass"}, refusal)
    messages.success(request, _("Pasó a la casa"))
    return redirect("orphan", pk)


def _rows(request: HttpRequest) -> Any:
    return rows_of(Orphan, request).select_related(
        "session__table", "session__day", "found_by", "witness", "closed_by", "closed_with"
    )


def _book(request: HttpRequest) -> dict[str, Any]:
    rows = _rows(request)
    kept = rows.filter(state=Orphan.State.KEPT)
    return {
        "form_number": forms.form_number(request),
        "page": page_of(request, rows),
        "kept": kept.aggregate(sum=Sum("amount", default=0))["sum"],
        "waiting": kept.count(),
        "today": user_of(request).casino.gaming_day(clock.now()),
        "kinds": Orphan.Kind.choices,
        "kind": Orphan.Kind.STAKE.value,
        "staff": [(row.pk, row.name) for row in _staff(request)],
        "sessions": [(row.pk, row.label) for row in _sessions(request)[:RECENT]],
        "lines": forms.chip_boxes(request),
    }


def _entry(request: HttpRequest, pk: int) -> dict[str, Any]:
    found: Orphan = one(_rows(request), pk=pk)
    today = user_of(request).casino.gaming_day(clock.now())
    return {
        "orphan": found,
        "chips": forms.in_lines(found.chips),
        "document": orphans.masked(found.document),
        "over": today > found.keep_until,
    }


def _staff(request: HttpRequest) -> Any:
    return rows_of(Staff, request).filter(active=True).order_by("name")


def _sessions(request: HttpRequest) -> Any:
    return rows_of(TableSession, request).select_related("table", "day").order_by("-opened_at", "-id")
