"""The bank passes on: by turn, jointly, retaken; who is asked when, and who not."""

from __future__ import annotations

import datetime as dt

import pytest

from tables.bank import handing, opening, passing
from tables.bank.order import Sitting, order
from tables.bank.turns import due, places_in
from tables.guests import absences, seats
from tables.models import BankPassage
from tests.bank.builders import BANCA_WINS, PUNTO_WINS, TIE, BankTable, bank_table
from tests.builders import BOB, NIGHT, House
from tests.tables.refusing import refused


def passed(house: House, *seats_taken: int, **rules: object) -> tuple[BankTable, BankPassage]:
    """Seat 5 opened with 500, won 100 less 5 (595 in the bank), and passed it on."""
    table = bank_table(house, 5, *seats_taken, rules=dict(rules) or None)
    bank = table.open(5, 500 * BOB)
    table.play(BANCA_WINS, {seats_taken[0]: 100 * BOB})
    return table, handing.pass_bank(bank=bank, by=table.by())


def asked(table: BankTable, passage: BankPassage) -> list[int]:
    by = table.by()
    return [place.seat for place in places_in(table.session, passage, by.occurred_at)]


@pytest.mark.rule("BANK-07", "BANK-24")
def test_the_bank_goes_round_to_the_right(house: House) -> None:
    """Nine seats; to the right of seat 5 come 4, 3, 2, 1, 9, 8, 7, 6."""
    table, passage = passed(house, 2, 4, 7, 9)
    assert asked(table, passage) == [4, 2, 9, 7]
    with refused("not_their_turn", "BANK-07"):
        passing.take_bank(passage=passage, taking=table.at(2), amount=595 * BOB, by=table.by())
    passing.decline_bank(passage=passage, taking=table.at(4), by=table.by())
    passing.take_bank(passage=passage, taking=table.at(2), amount=595 * BOB, by=table.by())
    bank = table.bank()
    assert bank is not None
    assert (bank.how, bank.holder, bank.amount, table.held(bank)) == (
        "turn",
        table.at(2),
        595 * BOB,
        595 * BOB,
    )
    passage.refresh_from_db()
    assert (passage.step, passage.result, passage.to) == ("over", "taken", bank)


@pytest.mark.rule("BANK-24")
def test_the_house_may_have_it_go_round_to_the_left(house: House) -> None:
    table, passage = passed(house, 2, 4, 7, 9, rotation="left")
    assert asked(table, passage) == [7, 9, 2, 4]


@pytest.mark.rule("BANK-06")
def test_who_takes_a_bank_that_was_passed_puts_at_least_as_much(house: House) -> None:
    table, passage = passed(house, 4)
    with refused("below_what_was_left", "BANK-06"):
        passing.take_bank(passage=passage, taking=table.at(4), amount=594 * BOB, by=table.by())
    passing.take_bank(passage=passage, taking=table.at(4), amount=600 * BOB, by=table.by())


@pytest.mark.rule("BANK-06", "GEN-04")
def test_a_bank_may_win_beyond_the_maximum_and_the_next_puts_in_at_most_that(house: House) -> None:
    """Most 1.000: 900 put in, 400 won less 20 is 1.280, played on; passed on, the next puts 1.000."""
    table = bank_table(house, 4, 5)
    bank = table.open(5, 900 * BOB)
    table.play(BANCA_WINS, {4: 400 * BOB})
    played = table.play(TIE, {4: 400 * BOB})
    assert (played.log[0]["amount"], played.log[0]["won"]) == (1_280 * BOB, 380 * BOB)
    with refused("above_maximum", "GEN-04"):
        opening.add_to_bank(bank=bank, amount=10 * BOB, by=table.by())
    passage = handing.pass_bank(bank=bank, by=table.by())
    bank.refresh_from_db()
    assert (bank.left_with, passage.least, passage.retake) == (1_280 * BOB, 1_000 * BOB, 1_000 * BOB)


@pytest.mark.rule("BANK-06")
def test_after_a_lost_hand_the_minimum_is_enough(house: House) -> None:
    table = bank_table(house, 4, 5)
    table.open(5, 500 * BOB)
    table.play(PUNTO_WINS, {4: 100 * BOB})
    passage = table.passage()
    assert passage.least == 10 * BOB
    passing.take_bank(passage=passage, taking=table.at(4), amount=10 * BOB, by=table.by())


@pytest.mark.rule("BANK-08")
def test_one_alone_goes_before_two_together(house: House) -> None:
    """Seat 4 offers jointly with 2, first in turn; seat 2 declines, seat 9 takes it alone."""
    table, passage = passed(house, 2, 4, 9)
    passing.take_bank(
        passage=passage, taking=table.at(4), amount=700 * BOB, associate=table.at(2), by=table.by()
    )
    assert table.bank() is None
    passing.decline_bank(passage=passage, taking=table.at(2), by=table.by())
    passing.take_bank(passage=passage, taking=table.at(9), amount=595 * BOB, by=table.by())
    bank = table.bank()
    assert bank is not None and (bank.holder, bank.associate) == (table.at(9), None)


@pytest.mark.rule("BANK-08")
def test_two_together_have_it_if_nobody_takes_it_alone(house: House) -> None:
    table, passage = passed(house, 2, 4, 9)
    passing.take_bank(
        passage=passage, taking=table.at(4), amount=700 * BOB, associate=table.at(2), by=table.by()
    )
    for seat in (2, 9):
        passing.decline_bank(passage=passage, taking=table.at(seat), by=table.by())
    bank = table.bank()
    assert bank is not None
    assert (bank.holder, bank.associate, bank.amount) == (table.at(4), table.at(2), 700 * BOB)


@pytest.mark.rule("BANK-08")
def test_who_left_it_may_join_who_took_it_and_nobody_else(house: House) -> None:
    table, passage = passed(house, 2, 4)
    passing.take_bank(passage=passage, taking=table.at(4), amount=595 * BOB, by=table.by())
    bank = table.bank()
    assert bank is not None
    with refused("bad_associate", "BANK-08"):
        opening.join_bank(bank=bank, taking=table.at(2), by=table.by())
    opening.join_bank(bank=bank, taking=table.at(5), amount=100 * BOB, by=table.by())
    bank.refresh_from_db()
    assert (bank.associate, bank.amount, table.held(bank)) == (table.at(5), 695 * BOB, 695 * BOB)


@pytest.mark.rule("BANK-09", "BANK-25")
def test_nobody_wants_it_and_who_passed_it_retakes_it_for_as_much(house: House) -> None:
    table, passage = passed(house, 2, 4)
    for seat in (4, 2):
        passing.decline_bank(passage=passage, taking=table.at(seat), by=table.by())
    passage.refresh_from_db()
    assert (passage.step, asked(table, passage)) == ("retake", [5])
    with refused("below_what_was_left", "BANK-09"):
        passing.take_bank(passage=passage, taking=table.at(5), amount=594 * BOB, by=table.by())
    passing.take_bank(passage=passage, taking=table.at(5), amount=595 * BOB, by=table.by())
    bank = table.bank()
    assert bank is not None and (bank.how, bank.holder) == ("retake", table.at(5))


@pytest.mark.rule("BANK-25")
def test_declined_by_all_it_is_for_auction(house: House) -> None:
    table, passage = passed(house, 2, 4)
    for seat in (4, 2, 5):
        passing.decline_bank(passage=passage, taking=table.at(seat), by=table.by())
        passage.refresh_from_db()
    assert passage.step == "auction"


@pytest.mark.rule("BANK-22")
def test_who_is_away_at_their_turn_loses_the_place(house: House) -> None:
    table, passage = passed(house, 2, 4)
    with refused("not_away"):
        passing.absent_at_turn(passage=passage, taking=table.at(4), by=table.by())
    absences.mark_away(taking=table.at(4), by=table.by())
    passing.absent_at_turn(passage=passage, taking=table.at(4), by=table.by())
    by = table.by()
    place = due(table.session, passage, by.occurred_at)
    assert place is not None and place.seat == 2
    table.at(4).refresh_from_db()
    assert table.at(4).during.upper is not None


@pytest.mark.rule("BANK-05")
def test_who_has_the_bank_does_not_leave_the_seat(house: House) -> None:
    table = bank_table(house, 4, 5)
    table.open(5, 500 * BOB)
    with refused("bank_held", "BANK-05"):
        seats.leave(taking=table.at(5), by=table.by())


# ---- the order, as plain values ---------------------------------------------------------------------------

AT = NIGHT


def sitting(seat: int, *lost: int, away: bool = False) -> Sitting:
    """A player on a seat who lost priority so many minutes after `AT`."""
    minutes = tuple(AT + dt.timedelta(minutes=minute) for minute in lost)
    return Sitting(seat, seat, f"J{seat}", minutes, AT if away else None)


@pytest.mark.rule("BANK-20")
def test_whoever_lost_priority_in_this_shoe_comes_last_in_the_order_it_was_lost() -> None:
    """From seat 5: 4, 3, 9, 7 by seat; 4 lost it at minute 9, 9 at minute 3; 3 lost it in the shoe before."""
    shoe = AT + dt.timedelta(minutes=2)
    found = order([sitting(9, 3), sitting(4, 9), sitting(3, 1), sitting(7)], left=5, seats=9, shoe_since=shoe)
    assert [place.seat for place in found] == [3, 7, 9, 4]
    assert [rule for rule, _ in found[0].reasons] == ["BANK-24"]
    assert [rule for rule, _ in found[3].reasons] == ["BANK-24", "BANK-20"]


@pytest.mark.rule("BANK-22", "BANK-23")
def test_who_is_away_keeps_the_place_until_asked() -> None:
    found = order([sitting(4, away=True), sitting(2)], left=5, seats=9)
    assert [(place.seat, place.away) for place in found] == [(4, True), (2, False)]


def test_another_on_the_seat_the_bank_left_is_asked_last() -> None:
    found = order([sitting(5), sitting(6), sitting(4)], left=5, seats=9)
    assert [place.seat for place in found] == [4, 6, 5]
