"""Plans of limits in force: published ahead, at their boundary, once; a table's own beats its game's."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

import pytest
import time_machine
from django.db import connection

from audits.by import by_system
from audits.models import Event
from casino.kernel import clock
from casino.kernel.permissions import Role
from tables import plan_proofs, planning, plans, settings, tasks
from tables.models import BetLimits, LimitsPlan, PlannedLimits, Table
from tables.plan_windows import Limits, Window
from tests.builders import BOB, NATURAL, NIGHT, House, bets
from tests.tables.refusing import refused, rewriting_is_refused

DAILY = tuple(range(7))
EVENING = dt.datetime(2026, 11, 21, 0, 0, tzinfo=dt.UTC)
"""Friday 20:00 in La Paz, where NIGHT is 18:00."""
SMALL_HOURS = EVENING + dt.timedelta(hours=8)
MINUTE = dt.timedelta(minutes=1)


def limits(low: int, high: int) -> Limits:
    pair = (low * BOB, high * BOB)
    return Limits(5 * BOB, {"punto": pair, "banca": pair, "tie": (5 * BOB, 200 * BOB)})


DAY, HIGH = limits(25, 1_000), limits(100, 5_000)


def window(begins: str, ends: str, what: Limits = HIGH, days: tuple[int, ...] = DAILY) -> Window:
    return Window(days, dt.time.fromisoformat(begins), dt.time.fromisoformat(ends), what)


NIGHTS = [window("20:00", "04:00")]


def published(house: House, at: dt.datetime = NIGHT, **about: Any) -> LimitsPlan:
    about = {"windows": NIGHTS, "otherwise": DAY, "table": None, **about}
    if about["table"] is None:
        about.setdefault("game", "baccarat.mini")
    with clock.standing_at(at):
        return plans.publish_plan(**about, by=house.by(Role.PIT_BOSS, at, "plan de la casa"))


def run(at: dt.datetime) -> int:
    """What Celery asks each minute."""
    with clock.standing_at(at):
        return planning.apply_all()


def lowest(table: Table, at: dt.datetime) -> int:
    """The minimum of the punto in force at an instant, in bolivianos."""
    found = BetLimits.in_force(table, at)
    assert found is not None
    return int(found.spots["punto"][0] // BOB)


@pytest.mark.rule("GEN-04", "GEN-03")
def test_the_limits_of_a_window_are_published_ahead_and_hold_from_its_boundary(house: House) -> None:
    table = house.table()
    plan = published(house)
    assert run(NIGHT) == 1  # the rest of the time, from when the plan is in force
    assert run(EVENING - planning.AHEAD - MINUTE) == 0
    assert run(EVENING - planning.AHEAD) == 1
    rows = BetLimits.objects.filter(table=table).order_by("version")
    last = rows.last()
    assert last is not None and last.effective_from == EVENING
    assert last.reason == f"plan de límites {plan}: franja 20:00–04:00"
    assert last.published_by.name == "limits-plan"
    assert (lowest(table, EVENING - MINUTE), lowest(table, EVENING)) == (25, 100)
    run(SMALL_HOURS - MINUTE)
    assert (lowest(table, SMALL_HOURS - MINUTE), lowest(table, SMALL_HOURS)) == (100, 25)
    assert not list(plan_proofs.plan_faults(house.casino))


def test_asked_often_each_boundary_is_published_once(house: House) -> None:
    table = house.table()
    published(house)
    minutes = [NIGHT + n * 10 * MINUTE for n in range(6 * 24 + 1)]
    assert sum(run(at) for at in minutes) == 3  # now, 20:00, 04:00; those of tomorrow are not due yet
    assert PlannedLimits.objects.filter(table=table).count() == 3
    assert Event.objects.filter(action="tables.plan.applied").count() == 3
    tasks.apply_limits_plans()  # by the machine's clock, ten days on: what holds now and what comes
    assert not planning.due(table, clock.now())


def test_a_job_that_comes_late_into_a_window_publishes_once_while_the_clock_goes_on(house: House) -> None:
    """No clock stands between the job's own instant and that of the version it publishes."""
    table = house.table()
    published(house)
    run(NIGHT)
    with time_machine.travel(EVENING + dt.timedelta(days=9, minutes=34), tick=True):
        tasks.apply_limits_plans()
        assert not planning.due(table, clock.now())
        assert lowest(table, clock.now()) == 100
    assert PlannedLimits.objects.filter(table=table).count() == 2


def test_a_job_that_stood_still_publishes_what_holds_now_and_nothing_backwards(house: House) -> None:
    table = house.table()
    published(house)
    run(NIGHT)
    late = EVENING + dt.timedelta(hours=2)
    assert run(late) == 1
    assert (lowest(table, late - MINUTE), lowest(table, late)) == (25, 100)


@pytest.mark.rule("GEN-03")
def test_a_round_keeps_the_limits_it_was_opened_under(house: House) -> None:
    table = house.table(detail="full")
    with clock.standing_at(NIGHT):
        session = house.open_table(table)
    published(house)
    run(NIGHT)
    run(EVENING - MINUTE)
    before = house.log(session, [*bets((1, "punto", 25)), *NATURAL], at=EVENING - MINUTE)
    with refused("below_minimum"):
        house.log(session, [*bets((1, "punto", 25)), *NATURAL], at=EVENING + MINUTE)
    after = house.log(session, [*bets((1, "punto", 100)), *NATURAL], at=EVENING + MINUTE)
    before.refresh_from_db()
    assert (before.limits.spots["punto"][0], after.limits.spots["punto"][0]) == (25 * BOB, 100 * BOB)


def test_a_tables_own_plan_beats_that_of_its_game_until_it_ends(house: House) -> None:
    own, other = house.table(), house.table()
    published(house)
    published(house, table=own, windows=[], otherwise=limits(500, 5_000))
    run(NIGHT)
    assert (lowest(own, NIGHT + MINUTE), lowest(other, NIGHT + MINUTE)) == (500, 25)
    ended = NIGHT + dt.timedelta(minutes=10)
    published(house, at=ended, table=own, windows=[], otherwise=None)
    run(ended)
    assert lowest(own, ended + MINUTE) == 25
    assert plans.plan_of(own, ended).row.table_id is None  # type: ignore[union-attr]


def test_what_is_published_by_hand_stays_until_the_next_boundary(house: House) -> None:
    table = house.table()
    published(house)
    run(NIGHT)
    by_hand(house, table, limits(50, 500), NIGHT + 30 * MINUTE)
    assert run(NIGHT + 31 * MINUTE) == 0
    assert lowest(table, NIGHT + 31 * MINUTE) == 50
    run(EVENING - MINUTE)
    assert lowest(table, EVENING) == 100


def by_hand(house: House, table: Table, what: Limits, at: dt.datetime) -> BetLimits:
    with clock.standing_at(at):
        return settings.publish_limits(
            table=table, chip=what.chip, spots=what.spots, by=house.by(Role.PIT_BOSS, at, "mesa llena")
        )


@pytest.mark.rule("GEN-04")
@pytest.mark.parametrize(("low", "high"), [(20, 1_000), (25, 1_005), (25, 5_000)])
def test_limits_by_hand_lie_inside_the_plan(house: House, low: int, high: int) -> None:
    table = house.table()
    published(house)
    with refused("outside_plan", "GEN-04"):
        by_hand(house, table, limits(low, high), NIGHT + MINUTE)
    assert by_hand(house, table, limits(25, 1_000), NIGHT + MINUTE).version == 2


def test_a_change_of_plan_takes_back_what_was_published_ahead(house: House) -> None:
    table = house.table()
    published(house)
    run(NIGHT)
    at = EVENING - 20 * MINUTE
    run(at)
    assert lowest(table, EVENING) == 100
    published(house, at=at + MINUTE, windows=[window("22:00", "04:00")])
    run(at + MINUTE)
    assert lowest(table, EVENING) == 25
    assert run(at + 2 * MINUTE) == 0
    run(EVENING + dt.timedelta(hours=2) - MINUTE)
    assert lowest(table, EVENING + dt.timedelta(hours=2)) == 100


def test_outside_its_windows_a_plan_without_a_rest_changes_nothing(house: House) -> None:
    table = house.table()
    published(house, otherwise=None)
    assert run(NIGHT) == 0
    run(EVENING - MINUTE)
    run(SMALL_HOURS + MINUTE)
    assert lowest(table, SMALL_HOURS + MINUTE) == 100  # nothing says what comes after


def test_a_plan_of_tomorrow_waits(house: House) -> None:
    table = house.table()
    published(house, effective_from=EVENING + dt.timedelta(hours=1))
    assert run(EVENING) == 0
    run(EVENING + dt.timedelta(minutes=45))
    assert lowest(table, EVENING + dt.timedelta(hours=1)) == 100
    assert lowest(table, EVENING + dt.timedelta(minutes=59)) == 25
    with refused("effective_in_past", "GEN-03"):
        published(house, at=EVENING, effective_from=NIGHT)


@pytest.mark.rule("GEN-04")
@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"windows": [*NIGHTS, window("03:00", "05:00")]}, "windows_overlap", "window_1"),
        ({"windows": [window("20:00", "04:00", days=())]}, "bad_window", "window_0"),
        ({"windows": [window("20:00", "04:00", Limits(7 * BOB, DAY.spots))]}, "bad_limits", "window_0"),
        ({"windows": [window("20:00", "04:00", limits(27, 1_000))]}, "bad_limits", "window_0"),
        ({"windows": [window("20:00", "04:00", limits(1_000, 25))]}, "bad_limits", "window_0"),
        ({"windows": [window("20:00", "04:00", Limits(5 * BOB, {}))]}, "bad_limits", "window_0"),
        ({"otherwise": Limits(5 * BOB, {"pleno": (5 * BOB, 10 * BOB)})}, "bad_limits", "otherwise"),
    ],
)
def test_a_plan_is_held_to_what_limits_are(
    house: House, change: Mapping[str, Any], code: str, field: str
) -> None:
    house.table()
    with refused(code, "GEN-04") as caught:
        published(house, **change)
    assert caught.value.field == field
    assert not LimitsPlan.objects.exists()


def test_who_may_publish_a_plan_and_why(house: House) -> None:
    table = house.table()
    with refused("not_allowed"):
        plans.publish_plan(table=table, windows=NIGHTS, by=house.by(Role.SUPERVISOR, reason="x"))
    with refused("reason_missing"):
        plans.publish_plan(table=table, windows=NIGHTS, by=house.by(Role.PIT_BOSS))


def test_versions_of_a_plan_are_never_rewritten(house: House) -> None:
    house.table()
    published(house)
    run(NIGHT)
    for table in ("limitsplan", "plannedlimits"):
        rewriting_is_refused(f"UPDATE tables_{table} SET casino_id = casino_id")
        rewriting_is_refused(f"DELETE FROM tables_{table}")
        rewriting_is_refused(f"TRUNCATE tables_{table} CASCADE")
    assert published(house, at=NIGHT + MINUTE).version == 2


def test_a_plan_altered_behind_the_trail_is_found(house: House) -> None:
    house.table()
    published(house)
    run(NIGHT)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE tables_limitsplan DISABLE TRIGGER USER")
        cursor.execute("UPDATE tables_limitsplan SET windows = '[]'")
        cursor.execute("ALTER TABLE tables_limitsplan ENABLE TRIGGER USER")
    plan, boundary = LimitsPlan.objects.get(), PlannedLimits.objects.get()
    found = [fault.where for fault in plan_proofs.plan_faults(house.casino)]
    assert found == [f"plan:{plan.pk}"], found
    assert boundary.plan_id == plan.pk


def test_a_table_out_of_service_is_left_alone(house: House) -> None:
    table = house.table()
    published(house)
    with clock.standing_at(NIGHT):
        settings.set_table(
            table=table, name=table.name, pit=table.pit, game=table.game, seats=table.seats, active=False,
            detail=table.detail, by=by_system(house.casino, "setup", reason="retirada"),
        )  # fmt: skip
    assert run(NIGHT) == 0
