"""Seats and the bank at once: who bids stays seated, who leaves does not bid; no offer stands still."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from audits.verify import ledger_faults, trail_faults
from casino.kernel import clock
from casino.kernel.errors import Busy, SabotError
from casino.kernel.permissions import Role
from tables.bank import auctions, bids, handing, passing
from tables.bank.panel import panel_of
from tables.guests import seats
from tables.models import Auction, Bid, SeatTaking, TableSession
from tests.bank.builders import BANCA_WINS, BankTable, bank_table
from tests.builders import BOB, House
from tests.races.racing import race

pytestmark = pytest.mark.race

SOON = dt.timedelta(seconds=5)


def for_auction(house: House) -> tuple[BankTable, Auction]:
    table = passed(house, 2, 4)
    return table, table.auction()


def passed(house: House, *seats_taken: int) -> BankTable:
    """Seat 5 opened with 500, won a round and passed the bank on."""
    table = bank_table(house, 5, *seats_taken)
    bank = table.open(5, 500 * BOB)
    table.play(BANCA_WINS, {seats_taken[0]: 100 * BOB})
    handing.pass_bank(bank=bank, by=table.by())
    return table


def again(act: Callable[[], Any]) -> Callable[[], Any]:
    """An act as a screen sends it: once more while another holds the table (409 with Retry-After)."""

    def send() -> Any:
        for _ in range(20):
            try:
                return act()
            except Busy:
                continue
        raise AssertionError("held all the time")

    return send


def bidding(table: BankTable, auction: Auction, at: dt.datetime) -> Callable[[], Bid]:
    def act() -> Bid:
        with clock.standing_at(at):
            by = table.house.by(Role.SUPERVISOR, at)
            return bids.bid(auction=auction, taking=table.at(2), amount=50 * BOB, by=by)

    return act


def leaving(table: BankTable, at: dt.datetime, seat: int = 2) -> Callable[[], SeatTaking]:
    return lambda: seats.leave(taking=table.at(seat), by=table.house.by(Role.SUPERVISOR, at))


def closed(table: BankTable, auction: Auction) -> Auction:
    auction.refresh_from_db()
    with clock.standing_at(auction.closes_at):
        by = table.house.by(Role.SUPERVISOR, auction.closes_at)
        return auctions.close_auction(auction=auction, by=by)


def agreed(table: BankTable, auction: Auction, answers: list[Any]) -> None:
    """Either the bid stands and its player is seated, or the player left and nothing was bid."""
    kinds = sorted(type(answer).__name__ for answer in answers)
    taking = SeatTaking.objects.get(pk=table.at(2).pk)
    refusal = next(answer for answer in answers if isinstance(answer, SabotError))
    if kinds == ["Bid", "Conflict"]:
        assert (refusal.code, taking.during.upper) == ("bidder_seated", None)
        assert closed(table, auction).state == "awarded"
    else:
        assert kinds == ["Conflict", "SeatTaking"]
        assert refusal.code == "not_seated" and taking.during.upper is not None
        assert not Bid.objects.filter(auction=auction).exists()
        assert closed(table, auction).state == "deserted"
    assert not [*trail_faults(table.house.casino), *ledger_faults(table.house.casino)]


@pytest.mark.rule("BANK-10")
def test_who_bids_and_leaves_at_once_does_one_of_the_two(house: House) -> None:
    table, auction = for_auction(house)
    at = auction.opened_at + SOON
    agreed(table, auction, race(again(bidding(table, auction, at)), again(leaving(table, at))))


@pytest.mark.rule("BANK-10")
def test_a_bid_waits_for_who_is_leaving_and_is_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The player is asked to stay before the bid comes, and is gone as it is judged."""
    table, auction = for_auction(house)
    at = auction.opened_at + SOON
    asked, bid_sent = threading.Event(), threading.Event()
    before = list(seats._objections)

    def object_slowly(taking: SeatTaking, by: Any) -> None:
        for objection in before:
            objection(taking, by)
        asked.set()
        assert bid_sent.wait(10)
        time.sleep(0.3)  # the bid is now waiting for the seat

    monkeypatch.setattr(seats, "_objections", [object_slowly])

    def bid() -> Bid:
        assert asked.wait(10)
        bid_sent.set()
        return again(bidding(table, auction, at))()

    answers = race(bid, leaving(table, at))
    monkeypatch.undo()
    assert [type(answer).__name__ for answer in answers] == ["Conflict", "SeatTaking"]
    agreed(table, auction, answers)


@pytest.mark.rule("BANK-10", "BANK-05")
def test_who_leaves_waits_for_a_bid_and_stays(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table, auction = for_auction(house)
    at = auction.opened_at + SOON
    judged, leave_sent = threading.Event(), threading.Event()
    real = bids._hold_auction

    def hold_slowly(*given: Any) -> Auction:
        held = real(*given)
        judged.set()
        assert leave_sent.wait(10)
        time.sleep(0.3)  # who leaves is now waiting for the seat
        return held

    monkeypatch.setattr(bids, "_hold_auction", hold_slowly)

    def leave() -> SeatTaking:
        assert judged.wait(10)
        leave_sent.set()
        found: SeatTaking = again(leaving(table, at))()
        return found

    answers = race(bidding(table, auction, at), leave)
    monkeypatch.undo()
    assert [type(answer).__name__ for answer in answers] == ["Bid", "Conflict"]
    agreed(table, auction, answers)


@pytest.mark.rule("BANK-25", "BANK-07")
def test_the_last_two_asked_decline_and_leave_at_once_and_the_offer_goes_on(house: House) -> None:
    """4 declines as 2, the last one to ask, leaves: whichever was first, 5 is asked."""
    table = passed(house, 2, 4)
    passage, at = table.passage(), table.clock + SOON
    by = house.by(Role.SUPERVISOR, at)
    answers = race(
        again(lambda: passing.decline_bank(passage=passage, taking=table.at(4), by=by)),
        again(leaving(table, at)),
    )
    assert not any(isinstance(answer, SabotError) for answer in answers), answers
    panel = panel_of(TableSession.objects.get(pk=table.session.pk), at)
    assert panel is not None and panel.asked is not None
    assert (panel.stage, panel.asked.place.seat) == ("retake", 5)


@pytest.mark.rule("BANK-25", "BANK-09")
def test_both_who_are_left_leave_at_once_and_the_bank_is_for_auction(house: House) -> None:
    table = passed(house, 2)
    at = table.clock + SOON
    answers = race(again(leaving(table, at, 2)), again(leaving(table, at, 5)))
    assert not any(isinstance(answer, SabotError) for answer in answers), answers
    panel = panel_of(TableSession.objects.get(pk=table.session.pk), at)
    assert panel is not None and (panel.stage, set(panel.acts)) == ("for_auction", {"auction"})
    assert not [*trail_faults(house.casino), *ledger_faults(house.casino)]
