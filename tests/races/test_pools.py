"""Pools under real threads and processes: proofs and hits at once, crossing transfers, a worker killed."""

from __future__ import annotations

import datetime as dt
import os
import signal
import subprocess
import sys
import time
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection, transaction

from audits import ledger
from audits.by import by_system
from audits.models import Event, Incident
from casino.kernel import clock
from casino.kernel.permissions import Role
from jackpots import betting, moving, pools, proofs, proving
from jackpots.models import Bet, Difference, Fund, Prize, Proof
from tests.builders import NIGHT, House
from tests.jackpots.builders import FLUSH, NOTHING, PoolNight, a_pool, an_approved_plan, round_of
from tests.jackpots.proof_nights import HIGH
from tests.races.racing import race

pytestmark = pytest.mark.race

DAY, MORNING = NIGHT.date(), NIGHT + dt.timedelta(hours=14)
CROSSINGS = 200


@pytest.fixture
def night(house: House) -> PoolNight:
    made = a_pool(house, tables=2)
    for table, seat in ((0, 2), (1, 3)):
        made.buy(table, seat, 20)
        made.bet(table, seat)
    return made


def prove(night: PoolNight) -> Proof:
    with clock.standing_at(MORNING):  # of this thread alone
        return proving.prove(pool=night.pool, day=DAY, by=by_system(night.house.casino, "pool-proof"))


@pytest.mark.rule("PP-28")
def test_two_proofs_at_once_are_one(night: PoolNight) -> None:
    night.play(0, {2: NOTHING, 4: HIGH})
    Fund.objects.filter(pool=night.pool, code="main").update(players=361)  # it may rise: 3.61 for 3.60
    prove_twice = race(*[lambda: prove(night)] * 4)
    assert {proof.pk for proof in prove_twice} == {Proof.objects.get().pk}
    assert Event.objects.filter(action="jackpots.pool.proved").count() == 1
    assert Difference.objects.count() == Incident.objects.count() == 1


@pytest.mark.rule("PP-31")
def test_two_hits_in_one_millisecond_have_one_order(night: PoolNight) -> None:
    """Each flush is 250.00 of a meter of 1,003.60 or so: the second finds what the first left."""
    at = night.by().occurred_at
    hands = [{2: FLUSH, 4: HIGH}, {3: FLUSH, 5: HIGH}]

    def hit(table: int) -> Any:
        return night.house.log(night.sessions[table], round_of(hands[table]), at=at)

    settled = race(*(lambda t=t: hit(t) for t in (0, 1)))
    assert all(getattr(one, "state", "") == "settled" for one in settled), settled
    first, second = Prize.objects.order_by("order")
    assert (first.order, second.order, first.number != second.number) == (1, 2, True)
    assert first.hit_at == second.hit_at
    assert [first.before, first.after] == [100_360, 75_360]
    assert [second.before, second.after] == [75_720, 50_720]
    assert sorted(Bet.objects.values_list("serial", "total")) == [(1, 500), (2, 1_000)]
    assert ledger.balance(night.house.casino, f"pool:{night.pool.pk}:pending") == 50_000
    assert [*proofs.told_faults(night.house.casino), *proofs.money_faults(night.house.casino)] == []


@pytest.mark.rule("PP-29")
def test_transfers_that_cross_never_wait_for_each_other(night: PoolNight) -> None:
    """DJA-026: A to B and B to A at once, two hundred times each way, each under a plan of its own: locked by
    ascending id, both always end."""
    night.play(0, {2: NOTHING, 4: HIGH})
    other = a_pool(night.house, name="Pozo vecino")
    other.buy(0, 2)
    other.bet(0, 2)
    other.play(0, {2: NOTHING, 4: HIGH})
    house = night.house
    with_ = house.users[Role.COMPLIANCE].actor
    betting.cancel_bet(bet=Bet.objects.get(state="placed"), by=night.by())
    for one, target in ((night, other.pool), (other, night.pool)):
        with one.now():
            pools.suspend(pool=one.pool, with_=with_, by=one.by(reason="cruces"))
        for _ in range(CROSSINGS):
            an_approved_plan(one, target, "main", 1)

    def send(origin: Any, target: Any) -> int:
        by = house.by(Role.PIT_BOSS, clock.now(), "prueba de cruces")
        for _ in range(CROSSINGS // 2):
            moving.transfer(pool=origin, to=target, fund="main", amount=1, with_=with_, by=by)
        return CROSSINGS // 2

    ways = [(night.pool, other.pool), (other.pool, night.pool)]
    assert race(*(lambda w=w: send(*w) for w in ways * 2)) == [CROSSINGS // 2] * 4
    assert [fund.players for fund in Fund.objects.filter(code="main").order_by("pool")] == [360, 360]
    assert list(proofs.money_faults(house.casino)) == []


_WORK = """
import sys, django
django.setup()
from casino.kernel import clock
from jackpots import tasks
import datetime as dt
with clock.standing_at(dt.datetime.fromisoformat(sys.argv[3])):
    tasks.prove_pool_day(int(sys.argv[1]), sys.argv[2])
"""


@pytest.mark.rule("PP-28")
def test_a_worker_killed_in_the_middle_leaves_nothing_and_the_next_proof_is_right(night: PoolNight) -> None:
    """It is stopped with its difference and incident written and not committed, and killed there."""
    night.play(0, {2: NOTHING, 4: HIGH})
    Fund.objects.filter(pool=night.pool, code="main").update(players=361)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT id FROM audits_stream WHERE name = %s FOR UPDATE", [night.pool.stream])
        worker = _worker(night)
        try:
            _wait_until_it_waits(cursor, worker)
        finally:
            os.kill(worker.pid, signal.SIGKILL)
            worker.wait()
    assert worker.returncode == -signal.SIGKILL
    assert not Proof.objects.exists() and not Difference.objects.exists() and not Incident.objects.exists()
    assert prove(night).state == "different"
    assert Difference.objects.get().place == "main"
    assert Incident.objects.count() == 1


def _worker(night: PoolNight) -> subprocess.Popen[bytes]:
    at = connection.settings_dict
    login = quote(at["USER"]) + (f":{quote(at['PASSWORD'])}" if at["PASSWORD"] else "")
    url = f"postgres://{login}@{quote(at['HOST'], safe='')}:{at['PORT'] or 5432}/{at['NAME']}"
    return subprocess.Popen(
        [sys.executable, "-c", _WORK, str(night.pool.pk), str(DAY), MORNING.isoformat()],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "casino.settings"},
    )


def _wait_until_it_waits(cursor: Any, worker: subprocess.Popen[bytes]) -> None:
    for _ in range(1_200):
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()"
        )
        if cursor.fetchone()[0]:
            return
        assert worker.poll() is None, "the worker ended before it was in the middle"
        time.sleep(0.05)
    raise AssertionError("the worker never came to the pool's trail")
