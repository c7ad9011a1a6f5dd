"""The shift on a page: figures, what happened, alerts; the chiefs' notes apart. And the day hour by hour."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits.by import name_of
from audits.pages.answers import by_of, chosen, refused, user_of
from casino.kernel import clock, permissions
from casino.kernel.errors import Refused, SabotError
from tables import policies as floor_policies
from tables.alerts import policies, shift_notes
from tables.alerts.keeping import label_of, words_of
from tables.models import Pit
from tables.money.box_seeing import blind
from tables.shift import hourly, sums, told
from tables.shift.window import Window, between, whole

TEMPLATE, GRID = "tables/shift/shift.html", "tables/shift/hours.html"


def show(request: HttpRequest) -> HttpResponse:
    """A gaming day, or hours of it, of the floor or of one pit; today by default."""
    return render(request, TEMPLATE, _context(request))


def note(request: HttpRequest) -> HttpResponse:
    """Write a note of the shift; of the day that is now."""
    try:
        pit = chosen(_pits(request), request, "pit", required=False)
        shift_notes.note_shift(text=request.POST.get("text", ""), pit=pit, by=by_of(request))
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request), refusal)
    messages.success(request, _("Nota registrada"))
    return redirect("shift-report")


def hours(request: HttpRequest) -> HttpResponse:
    """Every table hour by hour of a gaming day."""
    casino = user_of(request).casino
    day = _day(request, casino.gaming_day(clock.now()))
    figure = request.GET.get("figure", "")
    figures = _figures()
    whole_day = request.GET.get("all") == "1"
    grid = hourly.grid(casino, day, blind=blind(user_of(request)))
    context = {
        "day": day,
        "before": day - dt.timedelta(days=1),
        "after": day + dt.timedelta(days=1),
        "grid": grid if whole_day else hourly.trimmed(grid),
        "still_open": None if grid.lines else hourly.still_open(casino, day),
        "whole": whole_day,
        "length": sum(hour.label[-2:] != "+1" for hour in grid.hours),
        "figures": figures,
        "figure": figure if figure in dict(figures) else "house",
    }
    return render(request, GRID, context)


def _figures() -> list[tuple[str, str]]:
    return [
        ("house", _("Neto por apuestas")),
        ("drop", _("Caja contada")),
        ("estimate", _("Caja estimada")),
        ("result", _("Resultado estimado")),
        ("deduction", _("Deducción")),
        ("difference", _("Diferencia de controles")),
        ("rounds", _("Pases")),
    ]


def _pits(request: HttpRequest) -> Any:
    return Pit.objects.restrict(user_of(request), floor_policies.READ_FLOOR)


def _day(request: HttpRequest, today: dt.date) -> dt.date:
    """The day asked for; today where what was asked for is none."""
    try:
        day = dt.date.fromisoformat(request.GET.get("day", ""))
    except ValueError:
        return today
    return day if clock.EARLIEST.date() <= day < clock.LATEST.date() else today


def _time(request: HttpRequest, name: str) -> dt.time | None:
    try:
        return dt.time.fromisoformat(request.GET.get(name, ""))
    except ValueError:
        return None


def _window(request: HttpRequest) -> tuple[Window, Refused | None]:
    casino = user_of(request).casino
    day = _day(request, casino.gaming_day(clock.now()))
    try:
        return between(casino, day, _time(request, "first"), _time(request, "last")), None
    except Refused as refusal:
        return whole(casino, day), refusal


def _context(request: HttpRequest) -> dict[str, Any]:
    window, refusal = _window(request)
    asked = request.GET.get("pit", "")
    pits = list(_pits(request))
    pit = next((one for one in pits if str(one.pk) == asked), None)
    grouped: dict[str, list[told.Told]] = {}
    for event in told.events(window, pit, blind=blind(user_of(request))):
        grouped.setdefault(event.table, []).append(event)
    return {
        "window": window,
        "refusal": refusal,
        "pits": pits,
        "pit": pit,
        "lines": sums.of(window, pit, blind=blind(user_of(request))),
        "tables": list(grouped.items()),
        "alerts": [
            (
                alert,
                words_of(alert),
                label_of(alert),
                name_of(alert.acknowledged_by) if alert.acknowledged_by else None,
            )
            for alert in told.alerts(window, pit)
        ],
        "notes": [(found, name_of(found.by)) for found in told.notes(window, pit)],
        "first": request.GET.get("first", ""),
        "last": request.GET.get("last", ""),
        "before": window.day - dt.timedelta(days=1),
        "after": window.day + dt.timedelta(days=1),
        "may_note": permissions.may(user_of(request), policies.NOTE_SHIFT),
    }
