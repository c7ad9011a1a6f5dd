"""Visits of the AJ's inspector: what was drawn, counted and answered, and the act on paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.by import By, name_of
from audits.inspections import counting, draw, drawing, report, standing, subjects, visits
from audits.inspections.policies import INSPECT, OPEN_INSPECTION
from audits.inspections.reading import least_inspected, unit_of
from audits.models import Actor, Event, Inspection, InspectionCount, InspectionDraw
from audits.pages.answers import by_of, chosen, one, page_of, refused, rows_of, user_of, whole
from audits.pages.trail import sentence_of
from audits.policies import REPORT_INCIDENT
from audits.sign_in import vouch
from casino.kernel import clock, money, permissions
from casino.kernel.errors import Refused, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino
from casino.problems import TooMany

LISTING, TEMPLATE, COUNT = "audits/inspections.html", "audits/inspection.html", "audits/inspection_count.html"
ACT = "audits/inspection_act.html"
LEAST_SHOWN, MOST_EVENTS = 15, 80


def listing(request: HttpRequest) -> HttpResponse:
    """The visits, when the last one was, and the tables least inspected; POST opens one."""
    if request.method != "POST":
        return render(request, LISTING, _listing(request))
    try:
        inspector = None
        if Role.INSPECTOR not in user_of(request).roles:
            inspector = chosen(_inspectors(request), request, "inspector")
        made = visits.open_inspection(inspector=inspector, by=by_of(request))
    except SabotError as refusal:
        return refused(request, LISTING, _listing(request), refusal)
    return redirect("visit", made.pk)


def show(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, TEMPLATE, _context(request, _visit(request, pk)))


def announce(request: HttpRequest, pk: int) -> HttpResponse:
    """Announce a draw: the seed's hash is shown before the inspector's word."""

    def act(visit: Inspection, by: By) -> None:
        open_only = request.POST.get("among", "open") == "open"
        wanted = whole(request, "wanted")
        drawing.announce_draw(inspection=visit, wanted=wanted, open_only=open_only, by=by)

    return _done(request, pk, act, "draw")


def word(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Draw, once, with the inspector's word."""

    def act(visit: Inspection, by: By) -> None:
        drawing.draw_tables(draw_row=_draw(visit, number), word=request.POST.get("word", ""), by=by)

    return _done(request, pk, act, "word")


def draw_record(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The record of a draw as a file, for whoever recomputes it."""
    found = _draw(_visit(request, pk), number)
    if found.state != InspectionDraw.State.DRAWN:
        raise Http404
    response = JsonResponse(drawing.record_of(found), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{found.label.replace("/", "-")}.json"'
    return response


def count(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of a count, blind: what the house expects is shown once it is recorded."""
    visit = _visit(request, pk)
    asked = request.POST if request.method == "POST" else request.GET
    try:
        kind = subjects.countable(asked.get("kind", ""))
    except Refused as refusal:
        raise Http404 from refusal
    target = next((t for t in kind.targets(visit.casino) if str(t.id) == asked.get("target")), None)
    if target is None:
        raise Http404
    context = {"visit": visit, "kind": kind, "target": target, "lines": _lines(request, visit.casino)}
    if request.method != "POST":
        return render(request, COUNT, context)
    try:
        counting.record_count(
            inspection=visit,
            kind=kind.code,
            target=target.id,
            counted=_counted(request, kind, visit.casino),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, COUNT, context, refusal)
    messages.success(request, _("Conteo registrado"))
    return redirect("visit", pk)


@sensitive_post_parameters("signer_password")
def answer(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The house signs a count or objects: by its own login, or with a password on the inspector's screen."""

    def act(visit: Inspection, by: By) -> None:
        agrees = request.POST.get("agrees", "")
        if agrees not in ("yes", "no"):
            raise Refused(
                Text("elija uno de la lista", "choose one from the list"), code="not_chosen", field="agrees"
            )
        signer = None
        if Role.INSPECTOR in by.actor.roles:
            # Before the write, so that a wrong password is counted and not rolled back.
            signer = vouch(
                request=request,
                username=request.POST.get("signer", ""),
                password=request.POST.get("signer_password", ""),
                field="signer",
                casino=visit.casino,
            ).actor
        counting.answer_count(
            count=_count(visit, number),
            agrees=agrees == "yes",
            words=request.POST.get("words", ""),
            signer=signer,
            by=by,
        )

    return _done(request, pk, act, f"answer{number}")


def incident(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The house opens an incident about a difference."""

    def act(visit: Inspection, by: By) -> None:
        counting.open_incident(count=_count(visit, number), by=by)

    return _done(request, pk, act, f"incident{number}")


def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Close the visit with the inspector's remarks, or with why the house closes it."""

    def act(visit: Inspection, by: By) -> None:
        visits.close_inspection(inspection=visit, remarks=request.POST.get("remarks", ""), by=by)

    return _done(request, pk, act, "close")


def paper(request: HttpRequest, pk: int) -> HttpResponse:
    """The act of the visit, to be printed and signed by hand."""
    return render(request, ACT, _context(request, _visit(request, pk)))


def _done(request: HttpRequest, pk: int, act: Callable[[Inspection, By], None], what: str) -> HttpResponse:
    """Do it and show the visit, or show it with the refusal beside the form it came from."""
    try:
        act(_visit(request, pk), by_of(request))
    except SabotError as refusal:
        if isinstance(refusal, TooMany):
            refusal.field = "signer"
        context = _context(request, _visit(request, pk)) | {"act": what}
        return refused(request, TEMPLATE, context, refusal)
    messages.success(request, _("Registrado"))
    return redirect("visit", pk)


def _visit(request: HttpRequest, pk: int) -> Inspection:
    rows = rows_of(Inspection, request).select_related("casino", "inspector", "opened_by", "closed_by")
    found: Inspection = one(rows, pk=pk)
    return found


def _draw(visit: Inspection, number: int) -> InspectionDraw:
    found: InspectionDraw = one(InspectionDraw.objects.filter(inspection=visit), number=number)
    found.inspection = visit
    return found


def _count(visit: Inspection, number: int) -> InspectionCount:
    found: InspectionCount = one(InspectionCount.objects.filter(inspection=visit), number=number)
    found.inspection = visit
    return found


def _inspectors(request: HttpRequest) -> Any:
    """The inspectors a visit may be opened for."""
    rows = Actor.objects.filter(casino=user_of(request).casino_id, user__is_active=True)
    return rows.filter(user__role_codes__contains=[Role.INSPECTOR.value]).order_by("name")


def _lines(request: HttpRequest, casino: Casino) -> list[dict[str, Any]]:
    """A line for each denomination of the house."""
    names = [(value, f"d{value}") for value in sorted(casino.denominations)]
    return [
        {"denomination": value, "name": name, "typed": request.POST.get(name, "")} for value, name in names
    ]


def _counted(request: HttpRequest, kind: subjects.Countable, casino: Casino) -> counting.Counted:
    """What was typed, every line of it: nothing counted is a zero that somebody wrote."""
    language, exponent = get_language(), casino.exponent
    aside = request.POST.get("aside", "").strip() if kind.aside else ""
    noted = money.typed(aside, language, exponent, field="aside") if aside else None
    if kind.unit != subjects.Unit.CHIPS:
        total = unit_of(kind.code).read(request.POST.get("total"), casino, language)
        return counting.Counted(total=total, aside=noted)
    pieces = {line["denomination"]: whole(request, line["name"]) for line in _lines(request, casino)}
    return counting.Counted(pieces=pieces, aside=noted)


def _listing(request: HttpRequest) -> dict[str, Any]:
    user = user_of(request)
    today = user.casino.gaming_day(clock.now())
    page = page_of(request, rows_of(Inspection, request).select_related("inspector").order_by("-pk"), 25)
    opens = permissions.may(user, OPEN_INSPECTION)
    inspects = Role.INSPECTOR in user.roles
    return {
        "page": page,
        "last": visits.last_visit(user.casino),
        "days": visits.days_without(user.casino, today),
        "tables": least_inspected(user.casino, today)[:LEAST_SHOWN],
        "inspects": inspects,
        "opens": opens,
        "inspectors": [(a.pk, a.name) for a in _inspectors(request)] if opens and not inspects else [],
        "ends": standing.ends_at(user),
    }


def _context(request: HttpRequest, visit: Inspection) -> dict[str, Any]:
    user = user_of(request)
    own = visit.inspector_id == getattr(getattr(user, "actor", None), "pk", None)
    open_now = visit.state == Inspection.State.OPEN
    draws = [_shown_draw(found, visit) for found in visit.draws.order_by("number")]
    counts = [_shown_count(found, visit) for found in visit.counts.select_related("answer__signed_by")]
    events = Event.objects.filter(casino=visit.casino_id, stream__name=visit.stream).select_related("actor")
    writes = own and open_now and permissions.may(user, INSPECT)
    return {
        "visit": visit,
        "draws": draws,
        "counts": counts,
        "writes": writes,
        "own": own,
        "waits": next((one["draw"] for one in draws if one["draw"].state == "announced"), None),
        "targets": _targets(visit, draws) if writes else [],
        "may_close": open_now and permissions.may(user, OPEN_INSPECTION) and (own or not _inspects(request)),
        "may_answer": own or not _inspects(request),
        "signs_here": own,
        "may_incident": permissions.may(user, REPORT_INCIDENT),
        "further": visit.draws.exists()
        or InspectionDraw.objects.filter(
            casino=visit.casino, day=visit.casino.gaming_day(clock.now())
        ).exists(),
        "most_wanted": drawing.MOST_WANTED,
        "ends": standing.ends_at(user),
        "events": [
            (event, sentence_of(event), name_of(event.actor))
            for event in events.order_by("seq")[:MOST_EVENTS]
        ],
    }


def _inspects(request: HttpRequest) -> bool:
    return Role.INSPECTOR in user_of(request).roles


def _shown_draw(found: InspectionDraw, visit: Inspection) -> dict[str, Any]:
    found.inspection = visit
    done = found.state == InspectionDraw.State.DRAWN
    candidates = [draw.Candidate(*one) for one in found.candidates]
    return {
        "draw": found,
        "tables": [name for _id, name in drawing.drawn_tables(found)],
        "candidates": sorted(candidates, key=lambda one: (-one.weight, one.label)),
        "holds": done and not draw.verify_draw(drawing.record_of(found)),
    }


def _shown_count(found: InspectionCount, visit: Inspection) -> dict[str, Any]:
    casino = visit.casino
    return {
        "count": found,
        "kind": subjects.kind_name(found.kind),
        "total": counting.figure(found, found.total, casino),
        "expected": counting.figure(found, found.expected, casino),
        "difference": counting.figure(found, found.difference, casino),
        "basis": report.basis_of(found),
        "pieces": [(int(value), number) for value, number in found.pieces.items()],
        "answer": getattr(found, "answer", None),
        "incident": counting.incident_of(found) if found.difference else None,
    }


def _targets(visit: Inspection, draws: list[dict[str, Any]]) -> list[tuple[subjects.Countable, list[Any]]]:
    """What can be counted now, by kind; of each whether its table was drawn in the visit, and whether it was
    counted. The tables drawn stand first."""
    drawn = {table for one in draws for table in one["tables"]}
    counts = visit.counts.values_list("kind", "table", "subject_id")
    counted = {(kind, table or subject) for kind, table, subject in counts}
    found = []
    for kind in subjects.countables().values():
        rows = [
            (
                target,
                target.table_label in drawn,
                (kind.code, target.table or target.id) in counted,
            )
            for target in kind.targets(visit.casino)
        ]
        found.append((kind, sorted(rows, key=lambda row: not row[1])))
    return found
