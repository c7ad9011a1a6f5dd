"""Incidents: what presses first, what was found, the notice to the regulator; settled by two people."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits import (
    attachments,
    complaints,
    incident_facts,
    incident_links,
    incidents,
    notices,
    policies,
    proof_standing,
    video,
)
from audits.by import by_user, name_of
from audits.incident_lists import in_order
from audits.models import Event, Incident
from audits.pages import attached
from audits.pages.answers import by_of, instant_of, one, page_of, refused, rows_of, user_of
from audits.pages.trail import sentence_of
from audits.sign_in import vouch
from casino.kernel import clock, permissions
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from casino.problems import TooMany

LISTING, TEMPLATE = "audits/incidents.html", "audits/incident.html"
FILTERS = ("state", "kind", "table", "late")


def listing(request: HttpRequest) -> HttpResponse:
    """The incidents of the house, what presses first; POST opens one by hand."""
    if request.method != "POST":
        return render(request, LISTING, _listing(request))
    try:
        incident = incidents.report_incident(
            kind=request.POST.get("kind", ""),
            summary=request.POST.get("summary", ""),
            table_label=request.POST.get("table", ""),
            freezes=request.POST.get("freezes") == "yes",
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, LISTING, _listing(request), refusal)
    messages.success(request, _("Incidente %(label)s abierto") % {"label": incident.label})
    return redirect("incident", incident.pk)


def show(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, TEMPLATE, _context(request, _incident(request, pk)))


def note(request: HttpRequest, pk: int) -> HttpResponse:
    """Add what was learned since."""
    text = request.POST.get("text", "")
    return _done(
        request, pk, lambda found: incidents.note_incident(incident=found, text=text, by=by_of(request))
    )


def notice(request: HttpRequest, pk: int) -> HttpResponse:
    """The notice as it goes on paper; POST finishes its draft."""
    if request.method != "POST":
        return render(request, "audits/incident_notice.html", {"incident": _incident(request, pk)})
    text = request.POST.get("notice", "")
    return _done(request, pk, lambda found: notices.edit_notice(incident=found, text=text, by=by_of(request)))


def send(request: HttpRequest, pk: int) -> HttpResponse:
    """Note that the notice went out: when, and under which reference."""

    def act(found: Incident) -> object:
        by = by_user(user_of(request), occurred_at=instant_of(request, "occurred_at"))
        return notices.send_notice(incident=found, reference=request.POST.get("reference", ""), by=by)

    return _done(request, pk, act)


def attach(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep evidence with it."""
    return _done(
        request,
        pk,
        lambda found: attachments.attach_to_incident(incident=found, **attached.given(request)),
    )


def file(request: HttpRequest, pk: int, file: int) -> HttpResponse | FileResponse:
    """Evidence kept with it, if its bytes are still those that were attached."""
    try:
        return attached.handed_out(request, pk=file, incident=pk)
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request, _incident(request, pk)), refusal)


def hold(request: HttpRequest, pk: int) -> HttpResponse:
    """Its video is not to be erased: which cameras, from when to when, where it is kept."""

    def act(found: Incident) -> object:
        first, last = instant_of(request, "first"), instant_of(request, "last")
        if first is None or last is None:
            raise Refused(
                Text("indique desde y hasta cuándo", "say from when to when"),
                code="bad_span",
                field="first" if first is None else "last",
            )
        return video.hold_video(
            incident=found,
            cameras=request.POST.get("cameras", ""),
            first=first,
            last=last,
            kept_where=request.POST.get("kept_where", ""),
            by=by_of(request),
        )

    return _done(request, pk, act)


@sensitive_post_parameters("second_password")
def resolve(request: HttpRequest, pk: int) -> HttpResponse:
    """Settle it; the second person signs with their own password (GEN-10)."""

    def act(found: Incident) -> object:
        # Before the write, so that a wrong password is counted and not rolled back.
        second = vouch(
            request=request,
            username=request.POST.get("second", ""),
            password=request.POST.get("second_password", ""),
            field="second",
            casino=found.casino,
        )
        return incidents.resolve_incident(
            incident=found,
            resolution=request.POST.get("resolution", ""),
            rule_applied=request.POST.get("rule_applied", ""),
            with_=second.actor,
            by=by_of(request),
        )

    return _done(request, pk, act)


def _done(request: HttpRequest, pk: int, act: Callable[[Incident], object]) -> HttpResponse:
    """Do it and show the incident, or show what was typed again with the refusal."""
    try:
        act(_incident(request, pk))
    except SabotError as refusal:
        if isinstance(refusal, TooMany):
            refusal.field = "second"
        return refused(request, TEMPLATE, _context(request, _incident(request, pk)), refusal)
    messages.success(request, _("Registrado en el incidente"))
    return redirect("incident", pk)


def _incident(request: HttpRequest, pk: int) -> Incident:
    rows = rows_of(Incident, request).select_related("casino", "opened_by", "resolved_by", "resolved_with")
    found: Incident = one(rows, pk=pk)
    return found


def _listing(request: HttpRequest) -> dict[str, Any]:
    asked = {name: request.GET.get(name, "").strip()[:40] for name in FILTERS}
    now = clock.now()
    rows = rows_of(Incident, request).select_related("opened_by")
    if asked["state"] in Incident.State.values:
        rows = rows.filter(state=asked["state"])
    if asked["kind"]:
        rows = rows.filter(kind=asked["kind"])
    if asked["table"]:
        rows = rows.filter(table_label__iexact=asked["table"])
    if asked["late"]:
        rows = rows.filter(notices.overdue(now))
    query = urlencode({name: value for name, value in asked.items() if value})
    page = page_of(request, in_order(rows, now))
    return {
        "page": page,
        "rows": [
            (found, incidents.kind_name(found.kind), incidents.summary_of(found), name_of(found.opened_by))
            for found in page
        ],
        "asked": asked,
        "query": query + "&" if query else "",
        "kinds": [(kind.code, kind.name) for kind in incidents.kinds().values()],
        "states": Incident.State.choices,
        "tables": [(name, name) for name in incidents.table_names(user_of(request).casino)],
        "nights": list(proof_standing.late(user_of(request).casino, now)),
        "now": now,
    }


def _context(request: HttpRequest, incident: Incident) -> dict[str, Any]:
    user, now = user_of(request), clock.now()
    open_now = incident.state == Incident.State.OPEN
    unsent = incident.notice_sent_at is None
    events = Event.objects.filter(casino=incident.casino_id, stream__name=incident.stream)
    return {
        "incident": incident,
        "now": now,
        "kind": incidents.kind_name(incident.kind),
        "summary": incidents.summary_of(incident),
        "who": {
            name: name_of(actor)
            for name in ("opened_by", "resolved_by", "resolved_with")
            if (actor := getattr(incident, name)) is not None
        },
        "facts": incident_facts.of(incident),
        "notes": [(note, name_of(note.by)) for note in incident.notes.select_related("by")],
        "events": [
            (event, sentence_of(event), name_of(event.actor))
            for event in events.select_related("actor").order_by("seq")
        ],
        "late": unsent and incident.notice_due is not None and incident.notice_due < now,
        "objections": incidents.objections(incident) if open_now else [],
        "files": incident.attachments.select_related("by"),
        "most_mb": attachments.MOST_BYTES // (1024 * 1024),
        "holds": incident.video_holds.select_related("by"),
        "around": _around(incident),
        "may_hold": permissions.may(user, policies.HOLD_VIDEO),
        "links": [link for link in incident_links.links_of(incident) if permissions.may(user, link.act)],
        **_terms(incident, now),
        "may_note": permissions.may(user, policies.NOTE_INCIDENT),
        "may_edit": unsent and permissions.may(user, policies.NOTICE),
        "may_resolve": open_now and permissions.may(user, policies.RESOLVE_INCIDENT),
    }


def _around(incident: Incident) -> tuple[str, str]:
    """A quarter of an hour before it was opened and until then, as a form takes it: the video to hold."""
    zone = ZoneInfo(incident.casino.zone)
    first = (incident.opened_at - dt.timedelta(minutes=15)).astimezone(zone)
    return f"{first:%Y-%m-%dT%H:%M}", f"{incident.opened_at.astimezone(zone):%Y-%m-%dT%H:%M}"


def _terms(incident: Incident, now: dt.datetime) -> dict[str, Any]:
    """The terms of a dispute's complaint, and whether its answer or its video is overdue."""
    terms = complaints.terms_of(incident.casino)
    found = complaints.of_incident(incident, terms)
    if found is None:
        return {}
    today = now.astimezone(ZoneInfo(incident.casino.zone)).date()
    open_now = incident.state == Incident.State.OPEN
    return {
        "terms": terms,
        "deadlines": found,
        "answer_late": open_now and found.to_answer is not None and found.to_answer < today,
        "video_unheld": not incident.video_holds.exists(),
        "video_gone": found.video_until is not None and found.video_until < today,
    }
