"""The cards of an open table: what stops it, the discard holder opened and closed, the same cards again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits import incidents
from audits.pages.answers import by_of, one, refused, user_of, whole
from casino.kernel.errors import Conflict, SabotError
from casino.kernel.words import Text
from shoes.counting import keeps_stop_card
from shoes.models import DiscardReview
from shoes.pages import reading
from shoes.procedures import procedure_of
from tables import policies as table_policies
from tables import reshuffling, reviewing
from tables.games import registry
from tables.models import Round, Table, TableSession
from tables.seeing import sessions_seen_by

TEMPLATE = "tables/cards.html"


def show(request: HttpRequest, name: str) -> HttpResponse:
    """What lies at the table, and what may be done about it."""
    session = _session(request, name)
    if session is None or not registry.game(session.game).deck_type:
        return redirect("table", name)
    return render(request, TEMPLATE, _context(request, session))


@sensitive_post_parameters("authorised_by_password")
def review(request: HttpRequest, name: str) -> HttpResponse:
    """The discard holder is opened for a disputed round; another chief authorises it with their password."""

    def act(session: TableSession) -> str:
        authorised_by = reading.second_person(request, "authorised_by")
        found = reviewing.open_review(
            session=session,
            number=whole(request, "number"),
            asked_by=request.POST.get("asked_by", ""),
            why=request.POST.get("why", ""),
            authorised_by=authorised_by,
            by=by_of(request),
        )
        return _("Descartador abierto: %(incident)s detiene la mesa") % {"incident": found.incident.label}

    return _do(request, name, act, "review")


def close_review(request: HttpRequest, name: str) -> HttpResponse:
    """The discard holder is closed: what was found, and how many cards went back."""

    def act(session: TableSession) -> str:
        opened = _open_review(session)
        if opened is None:
            raise Conflict(
                Text("el descartador no está abierto", "the discard holder is not open"),
                code="review_closed",
                rule="CARD-40",
            )
        found = reviewing.close_review(
            review=opened,
            found=request.POST.get("found", ""),
            cards_counted=whole(request, "cards_counted"),
            by=by_of(request),
        )
        if found.irregularity is not None:
            return _("Faltan o sobran cartas: %(incident)s") % {"incident": found.irregularity.label}
        return _("Descartador cerrado: resuelva el incidente para seguir")

    return _do(request, name, act, "close")


def reshuffle(request: HttpRequest, name: str) -> HttpResponse:
    """The shoe leaves play and its cards are prepared again, from the shuffle on."""

    def act(session: TableSession) -> str:
        new = reshuffling.reshuffle(session=session, by=by_of(request))
        return _("Prepare %(shoe)s, desde el barajado") % {"shoe": new.label}

    return _do(request, name, act, "reshuffle")


def _do(request: HttpRequest, name: str, act: Callable[[TableSession], str], form: str) -> HttpResponse:
    """Do it and say so, or show what was typed again with the refusal beside its `form`."""
    session = _session(request, name)
    if session is None:
        return redirect("table", name)
    try:
        messages.success(request, act(session))
    except SabotError as refusal:
        again = _session(request, name) or session
        return refused(request, TEMPLATE, _context(request, again) | {"refused_form": form}, refusal)
    return redirect("table-cards", session.table.name)


def _session(request: HttpRequest, name: str) -> TableSession | None:
    """The open session of a table, None if it is closed; 404 for whoever may not see it."""
    rows = Table.objects.restrict(user_of(request), table_policies.READ_FLOOR)
    table: Table = one(rows, name=name.upper())
    open_now = TableSession.objects.filter(table=table, state__in=TableSession.LIVE)
    seen = sessions_seen_by(user_of(request)).filter(pk__in=open_now.values("pk"))
    found: TableSession | None = seen.select_related("table", "day", "casino", "shoe").first()
    if found is None and open_now.exists():
        raise Http404
    return found


def _open_review(session: TableSession) -> DiscardReview | None:
    rows = DiscardReview.objects.filter(casino=session.casino, table_label=session.table.name, closed_at=None)
    return rows.select_related("authorised_by", "opened_by", "incident", "shoe").order_by("-pk").first()


def _context(request: HttpRequest, session: TableSession) -> dict[str, Any]:
    shoe, renewing = session.shoe, reshuffling.being_shuffled(session)
    about = shoe or renewing
    decks = list(about.decks.order_by("serial")) if about else []
    procedure = procedure_of(about.game, about.method) if about else procedure_of(session.game)
    past = DiscardReview.objects.filter(shoe__in=Round.objects.filter(session=session).values("shoe"))
    return {
        "session": session,
        "table": session.table,
        "shoe": shoe,
        "about": about,
        "renewing": renewing,
        "decks": decks,
        "stopping": [
            (found, incidents.kind_name(found.kind))
            for found in incidents.open_on(session.casino, session.table.name)
        ],
        "review": _open_review(session),
        "reviews": list(past.exclude(closed_at=None).select_related("authorised_by")[:10]),
        "stop_card": shoe is not None and keeps_stop_card(shoe),
        "reason_needed": shoe is not None and not shoe.stop_reached,
        "procedure": procedure,
    }
