"""What a table asks of its pool as it opens, sells credits and closes; a misdeal at the dealer (REG-019)."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from jackpots import barring, betting, credits, members, pools
from jackpots import filings as asked
from jackpots.models import Bet, SeatCredits
from tables import preflight
from tables.models import ExclusionMatch, Round
from tests.builders import BOB, FLOAT, House
from tests.games.house_poker import building as hp
from tests.guests.builders import excluded, guest, sit
from tests.jackpots.builders import FLUSH, PoolNight, a_pool, approved_filing


def refused(act: Any) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def close(night: PoolNight) -> Any:
    return night.house.close(night.sessions[0], FLOAT, at=night.by().occurred_at)


# ---- closing -------------------------------------------------------------------------------------------


@pytest.mark.rule("PP-09")
def test_no_table_closes_with_credits_or_bets(house: House) -> None:
    night = a_pool(house)
    night.buy(0, 2)
    bet = night.bet(0, 2)
    waiting = refused(lambda: close(night))
    assert (waiting.code, waiting.rule) == ("bets_waiting", "PP-09")
    more = refused(
        lambda: credits.return_credits(session=night.sessions[0], seat=2, credits=10, by=night.by())
    )
    assert (more.code, more.rule) == ("no_credits", "PP-09")
    betting.cancel_bet(bet=bet, by=night.by())
    left = refused(lambda: close(night))
    assert (left.code, left.rule) == ("credits_left", "PP-09")
    assert "2" in left.message.es
    credits.return_credits(session=night.sessions[0], seat=2, credits=10, by=night.by())
    assert close(night).state == "closed"
    assert SeatCredits.objects.get(seat=2).amount == 0


@pytest.mark.rule("PP-09", "PP-11")
def test_chips_in_a_slot_for_a_round_that_never_came_go_back(house: House) -> None:
    night = a_pool(house, form="chips")
    assert refused(lambda: night.buy(0, 2)).code == "chip_slot"
    bet = night.bet(0, 2)
    assert close(night).state == "closed"
    bet.refresh_from_db()
    assert bet.state == "returned"
    assert night.funds()["main"] == (0, 1_000 * BOB)


# ---- opening -------------------------------------------------------------------------------------------


@pytest.mark.rule("PP-06")
def test_a_pool_that_stands_or_was_not_reported_is_amber_before_opening(house: House) -> None:
    night = a_pool(house)
    table = night.tables[0]

    def said() -> dict[str, str]:
        found = preflight.check(table, night.by().occurred_at)
        return {one.code: one.level.value for one in found if one.code.startswith("pools")}

    assert members.unreported(night.pool)
    assert said() == {"pools_reported": "amber"}
    approved_filing(house, asked.TABLES, asked.about_pool(night.pool))
    assert said() == {"pools": "green"}
    with night.now():
        pools.suspend(pool=night.pool, with_=night.other(), by=night.by(reason="cambio de cifras"))
    assert said() == {"pools": "amber"}
    assert [one.rule for one in preflight.check(table, night.clock) if one.code == "pools"] == ["PP-06"]
    other = house.table()
    assert {one.code: one.level.value for one in preflight.check(other, night.clock)}["pools"] == "green"


# ---- credits -------------------------------------------------------------------------------------------


@pytest.mark.rule("GEN-11")
def test_no_credits_for_somebody_excluded_since_they_sat_down(house: House) -> None:
    night = a_pool(house)
    who = guest(house)
    sit(house, night.sessions[0], 2, who, at=night.by().occurred_at)
    night.buy(0, 2)
    about = {"document_type": who.document_type, "country": "BO", "number": who.number}
    excluded(house, night.by().occurred_at, **about)
    with pytest.raises(barring.CreditsRefused) as found:
        night.buy(0, 2)
    assert (found.value.code, found.value.rule) == ("guest_excluded", "GEN-11")
    before = ExclusionMatch.objects.count()
    found.value.remember()
    assert ExclusionMatch.objects.count() >= before
    assert night.buy(0, 3).amount == 50 * BOB


@pytest.mark.rule("GEN-11", "PP-11")
def test_a_slot_takes_no_chips_of_somebody_excluded(house: House) -> None:
    night = a_pool(house, form="chips")
    who = guest(house)
    sit(house, night.sessions[0], 2, who, at=night.by().occurred_at)
    excluded(house, night.by().occurred_at, document_type=who.document_type, country="BO", number=who.number)
    with pytest.raises(barring.CreditsRefused) as found:
        night.bet(0, 2)
    assert (found.value.code, found.value.rule) == ("guest_excluded", "GEN-11")
    assert not Bet.objects.exists()
    assert night.bet(0, 3).amount == 5 * BOB


# ---- a misdeal -----------------------------------------------------------------------------------------


@pytest.mark.rule("PP-02", "GEN-08")
def test_reg_019_the_dealer_has_four_cards_and_the_hands_count_for_the_pool(house: House) -> None:
    """REG-019, case 2: all antes go back; S2's flush of a bet of 5.00 wins 250.00 of the pool."""
    night = a_pool(house)
    for seat in (1, 2):
        night.buy(0, seat)
        night.bet(0, seat)
    bets = [hp.bet(1, "ante", 10 * BOB), hp.bet(2, "ante", 10 * BOB)]
    dealt = hp.deal({1: hp.COVERED5, 2: hp.COVERED5}, hp.COVERED5)
    rest = [hp.dealer_has(4), hp.show(2, FLUSH)]
    done = house.log(night.sessions[0], [*bets, hp.CLOSE, *dealt, *rest], at=night.by().occurred_at)
    assert (done.state, done.winner) == (Round.State.SETTLED, "misdeal")
    assert done.staked == done.returned == 20 * BOB
    (prize,) = night.prizes()
    assert (prize.seat, prize.hand, prize.amount) == (2, "flush", 250 * BOB)
    assert Bet.objects.filter(state="counted").count() == 2
    assert night.house.users[Role.PIT_BOSS].actor.pk == prize.noted_by_id
