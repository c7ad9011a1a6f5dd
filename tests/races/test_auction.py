"""Fifty bidders at once: one total order, no bid lost or doubled, one award, whoever closes it."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Callable

import pytest

from audits.verify import ledger_faults, trail_faults
from casino.kernel import clock
from casino.kernel.errors import Busy, SabotError
from casino.kernel.permissions import Role
from tables.bank import auctions, bids, handing
from tables.models import Auction, Bank, Bid
from tests.bank.builders import BANCA_WINS, BankTable, bank_table
from tests.builders import BOB, House
from tests.races.racing import race

pytestmark = pytest.mark.race

SEATS = (1, 2, 3, 4, 6, 7, 8, 9)


def for_auction(house: House) -> tuple[BankTable, Auction]:
    table = bank_table(house, 5, *SEATS)
    bank = table.open(5, 500 * BOB)
    table.play(BANCA_WINS, {1: 100 * BOB})
    handing.pass_bank(bank=bank, by=table.by())
    return table, table.auction()


def a_bid(table: BankTable, auction: Auction, seat: int, amount: int) -> Callable[[], Bid]:
    """One bid as a tablet sends it: sent again while another holds the auction (409 with Retry-After)."""
    at = auction.opened_at + dt.timedelta(seconds=20)
    by = table.house.by(Role.SUPERVISOR, at)

    def send() -> Bid:
        for _ in range(20):
            try:
                with clock.standing_at(at):
                    return bids.bid(auction=auction, taking=table.at(seat), amount=amount, by=by)
            except Busy:
                continue
        raise AssertionError("the auction was held all the time")

    return send


@pytest.mark.rule("BANK-10", "BANK-26")
def test_fifty_bidders_make_one_order_and_one_award(house: House) -> None:
    """50 bids of 20 amounts, 10 to 200: many are equal, so that equals race for the same step."""
    table, auction = for_auction(house)
    sent = [(SEATS[n % 8], (10 + 10 * (n % 20)) * BOB) for n in range(50)]
    answers = race(*[a_bid(table, auction, seat, amount) for seat, amount in sent])
    taken = [answer for answer in answers if isinstance(answer, Bid)]
    refused = [answer for answer in answers if isinstance(answer, SabotError)]
    assert len(taken) + len(refused) == 50
    assert {refusal.code for refusal in refused} <= {"bid_too_low"}
    rows = list(Bid.objects.filter(auction=auction).order_by("number"))
    assert [row.pk for row in rows] == sorted(bid.pk for bid in taken)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    amounts = [row.amount for row in rows]
    assert all(later >= earlier + BOB for earlier, later in itertools.pairwise(amounts))
    assert amounts[-1] == 200 * BOB

    auction.refresh_from_db()

    def close() -> Auction:
        with clock.standing_at(auction.closes_at):
            return auctions.close_auction(auction=auction, by=house.by(Role.SUPERVISOR, auction.closes_at))

    closed = race(*[close] * 4)
    assert sum(isinstance(answer, Auction) for answer in closed) == 1
    auction.refresh_from_db()
    assert auction.winner == rows[-1]
    assert Bank.objects.filter(session=table.session, state="awarded").count() == 1
    assert not [*trail_faults(house.casino), *ledger_faults(house.casino)]


@pytest.mark.rule("BANK-26")
def test_auc_001_two_equal_bids_at_once_and_one_stands(house: House) -> None:
    """AUC-001: the highest is 90, A and B bid 100 in two tabs (a tenth of the case's amounts)."""
    table, auction = for_auction(house)
    table.bid(auction, 9, 90 * BOB)
    answers = race(a_bid(table, auction, 1, 100 * BOB), a_bid(table, auction, 2, 100 * BOB))
    assert sorted(type(answer).__name__ for answer in answers) == ["Bid", "RuleViolation"]
    assert [answer.code for answer in answers if isinstance(answer, SabotError)] == ["bid_too_low"]
    assert list(Bid.objects.order_by("number").values_list("amount", flat=True)) == [90 * BOB, 100 * BOB]


@pytest.mark.rule("BANK-10")
def test_a_bid_that_races_the_close_is_in_the_award_or_refused(house: House) -> None:
    table, auction = for_auction(house)
    table.bid(auction, 1, 10 * BOB)
    auction.refresh_from_db()

    def close() -> Auction:
        with clock.standing_at(auction.closes_at):
            return auctions.close_auction(auction=auction, by=house.by(Role.SUPERVISOR, auction.closes_at))

    late = a_bid(table, auction, 2, 50 * BOB)
    answers = race(late, close)
    auction.refresh_from_db()
    winner = auction.winner
    bid = answers[0]
    if isinstance(bid, Bid):
        # Taken before the close was decided; it moves nothing, being 40 s before the end.
        assert winner == bid
    else:
        assert isinstance(bid, SabotError) and bid.code == "auction_closed"
        assert winner is not None and winner.seat == 1
