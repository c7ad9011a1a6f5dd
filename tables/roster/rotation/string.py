"""The relief string: the floor's own way to rotate n tables among n + 1 croupiers (SHI-012).

The relief goes from table to table and each croupier rests while the relief stands in, one slot
each; then the relief rests and all stand at their tables. So a cycle is n + 1 slots.
"""

from __future__ import annotations

from tables.roster.rotation.draft import Draft, from_rows
from tables.roster.rotation.legal import legal
from tables.roster.rotation.problem import Problem


def string(problem: Problem) -> Draft | None:
    """The string's draft, or None where the night is no plain string or a hard rule would not hold.

    The relief is the person listed last; it begins with a rest where the rules say so, else at the first
    table. The tables are passed on before a stay becomes too long (SHI-013); who rests when stays.
    """
    if not _plain(problem):
        return None
    rows: dict[str, list[int | None]] = {person.id: [] for person in problem.people}
    *own, relief = rows
    tables, length = len(own), len(own) + 1
    most = problem.rules.max_minutes_same_table
    cycles = max(1, most // (length * problem.rules.slot_minutes)) if most else len(problem.slots)
    begin = 0 if problem.rules.relief_rests_first else 1
    for at in range(begin, begin + len(problem.slots)):
        cycle, resting = divmod(at, length)
        for place, person in enumerate(own, 1):
            table = (place - 1 + cycle // cycles) % tables
            rows[person].append(None if place == resting else table)
        rows[relief].append((resting - 1 + cycle // cycles) % tables if resting else None)
    if not all(legal(problem, person, rows[person.id]) for person in problem.people):
        return None
    return from_rows(problem, rows, "string")


def _plain(problem: Problem) -> bool:
    """One post a table, one person more than tables, everyone fit for all of it and nothing carried over."""
    everything = ((0, len(problem.slots)),)
    return (
        len(problem.people) == len(problem.posts) + 1 > 1
        and len({post.table for post in problem.posts}) == len(problem.posts)
        and len(problem.allowed) == len(problem.people) * len(problem.posts)
        and all(tuple(post.open) == everything for post in problem.posts)
        and all(
            problem.available(person, slot) for person in problem.people for slot in range(len(problem.slots))
        )
        and not problem.pinned
        and not any(standing.minutes or standing.at_table for standing in problem.worked_before.values())
    )
