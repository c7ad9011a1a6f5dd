"""Plans carried out: at each boundary of a plan, the limits of its window are published for the table.

Published up to `AHEAD` before they hold, in force from the boundary itself, so that no round is played under
the limits of the hour before because a job was late. Each boundary is published once (`PlannedLimits`),
however often and by however many workers; what a pit boss publishes by hand stays until the next one.
"""

from __future__ import annotations

import datetime as dt
import logging
from typing import NamedTuple

from audits import trail
from audits.by import By, by_system
from casino.kernel import clock, locking
from casino.kernel.commands import command
from casino.kernel.errors import SabotError
from casino.models import Casino
from tables import plans, policies, settings
from tables.models import BetLimits, LimitsPlan, PlannedLimits, Table
from tables.plan_windows import Limits, Span

AHEAD = dt.timedelta(minutes=30)
JOB = "limits-plan"
_MOMENT = dt.timedelta(microseconds=1)
_log = logging.getLogger(__name__)


class Due(NamedTuple):
    """Limits to be published for a table: those of a plan's span; or (`plan` None) those before a boundary
    that no plan names any more, or in place of others which the plan does not admit."""

    plan: LimitsPlan | None
    begins: dt.datetime
    limits: Limits
    reason: str


def apply_all(casino_id: int | None = None) -> int:
    """Publish what is due at every house, or one; how many versions that were. A table that refuses is
    logged and holds up no other."""
    done = 0
    houses = Casino.objects.filter(limits_plans__isnull=False).distinct()
    for casino in houses.filter(pk=casino_id) if casino_id else houses:
        for table in Table.objects.filter(casino=casino, active=True).select_related("casino"):
            if not due(table, clock.now()):
                continue
            try:
                done += len(apply(table=table, by=by_system(casino, JOB)))
            except SabotError as refusal:
                _log.warning("limits plan of %s: %s", table, refusal)
    return done


@command(policies.SET_LIMITS, setting=True, silent_when="nothing is due")
def apply(*, table: Table, by: By) -> list[BetLimits]:
    """Publish what is due for a table now. Safe twice and at once: a boundary has one version."""
    locking.taking(locking.Rank.CASINO)
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    made = []
    # Asked anew, and by the clock: what is published holds from the instant of its own command, which is
    # later than that of this one.
    while waiting := due(table, clock.now()):
        made.append(_publish(table, waiting[0], by))
    return made


def due(table: Table, instant: dt.datetime) -> list[Due]:
    """What is to be published for a table at an instant, in the order it takes force."""
    said = [
        (plan, span)
        for plan, span in plans.timeline(table, instant, instant + AHEAD)
        if span.limits is not None and span.ends > instant
    ]
    done = set(
        PlannedLimits.objects.filter(table=table, begins__in=[span.begins for _, span in said]).values_list(
            "plan_id", "begins"
        )
    )
    found = [
        Due(plan.row, span.begins, span.limits, _reason(plan.row, span))
        for plan, span in said
        if span.limits is not None and (plan.row.pk, span.begins) not in done
    ]
    found += _taken_back(table, instant, {(plan.row.pk, span.begins) for plan, span in said})
    found += _outside(table, instant)
    return sorted(found, key=lambda one: one.begins)


def _outside(table: Table, instant: dt.datetime) -> list[Due]:
    """Limits in force, or about to be, that a plan changed since does not admit: those stated by hand for an
    hour to come, under the plan of before (GEN-04)."""
    ahead = BetLimits.objects.filter(
        table=table, effective_from__gt=instant, effective_from__lte=instant + AHEAD
    )
    found = []
    for at in [instant, *ahead.values_list("effective_from", flat=True).distinct()]:
        held, said = BetLimits.in_force(table, at), plans.span_at(table, at)
        if held is None or said is None:
            continue
        plan, span = said
        if span.limits is not None and not span.limits.admits(plans.limits_of(held)):
            found.append(Due(None, at, span.limits, _reason(plan.row, span)))
    return found


def _taken_back(table: Table, instant: dt.datetime, said: set[tuple[int, dt.datetime]]) -> list[Due]:
    """Boundaries published ahead that the plan of today no longer has: what held before them goes on."""
    found = []
    ahead = PlannedLimits.objects.filter(table=table, limits__effective_from__gt=instant)
    for row in ahead.select_related("limits", "plan"):
        if (row.plan_id, row.begins) in said or any(begins == row.begins for _, begins in said):
            continue
        begins = row.limits.effective_from
        now, before = BetLimits.in_force(table, begins), BetLimits.in_force(table, begins - _MOMENT)
        if now is not None and now.pk == row.limits_id and before is not None:
            reason = f"el plan {row.plan} ya no cambia los límites a esta hora"
            found.append(Due(None, begins, plans.limits_of(before), reason))
    return found


def _reason(plan: LimitsPlan, span: Span) -> str:
    hours = f"franja {span.window.hours}" if span.window else "resto del tiempo"
    return f"plan de límites {plan}: {hours}"


def _publish(table: Table, one: Due, by: By) -> BetLimits:
    limits = settings.publish_limits(
        table=table,
        chip=one.limits.chip,
        spots=one.limits.spots,
        differential=one.limits.differential,
        effective_from=max(one.begins, by.occurred_at),
        planned=True,
        by=by.because(one.reason),
    )
    if one.plan is not None:
        row = PlannedLimits.objects.create(
            casino=by.casino, table=table, plan=one.plan, begins=one.begins, limits=limits
        )
        trail.record(
            "tables.plan.applied",
            stream=trail.SETTINGS_STREAM,
            subject=trail.Subject("planned", row.pk, table.name),
            by=by,
            data={
                "table": table.pk,
                "plan": one.plan.pk,
                "plan_label": str(one.plan),
                "begins": clock.stamp(one.begins),
                "limits": limits.pk,
                "version": limits.version,
            },
            rules=["GEN-04"],
        )
    return limits
