"""Which tables feed a pool, what may be bet at them, and when one may leave."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel import clock
from casino.kernel.permissions import Role
from jackpots import credits, members, pools
from jackpots.models import Pool, PoolTable
from tables import rounds
from tables.games import registry
from tables.games.base import Detail
from tests.builders import BOB, House
from tests.games.house_poker import building as hp
from tests.jackpots.builders import GAME, a_pool
from tests.jackpots.test_pools import code_of, new_pool, refused
from tests.tables.every_game import a_table


@pytest.mark.rule("PP-02", "PP-05", "PP-06")
def test_which_tables_feed_a_pool(house: House) -> None:
    night = a_pool(house)
    assert night.sessions[0].last_at <= PoolTable.objects.get(table=night.tables[0]).during.lower
    night.sessions[0].refresh_from_db()
    assert night.sessions[0].last_at >= PoolTable.objects.get(table=night.tables[0]).during.lower
    by = night.by(reason="mesa")

    def link(table: Any, pool: Pool | None = None) -> Any:
        return lambda: members.link_table(pool=pool or night.pool, table=table, by=by)

    assert code_of(link(house.table())) == ("not_a_pool_game", "PP-05")
    loose = a_table(house, registry.game(GAME), Detail.RESULT)
    assert code_of(link(loose)) == ("not_logged_in_full", "PP-02")
    assert code_of(link(night.tables[0], new_pool(house))) == ("table_linked", "PP-06")
    assert members.unreported(night.pool)


@pytest.mark.rule("PP-06", "PP-09")
def test_a_table_that_left_takes_no_bet(house: House) -> None:
    night = a_pool(house)
    night.buy(0, 2)
    member = PoolTable.objects.get(table=night.tables[0])

    def unlink() -> PoolTable:
        with night.now():
            return members.unlink_table(member=member, by=night.by(reason="se retira"))

    assert code_of(unlink) == ("credits_left", "PP-09")
    credits.return_credits(session=night.sessions[0], seat=2, credits=10, by=night.by())
    unlink()
    assert code_of(unlink) == ("not_linked", "PP-06")
    assert code_of(lambda: night.bet(0, 2)) == ("no_pool", "PP-06")
    assert code_of(lambda: night.buy(0, 2)) == ("no_pool", "PP-06")


@pytest.mark.rule("PP-06")
def test_a_table_does_not_leave_before_it_came(house: House) -> None:
    night = a_pool(house)
    member = PoolTable.objects.get(table=night.tables[0])
    earlier = house.by(Role.PIT_BOSS, member.during.lower, "reloj atrasado")
    with clock.standing_at(member.during.lower):
        early = refused(lambda: members.unlink_table(member=member, by=earlier))
    assert early.code == "occurred_out_of_order"


@pytest.mark.rule("PP-10", "PP-32")
def test_no_pool_is_suspended_under_a_bet_whose_round_is_played(house: House) -> None:
    night = a_pool(house)
    night.buy(0, 2)
    night.bet(0, 2)
    given = {"session": night.sessions[0], "number": 1}
    opened = rounds.play(**given, step=0, events=[hp.bet(2, "ante", 10 * BOB), hp.CLOSE], by=night.by())

    def suspend() -> Pool:
        with night.now():
            return pools.suspend(pool=night.pool, with_=night.other(), by=night.by(reason="cambio"))

    assert code_of(suspend) == ("bets_locked", "PP-10")
    rounds.abandon(**given, step=len(opened.log), by=night.by(reason="mal reparto"))
    assert suspend().state == "suspended"


@pytest.mark.rule("PP-09", "PP-12", "PP-13")
def test_what_a_bet_may_be(house: House) -> None:
    night = a_pool(house)
    night.buy(0, 2, 3)
    assert code_of(lambda: night.bet(0, 2, 0)) == ("outside_limits", "PP-13")
    assert code_of(lambda: night.bet(0, 2, 5)) == ("outside_limits", "PP-13")
    assert code_of(lambda: night.bet(0, 2, 4)) == ("no_credits", "PP-09")
    assert code_of(lambda: night.bet(0, 3, 1)) == ("no_credits", "PP-09")
    assert refused(lambda: night.bet(0, 99)).code == "bad_seat"
    assert night.bet(0, 2, 3).amount == 15 * BOB
    assert code_of(lambda: night.bet(0, 2, 1)) == ("bet_there", "PP-13")
