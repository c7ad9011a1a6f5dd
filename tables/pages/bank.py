"""The bank of a session: who has it, whose turn it is and why, every bank before, all its acts."""

from __future__ import annotations

import hashlib
import re
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_vary_headers

from audits.pages.answers import one, refused, rows_of, user_of
from casino.kernel import clock
from casino.kernel.errors import Conflict, SabotError
from casino.kernel.words import Text
from tables.bank.figures import banked, keeps_bank
from tables.bank.history import auctions_of, banks_of, passages_of
from tables.bank.panel import panel_of
from tables.guests.admitting import on_record
from tables.models import Auction, Table, TableSession
from tables.pages import bank_acts
from tables.pages.cage_forms import form_number
from tables.seeing import sessions_seen_by

TEMPLATE, LIVE = "tables/bank/bank.html", "tables/bank/_bank.html"
_EACH_TIME = re.compile(r'name="(?:csrfmiddlewaretoken|form)" value="[^"]*"')
"""What a form has of its own each time it is shown, though nothing else changed."""


def at_table(request: HttpRequest, name: str) -> HttpResponse:
    """The bank of an open table; of a closed one, that of its last session."""
    table = _table(request, name)
    session = _session(request, table)
    if session is None:
        last = sessions_seen_by(user_of(request)).filter(table=table).order_by("-opened_at", "-pk").first()
        return redirect("session-bank", last.pk) if last else redirect("floor")
    return _shown(request, session)


def of_session(request: HttpRequest, pk: int) -> HttpResponse:
    """The bank of any session, open or over."""
    session = one(sessions_seen_by(user_of(request)).select_related("table", "day", "casino", "shoe"), pk=pk)
    return _shown(request, session)


def _shown(request: HttpRequest, session: TableSession) -> HttpResponse:
    """The page; for a screen that follows its inner part alone, 304 while nothing changed."""
    context = context_of(request, session)
    if not request.headers.get("HX-Request"):
        response = render(request, TEMPLATE, context)
    else:
        html = render_to_string(LIVE, context, request)
        etag = f'"{hashlib.sha256(_EACH_TIME.sub("", html).encode()).hexdigest()[:32]}"'
        whole = HttpResponse(html, headers={"ETag": etag, "Cache-Control": "private, no-cache"})
        response = cast(HttpResponse, get_conditional_response(request, etag=etag, response=whole))
    patch_vary_headers(response, ["HX-Request"])
    return response


def act(request: HttpRequest, name: str) -> HttpResponse:
    """One act on the bank; then back to where it was asked: the page of the bank, or an auction's. Read, it
    leads to the page of the bank."""
    if request.method != "POST":
        return redirect("table-bank", name)
    table = _table(request, name)
    session = _session(request, table)
    if session is None:
        raise Conflict(Text("la mesa está cerrada", "the table is closed"), code="session_closed")
    try:
        with on_record():
            bank_acts.perform(request, session, key=request.POST.get("form", ""))
    except SabotError as refusal:
        return refused(request, TEMPLATE, context_of(request, session), refusal)
    messages.success(request, bank_acts.done(request))
    opened = Auction.objects.filter(session=session, state=Auction.State.OPEN).first()
    if opened is not None and request.POST.get("do") == "auction":
        return redirect("auction", opened.pk)
    return redirect("table-bank", table.name)


def context_of(request: HttpRequest, session: TableSession) -> dict[str, Any]:
    """What the page of a session's bank shows."""
    if not banked(session.game):
        raise Http404
    return {
        "session": session,
        "table": session.table,
        "kept": keeps_bank(session),
        "panel": panel_of(session, clock.now()),
        "banks": banks_of(session),
        "passages": passages_of(session),
        "auctions": auctions_of(session),
        "form_number": form_number(request),
    }


def _table(request: HttpRequest, name: str) -> Table:
    found: Table = one(rows_of(Table, request), name=name.upper())
    return found


def _session(request: HttpRequest, table: Table) -> TableSession | None:
    """The table's session, none while it is closed; 404 for one that this person does not see."""
    live = {"table": table, "state__in": TableSession.LIVE}
    rows = sessions_seen_by(user_of(request)).filter(**live)
    found: TableSession | None = rows.select_related("table", "day", "casino", "shoe").first()
    if found is None and TableSession.objects.filter(**live).exists():
        raise Http404
    return found
