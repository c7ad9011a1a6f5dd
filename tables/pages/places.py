"""Pits and tables: settings kept with their history, each change with its reason."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from audits.pages.answers import by_of, changed, chosen, one, refused, rows_of, user_of, whole
from casino.kernel import rulebook
from casino.kernel.errors import SabotError
from tables import settings as acts
from tables.games import registry
from tables.games.base import Game
from tables.models import BetLimits, Pit, Table
from tables.pages import missing

VERSIONS = 30
DETAILS = Table._meta.get_field("detail").choices or ()


def show(request: HttpRequest) -> HttpResponse:
    """What the house still lacks, in order; the tables once nothing is missing."""
    found = missing.steps(user_of(request))
    if all(step.done for step in found):
        return redirect("settings-tables")
    return render(request, "tables/settings.html", {"steps": found})


def pits(request: HttpRequest) -> HttpResponse:
    """The pits; POST makes one or renames one."""
    context = {"pits": rows_of(Pit, request)}
    if request.method != "POST":
        return render(request, "tables/pits.html", context)
    try:
        pit = chosen(rows_of(Pit, request), request, "pit", required=False)
        acts.set_pit(
            name=request.POST.get("name", ""),
            position=whole(request, "position", default=1),
            weight=whole(request, "weight", default=0) or None,
            pit=pit,
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, "tables/pits.html", context, refusal)
    return changed(request, "settings-pits")


def tables(request: HttpRequest) -> HttpResponse:
    """Every table; POST makes one."""
    context = _table_context(request, None)
    if request.method != "POST":
        return render(request, "tables/tables.html", context)
    try:
        _set_table(request, None)
    except SabotError as refusal:
        return refused(request, "tables/tables.html", context, refusal)
    return changed(request, "settings-tables")


def table(request: HttpRequest, pk: int) -> HttpResponse:
    """One table and its history."""
    found = one(rows_of(Table, request).select_related("pit"), pk=pk)
    context = _table_context(request, found)
    if request.method != "POST":
        return render(request, "tables/table.html", context)
    try:
        _set_table(request, found)
    except SabotError as refusal:
        return refused(request, "tables/table.html", context, refusal)
    return changed(request, "settings-table", found.pk)


def _set_table(request: HttpRequest, found: Table | None) -> Table:
    return acts.set_table(
        name=request.POST.get("name", ""),
        pit=chosen(rows_of(Pit, request), request, "pit"),
        game=request.POST.get("game", ""),
        seats=whole(request, "seats"),
        detail=request.POST.get("detail", ""),
        active="active" in request.POST or found is None,
        table=found,
        by=by_of(request),
    )


def _admitted(game: Game) -> dict[str, Any]:
    """What the catalogue lets a table of a game have: positions, and how much is logged."""
    entry, words = rulebook.game(game.code), dict(DETAILS)
    return {
        "name": game.name,
        "default": entry.seats_default,
        "most": entry.seats_max,
        "details": [words[detail] for detail in entry.detail if detail in words],
    }


def _table_context(request: HttpRequest, found: Table | None) -> dict[str, Any]:
    return {
        "table": found,
        "tables": rows_of(Table, request).select_related("pit").order_by("pit__position", "name"),
        "pits": [(pit.pk, pit.name) for pit in rows_of(Pit, request)],
        "games": [(game.code, game.name) for game in registry.GAMES.values()],
        "details": DETAILS,
        "admitted": [_admitted(game) for game in registry.GAMES.values()],
        "versions": found.history.select_related("history_user").order_by("-history_date")[:VERSIONS]
        if found
        else [],
        "limits": list(BetLimits.objects.filter(table=found).select_related("published_by")[:VERSIONS])
        if found
        else [],
    }
