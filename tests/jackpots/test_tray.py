"""Chips of the progressive in the tray: expected in the count, off the result, given back to who bet them."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from audits import ledger
from audits.ledger import Move
from casino.kernel.errors import SabotError
from jackpots import betting, complementary, credits, members, promoting, proofs, settling, tray
from jackpots.models import CreditMove, PoolTable, SeatCredits
from jackpots.promotional import promotional_at
from tables import results, statement
from tables.guests import seats
from tables.models import SeatTaking, TableSession
from tables.proofs import floor_faults
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
    return [*faults, *floor_faults(house.casino)] == []


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


# ---- of before ---------------------------------------------------------------------------------------


def as_before(patch: pytest.MonkeyPatch) -> None:
    """Credits and slots as they were recorded before their chips were expected in the tray."""
    plain, data = credits.note, settling._Told.data
    unsaid = ("taking", "in_tray", "chips")

    def said(told: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in told.items() if key not in unsaid}

    def moved(session: TableSession, kind: str, amount: int, *_: Any) -> list[Move]:
        return [Move(f"players:{session.pk}", f"credits:{session.pk}", amount, "credits")]

    patch.setattr(credits, "note", lambda act, on, by, told, rules: plain(act, on, by, said(told), rules))
    patch.setattr(credits, "_moves", moved)
    patch.setattr(settling._Told, "data", lambda told: said(data(told)))
    patch.setattr(tray, "source_of", lambda session, pool: f"players:{session.pk}")
    patch.setattr(tray, "chips_in", lambda session, amount: Move("players:0", "tray:0", 0, "progressive"))
    patch.setattr(tray, "count", lambda session, change: None)


@pytest.mark.rule("PP-09", "FLOOR-12")
def test_credits_bought_before_chips_were_expected_in_the_tray_are_returned(house: House) -> None:
    """50.00 bought before and 20.00 since: of 30.00 returned 20.00 come out of what the tray is known to
    have of it; the last 40.00 go back as they came."""
    night = a_pool(house)
    session = night.sessions[0]
    with pytest.MonkeyPatch.context() as patch:
        as_before(patch)
        night.buy(0, 2, 10)
    night.buy(0, 2, 4)
    assert TableSession.objects.get(pk=session.pk).progressive == 20 * BOB
    credits.return_credits(session=session, seat=2, credits=6, by=night.by())
    assert TableSession.objects.get(pk=session.pk).progressive == 0
    credits.return_credits(session=session, seat=2, credits=8, by=night.by())
    assert ledger.balance(house.casino, f"credits:{session.pk}") == 0
    assert clean(house)


@pytest.mark.rule("REC-07", "PP-11")
def test_a_slots_round_of_before_is_voided(house: House) -> None:
    night = a_pool(house, form="chips")
    with pytest.MonkeyPatch.context() as patch:
        as_before(patch)
        night.bet(0, 2)
        done = night.play(0, {2: NOTHING, 4: OTHER}, house=HIGH)
    void(night, done)
    assert TableSession.objects.get(pk=night.sessions[0].pk).progressive == 0
    assert clean(house)


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


@pytest.mark.rule("PP-25", "REC-07")
def test_a_voided_bet_does_not_touch_the_promotional_credits_of_who_sits_there_now(house: House) -> None:
    """The first player's 5.00 were bought: voided, they go back in chips, and the second keeps 20.00."""
    night = a_pool(house)
    session, first = night.sessions[0], seated(night)
    night.buy(0, 2, 1)
    night.bet(0, 2)
    done = night.play(0, {2: NOTHING, 4: OTHER}, house=HIGH)
    seats.leave(taking=first, by=night.by())
    seated(night)
    promoting.pay_in_credits(draw=drawn(night, "credits", 20 * BOB), by=night.by())
    credits.return_credits(session=session, seat=2, credits=9, by=night.by())
    void(night, done)
    back = CreditMove.objects.latest("pk")
    assert (back.kind, back.taking_id, back.amount) == ("returned", first.pk, 5 * BOB)
    assert promotional_at(session, 2) == SeatCredits.objects.get(session=session, seat=2).amount == 20 * BOB
    assert clean(house)


@pytest.mark.rule("PP-09", "PP-25")
def test_what_was_bought_is_returned_while_a_promotional_bet_waits(house: House) -> None:
    """20.00 given beside 45.00 bought; a bet of 20.00 waits, which is of the given ones: 45.00 go back."""
    night = a_pool(house)
    promoting.pay_in_credits(draw=drawn(night, "credits", 20 * BOB), by=night.by())
    night.bet(0, 2, 4)
    session = night.sessions[0]
    assert credits.cashable_at(session, 2) == 45 * BOB
    credits.return_credits(session=session, seat=2, credits=9, by=night.by())
    assert refused(
        lambda: credits.return_credits(session=session, seat=2, credits=1, by=night.by())
    ).code == "no_credits"  # fmt: skip


@pytest.mark.rule("PP-09", "REC-07")
def test_a_voided_bets_credits_go_back_in_chips_where_the_table_feeds_the_pool_no_more(house: House) -> None:
    night = a_pool(house)
    session = night.sessions[0]
    night.buy(0, 2, 1)
    night.bet(0, 2)
    done = night.play(0, {2: NOTHING, 4: OTHER}, house=HIGH)
    with night.now():
        members.unlink_table(member=PoolTable.objects.get(), by=night.by(reason="se retira"))
    void(night, done)
    assert SeatCredits.objects.get(session=session, seat=2).amount == 0
    assert TableSession.objects.get(pk=session.pk).progressive == 0
    assert clean(house)
    assert night.house.close(session, FLOAT, at=night.by().occurred_at).state == "closed"
