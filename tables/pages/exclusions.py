"""Exclusion lists for compliance, and the matches two people decide."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.pages.answers import by_of, one, page_of, refused, rows_of, user_of
from audits.persons import naming
from casino.kernel import clock
from casino.kernel.errors import SabotError
from shoes.pages.reading import second_person
from tables.guests import excluding, registering
from tables.guests.admitting import in_force
from tables.models import Exclusion, ExclusionMatch
from tables.pages.reading_guests import DOCUMENTS, date_of, number_shown

LISTING, TEMPLATE = "tables/guests/exclusions.html", "tables/guests/exclusion.html"
MATCHES, MATCH = "tables/guests/matches.html", "tables/guests/match.html"


def listing(request: HttpRequest) -> HttpResponse:
    """The entries, those in force first; POST records one."""
    if request.method != "POST":
        return render(request, LISTING, _listing(request))
    try:
        entry = _exclude(request)
    except SabotError as refusal:
        return refused(request, LISTING, _listing(request), refusal)
    messages.success(request, _("Exclusión %(label)s registrada") % {"label": entry.label})
    return redirect("exclusion", entry.pk)


@sensitive_post_parameters("second_password")
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """One entry with its matches; POST ends it, signed by a second person."""
    entry = _entry(request, pk)
    if request.method != "POST":
        return render(request, TEMPLATE, _context(request, entry))
    try:
        excluding.end_exclusion(exclusion=entry, second=second_person(request), by=by_of(request))
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request, _entry(request, pk)), refusal)
    messages.success(request, _("Exclusión terminada"))
    return redirect("exclusion", pk)


def matches(request: HttpRequest) -> HttpResponse:
    """Matches, those that wait for two people first."""
    state = request.GET.get("state", "")
    rows = rows_of(ExclusionMatch, request).select_related("guest", "exclusion", "found_by")
    if state in ExclusionMatch.State.values:
        rows = rows.filter(state=state)
    waiting = rows_of(ExclusionMatch, request).filter(state=ExclusionMatch.State.OPEN)
    page = page_of(request, rows.order_by("-pk"))
    context = {
        "page": page,
        "rows": [(match, number_shown(request, match.guest)) for match in page],
        "waiting": [] if state else waiting.select_related("guest", "exclusion").order_by("pk"),
        "state": state,
        "states": ExclusionMatch.State.choices,
        "query": f"{urlencode({'state': state})}&" if state else "",
    }
    return render(request, MATCHES, context)


@sensitive_post_parameters("second_password")
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """One match, both sides beside each other; POST decides it, signed by a second person."""
    found = _match(request, pk)
    naming.note(("guest", found.guest_id), ("exclusion", found.exclusion_id))
    if request.method != "POST":
        return render(request, MATCH, _match_context(request, found))
    try:
        excluding.decide_match(
            match=found,
            outcome=request.POST.get("outcome", ""),
            evidence=request.POST.get("evidence", ""),
            second=second_person(request),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, MATCH, _match_context(request, _match(request, pk)), refusal)
    messages.success(request, _("Coincidencia resuelta"))
    return redirect("matches")


def _exclude(request: HttpRequest) -> Exclusion:
    given = {
        name: request.POST.get(name, "")
        for name in ("kind", "source", "document_type", "country", "number", "name")
    }
    since = date_of(request, "since")
    assert since is not None
    return excluding.exclude(
        **given,
        since=since,
        until=date_of(request, "until", required=False),
        birth_date=date_of(request, "birth_date", required=False),
        by=by_of(request),
    )


def _listing(request: HttpRequest) -> dict[str, Any]:
    casino, now = user_of(request).casino, clock.now()
    asked = request.GET.get("q", "").strip()[:60]
    rows = rows_of(Exclusion, request).select_related("ended")
    if asked:
        rows = rows.filter(name__icontains=asked)
    page = page_of(request, rows.order_by("-pk"))
    holding = set(
        in_force(casino, now).filter(pk__in=[entry.pk for entry in page]).values_list("pk", flat=True)
    )
    return {
        "page": page,
        "rows": [(entry, number_shown(request, entry), entry.pk in holding) for entry in page],
        "asked": asked,
        "query": f"{urlencode({'q': asked})}&" if asked else "",
        "kinds": Exclusion.Kind.choices,
        "documents": DOCUMENTS,
        "today": registering.today_of(casino, now).isoformat(),
        "count": in_force(casino, now).count(),
    }


def _entry(request: HttpRequest, pk: int) -> Exclusion:
    rows = rows_of(Exclusion, request).select_related("recorded_by", "ended__by", "ended__second")
    found: Exclusion = one(rows, pk=pk)
    return found


def _context(request: HttpRequest, entry: Exclusion) -> dict[str, Any]:
    holding = in_force(user_of(request).casino, clock.now()).filter(pk=entry.pk).exists()
    return {
        "entry": entry,
        "number": number_shown(request, entry),
        "holding": holding,
        "end": getattr(entry, "ended", None),
        "matches": entry.matches.select_related("guest").order_by("-pk")[:50],
    }


def _match(request: HttpRequest, pk: int) -> ExclusionMatch:
    related = ("guest", "exclusion", "found_by", "decided_by", "decided_with")
    found: ExclusionMatch = one(rows_of(ExclusionMatch, request).select_related(*related), pk=pk)
    return found


def _match_context(request: HttpRequest, found: ExclusionMatch) -> dict[str, Any]:
    return {
        "match": found,
        "number": number_shown(request, found.guest),
        "entry_number": number_shown(request, found.exclusion) if found.exclusion else "",
        "outcomes": [
            (ExclusionMatch.State.CLEARED.value, _("Es otra persona")),
            (ExclusionMatch.State.CONFIRMED.value, _("Es la persona de la lista")),
        ],
    }
