"""Chips of the progressive in the tray: expected in the count, off the result, given back to who bet them."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from audits import ledger
from casino.kernel.errors import SabotError
from jackpots import betting, complementary, credits, promoting, proofs
from jackpots.models import CreditMove, SeatCredits
from tables import money_proofs, results, statement
from tables.guests import seats
from tables.models import SeatTaking, TableSession
from tests.builders import BOB, FLOAT, House
from tests.guests.builders import guest, sit
from tests.jackpots.builders import NOTHING, PoolNight, a_pool
from tests.jackpots.test_complementary import drawn
from tests.jackpots.test_voiding import HIGH, OTHER, void

ATE = {**FLOAT, 5 * BOB: FLOAT.get(5 * BOB, 0) + 13}
"""The first float and 65.00 more."""


def refused(act: Any) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def counted(night: PoolNight) -> TableSession:
    """Closed on 65.00 more than it opened with, and no drop."""
    return night.house.close(night.sessions[0], ATE, at=night.by().occurred_at, drop=0)


def clean(house: House) -> bool:
    faults = [*proofs.told_faults(house.casino), *proofs.money_faults(house.casino)]
    return [*faults, *money_proofs.money_faults(house.casino)] == []


@pytest.mark.rule("FLOOR-12", "PP-28")
def test_chips_paid_for_credits_are_expected_and_are_not_the_tables_win(house: House) -> None:
    """Two positions lose ANTE 10.00 and BET 20.00: the house wins 60.00. Ten credits of 5.00 bought, one
    bet, nine returned: 5.00 of the tray are the pool's."""
    night = a_pool(house)
    session = night.sessions[0]
    opened = results.expected_tray(session)
    night.buy(0, 2)
    assert results.expected_tray(session) == opened + 50 * BOB
    night.bet(0, 2)
    night.play(0, {2: NOTHING, 4: OTHER}, house=HIGH)
    credits.return_credits(session=session, seat=2, credits=9, by=night.by())
    assert results.expected_tray(session) == opened + 60 * BOB + 5 * BOB
    done = counted(night)
    assert (done.progressive, done.result, done.unexplained) == (5 * BOB, 60 * BOB, 0)
    (line,) = [one for one in statement.of(done).lines if one.code == "progressive"]
    assert (line.sign, line.amount) == (-1, 5 * BOB)
    assert ledger.balance(house.casino, f"chips:{session.pk}") == -5 * BOB
    assert clean(house)


@pytest.mark.rule("FLOOR-12", "PP-11")
def test_chips_of_a_slot_come_into_the_tray_with_their_round_and_go_out_when_it_is_voided(
    house: House,
) -> None:
    night = a_pool(house, form="chips")
    session = night.sessions[0]
    opened = results.expected_tray(session)
    night.bet(0, 2)
    assert results.expected_tray(session) == opened
    first = night.play(0, {2: NOTHING, 4: OTHER}, house=HIGH)
    assert results.expected_tray(session) == opened + 65 * BOB
    void(night, first)
    assert results.expected_tray(session) == opened
    assert TableSession.objects.get(pk=session.pk).progressive == 0
    night.bet(0, 2)
    night.play(0, {2: NOTHING, 4: OTHER}, house=HIGH)
    done = counted(night)
    assert (done.progressive, done.result, done.unexplained) == (5 * BOB, 60 * BOB, 0)
    assert clean(house)


@pytest.mark.rule("FLOOR-12", "PP-29")
def test_the_chips_of_a_pool_cannot_be_altered_unseen(house: House) -> None:
    night = a_pool(house)
    night.buy(0, 2)
    night.bet(0, 2)
    night.play(0, {2: NOTHING, 4: OTHER}, house=HIGH)
    credits.return_credits(session=night.sessions[0], seat=2, credits=9, by=night.by())
    change = "UPDATE tables_tablesession SET progressive = progressive + 100 WHERE id = %s"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change, [night.sessions[0].pk])
        assert [fault.code for fault in proofs.money_faults(house.casino)] == ["money_differs"]
        transaction.set_rollback(True)
    counted(night)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change, [night.sessions[0].pk])


# ---- who leaves ----------------------------------------------------------------------------------------


def seated(night: PoolNight, seat: int = 2) -> SeatTaking:
    return sit(night.house, night.sessions[0], seat, guest(night.house), at=night.by().occurred_at)


@pytest.mark.rule("PP-09")
def test_nobody_leaves_credits_or_a_bet_behind(house: House) -> None:
    night = a_pool(house)
    taking = seated(night)
    night.buy(0, 2)
    bet = night.bet(0, 2)
    waits = refused(lambda: seats.leave(taking=taking, by=night.by()))
    assert (waits.code, waits.rule) == ("bet_waits", "PP-09")
    betting.cancel_bet(bet=bet, by=night.by())
    to = {"taking": taking, "session": night.sessions[0], "seat": 5}
    for act in (
        lambda: seats.leave(taking=taking, by=night.by()),
        lambda: seats.move(**to, by=night.by()),
    ):
        left = refused(act)
        assert (left.code, left.rule) == ("credits_left", "PP-09")
        assert "50,00" in left.message.es
    credits.return_credits(session=night.sessions[0], seat=2, credits=10, by=night.by())
    assert seats.leave(taking=taking, by=night.by()).during.upper is not None


@pytest.mark.rule("PP-09", "REC-07")
def test_a_voided_bets_credits_are_of_who_bet_them(house: House) -> None:
    """The first player bets one of two credits, returns the other and leaves; a second sits down with two.
    The round is voided: 5.00 go out in chips under the first one's name, the second has theirs."""
    night = a_pool(house)
    session, first = night.sessions[0], seated(night)
    night.buy(0, 2, 2)
    night.bet(0, 2)
    done = night.play(0, {2: NOTHING, 4: OTHER}, house=HIGH)
    credits.return_credits(session=session, seat=2, credits=1, by=night.by())
    seats.leave(taking=first, by=night.by())
    seated(night)
    night.buy(0, 2, 2)
    void(night, done)
    assert SeatCredits.objects.get(session=session, seat=2).amount == 10 * BOB
    back = CreditMove.objects.filter(kind="returned").latest("pk")
    assert (back.taking_id, back.amount) == (first.pk, 5 * BOB)
    assert TableSession.objects.get(pk=session.pk).progressive == 10 * BOB
    assert clean(house)


@pytest.mark.rule("PP-25")
def test_promotional_credits_of_who_leaves_go_back_to_the_house(house: House) -> None:
    night = a_pool(house)
    taking = seated(night)
    draw = drawn(night, "credits", 20 * BOB)
    assert complementary.record_of(draw)["winner"]
    promoting.pay_in_credits(draw=draw, by=night.by())
    credits.return_credits(session=night.sessions[0], seat=2, credits=9, by=night.by())
    owed = ledger.balance(house.casino, night.pool.house_account)
    seats.leave(taking=taking, by=night.by())
    assert ledger.balance(house.casino, night.pool.house_account) == owed + 20 * BOB
    assert SeatCredits.objects.get(session=night.sessions[0], seat=2).amount == 0
    assert clean(house)
