"""Funds of the house: capital, drops carried to the vault, the IPJ paid; what happens without (FLOOR-15)."""

from __future__ import annotations

import datetime as dt

import pytest

from audits import ledger
from audits.incidents import resolve_incident
from audits.models import Incident
from audits.verify import trail_faults
from casino.kernel.errors import Conflict, Refused, RuleViolation, SabotError
from casino.kernel.permissions import Role
from tables import floor_settings
from tables.models import TableSession
from tables.money import cage_proofs, funds
from tests.builders import BOB, CLOSING_TIME, FLOAT, FLOAT_TOTAL, NATURAL, NIGHT, House, bets
from tests.money.cage_building import BEFORE, CAPITAL, Cage


def least(house: House, amount: int) -> None:
    by = house.by(Role.ADMINISTRATOR, reason="fondos mínimos")
    floor_settings.set_floor(figures={"min_funds": amount}, by=by)


def clean(house: House) -> bool:
    return not [*cage_proofs.ledger_faults(house.casino), *cage_proofs.told_faults(house.casino)]


@pytest.mark.rule("FLOOR-15")
def test_a_house_that_keeps_no_funds_is_refused_nothing(stand: House) -> None:
    least(stand, 10**9)
    assert not funds.kept(stand.casino)
    assert funds.refusal(stand.casino, 10**12) is None


@pytest.mark.rule("FLOOR-15")
def test_a_float_the_house_cannot_cover_is_refused(till: Cage) -> None:
    casino = till.house.casino
    # The transfer to the desk moved money about within the house: all of the capital is still free.
    assert funds.available(casino) == CAPITAL
    assert funds.refusal(casino, CAPITAL) is None
    found = funds.refusal(casino, CAPITAL + 1)
    assert found is not None
    assert (found.code, found.rule) == ("no_funds", "FLOOR-15")
    least(till.house, CAPITAL + 1)
    assert funds.refusal(casino) is not None


@pytest.mark.rule("FLOOR-15")
def test_floats_on_tables_and_withheld_tax_are_not_free(till: Cage) -> None:
    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    # Chips of 1.000 out, 1.000 in cash: as before; the 130,50 of IPJ is not counted.
    assert funds.available(till.house.casino) == CAPITAL
    till.house.open_table()
    assert funds.available(till.house.casino) == CAPITAL - FLOAT_TOTAL


@pytest.mark.rule("GEN-10")
def test_capital_moves_by_two_and_never_below_the_minimum(till: Cage) -> None:
    least(till.house, 30_000 * BOB)

    def take(amount: int, **who: object) -> object:
        about = {"document": "Acta 2", "with_": till.other, "by": till.by()} | who
        return funds.withdraw_capital(amount=amount, **about)  # type: ignore[arg-type]

    with pytest.raises(RuleViolation) as alone:
        take(1, with_=till.by().actor)
    assert alone.value.code == "same_person"
    with pytest.raises(Refused) as unnamed:
        take(1, document=" ")
    assert unnamed.value.code == "bad_document"
    # 50.000 - 20.001 = 29.999.
    with pytest.raises(Conflict) as low:
        take(20_001 * BOB)
    assert (low.value.code, low.value.rule) == ("no_funds", "FLOOR-15")
    take(20_000 * BOB)
    assert funds.available(till.house.casino) == 30_000 * BOB
    assert clean(till.house)


def test_ipj_carried_to_the_vault_is_paid_on(till: Cage) -> None:
    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    till.transfer("to_vault", {}, {200 * BOB: 5})

    def pay(amount: int) -> object:
        return funds.pay_ipj(amount=amount, document="Form. 800", with_=till.other, by=till.by())

    with pytest.raises(Conflict) as much:
        pay(13_051)
    assert much.value.code == "not_enough_cash"
    pay(13_050)
    assert ledger.balance(till.house.casino, "tax:ipj") == 0
    assert ledger.balance(till.house.casino, "treasury:ipj") == 13_050
    assert clean(till.house)


def test_a_drop_that_was_not_counted_is_not_carried(till: Cage) -> None:
    session = till.house.open_table()
    with pytest.raises(Conflict) as early:
        funds.carry_drop(session=session, document="Acta 3", with_=till.other, by=till.by())
    assert early.value.code == "not_counted"


def test_a_counted_drop_is_carried_to_the_vault_once(till: Cage) -> None:
    house = till.house
    session = house.close(house.open_table(), FLOAT, drop=1_000 * BOB)
    before = ledger.balance(house.casino, "vault:cash")

    def carry() -> object:
        by = till.by(CLOSING_TIME + dt.timedelta(hours=2))
        return funds.carry_drop(session=session, document="Acta 3", with_=till.other, by=by)

    carry()
    assert ledger.balance(house.casino, "vault:cash") - before == 1_000 * BOB
    assert ledger.balance(house.casino, f"drop:{session.pk}") == 0
    with pytest.raises(Conflict) as twice:
        carry()
    assert twice.value.code == "drop_carried"
    assert clean(house)


@pytest.mark.rule("FLOOR-15")
def test_without_funds_every_open_table_stops_and_the_authority_is_told(till: Cage) -> None:
    house = till.house
    first = house.open_table(detail="full")
    second = house.open_table(detail="full", dealer=1, supervisor=1)
    by = house.by(Role.PIT_BOSS, NIGHT, "no llega el camión de caudales")
    told = funds.stop_for_funds(by=by)
    assert (told.kind, told.freezes, told.notice_due) == (
        funds.NO_FUNDS,
        False,
        NIGHT + dt.timedelta(hours=24),
    )
    assert "FLOOR-15" in told.rules
    stops = Incident.objects.filter(kind=funds.STOPPED).order_by("number")
    assert {stop.table_label for stop in stops} == {first.table.name, second.table.name}
    assert [stop.number for stop in stops] == [told.number + 1, told.number + 2]
    for session in (first, second):
        with pytest.raises(SabotError) as stopped:
            house.log(session, [*bets((1, "punto", 100)), *NATURAL])
        assert stopped.value.code == "table_frozen"
    stopped_all = funds.refusal(house.casino)
    assert stopped_all is not None
    assert stopped_all.detail["incident"] == told.label
    session_faults = [fault for fault in trail_faults(house.casino) if fault.where.startswith("session:")]
    assert session_faults == []
    resolve_incident(
        incident=Incident.objects.get(table_label=first.table.name),
        resolution="llegó el efectivo",
        rule_applied="FLOOR-15",
        with_=house.users[Role.SUPERVISOR].actor,
        by=house.by(Role.PIT_BOSS, NIGHT),
    )
    assert house.log(TableSession.objects.get(pk=first.pk), [*bets((1, "punto", 100)), *NATURAL]).number == 1


def test_a_stop_says_why(till: Cage) -> None:
    with pytest.raises(Refused) as unsaid:
        funds.stop_for_funds(by=till.house.by(Role.COMPLIANCE, BEFORE))
    assert unsaid.value.code == "reason_missing"
