"""Whether one person's slots keep the hard rules: what the solvers ask before they seat somebody.

`checking` proves a finished draft by other means; neither uses the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from tables.roster.rotation.problem import Person, Problem


def slots_up(minutes: int, slot: int) -> int:
    """How many slots it takes to reach so many minutes."""
    return -(-minutes // slot)


def turn_kept(problem: Problem, person: Person, row: Sequence[int | None]) -> bool:
    """No more minutes in a row than allowed without a break (FLOOR-03)."""
    rules, standing = problem.rules, problem.standing(person.id)
    stretch, away = standing.minutes, standing.rested
    for post in row:
        if post is None:
            away += rules.slot_minutes
            continue
        stretch = rules.slot_minutes + (stretch if away < rules.min_break_minutes else 0)
        away = 0
        if stretch > rules.max_minutes_on_table:
            return False
    return True


def stay_kept(problem: Problem, person: Person, row: Sequence[int | None]) -> bool:
    """Another table at least so often (SHI-013); minutes from the first to the last of each stay."""
    most = problem.rules.max_minutes_same_table
    if most is None:
        return True
    step, ends = problem.rules.slot_minutes, problem.rules.rest_ends_stay
    standing = problem.standing(person.id)
    table, began = standing.table, -standing.at_table - standing.rested
    left = -standing.rested
    for slot, post in enumerate(row):
        if post is None:
            if not person.there(slot):
                table = ""
            continue
        now = slot * step
        here = problem.posts[post].table
        if here != table or (ends is not None and now - left >= ends):
            table, began = here, now
        left = now + step
        if left - began > most:
            return False
    return True


def legal(problem: Problem, person: Person, row: Sequence[int | None]) -> bool:
    """Both rules of time over a whole row."""
    return turn_kept(problem, person, row) and stay_kept(problem, person, row)


def fits(problem: Problem, person: Person, slot: int, post: int) -> bool:
    """Qualified, there and licensed, the post open: what does not depend on other slots."""
    place = problem.posts[post]
    return place.game in person.games and place.wanted(slot) and problem.available(person, slot)
