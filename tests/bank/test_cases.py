"""The `bank_auction` cases, by their ids: amounts are the cases', in bolivianos at our tables."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from casino.kernel.errors import SabotError
from casino.kernel.money import parse
from tables.bank import aside, bidding, handing, opening, passing
from tables.bank.bidding import Ground, Offer
from tables.models import SeatTaking
from tests.bank.builders import BANCA_WINS, PUNTO_WINS, bank_table
from tests.builders import BOB, House
from tests.tables.refusing import refused

SECOND = dt.timedelta(seconds=1)
CLOSES = dt.datetime(2026, 11, 20, 20, 0, tzinfo=dt.UTC)
BEFORE = CLOSES - 30 * SECOND


def ground(**about: Any) -> Ground:
    usual: dict[str, Any] = {
        "sealed": False,
        "minimum": 100,
        "increment": 5,
        "most": 10**9,
        "chip": 5,
        "closes_at": CLOSES,
        "window": 0 * SECOND,
        "extension": 0 * SECOND,
    }
    return Ground(**(usual | about))


def answered(
    found: Ground, offers: list[Offer], amount: int, at: dt.datetime = BEFORE, taking: int = 1
) -> str:
    """`ok`, or the code of the refusal."""
    try:
        bidding.judge(found, offers, taking=taking, amount=amount, at=at)
    except SabotError as refusal:
        return refusal.code
    return "ok"


@pytest.mark.rule("BANK-14")
@pytest.mark.parametrize(("won", "allowed"), [(249, False), (250, False), (251, True)])
def test_reg_015_winnings_leave_play_above_fifty_minimums(won: int, allowed: bool) -> None:
    """REG-015: minimum 5, threshold 50 x 5 = 250, strictly above. A Spanish rule: off unless published."""
    assert aside.may_set_aside(won, 5, 50) is allowed
    assert not aside.may_set_aside(won, 5, 0)


@pytest.mark.rule("BANK-14")
def test_reg_015_at_a_table_that_has_the_rule(house: House) -> None:
    """Minimum 10, 50 x 10 = 500. Won 400 less 20: 380, not yet. Then 150 less 7,50, in whole bolivianos 8:
    142, so 522 in all, of which any part may be set aside, and what was put in never."""
    table = bank_table(house, 1, 5, rules={"set_aside_minimums": 50})
    bank = table.open(5, 400 * BOB)
    table.play(BANCA_WINS, {1: 400 * BOB})
    with refused("not_set_aside", "BANK-14"):
        aside.set_aside(bank=bank, amount=100 * BOB, by=table.by())
    table.play(BANCA_WINS, {1: 150 * BOB})
    with refused("not_set_aside", "BANK-14"):
        aside.set_aside(bank=bank, amount=523 * BOB, by=table.by())
    aside.set_aside(bank=bank, amount=500 * BOB, by=table.by())
    bank.refresh_from_db()
    assert (bank.amount, bank.aside, table.held(bank)) == (422 * BOB, 500 * BOB, 422 * BOB)


@pytest.mark.rule("BANK-26")
def test_auc_001_of_two_equal_bids_one_is_taken() -> None:
    """AUC-001: highest 900, A and B bid 1000: one is accepted, the other too low. (In parallel:
    tests/races.)
    """
    offers = [Offer(1, 9, 9, 900, BEFORE)]
    assert answered(ground(), offers, 1_000, taking=1) == "ok"
    offers.append(Offer(2, 1, 1, 1_000, BEFORE))
    assert answered(ground(), offers, 1_000, taking=2) == "bid_too_low"
    assert [offer.amount for offer in bidding.leading(offers)] == [1_000]


@pytest.mark.rule("BANK-09")
def test_auc_003_a_broken_bank_is_taken_again_for_the_first_deposit_at_least(house: House) -> None:
    """AUC-003: 600 put in, nothing left; 599 is refused, 600 accepted (a tenth of the case's amounts: the
    table's most is 1.000). Here once nobody else wants it, by AJ's order of steps (BANK-25)."""
    table = bank_table(house, 1, 5)
    bank = table.open(5, 600 * BOB)
    table.play(PUNTO_WINS, {1: 600 * BOB})
    bank.refresh_from_db()
    assert (bank.ending, bank.left_with, table.held(bank)) == ("exhausted", 0, 0)
    passage = table.passage()
    passing.decline_bank(passage=passage, taking=table.at(1), by=table.by())
    with refused("below_what_was_left", "BANK-09"):
        passing.take_bank(passage=passage, taking=table.at(5), amount=599 * BOB, by=table.by())
    passing.take_bank(passage=passage, taking=table.at(5), amount=600 * BOB, by=table.by())
    again = table.bank()
    assert again is not None and (again.how, again.amount) == ("retake", 600 * BOB)


@pytest.mark.rule("BANK-28", "BANK-15")
def test_auc_004_who_withdraws_winning_is_barred_for_the_shoe_where_the_house_says_so(house: House) -> None:
    """AUC-004: same shoe refused, next shoe allowed, withdrawal before the first coup refused."""
    table = bank_table(house, 1, 5, rules={"retired_banker_barred_same_shoe": True})
    bank = table.open(5, 100 * BOB)
    with refused("must_deal", "BANK-15"):
        handing.pass_bank(bank=bank, by=table.by())
    table.play(BANCA_WINS, {1: 10 * BOB})
    passage = handing.pass_bank(bank=bank, by=table.by())
    passing.take_bank(passage=passage, taking=table.at(1), amount=110 * BOB, by=table.by())
    table.play(PUNTO_WINS, {5: 10 * BOB})
    # 5 is the only other player and is not asked in this shoe: it is at once 1's to retake.
    following = table.passage()
    assert (following.step, [place.seat for place in table.asked(following)]) == ("retake", [1])
    # A new shoe: 1 retakes it and loses again, and 5 is asked.
    shoe = table.session.shoe
    assert shoe is not None
    type(shoe).objects.filter(pk=shoe.pk).update(played_at=table.clock)
    table.session.refresh_from_db()
    passing.take_bank(passage=following, taking=table.at(1), amount=110 * BOB, by=table.by())
    table.play(PUNTO_WINS, {5: 10 * BOB})
    after = table.passage()
    assert (after.step, [place.seat for place in table.asked(after)]) == ("rotation", [5])
    passing.take_bank(passage=after, taking=table.at(5), amount=10 * BOB, by=table.by())


@pytest.mark.rule("BANK-10")
def test_auc_005_only_the_servers_clock_counts() -> None:
    """AUC-005: closes at 20:00:00.000. Received at 20:00:00.150: closed, though sent before by the tablet's
    clock. Received at 19:59:58.000 from a tablet five seconds fast: accepted, and the winner of 1050."""
    late = CLOSES + dt.timedelta(milliseconds=150)
    early = CLOSES - 2 * SECOND
    assert answered(ground(), [], 1_100, late) == "auction_closed"
    assert answered(ground(), [], 1_050, early) == "ok"
    assert [one.amount for one in bidding.leading([Offer(1, 1, 1, 1_050, early)])] == [1_050]
    assert answered(ground(), [], 1_100, CLOSES - dt.timedelta(milliseconds=1)) == "ok"
    assert answered(ground(), [], 1_100, CLOSES) == "auction_closed"


@pytest.mark.rule("BANK-26")
@pytest.mark.parametrize(
    ("typed", "taken"),
    [("1.00", False), ("1.02", False), ("1.05", True), ("1.10000001", False), ("-5", False)],
)
def test_auc_007_a_bid_beats_ones_own_and_is_on_the_step(typed: str, taken: bool) -> None:
    """AUC-007: increment 0.05, own previous 1.00."""
    found = ground(minimum=5, increment=5, chip=5)
    offers = [Offer(1, 1, 1, 100, BEFORE)]
    try:
        amount = parse(typed)
    except SabotError:
        assert not taken
        return
    assert (answered(found, offers, amount) == "ok") is taken


@pytest.mark.rule("BANK-08")
def test_an_associate_is_another_player_seated_at_the_table(house: House) -> None:
    table = bank_table(house, 1, 4, 5)
    with refused("bad_associate", "BANK-08"):
        table.open(5, 100 * BOB, associate=5)
    other = bank_table(house, 2)
    with refused("not_seated"):
        opening.open_bank(
            session=table.session,
            taking=table.at(5),
            associate=SeatTaking.objects.get(pk=other.at(2).pk),
            amount=100 * BOB,
            by=table.by(),
        )
    bank = table.open(5, 100 * BOB, associate=4)
    assert bank.associate == table.at(4)
