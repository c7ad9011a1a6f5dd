"""The planner of rotations: how much of a whole house it covers, beside what the rules of time allow at most.

The bound takes each person alone (the longest turns with the shortest breaks over the time they are there)
and each slot alone (the best matching of whoever is there and qualified): no plan can have more.
"""

from __future__ import annotations

import datetime as dt
import random
import time
from collections.abc import Sequence

from casino.bench.figures import Effort, Report
from tables.games import registry
from tables.roster.rotation import Person, Post, Problem, Rules, check, count_reliefs, places, solve

NIGHTS = ((40, 30), (40, 20), (50, 30))
"""People, and minutes of a slot."""
SLOTS = 24
POSTS = 26
SECONDS = 4.0
SEED = 20_261_130
CREWS = {
    "baccarat.punto_banca": {"caller": 1, "payer": 2},
    "trente.classic": {"main_dealer": 1, "support_dealer": 2},
}
HEAD = (
    "people x slots",
    "posts",
    "covered",
    "at most",
    "no dealer",
    "reliefs",
    "CPU s",
    "greedy",
    "its CPU s",
)


def figure(effort: Effort) -> Report:
    """Slots covered by the plan and by the greedy one, with the processor time of each."""
    rows: list[Sequence[str]] = [HEAD]
    for people, minutes in NIGHTS:
        problem = house(people, minutes, random.Random(SEED))
        start = time.process_time()
        plan = solve(problem, min(SECONDS, effort.seconds))
        middle = time.process_time()
        greedy = solve(problem, solver="greedy")
        end = time.process_time()
        faults = len(check(problem, plan)) + len(check(problem, greedy))
        if faults:
            raise AssertionError(f"{faults} hard rules broken")
        rows.append(
            (
                f"{people} x {SLOTS} of {minutes} min",
                str(sum(1 for _ in problem.wanted())),
                str(len(plan.seats)),
                str(most(problem)),
                str(plan.coverage[0]),
                str(count_reliefs(plan)),
                f"{middle - start:.2f}",
                str(len(greedy.seats)),
                f"{end - middle:.2f}",
            )
        )
    return Report(
        "Rotation: posts covered, every hard rule proved", rows, ["", "Posts in slots of one person."]
    )


def house(people: int, minutes: int, chance: random.Random) -> Problem:
    """A night of 26 posts; croupiers of 3 to 6 of 8 games, a fifth comes later, a fifth goes earlier."""
    games = [*CREWS, *(game for game in registry.GAMES if "online" not in game and game not in CREWS)][:8]
    posts: list[Post] = []
    while len(posts) < POSTS:
        game = games[len(posts) % len(games)]
        posts += places(f"M{len(posts):02}", game, CREWS.get(game, {"dealer": 1}), [(0, SLOTS)])
    staff = []
    for at in range(people):
        first = chance.choice([0, 0, 0, 0, chance.randint(1, 6)])
        last = SLOTS - chance.choice([0, 0, 0, 0, chance.randint(1, 6)])
        fit = frozenset(chance.sample(games, chance.randint(3, 6)))
        staff.append(Person(f"{at:02}", f"{at:02}", fit, ((first, last),)))
    start = dt.datetime(2026, 11, 21, 0, 0, tzinfo=dt.UTC)
    slots = tuple(start + dt.timedelta(minutes=minutes * at) for at in range(SLOTS))
    return Problem(slots, tuple(staff), tuple(posts[:POSTS]), Rules(minutes))


def most(problem: Problem) -> int:
    """No plan covers more: the lesser of what people may work and what slots may have."""
    turn = problem.rules.max_minutes_on_table // problem.rules.slot_minutes
    lengths = (last - first for person in problem.people for first, last in person.present)
    alone = sum(length - length // (turn + 1) for length in lengths)
    return min(alone, sum(_matched(problem, slot) for slot in range(SLOTS)))


def _matched(problem: Problem, slot: int) -> int:
    """The most posts of a slot that can be held at once, by augmenting paths."""
    held: dict[str, int] = {}

    def seat(k: int, seen: set[str]) -> bool:
        for person in problem.people:
            fit = problem.posts[k].game in person.games and person.there(slot)
            if fit and person.id not in seen:
                seen.add(person.id)
                if person.id not in held or seat(held[person.id], seen):
                    held[person.id] = k
                    return True
        return False

    return sum(seat(k, set()) for k, post in enumerate(problem.posts) if post.wanted(slot))
