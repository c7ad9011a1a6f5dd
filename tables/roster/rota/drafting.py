"""Drafts of the plan of posts: made by the planner, changed by hand, dropped. None sends people anywhere."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from audits.by import By
from casino.kernel import locking
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, NotFound, Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables import duties
from tables.models import Pit, RotationPlan, Staff, Table
from tables.roster.rota import policies
from tables.roster.rota.gathering import Night, Scope, gather, pinned
from tables.roster.rota.stored import draft_of, lines_of, measures_of, problem_of, problem_told
from tables.roster.rota.telling import tell
from tables.roster.rotation import Draft, Problem, require_sound, solve
from tables.roster.rotation.draft import from_rows

SECONDS = 2.5
"""About how long the planner may try to better a draft while somebody waits: with it a night of 40 people, 26
tables and 48 slots is drafted, stored and applied in under 5 s of one core."""
MOST_SLOTS = 96
FARTHEST = dt.timedelta(days=2)


@command(policies.DRAFT)
def draft_plan(
    *,
    starts: dt.datetime,
    ends: dt.datetime,
    slot_minutes: int,
    by: By,
    pit: Pit | None = None,
    tables: Sequence[Table] = (),
    solver: str = "auto",
) -> RotationPlan:
    """Draft who stands where from `starts` to `ends` (UTC), in slots; for a pit or the whole floor.

    `tables`: which, open or yet to open; none: those that are open. `solver` as `rotation.solve`. Raises
    `NotAllowed` (`not_your_pit`), `Refused` (`rotation_span`, `rotation_no_tables`, `rotation_no_people`),
    and `RuleViolation` (FLOOR-03).
    """
    require_duty(pit, by)
    tables = tuple(dict.fromkeys(tables))  # a table named twice has its posts once
    scope = _scope(starts, ends, slot_minutes, pit, tables, by)
    night = gather(scope, by.occurred_at)
    if not night.problem.posts:
        raise Refused(
            Text(
                "no hay mesas abiertas que planificar; elija las que va a abrir",
                "there is no open table to plan; choose those you will open",
            ),
            code="rotation_no_tables",
            field="tables",
        )
    if not night.problem.people:
        raise Refused(
            Text(
                "no hay croupiers habilitados con turno a esas horas: planifique turnos o marque entradas",
                "no qualified dealer has a shift at those hours: plan shifts or clock people in",
            ),
            code="rotation_no_people",
            field="starts",
        )
    found = solve(pinned(night, scope, by.occurred_at), SECONDS, solver)
    # The pins guided the planner; whoever changes the draft by hand is not bound by them.
    draft = Draft(night.problem, found.seats, found.solver)
    hold_roster(by)
    plan = store(scope, night, draft, by, chosen=bool(tables))
    tell_drafted(plan, by)
    return plan


@command(policies.DRAFT)
def edit_draft(
    *,
    plan: RotationPlan,
    staff: Staff,
    from_slot: int,
    to_slot: int,
    by: By,
    post: str = "",
    swap: bool = False,
) -> RotationPlan:
    """Put somebody at a post (`table/post/place`; empty: off the felt) over slots, up to before `to_slot`.

    Whoever stood there goes off, or with `swap` takes the place of the one who comes. Raises the hard rule
    that this would break (`rotation_…`, FLOOR-01 to FLOOR-03), `Conflict` (`rotation_not_draft`).
    """
    hold_roster(by)
    plan = hold_plan(plan, by)
    require_draft(plan)
    problem = problem_of(plan)
    draft = moved(problem, draft_of(plan, problem), str(staff.pk), (from_slot, to_slot), post, swap=swap)
    plan.turns, plan.measures, plan.solver = lines_of(draft), measures_of(draft), draft.solver
    plan.save(update_fields=["turns", "measures", "solver"])
    tell("tables.rotation.edited", plan, by)
    return plan


@command(policies.DRAFT)
def drop_draft(*, plan: RotationPlan, by: By) -> RotationPlan:
    """Throw a draft away; a reason may be given. Raises `Conflict` (`rotation_not_draft`)."""
    hold_roster(by)
    plan = hold_plan(plan, by)
    require_draft(plan)
    plan.state, plan.reason = RotationPlan.State.DROPPED, by.reason
    plan.save(update_fields=["state", "reason"])
    tell("tables.rotation.dropped", plan, by)
    return plan


def moved(
    problem: Problem, draft: Draft, person: str, span: tuple[int, int], post: str, *, swap: bool
) -> Draft:
    """A draft with one person at another post over some slots, proved. Pure.

    Raises `Refused` for people, posts or slots that are not of the plan, and as `require_sound`.
    """
    if person not in problem.person:
        raise _unknown("staff", "esa persona no figura en el plan", "that person is not in the plan")
    keys = {one.key: k for k, one in enumerate(problem.posts)}
    if post and post not in keys:
        raise _unknown("post", "ese puesto no figura en el plan", "that post is not in the plan")
    if not 0 <= span[0] < span[1] <= len(problem.slots):
        most = len(problem.slots)
        raise _unknown("from_slot", f"los intervalos van de 0 a {most}", f"slots go from 0 to before {most}")
    target = keys[post] if post else None
    rows = {who: list(row) for who, row in draft.rows.items()}
    for slot in range(*span):
        there = draft.who(slot, target) if target is not None else None
        if there is not None and there != person:
            rows[there][slot] = rows[person][slot] if swap else None
        rows[person][slot] = target
    changed = from_rows(problem, rows, "hand")
    require_sound(problem, changed)
    return changed


def hold_roster(by: By) -> None:
    """Plans of one house are written one at a time: its row is locked, before any other."""
    locking.taking(locking.Rank.CASINO)
    Casino.objects.select_for_update(no_key=True).get(pk=by.casino.pk)


def hold_plan(plan: RotationPlan, by: By) -> RotationPlan:
    """The plan again as it stands, its row locked after the house's. Raises as `require_duty`."""
    locking.taking(locking.Rank.SESSION)
    rows = RotationPlan.objects.filter(casino=by.casino, pk=plan.pk).select_for_update(no_key=True)
    found = rows.first()
    if found is None:
        raise NotFound(Text("no existe ese plan", "there is no such plan"), code="no_rotation")
    found.casino = by.casino
    require_duty(found.pit, by)
    return found


def require_duty(pit: Pit | None, by: By) -> None:
    """Raise `NotAllowed` (`not_your_pit`) for a chief who does not answer for a plan's pit, or not for every
    pit where it is the whole floor's.
    """
    mine = duties.pits_of(by.actor.user)
    if mine:
        others = Table.objects.filter(casino=by.casino).exclude(pit__in=mine).select_related("pit")
        table = others.first() if pit is None else others.filter(pit=pit).first()
        if table is not None:
            raise duties.not_your_pit(table)


def require_draft(plan: RotationPlan) -> None:
    if plan.state != RotationPlan.State.DRAFT:
        raise Conflict(
            Text(
                f"{plan.label} ya no es un borrador: haga otro",
                f"{plan.label} is no draft any more: make another",
            ),
            code="rotation_not_draft",
            detail={"state": plan.state},
        )


def store(
    scope: Scope,
    night: Night,
    draft: Draft,
    by: By,
    *,
    base: RotationPlan | None = None,
    chosen: bool = False,
) -> RotationPlan:
    """A draft as a row, numbered by gaming day under the house's lock; `chosen`: the tables were named."""
    day = by.casino.gaming_day(scope.starts)
    last = RotationPlan.objects.filter(casino=by.casino, day=day).order_by("-number").first()
    return RotationPlan.objects.create(
        casino=by.casino,
        pit=scope.pit,
        day=day,
        number=last.number + 1 if last else 1,
        starts=scope.starts,
        ends=scope.ends,
        slot_minutes=scope.minutes,
        base=base,
        made_from={
            **problem_told(draft.problem),
            "tables": dict(night.tables),
            "live": sorted(night.live),
            "chosen": chosen,
            "in_force": list(night.in_force),
            "late": list(night.late),
        },
        turns=lines_of(draft),
        solver=draft.solver,
        measures=measures_of(draft),
        made_by=by.actor,
        made_at=by.occurred_at,
        reason=by.reason,
    )


def tell_drafted(plan: RotationPlan, by: By, **more: Any) -> None:
    """That a draft was made, with all it was made from."""
    told = {"people": len(plan.made_from["people"]), "tables_count": len(plan.made_from["tables"])}
    tell("tables.rotation.drafted", plan, by, made_from=plan.made_from, **told, **more)


def _scope(
    starts: dt.datetime, ends: dt.datetime, minutes: int, pit: Pit | None, tables: Sequence[Table], by: By
) -> Scope:
    """What was asked for, in whole slots and not long ago nor far off."""
    length = dt.timedelta(minutes=max(1, minutes))
    count, over = divmod(ends - starts, length)
    if over or not 1 <= count <= MOST_SLOTS or minutes < 1:
        raise Refused(
            Text(
                f"entre las horas caben de 1 a {MOST_SLOTS} intervalos enteros; corríjalas",
                f"between the times there are 1 to {MOST_SLOTS} whole slots; correct them",
            ),
            code="rotation_span",
            field="ends",
        )
    if not by.occurred_at - length <= starts <= by.occurred_at + FARTHEST:
        raise Refused(
            Text(
                "un plan empieza desde ahora y hasta dentro de dos días; corrija la hora",
                "a plan starts from now to two days ahead; correct the time",
            ),
            code="rotation_span",
            field="starts",
        )
    strangers = [table.name for table in tables if pit is not None and table.pit_id != pit.pk]
    if strangers or any(not table.active for table in tables):
        raise Refused(
            Text("elija mesas en servicio de ese sector", "choose tables in service of that pit"),
            code="rotation_tables",
            field="tables",
        )
    return Scope(by.casino, pit, starts, count, minutes, tuple(tables))


def _unknown(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code=f"rotation_{field}_unknown", field=field)
