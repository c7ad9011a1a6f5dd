"""Prizes of one round hang together (PP-17), and those who decide on one are others than those who pay it."""

from __future__ import annotations

from typing import Any

import pytest

from audits.by import by_user
from audits.people import create_user
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from jackpots import claims, owing, prizes, proofs
from jackpots.models import Prize
from tables.models import Round
from tests.builders import BOB, FOUNDED, PASSWORD, House
from tests.jackpots.builders import (
    NOTHING,
    PARAMS,
    ROYAL,
    ROYAL2,
    STRAIGHT_FLUSH,
    STRAIGHT_FLUSH2,
    PoolNight,
    a_pool,
)
from tests.jackpots.test_voiding import void
from tests.jackpots.winning import WHO, a_prize, checked, pay
from tests.money.cage_building import a_cage

HIGH = "Ac Ad 4d 3h 2c"


def refused(act: Any) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def round_won(night: PoolNight, hands: dict[int, str]) -> list[Prize]:
    for seat in hands:
        night.buy(0, seat)
        night.bet(0, seat)
    night.play(0, hands, house=HIGH)
    return night.prizes()


def reject(night: PoolNight, prize: Prize) -> Prize:
    by = night.by(Role.SUPERVISOR, "no era escalera")
    return prizes.reject_prize(prize=prize, with_=night.other(), by=by)


@pytest.mark.rule("PP-17", "PP-31")
def test_none_is_paid_while_one_before_it_is_undecided(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    first, second = round_won(night, {2: STRAIGHT_FLUSH, 4: ROYAL})
    assert (first.hand, second.hand) == ("straight_flush", "royal_flush")
    checked(night, second)
    found = refused(lambda: pay(night, till, second))
    assert (found.code, found.rule) == ("earlier_open", "PP-17")
    checked(night, first)
    assert pay(night, till, second).state == "paid"
    assert pay(night, till, first).state == "paid"


@pytest.mark.rule("PP-17")
def test_one_whose_amount_hung_on_a_rejected_one_is_not_paid_as_it_stands(house: House) -> None:
    """Two bets: 1,007.20. The straight flush takes 100.72, the royal the rest, 906.48; had there been no
    straight flush it would have been 1,007.20."""
    night, till = a_pool(house), a_cage(house)
    first, second = round_won(night, {2: STRAIGHT_FLUSH, 4: ROYAL})
    assert (first.amount, second.amount) == (10_072, 90_648)
    reject(night, first)
    checked(night, second)
    found = refused(lambda: pay(night, till, second))
    assert (found.code, found.rule) == ("prize_changed", "PP-17")
    assert reject(night, second).state == "rejected"
    assert night.shown() == 100_720


@pytest.mark.rule("PP-17")
def test_equal_shares_hang_on_each_other(house: House) -> None:
    """10 % of 1,007.20 is 100.72, 50.36 each; alone either would have won all of it. So once the first is
    paid, the second is not rejected without a dispute."""
    night, till = a_pool(house), a_cage(house)
    first, second = round_won(night, {2: STRAIGHT_FLUSH, 4: STRAIGHT_FLUSH2})
    assert (first.amount, second.amount) == (5_036, 5_036)
    for prize in (first, second):
        checked(night, prize)
    pay(night, till, first)
    found = refused(lambda: reject(night, second))
    assert (found.code, found.rule) == ("shared_paid", "PP-17")


@pytest.mark.rule("PP-17")
def test_a_fixed_prize_does_not_hang_on_the_others(house: House) -> None:
    """Four of a kind: 500 times 5.00 whatever else is won."""
    level = {**PARAMS["levels"][0], "base": 10_000 * BOB}
    night, till = a_pool(house, params={"levels": [level]}), a_cage(house)
    first, second = round_won(night, {2: "Ts Th Td Tc 2s", 4: STRAIGHT_FLUSH})
    assert (first.hand, first.amount) == ("four_of_a_kind", 250_000)
    reject(night, second)
    checked(night, first)
    assert pay(night, till, first).state == "paid"


@pytest.mark.rule("PP-17")
def test_fixed_prizes_above_the_limit_of_a_round_hang_on_each_other(house: House) -> None:
    """Two fours of 2,500.00 each, no more than 3,000.00 a round: 1,500.00 each. Alone either is 2,500.00."""
    level = {**PARAMS["levels"][0], "base": 10_000 * BOB}
    night = a_pool(house, params={"levels": [level], "round_limit": 3_000 * BOB})
    till = a_cage(house)
    first, second = round_won(night, {2: "Ts Th Td Tc 2s", 4: "7s 7h 7d 7c 3s"})
    assert (first.amount, second.amount) == (150_000, 150_000)
    reject(night, first)
    checked(night, second)
    found = refused(lambda: pay(night, till, second))
    assert (found.code, found.rule) == ("prize_changed", "PP-17")


# ---- a prize of nothing --------------------------------------------------------------------------------


FOUR = "Ts Th Td Tc 2s"


@pytest.mark.rule("PP-17", "PP-31")
def test_a_winner_who_found_nothing_is_not_forgotten_once_the_one_before_is_no_prize(house: House) -> None:
    """500 times 5.00 is more than the 1,007.20 there are: the straight flush finds nothing. The four of a
    kind is not confirmed, so 10 % are due, 100.72, which the round logged again gives."""
    night = a_pool(house)
    four, flush = round_won(night, {2: FOUR, 4: STRAIGHT_FLUSH})
    assert [(one.hand, one.amount) for one in (four, flush)] == [
        ("four_of_a_kind", 250_000),
        ("straight_flush", 0),
    ]
    reject(night, four)
    found = refused(lambda: checked(night, flush))
    assert (found.code, found.rule) == ("prize_changed", "PP-17")
    assert [one.label for one in owing.owed(house.casino, night.clock)] == [flush.label]
    reject(night, flush)
    void(night, Round.objects.get(pk=flush.round_id))
    again = round_won(night, {2: NOTHING, 4: STRAIGHT_FLUSH})[-1]
    assert (again.hand, again.amount) == ("straight_flush", 10_072)
    assert [*proofs.told_faults(house.casino), *proofs.money_faults(house.casino)] == []


@pytest.mark.rule("PP-17", "PP-31")
def test_a_prize_of_nothing_is_over_once_verified_after_the_one_before_is_paid(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    four, flush = round_won(night, {2: FOUR, 4: STRAIGHT_FLUSH})
    checked(night, four)
    early = refused(lambda: checked(night, flush))
    assert (early.code, early.rule) == ("earlier_open", "PP-17")
    pay(night, till, four)
    assert prizes.check_prize(prize=flush, by=night.by(Role.COMPLIANCE)).state == "verified"
    none = refused(lambda: pay(night, till, flush))
    assert (none.code, none.rule) == ("nothing_to_pay", "PP-31")
    about = {"session": night.sessions[0], "round": 1, "seat": 4, "hand": "straight_flush"}
    assert refused(lambda: claims.claim(**about)).code == "nothing_won"
    assert owing.owed(house.casino, night.clock) == []
    assert not Prize.objects.filter(Prize.OPEN, pool=night.pool).exists()
    assert [*proofs.told_faults(house.casino), *proofs.money_faults(house.casino)] == []


@pytest.mark.rule("PP-31", "PP-33")
def test_a_top_prize_of_nothing_brings_the_level_back_to_its_base(house: House) -> None:
    level = {**PARAMS["levels"][0], "base": 10 * BOB}
    night, till = a_pool(house, params={"levels": [level]}), a_cage(house)
    four, royal = round_won(night, {2: "7s 7h 7d 7c 2s", 4: ROYAL2})
    assert (royal.hand, royal.amount, night.shown()) == ("royal_flush", 0, 10 * BOB)
    checked(night, four)
    pay(night, till, four)
    assert checked(night, royal).state == "verified"
    assert owing.owed(house.casino, night.clock) == []


# ---- who decides, who pays -----------------------------------------------------------------------------


@pytest.mark.rule("PP-31")
def test_who_verified_does_not_pay_and_the_cage_does_not_verify_alone(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    second = create_user(
        username=f"{house.casino.code}-k2", name="Otra caja", password=PASSWORD, roles=[Role.CAGE],
        by=house.by(Role.ADMINISTRATOR, FOUNDED, "alta"),
    )  # fmt: skip
    prizes.check_prize(prize=prize, by=night.by(Role.CAGE), **WHO)
    alone = refused(
        lambda: prizes.check_prize(prize=prize, by=by_user(second, occurred_at=night.by().occurred_at))
    )
    assert (alone.code, alone.rule) == ("same_department", "PP-31")
    denied = refused(
        lambda: prizes.reject_prize(prize=prize, with_=second.actor, by=night.by(Role.CAGE, "no era"))
    )
    assert (denied.code, denied.rule) == ("same_department", "PP-31")
    assert prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR)).state == "verified"
    own = refused(lambda: pay(night, till, prize))
    assert (own.code, own.rule) == ("own_check", "PP-31")


@pytest.mark.rule("PP-31")
def test_nothing_is_verified_without_a_name(house: House) -> None:
    night = a_pool(house)
    prize = a_prize(night)
    prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR))
    found = refused(lambda: prizes.check_prize(prize=prize, by=night.by(Role.COMPLIANCE)))
    assert (found.code, found.field) == ("winner_missing", "winner")
    assert prizes.check_prize(prize=prize, by=night.by(Role.COMPLIANCE), **WHO).state == "verified"
