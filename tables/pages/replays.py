"""A round on screen, one event after another, by link and by key; beside it what an incident says of it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits import incidents
from audits import policies as audit_policies
from audits.models import Incident
from audits.pages.answers import rows_of, user_of
from casino.kernel import permissions
from tables import replaying
from tables.models import Round
from tables.pages.records import DETAILS, round_seen
from tables.record import lines_of

TEMPLATE = "tables/replay.html"


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """`?paso=`: after how many events, all of them if left out; `?incidente=`: from which incident."""
    found = round_seen(request, pk)
    return render(request, TEMPLATE, _context(request, found))


def _context(request: HttpRequest, round: Round) -> dict[str, Any]:
    shown = replaying.replayed(round, _step(request))
    lines = lines_of(round)
    may_read = permissions.may(user_of(request), audit_policies.READ_INCIDENTS)
    marks = _marks(request, round) if may_read else []
    asked = _asked(request, marks)
    return {
        "round": round,
        "session": round.session,
        "table": round.session.table,
        "detail": dict(DETAILS).get(round.detail, round.detail),
        "seats": range(1, round.session.seats + 1),
        "replay": shown,
        "now": lines[shown.step - 1] if shown.step else None,
        "lines": [(line, [mark for mark in marks if mark.step == line.number]) for line in lines],
        "marks": marks,
        "incident": asked,
        "query": f"&incidente={asked.pk}" if asked else "",
        "before": shown.step - 1 if shown.step else None,
        "after": shown.step + 1 if shown.step < shown.steps else None,
        "next": shown.prompts[0] if shown.prompts else None,
        "may_note": asked is not None and permissions.may(user_of(request), audit_policies.NOTE_INCIDENT),
        "asked_kind": incidents.kind_name(asked.kind) if asked else None,
    }


def _step(request: HttpRequest) -> int | None:
    typed = request.GET.get("paso", "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 7 else None


def _marks(request: HttpRequest, round: Round) -> list[replaying.Mark]:
    """The incidents about this round, and the one the page was opened from that names its table alone."""
    marks, typed = replaying.marks_of(round), request.GET.get("incidente", "")
    if not (typed.isascii() and typed.isdigit() and len(typed) < 16):
        return marks
    asked = rows_of(Incident, request).filter(pk=int(typed)).first()
    mark = replaying.mark_from(round, asked) if asked is not None else None
    return marks if mark is None else [*marks, mark]


def _asked(request: HttpRequest, marks: list[replaying.Mark]) -> Incident | None:
    """The incident the page was opened from, if it is one about this round."""
    typed = request.GET.get("incidente", "")
    return next((mark.incident for mark in marks if str(mark.incident.pk) == typed), None)
