"""Plans of limits: which minimum and maximum hold at a table at which hours, by version (GEN-04, GEN-03).

A table's own plan beats that of its game. Limits published by hand stay inside the plan of their hour.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.db.models import Max, Q

from audits import trail
from audits.by import By
from casino.kernel import clock, locking, money
from casino.kernel.commands import command, once_committed
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino
from tables import duties, limit_terms, policies, versions
from tables.games import registry
from tables.games.base import Game
from tables.models import BetLimits, LimitsPlan, Table
from tables.plan_windows import Limits, Span, Window, overlap, spans

MOST_WINDOWS = 60


@dataclass(frozen=True, slots=True)
class Plan:
    """A stored version as the code reads it; `since`: from when it is the plan of a table."""

    row: LimitsPlan
    windows: tuple[Window, ...]
    otherwise: Limits | None
    since: dt.datetime

    def spans(self, casino: Casino, start: dt.datetime, end: dt.datetime) -> list[Span]:
        """What it says from `start` to `end`."""
        found = spans(
            self.windows, self.otherwise, zone=casino.zone, cutoff=casino.cutoff, start=start, end=end
        )
        return [span._replace(begins=max(span.begins, self.since)) for span in found]


@command(policies.SET_LIMITS, setting=True)
def publish_plan(
    *,
    windows: Sequence[Window],
    by: By,
    table: Table | None = None,
    game: str = "",
    otherwise: Limits | None = None,
    effective_from: dt.datetime | None = None,
) -> LimitsPlan:
    """A new version of the plan of a `table`, or of all tables of a `game`; never in force backwards.

    `otherwise`: the limits of the hours no window names; None: those before them stay. Without both, the
    plan ends. Raises `RuleViolation` (GEN-04): `windows_overlap`, `bad_limits` for what cannot be the
    limits of the game, at each of its tables; `Refused` (`bad_window`); `NotAllowed` (`not_your_pit`).
    """
    reason = by.need_reason()
    engine = registry.game(table.game if table else game)
    of_game = Table.objects.filter(casino=by.casino, game=engine.code, active=True).order_by("name")
    duties.require_pits(by, [table] if table else of_game.select_related("pit"))
    _check(by, engine, table, windows, otherwise)
    locking.taking(locking.Rank.CASINO)
    Casino.objects.select_for_update(no_key=True).get(pk=by.casino.pk)
    earlier = LimitsPlan.objects.filter(casino=by.casino, game=engine.code, table=table)
    plan = LimitsPlan.objects.create(
        casino=by.casino,
        game=engine.code,
        table=table,
        version=(earlier.aggregate(last=Max("version"))["last"] or 0) + 1,
        windows=[window.to_json() for window in windows],
        otherwise=otherwise.to_json() if otherwise else None,
        effective_from=versions.not_back(effective_from, by),
        reason=reason,
        published_by=by.actor,
    )
    _tell(plan, by)
    once_committed(partial(_carry_out, by.casino.pk))
    return plan


def _tell(plan: LimitsPlan, by: By) -> None:
    trail.record(
        "tables.plan.published",
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("plan", plan.pk, plan.table.name if plan.table else plan.game),
        by=by,
        data={
            "game": plan.game,
            "table": plan.table_id,
            "version": plan.version,
            "windows": plan.windows,
            "otherwise": plan.otherwise,
            "effective_from": clock.stamp(plan.effective_from),
        },
        rules=["GEN-03", "GEN-04"],
    )


def _carry_out(casino_id: int) -> None:
    from tables import planning  # stands on this module

    planning.apply_all(casino_id)


def _check(
    by: By, engine: Game, table: Table | None, windows: Sequence[Window], otherwise: Limits | None
) -> None:
    if len(windows) > MOST_WINDOWS:
        raise _bad(
            "windows", f"un plan tiene hasta {MOST_WINDOWS} franjas", f"at most {MOST_WINDOWS} windows"
        )
    for place, window in enumerate(windows):
        if not window.days or not set(window.days) <= set(range(7)):
            raise _bad(f"window_{place}", "elija los días de la franja", "choose the days of the window")
    met = overlap(windows, by.casino.cutoff)
    if met is not None:
        first, second = windows[met[0]], windows[met[1]]
        raise RuleViolation(
            "GEN-04",
            Text(
                f"las franjas {first.hours} y {second.hours} coinciden: en cada hora rige una sola",
                f"windows {first.hours} and {second.hours} meet: one only is in force at each hour",
            ),
            code="windows_overlap",
            field=f"window_{met[1]}",
            detail={"windows": list(met)},
        )
    seats = [table.seats] if table else _seats(by.casino, engine)
    stated = [(f"window_{place}", window.limits) for place, window in enumerate(windows)]
    for where, limits in [*stated, *([("otherwise", otherwise)] if otherwise else [])]:
        for positions in seats:
            _require(by, engine, positions, limits, where)


def _require(by: By, engine: Game, seats: int, limits: Limits, where: str) -> None:
    try:
        limit_terms.require_limits(
            by.casino,
            engine,
            seats=seats,
            chip=limits.chip,
            spots=limits.spots,
            differential=limits.differential,
            instant=by.occurred_at,
        )
    except Refused as refusal:
        # Which window it is about; the figure is in the words.
        detail = {**refusal.detail, "of": refusal.field}
        raise RuleViolation("GEN-04", refusal.message, detail, code=refusal.code, field=where) from refusal


def _seats(casino: Casino, engine: Game) -> list[int]:
    """How many positions the tables of a game have."""
    found = Table.objects.filter(casino=casino, game=engine.code, active=True).values_list("seats", flat=True)
    return sorted(set(found))


# ---- what is in force -------------------------------------------------------------------------------


def plan_of(table: Table, instant: dt.datetime) -> Plan | None:
    """The plan of a table at an instant: its own, else its game's; None without one."""
    own, shared = (
        LimitsPlan.objects.filter(
            casino=table.casino_id, game=table.game, table=of, effective_from__lte=instant
        )
        .order_by("-effective_from", "-version")
        .first()
        for of in (table, None)
    )
    found = shared if own is None or own.ended else own
    if found is None or found.ended:
        return None
    since = max(version.effective_from for version in (own, found) if version is not None)
    return Plan(
        found,
        tuple(Window.from_json(window) for window in found.windows),
        Limits.from_json(found.otherwise) if found.otherwise else None,
        since,
    )


def timeline(table: Table, start: dt.datetime, end: dt.datetime) -> list[tuple[Plan, Span]]:
    """What plans say of a table from `start` to `end`, through every version that takes effect meanwhile."""
    changes = (
        LimitsPlan.objects.filter(casino=table.casino_id, game=table.game)
        .filter(Q(table=table) | Q(table=None), effective_from__gt=start, effective_from__lte=end)
        .order_by("effective_from")
        .values_list("effective_from", flat=True)
    )
    points = [start, *dict.fromkeys(changes)]
    found = []
    for at, until in zip(points, [*points[1:], None], strict=True):
        plan = plan_of(table, at)
        if plan is not None:
            said = plan.spans(table.casino, at, until or end)
            found += [(plan, span) for span in said if until is None or span.begins < until]
    return found


def span_at(table: Table, instant: dt.datetime) -> tuple[Plan, Span] | None:
    """The plan and the window that hold at a table at an instant; None where no plan says anything."""
    plan = plan_of(table, instant)
    if plan is None:
        return None
    span = next(one for one in plan.spans(table.casino, instant, instant) if one.ends > instant)
    return (plan, span) if span.limits is not None else None


def require_inside(table: Table, limits: Limits, instant: dt.datetime) -> None:
    """Raise `RuleViolation` (GEN-04, `outside_plan`) where the plan in force then has narrower limits."""
    found = span_at(table, instant)
    if found is None:
        return
    plan, span = found
    allowed = span.limits
    assert allowed is not None
    if allowed.admits(limits):
        return
    shown = [
        f"{spot} {money.plain(low, table.casino.exponent)}–{money.plain(high, table.casino.exponent)}"
        for spot, (low, high) in sorted(allowed.spots.items())
    ]
    hours = span.window.hours if span.window else ""
    raise RuleViolation(
        "GEN-04",
        Text(
            f"los límites salen del plan {plan.row} {hours} ({', '.join(shown)}): publíquelos dentro de él"
            " o cambie el plan",
            f"the limits are outside plan {plan.row} {hours} ({', '.join(shown)}): publish them inside it"
            " or change the plan",
        ),
        code="outside_plan",
        field="spots",
    )


def limits_of(row: BetLimits) -> Limits:
    """A stored version as limits."""
    return Limits(row.chip, {spot: (low, high) for spot, (low, high) in row.spots.items()}, row.differential)


def _bad(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_window", rule="GEN-04", field=field)
