"""Reports the house makes by itself: once for each period, caught up after a downtime (REC-10)."""

from __future__ import annotations

import datetime as dt
import json
import threading

import pytest
from django.db import IntegrityError, OperationalError, connections, transaction

from audits import exports, people, schedules, tasks, verify
from audits.by import by_user
from audits.models import Event, Export, ExportSchedule
from audits.reports import Column, Kind, PeriodForm, Report, registry
from casino.kernel import clock, rulebook
from casino.kernel.errors import Conflict, NotAllowed, Refused
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import GamingDay

from .sample import Sample

# A Sunday noon in La Paz (16:00 UTC): the gaming day is the 15th, whose cut-off was at 06:00.
NOON = dt.datetime(2026, 11, 15, 16, tzinfo=dt.UTC)


class Month(Report):
    """Days of a span, one row each."""

    identifier = "audits.month"
    title = Text("Mes", "Month")
    act = "audits.trail.read"
    form = PeriodForm

    def columns(self, params):
        return [Column("first", Text("Desde", "From"), Kind.DAY), Column("n", Text("Días", "Days"), Kind.INT)]

    def rows(self, casino, params):
        yield {"first": params["first"], "n": (params["last"] - params["first"]).days + 1}


class Owed(Month):
    identifier = "audits.owed"
    title = Text("Debido", "Owed")
    owed = "REC-10"
    act = "audits.report.make"


@pytest.fixture(autouse=True)
def reports(monkeypatch):
    monkeypatch.setattr(registry, "_reports", {})
    monkeypatch.setattr(tasks.produce_export, "delay", lambda _id: None)
    for report in (Sample, Month):
        registry.register(report)


@pytest.fixture
def carla(house):
    with clock.standing_at(NOON):
        return house.person("carla", Role.COMPLIANCE)


def order(user, **changes):
    given = {"report": "audits.month", "params": {}, "every": "monthly", "format": "csv", "language": "es-bo"}
    return schedules.schedule_report(**(given | changes), by=by_user(user))


def periods(schedule):
    rows = Export.objects.filter(schedule=schedule).order_by("period")
    return [row.period.isoformat() for row in rows]


def run_at(*when):
    with clock.standing_at(dt.datetime(*when, tzinfo=dt.UTC)):
        return schedules.make_due()


@pytest.mark.rule("REC-10")
def test_a_month_is_made_once_it_is_over_and_only_once(house, carla, files):
    with clock.standing_at(NOON):
        schedule = order(carla)
    assert schedule.since == dt.date(2026, 11, 1)
    assert run_at(2026, 11, 30, 23) == []  # 19:00 of its last day
    assert run_at(2026, 12, 1, 9, 59) == []  # 05:59 in La Paz: still the night of the 30th
    (pk,) = run_at(2026, 12, 1, 10, 1)
    assert run_at(2026, 12, 1, 10, 2) == run_at(2026, 12, 20, 10) == []
    export = exports.produce(pk)
    assert export.params == {"first": "2026-11-01", "last": "2026-11-30"}
    assert (export.requested_by, export.schedule, export.period) == (
        carla.actor, schedule, dt.date(2026, 11, 1),
    )  # fmt: skip
    asked = json.loads(bytes(Event.objects.get(action="audits.export.requested").body))
    assert asked["actor"]["name"] == "exports"  # a job of ours asked, in her name
    assert (asked["data"]["ordered_by"], asked["data"]["period"]) == ("Carla", "2026-11-01")
    assert list(verify.trail_faults(house.casino)) == []


@pytest.mark.rule("REC-10")
def test_a_downtime_is_caught_up(house, carla, files):
    with clock.standing_at(NOON):
        schedule = order(carla)
    assert len(run_at(2027, 3, 4, 12)) == 4
    assert periods(schedule) == ["2026-11-01", "2026-12-01", "2027-01-01", "2027-02-01"]


def test_every_gaming_day(house, carla, files):
    with clock.standing_at(NOON):
        schedule = order(carla, report="audits.sample", every="daily", format="pdf")
    assert run_at(2026, 11, 16, 9) == []  # 05:00
    # Nothing closed the 15th: a day is given for that, then it is made as provisional.
    assert run_at(2026, 11, 16, 11) == []
    GamingDay.objects.create(
        casino=house.casino, date=dt.date(2026, 11, 15), state="closed", closed_at=clock.now()
    )
    (first,) = run_at(2026, 11, 16, 11)
    assert Export.objects.get(pk=first).params == {"day": "2026-11-15"}
    assert run_at(2026, 11, 17, 10, 30) == []
    (second,) = run_at(2026, 11, 18, 10, 1)
    with clock.standing_at(dt.datetime(2026, 11, 18, 11, tzinfo=dt.UTC)):
        assert "provisional" in exports.produce(second).file_name
    assert periods(schedule) == ["2026-11-15", "2026-11-16"]


def test_two_deliveries_of_the_message_make_one_file(committed_house, files):
    with clock.standing_at(NOON):
        schedule = order(committed_house.person("carla", Role.COMPLIANCE))
    barrier, made = threading.Barrier(3), []

    def worker():
        barrier.wait(10)
        try:
            with clock.standing_at(later):
                made.extend(schedules.make_due())
        finally:
            connections.close_all()

    later = dt.datetime(2027, 1, 2, 12, tzinfo=dt.UTC)
    with clock.standing_at(later):
        threads = [threading.Thread(target=worker) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        schedules.make_due()
    assert periods(schedule) == ["2026-11-01", "2026-12-01"]
    assert len(made) == 2


def test_paused_it_rests_and_what_it_missed_is_not_made_up(house, carla, files):
    with clock.standing_at(NOON):
        schedule = order(carla)
        schedules.pause_schedule(schedule=schedule, by=by_user(carla))
    assert run_at(2027, 2, 1, 12) == []
    with clock.standing_at(dt.datetime(2027, 2, 10, 12, tzinfo=dt.UTC)):
        schedules.resume_schedule(schedule=schedule, by=by_user(carla))
    assert len(run_at(2027, 3, 5, 12)) == 1
    assert periods(schedule) == ["2027-02-01"]
    assert list(verify.trail_faults(house.casino)) == []


def test_removed_it_is_gone_for_good(house, carla, files):
    with clock.standing_at(NOON):
        schedule = order(carla)
        schedules.remove_schedule(schedule=schedule, by=by_user(carla))
    assert run_at(2027, 2, 1, 12) == []
    for act in (schedules.pause_schedule, schedules.resume_schedule, schedules.remove_schedule):
        with pytest.raises(Conflict) as caught:
            act(schedule=schedule, by=by_user(carla))
        assert caught.value.code == "schedule_state"
    with clock.standing_at(NOON):
        assert order(carla).pk != schedule.pk  # ordered anew


def test_who_may_no_longer_orders_no_longer(house, carla, files):
    with clock.standing_at(NOON):
        schedule = order(carla)
        people.set_active(user=carla, active=False, by=house.by(reason="se fue"))
    assert run_at(2026, 12, 2, 12) == []
    schedule.refresh_from_db()
    assert schedule.state == "paused"
    told = json.loads(bytes(Event.objects.get(action="audits.schedule.paused").body))["data"]
    assert "su función no permite" in told["reason"]


@pytest.mark.parametrize(
    ("changes", "error", "code"),
    [
        ({"every": "yearly"}, Refused, "bad_every"),
        ({"report": "audits.sample"}, Refused, "report_has_no_period"),
        ({"format": "docx"}, Refused, "bad_format"),
        ({"language": "fr"}, Refused, "bad_language"),
        ({"params": {"table": 7}}, Refused, "bad_params"),
    ],
)
def test_what_makes_no_sense_is_refused(house, carla, changes, error, code):
    with clock.standing_at(NOON), pytest.raises(error) as caught:
        order(carla, **changes)
    assert caught.value.code == code
    assert not ExportSchedule.objects.exists()


def test_the_same_is_not_ordered_twice(house, carla):
    with clock.standing_at(NOON):
        order(carla)
        with pytest.raises(Conflict) as caught:
            order(carla)
        assert caught.value.code == "schedule_exists"
        order(carla, format="pdf")


def test_only_compliance_orders(house):
    with pytest.raises(NotAllowed):
        order(house.person("jefe", Role.PIT_BOSS))


@pytest.mark.rule("REC-10")
def test_what_is_owed_each_month_is_ordered_by_the_house_itself(house, files):
    registry.register(Owed)
    with clock.standing_at(NOON):
        assert schedules.make_due() == schedules.make_due() == []
    schedule = ExportSchedule.objects.get()
    assert rulebook.rule("REC-10").params["report_period"] == schedule.every == "monthly"
    assert schedule.ordered_by.kind == "system"
    (pk,) = run_at(2026, 12, 3, 12)
    assert exports.produce(pk).state == "done"
    assert list(verify.trail_faults(house.casino)) == []


@pytest.mark.rule("REC-10")
def test_what_somebody_removed_the_house_does_not_order_again(house, carla, files):
    registry.register(Owed)
    with clock.standing_at(NOON):
        schedules.make_due()
        schedules.remove_schedule(schedule=ExportSchedule.objects.get(), by=by_user(carla))
    assert run_at(2027, 1, 3, 12) == []
    assert ExportSchedule.objects.count() == 1


@pytest.mark.rule("REC-06")
def test_the_database_keeps_what_was_ordered(house, carla):
    with clock.standing_at(NOON):
        schedule = order(carla)
    for change in ({"report": "x"}, {"every": "daily"}, {"since": dt.date(2020, 1, 1)}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ExportSchedule.objects.filter(pk=schedule.pk).update(**change)
    with pytest.raises(IntegrityError), transaction.atomic():
        schedule.delete()


# ---- what goes wrong ------------------------------------------------------------------------------


class Wrong(Month):
    """A report whose own words break when it is ordered."""

    identifier = "audits.wrong"

    def file_stem(self, params):
        raise ZeroDivisionError("secret detail")


@pytest.mark.rule("REC-10")
def test_a_fault_of_one_is_told_and_stops_no_other_and_its_period_is_made_up(
    house, carla, files, monkeypatch
):
    registry.register(Wrong)
    with clock.standing_at(NOON):
        broken, sound = order(carla, report="audits.wrong"), order(carla)
    (made,) = run_at(2026, 12, 2, 12)
    assert Export.objects.get(pk=made).schedule_id == sound.pk
    broken.refresh_from_db()
    assert broken.state == "paused"
    pause = schedules.pauses(house.casino, [broken.pk])[broken.pk]
    assert "error interno al pedirla (ZeroDivisionError)" in pause.reason and "secret" not in pause.reason
    assert not pause.ordinary
    assert list(verify.trail_faults(house.casino)) == []
    # Mended two months later, November and December are made: nobody had wanted to leave them out.
    monkeypatch.setattr(Wrong, "file_stem", Month.file_stem)
    with clock.standing_at(dt.datetime(2027, 1, 20, 12, tzinfo=dt.UTC)):
        schedules.resume_schedule(schedule=broken, by=by_user(carla))
        schedules.make_due()
    assert periods(broken) == ["2026-11-01", "2026-12-01"]
    assert list(verify.trail_faults(house.casino)) == []


def test_a_database_that_is_busy_pauses_nothing(house, carla, files, monkeypatch):
    with clock.standing_at(NOON):
        schedule = order(carla)
    monkeypatch.setattr(schedules, "_make_one", _raising(OperationalError("gone")))
    assert run_at(2026, 12, 2, 12) == []
    schedule.refresh_from_db()
    assert schedule.state == "active"


def _raising(error):
    def raising(*_args, **_named):
        raise error

    return raising


@pytest.mark.rule("REC-10")
@pytest.mark.parametrize("other", [{"every": "daily"}, {"format": "xlsx"}])
def test_another_schedule_of_the_report_is_not_the_one_that_is_owed(house, carla, other):
    """Every day is not every month; each month in another format is: the AJ gets it."""
    registry.register(Owed)
    with clock.standing_at(NOON):
        mine = order(carla, report="audits.owed", **other)
        assert [one.report for one in schedules.not_ordered(house.casino)] == (
            ["audits.owed"] if other == {"every": "daily"} else []
        )
        schedules.make_due()
        assert ExportSchedule.objects.filter(report="audits.owed").count() == 1 + ("every" in other)
        assert schedules.not_ordered(house.casino) == []
        # Once the person's own is removed, the house orders what it owes.
        schedules.remove_schedule(schedule=mine, by=by_user(carla))
        schedules.make_due()
    own = ExportSchedule.objects.get(report="audits.owed", state="active")
    assert (own.every, own.format, own.ordered_by.kind) == ("monthly", "pdf", "system")
