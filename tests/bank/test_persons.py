"""A change of seat makes nobody another person: who passed, refused or declined the bank did so for good."""

from __future__ import annotations

import datetime as dt

import pytest

from casino.kernel.permissions import Role
from tables.bank import auctions, handing, opening, passing
from tables.bank.panel import panel_of
from tables.guests import excluding, registering, seats
from tables.models import Auction, BankPassage
from tests.bank.builders import BANCA_WINS, BankTable, bank_table
from tests.builders import BOB, House
from tests.tables.refusing import refused


def passed(house: House, *seats_taken: int) -> BankTable:
    """Seat 4 opened with 500, won 100 less 5, and passed the bank on."""
    table = bank_table(house, *seats_taken)
    bank = table.open(4, 500 * BOB)
    table.play(BANCA_WINS, {1: 100 * BOB})
    handing.pass_bank(bank=bank, by=table.by())
    return table


def moves(table: BankTable, seat: int, to: int) -> None:
    table.people[to] = seats.move(taking=table.at(seat), session=table.session, seat=to, by=table.by())


def out(auction: Auction) -> dict[int, str]:
    return {place.seat: place.rule for place in auction.places.all()}


@pytest.mark.rule("BANK-12", "BANK-09")
def test_who_passed_it_and_changes_place_is_not_asked_may_retake_it_and_does_not_bid(house: House) -> None:
    table = passed(house, 1, 4, 6)
    moves(table, 4, 9)
    assert [place.seat for place in table.asked(table.passage())] == [1, 6]
    for seat in (1, 6):
        passing.decline_bank(passage=table.passage(), taking=table.at(seat), by=table.by())
    passage = table.passage()
    assert passage.step == BankPassage.Step.RETAKE
    assert [place.seat for place in table.asked(passage)] == [9]
    passing.decline_bank(passage=passage, taking=table.at(9), by=table.by())
    assert out(table.auction()) == {1: "", 6: "", 9: "BANK-12"}


@pytest.mark.rule("BANK-07")
def test_who_declined_and_changes_place_is_not_asked_again(house: House) -> None:
    table = passed(house, 1, 4, 6)
    passing.decline_bank(passage=table.passage(), taking=table.at(1), by=table.by())
    moves(table, 1, 5)
    panel = panel_of(table.session, table.clock)
    assert panel is not None and panel.asked is not None
    assert panel.asked.place.seat == 6


@pytest.mark.rule("BANK-15")
def test_who_refused_it_and_changes_place_is_out_of_the_next_auction(house: House) -> None:
    table = passed(house, 1, 4, 6)
    auction = table.auction()
    table.bid(auction, 6, 20 * BOB)
    bank = table.close(auction).bank
    assert bank is not None
    auctions.refuse_bank(bank=bank, by=table.by(reason="se arrepiente"))
    moves(table, 6, 8)
    assert out(table.auction()) == {1: "", 4: "BANK-12", 8: "BANK-15"}


@pytest.mark.rule("BANK-12")
def test_a_known_player_who_leaves_and_comes_back_is_the_same(house: House) -> None:
    table = bank_table(house, 1, 6)
    guest = registering.set_guest(
        document_type="ci", number="4821973 LP", name="Ramón Arteaga", birth_date=dt.date(1971, 5, 2),
        by=table.by(),
    )  # fmt: skip
    table.people[4] = seats.seat(session=table.session, seat=4, guest=guest, alias="", by=table.by())
    bank = table.open(4, 500 * BOB)
    table.play(BANCA_WINS, {1: 100 * BOB})
    handing.pass_bank(bank=bank, by=table.by())
    seats.leave(taking=table.at(4), by=table.by())
    table.people[3] = seats.seat(session=table.session, seat=3, guest=guest, alias="", by=table.by())
    assert [place.seat for place in table.asked(table.passage())] == [1, 6]
    assert out(table.auction()) == {1: "", 3: "BANK-12", 6: ""}


@pytest.mark.rule("BANK-08")
def test_who_left_it_may_join_from_another_seat(house: House) -> None:
    table = passed(house, 1, 4, 6)
    moves(table, 4, 2)
    passing.take_bank(passage=table.passage(), taking=table.at(1), amount=595 * BOB, by=table.by())
    bank = table.bank()
    assert bank is not None
    panel = panel_of(table.session, table.clock)
    assert panel is not None and panel.joiner == table.at(2)
    joined = opening.join_bank(bank=bank, taking=table.at(2), by=table.by())
    assert joined.associate_id == table.at(2).pk


@pytest.mark.rule("GEN-11")
def test_players_known_by_document_take_join_and_bid_and_the_barred_do_not(house: House) -> None:
    table = bank_table(house, 1)
    numbers = {4: "4821973 LP", 6: "6012344 SC", 8: "3377120 CB"}
    for place, (seat, number) in enumerate(numbers.items()):
        guest = registering.set_guest(
            document_type="ci", number=number, name=f"Persona {'ABC'[place]}", by=table.by(),
            birth_date=dt.date(1970 + 5 * place, 5, 2 + place),
        )  # fmt: skip
        table.people[seat] = seats.seat(
            session=table.session, seat=seat, guest=guest, alias="", by=table.by()
        )
    table.open(4, 500 * BOB, associate=6)
    table.play("punto", {1: 100 * BOB})
    passage = table.passage()
    passing.decline_bank(passage=passage, taking=table.at(1), by=table.by())
    passing.take_bank(
        passage=passage, taking=table.at(8), amount=100 * BOB, associate=table.at(6), by=table.by()
    )
    # The last one asked declines, and the joint offer of two known players has it.
    passing.decline_bank(passage=passage, taking=table.at(6), by=table.by())
    bank = table.bank()
    assert bank is not None and bank.members == (table.at(8).pk, table.at(6).pk)
    table.play(BANCA_WINS, {1: 50 * BOB})
    handing.pass_bank(bank=bank, by=table.by())
    auction = table.auction()
    table.bid(auction, 4, 20 * BOB)
    excluding.exclude(
        kind="self", source="Carta", since=dt.date(2026, 1, 1), number="4821973",
        by=house.by(Role.COMPLIANCE, table.clock),
    )  # fmt: skip
    with refused("guest_excluded", "GEN-11"):
        table.bid(auction, 4, 30 * BOB)
