"""Gaming days: opened by the first thing that happens in them, closed by the nightly job when due.

The job closes the days that have ended, oldest first, never "today"; what holds a day is told by the
rooms above, which register a check here at start-up. Safe to run twice and at once.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db import connection

from audits import policies, trail
from audits.by import By
from casino.kernel import clock, locking
from casino.kernel.commands import command
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import Casino, GamingDay


@dataclass(frozen=True, slots=True)
class Holding:
    """Something that keeps a day open: a code, what it is in words, the rule if one says so."""

    code: str
    words: Text
    rule: str = ""

    def as_dict(self) -> dict[str, str]:
        return {"code": self.code, "rule": self.rule, **self.words.as_dict()}


Check = Callable[[GamingDay], Iterable[Holding]]
_checks: list[Check] = []


def register_check(check: Check) -> None:
    """Have `check(day)` asked before a day closes; it yields what holds the day."""
    if check not in _checks:
        _checks.append(check)


def day_of(casino: Casino, instant: dt.datetime) -> GamingDay:
    """The gaming day of an instant, made if it is the first thing to happen in it, share-locked.

    Raises `Conflict` (code `day_closed`) when the day is closed, or a later one is (REC-08): it is
    corrected, not written to.
    """
    date = casino.gaming_day(instant)
    locking.taking(locking.Rank.GAMING_DAY)
    GamingDay.objects.bulk_create([GamingDay(casino=casino, date=date)], ignore_conflicts=True)
    with connection.cursor() as cursor:
        # Shared, so that tables do not queue behind each other; the close takes its day for itself. With
        # the later days, so that none of them closes while this one is being opened behind it.
        cursor.execute(
            "SELECT 1 FROM casino_gamingday WHERE casino_id = %s AND date >= %s ORDER BY date FOR SHARE",
            [casino.pk, date],
        )
    found = require_writable(casino, date)
    assert found is not None
    return found


def require_writable(casino: Casino, date: dt.date) -> GamingDay | None:
    """The gaming day of a date, None if nothing happened in it yet. Locks nothing.

    Raises `Conflict` (code `day_closed`) when it is closed, or a later one is (REC-08).
    """
    days = list(GamingDay.objects.filter(casino=casino, date__gte=date).order_by("date"))
    day = next((one for one in days if one.date == date), None)
    if day is not None:
        _refuse_closed(day)
    for other in reversed(days):
        if other.state == GamingDay.State.CLOSED:
            raise Conflict(
                Text(
                    f"el día {other} ya cerró: no se abre el {date}; registre con la hora de hoy",
                    f"day {other} is closed already: {date} is not opened; record it at today's time",
                ),
                code="day_closed",
                rule="REC-08",
                field="occurred_at",
            )
    return day


def require_open(day: GamingDay) -> GamingDay:
    """The day again, share-locked, or `Conflict` (code `day_closed`) when it is closed."""
    locking.taking(locking.Rank.GAMING_DAY)
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM casino_gamingday WHERE id = %s FOR SHARE", [day.pk])
    day = GamingDay.objects.get(pk=day.pk)
    _refuse_closed(day)
    return day


def _refuse_closed(day: GamingDay) -> None:
    if day.state == GamingDay.State.CLOSED:
        raise Conflict(
            Text(
                f"el día de juego {day} está cerrado; sólo se corrige con un registro nuevo",
                f"gaming day {day} is closed; it is only corrected by a new record",
            ),
            code="day_closed",
            rule="REC-07",
        )


def due_days(casino: Casino, instant: dt.datetime) -> list[GamingDay]:
    """Open days that had ended by `instant`, oldest first."""
    today = casino.gaming_day(instant)
    return list(
        GamingDay.objects.filter(casino=casino, state=GamingDay.State.OPEN, date__lt=today).order_by("date")
    )


@command(policies.CLOSE_DAY, silent_when="it is closed already, or held by the same things as before")
def close_day(*, day: GamingDay, by: By) -> GamingDay:
    """Close a day if nothing holds it; otherwise note on it what does. Idempotent.

    Raises `Conflict` for a day that has not ended (code `day_not_over`) and while an earlier one is
    open (`earlier_day_open`, REC-08: each day is closed before the next). The trail gets one event
    when the day closes, and one when what holds it changes: not one per attempt.
    """
    if day.date >= by.casino.gaming_day(by.occurred_at):
        raise Conflict(
            Text(f"el día {day} aún no termina", f"day {day} is not over yet"), code="day_not_over"
        )
    locking.taking(locking.Rank.GAMING_DAY)
    day = GamingDay.objects.select_for_update().select_related("casino").get(pk=day.pk)
    if day.state == GamingDay.State.CLOSED:
        return day
    _refuse_before_its_turn(day)
    holding = [item.as_dict() for check in _checks for item in check(day)]
    changed = holding != day.held_by
    day.checked_at, day.held_by = clock.now(), holding
    if not holding:
        day.state, day.closed_at = GamingDay.State.CLOSED, by.occurred_at
    day.save()
    if not holding or changed:
        trail.record(
            "audits.day.held" if holding else "audits.day.closed",
            stream="days",
            subject=trail.Subject("day", day.pk, str(day)),
            by=by,
            data={"day": str(day), "held_by": holding, "checked_at": clock.stamp(day.checked_at)},
            rules=["REC-08"],
        )
    return day


def _refuse_before_its_turn(day: GamingDay) -> None:
    earlier = (
        GamingDay.objects.filter(casino=day.casino, state=GamingDay.State.OPEN, date__lt=day.date)
        .order_by("date")
        .first()
    )
    if earlier is not None:
        raise Conflict(
            Text(
                f"el día {day} no cierra antes que el {earlier}; cierre primero ese día",
                f"day {day} is not closed before {earlier}; close that day first",
            ),
            code="earlier_day_open",
            rule="REC-08",
        )
