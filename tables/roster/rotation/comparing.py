"""What differs between two drafts, in words, by person and by slot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables.roster.rotation.draft import Draft, Row
from tables.roster.rotation.problem import Problem
from tables.roster.rotation.saying import hours, place


@dataclass(frozen=True, slots=True)
class Change:
    """From slot `first` to before `last` somebody is at `after` instead of at `before` (None: off)."""

    person: str
    first: int
    last: int
    before: int | None
    after: int | None
    text: Text


@dataclass(frozen=True, slots=True)
class Difference:
    """All changes, in the order of people and then of slots."""

    changes: tuple[Change, ...]

    def by_person(self) -> dict[str, tuple[Change, ...]]:
        people = dict.fromkeys(change.person for change in self.changes)
        return {person: tuple(one for one in self.changes if one.person == person) for person in people}

    def by_slot(self) -> dict[int, tuple[Change, ...]]:
        """By slot every change that holds in it; slots in which all is as it was are left out."""
        slots = sorted({slot for one in self.changes for slot in range(one.first, one.last)})
        return {slot: tuple(one for one in self.changes if one.first <= slot < one.last) for slot in slots}


def compare(before: Draft, after: Draft) -> Difference:
    """The changes from one draft to another of the same slots and posts; raises `Refused` for others."""
    one, two = before.problem, after.problem
    if one.slots != two.slots or [post.key for post in one.posts] != [post.key for post in two.posts]:
        words = Text(
            "los planes son de intervalos o puestos distintos", "the plans are of different slots or posts"
        )
        raise Refused(words, code="rotation_plans_differ", field="after")
    people = {person.id: person.name for person in (*one.people, *two.people)}
    nowhere: Row = (None,) * len(one.slots)
    found: list[Change] = []
    for person, called in people.items():
        found += _changes(
            two, person, called, before.rows.get(person, nowhere), after.rows.get(person, nowhere)
        )
    return Difference(tuple(found))


def _changes(problem: Problem, person: str, called: str, before: Row, after: Row) -> Iterator[Change]:
    pairs = list(zip(before, after, strict=True))
    first = 0
    for slot in range(1, len(pairs) + 1):
        if slot == len(pairs) or pairs[slot] != pairs[first]:
            was, now = pairs[first]
            if was != now:
                words = Text("{who}, {hours}: de {was} a {now}", "{who}, {hours}: from {was} to {now}").fill(
                    who=called,
                    hours=hours(problem, first, slot),
                    was=place(problem, was),
                    now=place(problem, now),
                )
                yield Change(person, first, slot, was, now, words)
            first = slot
