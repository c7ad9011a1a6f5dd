"""The store counted by two people against what the moves say (CARD-02), and the least it should hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audits import trail
from audits.by import By
from audits.history import save_version
from audits.models import Actor, Incident
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from shoes import actions, cards, decks, incidents, policies, signing, whereabouts
from shoes.models import Deck, StockCount, StockLevel
from shoes.saying import some

STREAM = "store"
"""The stream of a casino's store: its counts and its acts of destruction."""
MOST = 100_000

Kind = tuple[str, str]
"""Deck type and colour of the back: what is told apart when the store is counted."""


@command(policies.SET_STORE, setting=True)
def set_level(*, deck_type: str, back_colour: str, least: int, by: By) -> StockLevel:
    """Set how many decks of a kind and colour the store should hold at least; 0 for none. Needs a reason.

    Raises `Refused` (`unknown_deck_type`, `bad_level`, `reason_missing`).
    """
    kind = cards.deck_type(deck_type)
    colour = texts.line(back_colour, "back_colour", 30, code="bad_level")
    colour = decks.colour_as_written(by.casino, colour)
    number = _number(least, "least", "bad_level")
    about = {"casino": by.casino, "deck_type": kind.code, "back_colour": colour}
    level = StockLevel.objects.select_for_update(no_key=True).filter(**about).first() or StockLevel(**about)
    before = level.least
    level.least = number
    save_version(level, by=by)
    trail.record(
        actions.LEVEL_SET,
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("stock_level", level.pk, f"{kind.code} {colour}"),
        by=by,
        data={"deck_type": kind.code, "back_colour": colour, "before": before, "least": number},
        rules=["CARD-02"],
    )
    return level


@command(policies.COUNT_STORE)
def count_store(*, lines: Sequence[Mapping[str, Any]], with_: Actor, by: By) -> StockCount:
    """The store counted by two departments, a line {deck_type, back_colour, counted} for each kind (CARD-02).

    Held against the decks that the moves say lie in the store at that instant, closed boxes and others alike;
    a difference opens one incident, to be told within 24 hours.

    Raises `RuleViolation` GEN-10 (`same_person`), CARD-02 (`same_department`, `kind_not_counted`), `Refused`
    (`bad_count`, `unknown_kind`).
    """
    signing.require_two_departments(by.actor, with_, field="second")
    counted = _read(lines, by)
    expected = whereabouts.stored_at(by.casino, by.occurred_at)
    _require_known(by, counted)
    _require_all(expected, counted)
    found = [
        {"deck_type": kind, "back_colour": colour, "expected": expected.get((kind, colour), 0), "counted": n}
        for (kind, colour), n in sorted(counted.items())
    ]
    off = [line for line in found if line["expected"] != line["counted"]]
    incident = incidents.stock_differs(off, by) if off else None
    count = StockCount.objects.create(
        casino=by.casino,
        lines=found,
        differs=bool(off),
        counted_by=by.actor,
        counted_with=with_,
        incident=incident,
        at=by.occurred_at,
    )
    _tell(count, with_, incident, by)
    return count


def _tell(count: StockCount, with_: Actor, incident: Incident | None, by: By) -> None:
    trail.record(
        actions.STORE_COUNTED,
        stream=STREAM,
        subject=trail.Subject("stock_count", count.pk, str(count)),
        by=by,
        data={
            "lines": count.lines,
            "counted": sum(line["counted"] for line in count.lines),
            "expected": sum(line["expected"] for line in count.lines),
            "with": with_.as_dict(),
            "incident": incident.label if incident else "",
        },
        rules=["CARD-02", "GEN-10"],
    )


def _read(lines: Sequence[Mapping[str, Any]], by: By) -> dict[Kind, int]:
    counted: dict[Kind, int] = {}
    for line in lines:
        kind = cards.deck_type(str(line.get("deck_type", ""))).code
        colour = texts.line(str(line.get("back_colour", "")), "back_colour", 30, code="bad_count")
        colour = decks.colour_as_written(by.casino, colour)
        if (kind, colour) in counted:
            raise _bad("lines", f"{colour} está dos veces", f"{colour} is given twice")
        counted[kind, colour] = _number(line.get("counted"), "counted", "bad_count")
    return counted


def _number(value: Any, field: str, code: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        raise Refused(
            Text(
                f"indique cuántas barajas, de 0 a {MOST}",
                f"give how many decks, 0 to {MOST}",
            ),
            code=code,
            field=field,
        )
    return value


def _require_known(by: By, counted: Mapping[Kind, int]) -> None:
    ever = Deck.objects.filter(casino=by.casino).values_list("deck_type", "back_colour").distinct()
    unknown = sorted(set(counted) - set(ever.order_by()))
    if unknown:
        kind, colour = unknown[0]
        raise Refused(
            Text(
                f"la casa nunca recibió barajas {kind} de reverso {colour}; ingréselas o corrija el color",
                f"the house never received {kind} decks with {colour} backs; enter them, or mend the colour",
            ),
            code="unknown_kind",
            rule="CARD-01",
            field="back_colour",
            detail={"deck_type": kind, "back_colour": colour},
        )


def _require_all(expected: Mapping[Kind, int], counted: Mapping[Kind, int]) -> None:
    """A kind left out would hide what is missing of it."""
    lacking = sorted(kind for kind, number in expected.items() if number and kind not in counted)
    if lacking:
        named = some([f"{kind} {colour}" for kind, colour in lacking])
        raise RuleViolation(
            "CARD-02",
            Text(
                f"cuente también {named}: hay barajas registradas; si no encuentra ninguna, indique 0",
                f"count {named} as well: decks of it were entered; give 0 if you find none",
            ),
            {"lacking": [list(kind) for kind in lacking]},
            code="kind_not_counted",
            field="lines",
        )


def _bad(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_count", field=field)
