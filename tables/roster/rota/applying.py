"""A draft put in force: in one act it takes the place of what was planned from that instant on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.postgres.fields import DateTimeRangeField
from django.db.models import F, Func, QuerySet, Value
from psycopg.types.range import TimestamptzRange

from audits.by import By
from casino.kernel import clock
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from tables.models import PlannedTurn, RotationPlan, Table
from tables.roster.rota import policies
from tables.roster.rota.drafting import hold_plan, hold_roster, require_draft
from tables.roster.rota.stale import require_current
from tables.roster.rota.stored import problem_of
from tables.roster.rota.telling import tell


@command(policies.APPLY)
def apply_plan(*, plan: RotationPlan, by: By) -> RotationPlan:
    """Put a draft in force from now, or from its start where that is later.

    Whatever was planned from then on at its pit's tables (or at all) gives way. Raises `Conflict`:
    `rotation_not_draft`; `rotation_stale`, naming what changed on the floor since it was drafted, with the
    rule it would now break; `rotation_overtaken` where another plan was applied meanwhile; `Refused`:
    `rotation_over`.
    """
    hold_roster(by)
    plan = hold_plan(plan, by)
    told = put_in_force(plan, by)
    tell("tables.rotation.applied", plan, by, **told)
    return plan


def put_in_force(plan: RotationPlan, by: By) -> dict[str, Any]:
    """`apply_plan` for a plan held already; what its event says beside the plan."""
    require_draft(plan)
    since = max(by.occurred_at, plan.starts)
    if since >= plan.ends:
        raise Refused(
            Text("ese plan ya terminó: haga otro borrador", "that plan is over: make another draft"),
            code="rotation_over",
        )
    require_current(plan, by.occurred_at, since)
    replaced = _cut(plan, since)
    plan.state, plan.applied_by, plan.applied_at = RotationPlan.State.APPLIED, by.actor, since
    plan.save(update_fields=["state", "applied_by", "applied_at"])
    PlannedTurn.objects.bulk_create(_turns(plan, since))
    scope = Table.objects.filter(casino=plan.casino)
    if plan.pit_id is not None:
        scope = scope.filter(pit=plan.pit_id)
    return {
        "from": clock.stamp(since),
        "local_from": since.astimezone(ZoneInfo(by.casino.zone)).strftime("%H:%M"),
        "tables": sorted(scope.values_list("pk", flat=True)),
        "replaces": replaced,
    }


def _cut(plan: RotationPlan, since: dt.datetime) -> list[int]:
    """What was planned from then on in the scope, taken out of force; the ids of the plans this ends."""
    rows = _planned(plan).filter(in_force__endswith__gt=since)
    touched = sorted(set(rows.values_list("plan_id", flat=True)))
    until = Value(TimestamptzRange(None, since, "()"), output_field=DateTimeRangeField())
    rows.update(in_force=Func(F("in_force"), until, template="(%(expressions)s)", arg_joiner=" * "))
    left = PlannedTurn.objects.filter(plan__in=touched, in_force__endswith__gt=since)
    ended = sorted(set(touched) - set(left.values_list("plan_id", flat=True)))
    RotationPlan.objects.filter(pk__in=ended).update(state=RotationPlan.State.REPLACED)
    return ended


def _planned(plan: RotationPlan) -> QuerySet[PlannedTurn]:
    rows = PlannedTurn.objects.filter(casino=plan.casino)
    return rows if plan.pit_id is None else rows.filter(table__pit=plan.pit_id)


def _turns(plan: RotationPlan, since: dt.datetime) -> Iterator[PlannedTurn]:
    """The rows of a plan: each turn that is not over by then."""
    problem, tables = problem_of(plan), plan.made_from["tables"]
    for staff, k, first, last in plan.turns:
        start, end = plan.starts + first * plan.slot, plan.starts + last * plan.slot
        if end > since:
            post = problem.posts[k]
            yield PlannedTurn(
                casino=plan.casino,
                plan=plan,
                staff_id=staff,
                table_id=tables[post.table],
                post=post.post,
                place=post.place,
                deals=post.deals,
                during=TimestamptzRange(start, end, "[)"),
                in_force=TimestamptzRange(max(start, since), end, "[)"),
            )


explain_constraint(
    "one_planned_post_at_a_time",
    lambda: Conflict(
        Text(
            "alguien de este plan ya tiene puesto en el plan de otro sector a esas horas: haga otro borrador",
            "somebody of this plan has a post in another pit's plan at those hours: make another draft",
        ),
        code="rotation_person_planned",
        rule="FLOOR-01",
    ),
)
for _name in ("one_planned_dealer_per_table", "one_planned_helper_per_place"):
    explain_constraint(
        _name,
        lambda: Conflict(
            Text("otro plan ya cubre ese puesto", "another plan covers that post already"),
            code="rotation_post_planned",
            rule="FLOOR-01",
        ),
    )
