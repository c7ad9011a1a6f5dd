"""Times: what is in force never moves back, and what is recorded at a table follows in time."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audits.models import Event
from casino.kernel import clock
from casino.kernel.permissions import Role
from tables import overview, rounds, sessions, settings
from tables.models import BetLimits, GameRules, TableSession
from tests.builders import BOB, CLOSING_TIME, CONFIRMED, FLOAT, NATURAL, NIGHT, House, bets
from tests.tables.refusing import refused

MINUTE, SECOND = dt.timedelta(minutes=1), dt.timedelta(seconds=1)
HIGHER = dict.fromkeys(("punto", "banca", "tie"), (200 * BOB, 500 * BOB))


def told(action: str) -> dict[str, Any]:
    event = Event.objects.filter(action=action).order_by("-pk").first()
    assert event is not None
    data: dict[str, Any] = json.loads(bytes(event.body))
    return data


@pytest.mark.rule("GEN-03")
def test_limits_are_never_in_force_before_they_are_recorded(house: House) -> None:
    table = house.table()
    stated = house.by(Role.PIT_BOSS, NIGHT - 60 * MINUTE, "límites nuevos")

    def publish(effective_from: dt.datetime | None) -> BetLimits:
        return settings.publish_limits(
            table=table, chip=5 * BOB, spots=HIGHER, by=stated, effective_from=effective_from
        )

    with clock.standing_at(NIGHT):
        for early in (NIGHT - 60 * MINUTE, NIGHT - 5 * MINUTE - SECOND):
            with refused("effective_in_past", "GEN-03"):
                publish(early)
        # Whatever the caller says it is: now, and a clock five minutes slow is as good as now.
        assert publish(None).effective_from == NIGHT
        assert publish(NIGHT - 5 * MINUTE).effective_from == NIGHT
        assert publish(NIGHT + MINUTE).effective_from == NIGHT + MINUTE
    body = told("tables.limits.published")
    assert body["data"]["effective_from"] == clock.stamp(NIGHT + MINUTE)
    assert body["occurred"] == clock.stamp(NIGHT)


@pytest.mark.rule("GEN-03")
def test_rules_are_never_in_force_before_they_are_recorded(house: House) -> None:
    stated = house.by(Role.ADMINISTRATOR, NIGHT - 60 * MINUTE, "reglas nuevas")

    def publish(effective_from: dt.datetime | None) -> GameRules:
        return settings.publish_rules(
            game="baccarat.mini",
            params={},
            betting_plan="PA-2",
            by=stated,
            effective_from=effective_from,
            **CONFIRMED,
        )

    with clock.standing_at(NIGHT):
        with refused("effective_in_past", "GEN-03"):
            publish(NIGHT - 60 * MINUTE)
        assert publish(None).effective_from == NIGHT
    assert told("tables.rules.published")["data"]["effective_from"] == clock.stamp(NIGHT)


Act = Callable[[House, TableSession, dt.datetime], Any]
ACTS: dict[str, Act] = {
    "round": lambda house, session, at: house.log(session, NATURAL, at=at),
    "step": lambda house, session, at: rounds.play(
        session=session, number=2, step=0, events=NATURAL[:1], by=house.by(Role.PIT_BOSS, at)
    ),
    "relief": lambda house, session, at: sessions.relieve(
        session=session, staff=house.dealers[1], post="dealer", by=house.by(Role.SUPERVISOR, at)
    ),
    "shoe": lambda house, session, at: sessions.load_shoe(
        session=session, shoe=house.ready_shoe(), by=house.by(Role.SUPERVISOR, at, "cambio de sabot")
    ),
    "stop card": lambda house, session, at: sessions.see_stop_card(
        session=session, by=house.by(Role.PIT_BOSS, at)
    ),
    "void": lambda house, session, at: rounds.void(
        round=session.rounds.get(number=1),
        approved_by=house.users[Role.SUPERVISOR].actor,
        cards_came_out=True,
        by=house.by(Role.PIT_BOSS, at, "x"),
    ),
    "close": lambda house, session, at: house.close(session, FLOAT, at=at),
}


@pytest.mark.parametrize("act", ACTS)
def test_nothing_is_recorded_before_the_latest_on_record(house: House, act: str) -> None:
    session = house.open_table()
    latest = NIGHT + 30 * MINUTE
    house.log(session, NATURAL, at=latest)
    # Three seconds are what an act may have waited for the table itself.
    with refused("occurred_out_of_order") as refusal:
        ACTS[act](house, session, latest - 4 * SECOND)
    assert refusal.value.field == "occurred_at"
    assert refusal.value.detail == {"earliest": clock.stamp(latest)}
    assert "2026-11-20 18:30:00" in refusal.value.message.es  # La Paz
    ACTS[act](house, session, latest)
    session.refresh_from_db()
    assert session.last_at == latest


@pytest.mark.parametrize("act", ACTS)
def test_each_act_moves_the_table_on(house: House, act: str) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    ACTS[act](house, session, NIGHT + 10 * MINUTE)
    session.refresh_from_db()
    assert session.last_at == NIGHT + 10 * MINUTE


@pytest.mark.rule("GEN-03")
def test_old_limits_are_not_chosen_by_an_early_instant(house: House) -> None:
    session = house.open_table(detail="full")
    changed = NIGHT + 60 * MINUTE
    with clock.standing_at(changed):
        by = house.by(Role.PIT_BOSS, changed, "límites nuevos")
        settings.publish_limits(table=session.table, chip=5 * BOB, spots=HIGHER, by=by)
    house.log(session, [*bets((1, "punto", 200)), *NATURAL], at=changed + MINUTE)
    low = [*bets((1, "punto", 25)), *NATURAL]
    with refused("occurred_out_of_order"):
        house.log(session, low, at=changed - MINUTE)
    with refused("below_minimum", "GEN-04"):
        house.log(session, low, at=changed + MINUTE)


@pytest.mark.rule("FLOOR-10")
def test_sessions_of_a_table_follow_one_another(house: House) -> None:
    table = house.table()
    house.close(house.open_table(table), FLOAT)
    with refused("occurred_out_of_order"):
        house.open_table(table, at=CLOSING_TIME - SECOND)
    second = house.open_table(table, at=CLOSING_TIME)
    assert second.state == "open"
    assert overview.last_sessions(house.casino)[table.pk] == second


def test_the_database_itself_refuses_two_sessions_at_once(house: House) -> None:
    table = house.table()
    closed = house.close(house.open_table(table), FLOAT)
    closed.pk, closed.number = None, 2
    closed._state.adding = True
    with pytest.raises(IntegrityError, match="one_session_at_a_time"), transaction.atomic():
        closed.save(force_insert=True)


def test_a_round_is_of_whoever_dealt_when_it_occurred(house: House) -> None:
    """It arrives two seconds late: the relief was recorded first."""
    session = house.open_table()
    relief = NIGHT + 30 * MINUTE
    ACTS["relief"](house, session, relief)
    assert house.log(session, NATURAL, at=relief - 2 * SECOND).dealer == house.dealers[0]
    assert house.log(session, NATURAL, at=relief).dealer == house.dealers[1]
    opened = rounds.play(
        session=session,
        number=3,
        step=0,
        events=NATURAL,
        by=house.by(Role.PIT_BOSS, relief - 2 * SECOND),
    )
    assert opened.dealer == house.dealers[0]
