"""Receipts numbered without gaps by many at once, some of them refused; two signatures, one act."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from casino.kernel.errors import SabotError
from tables.models import CageOperation, CageTransfer
from tables.money import cage_proofs, transfers
from tests.builders import BOB, NIGHT, House
from tests.money.cage_building import a_cage
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
    assert clean(house)
