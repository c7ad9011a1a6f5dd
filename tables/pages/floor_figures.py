"""The page of the floor's figures: what the book gives a default and the operator confirms."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from audits.pages.answers import by_of, changed, refused, user_of, whole
from casino.kernel import money
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from tables import floor_settings
from tables.floor_settings import IjBase

TEMPLATE = "tables/figures.html"
VERSIONS = 30


def show(request: HttpRequest) -> HttpResponse:
    """The figures as they are; POST sets them."""
    if request.method != "POST":
        return render(request, TEMPLATE, _context(request))
    try:
        floor_settings.set_floor(figures=_typed(request), by=by_of(request))
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request), refusal)
    return changed(request, "settings-floor")


def _typed(request: HttpRequest) -> dict[str, Any]:
    given, exponent = request.POST, user_of(request).casino.exponent
    return {
        "minimum_operation": given.getlist("minimum_operation"),
        "max_minutes_on_table": whole(request, "max_minutes_on_table"),
        "min_break_minutes": whole(request, "min_break_minutes"),
        "max_minutes_same_table": whole(request, "max_minutes_same_table")
        if given.get("max_minutes_same_table", "").strip()
        else None,
        "night_from": _time(given.get("night_from", ""), "night_from"),
        "night_to": _time(given.get("night_to", ""), "night_to"),
        "rest_after_night_minutes": whole(request, "rest_after_night_minutes"),
        "ij_base": given.get("ij_base", ""),
        "ij_document": given.get("ij_document", ""),
        "min_funds": money.typed(
            given.get("min_funds", "").strip() or "0", get_language(), exponent, field="min_funds"
        ),
    }


def _time(typed: str, field: str) -> dt.time:
    try:
        return dt.time.fromisoformat(typed.strip())
    except ValueError as error:
        raise Refused(
            Text("escriba una hora, como 20:00", "type a time, such as 20:00"), code="bad_time", field=field
        ) from error


def _context(request: HttpRequest) -> dict[str, Any]:
    stored = floor_settings.settings_of(user_of(request).casino)
    shown = (
        set(request.POST.getlist("minimum_operation"))
        if request.method == "POST"
        else set(stored.minimum_operation)
    )
    return {
        "figures": stored,
        "night_from": f"{stored.night_from:%H:%M}",
        "night_to": f"{stored.night_to:%H:%M}",
        "families": [
            (code, floor_settings.family_name(code), code in shown) for code in floor_settings.families()
        ],
        "bases": [(code, words) for code, words in IjBase.choices if code],
        "versions": stored.history.select_related("history_user").order_by("-history_date")[:VERSIONS]
        if stored.pk
        else [],
    }
