"""One call for a draft: the floor's own string where the night is one, else CP-SAT, else greedy.

Whatever made it, a draft is proved before it is handed out.
"""

from __future__ import annotations

from importlib.util import find_spec

from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables.roster.rotation.checking import require_pins, require_sound
from tables.roster.rotation.draft import Draft, from_rows
from tables.roster.rotation.greedy import fill, greedy, seat_by_slots
from tables.roster.rotation.problem import Problem
from tables.roster.rotation.string import string

SOLVERS = ("auto", "cpsat", "greedy")


def solve(problem: Problem, seconds: float = 4.0, solver: str = "auto") -> Draft:
    """A draft that breaks no hard rule: posts are left bare rather than that.

    `seconds` is about how long one core may try to better the greedy draft; `solver` is `auto`, `cpsat` (no
    string, OR-Tools must be there) or `greedy`. The same arguments give the same draft. Raises
    `RuleViolation` or `Refused` where the pins alone break a rule, or the solver is unknown or missing.
    """
    if solver not in SOLVERS:
        words = Text(f"elija entre {', '.join(SOLVERS)}", f"choose among {', '.join(SOLVERS)}")
        raise Refused(words, code="rotation_solver_unknown", field="solver")
    require_pins(problem)
    there = solver != "greedy" and find_spec("ortools") is not None
    if solver == "cpsat" and not there:
        words = Text(
            "OR-Tools no está instalado; elija «greedy»", "OR-Tools is not installed; choose “greedy”"
        )
        raise Refused(words, code="rotation_solver_missing", field="solver")
    draft = _bettered(problem, seconds, solver) if there else greedy(problem)
    require_sound(problem, draft)
    return draft


def _bettered(problem: Problem, seconds: float, solver: str) -> Draft:
    custom = string(problem) if solver == "auto" else None
    if custom:
        return custom
    from tables.roster.rotation.cpsat import cpsat  # OR-Tools takes half a second to load

    draft = cpsat(problem, seat_by_slots(problem), seconds)
    rows = {person: list(row) for person, row in draft.rows.items()}
    fill(problem, rows)
    return from_rows(problem, rows, "cpsat")
