"""The hard rules of a rotation as a CP-SAT model: whatever solves it keeps them all.

A variable `x[person, slot, post]` for each place a person may take at all; the rules of time are laid
over each person's slots. Imported only where OR-Tools is installed.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ortools.sat.python import cp_model

from tables.roster.rotation.draft import Draft, Seats
from tables.roster.rotation.legal import slots_up, stay_kept
from tables.roster.rotation.problem import Problem

SEED = 20_261_130
ENOUGH = 20
"""A night in which somebody would stay too long is solved again while a twentieth of the effort is left."""


class Model:
    """`x` by (number of the person, slot, number of the post); `cp` is OR-Tools' own model."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.cp = problem, cp_model.CpModel()
        self.slots = range(len(problem.slots))
        self.x: dict[tuple[int, int, int], Any] = {}
        self.at: dict[tuple[int, int], list[Any]] = defaultdict(list)
        """By (person, slot): the places they may take then."""
        for slot, k in problem.wanted():
            self._post(slot, k)
        for places in self.at.values():
            if len(places) > 1:
                self.cp.add_at_most_one(places)
        for p in range(len(problem.people)):
            self._turns(p)

    def _post(self, slot: int, k: int) -> None:
        """Everyone who may hold one post in one slot, at most one of them; whoever is pinned there."""
        problem, places = self.problem, []
        pinned = problem.pinned.get((slot, k))
        for p, person in enumerate(problem.people):
            fit = (p, k) in problem.allowed and problem.available(person, slot)
            if fit and pinned in (None, person.id):
                var = self.cp.new_bool_var("")
                self.x[p, slot, k] = var
                self.at[p, slot].append(var)
                places.append(var)
        if pinned is not None:
            self.cp.add(sum(places) == 1)
        elif len(places) > 1:
            self.cp.add_at_most_one(places)

    def busy(self, p: int, slot: int) -> Any:
        """1 where the person works in the slot."""
        return sum(self.at[p, slot])

    def _turns(self, p: int) -> None:
        """Minutes in a row without a break (FLOOR-03)."""
        rules = self.problem.rules
        standing = self.problem.standing(self.problem.people[p].id)
        minutes = rules.slot_minutes
        most = rules.max_minutes_on_table // minutes
        if minutes < rules.min_break_minutes:
            self._turns_by_minute(p)
            return
        for first in self.slots[: -most or None]:
            self.cp.add(sum(self.busy(p, slot) for slot in range(first, first + most + 1)) <= most)
        if standing.minutes and standing.rested < rules.min_break_minutes:
            left = (rules.max_minutes_on_table - standing.minutes) // minutes
            if 0 <= left < len(self.slots):
                self.cp.add(sum(self.busy(p, slot) for slot in range(left + 1)) <= left)
            elif left < 0:
                self.cp.add(self.busy(p, 0) == 0)

    def _turns_by_minute(self, p: int) -> None:
        """The same where a break takes several slots: shorter gaps neither count nor end the turn."""
        rules = self.problem.rules
        standing = self.problem.standing(self.problem.people[p].id)
        most, minutes = rules.max_minutes_on_table, rules.slot_minutes
        breaks = self._away(p, rules.min_break_minutes, standing.rested)
        count: Any = min(standing.minutes, most) if standing.rested < rules.min_break_minutes else 0
        for slot in self.slots:
            after = self.cp.new_int_var(0, most, "")
            self.cp.add(after >= count + minutes * self.busy(p, slot) - most * breaks[slot])
            count = after

    def _away(self, p: int, minutes: int, rested: int) -> list[Any]:
        """By slot whether the person may be said to end it away for so many minutes (0 where never)."""
        need, length = slots_up(minutes, self.problem.rules.slot_minutes), self.problem.rules.slot_minutes
        first = max(1, slots_up(minutes - rested, length))
        found: list[Any] = []
        for slot in self.slots:
            ways = [range(slot - need + 1, slot + 1)] if slot + 1 >= need else []
            if first < need and slot + 1 == first:
                ways.append(range(slot + 1))
            options = []
            for way in ways:
                option = self.cp.new_bool_var("")
                for one in way:
                    for place in self.at[p, one]:
                        self.cp.add_implication(option, ~place)
                options.append(option)
            found.append(sum(options) if options else 0)
        return found

    def stays(self, p: int) -> None:
        """Another table at least so often (SHI-013): `here` says the stay at a table goes on.

        Costly and seldom broken, so `solved` lays it on those alone who would stay too long.
        """
        most = self.problem.rules.max_minutes_same_table
        if most is None:
            return
        standing = self.problem.standing(self.problem.people[p].id)
        ends = self.problem.rules.rest_ends_stay
        away = [0] * len(self.slots) if ends is None else self._away(p, ends, standing.rested)
        over = ends is not None and standing.rested >= ends
        carried = 0 if over else standing.at_table + standing.rested
        for table, places in self._by_table(p).items():
            self._stay(p, places, away, carried if table == standing.table else 0, most)

    def _by_table(self, p: int) -> dict[str, dict[int, list[Any]]]:
        """The places a person may take, by table and slot."""
        found: dict[str, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
        for slot in self.slots:
            for k, post in enumerate(self.problem.posts):
                if (p, slot, k) in self.x:
                    found[post.table][slot].append(self.x[p, slot, k])
        return found

    def _stay(
        self, p: int, places: dict[int, list[Any]], away: list[Any], carried: int, minutes: int
    ) -> None:
        """One person at one table: nobody is back at the end of a stay of over `minutes`."""
        person, length = self.problem.people[p], self.problem.rules.slot_minutes
        most = minutes // length
        before: Any = 1 if carried else 0
        here: list[Any] = []
        for slot in self.slots:
            own = sum(places.get(slot, []))
            if len(here) >= most:
                self.cp.add(own + sum(here[-most:]) <= most)
            if carried and carried + length * (slot + 1) > minutes and slot < most:
                self.cp.add(own + sum(here) <= slot)
            now = self.cp.new_bool_var("")
            self.cp.add(now >= own)
            if person.there(slot):
                self.cp.add(now >= before - (self.busy(p, slot) - own) - away[slot])
            here.append(now)
            before = now

    def bare(self, *, deals: bool) -> Any:
        """How many slots of dealing or of helping posts nobody holds."""
        posts = self.problem.posts
        wanted = sum(posts[k].deals == deals for _, k in self.problem.wanted())
        return wanted - sum(var for (_, _, k), var in self.x.items() if posts[k].deals == deals)

    def hint(self, draft: Draft) -> None:
        self.cp.clear_hints()  # type: ignore[no-untyped-call]
        number = self.problem.order
        seated = {(number[person], slot, k) for (slot, k), person in draft.seats.items()}
        for place, var in self.x.items():
            self.cp.add_hint(var, place in seated)

    def solved(self, effort: float) -> Seats | None:
        """The best seats found with so much deterministic effort of one core; None where none were.

        Each try gets half of what is left. Without presolve: on nights so small it costs more than it brings.
        """
        laid: set[int] = set()
        left = effort
        while left > effort / ENOUGH:
            solver = cp_model.CpSolver()
            solver.parameters.max_deterministic_time = left / 2
            solver.parameters.num_workers = 1
            solver.parameters.random_seed = SEED
            solver.parameters.cp_model_presolve = False
            if solver.solve(self.cp) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                return None
            left -= solver.response_proto.deterministic_time
            seats = self._read(solver)
            long = [p for p in self._long_stays(seats) if p not in laid]
            if not long:
                return seats
            for p in long:
                self.stays(p)
            laid.update(long)
        return None

    def _read(self, solver: cp_model.CpSolver) -> Seats:
        people = self.problem.people
        return {(slot, k): people[p].id for (p, slot, k), var in self.x.items() if solver.boolean_value(var)}

    def _long_stays(self, seats: Seats) -> list[int]:
        rows = Draft(self.problem, seats, "").rows
        people = enumerate(self.problem.people)
        return [p for p, person in people if not stay_kept(self.problem, person, rows[person.id])]
