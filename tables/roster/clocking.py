"""Coming and going: the hours somebody really worked, tied to the shift that was planned."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast
from zoneinfo import ZoneInfo

from django.db.models import Q
from psycopg.types.range import TimestamptzRange

from audits.by import By
from casino.kernel import clock
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, NotAllowed, Refused
from casino.kernel.words import Text
from tables import crew
from tables.models import Assignment, Shift, Staff
from tables.roster import hours, policies
from tables.roster.fitness import LONGEST_SHIFT
from tables.roster.held import hold, lock_people
from tables.roster.telling import tell


@command(policies.CLOCK)
def clock_in(*, staff: Staff, by: By, shift: Shift | None = None) -> Shift:
    """Somebody comes to work: on the shift planned nearest to now (`hours.arriving`), also one noted absent.

    A chief notes anybody's, at the instant stated; others note their own, as it happens (`not_own`).
    Raises `Conflict` (`shift_open`: clock out of the one before first; `other_shift`: not on the `shift` that
    was meant), `Refused` (`no_shift`: plan one).
    """
    by = _whose(staff, by)
    person = lock_people(by, staff.pk)[staff.pk]
    crew.require_in_service(person, "staff")
    if Shift.objects.filter(staff=person, state=Shift.State.PRESENT).exists():
        raise Conflict(
            Text(
                f"{person.name} ya tiene un turno abierto; marque primero su salida",
                f"{person.name} has a shift open already; clock them out first",
            ),
            code="shift_open",
            field="staff",
        )
    waiting = Shift.objects.filter(staff=person, state__in=(Shift.State.PLANNED, Shift.State.ABSENT))
    found: Any = hours.arriving(_near(waiting, by), by.occurred_at)
    if found is None:
        raise Refused(
            Text(
                f"{person.name} no tiene turno a esta hora; que el jefe de sala lo planifique",
                f"{person.name} has no shift at this hour; have the pit boss plan one",
            ),
            code="no_shift",
            field="staff",
        )
    _require_meant(shift, found)
    found.staff = person
    found.state, found.note = Shift.State.PRESENT, ""
    found.actual = TimestamptzRange(by.occurred_at, None, "[)")
    found.save(update_fields=["state", "note", "actual"])
    late = hours.punctuality((found.start, found.end), found.came, None).late_in
    tell("tables.shift.clocked_in", found, by, late_minutes=late)
    return cast(Shift, found)


@command(policies.CLOCK)
def clock_out(*, staff: Staff, by: By, shift: Shift | None = None) -> Shift:
    """Somebody leaves: ends the shift they are on, whatever its date (SHI-006).

    Raises `Conflict` (`not_clocked_in`; `staff_busy` while they hold a post, or before one they held,
    FLOOR-01; `other_shift`: it is not the `shift` that was meant), `Refused` for an instant not after they
    came (`bad_hours`).
    """
    by = _whose(staff, by)
    person = lock_people(by, staff.pk)[staff.pk]
    present = Shift.objects.filter(staff=person, state=Shift.State.PRESENT)
    found = hours.leaving(present.select_for_update(no_key=True))
    if found is None:
        raise Conflict(
            Text(f"{person.name} no marcó su entrada", f"{person.name} has not clocked in"),
            code="not_clocked_in",
            field="staff",
        )
    assert found.came is not None
    _require_meant(shift, found)
    _require_off_the_felt(person, found, by.occurred_at)
    _require_order(found.came, by.occurred_at)
    found.staff = person
    found.state = Shift.State.DONE
    found.actual = TimestamptzRange(found.came, by.occurred_at, "[)")
    found.save(update_fields=["state", "actual"])
    tell("tables.shift.clocked_out", found, by, minutes=hours.minutes(found.came, by.occurred_at))
    return found


@command(policies.PLAN_SHIFTS)
def correct_hours(*, shift: Shift, came: dt.datetime, left: dt.datetime, by: By) -> Shift:
    """Other hours worked (UTC) for a shift that is over, or those that nobody noted, with a reason; the
    trail keeps the ones before (REC-07).

    Raises `Refused` (`bad_hours`: not of this shift, not over yet; `reason_missing`), `Conflict`
    (`shift_moved_on`: cancelled, or they are on it; `staff_busy`: left before a post they held, FLOOR-01).
    """
    by.need_reason()
    shift = hold(shift, by)
    if shift.on_now or shift.state == Shift.State.CANCELLED:
        raise Conflict(
            Text(
                "no se corrigen las horas de un turno abierto ni de uno cancelado; marque antes la salida",
                "hours of an open shift are not corrected, nor of one cancelled; clock out first",
            ),
            code="shift_moved_on",
            detail={"state": shift.state},
        )
    _require_order(came, left)
    _require_of_shift(shift, came, left, by)
    _require_off_the_felt(shift.staff, shift, left)
    before = {
        "came_before": clock.stamp(shift.came) if shift.came else None,
        "left_before": clock.stamp(shift.left) if shift.left else None,
    }
    shift.state, shift.note = Shift.State.DONE, ""
    shift.actual = TimestamptzRange(came, left, "[)")
    shift.save(update_fields=["state", "note", "actual"])
    tell("tables.shift.corrected", shift, by, rules=["REC-07"], **before)
    return shift


def _whose(staff: Staff, by: By) -> By:
    """`by`, stating when if a chief; their own hours people note as they happen."""
    if not by.actor.roles.isdisjoint(policies.CHIEFS):
        return by
    if staff.user_id is None or staff.user_id != by.actor.user_id:
        raise NotAllowed(
            Text(
                "sólo un jefe anota las horas de otra persona; avise al suyo",
                "only a chief notes somebody else's hours; tell yours",
            ),
            code="not_own",
        )
    return by.by_the_clock()


def _near(waiting: Any, by: By) -> Any:
    day = dt.timedelta(days=1)
    around = TimestamptzRange(by.occurred_at - day, by.occurred_at + day)
    return waiting.filter(planned__overlap=around).select_for_update(no_key=True).order_by("planned")


def _require_meant(meant: Shift | None, found: Shift) -> None:
    """Whoever acts on one shift's page does not change another by it."""
    if meant is not None and meant.pk != found.pk:
        zone = ZoneInfo(found.casino.zone)
        shown = f"{found.start.astimezone(zone):%d/%m %H:%M}"
        raise Conflict(
            Text(
                f"a esa hora le toca su turno de las {shown}; márquelo en ese turno",
                f"at that time it is their shift of {shown}; note it on that shift",
            ),
            code="other_shift",
            field="occurred_at",
            detail={"shift": found.pk},
        )


def _require_off_the_felt(person: Staff, shift: Shift, left: dt.datetime) -> None:
    """Nobody leaves from a post, nor before a turn at one which began within the shift (FLOOR-01)."""
    later = Q(during__startswith__gte=left, during__startswith__lt=shift.end)
    held = Assignment.objects.filter(later | Q(during__contains=left), staff=person)
    turn = held.select_related("session__table").order_by("-during").first()
    if turn is None:
        return
    table = turn.session.table.name
    said = (
        Text(
            f"{person.name} está en {table}: relévela primero",
            f"{person.name} is at {table}: relieve them first",
        )
        if turn.during.upper is None
        else Text(
            f"{person.name} estuvo en {table} después de esa hora; indique una posterior",
            f"{person.name} was at {table} after that time; state a later one",
        )
    )
    raise Conflict(said, code="staff_busy", rule="FLOOR-01", field="staff")


def _require_of_shift(shift: Shift, came: dt.datetime, left: dt.datetime, by: By) -> None:
    if hours.arriving([shift], came) is None:
        raise Refused(
            Text(
                "esa entrada no es de este turno: entre dos horas antes y su fin; corrija la hora",
                "that arrival is not of this shift: from two hours before to its end; correct the time",
            ),
            code="bad_hours",
            field="came",
        )
    if left > by.occurred_at:
        raise Refused(
            Text("esas horas no han pasado todavía", "those hours are not over yet"),
            code="bad_hours",
            field="left",
        )


def _require_order(came: dt.datetime, left: dt.datetime) -> None:
    if not came < left <= came + 2 * LONGEST_SHIFT:
        raise Refused(
            Text(
                "la salida es posterior a la entrada, y no por más de 32 horas; corrija la hora",
                "leaving is after coming, and not by more than 32 hours; correct the time",
            ),
            code="bad_hours",
            field="occurred_at",
        )


explain_constraint(
    "one_actual_shift_at_a_time",
    lambda: Conflict(
        Text(
            "esas horas pisan las de otro turno suyo; corrija la hora",
            "those hours overlap another shift of theirs; correct the time",
        ),
        code="hours_overlap",
        rule="FLOOR-01",
        field="occurred_at",
    ),
)
