"""Whoever writes past the triggers is found out: banks, offers, auctions, acts against trail and books.

One night, made once; each case changes one thing in it as someone who owns the server could, and is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction

from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from casino.models import Casino
from tables import rounds
from tables.bank import aside, handing, opening, passing
from tables.models import Auction, Bank
from tests.bank.auction_nights import deposited, passed, refused_award, sealed, sign, tied
from tests.bank.builders import BANCA_WINS, PUNTO_WINS, BankTable, bank_table
from tests.bank.tampering import UNNOTICED
from tests.builders import BOB, House, a_house

pytestmark = pytest.mark.rule("REC-06")
Night = SimpleNamespace


@pytest.fixture(scope="module")
def night(django_db_setup: None, django_db_blocker: Any) -> Iterator[Night]:
    with django_db_blocker.unblock():
        block = transaction.atomic()
        block._from_testcase = True  # type: ignore[attr-defined]  # commands may be durable inside it
        with block:
            yield _a_night()
            transaction.set_rollback(True)


def _bank(table: BankTable) -> Bank:
    found = table.bank()
    assert found is not None
    return found


def _a_night() -> Night:
    house = a_house()
    table = bank_table(house, 2, 4, 5, 7, 8, rules={"set_aside_minimums": 1})
    first, won = _passed_after_a_void(house, table)
    offer = table.passage()
    passing.take_bank(
        passage=offer, taking=table.at(4), amount=600 * BOB, associate=table.at(2), by=table.by()
    )
    for seat in (2, 8):
        passing.decline_bank(passage=offer, taking=table.at(seat), by=table.by())
    passing.take_bank(passage=offer, taking=table.at(7), amount=600 * BOB, by=table.by())
    taken = _bank(table)
    opening.join_bank(bank=taken, taking=table.at(5), amount=100 * BOB, by=table.by())
    _lost_twice(house, table)
    # 7 and 5, who had joined, held the bank that was lost, and do not bid for it.
    drawn = deposited(table, tied(table, 2, 4, 8), 60 * BOB)
    bought = _bank(table)
    sign(table, drawn)
    refused_award(table)
    empty = table.close(table.auction())  # nobody bids: forced on 5, the right hand, who has not deposited

    second = passed(house, 2, 4)
    envelopes = sealed(second)
    third = passed(house, 2, 4)
    waiting = third.auction()
    third.bid(waiting, 2, 20 * BOB)
    with connection.cursor() as cursor:  # as at commit
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    ids = {
        "passed": first.pk, "won": won, "offer": offer.pk, "taken": taken.pk, "bought": bought.pk,
        "tied": drawn.pk, "empty": empty.pk, "sealed": envelopes.pk, "open": waiting.pk,
        "cage": house.users[Role.CAGE].actor.pk,
    }  # fmt: skip
    return SimpleNamespace(casino=house.casino, ids=ids, tables=(table, second, third))


def _passed_after_a_void(house: House, table: BankTable) -> tuple[Bank, int]:
    """500 put in, 95 won, 50 set aside, 20 added, another 95 won and voided: 565 is passed on."""
    bank = table.open(5, 500 * BOB)
    won = table.play(BANCA_WINS, {2: 100 * BOB})
    bank = aside.set_aside(bank=bank, amount=50 * BOB, by=table.by())
    opening.add_to_bank(bank=bank, amount=20 * BOB, by=table.by())
    twice = table.play(BANCA_WINS, {4: 100 * BOB})
    _void(house, table, twice)
    bank.refresh_from_db()
    assert (bank.amount, bank.deals, table.held(bank)) == (565 * BOB, 1, 565 * BOB)
    handing.pass_bank(bank=bank, by=table.by())
    return bank, won.pk


def _lost_twice(house: House, table: BankTable) -> None:
    """The hand is lost, voided, which gives the bank back, and lost again."""
    _void(house, table, table.play(PUNTO_WINS, {2: 100 * BOB}))
    table.play(PUNTO_WINS, {2: 100 * BOB})


def _void(house: House, table: BankTable, round: Any) -> None:
    by = table.by(Role.PIT_BOSS, reason="se registró dos veces")
    beside = house.users[Role.SUPERVISOR].actor
    rounds.void(round=round, approved_by=beside, cards_came_out=True, by=by)


@pytest.fixture
def tamper(night: Night) -> Iterator[Callable[[str], None]]:
    """Run SQL with every trigger off; undone after the test."""

    def run(statement: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(statement.format(**night.ids))
            assert cursor.rowcount, statement
            cursor.execute("SET LOCAL session_replication_role = origin")

    with transaction.atomic():
        yield run
        transaction.set_rollback(True)


def faults(casino: Casino) -> dict[str, str]:
    """Where -> what, of both proofs."""
    found: dict[str, str] = {}
    for proof in (trail_faults, ledger_faults):
        for fault in proof(casino):
            found[fault.where] = f"{found.get(fault.where, '')}; {fault.words.en}"
    return found


def test_a_house_without_banks_has_no_fault(house: House) -> None:
    assert faults(house.casino) == {}


def test_an_honest_night_has_no_fault(night: Night) -> None:
    assert faults(night.casino) == {}


def test_the_night_has_all_there_is_to_alter(night: Night) -> None:
    """Banks: passed, taken by turn, bought and refused, forced; auctions: tied, empty, sealed, open."""
    ended = [(bank.how, bank.ending) for bank in Bank.objects.filter(session=night.tables[0].session)]
    assert ended == [("first", "passed"), ("turn", "lost"), ("auction", "refused"), ("forced", "")]
    states = Auction.objects.filter(casino=night.casino).order_by("pk").values_list("form", "state")
    assert list(states) == [
        ("outcry", "awarded"),
        ("outcry", "deserted"),
        ("sealed", "awarded"),
        ("outcry", "open"),
    ]


@pytest.mark.parametrize("name", UNNOTICED)
def test_what_was_changed_past_the_guards_is_named(
    night: Night, tamper: Callable[[str], None], name: str
) -> None:
    statement, where, what = UNNOTICED[name]
    tamper(statement)
    found = faults(night.casino)
    named = [words for place, words in found.items() if place.startswith(where.format(**night.ids))]
    assert any(what in words for words in named), found


@pytest.mark.parametrize(
    ("action", "where", "what"),
    [
        ("tables.bank.opened", "bank:", "event"),
        ("tables.bank.raised", "bank:", "event"),
        ("tables.bank.offered", "passage:", "event"),
        ("tables.bank.answered", "passage:", "event"),
        ("tables.auction.opened", "auction:", "event"),
        ("tables.auction.bid", "auction:", "event"),
        ("tables.auction.bid_sealed", "auction:", "event"),
        ("tables.auction.awarded", "auction:", "state"),
        ("tables.auction.forced", "bank:", "event"),
        ("tables.auction.signed", "auction:", "event"),
    ],
)
def test_a_row_whose_event_is_gone_is_named(
    night: Night, tamper: Callable[[str], None], action: str, where: str, what: str
) -> None:
    tamper(f"DELETE FROM audits_event WHERE action = '{action}'")
    found = faults(night.casino)
    assert any(place.startswith(where) and what in words for place, words in found.items()), found
