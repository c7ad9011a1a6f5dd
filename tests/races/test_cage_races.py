"""Receipts numbered without gaps by many at once, some of them refused; two signatures, one act."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from audits.models import Incident
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables.models import CageOperation, CageTransfer, TableSession
from tables.money import cage_proofs, funds, inventory, transfers
from tests.builders import BOB, FLOAT_TOTAL, NIGHT, House
from tests.money.cage_building import a_cage
from tests.money.slip_builders import stocked
from tests.races.racing import race

pytestmark = pytest.mark.race


def clean(house: House) -> bool:
    return not [*cage_proofs.ledger_faults(house.casino), *cage_proofs.told_faults(house.casino)]


def test_receipts_have_no_gaps_under_threads(house: House) -> None:
    till = a_cage(house)
    acts: list[Callable[[], Any]] = [lambda: till.sell(100 * BOB, {100 * BOB: 1}) for _ in range(8)]
    acts += [lambda: till.sell(100 * BOB, {100 * BOB: 2}) for _ in range(4)]
    acts += [lambda: till.redeem({1_000 * BOB: 900}) for _ in range(2)]
    answers = race(*acts)
    refusals = [answer for answer in answers if isinstance(answer, SabotError)]
    assert sorted(refusal.code for refusal in refusals) == ["not_enough_cash"] * 2 + ["sum_differs"] * 4
    numbers = CageOperation.objects.filter(series="V").order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, 9))
    assert clean(house)


def test_the_last_chips_of_a_desk_are_sold_once(house: House) -> None:
    till = a_cage(house)
    stocked(house)
    acts = [lambda: till.sell(3_000 * BOB, {1_000 * BOB: 3}) for _ in range(3)]
    answers = race(*acts)  # five chips of 1.000 in the drawer
    assert sum(isinstance(answer, CageOperation) for answer in answers) == 1
    assert {answer.code for answer in answers if isinstance(answer, SabotError)} == {"not_enough_chips"}
    assert inventory.stock_of(house.casino, till.desk.account)[1_000 * BOB] == 2
    assert clean(house)


@pytest.mark.rule("FLOOR-15")
def test_two_tables_do_not_open_on_the_same_funds(house: House) -> None:
    till = a_cage(house)
    # 50.000 of capital; 20.000 withdrawn leave 30.000, enough for one float of 22.500 and not for two.
    funds.withdraw_capital(amount=20_000 * BOB, document="Acta 2", with_=till.other, by=till.by())
    tables = [house.table(), house.table()]
    shoes = [house.ready_shoe(table.game, at=NIGHT) for table in tables]

    def opens(place: int) -> Callable[[], Any]:
        return lambda: house.open_table(
            tables[place],
            shoe=shoes[place],
            dealer=place,
            supervisor=place,
            at=NIGHT + dt.timedelta(minutes=5),
        )

    answers = race(opens(0), opens(1))
    assert [answer.code for answer in answers if isinstance(answer, SabotError)] == ["no_funds"]
    assert TableSession.objects.count() == 1
    assert funds.available(house.casino) == 30_000 * BOB - FLOAT_TOTAL
    assert clean(house)


@pytest.mark.rule("FLOOR-15")
def test_play_is_stopped_by_one_of_two(house: House) -> None:
    house.open_table()
    stop = [
        lambda: funds.stop_for_funds(by=house.by(Role.PIT_BOSS, NIGHT, "no hay efectivo")),
        lambda: funds.stop_for_funds(by=house.by(Role.COMPLIANCE, NIGHT, "no hay efectivo")),
    ]
    answers = race(*stop)
    assert [answer.code for answer in answers if isinstance(answer, SabotError)] == ["stopped_already"]
    assert Incident.objects.filter(kind=funds.STOPPED).count() == 1


def test_a_receipt_is_voided_once(house: House) -> None:
    till = a_cage(house)
    sold = till.sell(100 * BOB, {100 * BOB: 1})
    answers = race(*[lambda: till.void(sold)] * 3)
    assert sum(isinstance(answer, CageOperation) for answer in answers) == 1
    assert {answer.code for answer in answers if isinstance(answer, SabotError)} == {"receipt_void"}
    assert clean(house)


def test_a_transfer_is_accepted_once_and_the_vault_is_not_overdrawn(house: House) -> None:
    till = a_cage(house)
    later = NIGHT + dt.timedelta(minutes=1)
    # 40.000 in the vault: two transfers of 30.000 cannot both be had.
    asked = [
        transfers.request_transfer(
            desk=till.desk, direction="to_cage", chips_moved={}, cash={200 * BOB: 150}, by=till.by()
        )
        for _ in range(2)
    ]
    answers = race(
        *[lambda: transfers.accept_transfer(transfer=asked[0], by=till.other_by(later))] * 2,
        lambda: transfers.accept_transfer(transfer=asked[1], by=till.other_by(later)),
    )
    assert sum(isinstance(answer, CageTransfer) for answer in answers) == 1
    codes = {answer.code for answer in answers if isinstance(answer, SabotError)}
    assert codes <= {"transfer_closed", "not_enough_cash"}
    back = transfers.request_transfer(
        desk=till.desk, direction="to_vault", chips_moved={}, cash={200 * BOB: 1}, by=till.by(later)
    )
    answers = race(
        lambda: transfers.accept_transfer(transfer=back, by=till.other_by(later)),
        lambda: transfers.cancel_transfer(transfer=back, by=till.by(later, "no hacía falta")),
    )
    assert [answer.code for answer in answers if isinstance(answer, SabotError)] == ["transfer_closed"]
    assert clean(house)
