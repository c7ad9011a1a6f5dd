"""A verified prize paid by the cage: in cash or chips, to somebody known, on a receipt."""

from __future__ import annotations

import pytest

from audits.by import By
from audits.models import Event
from casino.kernel.errors import NotAllowed
from casino.kernel.permissions import Role
from casino.models import User
from jackpots import barring, pools, prize_form, prizes, taxing
from jackpots.models import Prize
from tables.guests import excluding
from tables.models import CageOperation
from tables.money import cage, cage_proofs, tax_figures
from tests.builders import BOB, House
from tests.jackpots.builders import ROYAL, a_pool
from tests.jackpots.winning import a_prize, checked, held, pay, refused
from tests.money.cage_building import a_cage


@pytest.mark.rule("PP-31", "PP-03")
def test_the_cage_pays_in_cash_and_the_pool_makes_it_good(house: House) -> None:
    """50 times 5.00 = 250.00 in cash: the drawer has so much less, `pending` nothing, the house more."""
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    before = held(night, night.pool.house_account), held(night, "cage:1:cash"), held(night, "players:cage")
    early = refused(lambda: pay(night, till, prize))
    assert (early.code, early.rule) == ("prize_state", "PP-31")
    checked(night, prize)
    paid = pay(night, till, prize)
    assert (paid.state, paid.form, paid.desk_id) == ("paid", "cash", till.desk.pk)
    receipt = CageOperation.objects.get(reference=prize.label)
    assert (receipt.kind, receipt.series, receipt.amount) == ("prize_cash", "P", 250 * BOB)
    assert (receipt.customer, receipt.document) == ("Ana Rojas", "4871203 LP")
    after = held(night, night.pool.house_account), held(night, "cage:1:cash"), held(night, "players:cage")
    assert [y - x for x, y in zip(before, after, strict=True)] == [25_000, -25_000, 25_000]
    assert held(night, f"pool:{night.pool.pk}:pending") == 0
    day = house.casino.gaming_day(night.clock)
    assert taxing.prizes_in_cash(house.casino, day, day) == {day: 250 * BOB}
    assert tax_figures.of_day(house.casino, day).inputs.prizes == 250 * BOB
    assert list(cage_proofs.told_faults(house.casino)) == []
    assert list(cage_proofs.ledger_faults(house.casino)) == []
    assert refused(lambda: pay(night, till, prize)).code == "prize_state"
    assert Prize.objects.get(pk=prize.pk).paid_by_id == house.users[Role.CAGE].actor.pk


@pytest.mark.rule("PP-31", "FLOOR-06")
def test_a_prize_in_chips_is_worth_its_amount(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    checked(night, prize)
    few = refused(lambda: pay(night, till, prize, form="chips", chips={100 * BOB: 2}))
    assert (few.code, few.rule) == ("sum_differs", "FLOOR-06")
    assert refused(lambda: pay(night, till, prize, form="gold")).code == "bad_form"
    assert refused(lambda: pay(night, till, prize, chips={100 * BOB: 2})).code == "chips_in_cash"
    before = held(night, "cage:1")
    paid = pay(night, till, prize, form="chips", chips={100 * BOB: 2, 25 * BOB: 2})
    assert (paid.form, before - held(night, "cage:1")) == ("chips", 25_000)
    day = house.casino.gaming_day(night.clock)
    assert taxing.prizes_in_cash(house.casino, day, day) == {}
    assert list(cage_proofs.ledger_faults(house.casino)) == []


def test_an_empty_drawer_and_a_closed_desk_pay_nothing(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night, ROYAL)
    checked(night, prize)
    till.transfer("to_vault", {}, {200 * BOB: 40, 100 * BOB: 15}, at=night.clock)
    poor = refused(lambda: pay(night, till, prize))
    assert (poor.code, poor.rule) == ("not_enough_cash", "FLOOR-15")
    assert Prize.objects.get(pk=prize.pk).state == "verified"
    assert not CageOperation.objects.filter(kind="prize_cash").exists()


@pytest.mark.rule("PP-31")
def test_only_the_cage_pays_and_not_who_noted_it(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    checked(night, prize)
    with pytest.raises(NotAllowed):
        prizes.pay_prize(prize=prize, desk=till.desk, by=night.by(Role.PIT_BOSS))
    boss = house.users[Role.PIT_BOSS]
    boss.role_codes = [*boss.role_codes, Role.CAGE.value]
    boss.save()
    both = By(User.objects.get(pk=boss.pk).actor, night.by().request_id, night.clock)
    assert refused(lambda: prizes.pay_prize(prize=prize, desk=till.desk, by=both)).code == "own_prize"


@pytest.mark.rule("REC-07")
def test_a_payment_is_not_voided_at_the_cage(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    checked(night, prize)
    pay(night, till, prize)
    receipt = CageOperation.objects.get(reference=prize.label)
    no = refused(
        lambda: cage.void_receipt(
            operation=receipt, approved_by=till.other, by=night.by(Role.CAGE, "se equivocó")
        )
    )
    assert (no.code, no.rule) == ("prize_stays_paid", "REC-07")


@pytest.mark.rule("PP-32")
def test_a_stopped_pool_has_its_prizes_verified_and_paid(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    with night.now():
        pools.stop(pool=night.pool, with_=night.other(), by=night.by(reason="el visor se apagó"))
    assert refused(lambda: night.bet(0, 2)).code == "pool_not_running"
    checked(night, prize)
    assert pay(night, till, prize).state == "paid"


@pytest.mark.rule("GEN-11")
def test_somebody_of_the_lists_is_paid_beside_compliance(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    checked(night, prize)
    today = house.casino.gaming_day(night.clock)
    entry = excluding.exclude(
        kind="authority",
        source="Nota 1",
        since=today,
        document_type="ci",
        country="BO",
        number="4871203",
        name="Ana Rojas Vda. de Paz",
        by=night.by(Role.COMPLIANCE, "nota de la autoridad"),
    )
    with pytest.raises(barring.WinnerListed) as found:
        pay(night, till, prize)
    assert found.value.detail["exclusion"] == entry.label
    found.value.remember()
    assert Event.objects.filter(action="jackpots.prize.held_back", rules__contains=["GEN-11"]).exists()
    by_boss = refused(lambda: pay(night, till, prize, with_=night.other(Role.PIT_BOSS)))
    assert by_boss.code == "not_qualified"
    bare = refused(lambda: pay(night, till, prize, with_=night.other()))
    assert (bare.code, bare.rule, bare.field) == ("reason_missing", "GEN-11", "reason")
    by = night.by(Role.CAGE, "es otra persona: otro documento")
    paid = prizes.pay_prize(prize=prize, desk=till.desk, with_=night.other(), by=by)
    told = Event.objects.get(action="jackpots.prize.paid")
    assert paid.state == "paid" and by.reason in bytes(told.body).decode()
    rows = prize_form.PrizePaper().sections(house.casino, {"prize": paid})[1].rows()
    signed = {row["role"].es: row.get("name") for row in rows if "role" in row}
    assert signed["Permite (cumplimiento, GEN-11)"] == night.other().name
