"""What stands in front of each act on a bank: the table in play, no round under way, dealt once, a close.

Each fails where its guard is taken away.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from audits.models import Event
from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from tables import closings, pausing, rounds
from tables.bank import aside, auctions, handing, opening, passing
from tables.models import Assignment, Bank, Round, TableSession
from tests.bank.auction_nights import passed
from tests.bank.builders import BANCA_WINS, BankTable, bank_table
from tests.builders import BOB, FLOAT, House
from tests.tables.refusing import refused

Act = Callable[[BankTable], Any]


def bank_of(table: BankTable) -> Bank:
    bank = table.bank()
    assert bank is not None
    return bank


def faults(house: House) -> list[str]:
    return [
        f"{one.where}: {one.words.en}"
        for prove in (trail_faults, ledger_faults)
        for one in prove(house.casino)
    ]


def last_round(table: BankTable) -> None:
    pausing.call_last_round(session=table.session, by=table.by())
    table.session.refresh_from_db()


def begun(table: BankTable) -> Round:
    """A round in progress: one bet of 50 on punto."""
    table.session.refresh_from_db()
    bet = {"e": "bet", "seat": 2, "spot": "punto", "amount": 50 * BOB}
    return rounds.play(
        session=table.session, number=table.session.last_round + 1, step=0, events=[bet],
        by=table.by(Role.PIT_BOSS),
    )  # fmt: skip


def close(table: BankTable) -> TableSession:
    """The table closed on a count of two."""
    crew = Assignment.objects.filter(session=table.session).select_related("staff").order_by("pk")
    staff = [one.staff for one in crew]
    by = table.by()
    return closings.close_session(
        session=table.session, chips_counted=FLOAT, counted_by=table.house.dealers[0],
        witnessed_by=next((one for one in staff if one.supervises), table.house.supervisors[0]), by=by,
    )  # fmt: skip


# ---- nights on which one act is due ----------------------------------------------------------------------


def free(house: House) -> BankTable:
    return bank_table(house, 2, 4, 5)


def held(house: House) -> BankTable:
    """5 has 500 and has not dealt."""
    table = free(house)
    table.open(5, 500 * BOB)
    return table


def dealt(house: House) -> BankTable:
    """5 has 595 and has dealt; winnings may be set aside."""
    table = bank_table(house, 2, 4, 5, rules={"set_aside_minimums": 1})
    table.open(5, 500 * BOB)
    table.play(BANCA_WINS, {2: 100 * BOB})
    return table


def offered(house: House) -> BankTable:
    return passed(house, 2, 4)


def taken(house: House) -> BankTable:
    """5 passed, 4 took it by turn."""
    table = offered(house)
    passing.take_bank(passage=table.passage(), taking=table.at(4), amount=595 * BOB, by=table.by())
    return table


def for_auction(house: House) -> BankTable:
    table = offered(house)
    table.to_auction()
    return table


def awarded(house: House) -> BankTable:
    table = offered(house)
    auction = table.auction()
    table.bid(auction, 2, 50 * BOB)
    table.close(auction)
    return table


def opens(table: BankTable) -> Any:
    return table.open(5, 500 * BOB)


def passes(table: BankTable) -> Any:
    return handing.pass_bank(bank=bank_of(table), by=table.by())


def adds(table: BankTable) -> Any:
    return opening.add_to_bank(bank=bank_of(table), amount=10 * BOB, by=table.by())


def joins(table: BankTable) -> Any:
    return opening.join_bank(bank=bank_of(table), taking=table.at(5), by=table.by())


def sets_aside(table: BankTable) -> Any:
    return aside.set_aside(bank=bank_of(table), amount=10 * BOB, by=table.by())


def refuses(table: BankTable) -> Any:
    return auctions.refuse_bank(bank=bank_of(table), by=table.by(reason="no quiere repartir"))


def returns(table: BankTable) -> Any:
    return handing.return_bank(bank=bank_of(table), by=table.by())


def deposits(table: BankTable) -> Any:
    return opening.deposit(bank=bank_of(table), amount=50 * BOB, by=table.by())


def takes(table: BankTable) -> Any:
    return passing.take_bank(passage=table.passage(), taking=table.at(4), amount=595 * BOB, by=table.by())


def declines(table: BankTable) -> Any:
    return passing.decline_bank(passage=table.passage(), taking=table.at(4), by=table.by())


def auctions_it(table: BankTable) -> Any:
    return auctions.open_auction(passage=table.passage(), form="outcry", by=table.by())


BEGINNING: dict[str, tuple[Callable[[House], BankTable], Act, str]] = {
    "opened": (free, opens, "BANK-02"),
    "passed": (dealt, passes, "BANK-03"),
    "added to": (held, adds, "BANK-14"),
    "joined": (taken, joins, "BANK-08"),
    "deposited": (awarded, deposits, "BANK-17"),
    "taken": (offered, takes, "BANK-07"),
    "declined": (offered, declines, "BANK-07"),
    "auctioned": (for_auction, auctions_it, "BANK-10"),
}


@pytest.mark.rule("BANK-02", "BANK-03", "BANK-05", "BANK-07", "BANK-08", "BANK-10", "BANK-14", "BANK-17")
@pytest.mark.parametrize("name", BEGINNING)
def test_once_the_last_round_is_announced_nothing_begins(house: House, name: str) -> None:
    """The same act stands at a table in play, which the second half says."""
    night, act, rule = BEGINNING[name]
    table = night(house)
    last_round(table)
    with refused("session_closing", rule):
        act(table)
    assert act(night(house))


DURING: dict[str, tuple[Callable[[House], BankTable], Act, str]] = {
    "passed": (dealt, passes, "BANK-03"),
    "added to": (held, adds, "BANK-14"),
    "joined": (taken, joins, "BANK-08"),
    "set aside": (dealt, sets_aside, "BANK-14"),
    "refused": (held, refuses, "BANK-15"),
}


@pytest.mark.rule("BANK-03", "BANK-08", "BANK-14", "BANK-15")
@pytest.mark.parametrize("name", DURING)
def test_while_a_round_is_played_its_bank_stays_as_announced(house: House, name: str) -> None:
    night, act, rule = DURING[name]
    table = night(house)
    playing = begun(table)
    with refused("round_in_progress", rule):
        act(table)
    by = table.by(Role.PIT_BOSS, reason="mal repartido")
    rounds.abandon(session=table.session, number=playing.number, step=len(playing.log), by=by)
    assert act(table)
    assert faults(house) == []


@pytest.mark.rule("BANK-05")
def test_a_bank_is_not_returned_while_its_last_round_is_played(house: House) -> None:
    table = dealt(house)
    begun(table)
    last_round(table)
    with refused("round_in_progress", "BANK-05"):
        returns(table)


@pytest.mark.rule("BANK-15")
def test_who_has_dealt_does_not_refuse_it_any_more(house: House) -> None:
    table = dealt(house)
    with refused("has_dealt", "BANK-15"):
        refuses(table)
    assert bank_of(table).state == "held"


@pytest.mark.rule("BANK-14")
def test_a_bank_is_deposited_once(house: House) -> None:
    table = awarded(house)
    deposits(table)
    bank = bank_of(table)
    with refused("bank_deposited", "BANK-14"):
        deposits(table)
    assert table.held(bank) == 50 * BOB


@pytest.mark.rule("BANK-08")
def test_who_left_it_does_not_join_once_it_was_dealt(house: House) -> None:
    table = taken(house)
    table.play(BANCA_WINS, {2: 10 * BOB})
    with refused("bad_associate", "BANK-08"):
        joins(table)


@pytest.mark.rule("BANK-08")
def test_only_one_joins(house: House) -> None:
    table = taken(house)
    joins(table)
    with refused("bad_associate", "BANK-08"):
        joins(table)


@pytest.mark.rule("BANK-08", "BANK-09")
def test_who_retakes_it_does_so_alone(house: House) -> None:
    table = offered(house)
    for seat in (4, 2):
        passing.decline_bank(passage=table.passage(), taking=table.at(seat), by=table.by())
    retaken: dict[str, Any] = {"passage": table.passage(), "taking": table.at(5), "amount": 595 * BOB}
    with refused("bad_associate", "BANK-08"):
        passing.take_bank(**retaken, associate=table.at(2), by=table.by())
    passing.take_bank(**retaken, by=table.by())
    assert bank_of(table).members == (table.at(5).pk,)


# ---- the table closes ------------------------------------------------------------------------------------


@pytest.mark.rule("BANK-05", "FLOOR-10")
@pytest.mark.parametrize("night", [held, dealt, awarded])
def test_a_table_does_not_close_with_a_bank_that_was_not_returned(
    house: House, night: Callable[[House], BankTable]
) -> None:
    table = night(house)
    last_round(table)
    with refused("bank_not_returned", "BANK-05"):
        close(table)
    returns(table)
    assert close(table).state == "closed"
    assert faults(house) == []


@pytest.mark.rule("BANK-10", "FLOOR-10")
def test_a_table_does_not_close_under_an_open_auction(house: House) -> None:
    table = for_auction(house)
    auction = table.auction()
    last_round(table)
    with refused("auction_open", "BANK-10"):
        close(table)
    table.close(auction)  # nobody bid: 4 has it, who hands it back
    returns(table)
    assert close(table).state == "closed"


@pytest.mark.rule("BANK-25", "FLOOR-10")
@pytest.mark.parametrize("night", [offered, for_auction])
def test_a_table_that_closes_calls_off_what_is_offered(
    house: House, night: Callable[[House], BankTable]
) -> None:
    table = night(house)
    passage = table.passage()
    assert close(table).state == "closed"
    passage.refresh_from_db()
    assert (passage.step, passage.result, passage.to) == ("over", "vacant", None)
    assert passage.ended_at is not None and passage.ended_at <= table.clock + dt.timedelta(seconds=1)
    assert Event.objects.filter(action="tables.bank.offer_over").count() == 1
    assert faults(house) == []
