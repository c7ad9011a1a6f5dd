"""Tables held for what concerns seats: their sessions locked by id, and what every such act asks first.

`tables.holding.lock_session` holds a table's shoe as well, which seats do not need and two tables at once
could not have in order.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db.models import DateTimeField, F, Func, Value
from django.db.models.functions import Greatest, Lower

from audits.by import By
from casino.kernel import locking
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables import duties
from tables.holding import QUEUEING, out_of_order
from tables.models import AwayMark, ChangeRequest, Round, SeatTaking, TableSession

MOMENT = dt.timedelta(microseconds=1)


def hold_tables(sessions: Sequence[TableSession], by: By) -> dict[int, TableSession]:
    """The live sessions, locked, by id. Raises `Conflict` (`session_closed`), `Refused`
    (`occurred_out_of_order`), `NotAllowed` (`not_your_pit`)."""
    locking.taking(locking.Rank.SESSION)
    rows = TableSession.objects.select_for_update(of=("self",), no_key=True)
    wanted = {session.pk for session in sessions}
    related = rows.select_related("casino", "table", "day", "shoe")
    held = {found.pk: found for found in related.filter(pk__in=wanted).order_by("pk")}
    for found in held.values():
        if not found.live:
            raise Conflict(
                Text(f"{found.label} ya está cerrada", f"{found.label} is closed already"),
                code="session_closed",
            )
        if by.occurred_at < max(found.last_at - QUEUEING, found.opened_at):
            raise out_of_order(by.casino, found.last_at)
        duties.require_pit(by, found.table)
    return held


def hold_taking(taking: SeatTaking, by: By) -> SeatTaking:
    """A seat that is taken, its table held. Raises `Conflict` (`seat_left`)."""
    session = hold_tables([taking.session], by)[taking.session_id]
    found = lock_takings([taking])[0]
    if found.during.upper is not None:
        raise Conflict(
            Text(
                f"{found.alias} ya dejó el asiento {found.seat}: vea el mapa de la mesa",
                f"{found.alias} left seat {found.seat} already: look at the table's map",
            ),
            code="seat_left",
        )
    found.session = session
    return found


def lock_takings(takings: Sequence[SeatTaking]) -> list[SeatTaking]:
    """Seats that are taken, locked by id, as they stand: who bids holds their own, without their table."""
    locking.taking(locking.Rank.SESSION)
    rows = SeatTaking.objects.select_for_update(of=("self",), no_key=True).select_related("guest")
    return list(rows.filter(pk__in=[taking.pk for taking in takings]).order_by("pk"))


def moved_on(session: TableSession, by: By) -> None:
    """Note on the session that something of `by.occurred_at` is recorded."""
    session.last_at = max(session.last_at, by.occurred_at)
    session.save(update_fields=["last_at"])


def round_under_way(session: TableSession) -> bool:
    """Whether a round is being played: one that has anything logged (BANK-20)."""
    rows = Round.objects.filter(session=session, state=Round.State.OPEN)
    return rows.exclude(log=[]).exists()


def end_marks(taking: SeatTaking, at: dt.datetime) -> dict[str, int | None]:
    """End what hangs on a seat that is left: an absence, a request to move. Their ids, for the event."""
    mark = AwayMark.objects.filter(taking=taking, during__endswith=None).first()
    if mark is not None:
        end_range(AwayMark.objects.filter(pk=mark.pk), at)
    asked = ChangeRequest.objects.filter(taking=taking, state=ChangeRequest.State.OPEN).first()
    if asked is not None:
        asked.state, asked.ended_at = ChangeRequest.State.WITHDRAWN, max(at, asked.since)
        asked.save(update_fields=["state", "ended_at"])
    return {"mark": mark.pk if mark else None, "request": asked.pk if asked else None}


def end_range(rows: object, at: dt.datetime) -> None:
    """Write the end of `during`: at an instant, or at once after it began where that lies later."""
    began = Func(
        Lower(F("during")), Value(MOMENT), template="%(expressions)s", arg_joiner=" + ",
        output_field=DateTimeField(),
    )  # fmt: skip
    at_least = Greatest(began, Value(at, output_field=DateTimeField()))
    rows.update(during=Func(Lower(F("during")), at_least, function="tstzrange", arity=2))  # type: ignore[attr-defined]
