"""The planner with OR-Tools CP-SAT: coverage first, then the wishes, from the greedy draft on.

The effort is counted in the solver's own steps and not by a clock, and nothing runs beside anything:
the same problem gives the same draft, on a busy machine too.
"""

from __future__ import annotations

from typing import Any

from ortools.sat.python import cp_model

from tables.roster.rotation.draft import Draft, fair_shares
from tables.roster.rotation.model import Model
from tables.roster.rotation.problem import Problem

SEED = 20_261_130
COVERAGE_SHARE = 0.5
"""Of the effort, for coverage; the rest is for the wishes."""
MOVE = 20
"""What a relief costs beside a minute of unfairness."""


def effort(seconds: float, solver: Any) -> None:
    """So much deterministic effort, about as many seconds of one core; single-threaded, one seed."""
    solver.parameters.max_deterministic_time = seconds
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = SEED


def cpsat(problem: Problem, start: Draft, seconds: float) -> Draft:
    """A draft no worse than `start`, which keeps every hard rule; `seconds` of one core at most, about."""
    model = Model(problem)
    best = _covered(model, start, seconds * COVERAGE_SHARE)
    return _wished(model, best, seconds * (1 - COVERAGE_SHARE))


def _covered(model: Model, start: Draft, seconds: float) -> Draft:
    """Fewest slots without a dealer, then without a helper."""
    helpers = sum(not model.problem.posts[k].deals for _, k in model.problem.wanted())
    model.hint(start)
    model.cp.minimize((helpers + 1) * model.bare(deals=True) + model.bare(deals=False))
    found = _solve(model, seconds)
    return found if found and found.coverage <= start.coverage else start


def _wished(model: Model, start: Draft, seconds: float) -> Draft:
    """With the coverage found, least unfairness and fewest reliefs."""
    dealers, helpers = start.coverage
    model.cp.add(model.bare(deals=True) <= dealers)
    model.cp.add(model.bare(deals=False) <= helpers)
    model.hint(start)
    model.cp.minimize(_unfairness(model) + MOVE * _reliefs(model))
    found = _solve(model, seconds)
    return found or start


def _solve(model: Model, seconds: float) -> Draft | None:
    solver = cp_model.CpSolver()
    effort(seconds, solver)
    status = solver.solve(model.cp)
    return model.read(solver, "cpsat") if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None


def _unfairness(model: Model) -> Any:
    """Minutes by which each one's balance lies off the share, past credits in, summed."""
    problem, shares = model.problem, fair_shares(model.problem)
    minutes, total = problem.rules.slot_minutes, []
    for p, person in enumerate(problem.people):
        worked = minutes * sum(model.busy(p, slot) for slot in model.slots)
        owed = shares[person.id] - problem.credit(person.id).minutes
        most = minutes * len(model.slots) + abs(owed)
        off = model.cp.new_int_var(0, most, "")
        model.cp.add(off >= worked - owed)
        model.cp.add(off >= owed - worked)
        total.append(off)
    return sum(total)


def _reliefs(model: Model) -> Any:
    """How often somebody comes to a post where they were not the slot before."""
    comes = []
    for (p, slot, k), var in model.x.items():
        before = model.x.get((p, slot - 1, k))
        if slot == 0:
            continue
        come = model.cp.new_bool_var("")
        model.cp.add(come >= (var if before is None else var - before))
        comes.append(come)
    return sum(comes)
