"""What a review of the pools found: money that got stuck, parameters that changed under a bet, tables that
changed under a pool."""

from __future__ import annotations

import datetime as dt

import pytest

from casino.kernel.permissions import Role
from jackpots import members, pools, prizes, proofs, proving, reading, versions
from jackpots.models import Bet, Proof
from tables import settings
from tests.builders import BOB, NIGHT, House
from tests.games.house_poker import building as hp
from tests.jackpots.builders import (
    FLUSH,
    HOUSE,
    NOTHING,
    PARAMS,
    ROYAL,
    ROYAL2,
    PoolNight,
    a_pool,
    an_approved_version,
)
from tests.tables.refusing import refused


def suspended(night: PoolNight) -> None:
    with night.now():
        pools.suspend(pool=night.pool, with_=night.other(Role.ADMINISTRATOR), by=night.by(reason="cambio"))


def started(night: PoolNight) -> None:
    with night.now():
        pools.start(pool=night.pool, with_=night.other(), by=night.by(reason="cambio"))


@pytest.mark.rule("PP-30", "PP-12")
def test_no_parameters_begin_under_a_bet_or_under_credits_of_another_value(house: House) -> None:
    night = a_pool(house)
    night.buy(0, 2)
    night.bet(0, 2)
    suspended(night)
    with night.now():
        an_approved_version(house, night.pool, {"credit": 7 * BOB})
    with refused("bets_waiting", "PP-30"):
        started(night)
    night.play(0, {2: NOTHING, 4: "Qc Td 8h 6s 3d"})  # the pool stands: the bet goes back to its meter
    assert Bet.objects.get().state == Bet.State.RETURNED
    with refused("bets_waiting", "PP-30"):
        started(night)  # credits of 5.00 are on the meter, and one would be 7.00


@pytest.mark.rule("PP-29")
def test_a_cap_below_what_is_shown_does_not_begin(house: House) -> None:
    night = a_pool(house)
    suspended(night)
    level = {"code": "main", "share_bp": 8_000, "base": 100 * BOB, "cap": 500 * BOB}
    with night.now():
        an_approved_version(house, night.pool, {"levels": [level]})
    with refused("cap_below_meter", "PP-29"):
        started(night)


@pytest.mark.rule("PP-05")
def test_a_table_of_a_pool_keeps_its_game_and_logs_its_bets(house: House) -> None:
    night = a_pool(house)
    session = night.sessions[0]
    house.close(session, {100 * BOB: 1}, at=night.by().occurred_at)
    by = house.by(Role.ADMINISTRATOR, NIGHT, "otro juego")
    about = {"name": night.tables[0].name, "pit": night.tables[0].pit, "seats": 7}
    for game, detail in (("poker.three_card", "full"), ("poker.caribbean", "cards")):
        with refused("table_linked", "PP-05"):
            settings.set_table(**about, game=game, detail=detail, table=night.tables[0], by=by)


@pytest.mark.rule("PP-06")
def test_the_tables_reported_are_those_of_the_last_notice_handed_in(house: House) -> None:
    night = a_pool(house)
    assert members.unreported(night.pool)


def test_a_second_royal_on_an_empty_meter_is_a_prize_of_nothing(house: House) -> None:
    """Base 0, one after the other: the first takes the 6.12 of two bets less commission; the second finds 0.

    Two bets of 5.00: 10 % commission is 1.00; of 9.00 the level has 80 %, 7.20.
    """
    level = {"code": "main", "share_bp": 8_000, "base": 0, "cap": None}
    night = a_pool(house, params={"levels": [level], "policy": "sequential"})
    for seat in (2, 5):
        night.buy(0, seat)
        night.bet(0, seat)
    night.play(0, {2: ROYAL, 5: ROYAL2}, house="Ac Ad 4d 3d 2c")
    assert [(prize.seat, prize.amount) for prize in night.prizes()] == [(5, 720), (2, 0)]


def test_a_dead_hand_gets_its_progressive_bet_back(house: House) -> None:
    """REG-019, case 1: six cards at seat 2 kill that hand; its stake goes back, and so does its bet."""
    night = a_pool(house)
    for seat in (2, 4):
        night.buy(0, seat)
        night.bet(0, seat)
    antes = [hp.bet(seat, "ante", 10 * BOB) for seat in (2, 4)]
    dealt = hp.deal(dict.fromkeys((2, 4), hp.COVERED5), hp.COVERED5)
    rest = [hp.misdeal(2, 6), hp.choice(4, "bet"), hp.show_dealer(HOUSE), hp.show(4, NOTHING)]
    house.log(night.sessions[0], [*antes, hp.CLOSE, *dealt, *rest], at=night.by().occurred_at)
    states = dict(Bet.objects.values_list("seat", "state"))
    assert states == {2: "returned", 4: "counted"}


def test_the_parameters_of_the_tests_are_whole() -> None:
    assert versions.scheme.read(PARAMS).numerators() == {
        "commission": 10_000_000, "main": 72_000_000, "reserve": 18_000_000,
    }  # fmt: skip


@pytest.mark.rule("PP-31", "REC-08")
def test_no_prize_is_decided_before_it_was_hit(house: House) -> None:
    night = a_pool(house)
    night.buy(0, 2)
    night.bet(0, 2)
    night.play(0, {2: FLUSH, 4: "Qc Td 8d 6s 3d"}, house="8c 7d 4d 3s 2c")
    (prize,) = night.prizes()
    early = prize.hit_at - dt.timedelta(days=2)
    with refused("occurred_out_of_order"):
        prizes.check_prize(prize=prize, by=house.by(Role.COMPLIANCE, early))
    with refused("occurred_out_of_order"):
        by = house.by(Role.COMPLIANCE, early, "no era color")
        prizes.reject_prize(prize=prize, with_=night.other(Role.CAGE), by=by)
    prize.refresh_from_db()
    assert prize.state == "pending"


@pytest.mark.rule("PP-29")
def test_a_reason_that_says_nothing_excuses_no_lower_reading(house: House) -> None:
    night = a_pool(house)
    reading.read_meter(pool=night.pool, amount=1_000 * BOB, by=night.by(Role.COMPLIANCE))
    with refused("reading_lower", "PP-29"):
        reading.read_meter(pool=night.pool, amount=999 * BOB, by=night.by(Role.COMPLIANCE, " \u200b "))


@pytest.mark.rule("PP-28")
def test_a_proof_that_claims_to_have_seen_more_than_it_told_is_named(house: House) -> None:
    night = a_pool(house)
    night.buy(0, 2)
    night.bet(0, 2)
    night.play(0, {2: NOTHING, 4: "Qc Td 8h 6s 3d"})
    day = night.sessions[0].day.date
    proving.prove(pool=night.pool, day=day, by=night.by(Role.COMPLIANCE))
    assert list(proofs.told_faults(house.casino)) == []
    Proof.objects.update(seen=10**9)
    assert ["seen" in fault.words.en for fault in proofs.told_faults(house.casino)] == [True]
