"""The plan of posts: what is in force, drafts, one plan as a grid with its acts, the reliefs due now."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audits.by import name_of
from audits.pages.answers import by_of, chosen, instant_of, one, refused, rows_of, user_of, whole
from casino.kernel import clock
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import Pit, PlannedTurn, RotationPlan, Staff, Table
from tables.roster.rota import applying, asking, carrying_out, drafting, ledger, mending
from tables.roster.rota.gathering import LEDGER
from tables.roster.rota.sheet import Row, Run, Sheet, sheet
from tables.roster.turns import limits_of

PLANS, PLAN, NOW = (f"tables/rotation/{name}.html" for name in ("plans", "plan", "now"))
RECENT = dt.timedelta(days=2)
COMING = dt.timedelta(minutes=40)
SLOTS = (10, 15, 20, 30)
LENGTH = dt.timedelta(hours=6)


def plans(request: HttpRequest) -> HttpResponse:
    """What is in force now, the drafts that wait, the ledger; POST drafts another plan."""
    if request.method != "POST":
        return render(request, PLANS, _plans(request))
    try:
        made = drafting.draft_plan(
            starts=_instant(request, "starts"),
            ends=_instant(request, "ends"),
            slot_minutes=whole(request, "slot_minutes", default=30),
            pit=chosen(rows_of(Pit, request), request, "pit", required=False),
            tables=_ticked(request, Table, "tables"),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, PLANS, _plans(request), refusal)
    return redirect("rotation-plan", made.pk)


def plan(request: HttpRequest, pk: int) -> HttpResponse:
    """One plan as a grid; `persona` and `desde` choose a run of it, whose reason and acts are shown."""
    found = _plan(request, pk)
    return render(request, PLAN, _context(request, found))


def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Move one person in a draft."""
    found = _plan(request, pk)
    try:
        drafting.edit_draft(
            plan=found,
            staff=chosen(rows_of(Staff, request), request, "staff"),
            from_slot=whole(request, "from_slot"),
            to_slot=whole(request, "to_slot"),
            post=request.POST.get("post", ""),
            swap="swap" in request.POST,
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, PLAN, _context(request, found), refusal)
    messages.success(request, _("Borrador corregido"))
    return redirect("rotation-plan", found.pk)


def apply(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a draft in force."""
    found = _plan(request, pk)
    try:
        applying.apply_plan(plan=found, by=by_of(request))
    except SabotError as refusal:
        return refused(request, PLAN, _context(request, found), refusal)
    messages.success(request, _("Plan aplicado"))
    return redirect("rotation-plan", found.pk)


def drop(request: HttpRequest, pk: int) -> HttpResponse:
    """Throw a draft away."""
    found = _plan(request, pk)
    try:
        drafting.drop_draft(plan=found, by=by_of(request))
    except SabotError as refusal:
        return refused(request, PLAN, _context(request, found), refusal)
    messages.success(request, _("Borrador descartado"))
    return redirect("rotation")


def absent(request: HttpRequest, pk: int) -> HttpResponse:
    """Mend the plan for those who did not come; `do` says whether it is in force at once."""
    found = _plan(request, pk)
    try:
        made = mending.replan_no_show(
            plan=found,
            absent=_ticked(request, Staff, "absent"),
            apply=request.POST.get("do") == "apply",
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, PLAN, _context(request, found), refusal)
    messages.success(request, _("Plan rehecho sin quienes faltan"))
    return redirect("rotation-plan", made.pk)


def swap(request: HttpRequest, pk: int) -> HttpResponse:
    """Two people in each other's place; `do` says whether it is in force at once."""
    found = _plan(request, pk)
    try:
        made = mending.swap_turns(
            plan=found,
            first=chosen(rows_of(Staff, request), request, "first"),
            second=chosen(rows_of(Staff, request), request, "second"),
            from_slot=whole(request, "from_slot"),
            to_slot=whole(request, "to_slot"),
            apply=request.POST.get("do") == "apply",
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, PLAN, _context(request, found), refusal)
    messages.success(request, _("Permuta aplicada") if made.applied_at else _("Permuta propuesta"))
    return redirect("rotation-plan", made.pk)


def now(request: HttpRequest) -> HttpResponse:
    """The reliefs due now, to be confirmed in one tap; POST makes those that are ticked."""
    if request.method != "POST":
        return render(request, NOW, _now(request))
    try:
        done = carrying_out.carry_out(turns=_ticked(request, PlannedTurn, "turn"), by=by_of(request))
    except SabotError as refusal:
        return refused(request, NOW, _now(request), refusal)
    made = len(done.done)
    said = ngettext("%(n)s relevo hecho", "%(n)s relevos hechos", made) % {"n": made}
    messages.success(request, said)
    if done.failed:
        return render(request, NOW, _now(request) | {"failed": done.failed})
    return redirect("rotation-now")


def _plan(request: HttpRequest, pk: int) -> RotationPlan:
    found: RotationPlan = one(
        rows_of(RotationPlan, request).select_related("casino", "pit", "base", "made_by", "applied_by"), pk=pk
    )
    return found


def _plans(request: HttpRequest) -> dict[str, Any]:
    casino, instant = user_of(request).casino, clock.now()
    today = casino.gaming_day(instant)
    rows = rows_of(RotationPlan, request).select_related("casino", "pit", "made_by", "applied_by")
    valid = PlannedTurn.objects.filter(casino=casino, in_force__endswith__gt=instant)
    in_force = rows.filter(pk__in=valid.values("plan"))
    starts = _next_half_hour(instant)
    return {
        "today": today,
        "sheets": [sheet(plan, instant) for plan in in_force.order_by("starts", "number")],
        "drafts": rows.filter(state=RotationPlan.State.DRAFT, ends__gt=instant),
        "past": rows.filter(day__gte=today - RECENT).exclude(state=RotationPlan.State.DRAFT)[:10],
        "due": len(asking.due_reliefs(casino, instant, asking.AHEAD)),
        "pits": [(pit.pk, pit.name) for pit in rows_of(Pit, request)],
        "tables": rows_of(Table, request).filter(active=True).select_related("pit").order_by("name"),
        "ticked": set(request.POST.getlist("tables")),
        "minutes": [
            (minutes, f"{minutes} min") for minutes in SLOTS if minutes <= limits_of(casino).in_a_row
        ],
        "starts": _local(casino, starts),
        "ends": _local(casino, starts + LENGTH),
        "credits": ledger.credits_of(casino, today - LEDGER),
    }


def _next_half_hour(instant: dt.datetime) -> dt.datetime:
    half = dt.timedelta(minutes=30)
    past = dt.timedelta(minutes=instant.minute % 30, seconds=instant.second, microseconds=instant.microsecond)
    return instant - past + half


def _local(casino: Casino, instant: dt.datetime) -> str:
    return f"{instant.astimezone(ZoneInfo(casino.zone)):%Y-%m-%dT%H:%M}"


def _context(request: HttpRequest, found: RotationPlan) -> dict[str, Any]:
    instant = clock.now()
    found.refresh_from_db()
    shown = sheet(found, instant)
    row, run = _chosen(request, shown)
    hours = [f"{slot.astimezone(ZoneInfo(found.casino.zone)):%H:%M}" for slot in (*shown.slots, found.ends)]
    running = PlannedTurn.objects.filter(plan=found, in_force__endswith__gt=instant).exists()
    return {
        "today": user_of(request).casino.gaming_day(instant),
        "sheet": shown,
        "plan": found,
        "in_force": found.state == RotationPlan.State.APPLIED and running,
        "row": row,
        "run": run,
        "from_choices": list(enumerate(hours[:-1])),
        "to_choices": list(enumerate(hours))[1:],
        "post_choices": shown.posts,
        "people": [(other.staff, other.name) for other in shown.rows],
        "made_by": name_of(found.made_by),
        "applied_by": name_of(found.applied_by) if found.applied_by else None,
    }


def _chosen(request: HttpRequest, shown: Sheet) -> tuple[Row | None, Run | None]:
    """The run that was tapped."""
    asked = request.GET.get("persona", ""), request.GET.get("desde", "")
    row = next((row for row in shown.rows if str(row.staff) == asked[0]), None)
    run = next((run for run in row.runs if str(run.first) == asked[1]), None) if row else None
    return row, run


def _now(request: HttpRequest) -> dict[str, Any]:
    casino, instant = user_of(request).casino, clock.now()
    return {
        "today": casino.gaming_day(instant),
        "instant": instant,
        "due": asking.due_reliefs(casino, instant, asking.AHEAD),
        "coming": asking.coming_reliefs(casino, instant + asking.AHEAD, COMING),
    }


def _ticked(request: HttpRequest, model: Any, field: str) -> list[Any]:
    """The rows whose boxes are ticked, of the person's own house."""
    keys = [int(pk) for pk in request.POST.getlist(field) if pk.isascii() and pk.isdigit() and len(pk) < 19]
    if len(keys) > 300:
        raise Http404
    return list(rows_of(model, request).filter(pk__in=keys))


def _instant(request: HttpRequest, field: str) -> dt.datetime:
    found = instant_of(request, field)
    if found is None:
        raise Refused(
            Text(
                "escriba fecha y hora, como 2026-11-29T21:30", "type date and time, such as 2026-11-29T21:30"
            ),
            code="bad_date",
            field=field,
        )
    return found
