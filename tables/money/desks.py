"""The desks of the cage: each a number, which its account `cage:<number>` bears, and a name."""

from __future__ import annotations

from django.db.models import Max, Q

from audits import ledger, trail
from audits.by import By
from audits.history import save_version
from casino.kernel import locking, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, NotFound, Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables.holding import QUEUEING, out_of_order
from tables.models import CageCount, CageDesk, CageTransfer, ChipStock, ChipStockCount, Slip
from tables.money import policies

MOST_DESKS = 99


@command(policies.SET_MONEY, setting=True)
def set_desk(
    *, number: int, name: str, by: By, active: bool = True, desk: CageDesk | None = None
) -> CageDesk:
    """Open a desk of the cage under its number, or change `desk`, whose number stays. Needs a reason.

    Raises `Refused` (`bad_desk`, `reason_missing`), `Conflict` (`desk_exists`; `desk_in_use` for one taken
    out of service with chips, cash or slips on it).
    """
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MOST_DESKS:
        raise _bad(f"el número es de 1 a {MOST_DESKS}", f"the number is 1 to {MOST_DESKS}")
    name = texts.line(name, "name", 60, code="bad_desk")
    if desk is not None:
        desk = CageDesk.objects.select_for_update(no_key=True).get(pk=desk.pk)
        if desk.number != number:
            raise _bad(
                "una ventanilla conserva su número, que es el de su cuenta; abra otra",
                "a desk keeps its number, which its account bears; open another",
            )
        if desk.active and not active:
            _require_empty(desk)
    elif CageDesk.objects.filter(casino=by.casino, number=number).exists():
        raise _exists()
    made = desk or CageDesk(casino=by.casino, number=number)
    made.name, made.active = name, active
    save_version(made, by=by)
    trail.record(
        "tables.desk.set",
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("desk", made.pk, made.name),
        by=by,
        data={"number": made.number, "active": made.active},
    )
    return made


def desk_of(casino: Casino, number: int) -> CageDesk:
    """The desk in service of that number. Raises `NotFound` (`no_desk`)."""
    found = CageDesk.objects.filter(casino=casino, number=number, active=True).first()
    if found is None:
        raise NotFound(
            Text(
                f"no hay ventanilla {number} en servicio; elija otra",
                f"there is no desk {number} in service; choose another",
            ),
            code="no_desk",
            field="desk",
        )
    return found


def held(casino: Casino, desk: CageDesk) -> CageDesk:
    """The desk as it stands, its row locked after a session and its shoe, before the numbers of slips: so it
    is not closed while something is asked of it.

    Raises `NotFound` (`no_desk`) for one of another house.
    """
    locking.taking(locking.Rank.SLIP_SERIES)
    found = CageDesk.objects.select_for_update(no_key=True).filter(casino=casino, pk=desk.pk).first()
    if found is None:
        raise NotFound(
            Text("no existe esa ventanilla; elija otra", "there is no such desk; choose another"),
            code="no_desk",
            field="desk",
        )
    return found


def require_in_service(desk: CageDesk) -> None:
    """Raise `Conflict` (`desk_out_of_service`) for a desk that was closed for good."""
    if not desk.active:
        raise Conflict(
            Text(
                f"{desk.name} está fuera de servicio; elija otra ventanilla",
                f"{desk.name} is out of service; choose another desk",
            ),
            code="desk_out_of_service",
            field="desk",
        )


def require_after_count(desk: CageDesk, by: By) -> None:
    """Raise `Refused` (`occurred_out_of_order`) for chips that left a desk, or came, before its last count,
    which has seen that already (FLOOR-05)."""
    counts = (
        ChipStockCount.objects.filter(casino=by.casino, place=desk.account),
        CageCount.objects.filter(desk=desk),
    )
    for last in (rows.aggregate(at=Max("at"))["at"] for rows in counts):
        if last is not None and by.occurred_at < last - QUEUEING:
            raise out_of_order(by.casino, last)


def _require_empty(desk: CageDesk) -> None:
    accounts = (desk.account, f"{desk.account}:cash", f"tax:ipj:{desk.number}")
    held = (
        any(ledger.balance(desk.casino, account) for account in accounts)
        or ChipStock.objects.filter(~Q(number=0), casino=desk.casino_id, place=desk.account).exists()
        or Slip.objects.filter(desk=desk, state__in=Slip.OPEN).exists()
        or CageTransfer.objects.filter(desk=desk, state=CageTransfer.State.REQUESTED).exists()
    )
    if held:
        raise Conflict(
            Text(
                f"{desk.name} aún tiene fichas, efectivo o comprobantes abiertos: devuélvalos a bóveda antes",
                f"{desk.name} still has chips, cash or open slips: return them to the vault first",
            ),
            code="desk_in_use",
            field="active",
        )


def _bad(es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_desk", field="number")


def _exists() -> Conflict:
    return Conflict(
        Text("ya hay una ventanilla con ese número", "there is a desk of that number already"),
        code="desk_exists",
        field="number",
    )


explain_constraint("one_desk_per_number", _exists)
