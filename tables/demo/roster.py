"""The people of the demonstration at work: last night's shifts, today's, the week ahead, and what runs out.

One croupier did not come, one forgot to clock in and stands at a table all the same, one came late; a
licence and a certificate end soon. So every flag of the roster has something to show.
"""

from __future__ import annotations

import datetime as dt

from django.db.models import Q, QuerySet

from casino.kernel import clock
from tables import people
from tables.demo.house import CUTOFF, ZONE, House, recorded_at
from tables.models import Assignment, Shift, Staff, TableSession
from tables.roster import certificates, clocking, shifts

LASTS = dt.timedelta(hours=8)
REST = dt.timedelta(hours=11)
MINUTE, HALF_HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(minutes=30), dt.timedelta(days=1)
OFFICE = (
    ("cage", "Germán Flores", "201", "AJ-K-3001", "cage"),
    ("compliance", "Patricia Soria", "202", "AJ-K-3002", "compliance"),
)
LATE = 3
"""The place in today's list of who came 18 minutes late."""
LINGERS = 5
"""Last night's people left one after the other, the last of them before so many minutes."""


def furnish(house: House, now: dt.datetime) -> None:
    """Shifts, hours and certificates of the evening as of `now` (UTC), after its tables were opened."""
    today = clock.gaming_day(now, ZONE, CUTOFF)
    begins = clock.day_bounds(today, ZONE, CUTOFF)[0]
    planned_at = begins - 12 * 2 * HALF_HOUR
    office = _office(house, planned_at)
    _papers(house, planned_at, today)
    start = _start_of(house, today)
    at_work = _at_tables(house, today)
    _last_night(house, begins - DAY // 2 + 3 * HALF_HOUR, planned_at, until=start - REST)
    stood = Assignment.objects.filter(casino=house.casino, during__overlap=(start, start + LASTS))
    elsewhere = set(stood.values_list("staff_id", flat=True))
    idle = [one for one in house.staff.values() if one not in at_work and one.pk not in elsewhere]
    _today(house, [*at_work, *office, *idle[:2]], start, planned_at)
    _ahead(house, [*at_work, *office, *idle], today, now)


def _office(house: House, at: dt.datetime) -> list[Staff]:
    """Those who work beside the floor, with their credentials."""
    with recorded_at(at):
        by = house.by("admin", at, "ingreso de personal de oficina")
        return [
            people.set_staff(
                number=number,
                name=name,
                licence=licence,
                licence_expires=at.date() + 400 * DAY,
                games=(),
                department=department,
                user=house.users[username],
                by=by,
            )
            for username, name, number, licence, department in OFFICE
        ]


def _papers(house: House, at: dt.datetime, today: dt.date) -> None:
    """Certificates of two croupiers, one of which ends soon; and a licence that does."""
    with recorded_at(at):
        by = house.by("admin", at, "legajo al día")
        ends = {"Daniela Quispe": None, "Marco Condori": today + 12 * DAY}
        for place, (name, until) in enumerate(ends.items(), start=1):
            certificates.certify(
                staff=house.staff[name],
                game="baccarat.punto_banca",
                since=today - 300 * DAY,
                until=until,
                certified_by="Escuela de sala",
                document=f"ACTA-{place:03d}/26",
                by=by,
            )
        one = house.staff["Édgar Limachi"]
        one.refresh_from_db()
        people.set_staff(
            number=one.number,
            name=one.name,
            licence=one.licence,
            licence_expires=today + 20 * DAY,
            games=one.games,
            staff=one,
            by=by,
        )


def _start_of(house: House, today: dt.date) -> dt.datetime:
    """Half an hour before the first table opened, on the half hour."""
    opened = min(turn.during.lower for turn in _turns(house, today)) - HALF_HOUR
    return opened.replace(minute=opened.minute // 30 * 30, second=0, microsecond=0)


def _at_tables(house: House, today: dt.date) -> list[Staff]:
    return list(Staff.objects.filter(pk__in=_turns(house, today).values("staff")).order_by("pk"))


def _turns(house: House, today: dt.date) -> QuerySet[Assignment]:
    """Turns of today's sessions and of those still in play, which just after the cut-off are of the night."""
    of_today = Q(session__day__date=today) | Q(session__state__in=TableSession.LIVE)
    return Assignment.objects.filter(of_today, casino=house.casino)


def _last_night(house: House, start: dt.datetime, planned_at: dt.datetime, until: dt.datetime) -> None:
    """Shifts of those who dealt last night, where they can have rested since."""
    if start + LASTS + LINGERS * MINUTE > until:
        return
    worked = Assignment.objects.filter(casino=house.casino, during__startswith__lt=start + LASTS)
    for place, person in enumerate(Staff.objects.filter(pk__in=worked.values("staff")).order_by("pk")):
        _plan(house, person, start, planned_at)
        by = house.by("supervisor", start - place % 4 * MINUTE)
        clocking.clock_in(staff=person, by=by)
        clocking.clock_out(staff=person, by=house.by("supervisor", start + LASTS + place % LINGERS * MINUTE))


def _today(house: House, staff: list[Staff], start: dt.datetime, planned_at: dt.datetime) -> None:
    """Everybody came but the last, who is noted absent; whoever took a dealing post last did not clock in."""
    held = Assignment.objects.filter(casino=house.casino, during__endswith=None, post__in=Assignment.DEALING)
    forgot = held.order_by("-during", "-pk").values_list("staff_id", flat=True)[0]
    for place, person in enumerate(staff):
        shift = _plan(house, person, start, planned_at)
        if person == staff[-1]:
            noted = house.by("pitboss", start + HALF_HOUR, "no se presentó ni avisó")
            shifts.mark_absent(shift=shift, by=noted)
        elif person.pk != forgot:
            at = start + 18 * MINUTE if place == LATE else start - place % 7 * MINUTE
            clocking.clock_in(staff=person, by=house.by("supervisor", at))


def _plan(house: House, person: Staff, start: dt.datetime, at: dt.datetime) -> Shift:
    duty = "jefe de mesa" if person.supervises else "croupier" if person.games else ""
    by = house.by("pitboss", at)
    return shifts.plan_shift(staff=person, start=start, end=start + LASTS, duty=duty, by=by)


def _ahead(house: House, staff: list[Staff], today: dt.date, now: dt.datetime) -> None:
    """Three days from the day after tomorrow on: half in the afternoon, half at night; one called off."""
    first, last = today + 2 * DAY, today + 4 * DAY
    by = house.by("pitboss", now)
    for half, begins, ends in ((staff[::2], dt.time(16), dt.time(0)), (staff[1::2], dt.time(18), dt.time(2))):
        made = shifts.plan_pattern(
            staff=half, first=first, last=last, weekdays=range(7), start=begins, end=ends, by=by
        )
    shifts.cancel_shift(shift=made[-1], by=by.because("permiso médico"))
