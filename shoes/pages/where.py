"""Which deck was where, when: one question, one answer."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode

from audits.pages.answers import instant_typed, page_of, refused, user_of
from casino.kernel import clock
from casino.kernel.errors import Refused
from shoes import labels, moving, whereabouts
from shoes.floor import floor

TEMPLATE = "shoes/where.html"


def show(request: HttpRequest) -> HttpResponse:
    """The decks as they were at an instant, in the casino's own time; now where none is given."""
    asked = {name: request.GET.get(name, "").strip()[:40] for name in ("at", "place", "serial")}
    try:
        at = instant_typed(request, asked["at"], "at") if asked["at"] else clock.now()
    except Refused as refusal:
        return refused(request, TEMPLATE, _shown(request, asked, clock.now()), refusal)
    return render(request, TEMPLATE, _shown(request, asked, at))


def _shown(request: HttpRequest, asked: dict[str, str], at: dt.datetime) -> dict[str, Any]:
    casino = user_of(request).casino
    serial = labels.serial(asked["serial"]) if asked["serial"] else ""
    rows = whereabouts.where_at(casino, at, place=asked["place"], serial=serial)
    at_local = at.astimezone(ZoneInfo(casino.zone)).strftime("%Y-%m-%dT%H:%M")
    # The next page is of the same instant, also where none was asked for.
    given = {**asked, "at": asked["at"] or at_local}
    return {
        "asked": asked,
        "at": at,
        "at_local": at_local,
        "page": page_of(request, rows, 200),
        "query": urlencode(given) + "&",
        "places": [moving.DESK, *floor().table_names(casino)],
    }
