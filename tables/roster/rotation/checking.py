"""The proof of a draft: every hard rule held against it by the minute, apart from the solvers.

It knows nothing of slots being alike or of how a draft was made: it turns the seats into turns with
instants and looks at those. What it finds is a fault; a draft without any may be applied.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from tables.roster.rotation.draft import Draft
from tables.roster.rotation.problem import Person, Post, Problem


@dataclass(frozen=True, slots=True)
class Fault:
    """A hard rule that a draft breaks: `code` for programs, the rule of the book if any, where, in words."""

    code: str
    rule: str
    person: str
    slot: int
    text: Text


@dataclass(frozen=True, slots=True)
class Turn:
    """One slot of work as instants: from `begin` to before `end` at a post."""

    begin: dt.datetime
    end: dt.datetime
    slot: int
    post: Post


def check(problem: Problem, draft: Draft) -> tuple[Fault, ...]:
    """Every fault of the draft, by slot; empty where all hard rules hold.

    Codes: `two_posts` (FLOOR-01); `not_qualified`, `licence_ended` (FLOOR-02); `turn_too_long`,
    `stay_too_long` (FLOOR-03, the second by SHI-013); `not_present`, `post_closed`, `post_unknown`,
    `person_unknown`, `pin_not_kept`.
    """
    faults = [*_strangers(problem, draft), *_pins(problem, draft)]
    turns: dict[str, list[Turn]] = defaultdict(list)
    length = dt.timedelta(minutes=problem.rules.slot_minutes)
    for (slot, k), person_id in sorted(draft.seats.items()):
        if _known(problem, slot, k, person_id):
            begin = problem.slots[slot]
            turns[person_id].append(Turn(begin, begin + length, slot, problem.posts[k]))
    for person in problem.people:
        own = turns[person.id]
        faults += _two_posts(problem, person, own)
        faults += _unfit(problem, person, own)
        faults += _long_turns(problem, person, own)
        faults += _long_stays(problem, person, own)
    return tuple(sorted(faults, key=lambda fault: (fault.slot, fault.person, fault.code)))


def require_sound(problem: Problem, draft: Draft) -> None:
    """Raise the first fault, all in its detail: `RuleViolation`, or `Refused` where the book has no rule."""
    faults = check(problem, draft)
    if faults:
        first = faults[0]
        detail = {"faults": [{"code": f.code, "person": f.person, "slot": f.slot} for f in faults]}
        code = f"rotation_{first.code}"
        if first.rule:
            raise RuleViolation(first.rule, first.text, detail, code=code, field="seats")
        raise Refused(first.text, code=code, field="seats", detail=detail)


def require_pins(problem: Problem) -> None:
    """Raise as `require_sound` where what is pinned breaks a hard rule by itself."""
    require_sound(problem, Draft(problem, dict(problem.pinned), "pins"))


def _known(problem: Problem, slot: int, k: int, person_id: str) -> bool:
    named = any(person.id == person_id for person in problem.people)
    return named and 0 <= k < len(problem.posts) and 0 <= slot < len(problem.slots)


def _fault(code: str, rule: str, person: Person, slot: int, es: str, en: str) -> Fault:
    return Fault(code, rule, person.id, slot, Text(f"{person.name}: {es}", f"{person.name}: {en}"))


def _strangers(problem: Problem, draft: Draft) -> Iterator[Fault]:
    """Seats outside the plan: nobody knows the person, or the post is not there."""
    names = {person.id for person in problem.people}
    for (slot, k), person_id in draft.seats.items():
        if person_id not in names:
            text = Text(f"«{person_id}» no figura en el plan", f"“{person_id}” is not in the plan")
            yield Fault("person_unknown", "", person_id, slot, text)
        elif not _known(problem, slot, k, person_id):
            text = Text("un puesto está fuera del plan", "a post lies outside the plan")
            yield Fault("post_unknown", "", person_id, slot, text)


def _pins(problem: Problem, draft: Draft) -> Iterator[Fault]:
    for (slot, k), person_id in problem.pinned.items():
        if draft.seats.get((slot, k)) != person_id:
            person, table = problem.person[person_id], problem.posts[k].table
            yield _fault(
                "pin_not_kept",
                "",
                person,
                slot,
                f"lo fijado en {table} a las {problem.hour(slot)} no se respeta",
                f"what is pinned at {table} at {problem.hour(slot)} is not kept",
            )


def _two_posts(problem: Problem, person: Person, turns: Iterable[Turn]) -> Iterator[Fault]:
    for slot, count in Counter(turn.slot for turn in turns).items():
        if count > 1:
            hour = problem.hour(slot)
            es, en = f"{count} puestos a las {hour}", f"{count} posts at {hour}"
            yield _fault("two_posts", "FLOOR-01", person, slot, es, en)


def _unfit(problem: Problem, person: Person, turns: Iterable[Turn]) -> Iterator[Fault]:
    """Qualified, there, licensed; and the post open."""
    for turn in turns:
        post, slot, hour = turn.post, turn.slot, problem.hour(turn.slot)
        if not any(first <= slot < last for first, last in post.open):
            es, en = f"{post.table} está cerrada a las {hour}", f"{post.table} is closed at {hour}"
            yield _fault("post_closed", "", person, slot, es, en)
        if post.game not in person.games:
            game = problem.game(post.game)
            es, en = f"no está habilitado para {game.es}", f"is not qualified for {game.en}"
            yield _fault("not_qualified", "FLOOR-02", person, slot, es, en)
        if all(not first <= slot < last for first, last in person.present):
            es, en = f"no está presente a las {hour}", f"is not there at {hour}"
            yield _fault("not_present", "", person, slot, es, en)
        if person.licensed_until is not None and slot >= person.licensed_until:
            es, en = f"su licencia ya venció a las {hour}", f"the licence has ended at {hour}"
            yield _fault("licence_ended", "FLOOR-02", person, slot, es, en)


def _long_turns(problem: Problem, person: Person, turns: list[Turn]) -> Iterator[Fault]:
    """Minutes in a row, told once for each turn, at the slot that goes beyond (FLOOR-03)."""
    rules, before = problem.rules, problem.worked_before.get(person.id)
    worked = dt.timedelta(minutes=before.minutes if before else 0)
    left = problem.slots[0] - dt.timedelta(minutes=before.rested if before else 0)
    enough, most = (
        dt.timedelta(minutes=rules.min_break_minutes),
        dt.timedelta(minutes=rules.max_minutes_on_table),
    )
    told = False
    for turn in _one_a_slot(turns):
        if turn.begin - left >= enough:
            worked, told = dt.timedelta(), False
        worked, left = worked + (turn.end - turn.begin), turn.end
        if worked > most and not told:
            told = True
            minutes = worked // dt.timedelta(minutes=1)
            hour, limit = problem.hour(turn.slot + 1), rules.max_minutes_on_table
            es = f"{minutes} min seguidos a las {hour}; descansa tras {limit}"
            en = f"{minutes} min in a row at {hour}; rests after {limit}"
            yield _fault("turn_too_long", "FLOOR-03", person, turn.slot, es, en)


def _long_stays(problem: Problem, person: Person, turns: list[Turn]) -> Iterator[Fault]:
    """From the first to the last minute at one table, told once for each stay (SHI-013)."""
    rules, before = problem.rules, problem.worked_before.get(person.id)
    if rules.max_minutes_same_table is None:
        return
    left = problem.slots[0] - dt.timedelta(minutes=before.rested if before else 0)
    began = left - dt.timedelta(minutes=before.at_table if before else 0)
    table, told, last = before.table if before else "", False, 0
    for turn in _one_a_slot(turns):
        gone = any(not person.there(slot) for slot in range(last, turn.slot))
        rested = turn.begin - left
        long = rules.rest_ends_stay is not None and rested >= dt.timedelta(minutes=rules.rest_ends_stay)
        if turn.post.table != table or gone or long:
            table, began, told = turn.post.table, turn.begin, False
        left, last = turn.end, turn.slot + 1
        minutes = (turn.end - began) // dt.timedelta(minutes=1)
        if minutes > rules.max_minutes_same_table and not told:
            told = True
            es = f"{minutes} min en {table}; cambia de mesa a más tardar a los {rules.max_minutes_same_table}"
            en = f"{minutes} min at {table}; changes table after {rules.max_minutes_same_table} at the latest"
            yield _fault("stay_too_long", "FLOOR-03", person, turn.slot, es, en)


def _one_a_slot(turns: Iterable[Turn]) -> list[Turn]:
    """Turns in time, one a slot: whoever is at two posts is told elsewhere."""
    return list({turn.slot: turn for turn in sorted(turns, key=lambda turn: turn.begin)}.values())
