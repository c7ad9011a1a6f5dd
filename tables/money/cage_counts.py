"""A desk counted by two people at the start and the end of a shift, and whenever they like.

Cash and chips by denomination against what receipts and transfers leave: the difference is kept with its
sign, posted (`over_short:<n>`), and from FLOOR-05's thresholds on an incident. The people counting are shown
nothing of what there should be (pages and API give it only afterwards).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from audits import days, ledger, trail
from audits.by import By
from audits.incidents import MONEY, raise_incident, register_kind
from audits.ledger import Move
from audits.models import Actor, Event, Incident
from casino.kernel import money, rulebook
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from casino.models import Casino
from shoes.signing import require_beside
from tables import chips
from tables.models import CageCount, CageDesk, Slip
from tables.money import cage_policies as policies
from tables.money import cash as notes
from tables.money import drawer, inventory
from tables.money.inventory import Flow

Moment = CageCount.Moment
IN_HOUSE = register_kind(
    "money.cage_difference",
    Text("diferencia de caja, informada en la casa", "cage difference, told in house"),
    rules=("FLOOR-05",),
    notice=False,
)


@command(policies.COUNT_CAGE)
def count_desk(
    *,
    desk: CageDesk,
    moment: str,
    chips_counted: Mapping[int, int],
    cash: Mapping[int, int],
    with_: Actor,
    by: By,
) -> CageCount:
    """Count a desk: `opening` begins a shift, `closing` ends it, `check` is in between. Two sign (GEN-10).

    Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`), `Refused` (`unknown_moment`,
    `unknown_denomination`, `bad_count`, `occurred_out_of_order`), `Conflict` (`desk_open`,
    `desk_not_open`, `sent_twice`).
    """
    _require_moment(moment)
    require_beside(by.actor, with_, policies.WITNESS_COUNT, field="second")
    counted, pieces = chips.checked(by.casino, chips_counted), notes.checked(by.casino, cash)
    day = days.day_of(by.casino, by.occurred_at)
    desk = drawer.lock_desk(desk, by)
    drawer.require_once(CageCount.objects.filter(desk=desk), by)
    _require_turn(desk, moment)
    drawer.require_all_before(desk, by)
    made = CageCount(
        pk=drawer.next_id(CageCount),
        casino=by.casino,
        day=day,
        desk=desk,
        moment=moment,
        chips=chips.stored(counted),
        chips_total=chips.total(counted),
        cash=chips.stored(pieces),
        cash_total=chips.total(pieces),
        counted_by=by.actor,
        counted_with=with_,
        at=by.occurred_at,
    )
    _compare(made, counted)
    made.incident = _incident(made, by)
    made.event = _tell(made, by)
    made.save(force_insert=True)
    ledger.post(event=made.event, kind="cage_count", day=day.date, moves=moves_of(made))
    inventory.move(made.event, _flows(made))
    return made


def _tell(made: CageCount, by: By) -> Event:
    return trail.record(
        "tables.cage.counted",
        stream=drawer.stream(made.desk),
        subject=trail.Subject("cage_count", made.pk, f"{made.desk.name}, {made.get_moment_display()}"),
        by=by,
        data=told(made),
        rules=["FLOOR-05", "GEN-10"],
    )


def told(made: CageCount) -> dict[str, Any]:
    """What the trail says of a count."""
    return {
        "desk": made.desk.number,
        "moment": made.moment,
        "day": str(made.day),
        "chips": made.chips,
        "cash": made.cash,
        "chips_difference": made.chips_difference,
        "chips_off": made.chips_off,
        "cash_difference": made.cash_difference,
        "with": made.counted_with.as_dict(),
        "incident": made.incident.label if made.incident else "",
    }


def moves_of(made: CageCount) -> list[Move]:
    """The differences of chips and of cash, each with its sign."""
    return [
        drawer.found(made.desk, made.desk.account, made.chips_difference, "chips_difference"),
        drawer.found(made.desk, drawer.cash_account(made.desk), made.cash_difference, "cash_difference"),
    ]


def _flows(made: CageCount) -> list[Flow]:
    """Where an inventory is kept it follows the count: more came from people, fewer are out."""
    off = chips.loaded(made.chips_off)
    more = {value: number for value, number in off.items() if number > 0}
    fewer = {value: -number for value, number in off.items() if number < 0}
    place = made.desk.account
    return [
        Flow("count", inventory.PUBLIC, place, more),
        Flow("count", place, inventory.PUBLIC, fewer),
    ]


def _compare(made: CageCount, counted: Mapping[int, int]) -> None:
    made.cash_difference = made.cash_total - drawer.drawer_cash(made.desk)
    away = _on_their_way(made.desk)
    due = ledger.balance(made.casino, made.desk.account) - chips.total(away)
    made.chips_difference = made.chips_total - due
    if inventory.kept(made.casino):
        stock = Counter(inventory.stock_of(made.casino, made.desk.account))
        stock.subtract(away)
        made.chips_off = chips.stored(chips.difference(stock, counted))


def _on_their_way(desk: CageDesk) -> Counter[int]:
    """Chips of fills that left the desk and are not verified at their table yet: they move only then."""
    away: Counter[int] = Counter()
    for slip in Slip.objects.filter(desk=desk, kind=Slip.Kind.FILL, state=Slip.State.ISSUED):
        away.update(chips.loaded(slip.chips))
    return away


def _require_moment(moment: str) -> None:
    if moment not in set(Moment.values):
        raise Refused(
            Text("elija apertura, control o cierre", "choose opening, check or closing"),
            code="unknown_moment",
            field="moment",
        )


def _require_turn(desk: CageDesk, moment: str) -> None:
    now_open = drawer.is_open(desk)
    if moment == Moment.OPENING and now_open:
        raise Conflict(
            Text(
                f"{desk.name} ya está abierta: cuéntela al cerrar el turno, o haga un control",
                f"{desk.name} is open already: count it when the shift ends, or make a check",
            ),
            code="desk_open",
            field="moment",
        )
    if moment != Moment.OPENING and not now_open:
        raise Conflict(
            Text(
                f"{desk.name} no está abierta: empiece por el conteo de apertura",
                f"{desk.name} is not open: begin with the opening count",
            ),
            code="desk_not_open",
            field="moment",
        )


def _incident(made: CageCount, by: By) -> Incident | None:
    """FLOOR-05: from 25 units told in the house, from 100 to the regulator as well.

    By what is missing and what is too many, chips and cash together: one does not hide the other.
    """
    params, unit = rulebook.rule("FLOOR-05").params, 10**by.casino.exponent
    by_chip = sum(value * abs(number) for value, number in chips.loaded(made.chips_off).items())
    off = max(by_chip, abs(made.chips_difference)) + abs(made.cash_difference)
    if off < params["house_report_from_units"] * unit:
        return None
    cash, worth = _signed(made.cash_difference, by.casino), _signed(made.chips_difference, by.casino)
    return raise_incident(
        kind=MONEY if off >= params["regulator_report_from_units"] * unit else IN_HOUSE,
        summary=Text(
            f"{made.desk.name}: el conteo difiere en {cash.es} de efectivo y {worth.es} de fichas",
            f"{made.desk.name}: the count differs by {cash.en} in cash and {worth.en} in chips",
        ),
        subject=trail.Subject("desk", made.desk.pk, made.desk.name),
        rules=["FLOOR-05"],
        facts={
            "desk": made.desk.name,
            "cash_difference": made.cash_difference,
            "chips_difference": made.chips_difference,
        },
        by=by,
    )


def _signed(amount: int, casino: Casino) -> Text:
    shown = money.words(amount, casino.exponent)
    return Text(f"+{shown.es}", f"+{shown.en}") if amount > 0 else shown
