"""Nothing of a bank goes before what it follows: voids, instants, auctions.

Each case was a table that stood still, or a record that told two things, in a review.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest

from audits.verify import ledger_faults, trail_faults
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables import pausing, rounds
from tables.bank import acts, aside, auctions, handing, opening, passing
from tables.bank.following import RETURNED, follow
from tables.bank.panel import panel_of
from tables.guests import registering, seats
from tables.models import Auction, Bank, Guest, Round
from tests.bank.auction_nights import deposited, passed
from tests.bank.builders import BANCA_WINS, PUNTO_WINS, BankTable, bank_table
from tests.builders import BOB, House
from tests.tables.refusing import refused

ANSWERS = {"take", "decline"}


def stands(table: BankTable) -> tuple[str, set[str], int | None]:
    """Stage, what may be done now, and the seat that is asked."""
    table.session.refresh_from_db()
    panel = panel_of(table.session, table.clock)
    assert panel is not None
    return panel.stage, set(panel.acts), panel.asked.place.seat if panel.asked else None


def faults(house: House) -> list[str]:
    return [
        f"{one.where}: {one.words.en}"
        for prove in (trail_faults, ledger_faults)
        for one in prove(house.casino)
    ]


def bank_of(table: BankTable) -> Bank:
    bank = table.bank()
    assert bank is not None
    return bank


def decline(table: BankTable, *numbers: int) -> None:
    for seat in numbers:
        passing.decline_bank(passage=table.passage(), taking=table.at(seat), by=table.by())


def jointly(table: BankTable, one: int, other: int, amount: int = 600 * BOB) -> None:
    passing.take_bank(
        passage=table.passage(), taking=table.at(one), amount=amount, associate=table.at(other), by=table.by()
    )


def void(table: BankTable, round: Round) -> Round:
    by = table.by(Role.PIT_BOSS, reason="se registró dos veces")
    beside = table.house.users[Role.SUPERVISOR].actor
    return rounds.void(round=round, approved_by=beside, cards_came_out=True, by=by)


def known(table: BankTable, seat: int, number: str, name: str) -> Guest:
    """A player known by document, seated."""
    guest = registering.set_guest(
        document_type="ci", number=number, name=name, birth_date=dt.date(1971, 5, 2), by=table.by()
    )
    table.people[seat] = seats.seat(session=table.session, seat=seat, guest=guest, alias="", by=table.by())
    return guest


# ---- what a round left is not undone under what followed ------------------------------------------------


@pytest.mark.rule("REC-07", "BANK-04")
def test_a_lost_hand_is_not_voided_once_who_lost_it_left_the_seat(house: House) -> None:
    table = bank_table(house, 1, 2, 5)
    bank = table.open(5, 500 * BOB)
    lost = table.play(PUNTO_WINS, {1: 100 * BOB})
    seats.leave(taking=table.at(5), by=table.by())
    table.people[5] = seats.seat(session=table.session, seat=5, alias="OTRO", by=table.by())
    with refused("bank_moved_on", "REC-07"):
        void(table, lost)
    bank.refresh_from_db()
    assert (bank.state, bank.ending, table.held(bank)) == ("ended", "lost", 0)
    assert faults(house) == []


@pytest.mark.rule("REC-07", "BANK-14")
def test_a_round_is_not_voided_whose_winnings_were_set_aside(house: House) -> None:
    """100 put in, 95 won, 95 set aside: without the round the bank would hold 5 of what was put in."""
    table = bank_table(house, 1, 5, rules={"set_aside_minimums": 1})
    bank = table.open(5, 100 * BOB)
    won = table.play(BANCA_WINS, {1: 100 * BOB})
    aside.set_aside(bank=bank, amount=95 * BOB, by=table.by())
    with refused("bank_moved_on", "REC-07"):
        void(table, won)
    bank.refresh_from_db()
    assert (bank.amount, bank.aside, table.held(bank)) == (100 * BOB, 95 * BOB, 100 * BOB)


@pytest.mark.rule("REC-07", "BANK-14")
def test_it_is_voided_where_what_was_put_in_stays_in(house: House) -> None:
    """Twice 95 won, 95 set aside: 195 less 95 is the 100 put in. With 1 more set aside it is not."""
    table = bank_table(house, 1, 5, rules={"set_aside_minimums": 1})
    bank = table.open(5, 100 * BOB)
    table.play(BANCA_WINS, {1: 100 * BOB})
    again = table.play(BANCA_WINS, {1: 100 * BOB})
    aside.set_aside(bank=bank, amount=95 * BOB, by=table.by())
    void(table, again)
    bank.refresh_from_db()
    assert (bank.amount, bank.deals, table.held(bank)) == (100 * BOB, 1, 100 * BOB)
    assert faults(house) == []
    other = bank_table(house, 1, 5, rules={"set_aside_minimums": 1})
    more = other.open(5, 100 * BOB)
    other.play(BANCA_WINS, {1: 100 * BOB})
    last = other.play(BANCA_WINS, {1: 100 * BOB})
    aside.set_aside(bank=more, amount=96 * BOB, by=other.by())
    with refused("bank_moved_on", "REC-07"):
        void(other, last)


@pytest.mark.rule("REC-07", "BANK-04", "BANK-14")
def test_a_lost_hand_is_voided_though_winnings_were_set_aside_before_it(house: House) -> None:
    """100 put in, 95 won, 45 set aside, then 50 lost: voided, the bank holds the 150 it had before."""
    table = bank_table(house, 1, 5, rules={"set_aside_minimums": 1})
    bank = table.open(5, 100 * BOB)
    table.play(BANCA_WINS, {1: 100 * BOB})
    aside.set_aside(bank=bank, amount=45 * BOB, by=table.by())
    void(table, table.play(PUNTO_WINS, {1: 50 * BOB}))
    bank.refresh_from_db()
    assert (bank.state, bank.amount, bank.aside, table.held(bank)) == (
        "held", 150 * BOB, 45 * BOB, 150 * BOB,
    )  # fmt: skip
    assert faults(house) == []


# ---- instants -------------------------------------------------------------------------------------------


def _deposit(bank: Bank, house: House, at: dt.datetime) -> None:
    opening.deposit(bank=bank, amount=50 * BOB, by=house.by(Role.SUPERVISOR, at))


def _refuse(bank: Bank, house: House, at: dt.datetime) -> None:
    auctions.refuse_bank(bank=bank, by=house.by(Role.SUPERVISOR, at, "no trae fichas"))


@pytest.mark.rule("BANK-10", "BANK-15", "BANK-17", "REC-06")
@pytest.mark.parametrize("act", [_deposit, _refuse])
def test_nothing_of_a_bank_is_before_its_award(
    house: House, act: Callable[[Bank, House, dt.datetime], None]
) -> None:
    table = passed(house, 2, 4)
    auction = table.auction()
    table.bid(auction, 2, 50 * BOB)
    auction = table.close(auction)
    bank, closed = bank_of(table), auction.closed_at
    assert closed is not None
    with clock.standing_at(table.clock), refused("occurred_out_of_order"):
        act(bank, house, closed - dt.timedelta(microseconds=1))
    act(bank, house, closed)
    assert faults(house) == []


@pytest.mark.rule("BANK-07", "REC-06")
def test_no_answer_is_before_the_offer(house: House) -> None:
    table = passed(house, 2, 4)
    passage = table.passage()
    early = house.by(Role.SUPERVISOR, passage.begun_at - dt.timedelta(microseconds=1))
    with refused("occurred_out_of_order"):
        passing.decline_bank(passage=passage, taking=table.at(4), by=early)


@pytest.mark.rule("BANK-10", "REC-06")
def test_a_clock_that_goes_back_makes_no_bid_earlier_than_the_one_before(house: House) -> None:
    """Two servers, the second a tenth of a second behind."""
    table = passed(house, 2, 4)
    auction = table.auction()
    at = auction.opened_at + dt.timedelta(seconds=10)
    table.bid(auction, 2, 10 * BOB, at=at)
    late = table.bid(auction, 4, 20 * BOB, at=at - dt.timedelta(milliseconds=100))
    assert late.at == at
    table.close(auction)
    assert faults(house) == []


@pytest.mark.rule("BANK-10", "REC-06")
def test_no_bid_is_before_the_opening(house: House) -> None:
    table = passed(house, 2, 4)
    auction = table.auction()
    first = table.bid(auction, 2, 10 * BOB, at=auction.opened_at - dt.timedelta(milliseconds=100))
    assert first.at == auction.opened_at


# ---- the auction ----------------------------------------------------------------------------------------


@pytest.mark.rule("BANK-10")
def test_who_lost_the_bank_and_the_associate_are_out(house: House) -> None:
    table = bank_table(house, 2, 4, 5)
    table.open(5, 500 * BOB, associate=4)
    table.play(PUNTO_WINS, {2: 100 * BOB})
    auction = table.auction()
    assert {place.seat: place.rule for place in auction.places.all()} == {2: "", 4: "BANK-10", 5: "BANK-10"}
    for seat in (4, 5):
        with refused("may_not_bid", "BANK-10"):
            table.bid(auction, seat, 20 * BOB)


@pytest.mark.rule("BANK-10")
def test_who_changed_place_since_the_opening_is_told_so(house: House) -> None:
    table = passed(house, 2, 4)
    auction = table.auction()
    table.people[9] = seats.move(taking=table.at(2), session=table.session, seat=9, by=table.by())
    with pytest.raises(SabotError) as found:
        table.bid(auction, 9, 20 * BOB)
    assert (found.value.code, found.value.rule) == ("not_seated", "BANK-10")
    assert "since the auction opened" in found.value.message.en
    assert "desde que se abrió la subasta" in found.value.message.es


@pytest.mark.rule("BANK-10", "BANK-05")
def test_an_award_given_back_because_the_table_closes_was_not_refused(house: House) -> None:
    table = passed(house, 2, 4)
    auction = table.auction()
    table.bid(auction, 2, 50 * BOB)
    auction = table.close(auction)
    pausing.call_last_round(session=table.session, by=table.by())
    handing.return_bank(bank=bank_of(table), by=table.by())
    auction = Auction.objects.get(pk=auction.pk)
    assert follow(auction, table.clock).stage == RETURNED
    assert acts.act_of(auction)["outcome"]["kind"] == "returned"


@pytest.mark.rule("BANK-13")
def test_an_auction_nobody_bid_in_and_nobody_is_obliged_by(house: House) -> None:
    table = passed(house, 2)
    auction = table.auction()
    seats.leave(taking=table.at(2), by=table.by())
    auction = table.close(auction)
    assert (auction.state, table.bank(), table.passage().result) == ("deserted", None, "vacant")
    assert acts.act_of(auction)["outcome"] == {"kind": "nobody"}


@pytest.mark.rule("BANK-24", "BANK-04")
def test_a_lost_hand_says_which_way_the_bank_goes(house: House) -> None:
    """Where it goes to the left, seat 7 is asked first after 5, and no note says to the right."""
    table = bank_table(house, 4, 5, 7, rules={"rotation": "left"})
    table.open(5, 500 * BOB)
    lost = table.play(PUNTO_WINS, {4: 100 * BOB})
    assert stands(table)[2] == 7
    assert lost.settlement is not None
    notes = {note["code"] for note in lost.settlement["notes"]}
    assert "bank_offered_left" in notes and "bank_offered" not in notes


@pytest.mark.rule("BANK-17")
def test_a_forced_bank_is_deposited_like_any(house: House) -> None:
    table = passed(house, 2, 4)
    auction = table.close(table.auction())
    deposited(table, auction, 10 * BOB)
    assert (bank_of(table).holder, bank_of(table).state) == (table.at(4), "held")
    assert faults(house) == []
