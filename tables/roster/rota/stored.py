"""A problem and its draft as the database and the trail keep them, and back: pure.

Turns are `[staff, number of the post, first slot, slot after the last]`, in order of people and slots.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from zoneinfo import ZoneInfo

from casino.kernel import rulebook
from tables.models import RotationPlan
from tables.roster.rotation import (
    Credit,
    Draft,
    Person,
    Post,
    Problem,
    Rules,
    Standing,
    count_reliefs,
    measures,
    runs,
    spread,
)

Line = list[int]
"""A turn: staff, number of the post, first slot, slot after the last."""


def problem_told(problem: Problem) -> dict[str, Any]:
    """A problem as JSON, without slots, names of games and zone: the plan's row and the book have them."""
    return {
        "people": [
            {
                "id": int(person.id),
                "name": person.name,
                "games": sorted(person.games),
                "present": [list(one) for one in person.present],
                "licensed_until": person.licensed_until,
            }
            for person in problem.people
        ],
        "posts": [{**asdict(post), "open": [list(one) for one in post.open]} for post in problem.posts],
        "rules": asdict(problem.rules),
        "pinned": [[slot, k, int(who)] for (slot, k), who in sorted(problem.pinned.items())],
        "standing": {who: asdict(one) for who, one in sorted(problem.worked_before.items())},
        "credits": {
            who: {"minutes": one.minutes, "pits": dict(one.pits)}
            for who, one in sorted(problem.credits.items())
        },
    }


def problem_of(plan: RotationPlan) -> Problem:
    """The problem a plan was made from."""
    told: Mapping[str, Any] = plan.made_from
    return Problem(
        slots=slots(plan.starts, plan.slots, plan.slot_minutes),
        people=tuple(
            Person(
                str(one["id"]),
                one["name"],
                frozenset(one["games"]),
                tuple((first, last) for first, last in one["present"]),
                one["licensed_until"],
            )
            for one in told["people"]
        ),
        posts=tuple(
            Post(**{**one, "open": tuple((first, last) for first, last in one["open"])})
            for one in told["posts"]
        ),
        rules=Rules(**told["rules"]),
        pinned={(slot, k): str(who) for slot, k, who in told["pinned"]},
        worked_before={who: Standing(**one) for who, one in told["standing"].items()},
        credits={who: Credit(one["minutes"], one["pits"]) for who, one in told["credits"].items()},
        names=names_of({one["game"] for one in told["posts"]}),
        zone=ZoneInfo(plan.casino.zone),
    )


def draft_of(plan: RotationPlan, problem: Problem | None = None) -> Draft:
    """The draft as it stands in a plan's row."""
    seats = {(slot, k): str(who) for who, k, first, last in plan.turns for slot in range(first, last)}
    return Draft(problem or problem_of(plan), dict(sorted(seats.items())), plan.solver)


def lines_of(draft: Draft) -> list[Line]:
    """A draft as a plan's row and its events keep it."""
    return [
        [int(run.person), run.post, run.first, run.last]
        for person, row in sorted(draft.rows.items(), key=lambda pair: int(pair[0]))
        for run in runs(person, row)
        if run.post is not None
    ]


def measures_of(draft: Draft) -> dict[str, Any]:
    """What a draft is worth: slots left bare (dealing, helping), reliefs, fairness, each person's minutes."""
    dealing, helping = draft.coverage
    return {
        "bare_dealing": dealing,
        "bare_helping": helping,
        "reliefs": count_reliefs(draft),
        "spread": spread(draft),
        "people": {
            who: {
                "worked": one.worked,
                "longest": one.longest,
                "changes": one.changes,
                "balance": one.balance,
            }
            for who, one in measures(draft).items()
        },
    }


def slots(starts: dt.datetime, count: int, minutes: int) -> tuple[dt.datetime, ...]:
    return tuple(starts + dt.timedelta(minutes=minutes * at) for at in range(count))


def names_of(games: Sequence[str] | set[str]) -> dict[str, Any]:
    """What the book calls the games."""
    return {game: rulebook.game(game).name for game in sorted(games)}
