"""How each rule is kept and what shows it, within a period: the rules of the AJ unless asked for others."""

from __future__ import annotations

import datetime as dt
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits import coverage
from audits.pages.answers import user_of
from casino import tracing
from casino.kernel import clock, rulebook
from casino.models import Casino

DAYS = 30
FILTERS = ("source", "enforce", "show")
STATE_KINDS = {"proved": "good", "waiting": "", "bare": "bad"}


def listing(request: HttpRequest) -> HttpResponse:
    casino = user_of(request).casino
    first, last = asked_days(request, casino)
    asked = {name: request.GET.get(name, "aj" if name == "source" else "").strip()[:20] for name in FILTERS}
    start, _end = clock.day_bounds(first, casino.zone, casino.cutoff)
    _start, end = clock.day_bounds(last, casino.zone, casino.cutoff)
    found = list(coverage.covered(casino, start, end, **asked))
    context = {
        "rows": [
            (one, STATE_KINDS.get(one.trace.state, "warn"), _brings(one.trace), *people)
            for one, *people in coverage.named(found, casino)
        ],
        "asked": asked,
        "first": first,
        "last": last,
        "sources": rulebook.SOURCES.items(),
        "treatments": rulebook.ENFORCED.items(),
        "shows": coverage.SHOW.items(),
        "export": urlencode({"first": first, "last": last, **{k: v for k, v in asked.items() if v}}),
    }
    return render(request, "audits/coverage.html", context)


def asked_days(request: HttpRequest, casino: Casino) -> tuple[dt.date, dt.date]:
    """The gaming days of the address, in order; the last `DAYS` where they cannot be read."""
    today = clock.gaming_day(clock.now(), casino.zone, casino.cutoff)
    last = _day(request, "last") or today
    first = _day(request, "first") or last - dt.timedelta(days=DAYS - 1)
    return (first, last) if first <= last else (last, first)


def _day(request: HttpRequest, name: str) -> dt.date | None:
    try:
        day = dt.date.fromisoformat(request.GET.get(name, ""))
    except ValueError:
        return None
    within = clock.EARLIEST.date() + dt.timedelta(days=366) < day < clock.LATEST.date()
    return day if within else None


def _brings(trace: tracing.Trace) -> Any:
    return tracing.CAPABILITIES[trace.waiting.brings] if trace.waiting and trace.state != "proved" else None
