"""One table's round, by keyboard or by touch: the board, and the entries that change it.

Each entry names the round and the step it believes the table is at, and carries a request id: sent
twice (a tablet that lost its line) it is done once, and two tabs cannot log the same thing.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language

from audits.by import By, by_user
from audits.models import Event
from audits.pages.answers import by_of, one, unless_changed, user_of
from casino.kernel import clock, permissions
from casino.kernel.errors import Conflict, Refused, SabotError
from casino.kernel.words import Text
from tables import (
    entering,
    openings,
    pad,
    panels,
    pausing,
    policies,
    queries,
    reshuffling,
    rounds,
    sessions,
    shuffling,
    storing,
    typed,
)
from tables.bank.figures import keeps_bank
from tables.board import UNDO_REASONS, state_of
from tables.board import board as board_of
from tables.guests.admitting import on_record
from tables.models import Round, Table, TableSession
from tables.pages import bank_acts
from tables.seeing import sessions_seen_by


def show(request: HttpRequest, name: str) -> HttpResponse:
    """The round page of an open table."""
    table = _table(request, name)
    session = _open_session(request, table)
    if session is None:
        return _closed(request, table)
    return render(request, "tables/round.html", _context(request, session))


def _closed(request: HttpRequest, table: Table) -> HttpResponse:
    """Where a closed table's address leads: to its opening, or to the last session one may read of it."""
    user = user_of(request)
    if permissions.may(user, policies.OPEN_SESSION):
        return redirect("table-open", table.name)
    last = sessions_seen_by(user).filter(table=table).order_by("-opened_at", "-pk").first()
    return redirect("session", last.pk) if last else redirect("floor")


def board(request: HttpRequest, name: str) -> HttpResponse:
    """The inner part alone; 304 while nothing changed."""
    session = _must_be_open(request, _table(request, name))
    return unless_changed(request, "tables/_board.html", _context(request, session))


def enter(request: HttpRequest, name: str) -> HttpResponse:
    """Whatever was typed: a card, a bet, a decision; nothing typed does the one thing that can come."""

    def act(session: TableSession, number: int, step: int, by: By) -> None:
        _, current, state = state_of(session, by.occurred_at)
        given = request.POST.get("typed", "").strip()
        if given:
            events: str | typed.Events = typed.events(given, current.game, state, get_language())
        else:
            events = entering.on_enter(current.game, state)
        if isinstance(events, str):
            rounds.settle(session=session, number=number, step=step, by=by)
        else:
            rounds.play(session=session, number=number, step=step, events=events, by=by)

    return write(request, name, act)


def undo(request: HttpRequest, name: str) -> HttpResponse:
    """Strike out an entry of the round in progress, the last unless `of` names another.

    It stays in the log with its reason: one of the ready ones (`why`) or the person's own (`other`).
    """

    def act(session: TableSession, number: int, step: int, by: By) -> None:
        opened, _, _ = state_of(session, by.occurred_at)
        live = storing.standing(opened.log) if opened else []
        asked = _number(request, "of") if request.POST.get("of") else None
        of = asked if asked is not None else live[-1] if live else None
        if of not in live:
            raise Refused(
                Text("no hay nada que anular en este pase", "there is nothing to undo in this round"),
                code="nothing_to_undo",
            )
        ready, _ = UNDO_REASONS.get(request.POST.get("why", ""), UNDO_REASONS["2"])
        why = request.POST.get("other", "").strip() or ready.es
        events = [{"e": "undo", "of": of, "why": why}]
        rounds.play(session=session, number=number, step=step, events=events, by=by)

    return write(request, name, act)


def abandon(request: HttpRequest, name: str) -> HttpResponse:
    """Give up the round in progress, with a reason; one of which nothing stands has its own."""

    def act(session: TableSession, number: int, step: int, by: By) -> None:
        opened = Round.objects.filter(session=session, state=Round.State.OPEN).first()
        if not by.reason and opened is not None and not _entered(session, opened):
            by = replace(by, reason=storing.EMPTY_ROUND.es)
        rounds.abandon(session=session, number=number, step=step, by=by)

    return write(request, name, act)


def _entered(session: TableSession, opened: Round) -> list[int]:
    """What stands of what somebody entered: a bank that is kept apart was handed on."""
    log = opened.log
    kept = keeps_bank(session)
    return [at for at in storing.standing(log) if not (kept and log[at - 1]["e"] == "bank")]


def bank(request: HttpRequest, name: str) -> HttpResponse:
    """One act of the bank panel: the board answers, as to an entry."""

    def act(session: TableSession, number: int, step: int, by: By) -> None:
        with on_record():
            bank_acts.perform(request, session, key=request.POST.get("request", ""))

    return write(request, name, act)


def stop_card(request: HttpRequest, name: str) -> HttpResponse:
    """The dealer shows the stop card; asked twice, as it ends the shoe."""

    def act(session: TableSession, number: int, step: int, by: By) -> None:
        if session.shoe is not None and not request.POST.get("sure"):
            left, last = session.shoe.remaining, session.shoe.stop_at
            raise Refused(
                Text(
                    f"según el conteo quedan {left} cartas y la de detención va sobre las últimas {last}:"
                    " confirme que salió",
                    f"by the count {left} cards are left and the stop card goes over the last {last}:"
                    " confirm that it came out",
                ),
                code="confirm_stop_card",
                rule="CARD-38",
            )
        sessions.see_stop_card(session=session, by=by)

    return write(request, name, act)


def shuffled(request: HttpRequest, name: str) -> HttpResponse:
    """The dealer shuffled after the round just over (CARD-21)."""

    def act(session: TableSession, number: int, step: int, by: By) -> None:
        given = request.POST
        shuffling.note_shuffle(
            session=session, kind=given.get("kind", ""), machine=given.get("machine", ""), by=by
        )

    return write(request, name, act)


def discards(request: HttpRequest, name: str) -> HttpResponse:
    """The cards of the discard holder go back into the machine (CARD-34)."""

    def act(session: TableSession, number: int, step: int, by: By) -> None:
        reshuffling.return_discards(session=session, by=by)

    return write(request, name, act)


def step(request: HttpRequest, name: str) -> HttpResponse:
    """The table begins to play, pauses, goes on, is called to its last round."""

    def act(session: TableSession, number: int, step: int, by: By) -> None:
        asked = _STEPS.get(request.POST.get("act", ""))
        if asked is None:
            raise Refused(Text("elija qué hacer", "choose what to do"), code="no_such_step", field="act")
        asked(session=session, by=by)

    return write(request, name, act)


_STEPS: dict[str, Callable[..., TableSession]] = {
    "begin": openings.begin_play,
    "pause": pausing.pause,
    "resume": pausing.resume,
    "last": pausing.call_last_round,
}

Act = Callable[[TableSession, int, int, By], Any]


def write(request: HttpRequest, name: str, act: Act) -> HttpResponse:
    """Do one entry and answer the board as it is then, with the refusal in the prompt's place. Also for what
    rooms above put beside the felt (`tables.panels`)."""
    session = _must_be_open(request, _table(request, name))
    refusal: SabotError | None = None
    try:
        by = _by(request)
        if not _done_already(by):
            act(session, _number(request, "number"), _number(request, "step"), by)
    except SabotError as error:
        refusal = error
    context = _context(request, _must_be_open(request, session.table)) | {
        "refusal": refusal,
        "typed": request.POST.get("typed", "").strip()[: typed.LONGEST],
    }
    if refusal is not None and "do" in request.POST:
        context["given"] = request.POST  # an act on the bank: what was typed stands in its form
    return render(request, "tables/_board.html", context, status=refusal.status if refusal else 200)


def _by(request: HttpRequest) -> By:
    by = by_of(request)
    try:
        asked = uuid.UUID(request.POST.get("request", ""))
    except ValueError:
        return by
    return by_user(user_of(request), request_id=asked, reason=by.reason)


def _done_already(by: By) -> bool:
    """Whether this very request was written before and only its answer was lost."""
    return Event.objects.filter(request=by.request_id, casino=by.casino, actor=by.actor).exists()


def _number(request: HttpRequest, field: str) -> int:
    given = request.POST.get(field, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else -1


def _table(request: HttpRequest, name: str) -> Table:
    found: Table = one(Table.objects.restrict(user_of(request), policies.READ_FLOOR), name=name.upper())
    return found


def _open_session(request: HttpRequest, table: Table) -> TableSession | None:
    """The table's open session; 404 for a croupier who does not work it."""
    rows = sessions_seen_by(user_of(request)).filter(table=table, state__in=TableSession.LIVE)
    seen: TableSession | None = rows.select_related("table", "day", "casino", "shoe").first()
    if seen is None and TableSession.objects.filter(table=table, state__in=TableSession.LIVE).exists():
        raise Http404
    return seen


def _must_be_open(request: HttpRequest, table: Table) -> TableSession:
    session = _open_session(request, table)
    if session is None:
        raise Conflict(Text("la mesa está cerrada", "the table is closed"), code="session_closed")
    return session


def _context(request: HttpRequest, session: TableSession) -> dict[str, Any]:
    instant = clock.now()
    shown = board_of(session, instant)
    return {
        "board": shown,
        "session": session,
        "table": session.table,
        "posts": [
            (a, queries.POST_NAMES[a.post], int((instant - a.during.lower).total_seconds() // 60))
            for a in shown.crew
        ],
        "reasons": [(key, *reason) for key, reason in UNDO_REASONS.items()],
        "seats": range(1, session.seats + 1),
        "points": range(10),
        "pad": pad.of(shown.game, shown.state.terms, session.casino.denominations),
        "panels": panels.of_board(session, shown, instant),
    }
