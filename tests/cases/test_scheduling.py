"""The `scheduling_jobs` cases: the nights of a clock change, and messages that are delivered again."""

from __future__ import annotations

import ast
import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from celery import Celery, current_app
from celery.beat import ScheduleEntry
from celery.schedules import crontab, schedule
from django.db import transaction

from audits import days, tasks
from audits.casinos import Particulars, set_casino
from audits.models import Event
from casino.kernel import clock, locking
from casino.kernel.errors import Conflict
from casino.kernel.permissions import Role
from casino.models import GamingDay
from casino.selftest.aside import set_aside
from casino.selftest.printing import fingerprint
from tests.builders import NIGHT, House, a_house
from tests.races.racing import race

CHECKOUT = Path(__file__).resolve().parents[2]
MADRID = "Europe/Madrid"
MINUTE, HOUR = dt.timedelta(minutes=1), dt.timedelta(hours=1)
DELIVERIES = 6
"""What DJA-018 saw: once an hour while it waited."""
SENDING = re.compile(r"\b(?:apply_async|delay|delay_on_commit|send_task|retry)\(")


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


def beat(name: str, first: dt.datetime, last: dt.datetime) -> Iterator[dt.datetime]:
    """When Celery's own beat sends a job of ours, asked minute by minute from `first` to before `last`."""
    entry = ScheduleEntry(
        name=name, app=current_app, last_run_at=first, **current_app.conf.beat_schedule[name]
    )
    at = first
    while at < last:
        entry.schedule.nowfun = lambda at=at: at
        if entry.is_due().is_due:
            yield at
            entry = entry.next(last_run_at=at)
        at += MINUTE


def open_day(house: House, instant: dt.datetime) -> GamingDay:
    with transaction.atomic():
        day = days.day_of(house.casino, instant)
    locking.released()
    return day


# ---- DJA-014: a day that closes at six on the wall ----------------------------------------------------


@pytest.mark.rule("REC-08")
@pytest.mark.parametrize(
    ("night", "closes"), [("2026-03-29", "2026-03-29T04:00:00Z"), ("2026-10-25", "2026-10-25T05:00:00Z")]
)
def test_dja_014_a_gaming_day_closes_once_at_six_on_the_wall(db: None, night: str, closes: str) -> None:
    """Case DJA-014: a job by the wall came twice in autumn and an hour late in spring."""
    house = a_house(zone=MADRID, founded=utc("2026-01-10T12:00:00Z"))
    date = dt.date.fromisoformat(night)
    day = open_day(house, utc(closes) - 6 * HOUR)
    assert day.date == date - dt.timedelta(days=1)  # the evening before, until six
    assert clock.day_bounds(day.date, MADRID, house.casino.cutoff)[1] == utc(closes)
    found = []
    for at in beat("close-due-days", utc(closes) - 4 * HOUR, utc(closes) + 4 * HOUR):
        with clock.standing_at(at):
            tasks.close_due_days()
        day.refresh_from_db()
        found.append((at, day.state))
    closed = [at for at, state in found if state == GamingDay.State.CLOSED]
    assert (closed[0], day.closed_at) == (utc(closes), utc(closes))
    assert utc(closes).astimezone(ZoneInfo(MADRID)).time() == dt.time(6)
    assert Event.objects.filter(action="audits.day.closed").count() == 1
    assert len(closed) > 10  # it was asked again and again, and did nothing


# ---- DJA-015: every hour, also the one that comes twice -----------------------------------------------


@pytest.mark.parametrize(("date", "runs"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-11-20", 24)])
def test_dja_015_an_hourly_job_runs_in_every_hour_there_is(date: str, runs: int) -> None:
    """Case DJA-015: by the wall Celery runs 24 times on a day of 25 hours; ours go by the time past."""
    day = dt.date.fromisoformat(date)
    first, last = (
        dt.datetime.combine(one, dt.time(), tzinfo=ZoneInfo(MADRID)).astimezone(dt.UTC)
        for one in (day, day + dt.timedelta(days=1))
    )
    hourly = [name for name, entry in current_app.conf.beat_schedule.items() if entry["schedule"] == 3_600.0]
    assert hourly
    for name in hourly:
        sent = list(beat(name, first - HOUR, last))
        assert len(sent) == runs, name
        assert {at.minute for at in sent} == {0}


def test_dja_015_no_job_of_ours_is_told_by_the_wall() -> None:
    """A crontab is read in a zone, and loses the hour that comes twice."""
    entries = current_app.conf.beat_schedule
    assert len(entries) >= 8
    assert [name for name, entry in entries.items() if isinstance(entry["schedule"], crontab)] == []
    assert current_app.conf.timezone == "UTC"
    assert current_app.conf.enable_utc is True


# ---- DJA-018: the same message six times --------------------------------------------------------------


def test_dja_018_nothing_is_sent_to_wait_in_the_broker() -> None:
    """Case DJA-018: what waits there longer than the visibility timeout is delivered again, every hour. Work
    that waits is a row of ours, and a sweep looks for what is due."""
    found = []
    for room in ("audits", "casino", "jackpots", "shoes", "tables"):
        for path in (CHECKOUT / room).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if not SENDING.search(text):
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and {one.arg for one in node.keywords} & {"eta", "countdown"}:
                    found.append(f"{path}:{node.lineno}")
    assert found == []
    longest = current_app.conf.task_time_limit
    waits = current_app.conf.broker_transport_options.get("visibility_timeout", 3_600)
    assert longest < waits


@pytest.fixture
def at_once() -> Iterator[None]:
    """Files and messages stay in the test: what one task sends, it does."""
    with set_aside():
        yield


def sweeps() -> list[str]:
    return [entry["task"] for entry in current_app.conf.beat_schedule.values()]


def test_dja_018_every_job_done_six_times_has_the_effect_of_one(house: House, at_once: None) -> None:
    """The same work again, with the clock where it was: not a row, not an event, not a cent more."""
    yesterday = open_day(house, NIGHT - 24 * HOUR)
    house.open_table()
    current_app.loader.import_default_modules()
    with clock.standing_at(NIGHT + HOUR):
        for name in sweeps():
            current_app.tasks[name]()
        once = fingerprint()
        yesterday.refresh_from_db()
        assert yesterday.state == GamingDay.State.CLOSED
        for _ in range(DELIVERIES - 1):
            for name in sweeps():
                current_app.tasks[name]()
                assert fingerprint() == once, name


@pytest.mark.race
def test_dja_018_six_deliveries_at_once_close_a_day_once(transactional_db: None) -> None:
    house = a_house()
    open_day(house, NIGHT - 24 * HOUR)
    open_day(house, NIGHT)
    race(*[tasks.close_due_days] * DELIVERIES)
    tasks.close_due_days()  # who found the row taken comes again
    told = Event.objects.filter(action="audits.day.closed").values_list("subject_label", flat=True)
    assert sorted(told) == sorted(str(day) for day in GamingDay.objects.filter(casino=house.casino))


# ---- DJA-019: another zone, and a job of the first of the month ---------------------------------------


def test_dja_019_another_zone_makes_no_job_due() -> None:
    """Case DJA-019: last runs were read again in the new zone, and the monthly job ran on the 17th."""
    now = utc("2026-11-17T12:00:00Z")
    for zone in ("UTC", MADRID, "America/La_Paz", "Pacific/Auckland"):
        app = Celery(set_as_current=False)
        app.conf.update(timezone=zone, enable_utc=True)
        assert str(app.timezone) == zone
        for name, given in current_app.conf.beat_schedule.items():
            every = dt.timedelta(seconds=given["schedule"])
            entry = ScheduleEntry(name=name, app=app, last_run_at=now - every / 2, **given)
            assert isinstance(entry.schedule, schedule)
            entry.schedule.nowfun = lambda: now
            assert entry.is_due().is_due is False, (name, zone)


@pytest.mark.rule("REC-08")
def test_dja_019_a_house_that_moves_to_another_zone_closes_no_day_by_it(house: House) -> None:
    """The zone changes with no day open alone; and the day that begins then is no earlier one over again."""
    wanted = Particulars(
        name=house.casino.name,
        zone=MADRID,
        cutoff=house.casino.cutoff,
        currency=house.casino.currency,
        denominations=house.casino.denominations,
        licence=house.casino.licence or "AJ-1",
    )
    day = open_day(house, clock.now())
    by = house.by(Role.ADMINISTRATOR, clock.now(), "la casa se muda")
    with pytest.raises(Conflict):
        set_casino(particulars=wanted, by=by)
    tasks.close_due_days()
    day.refresh_from_db()
    assert day.state == GamingDay.State.OPEN
    later = clock.now() + 48 * HOUR
    with clock.standing_at(later):
        tasks.close_due_days()
        set_casino(particulars=wanted, by=house.by(Role.ADMINISTRATOR, later, "la casa se muda"))
        told = Event.objects.filter(action="audits.day.closed").count()
        house.casino.refresh_from_db()
        again = open_day(house, later)
        tasks.close_due_days()
        again.refresh_from_db()
        assert again.state == GamingDay.State.OPEN
        assert Event.objects.filter(action="audits.day.closed").count() == told == 1
