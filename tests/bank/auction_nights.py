"""Nights with auctions, told once for the tests of acts, proofs and reports."""

from __future__ import annotations

import datetime as dt

from casino.kernel import clock
from casino.kernel.permissions import Role
from tables.bank import acts, auctions, handing, opening
from tables.models import Auction, AuctionSignature
from tests.bank.builders import BANCA_WINS, BankTable, bank_table
from tests.builders import BOB, House
from tests.kept import kept


@kept
def passed(house: House, *seats_taken: int, **rules: object) -> BankTable:
    """Seat 5 opened with 500, won 100 less the deduction of 5, and passed the bank on with 595 in it."""
    table = bank_table(house, 5, *seats_taken, rules=dict(rules) or None)
    bank = table.open(5, 500 * BOB)
    table.play(BANCA_WINS, {seats_taken[0]: 100 * BOB})
    handing.pass_bank(bank=bank, by=table.by())
    return table


def tied(table: BankTable, one: int = 2, other: int = 4, third: int = 7) -> Auction:
    """`one` bids 10 and `other` 50; `one` and `third` are heard at once at 60, and a draw awards it."""
    auction = table.auction()
    table.bid(auction, one, 10 * BOB)
    table.bid(auction, other, 50 * BOB)
    table.together(auction, [one, third], 60 * BOB)
    return table.close(auction)


def sealed(table: BankTable) -> Auction:
    """Two envelopes: seat 4 with 80, seat 2 with 90."""
    auction = table.auction("sealed")
    table.bid(auction, 4, 80 * BOB)
    table.bid(auction, 2, 90 * BOB)
    return table.close(auction)


def deposited(table: BankTable, auction: Auction, amount: int) -> Auction:
    """Whoever was awarded the bank hands in the chips."""
    bank = table.bank()
    assert bank is not None
    opening.deposit(bank=bank, amount=amount, by=table.by())
    auction.refresh_from_db()
    return auction


def refused_award(table: BankTable) -> None:
    bank = table.bank()
    assert bank is not None
    auctions.refuse_bank(bank=bank, by=table.by(reason="no trae fichas"))


def sign(
    table: BankTable, auction: Auction, one: Role = Role.SUPERVISOR, other: Role = Role.COMPLIANCE
) -> list[AuctionSignature]:
    """Signed a second later by the logins of two roles."""
    table.clock += dt.timedelta(seconds=1)
    beside = table.house.users[other].actor
    with clock.standing_at(table.clock):
        return acts.sign_act(auction=auction, with_=beside, by=table.house.by(one, table.clock))
