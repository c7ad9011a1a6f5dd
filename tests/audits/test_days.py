"""Gaming days: which are due, in which order they close, what holds one, two closers at once (REC-08)."""

from __future__ import annotations

import datetime as dt
import io
import threading

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from audits import closing, days, tasks
from audits.by import by_system
from audits.models import Event
from casino.kernel import locking
from casino.kernel.errors import Conflict, NotAllowed
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import GamingDay

pytestmark = pytest.mark.rule("REC-08")

# La Paz is four hours behind UTC all year: 06:00 there is 10:00 UTC.
NOON_29 = dt.datetime(2026, 11, 29, 16, 0, tzinfo=dt.UTC)


def open_day(house, instant):
    with transaction.atomic():
        day = days.day_of(house.casino, instant)
    locking.released()
    return day


@pytest.fixture
def three_days(house):
    return [open_day(house, NOON_29 - dt.timedelta(days=back)) for back in (3, 2, 1)]


@pytest.fixture
def hold(monkeypatch):
    """Have a check hold the days whose dates are in the returned set."""
    held: set[str] = set()

    def check(day):
        if str(day) in held:
            yield days.Holding(
                "table_open", Text("la mesa PB-01 sigue abierta", "table PB-01 is open"), "REC-08"
            )

    monkeypatch.setattr(days, "_checks", [check])
    return held


@pytest.fixture(autouse=True)
def no_other_checks(monkeypatch):
    monkeypatch.setattr(days, "_checks", [])


def day_events(action):
    return [str(event.subject_label) for event in Event.objects.filter(action=action).order_by("seq")]


@pytest.mark.parametrize(
    ("instant", "day"),
    [
        ("2026-11-29T10:00:00+00:00", "2026-11-29"),
        ("2026-11-29T09:59:59.999999+00:00", "2026-11-28"),
        ("2026-11-30T05:00:00+00:00", "2026-11-29"),  # one in the morning belongs to the night before
    ],
)
def test_an_act_after_midnight_belongs_to_the_day_before(house, instant, day):
    assert str(open_day(house, dt.datetime.fromisoformat(instant))) == day


def test_a_day_is_made_once(house):
    first = open_day(house, NOON_29)
    assert open_day(house, NOON_29 + dt.timedelta(hours=3)) == first
    assert GamingDay.objects.count() == 1


def test_only_days_that_have_ended_are_due(house, three_days):
    today = open_day(house, NOON_29)
    due = days.due_days(house.casino, NOON_29)
    assert [str(day) for day in due] == ["2026-11-26", "2026-11-27", "2026-11-28"]
    assert today not in due
    # one microsecond before the cut-off of the 30th the 29th is still today
    assert today not in days.due_days(
        house.casino, dt.datetime(2026, 11, 30, 9, 59, 59, 999999, tzinfo=dt.UTC)
    )
    assert today in days.due_days(house.casino, dt.datetime(2026, 11, 30, 10, 0, tzinfo=dt.UTC))


def test_the_job_closes_what_is_due_oldest_first_and_only_once(house, three_days):
    (outcome,) = closing.close_due_days(NOON_29)
    expected = ["2026-11-26", "2026-11-27", "2026-11-28"]
    assert [str(day) for day in outcome.closed] == expected
    assert day_events("audits.day.closed") == expected
    (again,) = closing.close_due_days(NOON_29)
    assert again.closed == ()
    assert len(day_events("audits.day.closed")) == 3
    assert Event.objects.filter(action="audits.day.closed").first().actor.kind == "system"


def test_a_held_day_keeps_the_later_ones_waiting(house, three_days, hold):
    hold.add("2026-11-27")
    (outcome,) = closing.close_due_days(NOON_29)
    assert [str(day) for day in outcome.closed] == ["2026-11-26"]
    assert str(outcome.held) == "2026-11-27"
    assert [str(day) for day in outcome.waiting] == ["2026-11-28"]
    held = GamingDay.objects.get(date="2026-11-27")
    assert held.state == "open"
    assert held.held_by == [
        {
            "code": "table_open",
            "rule": "REC-08",
            "es": "la mesa PB-01 sigue abierta",
            "en": "table PB-01 is open",
        }
    ]
    assert GamingDay.objects.get(date="2026-11-28").state == "open"


def test_what_holds_a_day_is_told_once_and_again_only_when_it_changes(house, three_days, hold):
    hold.add("2026-11-26")
    for _attempt in range(3):
        closing.close_due_days(NOON_29)
    assert day_events("audits.day.held") == ["2026-11-26"]
    hold.clear()
    closing.close_due_days(NOON_29)
    assert len(day_events("audits.day.closed")) == 3
    assert GamingDay.objects.get(date="2026-11-26").held_by == []


def test_a_day_does_not_close_before_an_earlier_one(house, three_days):
    with pytest.raises(Conflict) as caught:
        days.close_day(day=three_days[1], by=by_system(house.casino, "nightly-close"))
    assert (caught.value.code, caught.value.rule) == ("earlier_day_open", "REC-08")
    assert GamingDay.objects.filter(state="closed").count() == 0


def test_a_day_that_is_not_over_does_not_close(house):
    today = open_day(house, dt.datetime.now(dt.UTC))
    with pytest.raises(Conflict) as caught:
        days.close_day(day=today, by=by_system(house.casino, "nightly-close"))
    assert caught.value.code == "day_not_over"


@pytest.mark.rule("REC-07")
def test_a_closed_day_takes_nothing_more(house, three_days):
    closing.close_due_days(NOON_29)
    with pytest.raises(Conflict) as caught:
        open_day(house, NOON_29 - dt.timedelta(days=1))
    assert (caught.value.code, caught.value.rule) == ("day_closed", "REC-07")
    with pytest.raises(Conflict), transaction.atomic():
        days.require_open(three_days[0])


def test_no_day_opens_before_one_that_is_closed(house, three_days):
    days.close_day(day=three_days[0], by=by_system(house.casino, "nightly-close"))
    with pytest.raises(Conflict) as caught:
        open_day(house, NOON_29 - dt.timedelta(days=4))
    assert (caught.value.code, caught.value.rule) == ("day_closed", "REC-08")
    assert not GamingDay.objects.filter(date="2026-11-25").exists()


def test_only_compliance_and_the_job_close_days(house, three_days):
    with pytest.raises(NotAllowed):
        days.close_day(day=three_days[0], by=house.by(house.person("jefa", Role.PIT_BOSS)))
    closed = days.close_day(day=three_days[0], by=house.by(house.person("carla", Role.COMPLIANCE)))
    assert closed.state == "closed"


def test_closing_by_hand_prepares_as_the_night_does_but_not_for_who_may_not_close(
    house, three_days, monkeypatch
):
    prepared = []
    monkeypatch.setattr(closing, "_preparations", [lambda casino, instant: prepared.append(casino.code)])
    with pytest.raises(NotAllowed):
        closing.close_by_hand(three_days[0], house.by(house.person("jefa", Role.PIT_BOSS)))
    assert prepared == []
    closed = closing.close_by_hand(three_days[0], house.by(house.person("carla", Role.COMPLIANCE)))
    assert (prepared, closed.state) == (["illimani"], "closed")


def test_each_casino_is_walked_for_itself(house, three_days, hold, founder):
    other = founder("tunari")
    open_day(other, NOON_29 - dt.timedelta(days=1))
    hold.add("2026-11-26")
    outcomes = {outcome.casino.code: outcome for outcome in closing.close_due_days(NOON_29)}
    assert outcomes["illimani"].closed == ()
    assert [str(day) for day in outcomes["tunari"].closed] == ["2026-11-28"]


def test_the_command_says_what_held_a_day_and_fails(house, three_days, hold):
    hold.add("2026-11-27")
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("close_days", stdout=out, stderr=err)
    assert caught.value.returncode == 1
    assert "illimani: 2026-11-26 cerrado" in out.getvalue()
    assert "illimani: 2026-11-27 retenido: la mesa PB-01 sigue abierta" in err.getvalue()
    assert "illimani: 2026-11-28 espera a que cierre 2026-11-27" in err.getvalue()
    hold.clear()
    call_command("close_days", casino="illimani", stdout=out)
    assert "illimani: 2026-11-28 cerrado" in out.getvalue()
    call_command("close_days", stdout=out)
    assert "illimani: ningún día por cerrar" in out.getvalue()
    with pytest.raises(CommandError, match="no hay casino"):
        call_command("close_days", casino="nadie")


def test_the_task_does_the_same(house, three_days):
    tasks.close_due_days()
    assert GamingDay.objects.filter(state="closed").count() == 3


@pytest.mark.race
def test_two_jobs_at_once_close_each_day_once(committed_house):
    house = committed_house
    for back in (4, 3, 2, 1):
        open_day(house, NOON_29 - dt.timedelta(days=back))
    start, failures = threading.Barrier(2), []

    def close():
        try:
            start.wait()
            closing.close_due_days(NOON_29)
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    running = [threading.Thread(target=close) for _ in range(2)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    assert failures == []
    assert day_events("audits.day.closed") == ["2026-11-25", "2026-11-26", "2026-11-27", "2026-11-28"]
