"""The planner with OR-Tools CP-SAT: a draft made better group by group, coverage first, then the wishes.

A whole night is too much to solve in seconds. So a group of people is taken out of the draft and seated
anew, best of all ways, at the posts they held and those left bare; then the next group. No hard rule joins
two people except that nobody shares a post, so each step is a small night of its own.

The effort is counted in the solver's steps and not by a clock, and nothing runs beside anything: the same
problem gives the same draft, on a busy machine too.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tables.roster.rotation.draft import Draft, count_reliefs, fair_shares, measures
from tables.roster.rotation.model import Model
from tables.roster.rotation.problem import Person, Problem, Range

SEED = 20_261_130
GROUP = 5
"""People seated anew in one step; a night of no more is solved whole."""
STEP_EFFORT = 0.2
"""Of the solver's deterministic effort for one step."""
STEPS_A_SECOND = 7
MOVE = 20
"""What a relief costs, in minutes of unfairness."""
BARE = 100_000
"""What a slot without a helper costs: more than all the wishes of a group."""
PIT = 30
"""Minutes of credit at a pit that cost one minute of unfairness a slot there."""
PIT_MOST = 8
Owed = Mapping[str, int]
"""By person the minutes they should work this night, past credits in."""


def cpsat(problem: Problem, start: Draft, seconds: float) -> Draft:
    """A draft no worse than `start`, which keeps every hard rule; about `seconds` of one core."""
    owed = {person: share - problem.credit(person).minutes for person, share in fair_shares(problem).items()}
    if len(problem.people) <= GROUP:
        return _better(problem, start, problem.people, owed, seconds)
    chance, best = random.Random(SEED), start
    for step in range(max(1, round(seconds * STEPS_A_SECOND))):
        best = _better(problem, best, _group(best, chance, step), owed, STEP_EFFORT)
    return best


def _group(draft: Draft, chance: random.Random, step: int) -> list[Person]:
    """Whom to seat anew: around a bare place, or those farthest from their share; the rest by lot."""
    problem = draft.problem
    people = list(problem.people)
    chance.shuffle(people)
    if draft.uncovered and step % 2 == 0:
        slot, k = chance.choice(draft.uncovered)
        game = problem.posts[k].game
        first = [one for one in people if game in one.games and problem.available(one, slot)][: GROUP // 2]
    else:
        found = measures(draft)
        people.sort(key=lambda one: found[one.id].balance)
        ends = [*people[: GROUP // 2], *people[-(GROUP // 2) :]]
        first = chance.sample(ends, GROUP // 2)
        chance.shuffle(people)
    rest = [one for one in people if one not in first]
    return sorted([*first, *rest][:GROUP], key=lambda one: problem.order[one.id])


def _better(problem: Problem, draft: Draft, people: Iterable[Person], owed: Owed, effort: float) -> Draft:
    """The draft with these people seated anew at their own posts and the bare ones, or as it was."""
    part = _part(problem, draft, tuple(people))
    inside = {person.id for person in part.people}
    kept = {place: who for place, who in draft.seats.items() if who not in inside}
    own = {place: who for place, who in draft.seats.items() if who in inside}
    model = Model(part)
    model.hint(Draft(part, own, ""))
    model.cp.minimize(_cost(model, owed))
    seats = model.solved(effort)
    if seats is None:
        return draft
    found = Draft(problem, dict(sorted({**kept, **seats}.items())), "cpsat")
    return found if price(found, owed) < price(draft, owed) else draft


def _part(problem: Problem, draft: Draft, people: tuple[Person, ...]) -> Problem:
    """The night of these people alone: a post is open to them where none of the others holds it."""
    inside = {person.id for person in people}
    taken = {place for place, who in draft.seats.items() if who not in inside}
    slots = range(len(problem.slots))
    posts = tuple(
        replace(post, open=_ranges(slot for slot in slots if post.wanted(slot) and (slot, k) not in taken))
        for k, post in enumerate(problem.posts)
    )
    pinned = {place: who for place, who in problem.pinned.items() if who in inside}
    before = {who: standing for who, standing in problem.worked_before.items() if who in inside}
    credits = {who: credit for who, credit in problem.credits.items() if who in inside}
    return replace(problem, people=people, posts=posts, pinned=pinned, worked_before=before, credits=credits)


def _ranges(slots: Iterable[int]) -> tuple[Range, ...]:
    found: list[Range] = []
    for slot in slots:
        if found and found[-1][1] == slot:
            found[-1] = (found[-1][0], slot + 1)
        else:
            found.append((slot, slot + 1))
    return tuple(found)


def price(draft: Draft, owed: Owed) -> tuple[int, int, int]:
    """Slots without a dealer, without a helper, and the wishes in minutes of unfairness: less is better."""
    problem = draft.problem
    minutes = problem.rules.slot_minutes
    off = sum(
        abs(minutes * sum(post is not None for post in draft.rows[person.id]) - owed[person.id])
        for person in problem.people
    )
    pits = sum(pit_price(problem, person, k) for (_, k), person in draft.seats.items())
    return (*draft.coverage, off + MOVE * count_reliefs(draft) + pits)


def pit_price(problem: Problem, person: str, post: int) -> int:
    """What a slot at a post costs who has worked more (or, below 0, less) than others at its pit."""
    credit = problem.credit(person).pits.get(problem.posts[post].pit, 0)
    return max(-PIT_MOST, min(PIT_MOST, credit // PIT))


def _cost(model: Model, owed: Owed) -> Any:
    """The price of `price` as one number."""
    problem = model.problem
    helping = sum(not problem.posts[k].deals for _, k in problem.wanted())
    bare = BARE * ((helping + 1) * model.bare(deals=True) + model.bare(deals=False))
    pits = sum(pit_price(problem, problem.people[p].id, k) * var for (p, _, k), var in model.x.items())
    return bare + _unfairness(model, owed) + MOVE * _reliefs(model) + pits


def _unfairness(model: Model, owed: Owed) -> Any:
    """Minutes by which each one's work lies off what they owe, summed."""
    problem, total = model.problem, []
    minutes = problem.rules.slot_minutes
    for p, person in enumerate(problem.people):
        worked = minutes * sum(model.busy(p, slot) for slot in model.slots)
        due = owed[person.id]
        off = model.cp.new_int_var(0, minutes * len(model.slots) + abs(due), "")
        model.cp.add(off >= worked - due)
        model.cp.add(off >= due - worked)
        total.append(off)
    return sum(total)


def _reliefs(model: Model) -> Any:
    """How often somebody comes to a post where they were not the slot before."""
    comes = []
    for (p, slot, k), var in model.x.items():
        if slot:
            before = model.x.get((p, slot - 1, k), 0)
            come = model.cp.new_bool_var("")
            model.cp.add(come >= var - before)
            comes.append(come)
    return sum(comes)
