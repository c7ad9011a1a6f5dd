"""The paper of a counted float: what is printed of an opening or a closing count, in how many copies.

Two sign by hand what the house keeps of the count; one copy of the closing lies in sight in the locked tray
until the next opening (FLOOR-10). Nothing is stored for it: count, event and shifts say it all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from audits.models import Event
from casino.kernel import rulebook
from casino.kernel.words import Text
from tables import chips
from tables.models import ChipCount, Shift
from tables.money import slip_turns

RULE = "FLOOR-10"
Moment = ChipCount.Moment

TITLES: Mapping[str, Text] = {
    Moment.OPENING.value: Text("Comprobante de apertura", "Opening slip"),
    Moment.CLOSING.value: Text("Comprobante de cierre", "Closing slip"),
}
ORIGINALS: Mapping[str, Text] = {
    Moment.OPENING.value: Text("Original: mesa", "Original: table"),
    Moment.CLOSING.value: Text("Original: en el fichero, a la vista", "Original: in the tray, in sight"),
}
DUPLICATE = Text("Duplicado: contabilidad", "Duplicate: accounts")
ACTIONS: Mapping[str, str] = {
    Moment.OPENING.value: "tables.session.opened",
    Moment.CLOSING.value: "tables.session.closed",
}
"""The event that tells of each count."""


@dataclass(frozen=True, slots=True)
class CountSlip:
    """One count as its paper says it. `lines`: denomination, chips, value; largest first. `turns`: the shifts
    of who counted and who witnessed, where known. `event`: its place on the trail.

    `beyond`: of an opening, the chips more (+) or fewer (-) than the previous closing by denomination
    (FLOOR-04), None where there is none before it or it is no opening.
    """

    count: ChipCount
    title: Text
    copies: tuple[Text, ...]
    lines: tuple[tuple[int, int, int], ...]
    turns: Mapping[str, Shift]
    event: Event | None
    hash: str
    beyond: tuple[tuple[int, int], ...] | None


def slip_of(count: ChipCount) -> CountSlip:
    """The paper of a count (with its session's table, day and casino at hand)."""
    event = _event_of(count)
    counted = sorted(chips.loaded(count.chips).items(), reverse=True)
    return CountSlip(
        count=count,
        title=TITLES[count.moment],
        copies=copies(count.moment),
        lines=tuple((value, number, value * number) for value, number in counted),
        turns=slip_turns.turns_of_count(count),
        event=event,
        hash=bytes(event.hash).hex() if event else "",
        beyond=_beyond(event),
    )


def copies(moment: str) -> tuple[Text, ...]:
    """What each copy is for, as many as FLOOR-10 wants. FLOOR-04 names no number: an opening has as many."""
    wanted = int(rulebook.rule(RULE).params["slip_copies"])
    known = (ORIGINALS[moment], DUPLICATE)
    more = (Text(f"Ejemplar {nth}", f"Copy {nth}") for nth in range(len(known) + 1, wanted + 1))
    return (*known[:wanted], *more)


def _event_of(count: ChipCount) -> Event | None:
    rows = Event.objects.filter(
        casino=count.casino_id,
        stream__name=count.session.stream,
        action=ACTIONS[count.moment],
        subject_type="session",
        subject_id=count.session_id,
    )
    return rows.select_related("stream", "actor").order_by("seq").first()


def _beyond(event: Event | None) -> tuple[tuple[int, int], ...] | None:
    told = json.loads(bytes(event.body))["data"].get("difference_from_closing") if event else None
    return None if told is None else tuple(sorted(chips.loaded(told).items(), reverse=True))
