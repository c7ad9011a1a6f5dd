"""Staff: licence, games, history; each change with its reason."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits.pages.answers import by_of, changed, chosen, one, refused, rows_of, user_of
from casino import place
from casino.kernel import clock
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from casino.models import User
from tables import people
from tables.games import registry
from tables.models import Staff
from tables.roster.actions import DEPARTMENTS

VERSIONS = 30


def staff(request: HttpRequest) -> HttpResponse:
    """Who may stand at a table; POST registers a person."""
    context = _staff_context(request, None)
    place.shows(request, context["people"])
    if request.method != "POST":
        return render(request, "tables/staff.html", context)
    try:
        _set_staff(request, None)
    except SabotError as refusal:
        return refused(request, "tables/staff.html", context, refusal)
    return changed(request, "settings-staff")


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
    return changed(request, "settings-person", found.pk)


def _set_staff(request: HttpRequest, found: Staff | None) -> Staff:
    expires = _date(request, "licence_expires")
    if expires < user_of(request).casino.gaming_day(clock.now()) and "expired" not in request.POST:
        raise Refused(
            Text(
                "esa licencia ya venció: corrija la fecha, o marque que la registra vencida",
                "that licence has expired: correct the date, or tick that it is registered expired",
            ),
            code="licence_expired",
            rule="FLOOR-02",
            field="licence_expires",
        )
    return people.set_staff(
        number=request.POST.get("number", ""),
        name=request.POST.get("name", ""),
        licence=request.POST.get("licence", ""),
        licence_expires=expires,
        games=request.POST.getlist("games"),
        supervises="supervises" in request.POST,
        active="active" in request.POST or found is None,
        user=chosen(rows_of(User, request), request, "user", required=False),
        department=request.POST.get("department") or None,
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
        "departments": list(DEPARTMENTS.items()),
        "games": [(game.code, game.name) for game in registry.GAMES.values()],
        "logins": [(login.pk, f"{login.name} ({login.username})") for login in logins],
        "versions": found.history.select_related("history_user").order_by("-history_date")[:VERSIONS]
        if found
        else [],
    }


def _date(request: HttpRequest, field: str) -> dt.date:
    try:
        return dt.date.fromisoformat(request.POST.get(field, ""))
    except ValueError as error:
        raise Refused(
            Text("escriba una fecha, como 2027-06-30", "type a date, such as 2027-06-30"),
            code="bad_date",
            field=field,
        ) from error
