"""Nobody bid: whose right hand must take the bank (BANK-13), how that was counted, and that the act holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audits.models import Event
from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from tables import rounds
from tables.bank import acts, auctions, handing, opening, passing, verify_act
from tables.bank.order import Place
from tables.guests import absences, seats
from tables.models import Auction, Bank
from tests.bank.auction_nights import deposited, passed
from tests.bank.builders import BANCA_WINS, BankTable, bank_table
from tests.builders import BOB, House
from tests.tables.refusing import refused

pytestmark = pytest.mark.rule("BANK-13")


def bank_of(table: BankTable) -> Bank:
    bank = table.bank()
    assert bank is not None
    return bank


def out(auction: Auction) -> dict[int, str]:
    return {place.seat: place.rule for place in auction.places.all()}


def counted(auction: Auction) -> dict[str, Any]:
    """How the right hand was counted, as the act has it, which the verifier holds."""
    act = verify_act.read(json.dumps(acts.act_of(Auction.objects.get(pk=auction.pk))))
    assert list(verify_act.verify(act))
    found: dict[str, Any] = act["auction"]["right_hand"]
    return found


def skipped(auction: Auction) -> dict[int, str]:
    return {one["seat"]: one["why"] for one in counted(auction)["skipped"]}


def faults(house: House) -> list[str]:
    return [
        f"{one.where}: {one.words.en}"
        for prove in (trail_faults, ledger_faults)
        for one in prove(house.casino)
    ]


def sits_in_a_round(table: BankTable, seat: int, bettor: int) -> None:
    """Somebody takes a vacant seat while a round is played, which is then given up."""
    table.session.refresh_from_db()
    bet = {"e": "bet", "seat": bettor, "spot": "punto", "amount": 50 * BOB}
    playing = rounds.play(
        session=table.session, number=table.session.last_round + 1, step=0, events=[bet],
        by=table.by(Role.PIT_BOSS),
    )  # fmt: skip
    table.sit(seat)
    by = table.by(Role.PIT_BOSS, reason="mal repartido")
    rounds.abandon(session=table.session, number=playing.number, step=len(playing.log), by=by)


def test_it_is_the_nearest_to_the_right_of_who_passed_it(house: House) -> None:
    table = passed(house, 2, 4, 7)
    auction = table.close(table.auction())
    assert (bank_of(table).how, bank_of(table).holder, bank_of(table).required) == (
        "forced", table.at(4), 10 * BOB,
    )  # fmt: skip
    found = counted(auction)
    assert (found["from_seat"], found["direction"], found["table_seats"]) == (5, "right", 9)
    assert skipped(auction) == {5: "passed"}


@pytest.mark.rule("BANK-24")
def test_where_the_bank_goes_to_the_left_it_is_the_left_hand(house: House) -> None:
    table = passed(house, 2, 4, 7, rotation="left")
    auction = table.close(table.auction())
    assert (bank_of(table).holder, counted(auction)["direction"]) == (table.at(7), "left")


@pytest.mark.rule("BANK-22")
def test_who_is_away_is_passed_over(house: House) -> None:
    table = passed(house, 2, 4)
    auction = table.auction()
    absences.mark_away(taking=table.at(4), by=table.by())
    table.close(auction)
    assert bank_of(table).holder == table.at(2)
    assert skipped(auction) == {4: "away", 5: "passed"}


@pytest.mark.rule("BANK-20")
def test_priority_lost_does_not_count_here(house: House) -> None:
    """4 sat down during a round: asked after 2, and yet the right hand of 5."""
    table = bank_table(house, 2, 5)
    bank = table.open(5, 500 * BOB)
    table.play(BANCA_WINS, {2: 100 * BOB})
    sits_in_a_round(table, 4, 2)
    handing.pass_bank(bank=bank, by=table.by())
    asked = table.asked(table.passage())
    assert [(place.seat, _rules(place)) for place in asked] == [
        (2, ["BANK-24"]), (4, ["BANK-24", "BANK-20"]),
    ]  # fmt: skip
    table.close(table.auction())
    assert bank_of(table).holder == table.at(4)


def _rules(place: Place) -> list[str]:
    return [rule for rule, _ in place.reasons]


@pytest.mark.rule("BANK-20")
def test_who_changed_place_during_a_round_is_asked_last_and_between_rounds_in_order(house: House) -> None:
    """2, 4 and 7 sit; 7 moves to 3 between rounds, and keeps priority; then 4 moves to 6 during one."""
    table = bank_table(house, 2, 4, 5, 7)
    bank = table.open(5, 500 * BOB)
    table.play(BANCA_WINS, {2: 100 * BOB})
    table.people[3] = seats.move(taking=table.at(7), session=table.session, seat=3, by=table.by())
    table.session.refresh_from_db()
    bet = {"e": "bet", "seat": 2, "spot": "punto", "amount": 50 * BOB}
    playing = rounds.play(
        session=table.session, number=table.session.last_round + 1, step=0, events=[bet],
        by=table.by(Role.PIT_BOSS),
    )  # fmt: skip
    table.people[6] = seats.move(taking=table.at(4), session=table.session, seat=6, by=table.by())
    by = table.by(Role.PIT_BOSS, reason="mal repartido")
    rounds.abandon(session=table.session, number=playing.number, step=len(playing.log), by=by)
    handing.pass_bank(bank=bank, by=table.by())
    asked = table.asked(table.passage())
    assert [(place.seat, _rules(place)) for place in asked] == [
        (3, ["BANK-24"]), (2, ["BANK-24"]), (6, ["BANK-24", "BANK-20"]),
    ]  # fmt: skip


def test_who_sat_down_since_the_opening_is_not_obliged(house: House) -> None:
    table = passed(house, 2)
    auction = table.auction()
    table.sit(4)
    with refused("not_seated", "BANK-10"):
        table.bid(auction, 4, 20 * BOB)
    table.close(auction)
    assert bank_of(table).holder == table.at(2)
    deposited(table, auction, 10 * BOB)
    assert skipped(auction) == {4: "came_later", 5: "passed"}
    assert faults(house) == []


def test_who_left_since_the_opening_is_passed_over(house: House) -> None:
    table = passed(house, 2, 4)
    auction = table.auction()
    seats.leave(taking=table.at(4), by=table.by())
    table.close(auction)
    assert bank_of(table).holder == table.at(2)
    assert skipped(auction) == {4: "left", 5: "passed"}


def test_another_on_the_seat_of_who_left_since_is_not_obliged(house: House) -> None:
    table = passed(house, 2, 4)
    auction = table.auction()
    seats.leave(taking=table.at(4), by=table.by())
    table.people[4] = seats.seat(session=table.session, seat=4, alias="OTRO", by=table.by())
    table.close(auction)
    assert bank_of(table).holder == table.at(2)
    assert skipped(auction) == {4: "came_later", 5: "passed"}


def test_who_changed_place_since_the_opening_is_still_obliged_and_the_act_holds(house: House) -> None:
    """4 moves to 9: now 2 is the nearest to the right of 5. With 2 away it is 9's."""
    table = passed(house, 2, 4)
    auction = table.auction()
    table.people[9] = seats.move(taking=table.at(4), session=table.session, seat=9, by=table.by())
    absences.mark_away(taking=table.at(2), by=table.by())
    table.close(auction)
    assert bank_of(table).holder == table.at(9)
    assert skipped(auction)[2] == "away"
    deposited(table, auction, 10 * BOB)
    assert counted(auction)
    assert faults(house) == []


def test_who_changed_place_to_a_nearer_seat_is_the_right_hand_and_the_act_holds(house: House) -> None:
    table = passed(house, 2, 7)
    auction = table.auction()
    table.people[4] = seats.move(taking=table.at(7), session=table.session, seat=4, by=table.by())
    table.close(auction)
    assert bank_of(table).holder == table.at(4)
    assert counted(auction)["from_seat"] == 5
    assert faults(house) == []


@pytest.mark.rule("BANK-15")
def test_two_who_refused_are_not_obliged(house: House) -> None:
    """5 and the associate 4 opened and will not deal: to the right of 5, past 4, sits 2."""
    table = bank_table(house, 1, 2, 4, 5)
    bank = table.open(5, 500 * BOB, associate=4)
    auctions.refuse_bank(bank=bank, by=table.by(reason="no quieren repartir"))
    auction = table.auction()
    assert out(auction) == {1: "", 2: "", 4: "BANK-15", 5: "BANK-15"}
    table.close(auction)
    assert bank_of(table).holder == table.at(2)
    assert skipped(auction) == {4: "refused", 5: "refused"}


@pytest.mark.rule("BANK-12")
def test_the_associate_of_who_passed_it_may_not_bid_and_is_obliged(house: House) -> None:
    table = bank_table(house, 2, 4, 5)
    bank = table.open(5, 500 * BOB, associate=4)
    table.play(BANCA_WINS, {2: 100 * BOB})
    handing.pass_bank(bank=bank, by=table.by())
    auction = table.auction()
    assert out(auction) == {2: "", 4: "BANK-12", 5: "BANK-12"}
    table.close(auction)
    assert bank_of(table).holder == table.at(4)
    assert skipped(auction) == {5: "passed"}


@pytest.mark.rule("BANK-28", "BANK-08")
def test_who_is_barred_for_the_shoe_neither_joins_nor_is_obliged(house: House) -> None:
    """5 passed and is barred, 4 passes: of 9, who is away, and these two, nobody must take it."""
    table = passed(house, 2, 4, retired_banker_barred_same_shoe=True)
    passing.take_bank(passage=table.passage(), taking=table.at(4), amount=595 * BOB, by=table.by())
    bank = bank_of(table)
    with refused("bad_associate", "BANK-08"):
        opening.join_bank(bank=bank, taking=table.at(5), by=table.by())
    table.play(BANCA_WINS, {2: 10 * BOB})
    table.sit(9)
    handing.pass_bank(bank=bank, by=table.by())
    seats.leave(taking=table.at(2), by=table.by())
    assert [place.seat for place in table.asked(table.passage())] == [9]
    auction = table.auction()
    assert out(auction) == {4: "BANK-12", 5: "BANK-28", 9: ""}
    absences.mark_away(taking=table.at(9), by=table.by())
    auction = table.close(auction)
    assert (auction.state, table.bank()) == ("deserted", None)
    assert skipped(auction) == {4: "passed", 5: "barred", 9: "away"}
    assert faults(house) == []


def test_the_event_tells_how_it_was_counted(house: House) -> None:
    table = passed(house, 2, 4)
    auction = table.auction()
    absences.mark_away(taking=table.at(4), by=table.by())
    table.close(auction)
    event = Event.objects.get(action="tables.auction.forced")
    told = json.loads(bytes(event.body))["data"]["right_hand"]
    assert told == {
        "from_seat": 5,
        "direction": "right",
        "table_seats": 9,
        "skipped": [
            {"seat": 4, "player": "J4", "why": "away"},
            {"seat": 5, "player": "J5", "why": "passed"},
        ],
        "moved": [],
    }
