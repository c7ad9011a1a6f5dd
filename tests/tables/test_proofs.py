"""Whoever writes past the triggers is found out: every stored figure is held against the trail and the books.

One night, made once; each case changes one thing in it as someone who owns the server could, and is undone.
"""
# ruff: noqa: E501  (statements read better whole)

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction

from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from casino.models import Casino
from tables import inforce, replay, rounds, sessions
from tables.models import Round
from tests.builders import BOB, CLOSING_TIME, FLOAT, NATURAL, NIGHT, a_house, bets, cards
from tests.tables.tampering import UNNOTICED

pytestmark = pytest.mark.rule("REC-06")
MINUTE = dt.timedelta(minutes=1)
Night = SimpleNamespace

BANCA_WINS = cards("6d Kh", "5c 2s")


@pytest.fixture(scope="module")
def night(django_db_setup: None, django_db_blocker: Any) -> Iterator[Night]:
    with django_db_blocker.unblock():
        block = transaction.atomic()
        block._from_testcase = True  # type: ignore[attr-defined]  # commands may be durable inside it
        with block:
            yield _a_night()
            transaction.set_rollback(True)


def _a_night() -> Night:
    house = a_house()
    boss = lambda minute, why="": house.by(Role.PIT_BOSS, NIGHT + minute * MINUTE, why)  # noqa: E731
    closed = house.open_table(detail="full")
    first = house.log(closed, [*bets((1, "punto", 100), (2, "banca", 50)), *NATURAL], at=NIGHT + MINUTE)
    other = house.log(closed, [*bets((2, "banca", 200)), *BANCA_WINS], at=NIGHT + 2 * MINUTE)
    twice = house.log(closed, [*bets((2, "banca", 200)), *BANCA_WINS], at=NIGHT + 3 * MINUTE)
    rounds.void(
        round=twice,
        approved_by=house.users[Role.SUPERVISOR].actor,
        cards_came_out=False,
        by=boss(4, "se registró dos veces"),
    )
    relief = house.by(Role.SUPERVISOR, NIGHT + 5 * MINUTE)
    sessions.relieve(session=closed, staff=house.dealers[2], post="dealer", by=relief)
    stepped = rounds.play(session=closed, number=4, step=0, events=bets((3, "punto", 50)), by=boss(6))
    rounds.play(session=closed, number=4, step=2, events=cards("4h 3h", "2d 5h")[:2], by=boss(7))
    rounds.play(session=closed, number=4, step=4, events=cards("4h 3h", "2d 5h")[2:], by=boss(7))
    rounds.settle(session=closed, number=4, step=6, by=boss(8))
    misdeal = rounds.play(session=closed, number=5, step=0, events=bets((3, "punto", 50)), by=boss(9))
    rounds.abandon(session=closed, number=5, step=2, by=boss(10, "cartas boca arriba"))
    # Punto wins 100, loses 50; banca wins 200 less 10: the house is down 240 with 10 of commission; the
    # stake of the tie (7 to 7) stands.
    closed = house.close(closed, FLOAT, at=CLOSING_TIME)
    closed = house.count_out(closed, 300 * BOB, at=CLOSING_TIME + MINUTE)

    house.supervisors.append(house.person(supervises=True))
    playing = house.open_table(dealer=1, supervisor=1, at=NIGHT)
    opened = rounds.play(session=playing, number=1, step=0, events=NATURAL[:3], by=boss(11))
    told = house.open_table(dealer=0, supervisor=2, detail="result", at=CLOSING_TIME + 2 * MINUTE)
    house.log(
        told, [{"e": "result", "winner": "punto", "punto": 9, "banca": 7}], at=CLOSING_TIME + 3 * MINUTE
    )
    idle, spare = house.person(), house.table(detail="full")
    with connection.cursor() as cursor:  # as at commit
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    return SimpleNamespace(
        casino=house.casino, house=house, first=first, other=other, twice=twice, stepped=stepped,
        misdeal=misdeal, closed=closed, playing=playing, opened=opened, told=told,
        idle=idle, spare=spare,
    )  # fmt: skip


@pytest.fixture
def tamper(night: Night) -> Iterator[Callable[..., None]]:
    """Run SQL with every trigger off; undone after the test."""

    def run(*statements: str) -> None:
        values = {
            "casino": night.casino.pk, "first": night.first.pk, "other": night.other.pk, "twice": night.twice.pk,
            "stepped": night.stepped.pk, "misdeal": night.misdeal.pk, "opened": night.opened.pk,
            "closed": night.closed.pk, "playing": night.playing.pk, "told": night.told.pk,
            "shoe": night.closed.shoe_id, "in_play": night.playing.shoe_id,
            "idle": night.idle.pk, "spare": night.spare.pk, "someone": night.house.dealers[1].pk, "boss": night.house.users[Role.PIT_BOSS].actor.pk,
            "cage": night.house.users[Role.CAGE].actor.pk,
        }  # fmt: skip
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for statement in statements:
                cursor.execute(statement.format(**values))
                assert cursor.rowcount, statement
            cursor.execute("SET LOCAL session_replication_role = origin")

    with transaction.atomic():
        yield run
        transaction.set_rollback(True)


def faults(casino: Casino) -> dict[str, str]:
    """Where -> what, of both proofs."""
    found: dict[str, str] = {}
    for proof in (trail_faults, ledger_faults):
        for fault in proof(casino):
            found[fault.where] = f"{found.get(fault.where, '')}; {fault.words.en}"
    return found


def test_an_honest_night_has_no_fault(night: Night) -> None:
    assert faults(night.casino) == {}
    assert list(replay.differences(Round.objects.filter(settlement__isnull=False))) == []


@pytest.mark.parametrize("name", UNNOTICED)
def test_what_was_changed_past_the_guards_is_named(
    night: Night, tamper: Callable[..., None], name: str
) -> None:
    statements, where, what = UNNOTICED[name]
    tamper(*statements)
    ids = {key: getattr(value, "pk", value) for key, value in vars(night).items()} | {
        "shoe": night.closed.shoe_id,
        "in_play": night.playing.shoe_id,
        "someone": night.house.dealers[1].pk,
    }
    where = where.format(**ids)
    found = faults(night.casino)
    named = [words for place, words in found.items() if place.startswith(where)]
    assert any(what in words for words in named), found


@pytest.mark.rule("REC-07")
def test_a_forged_round_put_in_by_the_front_door_is_named(night: Night) -> None:
    """With every trigger on: a settled round nobody logged, and the totals to match."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tables_round (casino_id, session_id, number, state, rules_id, limits_id, detail, shoe_id,"
            " dealer_id, log, settlement, winner, staked, returned, commission, opened_at, settled_at, recorded_at,"
            " logged_by_id, source_key, source_digest) SELECT casino_id, session_id, 2, state, rules_id, limits_id,"
            " detail, shoe_id, dealer_id, log, settlement, winner, staked, returned, commission, opened_at,"
            " settled_at, recorded_at, logged_by_id, source_key, source_digest"
            " FROM tables_round WHERE session_id = %s AND number = 1 RETURNING id",
            [night.told.pk],
        )
        (forged,) = cursor.fetchone()
        cursor.execute(
            "UPDATE tables_tablesession SET last_round = 2, rounds_settled = rounds_settled + 1 WHERE id = %s",
            [night.told.pk],
        )
        assert "event" in faults(night.casino)[f"round:{forged}"]
        transaction.set_rollback(True)


@pytest.mark.rule("GEN-06")
def test_replay_goes_on_past_forged_rules(night: Night, tamper: Callable[..., None]) -> None:
    tamper("UPDATE tables_gamerules SET params = '{{\"forged\": true}}' WHERE casino_id = {casino}")
    inforce.versions.cache_clear()
    chosen = Round.objects.filter(casino=night.casino, settlement__isnull=False)
    found = list(replay.differences(chosen))
    inforce.versions.cache_clear()
    assert {difference.round.pk for difference in found} == set(chosen.values_list("pk", flat=True))
    assert len(found) == 5
