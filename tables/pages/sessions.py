"""Opening, closing, relief, a new shoe, the drop: what a supervisor signs at a table."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits.models import Event
from audits.pages.answers import by_of, chosen, one, page_of, refused, user_of
from casino.kernel import clock
from casino.kernel.errors import SabotError
from shoes import queries as shoe_queries
from shoes.counting import keeps_stop_card
from shoes.procedures import procedure_of
from tables import closings, crew, openings, policies, queries, results, sessions, statement, storing
from tables.bank.figures import banked
from tables.floor_settings import settings_of
from tables.games import registry
from tables.models import Assignment, Round, Staff, Table, TableSession
from tables.money import box_seeing
from tables.pages import counts, preflight
from tables.pages.checks import checks_of
from tables.roster import presence, turns
from tables.seeing import sessions_seen_by

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
        counted = counts.typed_count(request, table)
        counts.require_confirmed(request, context["balance"], reason=True)
        # Counted, signed and crewed: open to play at once, or only prepared for it.
        begin = openings.prepare_table if request.POST.get("act") == "prepare" else openings.open_session
        begin(
            table=table,
            shoe=chosen(context["shoes"], request, "shoe") if context["has_cards"] else None,
            chips_counted=counted,
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
    post, helping = crew.dealing_post(table.game), crew.helping_post(table.game)
    helpers = crew.wanted(table.game).get(helping, 0)
    return {
        "table": table,
        "has_cards": bool(registry.game(table.game).deck_type),
        "shoes": shoe_queries.ready_shoes(user, table.game),
        "dealers": queries.fit_staff(user, table.game, post, day),
        "dealer_post": queries.POST_NAMES[post],
        "payers": queries.fit_staff(user, table.game, helping, day) if helping else Staff.objects.none(),
        "payer_post": queries.POST_NAMES.get(helping),
        "payer_count": helpers,
        "payer_range": range(1, helpers + 1),
        "supervisors": queries.fit_staff(user, table.game, "supervisor", day),
        "left_out": queries.not_offered(user, table.game, crew.posts(table.game), day),
        **counts.context(request, table, None),
        **preflight.context(request, table, request.POST),
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
        counted = counts.typed_count(request, table)
        counts.require_confirmed(request, context["balance"], reason=False)
        closings.close_session(
            session=session,
            chips_counted=counted,
            counted_by=chosen(context["staff"], request, "counted_by"),
            witnessed_by=chosen(context["supervisors"], request, "witnessed_by"),
            by=by,
        )
    except SabotError as refusal:
        return refused(request, "tables/close.html", _closing_context(request, table, session), refusal)
    messages.success(request, _("Mesa %(table)s cerrada") % {"table": table.name})
    return redirect("session", session.pk)


def _closing_context(request: HttpRequest, table: Table, session: TableSession) -> dict[str, Any]:
    staff = Staff.objects.filter(casino=user_of(request).casino_id, active=True)
    return {
        "table": table,
        "session": session,
        "staff": staff,
        "supervisors": staff.filter(supervises=True),
        "in_progress": storing.under_way(
            Round.objects.filter(session=session, state=Round.State.OPEN).first()
        ),
        **counts.context(request, table, session),
    }


def count(request: HttpRequest, name: str) -> HttpResponse:
    """What the count adds up to so far, against what it should be; asked while it is typed."""
    table = _table(request, name)
    session = _open(table)
    context = {
        "table": table,
        "session": session,
        "balance": counts.balance(request, table, session),
        "given": request.POST,
    }
    return render(request, "tables/_balance.html", context)


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
    posts = crew.posts(session.game)
    wanted = request.POST.get("post") or request.GET.get("post") or posts[0]
    return {
        "table": session.table,
        "session": session,
        "held": [(a, int((instant - a.during.lower).total_seconds() // 60)) for a in held],
        "missing": list(
            Counter(
                queries.POST_NAMES[post] for post in crew.missing(session.game, [a.post for a in held])
            ).items()
        ),
        "posts": [(post, queries.POST_NAMES[post]) for post in posts],
        "post_now": wanted,
        "staff": presence.present_first(
            queries.fit_staff(user, session.game, wanted, session.day.date), user.casino
        )
        if wanted in posts
        else Staff.objects.none(),
        "plans_shifts": presence.plans_shifts(user.casino, session.day.date),
        "most_minutes": settings_of(user.casino).max_minutes_on_table,
        "standing": turns.standing(user.casino, instant),
    }


def load_shoe(request: HttpRequest, name: str) -> HttpResponse:
    """Take the shoe off the table and put a prepared one on."""
    table = _table(request, name)
    session = _open(table)
    if session is None:
        return redirect("table-open", table.name)
    if not registry.game(session.game).deck_type:
        return redirect("table", table.name)
    context: dict[str, Any] = {
        "table": table,
        "session": session,
        "shoes": shoe_queries.ready_shoes(user_of(request), session.game),
        "unfinished": session.shoe is not None and not session.shoe.stop_reached,
        "stop_card": session.shoe is not None and keeps_stop_card(session.shoe),
        "stop_rule": procedure_of(session.game).stop_rule,
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
    return render(request, "tables/session.html", session_context(request, session))


def session_context(request: HttpRequest, session: TableSession) -> dict[str, Any]:
    """What the page of a session shows."""
    rounds = Round.objects.filter(session=session).select_related("dealer").order_by("-number")
    return {
        "session": session,
        "bank": registry.game(session.game).bank,
        "banked": banked(session.game),
        "counts": list(session.counts.select_related("counted_by", "witnessed_by").order_by("pk")),
        "people": list(Assignment.objects.filter(session=session).select_related("staff").order_by("pk")),
        "page": page_of(request, rounds),
        "events": Event.objects.filter(casino=session.casino_id, stream__name=session.stream).count(),
        "checks": checks_of(session, user_of(request)),
        "statement": statement.of(session, blind=box_seeing.blind(user_of(request))),
        "outstanding": results.outstanding(session) if session.result is not None else [],
        "boxes": list(session.boxes.order_by("pk")),
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
    rows = TableSession.objects.filter(table=table, state__in=TableSession.LIVE)
    return rows.select_related("table", "day", "casino", "shoe").first()
