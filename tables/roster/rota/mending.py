"""The plan in force changed while the night runs: somebody does not come, or two people swap.

Either makes a new plan out of the one in force: a draft to look at, or applied in the same act. A no-show is
mended on the floor as it is now, with whoever is really there and rested; a swap keeps to the plan's slots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from audits.by import By
from casino.kernel import permissions
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from tables.models import PlannedTurn, RotationPlan, Staff
from tables.roster.rota import gathering, policies
from tables.roster.rota.applying import put_in_force
from tables.roster.rota.drafting import hold_plan, hold_roster, store, tell_drafted
from tables.roster.rota.stale import carried_over, rest_of
from tables.roster.rota.stored import draft_of, problem_of
from tables.roster.rota.telling import tell
from tables.roster.rotation import Draft, replan, swap


@command(policies.DRAFT)
def replan_no_show(
    *, plan: RotationPlan, absent: Sequence[Staff], by: By, apply: bool = False
) -> RotationPlan:
    """The plan in force without those who are absent from now on, mended in at most three moves.

    A draft, or with `apply` in force at once. Raises `Conflict` (`rotation_overtaken`) for a plan that is not
    wholly in force, `Refused` (`rotation_person_unknown`) for somebody who is not in it; as `apply_plan`.
    """
    if not absent:
        raise Refused(
            Text("elija quién falta", "choose who is missing"), code="rotation_person_unknown", field="absent"
        )
    plan = _held(plan, by)
    people = sorted({str(person.pk) for person in absent})
    if not {person["id"] for person in plan.made_from["people"]}.intersection(map(int, people)):
        raise Refused(
            Text("quien falta no figura en este plan", "who is missing is not in this plan"),
            code="rotation_person_unknown",
            field="absent",
        )
    scope = _still_open(plan, rest_of(plan, by.occurred_at), by)
    night = gathering.gather(scope, by.occurred_at)
    first = (scope.starts - plan.starts) // plan.slot
    rest = carried_over(draft_of(plan), night.problem, first)
    known = [person for person in people if person in night.problem.person]
    draft = replan(night.problem, Draft(night.problem, rest.seats, plan.solver), 0, known)
    told = {"absent": [int(person) for person in people]}
    return _derived(plan, scope, night, draft, by, apply=apply, **told)


def _still_open(plan: RotationPlan, scope: gathering.Scope, by: By) -> gathering.Scope:
    """The rest of the plan without the tables that closed since."""
    live = gathering.live_in(scope)
    was = set(plan.made_from["live"])
    tables = tuple(one for one in scope.tables if one.pk in live or one.name not in was)
    if not tables:
        raise _overtaken(plan)
    return replace(scope, tables=tables)


@command(policies.PROPOSE)
def swap_turns(
    *,
    plan: RotationPlan,
    first: Staff,
    second: Staff,
    from_slot: int,
    to_slot: int,
    by: By,
    apply: bool = False,
) -> RotationPlan:
    """Two croupiers in each other's place over slots `from_slot` to before `to_slot` of the plan in force.

    A supervisor proposes it as a draft; a pit boss may apply it at once. Raises the hard rule it would break
    (`rotation_…`), `Refused` (`rotation_past`) for slots that are over; as `apply_plan`.
    """
    plan = _held(plan, by)
    if from_slot < _slot(plan, by):
        raise Refused(
            Text("esos intervalos ya pasaron; elija desde ahora", "those slots are over; choose from now on"),
            code="rotation_past",
            field="from_slot",
        )
    problem = problem_of(plan)
    draft = swap(problem, draft_of(plan, problem), str(first.pk), str(second.pk), from_slot, to_slot)
    scope = gathering.Scope(by.casino, plan.pit, plan.starts, plan.slots, plan.slot_minutes)
    night = gathering.Night(
        problem,
        plan.made_from["tables"],
        frozenset(plan.made_from["live"]),
        gathering.in_force(by.casino, plan.pit, by.occurred_at),
        tuple(plan.made_from["late"]),
    )
    told = {"between": [first.pk, second.pk], "slots": [from_slot, to_slot]}
    return _derived(plan, scope, night, draft, by, apply=apply, **told)


def _held(plan: RotationPlan, by: By) -> RotationPlan:
    """The plan held for writing: applied, not over, and nothing of it taken away by another."""
    hold_roster(by)
    plan = hold_plan(plan, by)
    rest = PlannedTurn.objects.filter(plan=plan, during__endswith__gt=by.occurred_at)
    cut = any(turn.in_force.isempty or turn.in_force.upper < turn.during.upper for turn in rest)
    if plan.state != RotationPlan.State.APPLIED or cut or plan.ends <= by.occurred_at:
        raise _overtaken(plan)
    return plan


def _overtaken(plan: RotationPlan) -> Conflict:
    return Conflict(
        Text(
            f"{plan.label} ya no es el plan vigente: abra el de ahora",
            f"{plan.label} is not the plan in force any more: open the one that is",
        ),
        code="rotation_overtaken",
        detail={"state": plan.state},
    )


def _slot(plan: RotationPlan, by: By) -> int:
    return max(0, (by.occurred_at - plan.starts) // plan.slot)


def _derived(
    base: RotationPlan,
    scope: gathering.Scope,
    night: gathering.Night,
    draft: Draft,
    by: By,
    *,
    apply: bool,
    **told: object,
) -> RotationPlan:
    """A plan made of another one's, stored; in force at once where asked."""
    if apply:
        permissions.require(by.actor, policies.APPLY)
    plan = store(scope, night, draft, by, base=base, chosen=base.made_from["chosen"])
    applied = put_in_force(plan, by) if apply else None
    tell_drafted(plan, by, **told)
    if applied is not None:
        tell("tables.rotation.applied", plan, by, **applied)
    return plan
