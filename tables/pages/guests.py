"""Players: found by name or document, registered, corrected; whether the house wants all identified."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits.pages.answers import by_of, changed, one, page_of, refused, rows_of, user_of
from casino import place
from casino.kernel import clock, permissions
from casino.kernel.errors import SabotError
from tables.guests import matching, policies, registering
from tables.models import Guest
from tables.pages.reading_guests import DOCUMENTS, date_of, number_shown

LISTING, TEMPLATE = "tables/guests/guests.html", "tables/guests/guest.html"
VERSIONS = 30


def listing(request: HttpRequest) -> HttpResponse:
    """The players; POST registers one."""
    if request.method != "POST":
        return render(request, LISTING, _listing(request))
    try:
        found = _set(request, None)
    except SabotError as refusal:
        return refused(request, LISTING, _listing(request), refusal)
    messages.success(request, _("Jugador registrado"))
    return redirect("guest", found.pk)


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """One player's record; POST corrects it."""
    found = one(rows_of(Guest, request), pk=pk)
    if request.method != "POST":
        return render(request, TEMPLATE, _context(request, found))
    try:
        _set(request, found)
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request, one(rows_of(Guest, request), pk=pk)), refusal)
    return changed(request, "guest", found.pk)


def find(request: HttpRequest) -> HttpResponse:
    """The players of a name or a document, asked by POST: a document in an address would stay in logs."""
    asked = request.POST.get("q", "").strip()[:60]
    if not asked:
        return redirect("guests")
    found = registering.search(asked, by_of(request))
    rows = [(guest, number_shown(request, guest)) for guest in found]
    several = len(found) >= registering.MOST_FOUND
    context = _listing(request) | {"rows": rows, "asked": asked, "page": None, "several": several}
    place.shows(request, found)
    return render(request, LISTING, context)


def admission(request: HttpRequest) -> HttpResponse:
    """Whether everybody is identified."""
    try:
        registering.set_admission(identify=request.POST.get("identify") == "yes", by=by_of(request))
    except SabotError as refusal:
        return refused(request, LISTING, _listing(request), refusal)
    return changed(request, "guests")


def _set(request: HttpRequest, guest: Guest | None) -> Guest:
    """Register or correct, from the form. A number left masked is the number it was."""
    given = {
        name: request.POST.get(name, "") for name in ("document_type", "country", "number", "name", "note")
    }
    if guest is not None and given["number"].strip() == number_shown(request, guest):
        given["number"] = guest.number
    birth_date = date_of(request, "birth_date")
    assert birth_date is not None
    return registering.set_guest(**given, birth_date=birth_date, guest=guest, by=by_of(request))


def _listing(request: HttpRequest) -> dict[str, Any]:
    page = page_of(request, rows_of(Guest, request).order_by("name", "pk"))
    return {
        "page": page,
        "rows": [(guest, number_shown(request, guest)) for guest in page],
        "asked": "",
        "documents": DOCUMENTS,
        "identify": registering.identified_only(user_of(request).casino),
    }


def _context(request: HttpRequest, guest: Guest) -> dict[str, Any]:
    today = registering.today_of(user_of(request).casino, clock.now())
    takings = guest.takings.select_related("session__table", "session__day").order_by("-pk")[:VERSIONS]
    return {
        "guest": guest,
        "number": number_shown(request, guest),
        "age": matching.age_on(guest.birth_date, today),
        "documents": DOCUMENTS,
        "takings": takings,
        "matches": guest.matches.select_related("exclusion").order_by("-pk")[:VERSIONS],
        "versions": guest.history.select_related("history_user")[:VERSIONS],
        "may_keep": permissions.may(user_of(request), policies.KEEP_GUESTS),
    }
