"""Settings of the floor: pits, tables, limits, rules by version, staff. Each change has its reason."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits.pages.answers import by_of, chosen, one, refused, rows_of, user_of, whole
from casino.kernel import money, rulebook
from casino.kernel.errors import NotFound, Refused, SabotError
from casino.kernel.words import Text
from casino.models import Casino, User
from tables import people
from tables import settings as acts
from tables.games import registry
from tables.games.base import Game
from tables.models import BetLimits, GameRules, Pit, Staff, Table

VERSIONS = 30


def show(request: HttpRequest) -> HttpResponse:
    return redirect("settings-tables")


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
            pit=pit,
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, "tables/pits.html", context, refusal)
    return _changed(request, "settings-pits")


def tables(request: HttpRequest) -> HttpResponse:
    """Every table; POST makes one."""
    context = _table_context(request, None)
    if request.method != "POST":
        return render(request, "tables/tables.html", context)
    try:
        _set_table(request, None)
    except SabotError as refusal:
        return refused(request, "tables/tables.html", context, refusal)
    return _changed(request, "settings-tables")


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
    return _changed(request, "settings-table", found.pk)


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


def _table_context(request: HttpRequest, found: Table | None) -> dict[str, Any]:
    return {
        "table": found,
        "tables": rows_of(Table, request).select_related("pit").order_by("pit__position", "name"),
        "pits": [(pit.pk, pit.name) for pit in rows_of(Pit, request)],
        "games": [(game.code, game.name) for game in registry.GAMES.values()],
        "details": Table._meta.get_field("detail").choices,
        "versions": found.history.select_related("history_user").order_by("-history_date")[:VERSIONS]
        if found
        else [],
        "limits": list(BetLimits.objects.filter(table=found).select_related("published_by")[:VERSIONS])
        if found
        else [],
    }


# ---- limits ---------------------------------------------------------------------------------------


def limits(request: HttpRequest, pk: int) -> HttpResponse:
    """A table's limits: versions published so far; POST publishes the next."""
    found = one(rows_of(Table, request).select_related("casino"), pk=pk)
    context = _limits_context(found)
    if request.method != "POST":
        return render(request, "tables/limits.html", context)
    try:
        by, exponent = by_of(request), found.casino.exponent
        spots = {}
        for spot, _words, _low, _high in context["spots"]:
            low, high = (
                request.POST.get(f"{spot}_low", "").strip(),
                request.POST.get(f"{spot}_high", "").strip(),
            )
            if low or high:
                spots[spot] = (
                    money.parse(low, exponent, field=spot),
                    money.parse(high, exponent, field=spot),
                )
        gap = request.POST.get("differential", "").strip()
        acts.publish_limits(
            table=found,
            chip=money.parse(request.POST.get("chip", ""), exponent, field="chip"),
            spots=spots,
            differential=money.parse(gap, exponent, field="differential") if gap else None,
            effective_from=_instant(request, found.casino),
            by=by,
        )
    except SabotError as refusal:
        return refused(request, "tables/limits.html", context, refusal)
    return _changed(request, "settings-limits", found.pk)


def _limits_context(found: Table) -> dict[str, Any]:
    versions = list(BetLimits.objects.filter(table=found).select_related("published_by")[:VERSIONS])
    last = versions[0] if versions else None
    game = registry.game(found.game)
    spots = [
        (spot, words, *(last.spots.get(spot, ("", "")) if last else ("", "")))
        for spot, words in game.spots.items()
    ]
    return {
        "table": found,
        "versions": versions,
        "last": last,
        "spots": spots,
        "chips": found.casino.denominations,
    }


# ---- rules ----------------------------------------------------------------------------------------


def games(request: HttpRequest) -> HttpResponse:
    """The games the house can deal, with the version of their rules in force."""
    published = {}
    for version in GameRules.objects.filter(casino=user_of(request).casino_id).order_by("game", "version"):
        published[version.game] = version
    shown = [
        (game, rulebook.games().get(game.code), published.get(game.code)) for game in registry.GAMES.values()
    ]
    return render(request, "tables/games.html", {"games": shown})


def rules(request: HttpRequest, code: str) -> HttpResponse:
    """A game's rules by version; POST publishes the next, checked by the game itself."""
    try:
        game = registry.game(code)
    except NotFound as refusal:
        raise Http404(str(refusal)) from refusal
    context = _rules_context(request, game)
    if request.method != "POST":
        return render(request, "tables/rules.html", context)
    try:
        acts.publish_rules(
            game=code,
            params=_json(request.POST.get("params", "")),
            betting_plan=request.POST.get("betting_plan", ""),
            effective_from=_instant(request, user_of(request).casino),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, "tables/rules.html", context, refusal)
    return _changed(request, "settings-rules", code)


def _rules_context(request: HttpRequest, game: Game) -> dict[str, Any]:
    versions = list(
        rows_of(GameRules, request).filter(game=game.code).select_related("published_by")[:VERSIONS]
    )
    params = versions[0].params if versions else game.default_rules().to_json()
    return {
        "game": game,
        "entry": rulebook.games().get(game.code),
        "versions": [(v, json.dumps(v.params, indent=2, ensure_ascii=False)) for v in versions],
        "params": json.dumps(params, indent=2, ensure_ascii=False),
        "plan": versions[0].betting_plan if versions else "",
    }


def _json(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text[:20_000])
    except ValueError as error:
        raise Refused(
            Text("los parámetros no son JSON válido", "the parameters are not valid JSON"),
            code="bad_json",
            field="params",
        ) from error
    if not isinstance(value, dict):
        raise Refused(
            Text("los parámetros son un objeto", "the parameters are an object"),
            code="bad_json",
            field="params",
        )
    return value


# ---- staff ----------------------------------------------------------------------------------------


def staff(request: HttpRequest) -> HttpResponse:
    """Who may stand at a table; POST registers a person."""
    context = _staff_context(request, None)
    if request.method != "POST":
        return render(request, "tables/staff.html", context)
    try:
        _set_staff(request, None)
    except SabotError as refusal:
        return refused(request, "tables/staff.html", context, refusal)
    return _changed(request, "settings-staff")


def person(request: HttpRequest, pk: int) -> HttpResponse:
    """One person's licence, games and history."""
    found = one(rows_of(Staff, request), pk=pk)
    context = _staff_context(request, found)
    if request.method != "POST":
        return render(request, "tables/person.html", context)
    try:
        _set_staff(request, found)
    except SabotError as refusal:
        return refused(request, "tables/person.html", context, refusal)
    return _changed(request, "settings-person", found.pk)


def _set_staff(request: HttpRequest, found: Staff | None) -> Staff:
    return people.set_staff(
        number=request.POST.get("number", ""),
        name=request.POST.get("name", ""),
        licence=request.POST.get("licence", ""),
        licence_expires=_date(request, "licence_expires"),
        games=request.POST.getlist("games"),
        supervises="supervises" in request.POST,
        active="active" in request.POST or found is None,
        user=chosen(rows_of(User, request), request, "user", required=False),
        staff=found,
        by=by_of(request),
    )


def _staff_context(request: HttpRequest, found: Staff | None) -> dict[str, Any]:
    taken = Staff.objects.exclude(user=None)
    if found is not None:
        taken = taken.exclude(pk=found.pk)
    logins = (
        rows_of(User, request)
        .exclude(pk__in=taken.values("user"))
        .exclude(role_codes__overlap=["system", "device"])
    )
    return {
        "person": found,
        "people": rows_of(Staff, request).order_by("-active", "name"),
        "games": [(game.code, game.name) for game in registry.GAMES.values()],
        "logins": [(login.pk, f"{login.name} ({login.username})") for login in logins],
        "versions": found.history.select_related("history_user").order_by("-history_date")[:VERSIONS]
        if found
        else [],
    }


# ---- reading --------------------------------------------------------------------------------------


def _date(request: HttpRequest, field: str) -> dt.date:
    try:
        return dt.date.fromisoformat(request.POST.get(field, ""))
    except ValueError as error:
        raise Refused(
            Text("escriba una fecha, como 2027-06-30", "type a date, such as 2027-06-30"),
            code="bad_date",
            field=field,
        ) from error


def _instant(request: HttpRequest, casino: Casino) -> dt.datetime | None:
    """`effective_from` as typed, in the casino's own zone; empty means now."""
    typed = request.POST.get("effective_from", "").strip()
    if not typed:
        return None
    try:
        local = dt.datetime.fromisoformat(typed)
    except ValueError as error:
        raise Refused(
            Text("escriba fecha y hora", "type date and time"), code="bad_date", field="effective_from"
        ) from error
    return local.replace(tzinfo=ZoneInfo(casino.zone)).astimezone(dt.UTC)


def _changed(request: HttpRequest, place: str, *args: Any) -> HttpResponse:
    messages.success(request, _("Cambio registrado"))
    return redirect(place, *args)
