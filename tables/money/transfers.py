"""Chips and cash between the vault and a desk, by slip T: one person asks, another accepts what they counted.

Nothing moves before it is accepted. IPJ withheld at a desk goes along with the first cash that leaves for the
vault, since its cash lies in that drawer: `tax:ipj:<n> -> tax:ipj`.
"""

from __future__ import annotations

from collections.abc import Mapping

from audits import days, ledger, trail
from audits.by import By
from audits.ledger import Move
from audits.models import Event
from casino.kernel import locking
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino
from tables import chips
from tables.models import CageDesk, CageTransfer
from tables.money import cage_policies as policies
from tables.money import cash as notes
from tables.money import drawer, inventory
from tables.money.inventory import Flow

Direction, State = CageTransfer.Direction, CageTransfer.State
SERIES = "T"


@command(policies.REQUEST_TRANSFER)
def request_transfer(
    *, desk: CageDesk, direction: str, chips_moved: Mapping[int, int], cash: Mapping[int, int], by: By
) -> CageTransfer:
    """Ask for chips and cash (each denomination -> how many) to go from the vault to a desk or back.

    Its number is given now: no number is ever without its slip. Raises `Refused` (`unknown_direction`,
    `unknown_denomination`, `bad_count`, `nothing_to_move`), `Conflict` (`desk_out_of_service`,
    `not_enough_chips`, `not_enough_cash`, `sent_twice`).
    """
    if direction not in set(Direction.values):
        raise Refused(
            Text("elija el sentido del traspaso", "choose which way the transfer goes"),
            code="unknown_direction",
            field="direction",
        )
    moved, counted = chips.checked(by.casino, chips_moved), notes.checked(by.casino, cash)
    if not moved and not counted:
        raise Refused(
            Text("indique fichas o efectivo, por denominación", "state chips or cash, by denomination"),
            code="nothing_to_move",
            field="chips",
        )
    desk = drawer.lock_desk(desk, by)
    drawer.require_told_once("tables.transfer.requested", by)
    made = CageTransfer(
        casino=by.casino,
        desk=desk,
        direction=direction,
        chips=chips.stored(moved),
        chips_total=chips.total(moved),
        cash=chips.stored(counted),
        cash_total=chips.total(counted),
        requested_by=by.actor,
        requested_at=by.occurred_at,
    )
    _require_there(made)
    made.year, made.number = drawer.take_number(by.casino, SERIES, by.occurred_at)
    made.save(force_insert=True)
    _tell(made, "tables.transfer.requested", by, {"chips": made.chips, "cash": made.cash})
    return made


@command(policies.ACCEPT_TRANSFER)
def accept_transfer(*, transfer: CageTransfer, by: By) -> CageTransfer:
    """Take what was asked for, as counted; whoever asked does not accept (GEN-10). The money moves now.

    Raises `RuleViolation` GEN-10 (`same_person`); `Conflict` (`transfer_closed`, `not_enough_chips`,
    `not_enough_cash`); `Refused` (`occurred_out_of_order`).
    """
    held = _hold(transfer, by, vault=True)
    day = days.day_of(by.casino, by.occurred_at)
    desk = drawer.lock_desk(held.desk, by)
    held = _locked(held, by)
    if held.requested_by_id == by.actor.pk:
        raise RuleViolation(
            "GEN-10",
            Text(
                "quien pide un traspaso no lo acepta: lo cuenta y acepta otra persona",
                "whoever asks for a transfer does not accept it: another person counts and accepts",
            ),
            code="same_person",
        )
    drawer.require_in_order(desk, by)
    _require_there(held)
    held.ipj = _tax_along(held)
    held.state, held.closed_by, held.closed_at = State.ACCEPTED, by.actor, by.occurred_at
    held.save(update_fields=["state", "ipj", "closed_by", "closed_at"])
    event = _tell(held, "tables.transfer.accepted", by, {"ipj": held.ipj, "day": str(day)})
    ledger.post(event=event, kind="cage_transfer", day=day.date, moves=moves_of(held))
    source, target = _ends(held)
    inventory.move(event, [Flow("transfer", source, target, chips.loaded(held.chips))])
    return held


@command(policies.ACCEPT_TRANSFER)
def cancel_transfer(*, transfer: CageTransfer, by: By) -> CageTransfer:
    """Give up a transfer nobody accepted; its number stays, with the reason (FLOOR-08).

    Raises `Refused` (`reason_missing`), `Conflict` (`transfer_closed`).
    """
    reason = by.need_reason()
    held = _hold(transfer, by, vault=False)
    drawer.lock_desk(held.desk, by)
    held = _locked(held, by)
    held.state, held.closed_by, held.closed_at = State.CANCELLED, by.actor, by.occurred_at
    held.reason = reason
    held.save(update_fields=["state", "closed_by", "closed_at", "reason"])
    _tell(held, "tables.transfer.cancelled", by, {})
    return held


def moves_of(held: CageTransfer) -> list[Move]:
    """Chips, the house's cash and the withheld tax, each by its own account."""
    source, target = _ends(held)
    of, to = drawer.cash_account(held.desk), drawer.VAULT_CASH
    if held.direction == Direction.TO_CAGE:
        of, to = to, of
    return [
        Move(source, target, held.chips_total, "chips"),
        Move(of, to, held.cash_total - held.ipj, "cash"),
        Move(drawer.tax_account(held.desk), drawer.TAX, held.ipj, "ipj"),
    ]


def _ends(held: CageTransfer) -> tuple[str, str]:
    if held.direction == Direction.TO_CAGE:
        return drawer.VAULT, held.desk.account
    return held.desk.account, drawer.VAULT


def _tax_along(held: CageTransfer) -> int:
    if held.direction == Direction.TO_CAGE:
        return 0
    return max(0, min(held.cash_total, drawer.held_tax(held.desk)))


def _require_there(held: CageTransfer) -> None:
    source, _ = _ends(held)
    if held.chips:
        inventory.require(held.casino, source, chips.loaded(held.chips))
    if held.direction == Direction.TO_VAULT:
        if drawer.drawer_cash(held.desk) < held.cash_total:
            raise drawer.too_little_in(held.desk, held.cash_total, "cash")
        return
    there, wanted = ledger.balance(held.casino, drawer.VAULT_CASH), held.cash_total
    if there < wanted:
        raise drawer.not_enough_cash(
            whose=Text("la bóveda", "the vault"), casino=held.casino, there=there, wanted=wanted, field="cash"
        )


def _hold(transfer: CageTransfer, by: By, *, vault: bool) -> CageTransfer:
    """The transfer as it stands; for the vault's cash the house is locked first: one vault is one queue."""
    if vault:
        lock_vault(by)
    return CageTransfer.objects.select_related("desk", "casino").get(pk=transfer.pk)


def lock_vault(by: By) -> None:
    """Hold the house's vault: what leaves it in cash leaves it one after the other."""
    locking.taking(locking.Rank.CASINO)
    Casino.objects.select_for_update(no_key=True).get(pk=by.casino.pk)


def _locked(held: CageTransfer, by: By) -> CageTransfer:
    """The row locked after its desk's, still to be accepted or given up."""
    rows = CageTransfer.objects.select_for_update(of=("self",), no_key=True).select_related(
        "desk", "casino", "requested_by"
    )
    found = rows.get(pk=held.pk)
    if found.state != State.REQUESTED:
        raise Conflict(
            Text(
                f"{found.label} ya está {found.get_state_display()}: para lo contrario pida otro traspaso",
                f"{found.label} is closed already: ask for another transfer for the opposite",
            ),
            code="transfer_closed",
            rule="REC-07",
        )
    drawer.require_after(found.requested_at, by)
    return found


def _tell(held: CageTransfer, action: str, by: By, more: Mapping[str, object]) -> Event:
    return trail.record(
        action,
        stream=drawer.stream(held.desk),
        subject=trail.Subject("transfer", held.pk, held.label),
        by=by,
        data={
            "desk": held.desk.number,
            "direction": held.direction,
            "chips_total": held.chips_total,
            "cash_total": held.cash_total,
            **more,
        },
        rules=["GEN-10"],
    )
