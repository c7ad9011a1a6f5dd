"""The planner without OR-Tools: slot by slot, the cheapest lawful way to seat everyone.

It looks one slot back and only at pins ahead. So that not everybody is due for a break at once, it
relieves early: of n posts whose turns last m slots, n / m are relieved each slot, who stands longest first.
"""

from __future__ import annotations

from tables.roster.rotation.draft import Draft, fair_shares, from_rows
from tables.roster.rotation.legal import fits, legal, stay_kept, turn_kept
from tables.roster.rotation.matching import NEVER, cheapest
from tables.roster.rotation.problem import Person, Problem
from tables.roster.rotation.string import string

BARE_DEALER = 10**8
BARE_HELPER = 10**6
DUE = 900
"""For whoever is due for relief to stay on."""
CROSS = 500
"""From one table straight to another."""
COME = 300
"""A relief that need not be."""
BACK = 60
"""Back to the table of the last turn: better another (SHI-013)."""
VERSATILE = 4
"""For each other post of the slot a person could take: the versatile are kept for where they are needed."""
LOAD_MOST = 250

Rows = dict[str, list[int | None]]


def greedy(problem: Problem) -> Draft:
    """A draft without any solver: the relief string where the night is one, else seated slot by slot."""
    return string(problem) or seat_by_slots(problem)


def seat_by_slots(problem: Problem) -> Draft:
    rows: Rows = {person.id: [None] * len(problem.slots) for person in problem.people}
    for (slot, post), person_id in problem.pinned.items():
        rows[person_id][slot] = post
    shares = fair_shares(problem)
    for slot in range(len(problem.slots)):
        _Slot(problem, rows, shares, slot).seat()
    fill(problem, rows)
    return from_rows(problem, rows, "greedy")


class _Slot:
    """One slot to seat, all before it seated."""

    def __init__(self, problem: Problem, rows: Rows, shares: dict[str, int], slot: int) -> None:
        self.problem, self.rows, self.slot, self.shares = problem, rows, slot, shares
        pinned = {k for s, k in problem.pinned if s == slot}
        self.posts = [k for k, post in enumerate(problem.posts) if post.wanted(slot) and k not in pinned]
        fixed = {problem.pinned[slot, k] for k in pinned}
        free = [
            person for person in problem.people if person.id not in fixed and problem.available(person, slot)
        ]
        self.people = [person for person in free if self.posts and self._may_stand(person)]
        self.due = self._due()

    def seat(self) -> None:
        if not self.posts:
            return
        costs = [[*self._costs(post), *[self._bare(post)] * len(self.posts)] for post in self.posts]
        for post, column in zip(self.posts, cheapest(costs), strict=True):
            if column < len(self.people):
                self.rows[self.people[column].id][self.slot] = post

    def _bare(self, post: int) -> int:
        return BARE_DEALER if self.problem.posts[post].deals else BARE_HELPER

    def _costs(self, post: int) -> list[int]:
        return [self._cost(person, post) for person in self.people]

    def _may_stand(self, person: Person) -> bool:
        """Whether one more slot keeps the longest turn, pins ahead included; any post does to ask."""
        return turn_kept(self.problem, person, self._row(person, self.posts[0]))

    def _row(self, person: Person, post: int) -> list[int | None]:
        row = list(self.rows[person.id])
        row[self.slot] = post
        return row

    def _before(self, person: Person) -> int | None:
        return self.rows[person.id][self.slot - 1] if self.slot else None

    def _table_before(self, person: Person) -> str:
        """Where they last worked, a rest between or not."""
        posts = (post for post in reversed(self.rows[person.id][: self.slot]) if post is not None)
        last = next(posts, None)
        return self.problem.standing(person.id).table if last is None else self.problem.posts[last].table

    def _due(self) -> set[str]:
        """Who should be relieved now although they might go on, so that turns do not all end at once."""
        rules = self.problem.rules
        turn = rules.max_minutes_on_table // rules.slot_minutes
        on = [person for person in self.people if self._stretch(person)]
        working = [person for person in self.problem.people if self._before(person) is not None]
        forced = len(working) - len([person for person in on if self._before(person) is not None])
        rate = -(-len(self.posts) // turn)
        order = self.problem.order
        on.sort(key=lambda person: (-self._stretch(person), self._before(person) or 0, order[person.id]))
        return {person.id for person in on[: max(0, rate - forced)]}

    def _stretch(self, person: Person) -> int:
        """Slots in a row up to now; what they brought along counts as one more."""
        row, count = self.rows[person.id], 0
        while count < self.slot and row[self.slot - 1 - count] is not None:
            count += 1
        return count + bool(count == self.slot and self.problem.standing(person.id).minutes)

    def _cost(self, person: Person, post: int) -> int:
        problem = self.problem
        if not fits(problem, person, self.slot, post):
            return NEVER
        if not stay_kept(problem, person, self._row(person, post)):
            return NEVER
        before, table = self._before(person), problem.posts[post].table
        stands = problem.standing(person.id) if not self.slot else None
        if before == post or (stands and stands.minutes and not stands.rested and stands.table == table):
            cost = 0
        elif before is not None:
            cost = CROSS
        else:
            cost = COME + BACK * (self._table_before(person) == table)
        cost += DUE * (person.id in self.due)
        others = sum((problem.order[person.id], k) in problem.allowed for k in self.posts)
        return cost + VERSATILE * others + self._load(person, post)

    def _load(self, person: Person, post: int) -> int:
        """Minutes above the share of the night so far, past credits in, those of the post's pit too."""
        problem, minutes = self.problem, self.problem.rules.slot_minutes
        worked = sum(one is not None for one in self.rows[person.id][: self.slot]) * minutes
        share = self.shares[person.id] * self.slot // len(problem.slots)
        credit = problem.credit(person.id)
        load = worked - share + credit.minutes + credit.pits.get(problem.posts[post].pit, 0) // 4
        return LOAD_MOST + max(-LOAD_MOST, min(LOAD_MOST, load))


def fill(problem: Problem, rows: Rows) -> None:
    """Seat whoever may stand at a post left bare, who has worked least first; a second look over a draft."""
    for slot, post in from_rows(problem, rows, "greedy").uncovered:
        for person in sorted(problem.people, key=lambda one: sum(k is not None for k in rows[one.id])):
            row = rows[person.id]
            if row[slot] is None and fits(problem, person, slot, post):
                row[slot] = post
                if legal(problem, person, row):
                    break
                row[slot] = None
