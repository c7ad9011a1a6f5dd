"""People at work: licences and certificates, and everybody's own post on their own phone."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits.pages.answers import by_of, one, refused, rows_of, unless_changed, user_of
from casino import place
from casino.kernel import clock
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from tables.games import registry
from tables.models import Shift, Staff
from tables.pages.reading_dates import date_of
from tables.roster import certificates, clocking, grid, post, sums, turns

SHIFTS_SHOWN = 14


def people(request: HttpRequest) -> HttpResponse:
    """Who works in the house: licence, games, time at the tables now, and what runs out."""
    casino, instant = user_of(request).casino, clock.now()
    today = casino.gaming_day(instant)
    rows = rows_of(Staff, request).order_by("-active", *grid.FLOOR_FIRST)
    place.shows(request, rows)
    standing = turns.standing(casino, instant)
    present = set(
        Shift.objects.filter(casino=casino, state=Shift.State.PRESENT).values_list("staff_id", flat=True)
    )
    context = {
        "people": [(person, standing.get(person.pk), person.pk in present) for person in rows],
        "expiring": certificates.expiring(casino, today),
        "today": today,
    }
    return render(request, "tables/roster/people.html", context)


def person(request: HttpRequest, pk: int) -> HttpResponse:
    """One person: certificates, shifts, hours of the month."""
    found = one(rows_of(Staff, request), pk=pk)
    return render(request, "tables/roster/person.html", _person_context(request, found))


def certify(request: HttpRequest, pk: int) -> HttpResponse:
    """Record a certificate for a game."""
    found = one(rows_of(Staff, request), pk=pk)
    try:
        certificates.certify(
            staff=found,
            game=request.POST.get("game", ""),
            since=date_of(request, "since"),
            until=date_of(request, "until") if request.POST.get("until") else None,
            certified_by=request.POST.get("certified_by", ""),
            document=request.POST.get("document", ""),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, "tables/roster/person.html", _person_context(request, found), refusal)
    messages.success(request, _("Habilitación registrada"))
    return redirect("people-one", found.pk)


def _person_context(request: HttpRequest, found: Staff) -> dict[str, Any]:
    casino, instant = user_of(request).casino, clock.now()
    today = casino.gaming_day(instant)
    month = sums.hours_of(casino, today.replace(day=1), today, instant, staff=found)
    return {
        "person": found,
        "today": today,
        "certificates": list(
            found.certificates.select_related("recorded_by").order_by("game", "-since", "-pk")
        ),
        "shifts": list(Shift.objects.filter(staff=found).order_by("-planned")[:SHIFTS_SHOWN]),
        "month": month[0] if month else sums.Hours(found),
        "games": [(game.code, game.name) for game in registry.GAMES.values()],
        "expiring": [one for one in certificates.expiring(casino, today) if one.staff.pk == found.pk],
    }


def my_post(request: HttpRequest) -> HttpResponse:
    """Where whoever asks stands, until when, and what comes next; htmx asks for the board alone."""
    context = _post_context(request)
    if request.headers.get("HX-Request"):
        return unless_changed(request, "tables/roster/_my_post.html", context)
    return render(request, "tables/roster/my_post.html", context)


def my_clock(request: HttpRequest) -> HttpResponse:
    """Come to work or leave it, as it happens; `do` says which."""
    clock_it = {"in": clocking.clock_in, "out": clocking.clock_out}.get(request.POST.get("do", ""))
    if clock_it is None:
        raise Http404
    try:
        staff = rows_of(Staff, request).filter(user=user_of(request)).first()
        if staff is None:
            raise Refused(
                Text("su usuario no es de nadie del personal", "your login is nobody's of the staff"),
                code="no_staff",
            )
        clock_it(staff=staff, by=by_of(request))
    except SabotError as refusal:
        return refused(request, "tables/roster/my_post.html", _post_context(request), refusal)
    messages.success(request, _("Anotado"))
    return redirect("my-post")


def _post_context(request: HttpRequest) -> dict[str, Any]:
    return {"own": post.own_post(user_of(request), clock.now())}
