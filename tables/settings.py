"""Settings of the floor: pits, tables, limits and rules, each change with its reason and version."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Max

from audits import trail
from audits.by import By
from audits.history import save_version
from casino.kernel import clock, ids, texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from tables import (
    confirming,
    duties,
    edges,
    freezing,
    limit_terms,
    plan_filings,
    plans,
    policies,
    versions,
)
from tables.games import registry
from tables.games.base import Detail, Terms
from tables.models import BetLimits, GameRules, Pit, Table, TableSession
from tables.plan_windows import Limits

PIT_WEIGHTS = (50, 200)
"""From how much to how much a pit may weigh in the ledger of fairness, in hundredths."""


@command(policies.SET_FLOOR, setting=True)
def set_pit(
    *, name: str, by: By, position: int = 1, weight: int | None = None, pit: Pit | None = None
) -> Pit:
    """Make a pit, or change `pit`. Needs a reason.

    `weight`: what a minute at its tables counts in the ledger of fairness, in hundredths; None leaves it.
    Raises `Refused` (`bad_pit`), `Conflict` (`pit_exists`).
    """
    pit = pit or Pit(casino=by.casino)
    least, most = PIT_WEIGHTS
    if weight is not None and not least <= weight <= most:
        raise Refused(
            Text(
                f"el peso de un sector va de {least} a {most}; 100 es el de una mesa corriente",
                f"a pit weighs {least} to {most}; 100 is an ordinary table's",
            ),
            code="bad_pit",
            field="weight",
        )
    name = texts.line(name, "name", 60, code="bad_pit")
    if Pit.objects.filter(casino=by.casino, name=name).exclude(pk=pit.pk or 0).exists():
        raise Conflict(
            Text("ya hay un sector con ese nombre", "there is a pit of that name"), code="pit_exists"
        )
    pit.name, pit.position = name, position
    pit.weight = pit.weight if weight is None else weight
    save_version(pit, by=by)
    _note(
        "tables.pit.set",
        trail.Subject("pit", pit.pk, pit.name),
        by,
        {"position": position, "weight": pit.weight},
    )
    return pit


Objection = Callable[[Table, str, str], None]
_objections: list[Objection] = []


def register_objection(objection: Objection) -> None:
    """Ask `objection(table, game, detail)`, which raises, before a table is changed to those."""
    if objection not in _objections:
        _objections.append(objection)


@command(policies.SET_FLOOR, setting=True)
def set_table(
    *,
    name: str,
    pit: Pit,
    game: str,
    seats: int,
    detail: str,
    by: By,
    active: bool = True,
    table: Table | None = None,
) -> Table:
    """Make a table, or change `table` while it has no open session. Needs a reason.

    Raises `RuleViolation` for more positions than the game takes (BAC-03, BAC-04, BAC-05), `Conflict`
    (`session_open`, `table_exists`; `table_frozen` for a new name while an incident stops the table).
    """
    engine = registry.game(game)
    name = ids.table_name(name)
    if detail not in set(Detail):
        raise Refused(Text("detalle desconocido", "unknown detail"), code="bad_detail", field="detail")
    terms = Terms.from_json({"seats": seats, "detail": Detail.CARDS.value, "chip": 1})
    engine.open(
        limit_terms.rules_at(by.casino, engine, by.occurred_at), terms
    )  # refuses positions the game does not take
    if table is not None and TableSession.objects.filter(table=table, state__in=TableSession.LIVE).exists():
        raise Conflict(
            Text("cierre la mesa antes de cambiarla", "close the table before changing it"),
            code="session_open",
        )
    if table is not None and table.name != name:
        _require_not_stopped(table)
    if table is not None:
        for objection in _objections:
            objection(table, game, detail)
    if Table.objects.filter(casino=by.casino, name=name).exclude(pk=table.pk if table else 0).exists():
        raise Conflict(
            Text(f"ya hay una mesa {name}", f"there is a table {name} already"),
            code="table_exists",
            field="name",
        )
    table = table or Table(casino=by.casino)
    table.name, table.pit, table.game = name, pit, game
    table.seats, table.detail, table.active = seats, detail, active
    save_version(table, by=by)
    told = {"game": game, "seats": seats, "detail": detail, "pit": pit.name, "active": active}
    _note("tables.table.set", trail.Subject("table", table.pk, table.name), by, told)
    return table


def _require_not_stopped(table: Table) -> None:
    """GEN-08: an incident stops a table by its name, which stays its name until it is settled."""
    incident = freezing.stopped_at_opening(table.casino, table.name)
    if incident is not None:
        raise Conflict(
            Text(
                f"{table.name} está detenida por {incident.label}: resuélvalo antes de cambiarle el nombre",
                f"{table.name} is stopped by {incident.label}: settle it before renaming the table",
            ),
            code="table_frozen",
            rule="GEN-08",
            field="name",
            detail={"incident": incident.label, "incident_id": incident.pk},
        )


@command(policies.SET_LIMITS, setting=True)
def publish_limits(
    *,
    table: Table,
    chip: int,
    spots: Mapping[str, tuple[int, int]],
    by: By,
    differential: int | None = None,
    effective_from: dt.datetime | None = None,
    planned: bool = False,
) -> BetLimits:
    """A new version of a table's limits, in force from `effective_from` (now when None), never back.

    Smallest units. Each limit is a multiple of the smallest chip (GEN-07), the minimum not above the
    maximum, on the spots the game has, and inside the plan of limits in force then, if there is one
    (GEN-04, `outside_plan`). `planned`: they are published by a plan, and are what it says. Raises
    `NotAllowed` (`not_your_pit`) as `tables.duties`.
    """
    reason = by.need_reason()
    duties.require_pit(by, table)
    engine = registry.game(table.game)
    limit_terms.require_limits(
        by.casino,
        engine,
        seats=table.seats,
        chip=chip,
        spots=spots,
        differential=differential,
        instant=by.occurred_at,
    )
    begins = versions.not_back(effective_from, by)
    if not planned:
        plans.require_inside(table, Limits(chip, spots, differential), begins)
    version = _next(BetLimits.objects.filter(table=table))
    limits = BetLimits(
        casino=by.casino,
        table=table,
        version=version,
        chip=chip,
        spots={spot: [low, high] for spot, (low, high) in sorted(spots.items())},
        differential=differential,
        effective_from=begins,
        reason=reason,
        published_by=by.actor,
    )
    save_version(limits, by=by)
    told = {"version": version, "chip": chip, "spots": limits.spots, "differential": differential}
    told["effective_from"] = clock.stamp(limits.effective_from)
    _note("tables.limits.published", trail.Subject("table", table.pk, table.name), by, told, ["GEN-04"])
    return limits


@command(policies.PUBLISH_RULES, setting=True)
def publish_rules(
    *,
    game: str,
    params: Mapping[str, Any],
    betting_plan: str,
    by: By,
    confirmed_by: str = "",
    confirmation: str = "",
    forced: str = "",
    effective_from: dt.datetime | None = None,
) -> GameRules:
    """A new version of a game's rules, validated by the game, naming the Plan de Apuestas (GEN-05).

    `confirmed_by` and `confirmation`: who confirms the figures the book leaves to the operator, and why
    (GEN-05); where the house asks for it, the AJ approved these very figures (`tables.plan_filings`,
    `not_approved`). `forced`: why a version that favours the player is published all the same (GEN-06). In
    force from `effective_from` (now when None), never backwards (GEN-03).
    """
    reason = by.need_reason()
    engine = registry.game(game)
    rules = engine.read_rules(dict(params))
    forced = texts.line(forced, "forced", confirming.MOST_REASON, code="bad_reason", rule="GEN-06", least=0)
    favouring = edges.refuse_player_edge(engine, rules, forced)
    betting_plan = _plan(betting_plan)
    stated = rules.to_json()
    name, why, figures = confirming.refuse_unconfirmed(engine, stated, confirmed_by, confirmation)
    begins = versions.not_back(effective_from, by)
    plan_filings.require(by.casino, engine, stated, by.casino.gaming_day(begins))
    stored = GameRules(
        casino=by.casino,
        game=game,
        version=_next(GameRules.objects.filter(casino=by.casino, game=game)),
        params=stated,
        effective_from=begins,
        betting_plan=betting_plan,
        confirmed_by=name,
        confirmation=why,
        forced=forced,
        reason=reason,
        published_by=by.actor,
    )
    save_version(stored, by=by)
    _tell(stored, [figure.id for figure in figures], favouring, by)
    return stored


def _tell(stored: GameRules, unconfirmed: list[str], favouring: list[dict[str, Any]], by: By) -> None:
    """A version on the trail, what it rests on besides; one that was forced under a name of its own."""
    told = {
        "version": stored.version,
        "params": stored.params,
        "betting_plan": stored.betting_plan,
        "effective_from": clock.stamp(stored.effective_from),
        "confirmed_by": stored.confirmed_by,
        "confirmation": stored.confirmation,
        "unconfirmed": unconfirmed,
        "forced": stored.forced,
        "favouring": favouring,
    }
    cited = ["GEN-03", "GEN-05", *(["GEN-06"] if stored.forced else [])]
    action = "tables.rules.forced" if stored.forced else "tables.rules.published"
    _note(action, trail.Subject("rules", stored.pk, stored.game), by, told, cited)


def _plan(betting_plan: str) -> str:
    if not betting_plan.strip():
        raise Refused(
            Text(
                "nombre el Plan de Apuestas que respalda estas reglas",
                "name the betting plan these rules rest on",
            ),
            code="betting_plan_missing",
            rule="GEN-05",
            field="betting_plan",
        )
    return texts.line(betting_plan, "betting_plan", 60, code="bad_betting_plan", rule="GEN-05")


def _next(rows: Any) -> int:
    return (rows.aggregate(last=Max("version"))["last"] or 0) + 1


def _note(
    action: str, subject: trail.Subject, by: By, data: dict[str, Any], rules: list[str] | None = None
) -> None:
    trail.record(action, stream=trail.SETTINGS_STREAM, subject=subject, by=by, data=data, rules=rules or [])
