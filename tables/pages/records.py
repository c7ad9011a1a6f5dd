"""One round on the record: what was dealt, paid and entered; and its voiding, signed by a second person."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.models import Event
from audits.pages.answers import by_of, one, refused, user_of
from audits.pages.trail import sentence_of
from audits.sign_in import vouch
from casino.kernel import permissions
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from casino.problems import TooMany
from tables import panels, policies, rounds
from tables.games import registry
from tables.models import Round, Table
from tables.record import record_of
from tables.seeing import rounds_seen_by

TEMPLATE = "tables/record.html"
MOST_EVENTS = 200
CARDS_CAME_OUT = (
    ("no", Text("no: se registró dos veces, no salieron", "no: it was logged twice, they never came out")),
    ("yes", Text("sí: el pase se jugó y ya salieron", "yes: the round was played and they are out")),
)
DETAILS = Table._meta.get_field("detail").choices or ()


def show(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, TEMPLATE, _context(request, round_seen(request, pk)))


@sensitive_post_parameters("approver_password")
def void(request: HttpRequest, pk: int) -> HttpResponse:
    """Void a settled round by a reversal; whoever approves it signs with their own password (REC-07)."""
    found = round_seen(request, pk)
    try:
        # Before the write, so that a wrong password is counted and not rolled back.
        approver = vouch(
            request=request,
            username=request.POST.get("approver", ""),
            password=request.POST.get("approver_password", ""),
            field="approver",
            casino=found.casino,
        )
        came_out = _cards_came_out(request)
        rounds.void(round=found, approved_by=approver.actor, cards_came_out=came_out, by=by_of(request))
    except SabotError as refusal:
        # The write function knows an actor, this form a user name.
        if refusal.field == "approved_by" or isinstance(refusal, TooMany):
            refusal.field = "approver"
        return refused(request, TEMPLATE, _context(request, round_seen(request, pk)), refusal)
    messages.success(request, _("Pase %(number)s anulado") % {"number": found.number})
    return redirect("round", found.pk)


def _cards_came_out(request: HttpRequest) -> bool:
    given = request.POST.get("cards_came_out", "")
    if given not in dict(CARDS_CAME_OUT):
        raise Refused(
            Text(
                "diga si las cartas del pase salieron del sabot",
                "say whether the cards of the round came out of the shoe",
            ),
            code="not_chosen",
            field="cards_came_out",
        )
    return given == "yes"


def round_seen(request: HttpRequest, pk: int) -> Round:
    """A round this login may read, with what its pages show; 404 else."""
    rows = rounds_seen_by(user_of(request)).select_related(
        "session__table", "session__day", "session__casino", "rules", "limits", "shoe", "dealer", "logged_by",
        "event", "void_event",
    )  # fmt: skip
    found: Round = one(rows, pk=pk)
    return found


def _context(request: HttpRequest, round: Round) -> dict[str, Any]:
    session = round.session
    may_void = permissions.may(user_of(request), policies.VOID_ROUND)
    beside = Round.objects.filter(session=session)
    return {
        "round": round,
        "session": session,
        "table": session.table,
        "bank": registry.game(session.game).bank,
        "record": record_of(round),
        "detail": dict(DETAILS).get(round.detail, round.detail),
        "seats": range(1, session.seats + 1),
        "events": [_told(event) for event in _events(round)],
        "before": beside.filter(number__lt=round.number).order_by("-number").first(),
        "after": beside.filter(number__gt=round.number).order_by("number").first(),
        "came_out": CARDS_CAME_OUT,
        "panels": panels.of_record(round),
        "may_void": may_void and round.state == Round.State.SETTLED and session.live,
    }


@dataclass(frozen=True, slots=True)
class Told:
    """An event of the round's trail as the page tells it; reason and approver where it has them."""

    event: Event
    sentence: Text
    hash: str
    reason: str
    approved_by: str


def _told(event: Event) -> Told:
    data = json.loads(bytes(event.body))["data"]
    approver = data.get("approved_by") or {}
    return Told(
        event,
        sentence_of(event),
        bytes(event.hash).hex(),
        data.get("reason", ""),
        approver.get("name", ""),
    )


def _events(round: Round) -> list[Event]:
    own = Q(subject_type="round", subject_id=round.pk) | Q(pk__in=[round.event_id, round.void_event_id])
    rows = Event.objects.filter(own, casino=round.casino_id)
    return list(rows.select_related("actor", "stream").order_by("pk")[:MOST_EVENTS])
