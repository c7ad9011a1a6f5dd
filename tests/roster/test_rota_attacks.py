"""Attempts on the plan of posts: rows changed behind its back, tables named twice, days without end, names
with a script, large nights.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.kernel import clock
from casino.kernel.permissions import Role
from tables.models import FairnessEntry, PlannedTurn, RotationPlan, Table
from tables.roster.rota import applying, drafting, ledger
from tables.roster.rota.proofs import rotation_faults
from tables.roster.rota.stored import problem_of
from tests.builders import FLOAT, NIGHT, House, a_house
from tests.roster.evenings import MINUTE, SLOT, Evening, an_evening, carry, changed
from tests.roster.people import came, plan
from tests.roster.test_rota_edges import API, api, asked, page

DAY = dt.date(2026, 11, 20)


@pytest.fixture
def evening(house: House) -> Evening:
    return an_evening(house)


FORGERIES: dict[Any, dict[str, str]] = {
    RotationPlan: {
        "casino_id": "casino_id + 1", "pit_id": "(SELECT min(id) FROM tables_pit)", "day": "day + 1",
        "number": "number + 1", "starts": "starts - interval '20 min'", "ends": "ends + interval '20 min'",
        "slot_minutes": "10", "state": "'replaced'", "base_id": "id",
        "made_from": "made_from || '{\"late\": [\"x\"]}'",
        "turns": "'[]'", "solver": "'hand'", "measures": "measures || '{\"spread\": 0, \"reliefs\": 0}'",
        "made_by_id": "made_by_id + 1", "made_at": "made_at - interval '1 s'",
        "applied_by_id": "applied_by_id + 1", "applied_at": "applied_at + interval '1 s'", "reason": "'x'",
    },
    PlannedTurn: {
        "casino_id": "casino_id + 1", "plan_id": "plan_id + 1", "staff_id": "staff_id + 100",
        "table_id": "table_id + 100", "post": "'payer'", "place": "place + 1", "deals": "NOT deals",
        "during": "tstzrange(lower(during), upper(during) + interval '1 min')",
        "in_force": "tstzrange(lower(in_force), upper(in_force) - interval '1 min')",
    },
    FairnessEntry: {
        "casino_id": "casino_id + 1", "staff_id": "staff_id + 100", "day": "day + 1",
        "pit_id": "pit_id + 100",
        "minutes": "minutes + 1", "present": "present + 1", "weight": "weight + 1", "credit": "credit + 1",
    },
}  # fmt: skip


def forged(house: House, model: Any, column: str, value: str) -> list[Any]:
    """What the proof says once a column of one row is another; put back afterwards."""
    name = model._meta.db_table
    found: list[Any] = []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(f'UPDATE "{name}" SET "{column}" = {value} WHERE id = (SELECT max(id) FROM "{name}")')
        found += rotation_faults(house.casino)
        transaction.set_rollback(True)
    return found


@pytest.mark.rule("REC-06")
def test_every_column_changed_behind_its_back_is_told_by_the_proof(evening: Evening) -> None:
    house = evening.house
    evening.applied()
    for session in evening.sessions:
        house.close(session, FLOAT, at=NIGHT + 4 * SLOT)
    with clock.standing_at(NIGHT + dt.timedelta(days=1)):
        ledger.note_all()
    assert list(rotation_faults(house.casino)) == []
    for model, columns in FORGERIES.items():
        assert {one.column for one in model._meta.concrete_fields} - {"id"} == set(columns), model
        for column, value in columns.items():
            assert forged(house, model, column, value), (model.__name__, column)


def test_a_drafts_measures_are_proved_too(evening: Evening) -> None:
    """A draft's row may be written by hand; what people choose by is proved all the same."""
    made = evening.drafted()
    RotationPlan.objects.filter(pk=made.pk).update(measures={**made.measures, "spread": 0, "reliefs": 1})
    (fault,) = rotation_faults(evening.house.casino)
    assert "measures" in str(fault)


def test_a_table_named_twice_has_its_post_once(evening: Evening) -> None:
    table = evening.sessions[0].table
    made = evening.drafted(tables=[table, table])
    assert [post.table for post in problem_of(made).posts] == [table.name]
    boss = api(evening.house, Role.PIT_BOSS)
    with clock.standing_at(NIGHT + MINUTE):
        answer = boss.post(f"{API}rotation-plans", asked(tables=[table.pk, table.pk]), format="json")
    assert (answer.status_code, len(answer.json()["posts"])) == (201, 1)


def test_no_day_is_too_far_for_an_answer_of_the_ledger(evening: Evening) -> None:
    boss = api(evening.house, Role.PIT_BOSS)
    for day, status in (("9999-12-31", 409), ("2026-11-20", 409), ("0001-01-01", 200), ("2020-02-29", 200)):
        with clock.standing_at(NIGHT + MINUTE):
            assert (day, boss.post(f"{API}fairness", {"day": day}, format="json").status_code) == (
                day,
                status,
            )
    assert not FairnessEntry.objects.exists()


def test_a_house_whose_ledger_fails_keeps_no_other_waiting(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = an_evening(a_house())
    for one in (evening, second):
        for session in one.sessions:
            one.house.close(session, FLOAT, at=NIGHT + 4 * SLOT)
    note = ledger.note_fairness

    def failing(*, day: dt.date, by: Any) -> Any:
        if by.casino.pk == evening.house.casino.pk:
            raise ZeroDivisionError
        return note(day=day, by=by)

    monkeypatch.setattr(ledger, "note_fairness", failing)
    with clock.standing_at(NIGHT + dt.timedelta(days=1)):
        ledger.note_all()
        ledger.note_all()
    assert {one.casino_id for one in FairnessEntry.objects.all()} == {second.house.casino.pk}
    assert sum(one.credit for one in FairnessEntry.objects.all()) == 0


@pytest.mark.rule("FLOOR-02")
def test_whoever_lost_their_licence_since_is_not_sent_and_the_others_are(evening: Evening) -> None:
    evening.applied()
    at = NIGHT + 3 * SLOT
    comes = sorted(set(evening.planned(at).values()) - set(evening.dealing().values()))
    gone = next(one for one in evening.dealers if one.pk == comes[0])
    changed(evening, gone, licence_expires=dt.date(2026, 11, 19))
    carried = carry(evening, at)
    assert gone.pk not in [one.comes.pk for one in carried.done]
    assert any(one.comes.pk == gone.pk and "venció" in text.es for one, text in carried.failed)
    assert gone.pk not in evening.dealing().values()
    assert len(evening.dealing()) == 2  # nobody left a post that nobody takes


def test_a_plan_over_midnight_and_the_cut_off_is_of_the_day_it_begins(evening: Evening) -> None:
    """23:40 to 06:40 on the wall, over the cut-off at 06:00: one plan, one label, applied and proved."""
    house = evening.house
    for person in (house.person() for _ in range(4)):
        plan(house, person, "20 23:30", "21 07:00")
    starts = NIGHT + dt.timedelta(hours=5, minutes=40)
    made = evening.drafted(starts=starts, ends=starts + 21 * SLOT)
    assert len(problem_of(made).people) == 4
    assert (made.label, made.day) == ("R-2026-11-20-1", DAY)
    applied = applying.apply_plan(plan=made, by=house.by(Role.PIT_BOSS, NIGHT + 2 * MINUTE))
    turns = PlannedTurn.objects.filter(plan=applied)
    assert max(turn.during.upper for turn in turns) == applied.ends
    assert list(rotation_faults(house.casino)) == []


def test_a_name_with_a_script_is_only_a_name(evening: Evening) -> None:
    house = evening.house
    changed(evening, evening.dealers[0], name="<script>alert(1)</script>")
    made = evening.applied()
    with clock.standing_at(NIGHT + MINUTE):
        shown = page(house, Role.PIT_BOSS).get(reverse("rotation-plan", args=[made.pk])).content.decode()
        floor = page(house, Role.PIT_BOSS).get("/sala/tablero/").content.decode()
    for text in (shown, floor):
        assert "<script>alert(1)" not in text
        assert "&lt;script&gt;alert(1)" in text


def cost(house: House, people: int, tables: list[Table]) -> tuple[int, int]:
    """How many queries it takes to draft and apply twelve hours of quarters of an hour, and to show them."""
    for person in (*house.dealers, *(house.person() for _ in range(people - len(house.dealers)))):
        plan(house, person, "20 17:50", "21 06:00")
        came(house, person, "20 17:50")
    by = house.by(Role.PIT_BOSS, NIGHT)
    with CaptureQueriesContext(connection) as written:
        made = drafting.draft_plan(
            starts=NIGHT,
            ends=NIGHT + dt.timedelta(hours=12),
            slot_minutes=15,
            tables=tables,
            solver="greedy",
            by=by,
        )
        applied = applying.apply_plan(plan=made, by=by)
    assert (len(problem_of(applied).people), len(problem_of(applied).posts)) == (people, len(tables))
    acts = len(written)
    address = reverse("rotation-plan", args=[applied.pk])
    with clock.standing_at(NIGHT + MINUTE):
        boss = page(house, Role.PIT_BOSS)
        boss.get(address)
        with CaptureQueriesContext(connection) as shown:
            assert boss.get(address).status_code == 200
    return acts, len(shown)


def test_a_larger_night_asks_the_database_no_more_often(house: House) -> None:
    other = a_house()
    few = cost(other, 3, [other.table()])
    assert cost(house, 9, [house.table() for _ in range(5)]) == few
