"""No offer of the bank waits for an answer that nobody can give, and nothing goes before what it follows.

Each case was a table that stood still, or a record that told two things, in a review.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest

from audits.verify import ledger_faults, trail_faults
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables import rounds
from tables.bank import handing, opening, passing
from tables.bank.panel import panel_of
from tables.guests import absences, excluding, queueing, registering, seats
from tables.models import Bank, Guest, Round
from tests.bank.auction_nights import passed
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


# ---- somebody leaves while the bank is offered ---------------------------------------------------------


@pytest.mark.rule("BANK-09", "BANK-25", "BAC-23")
def test_the_only_other_player_leaves_and_who_passed_it_may_keep_it(house: House) -> None:
    """595 in the bank when it was passed; nobody else is there to ask."""
    table = passed(house, 2)
    seats.leave(taking=table.at(2), by=table.by())
    assert stands(table) == ("retake", ANSWERS, 5)
    with refused("below_what_was_left", "BANK-09"):
        passing.take_bank(passage=table.passage(), taking=table.at(5), amount=594 * BOB, by=table.by())
    passing.take_bank(passage=table.passage(), taking=table.at(5), amount=595 * BOB, by=table.by())
    assert (bank_of(table).how, bank_of(table).holder) == ("retake", table.at(5))
    assert faults(house) == []


@pytest.mark.rule("BAC-23", "BANK-25")
def test_who_plays_alone_keeps_the_bank(house: House) -> None:
    """The only other player is gone before the bank is passed: it is theirs to take again at once."""
    table = bank_table(house, 2, 5)
    bank = table.open(5, 500 * BOB)
    table.play(BANCA_WINS, {2: 100 * BOB})
    seats.leave(taking=table.at(2), by=table.by())
    handing.pass_bank(bank=bank, by=table.by())
    assert stands(table) == ("retake", ANSWERS, 5)


@pytest.mark.rule("BANK-07", "BANK-25")
def test_the_last_one_asked_leaves_and_it_is_offered_to_who_passed_it(house: House) -> None:
    table = passed(house, 2, 4)
    decline(table, 4)
    seats.leave(taking=table.at(2), by=table.by())
    assert stands(table) == ("retake", ANSWERS, 5)


@pytest.mark.rule("BANK-07")
def test_who_leaves_before_the_last_one_asked_changes_nothing_of_the_turn(house: House) -> None:
    table = passed(house, 2, 4, 7)
    seats.leave(taking=table.at(2), by=table.by())
    assert stands(table) == ("rotation", ANSWERS | {"joint"}, 4)
    seats.leave(taking=table.at(4), by=table.by())
    assert stands(table) == ("rotation", ANSWERS | {"joint"}, 7)


@pytest.mark.rule("BANK-10", "BANK-25")
def test_who_might_retake_it_leaves_and_it_is_for_auction(house: House) -> None:
    table = passed(house, 2, 4)
    decline(table, 4, 2)
    assert stands(table) == ("retake", ANSWERS, 5)
    seats.leave(taking=table.at(5), by=table.by())
    assert stands(table) == ("for_auction", {"auction"}, None)
    assert {place.seat: place.rule for place in table.auction().places.all()} == {2: "", 4: ""}


@pytest.mark.rule("BANK-25", "BANK-02")
def test_all_leave_and_the_table_is_not_stranded(house: House) -> None:
    """An auction with nobody ends vacant, and whoever sits down may open a bank."""
    table = passed(house, 2)
    for seat in (5, 2):
        seats.leave(taking=table.at(seat), by=table.by())
    assert stands(table) == ("for_auction", {"auction"}, None)
    auction = table.close(table.auction())
    assert (auction.state, table.passage().result, stands(table)[:2]) == (
        "deserted",
        "vacant",
        ("free", {"open"}),
    )
    table.sit(3)
    table.open(3, 10 * BOB)
    assert faults(house) == []


@pytest.mark.rule("BANK-28", "BANK-09", "BANK-25")
def test_nobody_may_be_asked_and_who_lost_it_is_at_once(house: House) -> None:
    table = bank_table(house, 1, 5, rules={"retired_banker_barred_same_shoe": True})
    bank = table.open(5, 100 * BOB)
    table.play(BANCA_WINS, {1: 10 * BOB})
    passage = handing.pass_bank(bank=bank, by=table.by())
    passing.take_bank(passage=passage, taking=table.at(1), amount=110 * BOB, by=table.by())
    table.play(PUNTO_WINS, {5: 10 * BOB})
    assert stands(table) == ("retake", ANSWERS, 1)


@pytest.mark.rule("BANK-08", "BANK-25")
def test_the_last_one_asked_declines_and_two_together_have_it(house: House) -> None:
    table = passed(house, 2, 4, 7)
    jointly(table, 4, 7)
    decline(table, 2)
    assert stands(table)[2] == 7
    decline(table, 7)
    assert bank_of(table).members == (table.at(4).pk, table.at(7).pk)


@pytest.mark.rule("BANK-08", "BANK-25")
def test_the_last_one_asked_leaves_and_two_together_have_it(house: House) -> None:
    table = passed(house, 2, 4)
    jointly(table, 4, 5)
    seats.leave(taking=table.at(2), by=table.by())
    bank = bank_of(table)
    assert (bank.members, bank.amount, table.held(bank)) == (
        (table.at(4).pk, table.at(5).pk), 600 * BOB, 600 * BOB,
    )  # fmt: skip
    assert faults(house) == []


@pytest.mark.rule("BANK-22", "BANK-25")
def test_the_last_one_asked_is_away_and_it_goes_on(house: House) -> None:
    table = passed(house, 2)
    absences.mark_away(taking=table.at(2), by=table.by())
    assert stands(table) == ("rotation", {"absent"}, 2)
    passing.absent_at_turn(passage=table.passage(), taking=table.at(2), by=table.by())
    assert stands(table) == ("retake", ANSWERS, 5)


@pytest.mark.rule("BANK-22", "BANK-25")
def test_the_last_one_asked_loses_the_seat_to_the_list_and_it_goes_on(house: House) -> None:
    table = passed(house, 2)
    queueing.wait(alias="Espera", table=table.session.table, by=table.by())
    absences.mark_away(taking=table.at(2), by=table.by())
    absences.lose_seat(taking=table.at(2), by=table.by())
    assert stands(table) == ("retake", ANSWERS, 5)


@pytest.mark.rule("BANK-25")
@pytest.mark.parametrize("later", [True, False])
def test_the_last_one_asked_goes_to_another_table_and_it_goes_on(house: House, later: bool) -> None:
    """To a table opened after this one, or before it."""
    before = None if later else bank_table(house, 1)
    table = passed(house, 2)
    other = before or bank_table(house, 1)
    seats.move(taking=table.at(2), session=other.session, seat=7, by=table.by())
    assert stands(table) == ("retake", ANSWERS, 5)


@pytest.mark.rule("BANK-25", "BANK-22")
def test_who_might_retake_it_is_away_and_what_is_offered_can_be_done(house: House) -> None:
    """Taking and declining are refused to who is away: the panel offers that the place is lost."""
    table = passed(house, 2)
    absences.mark_away(taking=table.at(5), by=table.by())
    decline(table, 2)
    for answer in (
        lambda: passing.take_bank(
            passage=table.passage(), taking=table.at(5), amount=595 * BOB, by=table.by()
        ),
        lambda: decline(table, 5),
    ):
        with refused("away", "BANK-22"):
            answer()
    assert stands(table) == ("retake", {"absent"}, 5)


@pytest.mark.rule("BANK-22", "BANK-25")
def test_who_might_retake_it_is_away_and_loses_the_place(house: House) -> None:
    table = passed(house, 2)
    absences.mark_away(taking=table.at(5), by=table.by())
    decline(table, 2)
    passing.absent_at_turn(passage=table.passage(), taking=table.at(5), by=table.by())
    assert stands(table) == ("for_auction", {"auction"}, None)
    assert faults(house) == []


@pytest.mark.rule("BANK-25", "REC-06")
@pytest.mark.parametrize("act", ["leaves", "declines"])
def test_what_is_noted_a_little_late_leaves_no_offer_standing(house: House, act: str) -> None:
    """2 left a second after the offer began; 4 did so half a second before, or declined, and waited for the
    table: nobody is left to ask, whatever the instant."""
    table = passed(house, 2, 4)
    passage = table.passage()
    earlier, later = (passage.begun_at + dt.timedelta(milliseconds=many) for many in (500, 1_000))
    seats.leave(taking=table.at(2), by=house.by(Role.SUPERVISOR, later))
    by = house.by(Role.SUPERVISOR, earlier)
    if act == "leaves":
        seats.leave(taking=table.at(4), by=by)
    else:
        passing.decline_bank(passage=passage, taking=table.at(4), by=by)
    table.clock = later
    assert stands(table) == ("retake", ANSWERS, 5)


def joint_of_two_known(house: House) -> BankTable:
    """4 and 5, known by document, offered jointly; 1 is the last one to be asked."""
    table = bank_table(house, 1)
    known(table, 4, "4821973 LP", "Ramón Arteaga")
    known(table, 5, "6012344 SC", "Elena Vaca")
    bank = table.open(5, 500 * BOB)
    table.play(BANCA_WINS, {1: 100 * BOB})
    handing.pass_bank(bank=bank, by=table.by())
    jointly(table, 4, 5)
    return table


def _leaves(table: BankTable, house: House) -> None:
    seats.leave(taking=table.at(1), by=table.by())


def _is_absent(table: BankTable, house: House) -> None:
    absences.mark_away(taking=table.at(1), by=table.by())
    passing.absent_at_turn(passage=table.passage(), taking=table.at(1), by=table.by())


def _loses_the_seat(table: BankTable, house: House) -> None:
    absences.mark_away(taking=table.at(1), by=table.by())
    absences.lose_seat(taking=table.at(1), by=table.by())


def _goes_elsewhere(table: BankTable, house: House) -> None:
    other = bank_table(house, 2)
    seats.move(taking=table.at(1), session=other.session, seat=7, by=table.by())


@pytest.mark.rule("BANK-08", "BANK-22", "GEN-11")
@pytest.mark.parametrize("go", [_leaves, _is_absent, _loses_the_seat, _goes_elsewhere])
def test_whichever_way_the_last_one_goes_two_known_by_document_have_it(
    house: House, go: Callable[[BankTable, House], None]
) -> None:
    table = joint_of_two_known(house)
    if go is not _goes_elsewhere:
        queueing.wait(alias="Espera", table=table.session.table, by=table.by())
    go(table, house)
    assert bank_of(table).members == (table.at(4).pk, table.at(5).pk)
    assert faults(house) == []


@pytest.mark.rule("BANK-28", "BANK-08")
def test_who_is_barred_for_the_shoe_is_no_associate_of_a_joint_offer(house: House) -> None:
    """As they may not join who took it either."""
    table = passed(house, 2, 4, retired_banker_barred_same_shoe=True)
    with pytest.raises(SabotError, check=lambda error: error.rule in ("BANK-08", "BANK-28")):
        jointly(table, 4, 5)


@pytest.mark.rule("BANK-28")
def test_who_is_barred_for_the_shoe_opens_no_bank_in_it(house: House) -> None:
    """5 passed; nobody took it and nobody bid, being away or gone: the bank is nobody's, and not 5's."""
    table = passed(house, 2, retired_banker_barred_same_shoe=True)
    seats.leave(taking=table.at(2), by=table.by())
    table.close(table.auction())
    assert stands(table)[0] == "free"
    with pytest.raises(SabotError, check=lambda error: error.rule == "BANK-28"):
        table.open(5, 10 * BOB)


# ---- joint offers ---------------------------------------------------------------------------------------


@pytest.mark.rule("BANK-08", "GEN-11")
def test_a_joint_offer_of_who_is_excluded_since_is_passed_over(house: House) -> None:
    table = bank_table(house, 1, 5)
    known(table, 4, "4821973 LP", "Ramón Arteaga")
    bank = table.open(5, 500 * BOB)
    table.play(BANCA_WINS, {1: 100 * BOB})
    handing.pass_bank(bank=bank, by=table.by())
    jointly(table, 4, 5)
    excluding.exclude(
        kind="self", source="Carta", since=dt.date(2026, 1, 1), number="4821973",
        by=house.by(Role.COMPLIANCE, table.clock),
    )  # fmt: skip
    decline(table, 1)
    assert stands(table) == ("retake", ANSWERS, 5)


@pytest.mark.rule("BANK-08")
def test_who_offered_jointly_and_changed_place_has_it_on_the_new_seat(house: House) -> None:
    table = passed(house, 2, 4)
    jointly(table, 4, 5)
    table.people[9] = seats.move(taking=table.at(4), session=table.session, seat=9, by=table.by())
    assert stands(table)[2] == 2
    decline(table, 2)
    bank = bank_of(table)
    assert (bank.members, bank.holder.seat) == ((table.at(9).pk, table.at(5).pk), 9)
    assert faults(house) == []


@pytest.mark.rule("BANK-08", "BANK-22")
@pytest.mark.parametrize("missing", [4, 7])
def test_a_joint_offer_needs_both_at_the_table(house: House, missing: int) -> None:
    """One of the two is away, or has left, when everybody was asked: who passed it may retake it."""
    table = passed(house, 2, 4, 7)
    jointly(table, 4, 7)
    decline(table, 2, 7)
    assert bank_of(table).amount == 600 * BOB
    away = passed(house, 2, 4, 7)
    jointly(away, 4, 5)
    absences.mark_away(taking=away.at(4 if missing == 4 else 5), by=away.by())
    decline(away, 2, 7)
    assert away.bank() is None and away.passage().step == "retake"
    left = passed(house, 2, 4, 7)
    jointly(left, 4, 7)
    seats.leave(taking=left.at(missing), by=left.by())
    decline(left, *(seat for seat in (2, 7) if seat != missing))
    assert stands(left) == ("retake", ANSWERS, 5)


@pytest.mark.rule("BANK-08")
def test_the_first_joint_offer_that_still_holds_has_it(house: House) -> None:
    """4 with 5 is first and passed over, 5 being away; 2 with 7 is next."""
    table = passed(house, 2, 4, 7)
    jointly(table, 4, 5, 700 * BOB)
    jointly(table, 2, 7, 600 * BOB)
    absences.mark_away(taking=table.at(5), by=table.by())
    decline(table, 7)
    assert (bank_of(table).members, bank_of(table).amount) == ((table.at(2).pk, table.at(7).pk), 600 * BOB)


# ---- who is away ----------------------------------------------------------------------------------------


@pytest.mark.rule("BANK-22")
def test_who_is_away_takes_no_part_in_the_bank(house: House) -> None:
    table = passed(house, 2, 4)
    passage = table.passage()
    absences.mark_away(taking=table.at(2), by=table.by())
    with refused("away", "BANK-22"):
        jointly(table, 4, 2)
    absences.mark_away(taking=table.at(4), by=table.by())
    with refused("away", "BANK-22"):
        passing.decline_bank(passage=passage, taking=table.at(4), by=table.by())
    with refused("away", "BANK-22"):
        passing.take_bank(passage=passage, taking=table.at(4), amount=595 * BOB, by=table.by())
    absences.come_back(taking=table.at(4), by=table.by())
    absences.mark_away(taking=table.at(5), by=table.by())
    passing.take_bank(passage=passage, taking=table.at(4), amount=595 * BOB, by=table.by())
    with refused("away", "BANK-22"):
        opening.join_bank(bank=bank_of(table), taking=table.at(5), by=table.by())


@pytest.mark.rule("BANK-22", "BANK-02")
@pytest.mark.parametrize("away", [4, 5])
def test_who_is_away_opens_no_bank_nor_is_an_associate(house: House, away: int) -> None:
    table = bank_table(house, 4, 5)
    absences.mark_away(taking=table.at(away), by=table.by())
    with refused("away", "BANK-22"):
        table.open(5, 100 * BOB, associate=4)


@pytest.mark.rule("BANK-05", "BANK-10")
def test_who_won_the_auction_and_is_away_keeps_bank_and_seat(house: House) -> None:
    table = passed(house, 2, 4)
    auction = table.auction()
    table.bid(auction, 2, 50 * BOB)
    absences.mark_away(taking=table.at(2), by=table.by())
    table.close(auction)
    assert bank_of(table).holder == table.at(2)
    with refused("bank_held", "BANK-05"):
        absences.lose_seat(taking=table.at(2), by=table.by())
