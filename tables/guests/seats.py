"""Who sits where: a seat taken, left, changed. Times are exact, nothing is rewritten.

Nobody barred sits down (GEN-11). Who is away for a moment: `tables.guests.absences`. Whose turn a vacant seat
is: `tables.guests.priorities`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from psycopg.types.range import TimestamptzRange

from audits import trail
from audits.by import By
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from tables.guests import aliases, matching, policies, priorities, queueing
from tables.guests.admitting import Where, require_admitted, share_lists
from tables.guests.holding import (
    end_marks,
    end_range,
    hold_tables,
    hold_taking,
    moved_on,
    round_under_way,
)
from tables.guests.registering import called, require_identified
from tables.models import AwayMark, ChangeRequest, Guest, SeatTaking, TableSession, WaitingEntry
from tables.noting import note

SEATS_IN = (TableSession.State.OPENING, TableSession.State.OPEN, TableSession.State.PAUSED)


@command(policies.SEAT)
def seat(
    *, session: TableSession, seat: int, by: By, guest: Guest | None = None, alias: str = ""
) -> SeatTaking:
    """Seat somebody: known by document, or anonymous under an alias (BANK-21: the waiting list goes first).

    Raises `TurnedAway` (GEN-11), `Conflict` (`seat_taken`, `seat_reserved`, `guest_seated`,
    `session_closing`), `Refused` (`no_such_seat`, `guest_missing`, `reason_missing`, `bad_alias`),
    `RuleViolation` BANK-21 (`list_first`).
    """
    share_lists(by.casino)
    session = hold_tables([session], by)[session.pk]
    require_vacant(session, seat)
    passed = priorities.require_turn(priorities.claims_on(session, seat), None, session.game, by)
    taking = place(session, seat, guest, alias, by)
    tell_taken(taking, passed, by)
    return taking


@command(policies.SEAT)
def seat_from_list(
    *, entry: WaitingEntry, session: TableSession, seat: int, by: By, guest: Guest | None = None
) -> SeatTaking:
    """Seat who waited, first come first; whoever is passed over needs a reason (BANK-21).

    `guest`: who of the party it is, where the list does not say: a companion, or somebody anonymous on the
    list who shows a document. Raises what `seat` does, and `Conflict` (`wait_ended`, `other_list`).
    """
    share_lists(by.casino)
    session = hold_tables([session], by)[session.pk]
    entry = queueing.hold_entry(entry, by)
    if (entry.table_id != session.table_id) if entry.table_id else (entry.game != session.game):
        raise Conflict(
            Text(
                f"{entry.alias} espera en otra lista: {queueing.list_of(entry)}",
                f"{entry.alias} waits on another list: {queueing.list_of(entry)}",
            ),
            code="other_list",
            field="entry",
        )
    require_vacant(session, seat)
    claims = list(priorities.claims_on(session, seat))
    passed = priorities.require_turn(claims, (priorities.LIST, entry.pk), session.game, by)
    sat = list(entry.takings.values_list("guest", flat=True))
    if guest is None and entry.guest_id not in sat:
        guest = entry.guest
    own = guest.pk == entry.guest_id if guest else not sat
    taking = place(session, seat, guest, entry.alias if own else "", by, entry=entry)
    if entry.takings.count() >= entry.party_size:
        queueing.end_entry(entry, WaitingEntry.State.SEATED, by)
    tell_taken(taking, passed, by)
    if guest is not None and entry.guest_id is None:
        aliases.tell_identified(entry.alias, guest, f"{session.table.name}/{seat}", by)
    return taking


@command(policies.SEAT)
def leave(*, taking: SeatTaking, by: By) -> SeatTaking:
    """A player gets up. Raises `Conflict` (`seat_left`), `Refused` (`seat_ends_before_it_began`)."""
    taking = hold_taking(taking, by)
    ended = end_taking(taking, by)
    seat_emptied(taking.session, by)
    note("tables.session.seat_left", taking.session, by, {**about(taking), **ended}, [])
    moved_on(taking.session, by)
    return taking


@command(policies.SEAT)
def move(*, taking: SeatTaking, session: TableSession, seat: int, by: By) -> SeatTaking:
    """A player changes place, at once and in one act: within a table, or to another (BANK-20, BANK-21).

    A request of theirs that it answers is honoured. Raises what `seat` does.
    """
    share_lists(by.casino)
    held = hold_tables([taking.session, session], by)
    taking = hold_taking(taking, by)
    before, target = held[taking.session_id], held[session.pk]
    taking.session = before
    require_vacant(target, seat)
    request = ChangeRequest.objects.filter(taking=taking, state=ChangeRequest.State.OPEN).first()
    answered = (
        request if request and request.table_id == target.table_id and request.seat in (None, seat) else None
    )
    mine = (priorities.CHANGE, answered.pk) if answered else None
    passed = priorities.require_turn(priorities.claims_on(target, seat), mine, target.game, by)
    if answered is not None:
        answered.state, answered.ended_at = ChangeRequest.State.HONOURED, max(by.occurred_at, answered.since)
        answered.save(update_fields=["state", "ended_at"])
    ended = end_taking(taking, by)
    if answered is not None:
        ended["honoured"] = answered.pk
    new = place(target, seat, taking.guest, taking.alias, by, moved_from=taking)
    if before.pk != target.pk:
        seat_emptied(before, by)
    _tell_moved(taking, new, ended, passed, by)
    return new


def end_all(session: TableSession, by: By) -> None:
    """Everybody gets up: the table closes. Called inside the close, which holds the session."""
    rows = SeatTaking.objects.filter(session=session, during__endswith=None).order_by("seat")
    told = [{**about(taking), **end_marks(taking, by.occurred_at)} for taking in rows]
    if not told:
        return
    end_range(SeatTaking.objects.filter(pk__in=[one["taking"] for one in told]), by.occurred_at)
    seats = [one["seat"] for one in told]
    note("tables.session.seats_emptied", session, by, {"seats": seats, "left": told}, [])


# ---- the parts -------------------------------------------------------------------------------------


def require_vacant(session: TableSession, seat: int) -> None:
    """Raise unless a seat of a table can be taken now."""
    if session.state not in SEATS_IN:
        raise Conflict(
            Text(
                f"{session.table.name} está cerrando: nadie más se sienta",
                f"{session.table.name} is closing: nobody else sits down",
            ),
            code="session_closing",
        )
    if not 1 <= seat <= session.seats:
        raise Refused(
            Text(
                f"{session.table.name} tiene asientos del 1 al {session.seats}",
                f"{session.table.name} has seats 1 to {session.seats}",
            ),
            code="no_such_seat",
            field="seat",
        )
    holder = SeatTaking.objects.filter(session=session, seat=seat, during__endswith=None).first()
    if holder is None:
        return
    if AwayMark.objects.filter(taking=holder, during__endswith=None).exists():
        raise Conflict(
            Text(
                f"el asiento {seat} está reservado a {holder.alias}, que se ausentó un momento",
                f"seat {seat} is kept for {holder.alias}, who is away for a moment",
            ),
            code="seat_reserved",
            rule="".join(priorities.of_the_bank(session.game, "BANK-23")),
            field="seat",
        )
    raise _seat_taken(seat, holder.alias)


def place(
    session: TableSession,
    seat: int,
    guest: Guest | None,
    alias: str,
    by: By,
    *,
    moved_from: SeatTaking | None = None,
    entry: WaitingEntry | None = None,
) -> SeatTaking:
    """Store who takes a seat of a held table, admitted (GEN-11)."""
    where = f"{session.table.name}/{seat}"
    require_admitted(guest, where=Where.SEAT, place=where, by=by)
    if moved_from is None:
        require_identified(guest, by.casino)
    name = called(alias)
    if guest is None:
        aliases.require_unlisted(name, where=Where.SEAT, place=where, by=by)
    shoe = session.shoe
    return SeatTaking.objects.create(
        casino=by.casino,
        session=session,
        seat=seat,
        guest=guest,
        alias=name or (matching.initials(guest.name) if guest else f"A{seat}"),
        during=TimestamptzRange(by.occurred_at, None, "[)"),
        moved_from=moved_from,
        entry=entry,
        after_round=session.last_round,
        mid_round=round_under_way(session),
        mid_shoe=shoe is not None and shoe.dealt > 0,
        taken_by=by.actor,
    )


Objection = Callable[[SeatTaking, By], None]
_objections: list[Objection] = []


def register_objection(objection: Objection) -> None:
    """Ask `objection`, which raises, before anybody leaves or changes a seat of a table that goes on."""
    _objections.append(objection)


_partings: list[Objection] = []


def register_parting(parting: Objection) -> None:
    """Have `parting` settle what somebody leaves at a seat of a table that goes on, once nothing objects."""
    _partings.append(parting)


Aftermath = Callable[[TableSession, By], None]
_aftermaths: list[Aftermath] = []


def register_aftermath(aftermath: Aftermath) -> None:
    """Tell `aftermath` when a seat of a held table was left for good, before the act's own event."""
    _aftermaths.append(aftermath)


def seat_emptied(session: TableSession, by: By) -> None:
    for aftermath in _aftermaths:
        aftermath(session, by)


def end_taking(taking: SeatTaking, by: By) -> dict[str, Any]:
    """End a seat and what hangs on it; the ids of what ended, for the event."""
    require_later(taking, by)
    for objection in _objections:
        objection(taking, by)
    for parting in _partings:
        parting(taking, by)
    told = end_marks(taking, by.occurred_at)
    end_range(SeatTaking.objects.filter(pk=taking.pk), by.occurred_at)
    taking.refresh_from_db(fields=["during"])
    return dict(told)


def require_later(taking: SeatTaking, by: By) -> None:
    """Refuse an instant that is not after the seat was taken."""
    if by.occurred_at > taking.during.lower:
        return
    raise Refused(
        Text(
            "la hora indicada no es posterior a cuando tomó el asiento; corrija la hora",
            "the stated time is not after the seat was taken; correct the time",
        ),
        code="seat_ends_before_it_began",
        field="occurred_at",
    )


def about(taking: SeatTaking) -> dict[str, Any]:
    """What an event says of a seat that is taken: players by alias, a guest by id alone."""
    return {
        "taking": taking.pk,
        "seat": taking.seat,
        "player": taking.alias,
        "guest": taking.guest_id,
    }


def tell_taken(taking: SeatTaking, passed: Sequence[priorities.Claim], by: By, **more: Any) -> None:
    """The event of a seat taken, on its session's stream."""
    told = {
        **about(taking),
        "after_round": taking.after_round,
        "mid_round": taking.mid_round,
        "mid_shoe": taking.mid_shoe,
        "entry": taking.entry_id,
        "passed": [claim.name for claim in passed],
        **more,
    }
    rules = ["GEN-11", *priorities.of_the_bank(taking.session.game, "BANK-20", "BANK-21")]
    note("tables.session.seat_taken", taking.session, by, told, rules)
    moved_on(taking.session, by)


def _tell_moved(
    old: SeatTaking, new: SeatTaking, ended: dict[str, Any], passed: Sequence[priorities.Claim], by: By
) -> None:
    """A change within a table is one event; to another, one on each stream, the second naming the first."""
    if old.session_id != new.session_id:
        told = {**about(old), **ended, "to": f"{new.session.table.name}/{new.seat}"}
        event = note("tables.session.seat_left", old.session, by, told, [])
        moved_on(old.session, by)
        came = {"from": old.pk, "left_event": trail.named(event, old.session.stream)}
        tell_taken(new, passed, by, **came)
        return
    told = {
        **about(new),
        **ended,
        "left": old.pk,
        "before": old.seat,
        "after_round": new.after_round,
        "mid_round": new.mid_round,
        "mid_shoe": new.mid_shoe,
        "passed": [claim.name for claim in passed],
    }
    rules = priorities.of_the_bank(new.session.game, "BANK-20", "BANK-21")
    note("tables.session.seat_changed", new.session, by, told, rules)
    moved_on(new.session, by)


def _seat_taken(seat: int | None = None, alias: str = "") -> Conflict:
    return Conflict(
        Text(
            f"el asiento {seat} lo ocupa {alias}" if seat else "otra persona tomó ese asiento primero",
            f"seat {seat} is {alias}'s" if seat else "somebody else took that seat first",
        ),
        code="seat_taken",
        field="seat",
    )


explain_constraint("one_person_per_seat", _seat_taken)
explain_constraint(
    "one_seat_per_guest",
    lambda: Conflict(
        Text(
            "esa persona ya ocupa un asiento en la sala: cámbiela de lugar desde allí",
            "that person has a seat on the floor already: move them from there",
        ),
        code="guest_seated",
        field="guest",
    ),
)
