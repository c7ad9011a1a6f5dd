"""The waiting lists of the house: per table and per game, in order; added, called, off the list."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits.pages.answers import by_of, chosen, one, refused, rows_of, user_of, whole
from casino.kernel import clock, rulebook
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from tables.guests import queueing
from tables.guests.admitting import on_record
from tables.models import ChangeRequest, Table, TableSession, WaitingEntry
from tables.pages.reading_guests import DOCUMENTS, known_guest
from tables.seeing import sessions_seen_by

TEMPLATE = "tables/guests/waiting.html"


def listing(request: HttpRequest) -> HttpResponse:
    """Everybody who waits; POST puts somebody on a list."""
    if request.method != "POST":
        return render(request, TEMPLATE, _context(request))
    try:
        with on_record():
            queueing.wait(
                table=chosen(rows_of(Table, request), request, "table", required=False),
                game=request.POST.get("game", ""),
                guest=known_guest(request),
                alias=request.POST.get("alias", ""),
                party_size=whole(request, "party_size", default=1),
                by=by_of(request),
            )
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request), refusal)
    messages.success(request, _("Anotado en la lista"))
    return redirect("waiting")


def act(request: HttpRequest, pk: int) -> HttpResponse:
    """Call somebody, or take them off the list."""
    entry = one(rows_of(WaitingEntry, request), pk=pk)
    try:
        match request.POST.get("do", ""):
            case "call":
                queueing.call(entry=entry, by=by_of(request))
            case "left" | "expired" as outcome:
                queueing.strike(entry=entry, outcome=outcome, by=by_of(request))
            case _other:
                raise Refused(Text("elija qué hacer", "choose what to do"), code="unknown_act")
    except SabotError as refusal:
        return refused(request, TEMPLATE, {**_context(request), "acted": entry}, refusal)
    messages.success(request, _("Registrado"))
    return redirect("waiting")


def _context(request: HttpRequest) -> dict[str, Any]:
    live = rows_of(WaitingEntry, request).filter(state__in=WaitingEntry.LIVE)
    lists: dict[str, dict[str, Any]] = {}
    for entry in live.select_related("table").order_by("since", "pk"):
        key = entry.table.name if entry.table else entry.game
        found = lists.setdefault(key, {"table": entry.table, "game": entry.game, "entries": []})
        found["entries"].append(entry)
    tables = rows_of(Table, request).filter(active=True).order_by("name")
    # A croupier reads the seats of their own tables alone, so only those are links.
    open_now = sessions_seen_by(user_of(request)).filter(table__in=tables, state__in=TableSession.LIVE)
    games = sorted({table.game for table in tables})
    asked = rows_of(ChangeRequest, request).filter(state=ChangeRequest.State.OPEN)
    return {
        "lists": sorted(lists.items(), key=lambda pair: (pair[1]["table"] is None, pair[0])),
        "tables": [(table.pk, table.name) for table in tables],
        "open_tables": set(open_now.values_list("table__name", flat=True)),
        "games": [(code, rulebook.game(code).name) for code in games],
        "documents": DOCUMENTS,
        "requests": asked.select_related("taking__session__table", "table").order_by("since", "pk"),
        "now": clock.now(),
    }
