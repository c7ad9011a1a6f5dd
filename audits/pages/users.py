"""Logins: made, given other roles, shut off. Every change has its reason."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits import people
from audits.models import Event
from audits.pages.answers import by_of, changed, one, refused, rows_of
from audits.pages.trail import sentence_of
from audits.trail import SETTINGS_STREAM
from casino import place
from casino.kernel.errors import Refused, SabotError
from casino.kernel.permissions import ROLE_NAMES, Role
from casino.kernel.words import Text
from casino.models import User

LANGUAGES = User._meta.get_field("language").choices


def listing(request: HttpRequest) -> HttpResponse:
    """The logins of the house; POST makes one."""
    if request.method != "POST":
        return render(request, "audits/users.html", _listing(request))
    try:
        user = people.create_user(
            username=request.POST.get("username", ""),
            name=request.POST.get("name", ""),
            password=request.POST.get("password", ""),
            roles=_roles(request),
            language="en" if request.POST.get("language") == "en" else "es-bo",
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, "audits/users.html", _listing(request), refusal)
    messages.success(request, _("Usuario %(name)s creado") % {"name": user.username})
    return redirect("settings-users")


def change(request: HttpRequest, pk: int) -> HttpResponse:
    """One login: its roles, its password, whether it may enter."""
    user = one(_people(request), pk=pk)
    context = _change(user)
    if request.method != "POST":
        return render(request, "audits/user.html", context)
    try:
        by, act = by_of(request), request.POST.get("act")
        if act == "roles":
            people.set_roles(user=user, roles=_roles(request), by=by)
        elif act == "password":
            people.set_password(user=user, password=request.POST.get("password", ""), by=by)
        elif act in ("activate", "deactivate"):
            people.set_active(user=user, active=act == "activate", by=by)
        else:
            raise Refused(Text("elija qué cambiar", "choose what to change"), code="unknown_act")
    except SabotError as refusal:
        user.refresh_from_db()
        return refused(request, "audits/user.html", context | {"act": request.POST.get("act")}, refusal)
    return changed(request, "settings-user", user.pk)


def _roles(request: HttpRequest) -> list[Role]:
    known = {role.value: role for role in Role}
    given = request.POST.getlist("roles")
    if not set(given) <= set(known):
        raise Refused(Text("esa función no existe", "there is no such role"), code="bad_user", field="roles")
    return [known[code] for code in given]


def _people(request: HttpRequest) -> Any:
    return rows_of(User, request).exclude(role_codes__contains=[Role.SYSTEM.value]).order_by("username")


def _listing(request: HttpRequest) -> dict[str, Any]:
    ticked = request.POST.getlist("roles")
    people_shown = list(_people(request))
    place.shows(request, people_shown)
    return {"people": people_shown, "roles": _offered(), "languages": LANGUAGES, "ticked": ticked}


def _change(user: User) -> dict[str, Any]:
    events = Event.objects.filter(
        subject_type="actor", subject_id=user.actor.pk, stream__name=SETTINGS_STREAM
    )
    history = [(event, sentence_of(event)) for event in events.select_related("actor").order_by("-id")[:30]]
    return {"person": user, "roles": _offered(), "history": history}


def _offered() -> list[tuple[str, Text]]:
    return [(role.value, words) for role, words in ROLE_NAMES.items() if role is not Role.SYSTEM]
