"""The chips of the vault or of a desk counted by two people, held against what their moves say.

A difference is kept by denomination with its sign (FLOOR-05). What the count shows is what there is from then
on: the difference moves to the public, or comes from it, as a move of its own, so that the stock is again the
sum of the moves; a desk's, whose chips are an account of their own, is posted too (`over_short:<n>`), so that
its next count by the cage does not find it again. From the house's threshold on it opens an incident.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db.models import Max

from audits import days, incident_facts, incidents, ledger, trail
from audits.by import By
from audits.ledger import Move
from audits.models import Actor, Incident
from casino.kernel import locking, money, rulebook
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables import chips as counting
from tables.holding import out_of_order
from tables.models import CageDesk, ChipStockCount
from tables.money import drawer, inventory, policies, signing
from tables.money.chip_entries import STREAM
from tables.money.inventory import PUBLIC, VAULT, Flow

RULE = "FLOOR-05"
POSTED = "chip_count"


@command(policies.COUNT_CHIPS)
def count_stock(*, place: str, chips: Mapping[int, int], with_: Actor, by: By) -> ChipStockCount:
    """Count the chips of `vault` or `cage:<n>` (denomination -> number, all of them) with another person.

    What is not named was counted as none; what a desk issued and is on its way is not expected there. Raises
    `RuleViolation` GEN-10 (`same_person`, `not_qualified`), `Refused` (`unknown_place`,
    `unknown_denomination`, `bad_count`; `occurred_out_of_order` before the last count of the place),
    `Conflict` (`day_closed`).
    """
    signing.require_beside(by.actor, with_, policies.SIGN_FOR_CHIPS, field="second")
    where = _require_place(by.casino, place)
    counted = counting.checked(by.casino, chips)
    _one_at_a_time(by, place)
    day = days.day_of(by.casino, by.occurred_at)
    there = Counter(inventory.stock_at(by.casino, place, by.occurred_at))
    there.subtract(inventory.on_its_way(by.casino, place, by.occurred_at))
    expected = {value: number for value, number in there.items() if number}
    off = counting.difference(expected, counted)
    difference = counting.total(counted) - counting.total(expected)
    lines = [
        {"denomination": value, "expected": expected.get(value, 0), "counted": counted.get(value, 0)}
        for value in sorted({*expected, *counted}, reverse=True)
    ]
    incident = _incident(where, off, difference, by)
    event = trail.record(
        "tables.chips.counted",
        stream=STREAM,
        subject=trail.Subject("casino", by.casino.pk, where.es),
        by=by,
        data={
            "place": place,
            "day": str(day),
            "lines": lines,
            "difference": difference,
            "with": with_.as_dict(),
            "incident": incident.label if incident else "",
        },
        rules=[RULE, "GEN-10"],
    )
    count = ChipStockCount.objects.create(
        casino=by.casino,
        place=place,
        lines=lines,
        difference=difference,
        counted_by=by.actor,
        counted_with=with_,
        incident=incident,
        event=event,
        at=by.occurred_at,
    )
    ledger.post(event=event, kind=POSTED, day=day.date, moves=_moves(by.casino, place, difference))
    inventory.move(
        event,
        [
            Flow("count", PUBLIC, place, {value: number for value, number in off.items() if number > 0}),
            Flow("count", place, PUBLIC, {value: -number for value, number in off.items() if number < 0}),
        ],
    )
    return count


def _moves(casino: Casino, place: str, difference: int) -> list[Move]:
    """At a desk what was found more comes from beside it, what was missing goes there; the vault has none."""
    desk = (
        CageDesk.objects.filter(casino=casino, number=place.rpartition(":")[2]).first()
        if ":" in place
        else None
    )
    return [] if desk is None else [drawer.found(desk, desk.account, difference, "chips_difference")]


def reported_from(casino: Casino) -> int:
    """FLOOR-05: from how much a difference is told in the house, in smallest units."""
    units: int = rulebook.rule(RULE).params["house_report_from_units"]
    return int(units * 10**casino.exponent)


def _require_place(casino: Casino, place: str) -> Text:
    desks = {desk.account: desk.name for desk in CageDesk.objects.filter(casino=casino)}
    if place != VAULT and place not in desks:
        raise Refused(
            Text("elija la bóveda o una ventanilla de caja", "choose the vault or a desk of the cage"),
            code="unknown_place",
            field="place",
        )
    return inventory.place_name(place, desks)


def _one_at_a_time(by: By, place: str) -> None:
    """Two counts of a place follow one another, or the second would mend what the first has mended."""
    locking.taking(locking.Rank.CASINO)
    Casino.objects.select_for_update(no_key=True).get(pk=by.casino.pk)
    last = ChipStockCount.objects.filter(casino=by.casino, place=place).aggregate(at=Max("at"))["at"]
    if last is not None and by.occurred_at < last:
        raise out_of_order(by.casino, last)


def _incident(where: Text, off: Mapping[int, int], difference: int, by: By) -> Incident | None:
    """From the threshold on, by what is missing and what is too many: one does not hide the other."""
    size = sum(abs(value * number) for value, number in off.items())
    if size < reported_from(by.casino) or not size:
        return None
    shown = money.words(difference, by.casino.exponent)
    facts: dict[str, Any] = {
        "chips_at": where.as_dict(),
        "difference": shown.as_dict(),
        "by_denomination": {
            money.plain(value, by.casino.exponent): number for value, number in sorted(off.items())
        },
    }
    return incidents.raise_incident(
        kind=incidents.MONEY,
        summary=Text(
            f"recuento de fichas de {where.es}: diferencia {shown.es}",
            f"chip count of {where.en}: difference {shown.en}",
        ),
        subject=trail.Subject("casino", by.casino.pk, where.es),
        rules=[RULE],
        facts=facts,
        by=by,
    )


incident_facts.register_fact("chips_at", Text("lugar", "place"))
incident_facts.register_fact("difference", Text("diferencia", "difference"))
incident_facts.register_fact("by_denomination", Text("fichas de más o de menos", "chips too many or too few"))
