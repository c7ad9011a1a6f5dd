"""The seats of a table as a supervisor sees them: who, since when, away; and every act on them by touch.

The felt is asked for again every few seconds; the form beside it stays as it was typed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from audits.pages.answers import by_of, chosen, one, refused, rows_of, unless_changed, user_of, whole
from casino.kernel import clock, permissions
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from tables.guests import absences, policies, priorities, queueing, seats
from tables.guests.admitting import on_record
from tables.models import AwayMark, ChangeRequest, SeatTaking, Table, TableSession, WaitingEntry
from tables.pages.reading_guests import DOCUMENTS, known_guest
from tables.seeing import sessions_seen_by

TEMPLATE, FELT = "tables/guests/seats.html", "tables/guests/_felt.html"
WIDTH, HEIGHT, RADIUS = 1000, 560, 60


@dataclass(frozen=True, slots=True)
class Place:
    """One seat on the felt: where it lies, and who sits there."""

    seat: int
    x: int
    y: int
    standing: priorities.Standing | None
    keeps_chips: bool = False
    wanted: bool = False

    @property
    def state(self) -> str:
        if self.standing is None:
            return "free"
        return "away" if self.standing.away_since else "taken"


def show(request: HttpRequest, name: str) -> HttpResponse:
    """The seats of a table; `asiento` chooses the one to act on."""
    return render(request, TEMPLATE, _context(request, _table(request, name)))


def felt(request: HttpRequest, name: str) -> HttpResponse:
    """The felt alone, for those who look at it: 304 while nothing changed."""
    return unless_changed(request, FELT, _context(request, _table(request, name)))


def act(request: HttpRequest, name: str) -> HttpResponse:
    """One act on a seat: the form names which in `do`."""
    table = _table(request, name)
    try:
        doing = ACTS.get(request.POST.get("do", ""))
        if doing is None:
            raise Refused(Text("elija qué hacer", "choose what to do"), code="unknown_act", field="do")
        session = _session(request, table)
        if session is None:
            raise Refused(
                Text("la mesa está cerrada: no hay asientos", "the table is closed: there are no seats"),
                code="session_closed",
            )
        with on_record():
            seat = doing(request, session)
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request, table), refusal)
    messages.success(request, _("Registrado"))
    back = reverse("table-seats", args=[table.name])
    return redirect(f"{back}?asiento={seat}" if seat else back)


# ---- what is shown ---------------------------------------------------------------------------------


def places(session: TableSession, standings: list[priorities.Standing]) -> list[Place]:
    """The seats along the players' side of the felt, from left to right, the dealer above."""
    by_seat = {standing.seat: standing for standing in standings}
    marks = AwayMark.objects.filter(taking__session=session, during__endswith=None)
    keeping = {mark.taking_id for mark in marks if mark.keeps_chips}
    asked = ChangeRequest.objects.filter(taking__session=session, state=ChangeRequest.State.OPEN)
    asking = set(asked.values_list("taking", flat=True))
    found = []
    for seat in range(1, session.seats + 1):
        x, y = _on_arc(seat, session.seats)
        standing = by_seat.get(seat)
        taking = standing.taking.pk if standing else 0
        found.append(Place(seat, x, y, standing, taking in keeping, taking in asking))
    return found


def _on_arc(seat: int, seats_: int) -> tuple[int, int]:
    """Where a seat lies on the lower arc of an ellipse."""
    part = (seat - 0.5) / seats_
    angle = math.pi * (1.06 - 1.12 * part)
    return round(WIDTH / 2 + 425 * math.cos(angle)), round(150 + 335 * math.sin(angle))


def _context(request: HttpRequest, table: Table) -> dict[str, Any]:
    session, now = _session(request, table), clock.now()
    found: dict[str, Any] = {
        "table": table,
        "session": session,
        "width": WIDTH,
        "height": HEIGHT,
        "radius": RADIUS,
        "documents": DOCUMENTS,
        "now": now,
    }
    if session is None:
        return found
    standings = priorities.seniority(session, now)
    spread = places(session, standings)
    number = request.POST.get("seat") or request.GET.get("asiento") or ""
    chosen_seat = next((place for place in spread if str(place.seat) == number), None)
    waiting = priorities.waiting_for(session)
    elsewhere = sessions_seen_by(user_of(request)).filter(state__in=seats.SEATS_IN)
    tables = [(other.table_id, other.table.name) for other in elsewhere.select_related("table")]
    return found | {
        "places": spread,
        "seat": chosen_seat,
        "free": [place.seat for place in spread if place.standing is None],
        "claims": priorities.claims_on(session, chosen_seat.seat if chosen_seat else None),
        "waiting": waiting,
        "callable": [(entry.pk, entry.alias) for entry in waiting],
        "requests": _requests(session),
        "tables": sorted(tables, key=lambda pair: pair[1]),
        "banked": priorities.list_first(session.game),
        "order": priorities.by_seniority(standings),
        "names": permissions.may(user_of(request), policies.READ_GUESTS),
    }


def _requests(session: TableSession) -> list[ChangeRequest]:
    rows = ChangeRequest.objects.filter(table=session.table_id, state=ChangeRequest.State.OPEN)
    return list(rows.select_related("taking__session__table").order_by("since", "pk"))


def _table(request: HttpRequest, name: str) -> Table:
    found: Table = one(rows_of(Table, request), name=name.upper())
    return found


def _session(request: HttpRequest, table: Table) -> TableSession | None:
    """The table's session, none while it is closed; 404 for one that this person does not see."""
    live = {"table": table, "state__in": TableSession.LIVE}
    rows = sessions_seen_by(user_of(request)).filter(**live)
    found: TableSession | None = rows.select_related("table", "day").first()
    if found is None and TableSession.objects.filter(**live).exists():
        raise Http404
    return found


# ---- the acts --------------------------------------------------------------------------------------


def _taking(request: HttpRequest, session: TableSession) -> SeatTaking:
    """The seat that is acted on, as the page showed it."""
    rows = SeatTaking.objects.filter(session=session, during__endswith=None).select_related("session__table")
    found: SeatTaking = chosen(rows, request, "taking")
    return found


def _seat(request: HttpRequest, session: TableSession) -> int:
    guest = known_guest(request)
    alias = request.POST.get("alias", "")
    taken = seats.seat(
        session=session, seat=whole(request, "seat"), guest=guest, alias=alias, by=by_of(request)
    )
    return taken.seat


def _seat_entry(request: HttpRequest, session: TableSession) -> int:
    live = rows_of(WaitingEntry, request).filter(state__in=WaitingEntry.LIVE)
    entry = chosen(live, request, "entry")
    return seats.seat_from_list(
        entry=entry, session=session, seat=whole(request, "seat"), guest=known_guest(request),
        by=by_of(request),
    ).seat  # fmt: skip


def _leave(request: HttpRequest, session: TableSession) -> int:
    return seats.leave(taking=_taking(request, session), by=by_of(request)).seat


def _away(request: HttpRequest, session: TableSession) -> int:
    keeps = request.POST.get("keeps_chips") == "yes"
    taking = _taking(request, session)
    absences.mark_away(taking=taking, keeps_chips=keeps, by=by_of(request))
    return taking.seat


def _back(request: HttpRequest, session: TableSession) -> int:
    return absences.come_back(taking=_taking(request, session), by=by_of(request)).seat


def _lose(request: HttpRequest, session: TableSession) -> int:
    return absences.lose_seat(taking=_taking(request, session), by=by_of(request)).seat


def _move(request: HttpRequest, session: TableSession) -> int:
    taking, to = _taking(request, session), whole(request, "to")
    target = session
    wanted = request.POST.get("table", "")
    if wanted and wanted != str(session.table_id):
        live = sessions_seen_by(user_of(request)).filter(state__in=TableSession.LIVE)
        table = chosen(rows_of(Table, request), request, "table")
        target = one(live, table=table)
    moved = seats.move(taking=taking, session=target, seat=to, by=by_of(request))
    return moved.seat if target == session else 0


def _ask(request: HttpRequest, session: TableSession) -> int:
    taking, table = _taking(request, session), chosen(rows_of(Table, request), request, "table")
    seat = whole(request, "to", default=0) or None
    queueing.ask_change(taking=taking, table=table, seat=seat, by=by_of(request))
    return taking.seat


def _withdraw(request: HttpRequest, session: TableSession) -> int:
    asked = rows_of(ChangeRequest, request).select_related("taking__session__table")
    queueing.withdraw_change(request=chosen(asked, request, "request"), by=by_of(request))
    return 0


ACTS: dict[str, Callable[[HttpRequest, TableSession], int]] = {
    "seat": _seat,
    "seat_entry": _seat_entry,
    "leave": _leave,
    "away": _away,
    "back": _back,
    "lose": _lose,
    "move": _move,
    "ask": _ask,
    "withdraw": _withdraw,
}
