"""A table is closed on a count signed by two (FLOOR-10); its drop, and what holds its gaming day.

Money: the float returns to the vault; the drop is cash the players left for chips; what a count shows
beyond the rounds is posted with its sign (FLOOR-12).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Max, Q

from audits import days
from audits.by import By
from casino.kernel.commands import command, once_committed
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import GamingDay
from shoes import shoes as shoe_acts
from tables import (
    carrying,
    chips,
    counts,
    crew,
    participants,
    policies,
    results,
    storing,
)
from tables.bank import closing as bank_at_close
from tables.guests import seats
from tables.holding import lock_session, move_on, out_of_order
from tables.models import ChipCount, DropBox, Round, Staff, TableSession
from tables.money import differences, inventory, open_slips
from tables.noting import note, told_of


@command(policies.CLOSE_SESSION)
def close_session(
    *,
    session: TableSession,
    chips_counted: Mapping[int, int],
    counted_by: Staff,
    witnessed_by: Staff,
    by: By,
) -> TableSession:
    """Close a table on a count signed by two (FLOOR-10); its drop comes out of its boxes (FLOOR-11).

    Where every box it had was counted before (shift drops), it is counted in the same act. Raises `Conflict`
    (code `round_open`) while a round is in progress.
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
    bank_at_close.require_returned(session)
    open_slips.require_none(session)
    counted = counts.checked(counts.Float(chips_counted, counted_by, witnessed_by), by)
    ended = None
    if held.shoe is not None:
        ended = shoe_acts.end_shoe(shoe=held.shoe, by=by, reason=by.reason or "cierre de mesa")
    storing.give_up_empty(held, by)
    bank_at_close.call_off(session, by)
    participants.closing(session, by)
    crew.leave_all(session, by)
    seats.end_all(session, by)
    session.state, session.shoe = TableSession.State.CLOSED, held.shoe
    move_on(session, by)
    session.closed_at, session.closed_by = session.last_at, by.actor
    session.closing = chips.total(counted)
    counts.store(session, ChipCount.Moment.CLOSING, counted, counted_by, witnessed_by, by)
    session.save()
    event = note(
        "tables.session.closed",
        session,
        by,
        {
            "closing": session.closing,
            "chips": chips.stored(counted),
            "rounds": session.rounds_settled,
            **({} if results.veiled(session) else results.round_sums(session)),
            "counted_by": counted_by.name,
            "witnessed_by": witnessed_by.name,
            "shoe_event": told_of(ended),
        },
        ["FLOOR-10", "FLOOR-12"],
    )
    results.post_closing(session, event, boxed=_has(session, DropBox.Kind.DEDUCTION))
    done = count_out(session, by, reporting=False)
    if done is not None:
        tell_counted(done, by)
    inventory.close_float(session, counted, event)
    return session


@dataclass(frozen=True, slots=True)
class Counted:
    """A session that has just been counted out of its boxes. `boxed`: what its deduction boxes held."""

    session: TableSession
    boxed: int | None


def count_out(
    session: TableSession, by: By, *, without_box: bool = False, reporting: bool = True
) -> Counted | None:
    """Count a closed session out of its boxes, once all are settled; None while it cannot be.

    Inside a command that holds the session and settles the last box, after its row locks and before its
    events: `tell_counted` tells of it then. `without_box`: two people say there was no drop box, or none
    after those that are counted. `reporting`: open the incident of a difference the rounds do not explain
    here (FLOOR-05); else it comes right after the commit.
    """
    if session.state != TableSession.State.CLOSED:
        return None
    boxes = list(DropBox.objects.filter(session=session))
    if any(not box.settled for box in boxes) or not (without_box or _last_box_known(session, boxes)):
        return None
    assert session.closed_at is not None
    if by.occurred_at < session.closed_at:
        raise out_of_order(by.casino, session.closed_at)
    deductions = [box.amount or 0 for box in boxes if box.kind == DropBox.Kind.DEDUCTION]
    boxed = sum(deductions) if deductions else None
    drop = sum(box.amount or 0 for box in boxes if box.kind == DropBox.Kind.DROP)
    results.take_drop(session, drop, boxed)
    session.save(update_fields=["state", "drop", "result", "unexplained", "deduction"])
    if reporting:
        differences.report_unexplained(session, by)
    else:
        once_committed(lambda: differences.report_result(session=session, by=by))
    return Counted(session, boxed)


def tell_counted(counted: Counted, by: By, *, without_box: Mapping[str, object] | None = None) -> None:
    """The event of a session counted out of its boxes, and its postings (FLOOR-12)."""
    session = counted.session
    boxes = DropBox.objects.filter(session=session).order_by("pk")
    told = {
        **results.told(session),
        **results.round_sums(session),
        "boxes": [
            {"id": box.pk, "number": box.number, "kind": box.kind, "amount": box.amount} for box in boxes
        ],
        "boxed": counted.boxed,
        "without_box": dict(without_box) if without_box else None,
    }
    rules = ["FLOOR-11", "FLOOR-12", *(["FLOOR-14"] if counted.boxed is not None else [])]
    event = note("tables.session.drop_recorded", session, by, told, rules)
    results.post_drop(session, event, boxed=counted.boxed)


def _last_box_known(session: TableSession, boxes: Iterable[DropBox]) -> bool:
    """Whether a drop box left the table once play had ended: after a shift drop another lay there, even if
    nobody noted it (FLOOR-11)."""
    removed = [box.removed_at for box in boxes if box.kind == DropBox.Kind.DROP and box.removed_at]
    played = Round.objects.filter(session=session).aggregate(last=Max("settled_at"))["last"]
    return bool(removed) and (played is None or max(removed) >= played)


def _has(session: TableSession, kind: str) -> bool:
    return DropBox.objects.filter(session=session, kind=kind).exists()


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
            f"falta la caja de {session.label}: cuéntela en la sala de recuento",
            f"the drop of {session.label} is missing: count it in the count room",
        ),
        "REC-08",
    )
