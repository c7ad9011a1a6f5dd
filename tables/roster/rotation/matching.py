"""The cheapest way to give each place one person: the Hungarian method, whole numbers in and out."""

from __future__ import annotations

from collections.abc import Sequence

NEVER = 10**12
"""The cost of what must not be."""


def cheapest(costs: Sequence[Sequence[int]]) -> list[int]:
    """For each row the column it gets, no column twice, at the least cost in all.

    `costs[row][column]` are whole numbers; there are at least as many columns as rows. Of equally cheap
    ways the same one is found every time.
    """
    rows, columns = len(costs), len(costs[0]) if costs else 0
    of_rows, of_columns = [0] * (rows + 1), [0] * (columns + 1)
    holder = [0] * (columns + 1)
    """By column the row that has it, from 1; 0 is nobody."""
    for row in range(1, rows + 1):
        holder[0] = row
        column, came = _way_to_a_free_one(costs, holder, of_rows, of_columns)
        while column:
            holder[column], column = holder[came[column]], came[column]
    found = [-1] * rows
    for column in range(1, columns + 1):
        if holder[column]:
            found[holder[column] - 1] = column - 1
    return found


def _way_to_a_free_one(
    costs: Sequence[Sequence[int]], holder: Sequence[int], of_rows: list[int], of_columns: list[int]
) -> tuple[int, list[int]]:
    """The nearest free column, and by column the one before it on the way; adjusts the potentials."""
    size = len(of_columns)
    least, came = [NEVER * 9] * size, [0] * size
    open_columns, seen = list(range(1, size)), [0]
    column = 0
    while holder[column]:
        line, base = costs[holder[column] - 1], of_rows[holder[column]]
        for other in open_columns:
            cost = line[other - 1] - base - of_columns[other]
            if cost < least[other]:
                least[other], came[other] = cost, column
        nearest = min(open_columns, key=least.__getitem__)
        step = least[nearest]
        for other in seen:
            of_rows[holder[other]] += step
            of_columns[other] -= step
        for other in open_columns:
            least[other] -= step
        open_columns.remove(nearest)
        seen.append(nearest)
        column = nearest
    return column, came
