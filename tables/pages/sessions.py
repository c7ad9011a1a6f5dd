"""Opening, closing, relief, a new shoe, the drop: what a supervisor signs at a table."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits.models import Event
from audits.pages.answers import by_of, chosen, one, page_of, refused, user_of
from casino.kernel import clock, money
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from shoes import queries as shoe_queries
from tables import chips, crew, policies, queries, sessions
from tables.models import Assignment, Round, Staff, Table, TableSession
from tables.seeing import sessions_seen_by

PREFIX = "n_"


@dataclass(frozen=True, slots=True)
class Line:
    """One denomination of a count: what is typed, what the previous closing says."""

    denomination: int
    typed: str
    before: int | None


@dataclass(frozen=True, slots=True)
class Balance:
    """A count against what it should be: totals in smallest units, chips by denomination."""

    total: int
    expected: int | None
    difference: int | None
    by_denomination: tuple[tuple[int, int], ...] = ()


# ---- opening --------------------------------------------------------------------------------------


def open_table(request: HttpRequest, name: str) -> HttpResponse:
    """Open a closed table: shoe, people, counted float."""
    table = _table(request, name)
    if _open(table) is not None:
        return redirect("table", table.name)
    context = _opening_context(request, table)
    if request.method != "POST":
        return render(request, "tables/open.html", context)
    try:
        payers = [
            chosen(context["payers"], request, f"payer_{n}", required=False)
            for n in range(1, context["payer_count"] + 1)
        ]
        sessions.open_session(
            table=table,
            shoe=chosen(context["shoes"], request, "shoe"),
            chips_counted=_typed_count(request),
            dealer=chosen(context["dealers"], request, "dealer"),
            supervisor=chosen(context["supervisors"], request, "supervisor"),
            payers=[person for person in payers if person is not None],
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, "tables/open.html", _opening_context(request, table), refusal)
    messages.success(request, _("Mesa %(table)s abierta") % {"table": table.name})
    return redirect("table", table.name)


def _opening_context(request: HttpRequest, table: Table) -> dict[str, Any]:
    user, day = user_of(request), user_of(request).casino.gaming_day(clock.now())
    post = crew.dealing_post(table.game)
    return {
        "table": table,
        "shoes": shoe_queries.ready_shoes(user, table.game),
        "dealers": queries.fit_staff(user, table.game, post, day),
        "dealer_post": queries.POST_NAMES[post],
        "payers": queries.fit_staff(user, table.game, "payer", day),
        "payer_count": crew.wanted(table.game).get("payer", 0),
        "payer_range": range(1, crew.wanted(table.game).get("payer", 0) + 1),
        "supervisors": queries.fit_staff(user, table.game, "supervisor", day),
        "lines": _lines(request, table),
        "balance": _balance(request, table, None),
    }


# ---- closing --------------------------------------------------------------------------------------


def close_table(request: HttpRequest, name: str) -> HttpResponse:
    """Close an open table on a count signed by two."""
    table = _table(request, name)
    session = _open(table)
    if session is None:
        return redirect("table-open", table.name)
    context = _closing_context(request, table, session)
    if request.method != "POST":
        return render(request, "tables/close.html", context)
    try:
        by = by_of(request)
        drop = request.POST.get("drop", "").strip()
        sessions.close_session(
            session=session,
            chips_counted=_typed_count(request),
            counted_by=chosen(context["staff"], request, "counted_by"),
            witnessed_by=chosen(context["supervisors"], request, "witnessed_by"),
            drop=money.parse(drop, by.casino.exponent, field="drop") if drop else None,
            by=by,
        )
    except SabotError as refusal:
        return refused(request, "tables/close.html", _closing_context(request, table, session), refusal)
    messages.success(request, _("Mesa %(table)s cerrada") % {"table": table.name})
    return redirect("session", session.pk)


def _closing_context(request: HttpRequest, table: Table, session: TableSession) -> dict[str, Any]:
    staff = Staff.objects.filter(casino=user_of(request).casino_id, active=True)
    at_table = list(queries.crew_of(session))
    return {
        "table": table,
        "session": session,
        "staff": staff,
        "supervisors": staff.filter(supervises=True),
        "counted_by": next((a.staff_id for a in at_table if a.post in ("caller", "dealer")), None),
        "witnessed_by": next((a.staff_id for a in at_table if a.post == "supervisor"), None),
        "in_progress": Round.objects.filter(session=session, state=Round.State.OPEN).first(),
        "lines": _lines(request, table),
        "balance": _balance(request, table, session),
    }


def count(request: HttpRequest, name: str) -> HttpResponse:
    """What the count adds up to so far, against what it should be; asked while it is typed."""
    table = _table(request, name)
    context = {"table": table, "session": _open(table), "balance": _balance(request, table, _open(table))}
    return render(request, "tables/_balance.html", context)


def _balance(request: HttpRequest, table: Table, session: TableSession | None) -> Balance:
    counted: dict[int, int] = {}
    for denomination in table.casino.denominations:
        typed = request.POST.get(f"{PREFIX}{denomination}", "").strip()
        if typed.isascii() and typed.isdigit() and len(typed) < 8:
            counted[denomination] = int(typed)
    total = chips.total(counted)
    touched = bool(counted)
    if session is not None:
        # Without logged bets nobody knows what the tray should hold.
        expected = sessions.expected_tray(session) if session.detail == "full" else None
        return Balance(total, expected, None if expected is None or not touched else total - expected)
    previous = queries.previous_closing(table)
    if previous is None:
        return Balance(total, None, None)
    if not touched:
        return Balance(total, previous.total, None)
    by_chip = chips.difference(chips.loaded(previous.chips), {k: v for k, v in counted.items() if v})
    return Balance(
        total, previous.total, total - previous.total, tuple(sorted(by_chip.items(), reverse=True))
    )


def _lines(request: HttpRequest, table: Table) -> list[Line]:
    previous = queries.previous_closing(table)
    before = chips.loaded(previous.chips) if previous else None
    return [
        Line(d, request.POST.get(f"{PREFIX}{d}", ""), None if before is None else before.get(d, 0))
        for d in sorted(table.casino.denominations, reverse=True)
    ]


def _typed_count(request: HttpRequest) -> dict[int, int]:
    """The count as typed, by denomination; an empty line is zero."""
    counted: dict[int, int] = {}
    for name in request.POST:
        if name.startswith(PREFIX) and name[len(PREFIX) :].isdigit():
            typed = request.POST[name].strip() or "0"
            if not (typed.isascii() and typed.isdigit() and len(typed) < 8):
                raise Refused(
                    Text(
                        "la cantidad de fichas es un número entero", "the number of chips is a whole number"
                    ),
                    code="bad_count",
                    rule="FLOOR-04",
                    field="chips",
                )
            counted[int(name[len(PREFIX) :])] = int(typed)
    return counted


# ---- while it is open -----------------------------------------------------------------------------


def relieve(request: HttpRequest, name: str) -> HttpResponse:
    """Put someone on a post; who held it leaves it in the same act."""
    table = _table(request, name)
    session = _open(table)
    if session is None:
        return redirect("table-open", table.name)
    context = _relief_context(request, session)
    if request.method != "POST":
        return render(request, "tables/relieve.html", context)
    try:
        post = request.POST.get("post", "")
        staff = chosen(Staff.objects.filter(casino=user_of(request).casino_id, active=True), request, "staff")
        sessions.relieve(session=session, staff=staff, post=post, by=by_of(request))
    except SabotError as refusal:
        shown = refusal if refusal.field in {"post", "staff"} else _beside(refusal, "staff")
        return refused(request, "tables/relieve.html", context, shown)
    messages.success(request, _("%(name)s toma el puesto") % {"name": staff.name})
    return redirect("table", table.name)


def _relief_context(request: HttpRequest, session: TableSession) -> dict[str, Any]:
    user, instant = user_of(request), clock.now()
    held = list(queries.crew_of(session))
    posts = list(crew.wanted(session.game))
    wanted = request.POST.get("post") or request.GET.get("post") or posts[0]
    return {
        "table": session.table,
        "session": session,
        "held": [(a, int((instant - a.during.lower).total_seconds() // 60)) for a in held],
        "missing": [queries.POST_NAMES[post] for post in crew.missing(session.game, [a.post for a in held])],
        "posts": [(post, queries.POST_NAMES[post]) for post in posts],
        "post_now": wanted,
        "staff": queries.fit_staff(user, session.game, wanted, session.day.date)
        if wanted in posts
        else Staff.objects.none(),
    }


def load_shoe(request: HttpRequest, name: str) -> HttpResponse:
    """Take the shoe off the table and put a prepared one on."""
    table = _table(request, name)
    session = _open(table)
    if session is None:
        return redirect("table-open", table.name)
    context: dict[str, Any] = {
        "table": table,
        "session": session,
        "shoes": shoe_queries.ready_shoes(user_of(request), session.game),
    }
    if request.method != "POST":
        return render(request, "tables/shoe.html", context)
    try:
        shoe = chosen(context["shoes"], request, "shoe")
        sessions.load_shoe(session=session, shoe=shoe, by=by_of(request))
    except SabotError as refusal:
        return refused(request, "tables/shoe.html", context, refusal)
    messages.success(request, _("Entra el sabot %(shoe)s") % {"shoe": shoe.label})
    return redirect("table", table.name)


# ---- afterwards -----------------------------------------------------------------------------------


def listing(request: HttpRequest) -> HttpResponse:
    """Sessions, newest first, by day or table."""
    rows = sessions_seen_by(user_of(request)).select_related("table", "day", "shoe")
    day, table = request.GET.get("day", ""), request.GET.get("table", "").strip().upper()
    if day:
        rows = rows.filter(day__date=day) if _is_date(day) else rows.none()
    if table:
        rows = rows.filter(table__name=table[:10])
    return render(
        request, "tables/sessions.html", {"page": page_of(request, rows), "day": day, "table_name": table}
    )


def detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One session: counts, people, rounds, its trail."""
    session = one(sessions_seen_by(user_of(request)).select_related("table", "day", "casino", "shoe"), pk=pk)
    return render(request, "tables/session.html", _session_context(request, session))


def record_drop(request: HttpRequest, pk: int) -> HttpResponse:
    """The drop of a closed session, once counted."""
    session = one(TableSession.objects.restrict(user_of(request), policies.RECORD_DROP), pk=pk)
    try:
        by = by_of(request)
        drop = money.parse(request.POST.get("drop", ""), by.casino.exponent, field="drop")
        sessions.record_drop(session=session, drop=drop, by=by)
    except SabotError as refusal:
        return refused(request, "tables/session.html", _session_context(request, session), refusal)
    messages.success(request, _("Caja registrada"))
    return redirect("session", session.pk)


def _session_context(request: HttpRequest, session: TableSession) -> dict[str, Any]:
    rounds = Round.objects.filter(session=session).select_related("dealer").order_by("-number")
    return {
        "session": session,
        "counts": list(session.counts.select_related("counted_by", "witnessed_by").order_by("pk")),
        "people": list(Assignment.objects.filter(session=session).select_related("staff").order_by("pk")),
        "page": page_of(request, rounds),
        "events": Event.objects.filter(casino=session.casino_id, stream__name=session.stream).count(),
    }


def _is_date(text: str) -> bool:
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _beside(refusal: SabotError, field: str) -> SabotError:
    """The same refusal, shown beside the field of this form that caused it."""
    refusal.field = field
    return refusal


def _table(request: HttpRequest, name: str) -> Table:
    rows = Table.objects.restrict(user_of(request), policies.READ_FLOOR).select_related("casino", "pit")
    found: Table = one(rows, name=name.upper())
    return found


def _open(table: Table) -> TableSession | None:
    rows = TableSession.objects.filter(table=table, state=TableSession.State.OPEN)
    return rows.select_related("table", "day", "casino", "shoe").first()
