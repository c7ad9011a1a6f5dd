"""A plan as drafted: who stands at which post in each slot, and what can be measured of it.

A draft is a proposal. Reasons are read off it afterwards (`reasons`), so that they are the same
whichever solver made it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from tables.roster.rotation.fairness import Worked, shares
from tables.roster.rotation.problem import Problem

Seats = Mapping[tuple[int, int], str]
"""(slot, number of the post) -> id of the person; a post nobody holds has no entry."""
Row = tuple[int | None, ...]
"""One person's slots: the number of the post they hold, None off the felt."""


@dataclass(frozen=True)
class Draft:
    """Who stands where; `solver` says who made it: `cpsat`, `greedy`, `string`, `replan`, `swap`."""

    problem: Problem
    seats: Seats
    solver: str

    def who(self, slot: int, post: int) -> str | None:
        """The id of who holds the post in the slot, None where nobody does or it is closed."""
        return self.seats.get((slot, post))

    @cached_property
    def rows(self) -> dict[str, Row]:
        """Everyone's slots. Reads one post a slot: a draft with somebody at two is for `check` to find."""
        found: dict[str, list[int | None]] = {
            person.id: [None] * len(self.problem.slots) for person in self.problem.people
        }
        for (slot, post), person in self.seats.items():
            found[person][slot] = post
        return {person: tuple(row) for person, row in found.items()}

    @cached_property
    def uncovered(self) -> tuple[tuple[int, int], ...]:
        """Every (slot, post) that is wanted and nobody holds, dealing posts first."""
        bare = (place for place in self.problem.wanted() if place not in self.seats)
        return tuple(sorted(bare, key=lambda place: (not self.problem.posts[place[1]].deals, place)))

    @property
    def coverage(self) -> tuple[int, int]:
        """Slots without a dealer and slots without a helper: less is better, the first counts first."""
        dealing = sum(self.problem.posts[k].deals for _, k in self.uncovered)
        return dealing, len(self.uncovered) - dealing


def from_rows(problem: Problem, rows: Mapping[str, Sequence[int | None]], solver: str) -> Draft:
    seats = {
        (slot, post): person
        for person, row in rows.items()
        for slot, post in enumerate(row)
        if post is not None
    }
    return Draft(problem, dict(sorted(seats.items())), solver)


@dataclass(frozen=True, slots=True)
class Run:
    """One person at one post over the slots `first` to before `last`; off the felt where `post` is None."""

    person: str
    post: int | None
    first: int
    last: int


def runs(person: str, row: Sequence[int | None]) -> Iterator[Run]:
    """A person's slots gathered where they stay the same."""
    first = 0
    for slot in range(1, len(row) + 1):
        if slot == len(row) or row[slot] != row[first]:
            yield Run(person, row[first], first, slot)
            first = slot


@dataclass(frozen=True, slots=True)
class Measure:
    """One person's night in minutes and counts. `balance`: minutes above the fair share, past credits in."""

    person: str
    worked: int
    rests: int
    """Breaks between turns, or before the first and after the last; none shorter than the least."""
    rested: int
    longest: int
    """The longest time in a row without a break, what they brought along included."""
    changes: int
    """How often they went from one table to another, a rest between or not."""
    balance: int


def measures(draft: Draft) -> dict[str, Measure]:
    """Everyone measured, in minutes. Shares are of what is worked, by time present."""
    problem = draft.problem
    owed = shares(len(draft.seats) * problem.rules.slot_minutes, minutes_present(problem))
    return {person.id: _measure(draft, person.id, owed[person.id]) for person in problem.people}


def spread(draft: Draft) -> int:
    """The fairness of a draft in minutes: the largest balance less the smallest, of those who are there."""
    found = measures(draft)
    balances = [found[person.id].balance for person in draft.problem.people if person.present]
    return max(balances) - min(balances) if balances else 0


def minutes_present(problem: Problem) -> dict[str, int]:
    """Minutes each is there with a licence."""
    slots = range(len(problem.slots))
    return {
        person.id: sum(problem.available(person, slot) for slot in slots) * problem.rules.slot_minutes
        for person in problem.people
    }


def fair_shares(problem: Problem) -> dict[str, int]:
    """Minutes of all the work wanted that are each one's share, before anybody is seated."""
    present = minutes_present(problem)
    wanted = sum(1 for _ in problem.wanted()) * problem.rules.slot_minutes
    return shares(min(wanted, sum(present.values())), present)


def worked(draft: Draft) -> list[Worked]:
    """What the draft lets each work, by pit, for the ledger."""
    minutes: Counter[tuple[str, str]] = Counter()
    for (_, k), person in draft.seats.items():
        minutes[person, draft.problem.posts[k].pit] += draft.problem.rules.slot_minutes
    return [Worked(person, sum_, pit) for (person, pit), sum_ in sorted(minutes.items())]


def _measure(draft: Draft, person_id: str, share: int) -> Measure:
    problem, row = draft.problem, draft.rows[person_id]
    rules, person = problem.rules, problem.person[person_id]
    minutes = rules.slot_minutes
    there = [problem.available(person, slot) for slot in range(len(row))]
    free: list[int] = []
    longest = stretch = problem.standing(person_id).minutes
    away = problem.standing(person_id).rested
    for slot, post in enumerate(row):
        if post is None:
            away += minutes
            fresh = slot == 0 or row[slot - 1] is not None or not there[slot - 1]
            if there[slot]:
                free = [*free, minutes] if fresh else [*free[:-1], free[-1] + minutes]
        else:
            stretch = minutes + (stretch if away < rules.min_break_minutes else 0)
            longest, away = max(longest, stretch), 0
    tables = [problem.posts[post].table for post in row if post is not None]
    worked = minutes * len(tables)
    rests = [rest for rest in free if rest >= rules.min_break_minutes]
    changes = sum(one != two for one, two in pairwise(tables))
    balance = worked - share + problem.credit(person_id).minutes
    return Measure(person_id, worked, len(rests), sum(rests), longest, changes, balance)


def count_reliefs(draft: Draft) -> int:
    """How often somebody comes to a post where they were not before; the first slot does not count."""
    seats = draft.seats
    return sum(bool(slot) and seats.get((slot - 1, k)) != person for (slot, k), person in seats.items())
