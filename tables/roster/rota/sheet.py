"""A plan of posts as a sheet: a row a person, a column a slot, every run with its reason."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from casino.kernel.words import Text
from tables.models import PlannedTurn, RotationPlan
from tables.roster.rota.stored import draft_of, problem_of
from tables.roster.rotation import Change, Draft, Person, Problem, bare, compare, reliefs, runs
from tables.roster.rotation.saying import POSTS, REST, place

TONES = 10
"""Colours there are for tables; the eleventh table has the first one's again."""


@dataclass(frozen=True, slots=True)
class Run:
    """Somebody at one place over slots that follow each other. `tone` None: off the felt; `away`: not there.

    `words`: the place in full; `table` and `post`: the same in two short lines, `post` None where one person
    works there. `reason`: why they come here, empty where the plan begins so. `differs`: not as in force.
    """

    first: int
    last: int
    start: dt.datetime
    end: dt.datetime
    words: Text
    table: str = ""
    post: Text | None = None
    key: str = ""
    tone: int | None = None
    away: bool = False
    now: bool = False
    reason: Text | None = None
    differs: bool = False

    @property
    def slots(self) -> int:
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class Row:
    """A person's night: id, name, runs in order, minutes worked and above the share."""

    staff: int
    name: str
    runs: tuple[Run, ...]
    worked: int
    balance: int


@dataclass(frozen=True, slots=True)
class Uncovered:
    """A post nobody holds, from when to when, and why."""

    where: Text
    start: dt.datetime
    end: dt.datetime
    why: Text
    deals: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    plan: RotationPlan
    slots: tuple[dt.datetime, ...]
    now: int | None
    """The slot it is now, None before and after."""
    rows: tuple[Row, ...]
    uncovered: tuple[Uncovered, ...]
    changes: tuple[Change, ...]
    """Against what is in force, for a draft."""
    posts: tuple[tuple[str, Text], ...]
    """Every post by key, as people call it."""


def sheet(plan: RotationPlan, instant: dt.datetime) -> Sheet:
    """A plan as it is shown at `instant` (UTC); for a draft with what it would change."""
    problem = problem_of(plan)
    draft = draft_of(plan, problem)
    changes = compare(_in_force(plan, problem), draft).changes if _is_draft(plan) else ()
    slot = (instant - plan.starts) // plan.slot
    now = slot if 0 <= slot < plan.slots else None
    why = {(one.comes, one.slot, one.post): one.text for one in reliefs(draft)}
    other = {(one.person, slot) for one in changes for slot in range(one.first, one.last)}
    return Sheet(
        plan,
        problem.slots,
        now,
        tuple(_row(plan, draft, person, why, other, now) for person in problem.people),
        tuple(_uncovered(plan, draft)),
        changes,
        tuple((post.key, place(problem, k)) for k, post in enumerate(problem.posts)),
    )


def _is_draft(plan: RotationPlan) -> bool:
    return plan.state == RotationPlan.State.DRAFT


def _row(
    plan: RotationPlan,
    draft: Draft,
    person: Person,
    why: dict[tuple[str, int, int], Text],
    other: set[tuple[str, int]],
    now: int | None,
) -> Row:
    measured = plan.measures["people"][person.id]
    found = []
    for first, last, k in _pieces(draft, person):
        found.append(
            Run(
                first,
                last,
                plan.starts + first * plan.slot,
                plan.starts + last * plan.slot,
                REST if k is None else place(draft.problem, k),
                "" if k is None else draft.problem.posts[k].table,
                None if k is None else _short(draft.problem, k),
                "" if k is None else draft.problem.posts[k].key,
                None if k is None else _tone(draft.problem, k),
                k is None and not draft.problem.available(person, first),
                now is not None and first <= now < last,
                None if k is None else why.get((person.id, first, k)),
                any((person.id, slot) in other for slot in range(first, last)),
            )
        )
    return Row(int(person.id), person.name, tuple(found), measured["worked"], measured["balance"])


def _pieces(draft: Draft, person: Person) -> list[tuple[int, int, int | None]]:
    """A person's runs, those off the felt parted where they come on or off duty."""
    found: list[tuple[int, int, int | None]] = []
    for run in runs(person.id, draft.rows[person.id]):
        first = run.first
        for slot in range(run.first + 1, run.last + 1):
            there = [draft.problem.available(person, at) for at in (slot - 1, min(slot, run.last - 1))]
            if slot == run.last or (run.post is None and there[0] != there[1]):
                found.append((first, slot, run.post))
                first = slot
    return found


def _short(problem: Problem, k: int) -> Text | None:
    """The post without its table, None where the table has no other."""
    own = problem.posts[k]
    alike = [post for post in problem.posts if post.table == own.table]
    if len(alike) == 1:
        return None
    number = f" {own.place}" if sum(post.post == own.post for post in alike) > 1 else ""
    return Text("{post}{number}", "{post}{number}").fill(post=POSTS[own.post], number=number)


def _tone(problem: Problem, k: int) -> int:
    tables = list(dict.fromkeys(post.table for post in problem.posts))
    return tables.index(problem.posts[k].table) % TONES


def _uncovered(plan: RotationPlan, draft: Draft) -> list[Uncovered]:
    return [
        Uncovered(
            place(draft.problem, one.post),
            plan.starts + one.first * plan.slot,
            plan.starts + one.last * plan.slot,
            one.text,
            draft.problem.posts[one.post].deals,
        )
        for one in bare(draft)
    ]


def _in_force(plan: RotationPlan, problem: Problem) -> Draft:
    """What is in force over the slots of a draft, as a draft of the same posts; at the start of each slot."""
    keys = {(post.table, post.post, post.place): k for k, post in enumerate(problem.posts)}
    rows = PlannedTurn.objects.filter(
        casino=plan.casino_id, in_force__startswith__lt=plan.ends, in_force__endswith__gt=plan.starts
    ).select_related("table")
    seats: dict[tuple[int, int], str] = {}
    for turn in rows:
        k = keys.get((turn.table.name, turn.post, turn.place))
        if k is None or str(turn.staff_id) not in problem.person:
            continue
        for slot, start in enumerate(problem.slots):
            middle = start + plan.slot / 2
            if turn.in_force.lower <= middle < turn.in_force.upper:
                seats[slot, k] = str(turn.staff_id)
    return Draft(problem, dict(sorted(seats.items())), "in_force")
