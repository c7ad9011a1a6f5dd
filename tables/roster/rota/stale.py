"""Whether a draft still stands on the floor as it is: what changed since it was made, named.

The rest of the draft is proved anew against the floor. What touches no hard rule does not make it stale. A
plan made of the one in force (a swap, a no-show) need only be no worse than that one: a floor that runs late
could otherwise never be mended.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables.models import RotationPlan, Table
from tables.roster.rota import gathering
from tables.roster.rota.stored import draft_of
from tables.roster.rotation import Draft, Problem, check

TOLD = 4
"""Changes that a refusal names; its detail has all."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What is otherwise than when a draft was made: `code` for programs, about whom or what, the rule."""

    code: str
    about: str
    rule: str
    text: Text


def require_current(plan: RotationPlan, instant: dt.datetime, since: dt.datetime) -> None:
    """Raise `Conflict` unless the draft stands on the floor as it is at `instant`, from `since` on."""
    overtaken = set(gathering.in_force(plan.casino, plan.pit, since)) - set(plan.made_from["in_force"])
    if overtaken:
        raise Conflict(
            Text(
                "otro plan se aplicó después de este borrador: haga otro",
                "another plan was applied after this draft: make another",
            ),
            code="rotation_overtaken",
            rule="FLOOR-01",
            detail={"plans": sorted(overtaken)},
        )
    changes = changed(plan, instant, since)
    if changes:
        raise Conflict(
            Text(
                "la sala cambió desde el borrador: {what}. Haga otro",
                "the floor changed since the draft: {what}. Make another",
            ).fill(what=_said(changes)),
            code="rotation_stale",
            rule=next((one.rule for one in changes if one.rule), ""),
            detail={"changes": [{"code": one.code, "rule": one.rule, "es": one.text.es} for one in changes]},
        )


def _said(changes: list[Changed]) -> Text:
    told = [one.text for one in changes[:TOLD]]
    if len(changes) > TOLD:
        told.append(Text(f"y {len(changes) - TOLD} más", f"and {len(changes) - TOLD} more"))
    return Text("; ".join(text.es for text in told), "; ".join(text.en for text in told))


def changed(plan: RotationPlan, instant: dt.datetime, since: dt.datetime) -> list[Changed]:
    """What changed on the floor that the rest of the plan from `since` on does not stand."""
    scope = rest_of(plan, since)
    night = gathering.gather(scope, instant)
    if plan.base is not None:
        plan.base.casino = plan.casino
        there = {(one.code, one.about) for one in _since(plan.base, night, scope)}
        return [one for one in _since(plan, night, scope) if (one.code, one.about) not in there]
    return list(_since(plan, night, scope))


def rest_of(plan: RotationPlan, since: dt.datetime) -> gathering.Scope:
    """What is left of a plan to be planned anew, from the slot of an instant on."""
    first = max(0, (since - plan.starts) // plan.slot)
    keys = plan.made_from["tables"].values()
    found = {table.pk: table for table in Table.objects.filter(pk__in=keys).select_related("pit")}
    return gathering.Scope(
        casino=plan.casino,
        pit=plan.pit,
        starts=plan.starts + first * plan.slot,
        slots=plan.slots - first,
        minutes=plan.slot_minutes,
        tables=tuple(found[pk] for pk in keys),
    )


@dataclass(frozen=True, slots=True)
class Rest:
    """The seats of a plan that are left, as those of another problem; who is gone (id to name), and tables
    that have another game or are not in it.
    """

    seats: dict[tuple[int, int], str]
    gone: dict[str, str]
    other: frozenset[str]


def carried_over(draft: Draft, now: Problem, first: int) -> Rest:
    """A draft's seats from slot `first` on, which is the first slot of the problem `now`."""
    keys = {post.key: k for k, post in enumerate(now.posts)}
    seats: dict[tuple[int, int], str] = {}
    gone: dict[str, str] = {}
    other: set[str] = set()
    for (slot, k), person in draft.seats.items():
        post = draft.problem.posts[k]
        if slot < first:
            continue
        if post.key not in keys or now.posts[keys[post.key]].game != post.game:
            other.add(post.table)
        elif person not in now.person:
            gone[person] = draft.problem.person[person].name
        else:
            seats[slot - first, keys[post.key]] = person
    return Rest(seats, gone, frozenset(other))


def _since(plan: RotationPlan, night: gathering.Night, scope: gathering.Scope) -> Iterator[Changed]:
    draft = draft_of(plan)
    yield from _tables(plan, night, scope)
    if _figures(night.problem) != _figures(draft.problem):
        words = Text("cambiaron los minutos de mesa o descanso", "minutes at tables or of rest changed")
        yield Changed("figures", "", "FLOOR-03", words)
    else:
        first = (scope.starts - plan.starts) // plan.slot
        yield from _people(carried_over(draft, night.problem, first), night.problem)


def _figures(problem: Problem) -> tuple[Any, ...]:
    rules = problem.rules
    return rules.max_minutes_on_table, rules.min_break_minutes, rules.max_minutes_same_table


def _tables(plan: RotationPlan, night: gathering.Night, scope: gathering.Scope) -> Iterator[Changed]:
    """Tables that closed; and those that opened since, where the draft took all that were open."""
    for name in sorted(set(plan.made_from["live"]) & set(night.tables) - night.live):
        yield Changed("table_closed", name, "", Text(f"{name} cerró", f"{name} closed"))
    if not plan.made_from["chosen"]:
        live = {session.table.name for session in gathering.live_in(scope).values()}
        for name in sorted(live - set(night.tables)):
            yield Changed("table_opened", name, "", Text(f"{name} abrió", f"{name} opened"))


def _people(rest: Rest, now: Problem) -> Iterator[Changed]:
    """What is left of the seats, held against the floor as it is."""
    for table in sorted(rest.other):
        words = Text(f"{table} tiene otro juego", f"{table} has another game")
        yield Changed("game_changed", table, "", words)
    for person, name in rest.gone.items():
        words = Text(f"{name} no está o no es apto", f"{name} is not there or not fit")
        yield Changed("person_gone", person, "", words)
    told: set[tuple[str, str]] = set()
    for fault in check(now, Draft(now, rest.seats, "")):
        if (fault.person, fault.code) not in told:
            told.add((fault.person, fault.code))
            yield Changed(fault.code, fault.person, fault.rule, fault.text)
