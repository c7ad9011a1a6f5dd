"""The inspector's door, and the desk where his codes are given and revoked (REC-11)."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from audits.inspections import access, entering
from audits.models import InspectorAccess
from audits.pages.answers import by_of, changed, instant_of, one, page_of, refused, rows_of, user_of, whole
from casino.kernel import clock
from casino.kernel.errors import SabotError

DOOR, DESK = "audits/inspection_door.html", "audits/inspector_accesses.html"


@never_cache
@sensitive_post_parameters("code")
def door(request: HttpRequest) -> HttpResponse:
    """Where an inspector comes in with his card's number and his code."""
    if request.method != "POST":
        return render(request, DOOR)
    try:
        user, until = entering.enter(
            request=request,
            credential=request.POST.get("credential", ""),
            code=request.POST.get("code", ""),
            way="page",
        )
    except SabotError as refusal:
        return refused(request, DOOR, {}, refusal)
    login(request, user)
    request.session.set_expiry(max(1, int((until - clock.now()).total_seconds())))
    return HttpResponseRedirect(reverse("visits"))


@never_cache
def accesses(request: HttpRequest) -> HttpResponse:
    """The codes of the house; POST gives one, and shows it this once."""
    if request.method != "POST":
        return render(request, DESK, _desk(request))
    try:
        made = access.give_access(
            name=request.POST.get("name", ""),
            credential=request.POST.get("credential", ""),
            valid_from=instant_of(request, "valid_from"),
            hours=whole(request, "hours"),
            entries=whole(request, "entries"),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, DESK, _desk(request), refusal)
    # Not led on: the code stands on this answer and nowhere else.
    return render(request, DESK, _desk(request) | {"made": made})


def terms(request: HttpRequest) -> HttpResponse:
    """How long codes last, from now on."""
    try:
        access.set_terms(
            default_hours=whole(request, "default_hours"),
            longest_hours=whole(request, "longest_hours"),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, DESK, _desk(request) | {"act": "terms"}, refusal)
    return changed(request, "inspector-accesses")


def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """End a code now, with the reason."""
    found = one(rows_of(InspectorAccess, request), pk=pk)
    try:
        access.revoke_access(access=found, by=by_of(request))
    except SabotError as refusal:
        return refused(request, DESK, _desk(request) | {"act": found.pk}, refusal)
    return redirect("inspector-accesses")


def _desk(request: HttpRequest) -> dict[str, Any]:
    rows = rows_of(InspectorAccess, request).select_related("user", "given_by", "revoked_by")
    now = clock.now()
    page = page_of(request, rows.order_by("-pk"), 20)
    return {
        "page": page,
        "rows": [(found, _standing(found, now)) for found in page],
        "terms": access.terms_of(user_of(request).casino),
        "most_entries": access.MOST_ENTRIES,
    }


def _standing(found: InspectorAccess, now: Any) -> str:
    """How an access stands, as the page colours it: `open`, `later`, `over`, `spent`, or its state."""
    if found.state != InspectorAccess.State.GIVEN:
        return str(found.state)
    if now >= found.valid_until:
        return "over"
    if now < found.valid_from:
        return "later"
    return "spent" if found.entries >= found.entries_allowed else "open"
