"""Two at one table at once: opened, prepared, paused, its plan published. One wins, nothing is halved."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from casino.kernel import clock
from casino.kernel.errors import Conflict, SabotError
from casino.kernel.permissions import Role
from tables import closings, openings, pausing, plan_proofs, planning, plans, told_proofs
from tables.models import Assignment, BetLimits, ChipCount, PlannedLimits, TableSession
from tables.plan_windows import Limits, Window
from tests.builders import BOB, CLOSING_TIME, FLOAT, NATURAL, NIGHT, House
from tests.races.racing import race

pytestmark = pytest.mark.race


def one_won(answers: list[object]) -> SabotError:
    refusals = [answer for answer in answers if isinstance(answer, SabotError)]
    assert len(refusals) == len(answers) - 1, answers
    assert all(isinstance(refusal, Conflict) for refusal in refusals), refusals
    return refusals[0]


@pytest.mark.rule("FLOOR-04", "FLOOR-10")
def test_dja_027_one_session_of_two_and_the_table_opens_again_after_its_close(house: House) -> None:
    """Case DJA-027: two «open session on table 5» at once; then close, and open again."""
    table = house.table()
    shoes = [house.ready_shoe(), house.ready_shoe()]

    def begin(act: Callable[..., TableSession], place: int) -> TableSession:
        return act(
            table=table,
            shoe=shoes[place],
            chips_counted=FLOAT,
            dealer=house.dealers[place],
            supervisor=house.supervisors[place],
            by=house.by(Role.SUPERVISOR),
        )

    answers = race(lambda: begin(openings.open_session, 0), lambda: begin(openings.prepare_table, 1))
    refusal = one_won(answers)
    assert refusal.code in {"session_open", "table_has_shoe"} and refusal.status == 409
    (session,) = TableSession.objects.filter(table=table, state__in=TableSession.LIVE)
    assert (ChipCount.objects.count(), Assignment.objects.count()) == (1, 2)
    assert not list(told_proofs.told_faults(house.casino))

    who = next(place for place, answer in enumerate(answers) if isinstance(answer, TableSession))
    closings.close_session(
        session=session,
        chips_counted=FLOAT,
        counted_by=house.dealers[who],
        witnessed_by=house.supervisors[who],
        by=house.by(Role.SUPERVISOR, CLOSING_TIME),
    )
    again = house.open_table(table, at=CLOSING_TIME + dt.timedelta(minutes=5), shoe=shoes[1 - who])
    assert (again.state, again.number) == ("open", 2)


def test_two_tablets_pause_one_table(house: House) -> None:
    session = house.open_table()

    def stop() -> Any:
        return pausing.pause(session=session, by=house.by(Role.SUPERVISOR, reason="pausa"))

    assert one_won(race(stop, stop, stop)).code == "session_state"
    session.refresh_from_db()
    assert session.state == "paused"


@pytest.mark.parametrize("attempt", range(3))
def test_a_pause_and_a_round_are_one_after_the_other(house: House, attempt: int) -> None:
    session = house.open_table()

    def stop() -> Any:
        return pausing.pause(session=session, by=house.by(Role.SUPERVISOR, reason="pausa"))

    answers = race(stop, lambda: house.log(session, list(NATURAL)))
    session.refresh_from_db()
    # Either the round came first, or it was refused because the table had stopped.
    assert session.state == "paused"
    refusals = [answer.code for answer in answers if isinstance(answer, SabotError)]
    assert refusals == ([] if session.rounds_settled else ["session_paused"])
    assert not list(told_proofs.told_faults(house.casino))


@pytest.mark.rule("GEN-04")
def test_two_workers_publish_a_boundary_once(house: House) -> None:
    table = house.table()
    pair = (50 * BOB, 500 * BOB)
    limits = Limits(5 * BOB, {"punto": pair, "banca": pair})
    with clock.standing_at(NIGHT):
        plan = plans.publish_plan(
            table=table,
            windows=[Window(tuple(range(7)), dt.time(6), dt.time(18), limits)],
            otherwise=limits,
            by=house.by(Role.PIT_BOSS, NIGHT, "plan"),
        )
    first = PlannedLimits.objects.get(table=table, plan=plan)
    assert planning.due(table, clock.now()), "days later the boundary is another"
    race(*[planning.apply_all] * 4)
    later = PlannedLimits.objects.filter(table=table, plan=plan).exclude(pk=first.pk)
    assert later.exists() and later.count() == later.values("begins").distinct().count()
    assert BetLimits.objects.filter(table=table).count() == 2 + later.count()
    assert not planning.due(table, clock.now())
    assert not list(plan_proofs.plan_faults(house.casino))
