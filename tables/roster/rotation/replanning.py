"""The plan changed while the night runs: somebody does not come, or two people swap.

A no-show is mended with few moves, because each one has to be told on a running floor. A move sends one
person to one post (or off the felt) over slots that follow each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables.roster.rotation.checking import require_sound
from tables.roster.rotation.draft import Draft, Run, from_rows
from tables.roster.rotation.legal import fits, legal
from tables.roster.rotation.problem import Person, Problem, Range

BEAM = 6
"""How many half-finished plans are followed at once."""
MOST_MOVES = 3


def replan(
    problem: Problem, draft: Draft, from_slot: int, absent: Collection[str] = (), moves: int = MOST_MOVES
) -> Draft:
    """The draft without those who are absent from `from_slot` on, mended in at most `moves` moves.

    Nothing before `from_slot` changes; what the absent lose is no move. The result's `problem` is the night
    without them, its `uncovered` what could not be mended (`reasons.bare` says why). Raises `Refused` for
    people or slots that are not of the plan.
    """
    _require_range(problem, from_slot, len(problem.slots))
    _require_known(problem, *absent)
    night = without(problem, absent, from_slot)
    rows = {
        person: tuple(None if person in absent and slot >= from_slot else k for slot, k in enumerate(row))
        for person, row in draft.rows.items()
    }
    start = _State(from_rows(night, rows, "replan"), ())
    best, beam = start, [start]
    while beam:
        reached = [after for state in beam for after in _steps(state, from_slot, moves - len(state.done))]
        beam = _best(reached)
        best = min([best, *beam], key=_rank)
    return best.draft


def without(problem: Problem, absent: Collection[str], from_slot: int) -> Problem:
    """The same night with some people gone from a slot on, and nothing pinned to them there."""
    people = tuple(
        replace(person, present=_cut(person.present, from_slot)) if person.id in absent else person
        for person in problem.people
    )
    pinned = {(s, k): who for (s, k), who in problem.pinned.items() if s < from_slot or who not in absent}
    return replace(problem, people=people, pinned=pinned)


def swap(problem: Problem, draft: Draft, a: str, b: str, from_slot: int, to_slot: int) -> Draft:
    """Two people in each other's place from `from_slot` to before `to_slot`.

    Raises `RuleViolation` (or `Refused`) with the hard rule that this would break.
    """
    _require_known(problem, a, b)
    _require_range(problem, from_slot, to_slot)
    rows = {person: list(row) for person, row in draft.rows.items()}
    for slot in range(from_slot, to_slot):
        rows[a][slot], rows[b][slot] = rows[b][slot], rows[a][slot]
    swapped = from_rows(problem, rows, "swap")
    require_sound(problem, swapped)
    return swapped


def moved(before: Draft, after: Draft, absent: Collection[str] = ()) -> tuple[Run, ...]:
    """The moves from one draft to another: one person at one new post over slots that follow each other."""
    found = []
    for person, row in after.rows.items():
        if person in absent:
            continue
        old, first = before.rows[person], 0
        for slot in range(1, len(row) + 1):
            if slot == len(row) or _new(old, row, slot) != _new(old, row, first):
                if row[first] != old[first]:
                    found.append(Run(person, row[first], first, slot))
                first = slot
    return tuple(found)


def _new(old: tuple[int | None, ...], row: tuple[int | None, ...], slot: int) -> tuple[bool, int | None]:
    return row[slot] != old[slot], row[slot] if row[slot] != old[slot] else None


@dataclass(frozen=True, slots=True)
class _State:
    """A plan on the way, and the moves that led to it."""

    draft: Draft
    done: tuple[Run, ...]


def _rank(state: _State) -> tuple[tuple[int, int], int, int]:
    """Coverage first, then fewer moves, then fewer slots touched."""
    return state.draft.coverage, len(state.done), sum(run.last - run.first for run in state.done)


def _best(states: list[_State]) -> list[_State]:
    """The few to follow, each seating once."""
    apart = {tuple(state.draft.seats.items()): state for state in sorted(states, key=_rank, reverse=True)}
    return sorted(apart.values(), key=_rank)[:BEAM]


def _steps(state: _State, from_slot: int, left: int) -> Iterator[_State]:
    """Every way to better the plan by one move; by two, where somebody else then takes the mover's post."""
    if left < 1:
        return
    for k, gap in _gaps(state.draft, from_slot):
        for first in range(*gap):
            single = list(_fillings(state.draft, k, first, gap[1], chain=False))
            yield from (_done(state, [run]) for run in single)
            if left > 1 and not single:
                for run in _fillings(state.draft, k, first, gap[1], chain=True):
                    yield from _chained(state, run)


def _chained(state: _State, run: Run) -> Iterator[_State]:
    """Somebody leaves their post for a bare one, and another takes what they left."""
    left_behind = state.draft.rows[run.person][run.first]
    assert left_behind is not None  # a chain begins at a post
    after = _done(state, [run])
    for second in _fillings(after.draft, left_behind, run.first, run.last, chain=False):
        if _done(after, [second]).draft.coverage < state.draft.coverage:
            yield _done(after, [second])


def _gaps(draft: Draft, from_slot: int) -> list[tuple[int, Range]]:
    """Bare posts from a slot on, as runs of slots; dealing posts first."""
    found: list[tuple[int, Range]] = []
    posts = draft.problem.posts
    for slot, k in sorted(draft.uncovered, key=lambda at: (not posts[at[1]].deals, at[1], at[0])):
        if slot < from_slot:
            continue
        if found and found[-1][0] == k and found[-1][1][1] == slot:
            found[-1] = k, (found[-1][1][0], slot + 1)
        else:
            found.append((k, (slot, slot + 1)))
    return found


def _fillings(draft: Draft, k: int, first: int, last: int, *, chain: bool) -> Iterator[Run]:
    """Who may take a bare post from `first` on, each for as long as they may.

    From a post that counts less, or off the felt; with `chain` from a post that counts alike. Who works
    least comes first.
    """
    problem, rows = draft.problem, draft.rows
    for person in sorted(problem.people, key=lambda one: sum(at is not None for at in rows[one.id])):
        row = rows[person.id]
        if _may_leave(problem, row[first], k, chain=chain):
            end = _reach(problem, person, row, k, first, last)
            if end > first:
                yield Run(person.id, k, first, end)


def _may_leave(problem: Problem, at: int | None, k: int, *, chain: bool) -> bool:
    if at is None or problem.posts[at].deals != problem.posts[k].deals:
        return not chain and (at is None or problem.posts[k].deals)
    return chain


def _reach(
    problem: Problem, person: Person, row: tuple[int | None, ...], k: int, first: int, last: int
) -> int:
    """Up to which slot somebody may be at the post from `first` on, coming from one place all the while."""
    reached, changed = first, list(row)
    for slot in range(first, last):
        pinned = row[slot] is not None and (slot, row[slot]) in problem.pinned
        if row[slot] != row[first] or pinned or not fits(problem, person, slot, k):
            break
        changed[slot] = k
        if legal(problem, person, changed):
            reached = slot + 1
    return reached


def _done(state: _State, steps: list[Run]) -> _State:
    draft = state.draft
    rows = dict(draft.rows)
    for run in steps:
        row = rows[run.person]
        rows[run.person] = (*row[: run.first], *[run.post] * (run.last - run.first), *row[run.last :])
    return _State(from_rows(draft.problem, rows, "replan"), (*state.done, *steps))


def _cut(present: tuple[Range, ...], slot: int) -> tuple[Range, ...]:
    return tuple((first, min(last, slot)) for first, last in present if first < slot)


def _require_known(problem: Problem, *people: str) -> None:
    for person in people:
        if person not in problem.person:
            words = Text(f"«{person}» no figura en el plan", f"“{person}” is not in the plan")
            raise Refused(words, code="rotation_person_unknown", field="person")


def _require_range(problem: Problem, first: int, last: int) -> None:
    if not 0 <= first < last <= len(problem.slots):
        most = len(problem.slots)
        words = Text(f"los intervalos van de 0 a {most}", f"slots go from 0 to {most}")
        raise Refused(words, code="rotation_range_invalid", field="slots")
