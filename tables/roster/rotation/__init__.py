"""The planner of rotations: who stands at which post in each slot of a night. Plain Python.

`solve` drafts, `check` proves, `reliefs` and `bare` give the reasons, `compare` tells
what differs, `replan` and `swap` change a running night, `carried` keeps the ledger: docs/rotation.md.
"""

from tables.roster.rotation.checking import Fault, check, require_sound
from tables.roster.rotation.comparing import Change, Difference, compare
from tables.roster.rotation.draft import Draft, Measure, Run, count_reliefs, measures, runs, spread, worked
from tables.roster.rotation.fairness import Worked, carried, shares
from tables.roster.rotation.problem import Credit, Person, Post, Problem, Rules, Standing, places
from tables.roster.rotation.reasons import Bare, Relief, bare, reliefs
from tables.roster.rotation.replanning import moved, replan, swap, without
from tables.roster.rotation.solving import solve

__all__ = [
    "Bare",
    "Change",
    "Credit",
    "Difference",
    "Draft",
    "Fault",
    "Measure",
    "Person",
    "Post",
    "Problem",
    "Relief",
    "Rules",
    "Run",
    "Standing",
    "Worked",
    "bare",
    "carried",
    "check",
    "compare",
    "count_reliefs",
    "measures",
    "moved",
    "places",
    "reliefs",
    "replan",
    "require_sound",
    "runs",
    "shares",
    "solve",
    "spread",
    "swap",
    "without",
    "worked",
]
