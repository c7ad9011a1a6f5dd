"""Which pits each chief answers for, as the administration sets it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits.pages.answers import by_of, changed, chosen, refused, rows_of
from casino.kernel.errors import SabotError
from casino.models import User
from tables import duties
from tables.models import Pit, PitDuty
from tables.policies import CHIEFS

TEMPLATE = "tables/alerts/duties.html"


def listing(request: HttpRequest) -> HttpResponse:
    """Each chief with their pits; POST sets those of one."""
    if request.method != "POST":
        return render(request, TEMPLATE, _context(request))
    try:
        user = chosen(_chiefs(request), request, "user")
        ticked = [pk for pk in request.POST.getlist("pit") if pk.isascii() and pk.isdigit() and len(pk) < 19]
        pits = list(rows_of(Pit, request).filter(pk__in=ticked))
        duties.set_duties(user=user, pits=pits, by=by_of(request))
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request), refusal)
    return changed(request, "settings-duties")


def _chiefs(request: HttpRequest) -> Any:
    codes = [role.value for role in CHIEFS]
    return rows_of(User, request).filter(is_active=True, role_codes__overlap=codes).order_by("name")


def _context(request: HttpRequest) -> dict[str, Any]:
    kept = dict(rows_of(PitDuty, request).values_list("user_id", "pits"))
    chiefs = list(_chiefs(request))
    return {
        "chiefs": [(chief, kept.get(chief.pk, [])) for chief in chiefs],
        "pits": list(rows_of(Pit, request).order_by("position", "name")),
    }
