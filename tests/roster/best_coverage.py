"""The best coverage a small night can have, by trying everything; nothing of the planner is used."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from tables.roster.rotation import Person, Problem


def best(problem: Problem) -> tuple[int, int]:
    """The fewest slots without a dealer and, with those, without a helper: all lawful rows of each person."""
    places = list(problem.wanted())
    reached = {frozenset[tuple[int, int]]()}
    for person in problem.people:
        rows = lawful_rows(problem, person)
        reached = {taken | row for taken in reached for row in rows if not taken & row}
    bare = []
    for taken in reached:
        left = [problem.posts[k].deals for slot, k in places if (slot, k) not in taken]
        bare.append((sum(left), len(left) - sum(left)))
    return min(bare)


def lawful_rows(problem: Problem, person: Person) -> set[frozenset[tuple[int, int]]]:
    """Every set of (slot, post) that one person may hold by the rules."""
    choices: list[list[int | None]] = []
    for slot in range(len(problem.slots)):
        there = any(a <= slot < b for a, b in person.present)
        licensed = person.licensed_until is None or slot < person.licensed_until
        fit = [
            k
            for k, post in enumerate(problem.posts)
            if there and licensed and post.game in person.games and any(a <= slot < b for a, b in post.open)
        ]
        choices.append([None, *fit])
    return {
        frozenset((slot, k) for slot, k in enumerate(row) if k is not None)
        for row in product(*choices)
        if lawful(problem, person, row)
    }


def lawful(problem: Problem, person: Person, row: Sequence[int | None]) -> bool:
    """Walks the night a minute at a time."""
    rules, before = problem.rules, problem.worked_before.get(person.id)
    on = before.minutes if before else 0
    off = before.rested if before else 0
    table = before.table if before else ""
    clock = before.at_table + before.rested if before else 0
    """Minutes since the stay began."""
    for slot, k in enumerate(row):
        there = any(a <= slot < b for a, b in person.present)
        for _ in range(rules.slot_minutes):
            if k is None:
                off, clock = off + 1, clock + 1
                if not there:
                    table = ""
                continue
            if off >= rules.min_break_minutes:
                on = 0
            here = problem.posts[k].table
            if here != table or (rules.rest_ends_stay is not None and off >= rules.rest_ends_stay):
                table, clock = here, 0
            on, off, clock = on + 1, 0, clock + 1
            too_long = rules.max_minutes_same_table is not None and clock > rules.max_minutes_same_table
            if on > rules.max_minutes_on_table or too_long:
                return False
    return True
