"""Who waits for a table sees it as it stands after the wait, though one statement both waits and reads."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from audits.verify import trail_faults
from casino.kernel import clock
from casino.kernel.commands import one_transaction
from casino.kernel.errors import Conflict
from casino.kernel.permissions import Role
from tables import rounds, sessions, settings
from tables.games import registry
from tables.games.base import Detail
from tables.models import Round, TableSession
from tests.builders import BOB, NATURAL, NIGHT, House
from tests.races.racing import race
from tests.tables import every_game

pytestmark = pytest.mark.race


def while_waiting(session: TableSession, waiter: Callable[[], Any], meanwhile: Callable[[], Any]) -> Any:
    """What `waiter` answers when `meanwhile` is done by the one it waits for."""
    begun = threading.Event()

    def holder() -> None:
        with one_transaction():
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT 1 FROM tables_tablesession WHERE id = %s FOR NO KEY UPDATE", [session.pk]
                )
            begun.set()
            _until_somebody_waits()
            meanwhile()

    def then() -> Any:
        assert begun.wait(10)
        return waiter()

    held, answer = race(holder, then)
    assert held is None, held
    return answer


def _until_somebody_waits() -> None:
    deadline = time.monotonic() + 2.5  # below the lock timeout of 3 s
    while time.monotonic() < deadline:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone()[0]:
                return
        time.sleep(0.02)
    raise AssertionError("nobody waits")


def test_a_round_opened_meanwhile_is_not_logged_over(house: House) -> None:
    session = house.open_table()
    boss = house.by(Role.PIT_BOSS)
    answer = while_waiting(
        session,
        lambda: rounds.log(session=session, number=1, events=NATURAL, by=boss),
        lambda: rounds.play(session=session, number=1, step=0, events=NATURAL[:2], by=boss),
    )
    assert isinstance(answer, Conflict)
    assert answer.code == "round_moved_on"
    assert [(found.number, found.state) for found in Round.objects.all()] == [(1, "open")]


def test_a_round_settled_meanwhile_makes_the_next_one_possible(house: House) -> None:
    session = house.open_table()
    boss = house.by(Role.PIT_BOSS)
    rounds.play(session=session, number=1, step=0, events=NATURAL, by=boss)
    answer = while_waiting(
        session,
        lambda: rounds.log(session=session, number=2, events=NATURAL, by=boss),
        lambda: rounds.settle(session=session, number=1, step=len(NATURAL), by=boss),
    )
    assert isinstance(answer, Round)
    assert answer.number == 2


def test_a_dealer_relieved_meanwhile_does_not_deal_the_round(house: House) -> None:
    session = house.open_table()
    chief = house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(hours=1))
    post = session.assignments.exclude(post="supervisor").get().post
    later = house.by(Role.PIT_BOSS, NIGHT + dt.timedelta(hours=1, minutes=1))
    answer = while_waiting(
        session,
        lambda: rounds.log(session=session, number=1, events=NATURAL, by=later),
        lambda: sessions.relieve(session=session, staff=house.dealers[1], post=post, by=chief),
    )
    assert answer.dealer_id == house.dealers[1].pk
    assert Round.objects.get().dealer_id == house.dealers[1].pk


def test_a_round_just_before_the_relief_it_waited_for_was_dealt_by_who_left(house: House) -> None:
    session = house.open_table()
    chief = house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(hours=1))
    just_before = house.by(Role.PIT_BOSS, chief.occurred_at - dt.timedelta(seconds=2))
    answer = while_waiting(
        session,
        lambda: rounds.log(session=session, number=1, events=NATURAL, by=just_before),
        lambda: sessions.relieve(session=session, staff=house.dealers[1], post="dealer", by=chief),
    )
    assert answer.dealer_id == house.dealers[0].pk
    session.refresh_from_db()
    assert session.last_at == chief.occurred_at


def test_a_shoe_loaded_meanwhile_is_the_one_counted(house: House) -> None:
    session = house.open_table()
    before, fresh = session.shoe, house.ready_shoe()
    answer = while_waiting(
        session,
        lambda: rounds.log(session=session, number=1, events=NATURAL, by=house.by(Role.PIT_BOSS)),
        lambda: sessions.load_shoe(
            session=session, shoe=fresh, by=house.by(Role.SUPERVISOR, reason="sabot mojado")
        ),
    )
    assert answer.shoe_id == fresh.pk
    before.refresh_from_db()
    fresh.refresh_from_db()
    # 4 cards; preparation burned 3 of each
    assert (before.discarded, fresh.discarded, fresh.remaining) == (0, 4, 312 - 3 - 4)


def test_limits_published_for_now_hold_for_the_next_statement(house: House) -> None:
    session = house.open_table(detail="full")
    spots = dict.fromkeys(("punto", "banca", "tie"), (100 * BOB, 500 * BOB))
    by = house.by(Role.PIT_BOSS, reason="noche tranquila")
    with clock.standing_at(NIGHT):
        limits = settings.publish_limits(table=session.table, chip=5 * BOB, spots=spots, by=by)
    bet = {"e": "bet", "seat": 1, "spot": "punto", "amount": 100 * BOB}
    logged = house.log(session, [bet, {"e": "close"}, *NATURAL])
    assert logged.limits_id == limits.pk


# ---- what a round hands on, when the round is voided meanwhile ---------------------------------------


def _spin(number: int, *bets: tuple[int, str]) -> list[dict[str, Any]]:
    placed = [{"e": "bet", "seat": seat, "spot": spot, "amount": 10 * BOB} for seat, spot in bets]
    return [*placed, {"e": "close"}, {"e": "spin", "number": number}]


def _wheel(house: House) -> TableSession:
    """A roulette table that puts even chances in prison at zero."""
    game = registry.game("roulette.single_zero")
    table = every_game.a_table(house, game, Detail.FULL, {"zero_policy": "prison"})
    return every_game.open_session(house, table, game, [])


def _void(house: House, voided: Round) -> Round:
    by = house.by(Role.PIT_BOSS, reason="mal anotado")
    approver = house.users[Role.SUPERVISOR].actor
    return rounds.void(round=voided, approved_by=approver, cards_came_out=True, by=by)


@pytest.mark.rule("REC-07")
def test_what_a_round_voided_meanwhile_handed_on_is_not_taken_over(house: House) -> None:
    session, boss = _wheel(house), house.by(Role.PIT_BOSS)
    zero = rounds.log(session=session, number=1, events=_spin(0, (1, "red")), by=boss)
    assert zero.settlement is not None and zero.settlement["carry"]
    answer = while_waiting(
        session,
        lambda: rounds.log(session=session, number=2, events=_spin(5, (2, "black")), by=boss),
        lambda: _void(house, zero),
    )
    assert [event["e"] for event in answer.log] == ["bet", "close", "spin"]
    assert list(trail_faults(house.casino)) == []


@pytest.mark.rule("REC-07")
def test_what_the_round_before_handed_on_is_there_again_for_the_next(house: House) -> None:
    session, boss = _wheel(house), house.by(Role.PIT_BOSS)
    rounds.log(session=session, number=1, events=_spin(0, (1, "red")), by=boss)
    freed = rounds.log(session=session, number=2, events=_spin(1), by=boss)
    answer = while_waiting(
        session,
        lambda: rounds.play(session=session, number=3, step=0, events=_spin(5, (2, "black"))[:1], by=boss),
        lambda: _void(house, freed),
    )
    assert [event["e"] for event in answer.log] == ["prison", "bet"]
    assert list(trail_faults(house.casino)) == []
