"""Cards and transfers on the bank account: drawn for the vault and paid in, their IPJ paid on from there."""

from __future__ import annotations

import pytest

from audits import ledger
from casino.kernel.errors import Conflict, Refused, RuleViolation
from tables.models import FundMove
from tables.money import cage_proofs, funds
from tests.builders import BOB
from tests.money.cage_building import CAPITAL, CASH_TOTAL, Cage


@pytest.fixture
def bank(till: Cage) -> Cage:
    """1.000 of chips sold by card: 1.000 less 13 % is 870, 15 % of it 130,50; both on the bank account."""
    till.sell(1_000 * BOB, {1_000 * BOB: 1}, means="card")
    return till


def clean(till: Cage) -> bool:
    return not [*cage_proofs.ledger_faults(till.house.casino), *cage_proofs.told_faults(till.house.casino)]


def balances(till: Cage) -> dict[str, int]:
    codes = ("deposits", "tax:ipj:deposits", "tax:ipj", "vault:cash", "treasury:ipj")
    return {code: ledger.balance(till.house.casino, code) for code in codes}


def signed(till: Cage, amount: int) -> dict[str, object]:
    return {"amount": amount, "document": "Extracto 11/2026", "with_": till.other, "by": till.by()}


@pytest.mark.rule("REC-03")
def test_the_ipj_of_card_sales_is_paid_from_the_bank_and_no_more_than_it(bank: Cage) -> None:
    with pytest.raises(Conflict) as elsewhere:
        funds.pay_ipj(**signed(bank, 13_050))  # type: ignore[arg-type]
    assert (elsewhere.value.code, elsewhere.value.detail["there"]) == ("not_enough_cash", 0)
    with pytest.raises(Conflict) as much:
        funds.pay_ipj(**signed(bank, 13_051), source="bank")  # type: ignore[arg-type]
    assert (much.value.code, much.value.rule, much.value.detail["there"]) == (
        "not_enough_cash", "REC-03", 13_050,
    )  # fmt: skip
    with pytest.raises(Refused) as nowhere:
        funds.pay_ipj(**signed(bank, 13_050), source="caja")  # type: ignore[arg-type]
    assert nowhere.value.code == "unknown_source"
    funds.pay_ipj(**signed(bank, 13_050), source="bank")  # type: ignore[arg-type]
    # The price stays on the account: 1.000,00.
    found = balances(bank)
    assert (found["tax:ipj:deposits"], found["treasury:ipj"], found["deposits"]) == (0, 13_050, 1_000 * BOB)
    assert clean(bank)


@pytest.mark.rule("GEN-10", "FLOOR-15")
def test_bank_money_comes_to_the_vault_and_goes_back_by_two(bank: Cage) -> None:
    free = funds.available(bank.house.casino)
    with pytest.raises(RuleViolation) as alone:
        funds.bring_from_bank(**signed(bank, 1) | {"with_": bank.by().actor})  # type: ignore[arg-type]
    assert alone.value.code == "same_person"
    with pytest.raises(Conflict) as much:
        # The 130,50 of tax lie on the account too, and are not the house's to draw.
        funds.bring_from_bank(**signed(bank, 1_000 * BOB + 1))  # type: ignore[arg-type]
    assert (much.value.code, much.value.detail["there"]) == ("not_enough_cash", 1_000 * BOB)
    funds.bring_from_bank(**signed(bank, 1_000 * BOB))  # type: ignore[arg-type]
    vault = CAPITAL - CASH_TOTAL + 1_000 * BOB  # 50.000 - 10.000 + 1.000
    assert (balances(bank)["deposits"], balances(bank)["vault:cash"]) == (0, vault)
    funds.take_to_bank(**signed(bank, 400 * BOB))  # type: ignore[arg-type]
    assert (balances(bank)["deposits"], balances(bank)["vault:cash"]) == (400 * BOB, vault - 400 * BOB)
    with pytest.raises(Conflict):
        funds.take_to_bank(**signed(bank, vault))  # type: ignore[arg-type]
    # Within the house: nothing more and nothing less to pay with.
    assert funds.available(bank.house.casino) == free
    assert sorted(FundMove.objects.values_list("kind", flat=True)) == ["capital", "from_bank", "to_bank"]
    assert clean(bank)
