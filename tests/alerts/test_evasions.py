"""Attempts on the floor: rows changed behind its back, pits that are not one's own, causes that flap, alerts
that would get lost, texts nobody should send.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction

from audits import rulings
from audits.by import by_user
from audits.incidents import DISPUTE, report_incident, resolve_incident
from audits.models import Incident
from casino.kernel import clock
from casino.kernel.errors import NotAllowed, NotFound
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino
from tables import duties, overview, pausing, plans, settings
from tables.alerts import Cause, causes, float_checks, register_watch, watches
from tables.alerts.keeping import acknowledge
from tables.alerts.proofs import told_faults
from tables.alerts.shift_notes import note_shift
from tables.guests import queueing
from tables.models import Alert, FloatCheck, Pit, PitDuty, ShiftNote, Table
from tables.money import boxes
from tables.overview import standing
from tests.alerts.building import kept, look, opened
from tests.alerts.test_floor_page import BOARD, client
from tests.builders import BOB, NIGHT, House, a_house

MINUTE = dt.timedelta(minutes=1)


def give(house: House, role: Role, *pits: Pit) -> None:
    by = house.by(Role.ADMINISTRATOR, reason="sectores de esta noche")
    duties.set_duties(user=house.users[role], pits=pits, by=by)


def test_pits_are_held_to_by_boxes_limits_plans_and_pauses(house: House) -> None:
    session, other = opened(house), house.table()
    box = boxes.put_on(session=session, number="C-1", by=house.by(Role.PIT_BOSS, NIGHT + MINUTE))
    give(house, Role.PIT_BOSS, other.pit, other.pit)
    assert PitDuty.objects.get().pits == [other.pit_id]
    by = house.by(Role.PIT_BOSS, NIGHT + 2 * MINUTE, "probando")
    second = house.users[Role.SUPERVISOR].actor
    limits: dict[str, Any] = {"chip": 5 * BOB, "spots": {"punto": (25 * BOB, 500 * BOB)}}
    for act in (
        lambda: pausing.pause(session=session, by=by),
        lambda: boxes.put_on(session=session, number="C-2", by=by),
        lambda: boxes.remove(box=box, seal="S-1", with_=second, by=by),
        lambda: boxes.remove_unregistered(session=session, number="C-3", seal="S-2", with_=second, by=by),
        lambda: boxes.declare_no_box(session=session, with_=second, by=by),
        lambda: settings.publish_limits(table=session.table, by=by, **limits),
        lambda: plans.publish_plan(windows=[], table=session.table, by=by),
        lambda: plans.publish_plan(windows=[], game=session.game, by=by),  # of all tables, theirs and others
    ):
        with pytest.raises(NotAllowed) as refused:
            act()
        assert (refused.value.code, refused.value.detail) == ("not_your_pit", {"pit": session.table.pit.name})


def forged(house: House, model: Any, column: str, value: str) -> list[Any]:
    """What the proof says once a column of the only row is another; put back afterwards."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(f'UPDATE "{model._meta.db_table}" SET "{column}" = {value}')
        found = list(told_faults(house.casino))
        transaction.set_rollback(True)
    return found


FORGERIES: dict[Any, dict[str, str]] = {
    Alert: {
        "casino_id": "casino_id + 1", "key": "'x'", "kind": "'x'", "level": "'bad'", "words_es": "'x'",
        "words_en": "'x'", "rule": "'GEN-01'", "table_id": "NULL", "session_id": "NULL", "subject": "'x'",
        "raised_at": "raised_at - interval '1 s'", "cleared_at": "raised_at",
        "acknowledged_at": "acknowledged_at + interval '1 s'", "acknowledged_by_id": "acknowledged_by_id + 1",
        "reason": "'otro'",
    },
    FloatCheck: {
        "casino_id": "casino_id + 1", "session_id": "session_id + 1", "number": "2", "chips": "'{}'",
        "total": "total + 1, difference = difference + 1",
        "cash": "7", "basis": "'estimate'",
        "expected": "expected + 1, difference = difference - 1",
        "difference": "difference + 1, expected = expected - 1", "counted_by_id": "counted_by_id + 100",
        "witnessed_by_id": "witnessed_by_id + 100", "recorded_by_id": "recorded_by_id + 1",
        "checked_at": "checked_at + interval '1 s'",
    },
    ShiftNote: {
        "casino_id": "casino_id + 1", "day_id": "day_id + 1", "pit_id": "NULL", "text": "'x'",
        "by_id": "by_id + 1", "at": "at + interval '1 s'",
    },
    PitDuty: {"casino_id": "casino_id + 1", "user_id": "user_id + 100", "pits": "'{}'"},
}  # fmt: skip


@pytest.mark.rule("REC-06")
def test_every_column_changed_behind_its_back_is_told_by_the_proof(house: House) -> None:
    session = opened(house, detail="full")
    (late,) = look(house, 61).raised
    at = NIGHT + 62 * MINUTE
    acknowledge(alerts=[late], by=house.by(Role.PIT_BOSS, at, "visto"))
    float_checks.check_float(
        session=session,
        chips_counted={500 * BOB: 150},
        counted_by=house.dealers[0],
        witnessed_by=house.supervisors[0],
        cash=0,
        by=house.by(Role.PIT_BOSS, at),
    )
    note_shift(text="tranquilo", pit=session.table.pit, by=house.by(Role.PIT_BOSS, at))
    give(house, Role.SUPERVISOR, session.table.pit)
    assert list(told_faults(house.casino)) == []
    for model, columns in FORGERIES.items():
        stored = {column.column for column in model._meta.concrete_fields} - {"id"}
        assert stored == set(columns), model  # a new column needs its proof
        for column, value in columns.items():
            assert forged(house, model, column, value), (model.__name__, column)


def test_an_alert_of_a_table_out_of_service_stays_on_the_floor(house: House) -> None:
    session = opened(house)
    (late,) = look(house, 61).raised
    house.close(session, {500 * BOB: 150}, at=NIGHT + 62 * MINUTE)
    table = Table.objects.get(pk=session.table_id)
    by = by_user(house.users[Role.ADMINISTRATOR], reason="fuera de servicio")
    same = {name: getattr(table, name) for name in ("name", "pit", "game", "seats", "detail")}
    settings.set_table(table=table, active=False, by=by, **same)
    shown = overview.floor(house.users[Role.PIT_BOSS], NIGHT + 63 * MINUTE)
    assert table not in [tile.table for _, tiles in shown.pits for tile in tiles]
    assert [(alert.pk, alert.about, alert.over) for alert in shown.general] == [(late.pk, table.name, True)]
    assert shown.warnings == 1


def test_a_line_around_its_length_is_one_alert_until_it_is_short(house: House) -> None:
    """Six wait: an alert. One leaves and one comes, over and over: still one. At three it is over."""
    table = house.table()
    entries = [
        queueing.wait(table=table, alias=f"Cliente {n}", by=house.by(Role.SUPERVISOR, NIGHT + n * MINUTE))
        for n in range(6)
    ]
    assert [alert.kind for alert in look(house, 10).raised] == [watches.LIST]
    for n, left in enumerate((5, 4, 3)):
        by = house.by(Role.SUPERVISOR, NIGHT + (11 + n) * MINUTE)
        queueing.strike(entry=entries.pop(), outcome="left", by=by)
        swept = look(house, 11 + n)
        assert (swept.raised, len(swept.cleared)) == ((), int(left == watches.LIST_IS_SHORT))
    assert len(kept(house, watches.LIST)) == 1


@pytest.fixture
def endless() -> Iterator[None]:
    """A watch whose cause no row can hold."""

    def watch(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
        yield Cause("x" * 121, "test.endless", "warn", Text("algo", "something"))

    before = causes.watches()
    register_watch(watch, kinds=["test.endless"])
    yield
    causes._watches.clear()
    causes._watches.update(before)


def test_a_cause_that_cannot_be_kept_silences_nobody_else(house: House, endless: None) -> None:
    opened(house)
    assert [alert.kind for alert in look(house, 61).raised] == [standing.RELIEF]


def test_two_houses_keep_the_same_key_apart(house: House) -> None:
    other = a_house()

    def watch(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
        yield Cause("test.same", "test.same", "warn", Text("algo", "something"))

    before = causes.watches()
    register_watch(watch, kinds=["test.same"])
    try:
        (here,), (there,) = look(house).raised, look(other).raised
    finally:
        causes._watches.clear()
        causes._watches.update(before)
    for asked in ([there], [here, there]):  # a chief of one house acknowledges nothing of the other's
        with pytest.raises(NotFound):
            acknowledge(alerts=asked, by=house.by(Role.PIT_BOSS, NIGHT, "x"))
    assert not Alert.objects.exclude(acknowledged_at=None).exists()


def test_limits_that_come_into_force_within_a_minute_change_the_floor(house: House) -> None:
    table = house.table()
    by = house.by(Role.PIT_BOSS, NIGHT, "viernes")
    spots = {"punto": (50 * BOB, 500 * BOB), "banca": (50 * BOB, 500 * BOB), "tie": (5 * BOB, 50 * BOB)}
    soon = NIGHT + dt.timedelta(seconds=20)
    with clock.standing_at(NIGHT):
        settings.publish_limits(table=table, chip=5 * BOB, spots=spots, effective_from=soon, by=by)
    boss = client(house.users[Role.PIT_BOSS])
    with clock.standing_at(NIGHT + dt.timedelta(seconds=10)):
        first = boss.get(BOARD)
        assert boss.get(BOARD, headers={"If-None-Match": first["ETag"]}).status_code == 304
    with clock.standing_at(NIGHT + dt.timedelta(seconds=21)):
        after = boss.get(BOARD, headers={"If-None-Match": first["ETag"]})
    assert after.status_code == 200
    assert after.content != first.content


def test_numbers_without_end_in_forms_are_answered(house: House) -> None:
    endless, pit = "9" * 5_000, house.table().pit
    boss = client(house.users[Role.PIT_BOSS])
    assert boss.post("/sala/avisos/", {"alert": endless, "reason": "x"}).status_code == 422
    assert boss.post("/sala/sectores/", {"pit": [endless, pit.pk]}).status_code == 302
    assert boss.session["floor_pits"] == [pit.pk]
    admin = client(house.users[Role.ADMINISTRATOR])
    form = {"user": house.users[Role.SUPERVISOR].pk, "pit": [endless, pit.pk], "reason": "x"}
    assert admin.post("/ajustes/sectores/jefes/", form).status_code == 302
    assert PitDuty.objects.get().pits == [pit.pk]


HOSTILE = (
    "a & b | !c <-> d:*", "'", "''", "\\", "\\'", "(((", ":*", "& |", "-", '"', "%s %(x)s {0}", "<script>",
    "ñ" * 900,     "www.ejemplo.bo/a&b?c='d'", "a'b&c'd",
)  # fmt: skip


def test_hostile_words_find_rulings_or_nothing_and_break_nothing(house: House) -> None:
    by = house.by(Role.PIT_BOSS)
    for words in HOSTILE:
        incident = report_incident(kind=DISPUTE, summary=f"carta {words}"[:200], by=by)
        assert Incident(pk=incident.pk) not in rulings.like(incident)
        assert list(rulings.search(house.casino, words=words)) == []
    found = resolve_incident(
        incident=incident,
        resolution="<script>alert(1)</script> se quema",
        rule_applied="CARD-41",
        with_=house.users[Role.SUPERVISOR].actor,
        by=by,
    )
    assert list(rulings.search(house.casino, words="quema")) == [found]
    boss = client(house.users[Role.PIT_BOSS])
    for words in (*HOSTILE, "quema"):
        page = boss.get("/incidentes/criterios/", {"q": words, "rule": words, "kind": "", "table": words})
        assert page.status_code == 200
    shown = boss.get("/incidentes/criterios/", {"q": "quema"}).content.decode()
    assert "&lt;script&gt;alert(1)" in shown
    assert "<script>alert(1)" not in shown
    assert boss.get("/incidentes/criterios/?q=%00").status_code == 400
    assert client(house.users[Role.CROUPIER]).get("/incidentes/criterios/").status_code == 403
