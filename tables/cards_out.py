"""Which cards a round's log brought out of the shoe, and which of them anybody has seen. Pure.

A card may come covered and be named by a later `show`, which may also name again what was known when it was
dealt; each card is told here once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
    faces = tuple(event["card"] for event in events if event["e"] == "card" and event["card"] != COVERED)
    order, named = _walk(events)
    exposed = tuple(_exposed(events))
    return CardsOut(len(order) - len(exposed), faces + tuple(named), exposed)


def named_later(events: Iterable[Event]) -> list[str]:
    """The faces of cards that came covered, from the events (all of them standing) that name them."""
    return _walk(events)[1]


def order_of(log: Sequence[Event]) -> tuple[str, ...]:
    """The cards of a round in the order they left the shoe; those exposed by mistake too (CARD-41).

    A covered card has its face where it was turned over as the only one that lay covered in its hand; where
    any doubt is left which card it was, it stays `COVERED`.
    """
    return tuple(_walk(standing(log))[0])


@dataclass(slots=True)
class _Hand:
    """A hand as far as its covered cards go: their places, how many still lie covered, what else is known."""

    places: list[int] = field(default_factory=list)
    covered: int = 0
    known: Counter[str] = field(default_factory=Counter)


def _walk(events: Iterable[Event]) -> tuple[list[str], list[str]]:
    """Every card in its order, and the faces of covered ones that were named later."""
    order: list[str] = []
    found: list[str] = []
    hands: defaultdict[Holder, _Hand] = defaultdict(_Hand)
    for event in events:
        kind = event["e"]
        if kind == "card":
            _deal(hands[_holder(event)], event["card"], order)
        elif kind == "show" and event.get("cards"):
            found += _show(hands[_holder(event)], event["cards"], order)
        elif kind == "choice" and (event.get("cards") or event.get("count")):
            _give_away(hands[_holder(event)], event)
        elif kind == "misdeal":
            _recount(hands[_holder(event)], event["count"], order)
        elif _is_exposed(event):
            order.append(event["card"])
    return [card for card in order if card], found


def _deal(hand: _Hand, card: str, order: list[str]) -> None:
    if card == COVERED:
        hand.places.append(len(order))
        hand.covered += 1
    else:
        hand.known[card] += 1
    order.append(card)


def _show(hand: _Hand, named: Sequence[str], order: list[str]) -> list[str]:
    new = _new(named, hand.covered, hand.known)
    if len(hand.places) == hand.covered == len(new) == 1:
        order[hand.places.pop()] = new[0]
    hand.covered -= len(new)
    hand.known.update(new)
    return new


def _give_away(hand: _Hand, event: Event) -> None:
    """Given away (Draw Poker): known cards by name, covered ones by number; these stay unseen."""
    given = event.get("cards") or ()
    hand.covered -= given.count(COVERED) + (event.get("count") or 0)
    hand.known.subtract(card for card in given if card != COVERED)
    if hand.covered <= 0:
        hand.places.clear()


def _recount(hand: _Hand, count: int, order: list[str]) -> None:
    """A hand found with another number of cards than were logged: unseen ones more, or fewer."""
    more = count - hand.covered - hand.known.total()
    for _ in range(more):
        _deal(hand, COVERED, order)
    for _ in range(-more):
        order[hand.places.pop()] = ""  # none was there; its place goes, the others keep theirs
        hand.covered -= 1


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
    return (event["card"] for event in events if _is_exposed(event))


def _is_exposed(event: Event) -> bool:
    return event["e"] == "note" and event["code"] in corrections.CARD_ERRORS and "card" in event
