"""Complementary prizes: only with their filing, drawn so that anyone can check it, paid by the house."""

from __future__ import annotations

import copy
import datetime as dt
from typing import Any

import pytest

from audits import filings, ledger
from audits.models import Event
from casino.kernel import clock
from casino.kernel.errors import NotAllowed, SabotError
from casino.kernel.permissions import Role
from jackpots import betting, complementary, credits, lots, owing, pools, promoting, proofs
from jackpots import filings as asked
from jackpots.models import Complementary, SeatCredits
from tables import rounds
from tables.guests import seats
from tables.models import CageOperation
from tables.money import cage_proofs
from tests.builders import BOB, FLOAT, House
from tests.guests.builders import guest
from tests.jackpots.builders import NOTHING, PoolNight, a_pool, approved_filing
from tests.money.cage_building import a_cage

OTHER = "Qc Td 8s 6s 3d"
HOUR = dt.timedelta(hours=1)
WHO: dict[str, Any] = {"winner": "Ana Rojas", "document": "4871203 LP"}


def refused(act: Any) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def noticed(night: PoolNight) -> None:
    """The notice of what will be drawn, handed in."""
    subject = asked.about_pool(night.pool)
    by = night.by(Role.COMPLIANCE, "sorteos")
    filing = filings.draft_filing(kind=asked.COMPLEMENTARY, subject=subject, text="Sorteos", by=by)
    filings.present_filing(filing=filing, by=night.by(Role.COMPLIANCE))


def announced(night: PoolNight, form: str = "chips", amount: int = 100 * BOB) -> Complementary:
    with night.now():
        return complementary.announce(
            pool=night.pool, name="Sorteo de las diez", form=form, amount=amount, until=night.clock + HOUR,
            by=night.by(),
        )  # fmt: skip


def bets(night: PoolNight, *seats: int) -> None:
    for seat in seats:
        night.buy(0, seat)
        night.bet(0, seat)
    night.play(0, dict(zip(seats, (NOTHING, OTHER), strict=False)))


def later(night: PoolNight) -> Any:
    """The clock past the hour announced."""
    night.clock += HOUR
    return night.now()


# ---- announced -----------------------------------------------------------------------------------------


@pytest.mark.rule("PP-24", "PP-26")
def test_nothing_is_announced_without_its_filing(house: House) -> None:
    night = a_pool(house)
    bare = refused(lambda: announced(night))
    assert (bare.code, bare.rule) == ("not_presented", "PP-24")
    noticed(night)
    assert announced(night).state == "announced"
    credits = refused(lambda: announced(night, "credits"))
    assert (credits.code, credits.rule) == ("not_approved", "PP-26")
    approved_filing(house, asked.PROMOTION, asked.about_pool(night.pool))
    assert announced(night, "credits").number == 2


@pytest.mark.rule("PP-25")
def test_what_may_not_be_announced(house: House) -> None:
    night = a_pool(house)
    noticed(night)
    approved_filing(house, asked.PROMOTION, asked.about_pool(night.pool))
    assert refused(lambda: announced(night, "gold")).code == "bad_form"
    assert refused(lambda: announced(night, "credits", 3 * BOB)).code == "bad_amount"
    assert refused(lambda: announced(night, amount=0)).code == "bad_amount"
    about: dict[str, Any] = {"pool": night.pool, "form": "chips", "amount": 100}
    for name, until, code in (
        (" ", night.clock + HOUR, "bad_name"), ("Sorteo", night.clock - HOUR, "bad_until"),
    ):  # fmt: skip
        with night.now():
            by = night.by()
            assert (
                refused(
                    lambda n=name, u=until, b=by: complementary.announce(name=n, until=u, by=b, **about)
                ).code
                == code
            )
        with night.now(), pytest.raises(NotAllowed):
            complementary.announce(name="Sorteo", until=until, by=night.by(Role.CAGE), **about)
    with night.now():
        pools.suspend(pool=night.pool, with_=night.other(), by=night.by(reason="cambio de cifras"))
    assert refused(lambda: announced(night)).code == "pool_not_running"


# ---- drawn ---------------------------------------------------------------------------------------------


@pytest.mark.rule("PP-24", "PP-27")
def test_every_bet_counted_since_takes_part_and_anyone_can_check_the_draw(house: House) -> None:
    night = a_pool(house)
    noticed(night)
    bets(night, 6)
    draw = announced(night)
    told = Event.objects.get(action="jackpots.complementary.announced")
    assert draw.seed_hash.encode() in bytes(told.body) and draw.secret.encode() not in bytes(told.body)
    bets(night, 2, 4)
    with night.now():
        early = refused(lambda: complementary.draw(draw=draw, by=night.by(Role.COMPLIANCE)))
    assert early.code == "too_early"
    with later(night):
        found = complementary.draw(draw=draw, by=night.by(Role.COMPLIANCE))
    assert [place.bet.seat for place in found.places.order_by("bet__serial")] == [2, 4]
    assert found.winner is not None
    lowest = min(found.places.all(), key=lambda place: place.score)
    assert found.winner == lowest.bet and found.seed == draw.secret
    record = complementary.record_of(found)
    assert lots.faults(record) == []
    with night.now():
        assert (
            refused(lambda: complementary.draw(draw=draw, by=night.by(Role.COMPLIANCE))).code == "draw_state"
        )
    for key, wrong in (
        ("seed", "ab" * 32), ("winner", 99), ("digest", "cd" * 32), ("label", "PC-9-0009"),
        ("entries", [*record["entries"], [9, 1, 500, "2026-11-20T22:00:00.000000Z"]]),
    ):  # fmt: skip
        bent = copy.deepcopy(record)
        bent[key] = wrong
        assert lots.faults(bent), key


@pytest.mark.rule("PP-27", "GEN-10")
def test_a_bet_entered_after_the_hour_joins_no_draw_and_two_people_make_it(house: House) -> None:
    """Stated for before the hour, entered after it: the draw is among the others."""
    night = a_pool(house)
    noticed(night)
    draw = announced(night)
    bets(night, 2, 4)
    night.buy(0, 6)
    by = night.by()
    with clock.standing_at(draw.until + dt.timedelta(minutes=5)):
        betting.place_bet(session=night.sessions[0], seat=6, credits=1, by=by)
    night.play(0, {6: NOTHING, 4: OTHER})
    with later(night):
        own = refused(lambda: complementary.draw(draw=draw, by=night.by()))
        assert (own.code, own.rule) == ("same_person", "GEN-10")
        found = complementary.draw(draw=draw, by=night.by(Role.COMPLIANCE))
    assert [place.bet.seat for place in found.places.order_by("bet__serial")] == [2, 4]
    listed = owing.owed(house.casino, night.clock + dt.timedelta(days=3))
    assert [(one.kind, one.id, one.amount, one.days) for one in listed] == [
        ("draw", draw.pk, 100 * BOB, 3),
    ]  # fmt: skip


@pytest.mark.rule("PP-27")
def test_a_bet_placed_in_time_is_waited_for(house: House) -> None:
    night = a_pool(house)
    noticed(night)
    draw = announced(night)
    night.buy(0, 2)
    night.bet(0, 2)
    with later(night):
        assert (
            refused(lambda: complementary.draw(draw=draw, by=night.by(Role.COMPLIANCE))).code
            == "bets_waiting"
        )
    night.play(0, {2: NOTHING, 4: OTHER})
    with night.now():
        found = complementary.draw(draw=draw, by=night.by(Role.COMPLIANCE))
    assert found.winner is not None and found.winner.seat == 2


@pytest.mark.rule("PP-24")
def test_where_nobody_took_part_it_is_called_off(house: House) -> None:
    night = a_pool(house)
    noticed(night)
    bets(night, 2, 4)
    draw = announced(night)
    with later(night):
        assert refused(lambda: complementary.draw(draw=draw, by=night.by(Role.COMPLIANCE))).code == "nobody"
        found = complementary.call_off(draw=draw, by=night.by())
    assert (found.state, found.seed, found.winner) == ("called_off", draw.secret, None)
    assert lots.faults(complementary.record_of(found)) == []
    other = announced(night)
    bets(night, 2, 4)
    with later(night):
        assert refused(lambda: complementary.call_off(draw=other, by=night.by())).code == "somebody_took_part"


# ---- paid ----------------------------------------------------------------------------------------------


def drawn(night: PoolNight, form: str, amount: int) -> Complementary:
    """Seat 2 alone takes part."""
    noticed(night)
    approved_filing(night.house, asked.PROMOTION, asked.about_pool(night.pool))
    draw = announced(night, form, amount)
    bets(night, 2)
    with later(night):
        return complementary.draw(draw=draw, by=night.by(Role.COMPLIANCE))


@pytest.mark.rule("PP-25", "PP-26")
def test_it_is_paid_in_promotional_credits_by_the_house(house: House) -> None:
    """Ten credits bought, one bet: 45.00 are left; 20.00 come from the house, none from a fund."""
    night = a_pool(house)
    draw = drawn(night, "credits", 20 * BOB)
    funds, owed = night.funds(), ledger.balance(house.casino, night.pool.house_account)
    elsewhere = refused(lambda: promoting.pay_in_credits(draw=draw, seat=3, by=night.by()))
    assert (elsewhere.code, elsewhere.rule) == ("winner_gone", "PP-27")
    paid = promoting.pay_in_credits(draw=draw, by=night.by())
    assert (paid.state, paid.paid_by_id) == ("paid", house.users[Role.PIT_BOSS].actor.pk)
    assert SeatCredits.objects.get(session=night.sessions[0], seat=2).amount == 65 * BOB
    assert ledger.balance(house.casino, f"credits:{night.sessions[0].pk}") == 65 * BOB
    assert ledger.balance(house.casino, night.pool.house_account) == owed - 20 * BOB
    assert night.funds() == funds
    assert refused(lambda: promoting.pay_in_credits(draw=draw, by=night.by())).code == "draw_state"
    till = a_cage(house)
    assert refused(
        lambda: promoting.pay_in_chips(
            draw=draw, desk=till.desk, chips={}, witness=night.other(), by=night.by(Role.CAGE), **WHO
        )
    ).code == "draw_state"  # fmt: skip


@pytest.mark.rule("PP-25")
def test_promotional_credits_are_bet_or_go_back_to_the_house_and_are_never_cashed(house: House) -> None:
    """45.00 bought and 20.00 promotional: ten credits, 50.00, are not to be had. One more bet of 5.00 is
    promotional; 45.00 are returned, and at the close the last 15.00 are the house's again."""
    night = a_pool(house)
    draw = drawn(night, "credits", 20 * BOB)
    promoting.pay_in_credits(draw=draw, by=night.by())
    session, owed = night.sessions[0], ledger.balance(house.casino, night.pool.house_account)
    give = {"session": session, "seat": 2}
    more = refused(lambda: credits.return_credits(**give, credits=10, by=night.by()))
    assert (more.code, more.rule) == ("promotional_credits", "PP-25")
    assert "45,00 comprados" in more.message.es
    night.bet(0, 2)
    night.play(0, {2: "Kd Jc 9c 5h 2s", 4: "Qh Ts 7d 6h 3c"}, house="8h 8s 4h 3d 2h")
    assert credits.promotional_at(session, 2) == 15 * BOB
    credits.return_credits(**give, credits=9, by=night.by())
    house.close(session, FLOAT, at=night.by().occurred_at)
    assert SeatCredits.objects.get(session=session, seat=2).amount == 0
    assert ledger.balance(house.casino, f"credits:{session.pk}") == 0
    assert ledger.balance(house.casino, night.pool.house_account) == owed + 15 * BOB
    assert list(proofs.told_faults(house.casino)) == list(proofs.money_faults(house.casino)) == []


@pytest.mark.rule("PP-25")
def test_it_is_paid_in_chips_at_the_cage(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    draw = drawn(night, "chips", 100 * BOB)
    funds, chips = night.funds(), ledger.balance(house.casino, "cage:1")
    assert refused(lambda: promoting.pay_in_credits(draw=draw, by=night.by())).code == "wrong_form"

    def pay(**about: Any) -> Complementary:
        given: dict[str, Any] = {"chips": {100 * BOB: 1}, "witness": night.other(), **WHO, **about}
        return promoting.pay_in_chips(draw=draw, desk=till.desk, by=night.by(Role.CAGE), **given)

    assert refused(lambda: pay(winner="", document="")).code == "winner_missing"
    alone = refused(lambda: pay(witness=night.other(Role.CAGE)))
    assert (alone.code, alone.rule, alone.field) == ("same_person", "GEN-10", "witness")
    assert refused(lambda: pay(witness=night.other(Role.CROUPIER))).code == "not_qualified"
    assert refused(lambda: pay(chips={25 * BOB: 1})).code == "sum_differs"
    assert pay().state == "paid"
    receipt = CageOperation.objects.get(reference=draw.label)
    assert (receipt.kind, receipt.amount, receipt.customer) == ("prize_chips", 100 * BOB, "Ana Rojas")
    assert chips - ledger.balance(house.casino, "cage:1") == 100 * BOB
    assert night.funds() == funds
    assert refused(pay).code == "draw_state"
    assert list(cage_proofs.told_faults(house.casino)) == []
    assert list(cage_proofs.ledger_faults(house.casino)) == []


@pytest.mark.rule("PP-27")
def test_chips_go_to_the_guest_who_bet_there_and_to_nobody_else(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    ana = guest(house, "Ana Rojas Paz", number="4871203")
    seats.seat(session=night.sessions[0], seat=2, guest=ana, by=night.by())
    draw = drawn(night, "chips", 100 * BOB)

    def pay(winner: str, document: str) -> Complementary:
        return promoting.pay_in_chips(
            draw=draw, desk=till.desk, chips={100 * BOB: 1}, winner=winner, document=document,
            witness=night.other(), by=night.by(Role.CAGE),
        )  # fmt: skip

    for name, document in (("Luis Paz", "4871203 LP"), ("Ana Rojas", "9999999 LP")):
        other = refused(lambda name=name, document=document: pay(name, document))
        assert (other.code, other.rule) == ("winner_differs", "PP-27")
    assert pay("Ana Rojas", "4.871.203 LP").state == "paid"


@pytest.mark.rule("PP-27")
def test_the_round_of_a_bet_that_won_a_draw_is_not_voided(house: House) -> None:
    night = a_pool(house)
    draw = drawn(night, "chips", 100 * BOB)
    assert draw.winner is not None and draw.winner.round is not None
    played = draw.winner.round
    found = refused(
        lambda: rounds.void(
            round=played,
            approved_by=night.other(Role.SUPERVISOR),
            cards_came_out=True,
            by=night.by(reason="x"),
        )
    )
    assert (found.code, found.rule) == ("draw_stands", "PP-27")


def test_a_draw_by_hand() -> None:
    """Two bets and a seed of 32 bytes 01: the digest and the scores with hashlib alone."""
    import hashlib

    seed = "01" * 32
    entries = [lots.Entry(7, 2, 500, "a"), lots.Entry(8, 5, 1_000, "b")]
    digest = hashlib.sha256(b"7 2 500 a\n8 5 1000 b\n").hexdigest()
    scores = {
        serial: hashlib.sha256(
            bytes.fromhex(seed) + bytes.fromhex(digest) + f":PC-1-0001:{serial}".encode()
        ).hexdigest()
        for serial in (7, 8)
    }
    found = lots.drawn("PC-1-0001", seed, entries)
    assert (found.digest, dict(found.scores)) == (digest, scores)
    assert found.winner == min(scores, key=lambda serial: scores[serial])
