"""The cage at work: chips sold with the IPJ withheld, redeemed for cash, exchanged; receipts, and their
voids. Prizes of others are paid on receipts of its own (`tables.money.payouts`).

Every operation is a receipt with a number of its series (`V-2026-000001`), never changed; the void of one is
a receipt of series A which two people sign. Where the money goes: `tables.money.drawer`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from audits import days, ledger, trail
from audits.by import By
from audits.ledger import Move
from audits.models import Actor, Event
from audits.personal import Personal
from casino.kernel import money
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import GamingDay
from shoes.signing import require_beside
from tables import chips
from tables.models import CageDesk, CageOperation
from tables.money import cage_policies as policies
from tables.money import customers, drawer, inventory, taxes
from tables.money.cage_settings import cage_of
from tables.money.customers import NOBODY, Customer
from tables.money.inventory import Flow
from tables.money.orphans import masked

Kind, Means = CageOperation.Kind, CageOperation.Means


@dataclass(frozen=True, slots=True)
class Deal:
    """What happens over the counter, before it has a number; sums in smallest units."""

    kind: str
    amount: int
    chips_out: Mapping[int, int] = field(default_factory=dict)
    chips_in: Mapping[int, int] = field(default_factory=dict)
    tax: int = 0
    on_top: bool = True
    means: str = Means.CASH.value
    tendered: int | None = None
    customer: Customer = NOBODY
    reference: str = ""

    @property
    def due(self) -> int:
        """What the customer pays for a sale."""
        return self.amount + (self.tax if self.on_top else 0)


@command(policies.OPERATE_CAGE)
def sell_chips(
    *,
    desk: CageDesk,
    price: int,
    chips_given: Mapping[int, int],
    by: By,
    means: str = Means.CASH.value,
    tendered: int | None = None,
    customer: str = "",
    document: str = "",
) -> CageOperation:
    """Sell chips worth `price` at face and withhold the IPJ (REC-03). Amounts in smallest units.

    `tendered`: cash handed over, if it is to say the change; `customer` and `document`: who buys, if noted
    (REC-13). Raises `RuleViolation` FLOOR-06 (`sum_differs`);
    `Refused` (`bad_amount`, `unknown_denomination`, `bad_count`, `unknown_means`, `not_tendered`,
    `tendered_too_little`, `bad_customer`, `bad_document`); `Conflict` (`desk_not_open`, `not_enough_chips`).
    """
    given = chips.checked(by.casino, chips_given)
    price = drawer.positive(price, "price")
    if chips.total(given) != price:
        raise drawer.sum_differs(by.casino, price, chips.total(given), field="chips")
    deal = Deal(
        Kind.SALE.value,
        price,
        chips_out=given,
        tax=taxes.ipj(price).tax,
        on_top=cage_of(by.casino).ipj_on_top,
        means=means,
        tendered=tendered,
        customer=customers.checked(customer, document),
    )
    _require_paid(by, deal)
    return _operate(desk, deal, by)


@command(policies.OPERATE_CAGE)
def redeem_chips(
    *,
    desk: CageDesk,
    chips_taken: Mapping[int, int],
    by: By,
    amount: int | None = None,
    customer: str = "",
    document: str = "",
) -> CageOperation:
    """Pay chips out in cash at face; `amount`, if stated, is what the customer asks for, who is noted as in
    selling.

    Raises `RuleViolation` FLOOR-06 (`sum_differs`); `Refused` (`no_chips`, `unknown_denomination`,
    `bad_count`, `bad_customer`, `bad_document`); `Conflict` (`desk_not_open`, `not_enough_cash`).
    """
    taken = chips.checked(by.casino, chips_taken)
    worth = _some(taken, "chips")
    if amount is not None and amount != worth:
        raise drawer.sum_differs(by.casino, amount, worth, field="chips")
    deal = Deal(Kind.REDEMPTION.value, worth, chips_in=taken, customer=customers.checked(customer, document))
    return _operate(desk, deal, by)


@command(policies.OPERATE_CAGE)
def exchange_chips(
    *, desk: CageDesk, chips_taken: Mapping[int, int], chips_given: Mapping[int, int], by: By
) -> CageOperation:
    """Change chips for others of equal value (FLOOR-06).

    Raises `RuleViolation` FLOOR-06 (`sum_differs`, `nothing_exchanged`); `Refused` and `Conflict` as selling.
    """
    taken, given = (
        chips.checked(by.casino, chips_taken, field="chips_taken"),
        chips.checked(by.casino, chips_given, field="chips_given"),
    )
    worth = _some(taken, "chips_taken")
    if chips.total(given) != worth:
        raise drawer.sum_differs(by.casino, worth, chips.total(given), field="chips_given")
    if taken == given:
        raise RuleViolation(
            "FLOOR-06",
            Text("son las mismas fichas: no hay cambio", "these are the same chips: nothing is exchanged"),
            code="nothing_exchanged",
            field="chips_given",
        )
    return _operate(desk, Deal(Kind.EXCHANGE.value, worth, chips_out=given, chips_in=taken), by)


@command(policies.VOID_RECEIPT)
def void_receipt(*, operation: CageOperation, approved_by: Actor, by: By) -> CageOperation:
    """Reverse a receipt by another that names it, signed by two, with its reason (REC-07, GEN-10).

    The IPJ withheld is given back with it. Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`),
    `Refused` (`reason_missing`, `occurred_out_of_order`), `Conflict` (`receipt_void`, `is_a_void`,
    `desk_not_open`, `not_enough_cash`, `not_enough_chips`).
    """
    reason = by.need_reason()
    require_beside(by.actor, approved_by, policies.APPROVE_VOID, field="second")
    _require_voidable(operation)
    day = days.day_of(by.casino, by.occurred_at)
    desk = drawer.lock_desk(operation.desk, by)
    if CageOperation.objects.filter(reverses=operation).exists():
        raise _void_already()
    drawer.require_open(desk, by)
    drawer.require_after(operation.at, by)
    was = _deal_of(operation)
    if was.kind == Kind.SALE and was.means == Means.CASH:
        drawer.require_refund(desk, was.due, was.tax)
    back = replace(was, chips_out=was.chips_in, chips_in=was.chips_out)
    made, event = receipt(desk, day, back, by, reverses=operation, approved_by=approved_by, reason=reason)
    ledger.reverse(original=operation.event, event=event, kind="cage_void", day=day.date)
    inventory.move(event, flows_of(desk, back))
    return made


def _operate(desk: CageDesk, deal: Deal, by: By) -> CageOperation:
    day = days.day_of(by.casino, by.occurred_at)
    desk = drawer.lock_desk(desk, by)
    drawer.require_open(desk, by)
    drawer.require_once(CageOperation.objects.filter(desk=desk), by)
    if deal.kind == Kind.REDEMPTION:
        drawer.require_cash(desk, deal.amount)
    if deal.chips_out:
        inventory.require(by.casino, desk.account, deal.chips_out)
    made, event = receipt(desk, day, deal, by)
    ledger.post(event=event, kind=f"cage_{deal.kind}", day=day.date, moves=moves_of(desk, deal))
    inventory.move(event, flows_of(desk, deal))
    return made


def receipt(desk: CageDesk, day: GamingDay, deal: Deal, by: By, **void: Any) -> tuple[CageOperation, Event]:
    """The numbered row and its event: the row has its key before, so that the event can name it."""
    series = CageOperation.VOID_SERIES if void else CageOperation.SERIES[deal.kind]
    year, number = drawer.take_number(by.casino, series, by.occurred_at)
    made = CageOperation(
        pk=drawer.next_id(CageOperation),
        casino=by.casino,
        day=day,
        desk=desk,
        kind=deal.kind,
        series=series,
        year=year,
        number=number,
        chips_out=chips.stored(deal.chips_out),
        chips_in=chips.stored(deal.chips_in),
        amount=deal.amount,
        tax=deal.tax,
        on_top=deal.on_top,
        means=deal.means,
        tendered=deal.tendered,
        customer=deal.customer.name,
        document=deal.customer.document,
        reference=deal.reference,
        flagged=not void and customers.reached(day, deal.customer, _cash(deal), by),
        made_by=by.actor,
        at=by.occurred_at,
        **void,
    )
    made.event = trail.record(
        "tables.cage.voided" if void else _ACTIONS[deal.kind],
        stream=drawer.stream(desk),
        subject=trail.Subject("receipt", made.pk, made.label),
        by=by,
        data=told(made),
        rules=_rules(made),
    )
    made.save(force_insert=True)
    return made, made.event


def _cash(deal: Deal) -> int:
    return customers.cash_of(deal.kind, deal.means, deal.due)


_ACTIONS = {
    Kind.SALE.value: "tables.cage.sold",
    Kind.REDEMPTION.value: "tables.cage.redeemed",
    Kind.EXCHANGE.value: "tables.cage.exchanged",
    Kind.PRIZE_CASH.value: "tables.cage.prize_paid",
    Kind.PRIZE_CHIPS.value: "tables.cage.prize_paid",
}
_RULES = {
    Kind.SALE.value: ["REC-03", "REC-05"],
    Kind.REDEMPTION.value: ["REC-05"],
    Kind.EXCHANGE.value: ["FLOOR-06"],
    Kind.PRIZE_CASH.value: ["REC-05"],
    Kind.PRIZE_CHIPS.value: ["REC-05"],
}


def _rules(made: CageOperation) -> list[str]:
    if made.reverses_id is not None:
        return ["REC-07", "GEN-10"]
    return [*_RULES[made.kind], *([customers.RULE] if made.flagged else [])]


def told(made: CageOperation) -> dict[str, Any]:
    """What the trail says of a receipt."""
    about: dict[str, Any] = {
        "desk": made.desk.number,
        "desk_name": made.desk.name,
        "kind": made.kind,
        "day": str(made.day),
        "amount": made.amount,
        "tax": made.tax,
        "on_top": made.on_top,
        "means": made.means,
        "tendered": made.tendered,
        "chips_out": made.chips_out,
        "chips_in": made.chips_in,
        "customer": Personal(made.customer),
        "document": masked(made.document),
        "document_whole": Personal(made.document),
        "flagged": made.flagged,
    }
    if made.reference:
        about |= {"reference": made.reference}
    if made.reverses is not None and made.approved_by is not None:
        about |= {
            "reverses": made.reverses.label,
            "reversed_event": trail.named(made.reverses.event, drawer.stream(made.reverses.desk)),
            "approved_by": made.approved_by.as_dict(),
        }
    return about


def moves_of(desk: CageDesk, deal: Deal) -> list[Move]:
    """What a receipt moves (see `drawer`). The IPJ is the player's, or taken out of what was paid."""
    chip, cash, tax = desk.account, drawer.cash_account(desk), drawer.tax_account(desk)
    if deal.means != Means.CASH:
        cash, tax = drawer.DEPOSITS, drawer.TAX_DEPOSITS
    if deal.kind == Kind.SALE:
        return [
            Move(chip, drawer.PLAYERS, deal.amount, "chips_sold"),
            Move(drawer.PLAYERS, cash, deal.amount, "price"),
            Move(drawer.PLAYERS if deal.on_top else cash, tax, deal.tax, "ipj"),
        ]
    if deal.kind == Kind.REDEMPTION:
        return [
            Move(drawer.PLAYERS, chip, deal.amount, "chips_redeemed"),
            Move(cash, drawer.PLAYERS, deal.amount, "cash_paid"),
        ]
    if deal.kind in CageOperation.PRIZES:
        given = cash if deal.kind == Kind.PRIZE_CASH else chip
        return [Move(given, drawer.PLAYERS, deal.amount, "prize_paid")]
    return [
        Move(drawer.PLAYERS, chip, deal.amount, "chips_taken"),
        Move(chip, drawer.PLAYERS, deal.amount, "chips_given"),
    ]


def flows_of(desk: CageDesk, deal: Deal) -> list[Flow]:
    """The chips over the counter: taken in first, so that what was just changed may be given out."""
    kind = f"cage_{deal.kind}"
    return [
        Flow(kind, inventory.PUBLIC, desk.account, deal.chips_in),
        Flow(kind, desk.account, inventory.PUBLIC, deal.chips_out),
    ]


def _require_voidable(operation: CageOperation) -> None:
    if operation.reverses_id is not None:
        raise Conflict(
            Text(
                "una anulación no se anula: haga la operación de nuevo",
                "a void is not voided: make the operation anew",
            ),
            code="is_a_void",
            rule="REC-07",
        )
    if operation.kind in CageOperation.PRIZES:
        raise Conflict(
            Text(
                f"el premio {operation.reference} quedó pagado: si hubo un error, abra una disputa",
                f"prize {operation.reference} stays paid: open a dispute if there was an error",
            ),
            code="prize_stays_paid",
            rule="REC-07",
        )


def _deal_of(made: CageOperation) -> Deal:
    return Deal(
        made.kind,
        made.amount,
        chips.loaded(made.chips_out),
        chips.loaded(made.chips_in),
        made.tax,
        made.on_top,
        made.means,
        made.tendered,
        Customer(made.customer, made.document),
    )


def _require_paid(by: By, deal: Deal) -> None:
    if deal.means not in set(Means.values):
        raise Refused(
            Text("elija el medio de pago de la lista", "choose the means of payment from the list"),
            code="unknown_means",
            field="means",
        )
    if deal.tendered is None:
        return
    if deal.means != Means.CASH:
        raise Refused(
            Text(
                "sólo se da cambio de efectivo: deje lo recibido en blanco",
                "only cash has change: leave it blank",
            ),
            code="not_tendered",
            field="tendered",
        )
    if deal.tendered < deal.due:
        due, got = money.words(deal.due, by.casino.exponent), money.words(deal.tendered, by.casino.exponent)
        raise Refused(
            Text(
                f"se recibieron {got.es} y son {due.es} con el IPJ: pida lo que falta",
                f"{got.en} was handed over and {due.en} is due with the IPJ: ask for the rest",
            ),
            code="tendered_too_little",
            rule="REC-03",
            field="tendered",
            detail={"due": deal.due, "tendered": deal.tendered},
        )


def _some(counted: Mapping[int, int], field: str) -> int:
    worth = chips.total(counted)
    if not worth:
        raise Refused(
            Text("diga cuántas fichas de cada denominación", "say how many chips of each denomination"),
            code="no_chips",
            field=field,
        )
    return worth


def _void_already() -> Conflict:
    return Conflict(
        Text("ese recibo ya está anulado", "that receipt is void already"), code="receipt_void", rule="REC-07"
    )


explain_constraint("tables_cageoperation_reverses_id_key", _void_already)
