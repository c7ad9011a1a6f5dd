"""The casino's own particulars: name, licence, zone, cut-off, chips; each change with its reason."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits import casinos
from audits.models import Event
from audits.pages.answers import by_of, changed, refused, rows_of, user_of
from audits.pages.trail import sentence_of
from audits.trail import SETTINGS_STREAM
from casino.kernel import money
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from casino.models import Casino

TEMPLATE = "audits/casino.html"
VERSIONS = 30


def show(request: HttpRequest) -> HttpResponse:
    """The particulars as they are; POST changes them."""
    casino = user_of(request).casino
    if request.method != "POST":
        return render(request, TEMPLATE, _context(request, casino))
    try:
        casinos.set_casino(particulars=_typed(request, casino), by=by_of(request))
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request, casino), refusal)
    return changed(request, "settings-casino")


def _typed(request: HttpRequest, casino: Casino) -> casinos.Particulars:
    """What the form says; currency and decimals stay as they were founded."""
    chips = request.POST.get("denominations", "").split()
    return casinos.Particulars(
        name=request.POST.get("name", ""),
        zone=request.POST.get("zone", "").strip(),
        cutoff=_time(request.POST.get("cutoff", "")),
        currency=casino.currency,
        denominations=casinos.denominations_of(chips, casino.exponent),
        exponent=casino.exponent,
        licence=request.POST.get("licence", ""),
    )


def _time(typed: str) -> dt.time:
    try:
        return dt.time.fromisoformat(typed.strip())
    except ValueError as error:
        raise Refused(
            Text("escriba una hora, como 06:00", "type a time, such as 06:00"),
            code="bad_time",
            field="cutoff",
        ) from error


def _context(request: HttpRequest, casino: Casino) -> dict[str, Any]:
    events = rows_of(Event, request).filter(
        subject_type="casino", subject_id=casino.pk, stream__name=SETTINGS_STREAM
    )
    return {
        "casino": casino,
        "cutoff": casino.cutoff.strftime("%H:%M"),
        "chips": " ".join(money.plain(value, casino.exponent) for value in sorted(casino.denominations)),
        "history": [
            (event, sentence_of(event)) for event in events.select_related("actor").order_by("-pk")[:VERSIONS]
        ],
    }
