"""A prize somebody else owes, paid at a desk in cash or chips on a receipt of series P.

Who owes it (a pool, a draw) is not known here: they hold the desk first, then what is theirs, and hand out
under the reference the prize goes by, which is paid once:

    held = payouts.hold(desk, by)                  # before anything that is locked after a desk
    payouts.hand_out(held, payout, by, then)       # `then(receipt)`: what they tell and post of it

What the drawer hands out goes to the public; whoever owes it makes the house good with a transfer of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from audits import days, ledger
from audits.by import By
from casino.kernel.commands import explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from casino.models import GamingDay
from tables import chips
from tables.models import CageDesk, CageOperation
from tables.money import cage, drawer, inventory
from tables.money.customers import Customer

CASH, CHIPS = "cash", "chips"
KINDS = {CASH: CageOperation.Kind.PRIZE_CASH.value, CHIPS: CageOperation.Kind.PRIZE_CHIPS.value}


@dataclass(frozen=True, slots=True)
class HeldDesk:
    """A desk locked for paying, and the gaming day it is paid on."""

    desk: CageDesk
    day: GamingDay


@dataclass(frozen=True, slots=True)
class Payout:
    """What is handed out: `form` cash or chips, these `chips` by denomination; to whom, for which prize."""

    form: str
    amount: int
    reference: str
    customer: Customer
    chips: Mapping[int, int] = field(default_factory=dict)


def hold(desk: CageDesk, by: By) -> HeldDesk:
    """Lock an open desk. Raises `Conflict` (`desk_not_open`, `desk_out_of_service`, `sent_twice`,
    `day_closed`), `Refused` (`occurred_out_of_order`)."""
    day = days.day_of(by.casino, by.occurred_at)
    held = drawer.lock_desk(desk, by)
    drawer.require_open(held, by)
    drawer.require_once(CageOperation.objects.filter(desk=held), by)
    return HeldDesk(held, day)


def hand_out(held: HeldDesk, payout: Payout, by: By, then: Callable[[CageOperation], None]) -> CageOperation:
    """Pay it, once.

    Raises `Refused` (`bad_form`, `bad_amount`, `chips_in_cash`, `unknown_denomination`, `bad_count`),
    `RuleViolation` FLOOR-06 (`sum_differs`), `Conflict` (`paid_already`, `not_enough_cash`,
    `not_enough_chips`).
    """
    given = _checked(payout, by)
    desk = held.desk
    if CageOperation.objects.filter(casino=by.casino, reference=payout.reference).exists():
        raise paid_already()
    if payout.form == CASH:
        drawer.require_cash(desk, payout.amount)
    else:
        inventory.require(by.casino, desk.account, given)
    deal = cage.Deal(
        KINDS[payout.form],
        payout.amount,
        chips_out=given,
        customer=payout.customer,
        reference=payout.reference,
    )
    made, event = cage.receipt(desk, held.day, deal, by)
    ledger.post(event=event, kind=f"cage_{deal.kind}", day=held.day.date, moves=cage.moves_of(desk, deal))
    then(made)
    inventory.move(event, cage.flows_of(desk, deal))
    return made


def paid_already() -> Conflict:
    return Conflict(
        Text("ese premio ya está pagado", "that prize is paid already"), code="paid_already", rule="PP-31"
    )


def _checked(payout: Payout, by: By) -> dict[int, int]:
    if payout.form not in KINDS:
        raise Refused(Text("elija efectivo o fichas", "choose cash or chips"), code="bad_form", field="form")
    drawer.positive(payout.amount, "amount")
    given = chips.checked(by.casino, payout.chips)
    if payout.form == CASH and given:
        raise Refused(
            Text(
                "se paga en efectivo: deje las fichas en blanco",
                "it is paid in cash: leave the chips blank",
            ),
            code="chips_in_cash",
            field="chips",
        )
    if payout.form == CHIPS and chips.total(given) != payout.amount:
        raise drawer.sum_differs(by.casino, payout.amount, chips.total(given), field="chips")
    return given


explain_constraint("one_payment_per_prize", paid_already)
