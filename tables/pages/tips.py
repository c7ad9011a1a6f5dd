"""Tips on pages: counted, shared out by day, approved by two; and everybody's own."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.pages.answers import by_of, chosen, one, page_of, refused, rows_of, user_of
from casino.kernel.errors import SabotError
from casino.models import GamingDay
from shoes.pages.reading import second_person
from tables.models import Staff, TableSession, TipDistribution, TipEntry
from tables.money import tip_handing, tips
from tables.pages import cage_forms as forms

TIPS = "tables/tips/tips.html"
RECENT = 60


def listing(request: HttpRequest) -> HttpResponse:
    """The tips of each day and how they are shared; POST enters those of a table."""
    if request.method != "POST":
        return render(request, TIPS, _context(request))
    try:
        session = chosen(_sessions(request), request, "session")
        tips.enter_tips(session=session, chips_counted=forms.typed(request), by=forms.by_form(request))
    except SabotError as refusal:
        if refusal.code != "sent_twice":
            return refused(request, TIPS, _context(request), refusal)
    messages.success(request, _("Propinas de %(table)s registradas") % {"table": session.table.name})
    return redirect("tips")


def draft(request: HttpRequest) -> HttpResponse:
    """Work out who gets what of a day."""
    try:
        made = tips.draft_tips(day=chosen(_days(request), request, "day"), by=by_of(request))
    except SabotError as refusal:
        return refused(request, TIPS, _context(request), refusal)
    messages.success(
        request, _("Reparto del %(day)s preparado: lo aprueban dos personas") % {"day": made.day}
    )
    return redirect("tips")


@sensitive_post_parameters("second_password")
def approve(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve a draft, with a second person's password (GEN-10)."""
    held: TipDistribution = one(rows_of(TipDistribution, request), pk=pk)
    try:
        tips.approve_tips(distribution=held, with_=second_person(request, "second"), by=by_of(request))
    except SabotError as refusal:
        return refused(request, TIPS, _context(request) | {"about": held.pk}, refusal)
    messages.success(request, _("Reparto aprobado"))
    return redirect("tips")


@sensitive_post_parameters("second_password")
def hand_over(request: HttpRequest, pk: int) -> HttpResponse:
    """A share put into a hand, with the receiver's password or a witness's (GEN-10)."""
    held: TipDistribution = one(rows_of(TipDistribution, request), pk=pk)
    try:
        people = Staff.objects.filter(casino=held.casino_id, pk__in=[line["staff"] for line in held.lines])
        given = tip_handing.hand_over(
            distribution=held,
            staff=chosen(people, request, "staff"),
            signed_by=second_person(request, "second"),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, TIPS, _context(request) | {"about": held.pk}, refusal)
    messages.success(request, _("Propinas entregadas a %(name)s") % {"name": given.staff.name})
    return redirect("tips")


def mine(request: HttpRequest) -> HttpResponse:
    """What whoever asks was given, day by day."""
    staff = Staff.objects.filter(casino=user_of(request).casino_id, user=user_of(request).pk).first()
    rows = [] if staff is None else list(tips.shares_of(staff))
    context = {"staff": staff, "rows": rows, "total": sum(row["amount"] for row in rows)}
    return render(request, "tables/tips/mine.html", context)


def _context(request: HttpRequest) -> dict[str, Any]:
    entered = rows_of(TipEntry, request).values("day").annotate(total=Sum("amount")).order_by("-day__date")
    pools = {row["day"]: row["total"] for row in entered[:RECENT]}
    shared = {
        row.day_id: row
        for row in rows_of(TipDistribution, request)
        .filter(day__in=list(pools))
        .select_related("drafted_by", "approved_by", "approved_with")
    }
    found = GamingDay.objects.in_bulk(list(pools))
    days = [{"day": found[day], "total": pools[day], **_shared(shared.get(day))} for day in pools]
    return {
        "page": page_of(request, days, 8),
        "form_number": forms.form_number(request),
        "lines": forms.chip_boxes(request),
        "sessions": [(row.pk, row.label) for row in _sessions(request)[:RECENT]],
    }


def _shared(row: TipDistribution | None) -> dict[str, Any]:
    """How a day is shared: its lines with what was handed over, and who still waits for theirs."""
    if row is None:
        return {"shared": None}
    hands = tip_handing.handed(row) if row.state == TipDistribution.State.APPROVED else {}
    lines = [{**line, "hand": hands.get(line["staff"])} for line in row.lines]
    waiting = [(line["staff"], line["name"]) for line in lines if line["amount"] and line["hand"] is None]
    return {"shared": row, "lines": lines, "waiting": waiting}


def _days(request: HttpRequest) -> Any:
    return rows_of(GamingDay, request)


def _sessions(request: HttpRequest) -> Any:
    rows = rows_of(TableSession, request).filter(day__state=GamingDay.State.OPEN)
    shared = TipDistribution.objects.filter(state=TipDistribution.State.APPROVED).values("day")
    return rows.exclude(day__in=shared).select_related("table", "day").order_by("-day__date", "table__name")
