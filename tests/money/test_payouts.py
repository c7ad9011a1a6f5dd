"""Prizes paid at a desk for others: on a receipt of series P, once, out of the drawer (REC-05, FLOOR-06)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from audits import ledger
from audits.by import By
from audits.models import Event
from casino.kernel.commands import command
from casino.kernel.errors import SabotError
from tables.models import CageOperation, ChipMove
from tables.money import (
    box_counts,
    cage_policies,
    cage_proofs,
    chip_move_proofs,
    customers,
    inventory,
    payouts,
)
from tables.money.payouts import Payout
from tests.builders import BOB, House
from tests.money.cage_building import CHIPS, Cage, a_cage
from tests.money.slip_builders import stocked
from tests.money.test_cage_attacks import unseen

ANA = customers.Customer("Ana Rojas", "4871203 LP")


@command(cage_policies.OPERATE_CAGE)
def pay(*, till: Cage, by: By, form: str = "cash", reference: str = "PR-1", **about: Any) -> CageOperation:
    """As whoever owes a prize has it paid."""
    given = {"amount": 300 * BOB, "customer": ANA, **about}
    held = payouts.hold(till.desk, by)
    return payouts.hand_out(held, Payout(form, reference=reference, **given), by, lambda _: None)


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(SabotError) as found:
        act()
    return found.value.code


def faults(house: House) -> list[Any]:
    casino = house.casino
    return [
        *cage_proofs.told_faults(casino),
        *cage_proofs.ledger_faults(casino),
        *chip_move_proofs.move_faults(casino),
    ]


@pytest.mark.rule("REC-05")
def test_a_prize_leaves_the_drawer_in_cash_or_chips(till: Cage) -> None:
    def there() -> list[int]:
        codes = ("cage:1:cash", "cage:1", "players:cage")
        return [ledger.balance(till.house.casino, code) for code in codes]

    was = there()
    cash = pay(till=till, by=till.by())
    chips = pay(till=till, by=till.by(), form="chips", reference="PR-2", chips={100 * BOB: 3})
    assert [cash.label, chips.label] == ["P-2026-000001", "P-2026-000002"]
    assert [after - before for before, after in zip(was, there(), strict=True)] == [-30_000, -30_000, 60_000]
    (move,) = ChipMove.objects.filter(event=chips.event)
    assert (move.kind, move.source, move.target, move.number) == ("cage_prize_chips", "cage:1", "public", 3)
    assert Event.objects.filter(action="tables.cage.prize_paid").count() == 2
    assert faults(till.house) == []


def test_a_prize_is_paid_once_and_as_it_is_said(till: Cage) -> None:
    pay(till=till, by=till.by())
    assert refused(lambda: pay(till=till, by=till.by())) == "paid_already"

    def other(**about: Any) -> str:
        return refused(lambda: pay(till=till, by=till.by(), reference="PR-2", **about))

    assert other(form="gold") == "bad_form"
    assert other(amount=0) == "bad_amount"
    assert other(chips={100 * BOB: 3}) == "chips_in_cash"
    assert other(form="chips", chips={100 * BOB: 2}) == "sum_differs"
    assert other(form="chips", chips={7: 3}) == "unknown_denomination"
    assert other(amount=10_001 * BOB) == "not_enough_cash"
    by = till.by()
    pay(till=till, by=by, reference="PR-3")
    assert refused(lambda: pay(till=till, by=by, reference="PR-4")) == "sent_twice"


@pytest.mark.rule("FLOOR-06")
def test_where_an_inventory_is_kept_the_desk_gives_what_it_has(house: House) -> None:
    stocked(house, CHIPS)
    till = a_cage(house)
    pay(till=till, by=till.by(), form="chips", chips={100 * BOB: 3})
    assert inventory.stock_of(house.casino, "cage:1")[100 * BOB] == 37
    code = refused(
        lambda: pay(
            till=till, by=till.by(), form="chips", reference="PR-2", amount=4_000 * BOB, chips={100 * BOB: 40}
        )
    )
    assert code == "not_enough_chips"
    assert faults(house) == []


@pytest.mark.rule("REC-13")
def test_a_prize_in_cash_counts_towards_the_threshold(till: Cage, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 6,96 the threshold is 20.880,00; here a rate of 0,1 makes it 300,00."""
    monkeypatch.setattr(box_counts, "rates_at", lambda by: {"USD": 1_000})
    assert pay(till=till, by=till.by()).flagged
    assert not pay(till=till, by=till.by(), form="chips", reference="PR-2", chips={100 * BOB: 3}).flagged


@pytest.mark.rule("REC-06")
def test_no_column_of_a_payment_is_changed_unseen(till: Cage) -> None:
    pay(till=till, by=till.by())
    pay(till=till, by=till.by(), form="chips", reference="PR-2", chips={100 * BOB: 3})
    assert unseen(till.house, "tables_cageoperation") == []
