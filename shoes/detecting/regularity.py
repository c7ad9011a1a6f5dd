"""A box, machine or pack that goes to the tables by a pattern somebody could foresee (CARD-46).

At each assignment five things are asked, each with a fifth of ALARM:

    a cycle of 1, 2, 3, 4     the last m assignments each repeat the one that many before
    a favourite               one table has too many of the last 24

If each table is equally likely whatever came before, an assignment repeats a given one with 1/T: an
unbroken run of m has the chance T^-m exactly. A favourite with s of n: T · P(Bin(n, 1/T) ≥ s) at most, each
table asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from casino.kernel.words import Text, same
from shoes.detecting.chance import binomial_tail
from shoes.detecting.finding import ALARM, Finding, decimal

CODE = "regularity"
PERIODS = range(1, 5)
LAST = 24
"""Assignments among which a favourite is looked for."""
_ASKED = len(PERIODS) + 1


def too_regular(assignments: Sequence[str], tables: int) -> Finding | None:
    """Whether the tables a device went to, oldest first and this one last, follow a pattern beyond chance.

    `tables`: among how many it was chosen each time. With one there is no choice, and no alarm.
    """
    if tables < 2 or not assignments:
        return None
    run, period = max((_run(assignments, period), -period) for period in PERIODS)
    p = _ASKED * float(tables) ** -run
    return _cycle(assignments, tables, -period, run, p) if p <= ALARM else _favourite(assignments, tables)


def _run(assignments: Sequence[str], period: int) -> int:
    """How many of the last assignments each repeat the one `period` before."""
    run = 0
    while run + period < len(assignments) and assignments[-1 - run] == assignments[-1 - run - period]:
        run += 1
    return run


def _cycle(assignments: Sequence[str], tables: int, period: int, run: int, p: float) -> Finding:
    cycle = list(assignments[-period:])
    if period == 1:
        words = Text(
            "Fue {times} veces seguidas a la mesa {cycle}, pudiendo ir a {tables}. "
            "Asígnelo sin patrón fijo y anote por qué.",
            "It went to table {cycle} {times} times in a row, with {tables} to choose from. "
            "Assign it without a fixed pattern and note why.",
        )
    else:
        words = Text(
            "Sus últimas {times} asignaciones siguen un turno fijo: {cycle}. "
            "Asígnelo sin patrón fijo y anote por qué.",
            "Its last {times} assignments follow a fixed turn: {cycle}. "
            "Assign it without a fixed pattern and note why.",
        )
    words = words.fill(times=run + period, cycle=same(", ".join(cycle)), tables=tables)
    facts = {"kind": "cycle", "period": period, "cycle": cycle, "assignments": run + period, "tables": tables}
    return Finding(CODE, p, words, facts)


def _favourite(assignments: Sequence[str], tables: int) -> Finding | None:
    last = assignments[-LAST:]
    table, times = Counter(last).most_common(1)[0]
    p = _ASKED * tables * binomial_tail(len(last), 1 / tables, times)
    if p > ALARM:
        return None
    words = Text(
        "De sus últimas {last} asignaciones, {times} fueron a la mesa {table}; al azar serían {expected}. "
        "Asígnelo sin patrón fijo y anote por qué.",
        "Of its last {last} assignments, {times} were to table {table}; by chance it would be {expected}. "
        "Assign it without a fixed pattern and note why.",
    ).fill(last=len(last), times=times, table=same(table), expected=decimal(len(last) / tables))
    facts = {"kind": "favourite", "table": table, "times": times, "assignments": len(last), "tables": tables}
    return Finding(CODE, p, words, facts)
