"""Gaming days: which are open, and what holds those that could not be closed."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits import days as acts
from audits.pages.answers import by_of, one, page_of, refused, rows_of, user_of
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.models import GamingDay


def listing(request: HttpRequest) -> HttpResponse:
    return render(request, "audits/days.html", _listing(request))


def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Close a day that has ended, if nothing holds it; the nightly job does the same."""
    day = one(rows_of(GamingDay, request), pk=pk)
    try:
        day = acts.close_day(day=day, by=by_of(request))
    except SabotError as refusal:
        return refused(request, "audits/days.html", _listing(request), refusal)
    if day.state == GamingDay.State.CLOSED:
        messages.success(request, _("Día %(day)s cerrado") % {"day": day})
    return redirect("days")


def _listing(request: HttpRequest) -> dict[str, Any]:
    casino = user_of(request).casino
    return {
        "page": page_of(request, rows_of(GamingDay, request), 30),
        "today": casino.gaming_day(clock.now()),
    }
