"""A round's progressive bets: into commission and funds, prizes out of them, back again when it is voided."""

from __future__ import annotations

import pytest

from audits import ledger
from jackpots.models import Bet
from tests.builders import BOB, House
from tests.jackpots.builders import FLUSH, NOTHING, ROYAL, ROYAL2, STRAIGHT_FLUSH, PoolNight, a_pool


def held(night: PoolNight, code: str) -> int:
    return ledger.balance(night.house.casino, code)


@pytest.mark.rule("PP-18", "PP-21", "PP-28")
def test_a_bet_is_commission_main_and_reserve(house: House) -> None:
    """5.00: commission 0.50; of 4.50 main 3.60 and reserve 0.90."""
    night = a_pool(house)
    night.buy(0, 2)
    night.bet(0, 2)
    night.play(0, {2: NOTHING, 4: "Qc Td 8h 6s 3d"})
    pool, session = night.pool, night.sessions[0]
    assert night.funds() == {"main": (360, 1_000 * BOB), "reserve": (90, 0)}
    assert held(night, pool.commission_account) == 50
    assert held(night, f"pool:{pool.pk}:main") == 360
    assert held(night, f"pool:{pool.pk}:residue") == 0
    assert held(night, f"credits:{session.pk}") == 45 * BOB
    bet = Bet.objects.get()
    assert (bet.state, bet.serial, bet.total) == ("counted", 1, 500)


@pytest.mark.rule("PP-02", "PP-15", "PP-33")
def test_a_royal_flush_takes_the_meter_and_it_restarts_at_its_base(house: House) -> None:
    """Meter 1,000.00 + 3.60; the base comes back: 0.90 of the reserve, 999.10 of the house."""
    night = a_pool(house)
    night.buy(0, 2)
    night.bet(0, 2)
    night.play(0, {2: ROYAL, 4: NOTHING}, house="Ac Ad Ah 3d 2c")
    (prize,) = night.prizes()
    assert (prize.before, prize.amount, prize.after) == (100_360, 100_360, 100_000)
    assert night.funds() == {"main": (90, 99_910), "reserve": (0, 0)}
    assert held(night, f"pool:{night.pool.pk}:pending") == 100_360


@pytest.mark.rule("PP-17")
def test_two_royals_share_and_the_lower_percentage_goes_first(house: House) -> None:
    """Seat 1 straight flush: 10 % of 1,010.80 = 101.08; royals share 909.72: 454.86 each."""
    night = a_pool(house)
    for seat in (1, 2, 5):
        night.buy(0, seat)
        night.bet(0, seat)
    night.play(0, {1: STRAIGHT_FLUSH, 2: ROYAL, 5: ROYAL2}, house="Ac Ad 4d 3d 2c")
    assert [(p.seat, p.before, p.amount) for p in night.prizes()] == [
        (1, 101_080, 10_108), (5, 90_972, 45_486), (2, 45_486, 45_486),
    ]  # fmt: skip
    assert night.shown() == 1_000 * BOB


@pytest.mark.rule("PP-16")
def test_a_flush_is_fifty_times_the_bet(house: House) -> None:
    """Two credits of 5.00: 50 x 10.00."""
    night = a_pool(house)
    night.buy(0, 3)
    night.bet(0, 3, 2)
    night.play(0, {3: FLUSH})
    (prize,) = night.prizes()
    assert prize.amount == 50 * 10 * BOB


@pytest.mark.rule("PP-07", "PP-01")
def test_the_base_game_is_settled_as_without_a_pool(house: House) -> None:
    """Seat 3 with a flush: ANTE 10 and BET 20 come out the same with 5.00 bet on the pool and without."""
    night = a_pool(house)
    plain = night.play(0, {3: FLUSH})
    night.buy(0, 3)
    night.bet(0, 3)
    with_bet = night.play(0, {3: FLUSH.replace("9h", "Th")})
    paid = [
        sorted(one.bets.values_list("seat", "spot", "stake", "returned", "commission"))
        for one in (plain, with_bet)
    ]
    assert paid[0] == paid[1] and len(paid[0]) == 2
    assert len(night.prizes()) == 1
