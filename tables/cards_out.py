"""Which cards a round's log brought out of the shoe, and which of them anybody has seen. Pure.

A card may come covered and be named by a later `show`, which may also name again what was known when it was
dealt; each card is told here once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shoes.cards import COVERED
from tables.games import corrections

Event = Mapping[str, Any]
Holder = tuple[str, int]


@dataclass(frozen=True, slots=True)
class CardsOut:
    """`dealt`: how many cards came out; `faces`: those of them that are known, each as often as it came;
    `exposed`: cards that notes name as drawn or exposed by mistake, burned (CARD-41)."""

    dealt: int = 0
    faces: tuple[str, ...] = ()
    exposed: tuple[str, ...] = ()


def standing(log: Sequence[Event]) -> list[Event]:
    """The events that no `undo` struck out, in their order."""
    undone = {event["of"] for event in log if event["e"] == "undo"}
    return [event for at, event in enumerate(log, 1) if event["e"] != "undo" and at not in undone]


def cards_out(log: Sequence[Event]) -> CardsOut:
    """What came out by what stands of a log."""
    events = standing(log)
    dealt = [event["card"] for event in events if event["e"] == "card"]
    faces = tuple(card for card in dealt if card != COVERED)
    return CardsOut(len(dealt), faces + tuple(named_later(events)), tuple(_exposed(events)))


def named_later(events: Iterable[Event]) -> list[str]:
    """The faces of cards that came covered, from the events (all of them standing) that name them."""
    covered: Counter[Holder] = Counter()
    known: defaultdict[Holder, Counter[str]] = defaultdict(Counter)
    found: list[str] = []
    for event in events:
        kind = event["e"]
        if kind == "card":
            holder = _holder(event)
            if event["card"] == COVERED:
                covered[holder] += 1
            else:
                known[holder][event["card"]] += 1
        elif kind == "show" and event.get("cards"):
            holder = _holder(event)
            new = _new(event["cards"], covered[holder], known[holder])
            found += new
            covered[holder] -= len(new)
            known[holder].update(new)
        elif kind == "choice" and (event.get("cards") or event.get("count")):
            # Given away (Draw Poker): known cards by name, covered ones by number; these stay unseen.
            holder, given = _holder(event), event.get("cards") or ()
            covered[holder] -= given.count(COVERED) + (event.get("count") or 0)
            known[holder].subtract(card for card in given if card != COVERED)
    return found


def _holder(event: Event) -> Holder:
    to = event.get("to", "seat")
    return (to, event.get("seat", 0) if to == "seat" else 0)


def _new(named: Sequence[str], covered: int, known: Counter[str]) -> list[str]:
    """Of the faces named, those nobody knew: no more than lay covered."""
    new = [card for card in named if card != COVERED]
    left = Counter(known)
    for card in list(new):
        if len(new) <= covered:
            break
        if left[card] > 0:
            left[card] -= 1
            new.remove(card)
    return new[:covered] if covered > 0 else []


def _exposed(events: Iterable[Event]) -> Iterable[str]:
    for event in events:
        if event["e"] == "note" and event["code"] in corrections.CARD_ERRORS and "card" in event:
            yield event["card"]
