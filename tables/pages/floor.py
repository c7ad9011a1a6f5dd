"""The floor: one page, and its inner part that screens ask for again every second and a half.

An unchanged floor costs one small query (`overview.stamp`) and a 304. Which pits a person sees first is their
own choice, kept in their browser session; without one, those they answer for (`tables.duties`).
"""

from __future__ import annotations

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language

from audits.pages.answers import user_of
from casino.kernel import clock, permissions
from tables import duties, overview, policies
from tables.alerts import policies as alert_policies
from tables.models import Pit

MINE = "floor_pits"
"""Under which key a browser session keeps the pits chosen."""


def show(request: HttpRequest) -> HttpResponse:
    context = _context(request)
    return render(request, "tables/floor.html", {**context, "wall": "pared" in request.GET})


def board(request: HttpRequest) -> HttpResponse:
    """The inner part alone; 304 while nothing happened in the house and no minute went by."""
    etag = _etag(request)
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        unchanged.headers["ETag"] = etag
        return unchanged
    html = render_to_string("tables/_floor.html", _context(request), request)
    return HttpResponse(html, headers={"ETag": etag, "Cache-Control": "private, no-cache"})


def choose_pits(request: HttpRequest) -> HttpResponse:
    """Keep which pits are mine, for this browser; none: those I answer for, or all."""
    known = set(Pit.objects.restrict(user_of(request), policies.READ_FLOOR).values_list("pk", flat=True))
    request.session[MINE] = [pk for pk in sorted(known) if str(pk) in request.POST.getlist("pit")]
    return redirect("floor")


def _mine(request: HttpRequest) -> tuple[int, ...]:
    """The pits of whoever looks: as chosen, or else those they answer for."""
    kept = request.session.get(MINE) or ()
    return tuple(kept) or duties.pits_of(user_of(request))


def _asked(request: HttpRequest) -> tuple[str, bool]:
    """What the address asks for: a pit's id, `mios` or nothing; and whether only tables with alerts."""
    return request.GET.get("sector", "")[:12], request.GET.get("avisos") == "1"


def _etag(request: HttpRequest) -> str:
    user = user_of(request)
    seen = (
        overview.stamp(user.casino, clock.now()),
        user.pk,
        sorted(user.role_codes),
        get_language(),
        request.session.get(MINE),
        _asked(request),
        "pared" in request.GET,
    )
    return f'"{hashlib.sha256(repr(seen).encode()).hexdigest()[:32]}"'


def _context(request: HttpRequest) -> dict[str, Any]:
    mine = _mine(request)
    sector, alerts_only = _asked(request)
    pits = mine if sector == "mios" else (int(sector),) if sector.isascii() and sector.isdigit() else ()
    chosen = overview.Chosen(pits, mine, alerts_only)
    return {
        "floor": overview.floor(user_of(request), clock.now(), chosen),
        "mine": mine,
        "sector": sector,
        "alerts_only": alerts_only,
        "asked": request.GET.urlencode(),
        "may_acknowledge": permissions.may(user_of(request), alert_policies.ACKNOWLEDGE),
    }
