"""Fills and credits on pages: asked for, the cage's queue, verified, voided, printed (FLOOR-07)."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters

from audits.pages.answers import by_of, chosen, one, page_of, refused, user_of
from casino.kernel import permissions
from casino.kernel.errors import SabotError
from casino.models import User
from shoes.pages.reading import second_person
from tables import chips
from tables.models import CageDesk, Slip, Staff, Table, TableSession
from tables.money import floats, slip_turns, slips
from tables.money import policies as acts
from tables.pages import chip_lines
from tables.queries import crew_of

COPIES = (
    gettext_lazy("Original: caja"),
    gettext_lazy("Duplicado: mesa"),
    gettext_lazy("Triplicado: contabilidad"),
)
LIST, PAGE, AT_TABLE = "tables/slips/list.html", "tables/slips/slip.html", "tables/slips/table.html"
PEOPLE = ("requested_by", "issued_by", "verified_by", "dealer", "voided_by", "voided_with")


def listing(request: HttpRequest) -> HttpResponse:
    """All slips, newest first, by state, kind, table or day; those that wait for something come first."""
    rows, sought = _sought(request, _slips(request))
    waiting = _slips(request).filter(state__in=Slip.OPEN).order_by("requested_at", "pk")
    user = user_of(request)
    context = {
        "page": page_of(request, rows.exclude(state__in=Slip.OPEN) if not any(sought.values()) else rows),
        "waiting": [] if any(sought.values()) else [(slip, _next_step(user, slip)) for slip in waiting],
        "sought": sought,
        "states": Slip.State.choices,
        "kinds": Slip.Kind.choices,
    }
    return render(request, LIST, context)


def _next_step(user: User, slip: Slip) -> str:
    """What this person may do with a slip that waits: `issue`, `verify` or nothing."""
    if slip.state == Slip.State.REQUESTED:
        return "issue" if permissions.may(user, acts.ISSUE_SLIP) else ""
    verifying = acts.VERIFY_FILL if slip.kind == Slip.Kind.FILL else acts.VERIFY_SLIP
    return "verify" if permissions.may(user, verifying) else ""


def _sought(request: HttpRequest, rows: QuerySet[Slip]) -> tuple[QuerySet[Slip], dict[str, str]]:
    sought = {name: request.GET.get(name, "").strip() for name in ("state", "kind", "table", "day")}
    if sought["state"] in Slip.State.values:
        rows = rows.filter(state=sought["state"])
    if sought["kind"] in Slip.Kind.values:
        rows = rows.filter(kind=sought["kind"])
    if sought["table"]:
        rows = rows.filter(session__table__name=sought["table"].upper()[:10])
    if sought["day"]:
        day = _date(sought["day"])
        rows = rows.filter(session__day__date=day) if day else rows.none()
    return rows, sought


def at_table(request: HttpRequest, name: str) -> HttpResponse:
    """A table's fills and credits; POST asks for one."""
    session = _session(request, name)
    if session is None:
        return redirect("table", name.upper())
    if request.method != "POST":
        return render(request, AT_TABLE, _table_context(request, session))
    try:
        slip = slips.request_slip(
            session=session,
            kind=request.POST.get("kind", ""),
            chips=chip_lines.typed(request, session.casino),
            desk=chosen(_desks(request), request, "desk"),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, AT_TABLE, _table_context(request, session), refusal)
    messages.success(request, _("%(slip)s pedido a la caja") % {"slip": slip.label})
    return redirect("table-slips", session.table.name)


def total(request: HttpRequest, name: str) -> HttpResponse:
    """What the chips typed so far add up to, beside the first float (FLOOR-09)."""
    session = _session(request, name)
    if session is None:
        raise Http404
    lines = chip_lines.lines(request, session.casino)
    return render(request, "tables/slips/_total.html", _total(request, session, lines))


def _total(request: HttpRequest, session: TableSession, lines: list[chip_lines.Line]) -> dict[str, Any]:
    found = chip_lines.total_so_far(lines)
    fill = request.POST.get("kind", "fill") == Slip.Kind.FILL
    draft = Slip(casino=session.casino, session=session, kind=Slip.Kind.FILL, total=found)
    return {"total": found, "flag": floats.slip_flag(draft) if fill and found else None}


def _table_context(request: HttpRequest, session: TableSession) -> dict[str, Any]:
    rows = _slips(request).filter(session=session)
    last = rows.filter(kind=Slip.Kind.FILL).exclude(state=Slip.State.VOID).first()
    like = request.GET.get("like", "")
    filled: dict[int, int] = {}
    if like == "float":
        opening = session.counts.filter(moment="opening").first()
        filled = chips.loaded(opening.chips) if opening else {}
    elif like == "last" and last:
        filled = chips.loaded(last.chips)
    desks = list(_desks(request))
    lines = chip_lines.lines(request, session.casino, filled=filled)
    return {
        "session": session,
        "table": session.table,
        "slips": list(rows),
        "last": last,
        "lines": lines,
        "kinds": Slip.Kind.choices,
        "kind": Slip.Kind.FILL.value,
        "desks": [(desk.pk, desk.name) for desk in desks],
        "desk": desks[0].pk if len(desks) == 1 else None,
        "flag_float": floats.float_flag(session),
        "may_ask": permissions.may(user_of(request), acts.REQUEST_SLIP),
        **_total(request, session, lines),
    }


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """One slip: what it says, who signed, and the step that is next."""
    return render(request, PAGE, _context(request, _slip(request, pk)))


def issue(request: HttpRequest, pk: int) -> HttpResponse:
    """The cage issues it and names who carries the chips."""
    slip = _slip(request, pk)
    try:
        slips.issue_slip(slip=slip, runner=request.POST.get("runner", ""), by=by_of(request))
    except SabotError as refusal:
        return refused(request, PAGE, _context(request, slip), refusal)
    messages.success(request, _("%(slip)s emitido: imprímalo en 3 ejemplares") % {"slip": slip.label})
    return redirect("slip", slip.pk)


def verify(request: HttpRequest, pk: int) -> HttpResponse:
    """Counted at the table before its dealer."""
    slip = _slip(request, pk)
    try:
        slips.verify_slip(
            slip=slip,
            chips=chip_lines.typed(request, slip.casino),
            dealer=chosen(_dealers(slip), request, "dealer"),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, PAGE, _context(request, slip), refusal)
    messages.success(request, _("%(slip)s verificado") % {"slip": slip.label})
    return redirect("slip", slip.pk)


@sensitive_post_parameters("second_password")
def void(request: HttpRequest, pk: int) -> HttpResponse:
    """Voided by two people, before it is verified (FLOOR-08)."""
    slip = _slip(request, pk)
    try:
        slips.void_slip(slip=slip, with_=second_person(request, "second"), by=by_of(request))
    except SabotError as refusal:
        return refused(request, PAGE, _context(request, slip), refusal)
    messages.success(request, _("%(slip)s anulado; conserva su número") % {"slip": slip.label})
    return redirect("slip", slip.pk)


def paper(request: HttpRequest, pk: int) -> HttpResponse:
    """The slip as it is printed, three copies to a sheet each."""
    slip = _slip(request, pk)
    context = {
        "slip": slip,
        "lines": chip_lines.slip_lines(slip),
        "copies": [str(copy) for copy in COPIES],
        "turns": slip_turns.turns_of(slip),
    }
    return render(request, "tables/slips/paper.html", context)


def _context(request: HttpRequest, slip: Slip) -> dict[str, Any]:
    user, lines = user_of(request), chip_lines.slip_lines(slip)
    said = {value: number for value, number, _value in lines}
    step = _next_step(user, slip) if slip.open else ""
    took_part = {person.pk for person in (slip.requested_by, slip.issued_by) if person}
    mine = hasattr(user, "actor") and user.actor.pk in took_part
    return {
        "slip": slip,
        "lines": lines,
        "counted": chip_lines.lines(request, slip.casino, there=said),
        "dealers": [(staff.pk, staff.name) for staff in _dealers(slip)],
        "flag": floats.slip_flag(slip),
        "may_issue": step == "issue",
        "may_verify": step == "verify",
        "may_void": slip.open and permissions.may(user, acts.VOID_SLIP),
        "mine": mine,
    }


def _slips(request: HttpRequest) -> QuerySet[Slip]:
    rows = Slip.objects.restrict(user_of(request), acts.READ_CHIPS)
    return rows.select_related("casino", "desk", "session__table", "session__day", "session__casino", *PEOPLE)


def _slip(request: HttpRequest, pk: int) -> Slip:
    found: Slip = one(_slips(request), pk=pk)
    return found


def _desks(request: HttpRequest) -> QuerySet[CageDesk]:
    return CageDesk.objects.filter(casino=user_of(request).casino_id, active=True)


def _dealers(slip: Slip) -> QuerySet[Staff]:
    """Who may sign as dealer: those at the table now, but for its supervisor."""
    at_table = crew_of(slip.session).exclude(post="supervisor")
    return Staff.objects.filter(pk__in=at_table.order_by().values("staff"))


def _session(request: HttpRequest, name: str) -> TableSession | None:
    rows = Table.objects.restrict(user_of(request), acts.READ_CHIPS)
    table = one(rows, name=name.upper())
    live = TableSession.objects.filter(table=table, state__in=TableSession.LIVE)
    return live.select_related("table", "day", "casino", "limits").first()


def _date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None
