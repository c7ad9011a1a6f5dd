"""Alerts stay until somebody acknowledges them with a reason, also when their cause went away."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from audits.models import Event
from audits.verify import Fault
from casino.kernel.errors import Conflict, NotAllowed, Refused
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino
from tables import sessions
from tables.alerts import Cause, causes, register_watch
from tables.alerts.keeping import acknowledge, words_of
from tables.alerts.proofs import told_faults
from tables.alerts.sweeping import sweep
from tables.models import Alert
from tables.overview import standing
from tests.alerts.building import kept, look, opened, tile, watcher
from tests.builders import NIGHT, House

RELIEF = standing.RELIEF


def faults(house: House) -> list[Fault]:
    return list(told_faults(house.casino))


@pytest.mark.rule("FLOOR-03")
def test_an_overdue_relief_is_raised_once_and_stays_after_the_relief_until_acknowledged(house: House) -> None:
    session = opened(house)
    assert look(house, 60).raised == ()
    (raised,) = look(house, 61).raised
    assert (raised.kind, raised.rule, raised.table_id) == (RELIEF, "FLOOR-03", session.table_id)
    assert words_of(raised) == Text("relevo vencido hace 1 min", "relief overdue by 1 min")
    assert look(house, 62).raised == ()

    relieved = NIGHT + dt.timedelta(minutes=63)
    by = house.by(Role.SUPERVISOR, relieved)
    sessions.relieve(session=session, staff=house.dealers[1], post="dealer", by=by)
    (over,) = look(house, 64).cleared
    assert (over.pk, over.cleared_at) == (raised.pk, NIGHT + dt.timedelta(minutes=64))
    (shown,) = tile(house, session, 65).alerts
    assert (shown.over, shown.pk, shown.level) == (True, raised.pk, "warn")

    by = house.by(Role.PIT_BOSS, NIGHT + dt.timedelta(minutes=66), "faltó personal; relevo hecho a las 23:03")
    acknowledge(alerts=[over], by=by)
    assert tile(house, session, 66).alerts == ()
    actions = Event.objects.filter(stream__name="alerts").order_by("seq").values_list("action", flat=True)
    assert list(actions) == [f"tables.alert.{done}" for done in ("raised", "cleared", "acknowledged")]
    assert faults(house) == []


@pytest.mark.rule("FLOOR-03")
def test_an_acknowledged_alert_that_lasts_is_shown_with_who_saw_it_and_waits_for_nobody(house: House) -> None:
    session = opened(house)
    (raised,) = look(house, 61).raised
    before = tile(house, session, 62)
    assert (before.level, before.alerts[0].pk, before.alerts[0].seen_by) == ("warn", raised.pk, "")
    by = house.by(Role.PIT_BOSS, NIGHT + dt.timedelta(minutes=62), "en diez minutos")
    acknowledge(alerts=[raised], by=by)
    after = tile(house, session, 63)
    assert (after.level, after.alerts[0].text.es) == ("open", "relevo vencido hace 3 min")
    assert after.alerts[0].seen_by == "Persona pit_boss"
    assert look(house, 64).raised == ()
    assert faults(house) == []


def test_acknowledging_asks_for_a_reason_and_is_done_once(house: House) -> None:
    opened(house)
    (raised,) = look(house, 61).raised
    later = NIGHT + dt.timedelta(minutes=62)
    with pytest.raises(Refused) as silent:
        acknowledge(alerts=[raised], by=house.by(Role.PIT_BOSS, later, " \N{ZERO WIDTH SPACE}"))
    assert (silent.value.code, silent.value.field) == ("reason_missing", "reason")
    with pytest.raises(Refused) as early:
        acknowledge(alerts=[raised], by=house.by(Role.PIT_BOSS, NIGHT, "antes de que hubiera nada"))
    assert early.value.code == "occurred_out_of_order"
    with pytest.raises(Refused) as none:
        acknowledge(alerts=[], by=house.by(Role.PIT_BOSS, later, "nada"))
    assert none.value.code == "no_alerts"
    acknowledge(alerts=[raised], by=house.by(Role.PIT_BOSS, later, "hecho"))
    with pytest.raises(Conflict) as second:
        acknowledge(alerts=[raised], by=house.by(Role.SUPERVISOR, later, "hecho también"))
    assert (second.value.code, second.value.detail) == ("alert_acknowledged", {"by": "Persona pit_boss"})
    with pytest.raises(NotAllowed):
        acknowledge(alerts=[raised], by=house.by(Role.CROUPIER, later, "yo"))
    with pytest.raises(NotAllowed):
        sweep(by=house.by(Role.PIT_BOSS, later))


def test_a_cause_that_comes_back_is_another_alert(house: House) -> None:
    session = opened(house)
    by = house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(minutes=5))
    sessions.see_stop_card(session=session, by=by)
    look(house, 6)
    shoe = house.ready_shoe(at=NIGHT)
    by = house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(minutes=7))
    sessions.load_shoe(session=session, shoe=shoe, by=by)
    look(house, 8)
    by = house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(minutes=9))
    sessions.see_stop_card(session=session, by=by)
    look(house, 10)
    first, second = kept(house, standing.STOP_CARD)
    assert (first.over, second.over) == (True, False)
    assert [alert.level for alert in tile(house, session, 11).alerts] == ["bad", "warn"]


@pytest.mark.rule("REC-07")
def test_the_database_refuses_to_change_or_delete_what_an_alert_says(house: House) -> None:
    opened(house)
    (raised,) = look(house, 61).raised
    by = house.by(Role.PIT_BOSS, NIGHT + dt.timedelta(minutes=62), "hecho")
    acknowledge(alerts=[raised], by=by)
    rows = Alert.objects.filter(pk=raised.pk)
    for change in (
        {"words_es": "nada"},
        {"reason": "otro"},
        {"raised_at": NIGHT},
        {"acknowledged_at": NIGHT},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**change)
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.delete()


@pytest.mark.rule("REC-06")
def test_the_proof_names_an_alert_wiped_out_or_made_up(house: House) -> None:
    opened(house)
    (raised,) = look(house, 61).raised
    assert faults(house) == []
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE tables_alert SET acknowledged_at = raised_at, reason = 'x',"
            " acknowledged_by_id = (SELECT min(id) FROM audits_actor) WHERE id = %s",
            [raised.pk],
        )
    (forged,) = faults(house)
    assert f"alert:{raised.pk}" in str(forged)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM tables_alert")
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert len(faults(house)) == 1


@pytest.fixture
def failing() -> Iterator[list[bool]]:
    """A watch that fails while the list holds something."""
    told: list[bool] = []

    def watch(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
        yield Cause("test.cause:1", "test.cause", "warn", Text("algo", "something"), subject="una cosa")
        if told:
            raise ZeroDivisionError

    before = causes.watches()
    register_watch(watch, kinds=["test.cause"])
    yield told
    causes._watches.clear()
    causes._watches.update(before)


def test_a_watch_that_fails_hides_nobody_elses_alerts_and_clears_none_of_its_own(
    house: House, failing: list[bool]
) -> None:
    opened(house)
    assert {alert.kind for alert in look(house, 1).raised} == {"test.cause"}
    failing.append(True)
    swept = look(house, 61)
    assert ({alert.kind for alert in swept.raised}, swept.cleared) == ({RELIEF}, ())
    failing.clear()
    assert look(house, 62).cleared == ()


def test_the_watch_asks_the_database_as_often_for_three_tables_as_for_one(house: House) -> None:
    opened(house)
    look(house, 61)
    with CaptureQueriesContext(connection) as one:
        sweep(by=watcher(house, NIGHT + dt.timedelta(minutes=62)))
    for place in (1, 2):
        house.table()
        assert place
    with CaptureQueriesContext(connection) as three:
        sweep(by=watcher(house, NIGHT + dt.timedelta(minutes=63)))
    assert len(three) == len(one)
