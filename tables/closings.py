"""A table is closed on a count signed by two (FLOOR-10); its drop, and what holds its gaming day.

Money: the float returns to the vault; the drop is cash the players left for chips; what a count shows
beyond the rounds is posted with its sign (FLOOR-12).
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q

from audits import days
from audits.by import By
from casino.kernel import locking
from casino.kernel.commands import command
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import GamingDay
from shoes import shoes as shoe_acts
from tables import (
    carrying,
    chips,
    counts,
    crew,
    policies,
    results,
    storing,
)
from tables.holding import lock_session, move_on, out_of_order
from tables.models import ChipCount, Staff, TableSession
from tables.noting import note, told_of


@command(policies.CLOSE_SESSION)
def close_session(
    *,
    session: TableSession,
    chips_counted: Mapping[int, int],
    counted_by: Staff,
    witnessed_by: Staff,
    by: By,
    drop: int | None = None,
) -> TableSession:
    """Close a table on a count signed by two (FLOOR-10). `drop`: smallest units, if counted already.

    Raises `Conflict` (code `round_open`) while a round is in progress.
    """
    held = lock_session(session, by)
    session = held.session
    under_way = storing.under_way(held.last_round_open)
    if under_way is not None:
        raise Conflict(
            Text(
                f"el pase {under_way.number} está en curso: termínelo o abandónelo antes de cerrar la mesa",
                f"round {under_way.number} is in progress: finish or abandon it before closing the table",
            ),
            code="round_open",
            rule="FLOOR-10",
        )
    carrying.require_nothing_pending(session)
    counted = counts.checked(counts.Float(chips_counted, counted_by, witnessed_by), by)
    ended = None
    if held.shoe is not None:
        ended = shoe_acts.end_shoe(shoe=held.shoe, by=by, reason=by.reason or "cierre de mesa")
    storing.give_up_empty(held, by)
    crew.leave_all(session, by)
    session.state, session.shoe = TableSession.State.CLOSED, held.shoe
    move_on(session, by)
    session.closed_at, session.closed_by = session.last_at, by.actor
    session.closing = chips.total(counted)
    counts.store(session, ChipCount.Moment.CLOSING, counted, counted_by, witnessed_by, by)
    session.save()
    if drop is not None:
        results.take_drop(session, drop)
        session.save(update_fields=["state", "drop", "result", "unexplained"])
    event = note(
        "tables.session.closed",
        session,
        by,
        {
            "closing": session.closing,
            "chips": chips.stored(counted),
            "rounds": session.rounds_settled,
            "staked": session.staked,
            "returned": session.returned,
            "commission": session.commission,
            **results.told(session),
            "counted_by": counted_by.name,
            "witnessed_by": witnessed_by.name,
            "shoe_event": told_of(ended),
        },
        ["FLOOR-10", "FLOOR-12"],
    )
    results.post_closing(session, event)
    return session


@command(policies.RECORD_DROP)
def record_drop(*, session: TableSession, drop: int, by: By) -> TableSession:
    """Record the drop of a closed session, once (FLOOR-12; a second figure would erase it, REC-07).

    `drop`: smallest units. Raises `Conflict` (codes `session_open`, `drop_recorded`, `day_closed`),
    `Refused` for a negative drop or an instant before the close (`occurred_out_of_order`).
    """
    days.require_open(session.day)
    locking.taking(locking.Rank.SESSION)
    session = (
        TableSession.objects.select_for_update(of=("self",), no_key=True)
        .select_related("table", "day", "casino")
        .get(pk=session.pk)
    )
    if session.live:
        raise Conflict(Text("la mesa sigue abierta", "the table is still open"), code="session_open")
    assert session.closed_at is not None
    if by.occurred_at < session.closed_at:
        raise out_of_order(by.casino, session.closed_at)
    if session.drop is not None:
        raise Conflict(
            Text("la caja de esta sesión ya está registrada", "this session's drop is recorded already"),
            code="drop_recorded",
            rule="REC-07",
        )
    results.take_drop(session, drop)
    session.save(update_fields=["state", "drop", "result", "unexplained"])
    told = results.told(session)
    event = note("tables.session.drop_recorded", session, by, told, ["FLOOR-12"])
    results.post_drop(session, event)
    return session


def holds_day(day: GamingDay) -> list[days.Holding]:
    """What keeps a gaming day open: sessions not closed yet, and those whose drop is not recorded, as
    their result is not known (REC-08, FLOOR-12)."""
    rows = TableSession.objects.filter(day=day).filter(Q(state__in=TableSession.LIVE) | Q(drop=None))
    return [
        _holding(session) for session in rows.select_related("table", "day").order_by("table__name", "pk")
    ]


def _holding(session: TableSession) -> days.Holding:
    if session.live:
        words = Text(f"{session.label} sigue abierta", f"{session.label} is still open")
        return days.Holding("session_open", words, "REC-08")
    return days.Holding(
        "drop_not_counted",
        Text(
            f"falta la caja de {session.label}: cuéntela y regístrela",
            f"the drop of {session.label} is missing: count and record it",
        ),
        "REC-08",
    )
