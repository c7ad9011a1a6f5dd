"""The roster: a week by person, a day by hour, planning, one shift with what may be done with it."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audits.by import By, by_user, name_of
from audits.models import Event
from audits.pages.answers import by_of, chosen, instant_of, one, refused, rows_of, user_of
from audits.pages.trail import sentence_of
from casino.kernel import clock
from casino.kernel.errors import SabotError
from tables.models import Shift, Staff
from tables.pages.reading_dates import date_in, date_of, moment_of, time_of
from tables.roster import clocking, grid, hours, presence, shifts
from tables.roster.certificates import expiring

TOLD = 20
"""Events shown beside a shift."""
UNNOTED = (Shift.State.PLANNED, Shift.State.ABSENT)
"""A shift that is past and in one of these has no hours yet."""


def week(request: HttpRequest) -> HttpResponse:
    """Seven gaming days by person; `from` is any day of the week wanted."""
    user = user_of(request)
    today = user.casino.gaming_day(clock.now())
    asked = date_in(request.GET.get("from", "")) or today
    first = asked - dt.timedelta(days=asked.weekday())
    context = {
        "week": grid.week(user.casino, first),
        "today": today,
        "before": first - dt.timedelta(days=7),
        "after": first + dt.timedelta(days=7),
        "expiring": len(expiring(user.casino, today)),
    }
    return render(request, "tables/roster/week.html", context)


def day(request: HttpRequest, date: str) -> HttpResponse:
    """One gaming day by hour: who is planned, who is in the house, who stands where."""
    wanted = date_in(date)
    if wanted is None:
        raise Http404
    user, instant = user_of(request), clock.now()
    today = user.casino.gaming_day(instant)
    context = {
        "day": grid.day_by_hour(user.casino, wanted, instant),
        "today": today,
        "now": instant,
        "before": wanted - dt.timedelta(days=1),
        "after": wanted + dt.timedelta(days=1),
        "off_shift": presence.posts_off_shift(user.casino, instant) if wanted == today else [],
    }
    return render(request, "tables/roster/day.html", context)


def plan(request: HttpRequest) -> HttpResponse:
    """Plan the same hours for several people over some days."""
    context = _plan_context(request)
    if request.method != "POST":
        return render(request, "tables/roster/plan.html", context)
    try:
        wanted = set(request.POST.getlist("staff"))
        first = date_of(request, "first")
        made = shifts.plan_pattern(
            staff=[person for person in context["people"] if str(person.pk) in wanted],
            first=first,
            last=date_of(request, "last"),
            weekdays=[int(day) for day in request.POST.getlist("weekdays") if day in set("0123456")],
            start=time_of(request, "start"),
            end=time_of(request, "end"),
            duty=request.POST.get("duty", ""),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, "tables/roster/plan.html", context, refusal)
    said = ngettext("%(n)s turno planificado", "%(n)s turnos planificados", len(made)) % {"n": len(made)}
    messages.success(request, said)
    response = redirect("roster")
    response["Location"] += f"?from={first.isoformat()}"
    return response


def _plan_context(request: HttpRequest) -> dict[str, Any]:
    today = user_of(request).casino.gaming_day(clock.now())
    asked = date_in(request.GET.get("from", "")) or today
    people = rows_of(Staff, request).filter(active=True).order_by(*grid.FLOOR_FIRST)
    return {
        "people": list(people),
        "picked": set(request.POST.getlist("staff")) or {request.GET.get("staff", "")},
        "weekdays": [(str(number), name) for number, name in WEEKDAYS.items()],
        "days_picked": set(request.POST.getlist("weekdays") if request.method == "POST" else "0123456"),
        "first": max(today, asked),
        "last": max(today, asked) + dt.timedelta(days=6 - max(today, asked).weekday()),
    }


def shift(request: HttpRequest, pk: int) -> HttpResponse:
    """One shift: planned and worked hours, its person's trail, and what may be done with it."""
    found = one(rows_of(Shift, request).select_related("staff", "casino"), pk=pk)
    return render(request, "tables/roster/shift.html", _shift_context(request, found))


def shift_plan(request: HttpRequest, pk: int) -> HttpResponse:
    """Change, cancel, correct or swap; `do` says which."""
    found = one(rows_of(Shift, request).select_related("staff", "casino"), pk=pk)
    try:
        _replan(request, found)
    except SabotError as refusal:
        context = _shift_context(request, found) | {"tried": request.POST.get("do")}
        return refused(request, "tables/roster/shift.html", context, refusal)
    messages.success(request, _("Turno actualizado"))
    return redirect("shift", found.pk)


def _replan(request: HttpRequest, found: Shift) -> None:
    by, do = by_of(request), request.POST.get("do")
    if do == "change":
        start, end = moment_of(request, "start"), moment_of(request, "end")
        duty = request.POST.get("duty", "")
        shifts.change_shift(shift=found, start=start, end=end, duty=duty, by=by)
    elif do == "cancel":
        shifts.cancel_shift(shift=found, by=by)
    elif do == "correct":
        clocking.correct_hours(
            shift=found, came=moment_of(request, "came"), left=moment_of(request, "left"), by=by
        )
    elif do == "swap":
        other = chosen(_swappable(found), request, "second")
        both = (found.staff, other.staff) if "agreed" in request.POST else ()
        shifts.swap_shifts(first=found, second=other, agreed=both, by=by)
    else:
        raise Http404


def shift_clock(request: HttpRequest, pk: int) -> HttpResponse:
    """A chief notes who came, left or did not come; `do` says which, `at` when (now if left out)."""
    found = one(rows_of(Shift, request).select_related("staff", "casino"), pk=pk)
    try:
        by, do = by_of(request), request.POST.get("do")
        at = instant_of(request, "at")
        if at is not None:
            by = _stating(request, at)
        if do == "in":
            clocking.clock_in(staff=found.staff, shift=found, by=by)
        elif do == "out":
            clocking.clock_out(staff=found.staff, shift=found, by=by)
        elif do == "absent":
            shifts.mark_absent(shift=found, by=by)
        else:
            raise Http404
    except SabotError as refusal:
        context = _shift_context(request, found) | {"tried": request.POST.get("do")}
        return refused(request, "tables/roster/shift.html", context, refusal)
    messages.success(request, _("Turno actualizado"))
    return redirect("shift", found.pk)


def _stating(request: HttpRequest, at: dt.datetime) -> By:
    return by_user(user_of(request), occurred_at=at, reason=request.POST.get("reason", "").strip())


def _shift_context(request: HttpRequest, found: Shift) -> dict[str, Any]:
    return {
        "shift": found,
        "minutes": hours.minutes(found.start, found.end),
        "worked": hours.minutes(found.came, found.left) if found.came and found.left else None,
        "off": hours.punctuality((found.start, found.end), found.came, found.left),
        "swappable": [(other.pk, f"{other.staff.name} · {_shown(other)}") for other in _swappable(found)],
        "events": [(event, sentence_of(event), name_of(event.actor)) for event in _told_of(found)],
        "late": found.state == Shift.State.PLANNED and clock.now() > found.start,
        "begun": clock.now() >= found.start,
        "correctable": found.left or (found.state in UNNOTED and clock.now() >= found.end),
        "may_arrive": found.on_now or clock.now() >= found.start - hours.EARLIEST_ARRIVAL,
    }


def _told_of(found: Shift) -> Any:
    """The events of a shift, oldest first, on whosever stream they are."""
    rows = Event.objects.filter(casino=found.casino_id, subject_type="shift", subject_id=found.pk)
    return rows.select_related("actor").order_by("pk")[:TOLD]


def _swappable(found: Shift) -> Any:
    """Planned shifts of others of the department within a week, which this one may be swapped for."""
    week = dt.timedelta(days=7)
    rows = Shift.objects.filter(casino=found.casino_id, state=Shift.State.PLANNED).exclude(
        staff=found.staff_id
    )
    near = rows.filter(
        day__gte=found.day - week, day__lte=found.day + week, staff__department=found.staff.department
    )
    return near.select_related("staff", "casino").order_by("planned", "staff__name")


def _shown(found: Shift) -> str:
    zone = ZoneInfo(found.casino.zone)
    return f"{found.start.astimezone(zone):%d/%m %H:%M}–{found.end.astimezone(zone):%H:%M}"
