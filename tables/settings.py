"""Settings of the floor: pits, tables, limits and rules, each change with its reason and version."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db.models import Max

from audits import trail
from audits.by import CLOCK_SKEW, By
from audits.history import save_version
from casino.kernel import clock, ids, money, texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from tables import confirming, edges, freezing, policies
from tables.games import registry
from tables.games.base import MOST_ON_A_SPOT, Detail, Game, Terms
from tables.models import BetLimits, GameRules, Pit, Table, TableSession


@command(policies.SET_FLOOR, setting=True)
def set_pit(*, name: str, by: By, position: int = 1, pit: Pit | None = None) -> Pit:
    """Make a pit, or change `pit`. Needs a reason."""
    pit = pit or Pit(casino=by.casino)
    name = texts.line(name, "name", 60, code="bad_pit")
    if Pit.objects.filter(casino=by.casino, name=name).exclude(pk=pit.pk or 0).exists():
        raise Conflict(
            Text("ya hay un sector con ese nombre", "there is a pit of that name"), code="pit_exists"
        )
    pit.name, pit.position = name, position
    save_version(pit, by=by)
    _note("tables.pit.set", trail.Subject("pit", pit.pk, pit.name), by, {"position": position})
    return pit


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
    engine.open(_rules_now(engine, by), terms)  # refuses positions the game does not take
    if table is not None and TableSession.objects.filter(table=table, state__in=TableSession.LIVE).exists():
        raise Conflict(
            Text("cierre la mesa antes de cambiarla", "close the table before changing it"),
            code="session_open",
        )
    if table is not None and table.name != name:
        _require_not_stopped(table)
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
) -> BetLimits:
    """A new version of a table's limits, in force from `effective_from` (now when None), never back.

    Smallest units. Each limit is a multiple of the smallest chip (GEN-07), the minimum not above the
    maximum, on the spots the game has (GEN-04).
    """
    reason = by.need_reason()
    engine = registry.game(table.game)
    if chip not in by.casino.denominations:
        raise _limits_refused(
            "chip",
            "la ficha menor es una denominación de la casa",
            "the smallest chip is one of the house's denominations",
        )
    for spot, (low, high) in spots.items():
        if spot not in engine.spots:
            raise _limits_refused(
                "spots", f"el juego no tiene la apuesta «{spot}»", f"the game has no bet “{spot}”"
            )
        if high > MOST_ON_A_SPOT:
            most = money.words(MOST_ON_A_SPOT, by.casino.exponent)
            raise _limits_refused(
                spot,
                f"el máximo de una apuesta no puede pasar de {most.es}",
                f"the maximum of a bet cannot be above {most.en}",
            )
        if not (0 < low <= high and low % chip == 0 == high % chip):
            raise _limits_refused(
                spot,
                "mínimo y máximo son múltiplos de la ficha menor y el mínimo no supera al máximo",
                "minimum and maximum are multiples of the smallest chip, the minimum not above the maximum",
            )
    if not spots:
        raise _limits_refused("spots", "indique al menos un límite", "state at least one limit")
    if differential is not None and differential <= 0:
        raise _limits_refused("differential", "el diferencial es positivo", "the differential is positive")
    terms = Terms(table.seats, Detail.FULL, chip, dict(spots), differential, by.casino.exponent)
    engine.open(_rules_now(engine, by), terms)  # refuses limits no bet can meet
    version = _next(BetLimits.objects.filter(table=table))
    limits = BetLimits(
        casino=by.casino,
        table=table,
        version=version,
        chip=chip,
        spots={spot: [low, high] for spot, (low, high) in sorted(spots.items())},
        differential=differential,
        effective_from=_not_back(effective_from, by),
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
    (GEN-05). `forced`: why a version that favours the player is published all the same (GEN-06). In
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
    stored = GameRules(
        casino=by.casino,
        game=game,
        version=_next(GameRules.objects.filter(casino=by.casino, game=game)),
        params=stated,
        effective_from=_not_back(effective_from, by),
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


def _rules_now(engine: Game, by: By) -> Any:
    """The rules of a game the house has in force; the catalogue's where it has published none."""
    stored = GameRules.in_force(by.casino, engine.code, by.occurred_at)
    return engine.read_rules(stored.params) if stored else engine.default_rules()


def _next(rows: Any) -> int:
    return (rows.aggregate(last=Max("version"))["last"] or 0) + 1


def _not_back(instant: dt.datetime | None, by: By) -> dt.datetime:
    """From when a version is in force: never from before it is recorded (GEN-03), whatever was stated."""
    if instant is None:
        return by.occurred_at
    if instant < by.occurred_at - CLOCK_SKEW:
        raise Refused(
            Text("una versión no rige hacia atrás", "a version is not in force backwards in time"),
            code="effective_in_past",
            rule="GEN-03",
            field="effective_from",
        )
    return max(instant, by.occurred_at)


def _limits_refused(field: str, es: str, en: str) -> RuleViolation:
    return RuleViolation("GEN-04", Text(es, en), code="bad_limits", field=field)


def _note(
    action: str, subject: trail.Subject, by: By, data: dict[str, Any], rules: list[str] | None = None
) -> None:
    trail.record(action, stream=trail.SETTINGS_STREAM, subject=subject, by=by, data=data, rules=rules or [])
