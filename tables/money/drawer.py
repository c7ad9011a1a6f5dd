"""A desk of the cage held for writing, and where its money is in the ledger.

    cage:<n>          chips in the drawer, at face (as the fills and credits of tables have it)
    cage:<n>:cash     cash of the house in the drawer
    tax:ipj:<n>       IPJ withheld at the desk, whose cash lies in the same drawer
    vault, vault:cash chips and cash in the vault; tax:ipj is the IPJ carried there
    deposits          cards and transfers, on the house's bank account; tax:ipj:deposits is the IPJ in them
    players:cage      chips and money of the public as far as the cage tells
    over_short:<n>    what counts of the desk found more (-) or less (+)

So a drawer's cash is `cage:<n>:cash` and `tax:ipj:<n>` together, and what may be paid out is the first alone:
withheld tax is no money of the house (REC-03). A void after the tax went to the vault leaves `tax:ipj:<n>`
below zero: the house paid it back, and has that much less in the drawer. One desk is one queue: its row is
locked, with the rank of a session (`casino.kernel.locking`).
"""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.models import Max, Model, QuerySet

from audits import ledger
from audits.by import By
from audits.ledger import Move
from audits.models import Event
from casino.kernel import locking, money
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino, NumberSeries
from tables.holding import QUEUEING, out_of_order
from tables.models import CageCount, CageDesk, CageOperation, CageTransfer, Slip
from tables.money import desks

VAULT, VAULT_CASH, DEPOSITS, PLAYERS = "vault", "vault:cash", "deposits", "players:cage"
SENT_AGAIN = dt.timedelta(hours=1)
"""How long a request is remembered that was sent by a page (the API keeps its own keys)."""
TAX, TAX_DEPOSITS = "tax:ipj", "tax:ipj:deposits"


def cash_account(desk: CageDesk) -> str:
    return f"{desk.account}:cash"


def tax_account(desk: CageDesk) -> str:
    return f"{TAX}:{desk.number}"


def over_short(desk: CageDesk) -> str:
    return f"over_short:{desk.number}"


def found(desk: CageDesk, account: str, off: int, memo: str) -> Move:
    """What a count of `account` found more (`off` > 0) comes from `over_short`, what lacked goes there."""
    source, target = (over_short(desk), account) if off > 0 else (account, over_short(desk))
    return Move(source, target, abs(off), memo)


def lock_desk(desk: CageDesk, by: By) -> CageDesk:
    """The desk, locked. Raises `Conflict` (`desk_out_of_service`) for one that is closed for good."""
    locking.taking(locking.Rank.SESSION)
    locked = CageDesk.objects.select_for_update(no_key=True).get(pk=desk.pk)
    locked.casino = by.casino
    desks.require_in_service(locked)
    return locked


def last_count(desk: CageDesk) -> CageCount | None:
    return CageCount.objects.filter(desk=desk).order_by("-pk").first()


def is_open(desk: CageDesk) -> bool:
    """Whether a shift is on: the desk was counted open and not closed since.

    In the order they were recorded: who waited for the desk states an instant before the other's.
    """
    last = CageCount.objects.filter(desk=desk).exclude(moment=CageCount.Moment.CHECK)
    found = last.order_by("-pk").values_list("moment", flat=True).first()
    return found == CageCount.Moment.OPENING


def require_open(desk: CageDesk, by: By) -> None:
    """Chips are sold and redeemed at a counted desk, and not before its last count.

    Raises `Conflict` (`desk_not_open`), `Refused` (`occurred_out_of_order`).
    """
    if not is_open(desk):
        raise Conflict(
            Text(
                f"{desk.name} no está abierta: primero se cuenta, entre dos personas",
                f"{desk.name} is not open: it is counted first, by two people",
            ),
            code="desk_not_open",
            field="desk",
        )
    require_in_order(desk, by)


def require_in_order(desk: CageDesk, by: By) -> None:
    """Raise `Refused` (`occurred_out_of_order`) for an instant before the desk's last count."""
    last = last_count(desk)
    if last is not None:
        require_after(last.at, by)


def require_all_before(desk: CageDesk, by: By) -> None:
    """The same for whoever counts: also before the last receipt, transfer, fill or credit, which the count is
    compared with.
    """
    require_in_order(desk, by)
    moved = (
        CageOperation.objects.filter(desk=desk).aggregate(at=Max("at")),
        CageTransfer.objects.filter(desk=desk, state=CageTransfer.State.ACCEPTED).aggregate(
            at=Max("closed_at")
        ),
        Slip.objects.filter(desk=desk).aggregate(at=Max("verified_at")),
    )
    for last in moved:
        if last["at"] is not None:
            require_after(last["at"], by)


def require_after(earlier: dt.datetime, by: By) -> None:
    """Raise `Refused` (`occurred_out_of_order`) for an act before what it follows from."""
    if by.occurred_at < earlier - QUEUEING:
        raise out_of_order(by.casino, earlier)


def chips_worth(desk: CageDesk) -> int:
    """Chips in a drawer at face, as the ledger has them."""
    return ledger.balance(desk.casino, desk.account)


def house_cash(desk: CageDesk) -> int:
    """Cash of the house in a drawer by its account, in smallest units."""
    return ledger.balance(desk.casino, cash_account(desk))


def payable(desk: CageDesk) -> int:
    """What a drawer may pay chips with: the house's cash that lies in it (see the module on voids)."""
    return house_cash(desk) + min(0, held_tax(desk))


def held_tax(desk: CageDesk) -> int:
    """IPJ withheld at a desk and not carried to the vault yet."""
    return ledger.balance(desk.casino, tax_account(desk))


def drawer_cash(desk: CageDesk) -> int:
    """What lies in a drawer in cash: the house's and the withheld tax."""
    return house_cash(desk) + held_tax(desk)


def require_cash(desk: CageDesk, amount: int, *, field: str = "amount") -> None:
    """Raise `Conflict` (`not_enough_cash`) where the drawer has less of the house's own cash."""
    there = payable(desk)
    if there < amount:
        raise too_little_in(desk, amount, field)


def require_refund(desk: CageDesk, amount: int, tax: int) -> None:
    """The same for what a void gives back: its own tax, where that still lies there, is paid with too; the
    tax withheld from others is not.
    """
    there = payable(desk) + min(tax, max(0, held_tax(desk)))
    if there < amount:
        raise too_little_in(desk, amount, "operation")


def too_little_in(desk: CageDesk, wanted: int, field: str) -> Conflict:
    """The refusal of a drawer, which does not say what is in it: who reads it will count it (FLOOR-05)."""
    asked = money.words(wanted, desk.casino.exponent)
    return Conflict(
        Text(
            f"{desk.name} no tiene {asked.es} de la casa en efectivo: pida un traspaso;"
            " si la casa no puede pagar, el juego se detiene",
            f"{desk.name} has not {asked.en} of the house's in cash: ask for a transfer;"
            " if the house cannot pay, play stops",
        ),
        code="not_enough_cash",
        rule="FLOOR-15",
        field=field,
        detail={"wanted": wanted},
    )


def not_enough_cash(*, whose: Text, casino: Casino, there: int, wanted: int, field: str) -> Conflict:
    has, asked = money.words(max(there, 0), casino.exponent), money.words(wanted, casino.exponent)
    return Conflict(
        Text(
            f"{whose.es} tiene {has.es} de la casa en efectivo y hacen falta {asked.es}: pida un traspaso;"
            " si la casa no puede pagar, el juego se detiene",
            f"{whose.en} has {has.en} of the house's in cash and {asked.en} are needed: ask for a transfer;"
            " if the house cannot pay, play stops",
        ),
        code="not_enough_cash",
        rule="FLOOR-15",
        field=field,
        detail={"there": there, "wanted": wanted},
    )


def positive(amount: int, field: str) -> int:
    """An amount of money above zero, in smallest units. Raises `Refused` (`bad_amount`)."""
    if isinstance(amount, bool) or not isinstance(amount, int) or not 0 < amount <= money.MAX_UNITS:
        raise Refused(
            Text("el importe es mayor que cero", "the amount is above zero"), code="bad_amount", field=field
        )
    return amount


def take_number(casino: Casino, series: str, instant: dt.datetime) -> tuple[int, int]:
    """Year and next number of a gapless series of the cage; the year is the house's own."""
    locking.taking(locking.Rank.SLIP_SERIES)
    year = instant.astimezone(ZoneInfo(casino.zone)).year
    return year, NumberSeries.take(casino, f"cage_{series}", year)


def sum_differs(
    casino: Casino, stated: int, found: int, *, field: str, rule: str = "FLOOR-06"
) -> RuleViolation:
    """What is answered when chips or cash do not make the amount stated."""
    one, other = money.words(stated, casino.exponent), money.words(found, casino.exponent)
    return RuleViolation(
        rule,
        Text(
            f"las fichas suman {other.es} y el importe es {one.es}: cuéntelas otra vez",
            f"the chips add up to {other.en} and the amount is {one.en}: count them again",
        ),
        {"stated": stated, "found": found},
        code="sum_differs",
        field=field,
    )


def require_once(rows: QuerySet[Any], by: By) -> None:
    """A page's form sent twice is one act: `Conflict` (`sent_twice`, `detail.id` is the row it made before).

    `rows`: of a model with `event` and `at`, asked under the lock that its acts take one after the other.
    """
    made = rows.filter(at__gte=by.occurred_at - SENT_AGAIN, event__request=by.request_id).first()
    if made is not None:
        raise _sent_twice(made.pk)


def require_told_once(action: str, by: By) -> None:
    """The same for rows that do not name their event: what was told in answer to the request is asked."""
    told = Event.objects.filter(casino=by.casino, request=by.request_id, action=action)
    made = told.filter(occurred__gte=by.occurred_at - SENT_AGAIN).first()
    if made is not None:
        raise _sent_twice(int(made.subject_id))


def _sent_twice(made: int) -> Conflict:
    return Conflict(
        Text("ya se registró: el formulario llegó dos veces", "it is recorded already: the form came twice"),
        code="sent_twice",
        detail={"id": made},
    )


def stream(desk: CageDesk) -> str:
    """The stream of what happens at a desk."""
    return f"cage:{desk.pk}"


def next_id(model: type[Model]) -> int:
    """The key a row of `model` will have: an append-only row and its event name each other."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval(pg_get_serial_sequence(%s, 'id'))", [model._meta.db_table])
        return int(cursor.fetchone()[0])
