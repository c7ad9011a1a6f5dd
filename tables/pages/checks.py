"""At a table in mid-shift: its float checked while it plays, and a dispute opened with the cards in view."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from audits.pages.answers import by_of, chosen, one, refused, user_of, whole
from casino.kernel import money
from casino.kernel.errors import SabotError
from casino.models import User
from tables import disputes, policies
from tables.alerts import float_checks
from tables.models import FloatCheck, Round, Staff, Table, TableSession
from tables.money.box_seeing import blind, checks_in
from tables.pages import counts
from tables.results import of_house

CHECK, DISPUTE = "tables/alerts/check.html", "tables/alerts/dispute.html"


def check(request: HttpRequest, name: str) -> HttpResponse:
    """Count the float of a live table before two people; play may go on."""
    session = _live(request, name)
    if session is None:
        return redirect("table-open", name)
    context = _check_context(request, session)
    if request.method != "POST":
        return render(request, CHECK, context)
    try:
        by = by_of(request)
        cash = request.POST.get("cash", "").strip()
        float_checks.check_float(
            session=session,
            chips_counted=counts.typed_count(request, session.table),
            counted_by=chosen(context["staff"], request, "counted_by"),
            witnessed_by=chosen(context["supervisors"], request, "witnessed_by"),
            cash=money.typed(cash, get_language(), by.casino.exponent, field="cash") if cash else None,
            by=by,
        )
    except SabotError as refusal:
        return refused(request, CHECK, context, refusal)
    messages.success(request, _("Control registrado"))
    return redirect("table-check", session.table.name)


def dispute(request: HttpRequest, name: str) -> HttpResponse:
    """Stop a table for a dispute, its round as it lies (GEN-08)."""
    session = _live(request, name)
    if session is None:
        return redirect("table-open", name)
    if request.method != "POST":
        return render(request, DISPUTE, _dispute_context(session))
    try:
        seat = whole(request, "seat", default=0)
        incident = disputes.open_dispute(
            session=session, claims=request.POST.get("claims", ""), seat=seat or None, by=by_of(request)
        )
    except SabotError as refusal:
        return refused(request, DISPUTE, _dispute_context(session), refusal)
    messages.success(request, _("Mesa detenida: %(label)s") % {"label": incident.label})
    return redirect("incident", incident.pk)


def _check_context(request: HttpRequest, session: TableSession) -> dict[str, Any]:
    staff = Staff.objects.filter(casino=user_of(request).casino_id, active=True)
    return {
        "table": session.table,
        "session": session,
        "lines": counts.lines(request, session.table),
        "staff": staff,
        "supervisors": staff.filter(supervises=True),
        "logs_bets": session.detail == "full",
        "of_house": of_house(session),
        "checks": checks_of(session, user_of(request)),
    }


def checks_of(session: TableSession, user: User) -> list[FloatCheck]:
    """A session's float checks, the latest first; none while its drop is being counted, and to who counts it
    none before (FLOOR-11)."""
    rows = checks_in(session.casino, blind=blind(user)).filter(session=session)
    return list(rows.select_related("counted_by", "witnessed_by").order_by("-number"))


def _dispute_context(session: TableSession) -> dict[str, Any]:
    last = Round.objects.filter(session=session).order_by("-number").first()
    return {
        "table": session.table,
        "session": session,
        "round": last,
        "in_progress": last is not None and last.state == Round.State.OPEN,
        "in_view": disputes.cards_in_view(session, last) if last is not None else None,
        "seats": [("", "—"), *((str(seat), str(seat)) for seat in range(1, session.seats + 1))],
    }


def _live(request: HttpRequest, name: str) -> TableSession | None:
    tables = Table.objects.restrict(user_of(request), policies.READ_FLOOR)
    table = one(tables, name=name.upper())
    rows = TableSession.objects.filter(table=table, state__in=TableSession.LIVE)
    return rows.select_related("table", "table__pit", "table__casino", "day", "casino", "shoe").first()
