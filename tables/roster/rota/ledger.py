"""The ledger of fairness: once a gaming day's turns are over, who worked above their share of it, by pit.

What counts is what was really worked (`Assignment`), not what was planned. A share is by time present: the
hours of a shift, or from the first turn to the last for whoever had none.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models import Max, QuerySet

from audits import trail
from audits.by import By, by_system
from casino.kernel import clock
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, SabotError
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import Assignment, FairnessEntry, Pit, Shift, Staff
from tables.roster import hours
from tables.roster.rota import policies
from tables.roster.rota.drafting import hold_roster
from tables.roster.rotation import shares
from tables.roster.rotation.fairness import Worked

log = logging.getLogger(__name__)

JOB = "rotation"
LOOK_BACK = 7
"""Days the job looks back for some that were not noted."""

Minutes = dict[tuple[int, int], int]
"""Minutes worked by (staff, pit)."""


@command(policies.NOTE, silent_when="the day was noted already, or nobody dealt")
def note_fairness(*, day: dt.date, by: By) -> list[FairnessEntry]:
    """Write a gaming day into the ledger, once; a second call gives what is there.

    Raises `Conflict` (`rotation_day_running`) while the day is not over or somebody stands at a table of it.
    """
    hold_roster(by)
    noted = list(FairnessEntry.objects.filter(casino=by.casino, day=day).select_related("staff", "pit"))
    if noted:
        return noted
    turns = _turns(by.casino, day)
    today = by.casino.gaming_day(by.occurred_at)
    if day >= today or turns.filter(during__endswith=None).exists():
        raise Conflict(
            Text(
                "ese día de juego aún no termina: espere a que cierren sus mesas",
                "that gaming day is not over: wait until its tables close",
            ),
            code="rotation_day_running",
            field="day",
        )
    worked, spans = _worked(turns.values_list("staff_id", "session__table__pit_id", "during"))
    if not worked:
        return []
    present = _present(by.casino, day, spans)
    entries = FairnessEntry.objects.bulk_create(_entries(by.casino, day, worked, present))
    _tell(entries, day, by)
    return entries


def note_all() -> None:
    """What the job asks for each hour: every house, the days of the last week that can be noted. A house that
    is in use, or a day that does not go, is left for the next run and keeps no other waiting.
    """
    for casino in Casino.objects.order_by("pk"):
        for day in _not_noted(casino):
            try:
                note_fairness(day=day, by=by_system(casino, JOB))
            except SabotError as refusal:
                log.warning("%s: %s is not noted: %s", casino.code, day, refusal.message.en)
            except Exception:
                log.exception("%s: %s could not be noted", casino.code, day)


def _not_noted(casino: Casino) -> list[dt.date]:
    """The gaming days of the last week that are over, at which somebody stood, and that the ledger lacks."""
    today = casino.gaming_day(clock.now())
    since = today - dt.timedelta(days=LOOK_BACK)
    rows = Assignment.objects.filter(casino=casino, session__day__date__gte=since)
    days = rows.filter(session__day__date__lt=today).values_list("session__day__date", flat=True)
    noted = FairnessEntry.objects.filter(casino=casino, day__gte=since).values_list("day", flat=True)
    running = set(rows.filter(during__endswith=None).values_list("session__day__date", flat=True))
    return sorted(set(days) - set(noted) - running)


def last_noted(casino: Casino) -> dt.date | None:
    """The last gaming day in the ledger."""
    found: dt.date | None = FairnessEntry.objects.filter(casino=casino).aggregate(last=Max("day"))["last"]
    return found


def credits_of(casino: Casino, since: dt.date) -> list[tuple[Staff, int, int, int]]:
    """By name: the person, minutes worked and minutes present since a day, and their credit."""
    found: dict[int, list[int]] = {}
    people: dict[int, Staff] = {}
    seen: set[tuple[int, dt.date]] = set()
    rows = FairnessEntry.objects.filter(casino=casino, day__gte=since).select_related("staff")
    for one in rows.order_by("staff__name", "staff_id", "day"):
        people[one.staff_id] = one.staff
        line = found.setdefault(one.staff_id, [0, 0, 0])
        line[0] += one.minutes
        line[1] += one.present if (one.staff_id, one.day) not in seen else 0
        line[2] += one.credit
        seen.add((one.staff_id, one.day))
    return [(people[pk], *line) for pk, line in found.items()]  # type: ignore[misc]


def _turns(casino: Casino, day: dt.date) -> QuerySet[Assignment]:
    rows = Assignment.objects.filter(casino=casino, session__day__date=day)
    return rows.exclude(post=Assignment.Post.SUPERVISOR)


def _worked(
    turns: Iterable[tuple[int, int, Any]],
) -> tuple[Minutes, dict[int, tuple[dt.datetime, dt.datetime]]]:
    """Minutes by person and pit, and from when to when each stood at tables."""
    found: Counter[tuple[int, int]] = Counter()
    spans: dict[int, tuple[dt.datetime, dt.datetime]] = {}
    for staff, pit, during in turns:
        found[staff, pit] += hours.minutes(during.lower, during.upper)
        first, last = spans.get(staff, (during.lower, during.upper))
        spans[staff] = min(first, during.lower), max(last, during.upper)
    return dict(found), spans


def _present(
    casino: Casino, day: dt.date, spans: dict[int, tuple[dt.datetime, dt.datetime]]
) -> dict[int, int]:
    """Minutes present by staff id: croupiers on a shift, and whoever dealt without one."""
    _, after = clock.day_bounds(day, casino.zone, casino.cutoff)
    found: Counter[int] = Counter()
    rows = Shift.objects.filter(casino=casino, day=day, actual__isnull=False)
    floor = rows.filter(staff__department=Staff.Department.FLOOR, staff__supervises=False)
    for shift in floor.order_by("staff__name", "pk"):
        if shift.came is not None:
            found[shift.staff_id] += hours.minutes(shift.came, shift.left or after)
    for owner, (first, last) in spans.items():
        if owner not in found:
            found[owner] = hours.minutes(first, last)
    return dict(found)


def _entries(
    casino: Casino, day: dt.date, worked: Minutes, present: dict[int, int]
) -> Iterable[FairnessEntry]:
    """A row for whoever was there, for each pit that was dealt in: over everybody the credits add up to 0.

    Minutes count by the weight the house gives their pit as the day is noted; the row keeps it.
    """
    weights = dict(Pit.objects.filter(casino=casino).values_list("pk", "weight"))
    by_pit: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for (staff, pit), minutes in worked.items():
        by_pit[pit][str(staff)] = minutes
    there = {str(staff): minutes for staff, minutes in present.items()}
    for pit, done in sorted(by_pit.items()):
        weighed = {who: Worked(who, minutes, weight=weights[pit]).weighed for who, minutes in done.items()}
        for person, owed in shares(sum(weighed.values()), there).items():
            yield FairnessEntry(
                casino=casino,
                staff_id=int(person),
                day=day,
                pit_id=pit,
                minutes=done.get(person, 0),
                present=present[int(person)],
                weight=weights[pit],
                credit=weighed.get(person, 0) - owed,
            )


def _tell(entries: list[FairnessEntry], day: dt.date, by: By) -> None:
    trail.record(
        "tables.rotation.noted",
        stream=f"roster:{day.isoformat()}",
        subject=trail.Subject("casino", by.casino.pk, by.casino.name),
        by=by,
        data={
            "day": day.isoformat(),
            "people": len({one.staff_id for one in entries}),
            "lines": [
                [one.staff_id, one.pit_id, one.minutes, one.present, one.weight, one.credit]
                for one in entries
            ],
        },
        rules=["FLOOR-03"],
    )
