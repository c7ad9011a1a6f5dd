"""A pool's life: set, linked to tables, started, stopped, suspended; given up where it never ran.

    draft -> running <-> stopped (failure), suspended -> retired      `jackpots.moving`
          -> retired                                                  given up

Each step has a reason, two people and an event (PP-30, PP-32).
"""

from __future__ import annotations

from typing import Any

from audits import days, filings, incidents, ledger, trail
from audits.by import By
from audits.history import save_version
from audits.ledger import Move
from audits.models import Actor, Event, Incident
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from jackpots import betting, policies, versions
from jackpots import filings as asked
from jackpots.actions import STATES
from jackpots.holding import HeldPool, hold_pool
from jackpots.models import Pool, PoolVersion
from tables.money.signing import require_beside, require_two_departments

State = Pool.State
STOPPED = incidents.register_kind(
    "pool_stopped", Text("pozo detenido por falla", "pool stopped for a failure"), rules=("PP-32",)
)
LONGEST_NAME = 60


@command(policies.SET_POOL, setting=True)
def create_pool(*, name: str, by: By, form: str = "credits", public: bool = True) -> Pool:
    """Set up a pool; it runs once its parameters are approved and tables feed it. Needs a reason.

    Raises `Refused` (`bad_name`, `bad_form`), `Conflict` (`pool_exists`).
    """
    pool = Pool(casino=by.casino, name=_name(name), form=form, public=public)
    if form not in Pool.Form.values:
        raise Refused(
            Text("elija créditos o ranura de fichas", "choose credits or chip slot"),
            code="bad_form",
            field="form",
        )
    save_version(pool, by=by)
    tell("jackpots.pool.set", pool, by, {"name": pool.name, "form": form, "public": public}, ["PP-22"])
    return pool


@command(policies.SET_POOL, setting=True)
def rename_pool(*, pool: Pool, by: By, name: str | None = None, public: bool | None = None) -> Pool:
    """Another name, or whether the public sees it. Needs a reason."""
    found = hold_pool(pool.pk).pool
    found.name = found.name if name is None else _name(name)
    found.public = found.public if public is None else public
    save_version(found, by=by)
    tell(
        "jackpots.pool.set",
        found,
        by,
        {"name": found.name, "form": found.form, "public": found.public},
        ["PP-22"],
    )
    return found


@command(policies.RUN_POOL, setting=True)
def start(*, pool: Pool, with_: Actor, by: By) -> Pool:
    """Start a pool, or go on; an approved version that waits begins (PP-30).

    Raises `RuleViolation` GEN-10, PP-04, PP-23 (`not_approved`, `filing_differs`), PP-29 (`cap_below_meter`),
    `Conflict` (`pool_state`, `pool_figures`, `no_tables`, `incident_open`).
    """
    by.need_reason()
    require_two_departments(by.actor, with_, policies.RUN_POOL, field="second")
    days.day_of(by.casino, by.occurred_at)
    held = hold_pool(pool.pk)
    require_state(held.pool, State.DRAFT, State.STOPPED, State.SUSPENDED)
    _require_ready(held.pool, by)
    before = held.pool.state
    begun = versions.begin_waiting(held, by)
    if held.pool.version is None:
        raise Conflict(
            Text(
                f"{held.pool.name} no tiene parámetros aprobados: redacte una versión y que dos áreas la"
                " aprueben",
                f"{held.pool.name} has no approved parameters: draft a version and have two departments"
                " approve it",
            ),
            code="pool_figures",
            rule="PP-20",
        )
    today = by.casino.gaming_day(by.occurred_at)
    filings.require_approved(by.casino, asked.SCHEME, asked.about_version(held.pool.version), today)
    put = versions.seed(held, begun) if begun else {}
    held.pool.state, held.pool.incident = State.RUNNING, None
    save_version(held.pool, by=by)
    if begun:
        _tell_begun(held, begun, put, with_, by)
    tell_moved(held.pool, before, with_, by)
    return held.pool


@command(policies.STOP_POOL, setting=True)
def stop(*, pool: Pool, with_: Actor, by: By) -> Pool:
    """Stop a pool for a failure: no contribution, no prize, and an incident (PP-32)."""
    reason = by.need_reason()
    require_beside(by.actor, with_, policies.STOP_POOL, field="second")
    held = hold_pool(pool.pk)
    require_state(held.pool, State.RUNNING)
    found = held.pool
    found.incident = incidents.raise_incident(
        kind=STOPPED,
        subject=asked.about_pool(found),
        summary=Text(f"{found.name} se detuvo: {reason}", f"{found.name} was stopped: {reason}"),
        rules=["PP-32"],
        facts={},
        by=by,
    )
    found.state = State.STOPPED
    save_version(found, by=by)
    tell_moved(found, State.RUNNING, with_, by)
    return found


@command(policies.RUN_POOL, setting=True)
def suspend(*, pool: Pool, with_: Actor, by: By) -> Pool:
    """Suspend a running pool (to change its parameters, for instance). Needs a reason.

    Raises `Conflict` (`pool_state`, `bets_locked`).
    """
    by.need_reason()
    require_beside(by.actor, with_, policies.RUN_POOL, field="second")
    held = hold_pool(pool.pk)
    require_state(held.pool, State.RUNNING)
    betting.require_none_locked(held.pool)
    held.pool.state = State.SUSPENDED
    save_version(held.pool, by=by)
    tell_moved(held.pool, State.RUNNING, with_, by)
    return held.pool


@command(policies.SET_POOL, setting=True)
def abandon(*, pool: Pool, by: By) -> Pool:
    """A pool that never ran is given up, with the reason: it has no money and takes no bet.

    Raises `Conflict` (`pool_state`, `version_open`), `Refused` (`reason_missing`).
    """
    by.need_reason()
    held = hold_pool(pool.pk)
    require_state(held.pool, State.DRAFT)
    if held.pool.versions.filter(state__in=PoolVersion.WAITING).exists():
        raise Conflict(
            Text(
                "tiene parámetros en aprobación: retire antes esa versión",
                "its parameters are being approved: withdraw that version first",
            ),
            code="version_open",
            rule="PP-30",
        )
    held.pool.state = State.RETIRED
    save_version(held.pool, by=by)
    tell_moved(held.pool, State.DRAFT, None, by)
    return held.pool


# ---- parts -------------------------------------------------------------------------------------------


def _tell_begun(held: HeldPool, begun: versions.Begun, put: dict[str, int], with_: Actor, by: By) -> None:
    version, pool = begun.version, held.pool
    data = {
        "version": version.number,
        "version_id": version.pk,
        "digest": versions.digest(version),
        "filing": "" if version.filing is None else version.filing.label,
        "offsets": version.offsets,
        "released": begun.released,
        "dropped": begun.dropped.told(),
        "with": with_.as_dict(),
        "seeded": put,
        "amount": sum(put.values()),
    }
    event = tell("jackpots.version.begun", pool, by, data, ["PP-19", "PP-22", "PP-23", "PP-30"])
    moves = [
        Move(pool.house_account, pool.account(code, "base"), units, "seed") for code, units in put.items()
    ]
    moves += [
        Move(pool.account("residue"), pool.account(code), units, "residue")
        for code, units in begun.released.items()
    ]
    moves += begun.dropped.moves
    ledger.post(event=event, kind="pool", day=by.casino.gaming_day(by.occurred_at), moves=moves)
    held.store(event, by.occurred_at)


def tell_moved(pool: Pool, before: str, with_: Actor | None, by: By) -> None:
    """A step of a pool's life; `with_` signed beside, where two sign."""
    data = {
        "before": before,
        "after": pool.state,
        "with": None if with_ is None else with_.as_dict(),
        "incident": None if pool.incident is None else pool.incident.label,
        "to": None if pool.retired_to is None else pool.retired_to.name,
    }
    tell("jackpots.pool.moved", pool, by, data, ["PP-30", "PP-32"])


def tell(action: str, pool: Pool, by: By, data: dict[str, Any], rules: list[str]) -> Event:
    """An event of a pool's stream."""
    subject = asked.about_pool(pool)
    return trail.record(action, stream=pool.stream, subject=subject, by=by, data=data, rules=rules)


def _require_ready(pool: Pool, by: By) -> None:
    filings.require_approved(
        by.casino, asked.EQUIPMENT, asked.about_pool(pool), by.casino.gaming_day(by.occurred_at)
    )
    if not pool.members.filter(during__contains=by.occurred_at).exists():
        raise Conflict(
            Text(f"ninguna mesa alimenta {pool.name}: conecte una", f"no table feeds {pool.name}: link one"),
            code="no_tables",
            rule="PP-06",
        )
    if pool.incident is not None and pool.incident.state == Incident.State.OPEN:
        raise Conflict(
            Text(
                f"el incidente {pool.incident.label} está abierto: resuélvanlo antes de seguir",
                f"incident {pool.incident.label} is open: resolve it before starting {pool.name}",
            ),
            code="incident_open",
            rule="PP-32",
        )


_BEFORE = {
    State.DRAFT: Text(
        "todavía no se puso en marcha: póngalo en marcha antes", "it was never started: start it first"
    ),
    State.RUNNING: Text("suspéndalo antes", "suspend it first"),
    State.STOPPED: Text("póngalo en marcha antes", "start it first"),
    State.SUSPENDED: Text("póngalo en marcha antes", "start it first"),
    State.RETIRED: Text("ya no cambia; cree otro pozo", "it changes no more; set up another pool"),
}
_RAN = Text(
    "no se desiste de un pozo que estuvo en marcha: suspéndalo y retírelo con un plan aprobado",
    "a pool that ran is not given up: suspend it and retire it by an approved plan",
)


def require_state(pool: Pool, *states: str) -> None:
    """Raises `Conflict` (`pool_state`, PP-32), with what to do before."""
    if pool.state not in states:
        ran = states == (State.DRAFT,) and pool.state != State.RETIRED
        state, before = STATES[pool.state], _RAN if ran else _BEFORE[State(pool.state)]
        raise Conflict(
            Text(f"{pool.name} está {state.es}: {before.es}", f"{pool.name} is {state.en}: {before.en}"),
            code="pool_state",
            rule="PP-32",
        )


def _name(name: str) -> str:
    said = " ".join(name.split())
    if not 0 < len(said) <= LONGEST_NAME:
        raise Refused(
            Text(
                f"el nombre tiene de 1 a {LONGEST_NAME} caracteres",
                f"the name has 1 to {LONGEST_NAME} characters",
            ),
            code="bad_name",
            field="name",
        )
    return said


def _exists() -> Conflict:
    return Conflict(
        Text("ya hay un pozo con ese nombre", "there is a pool of that name already"),
        code="pool_exists",
        field="name",
    )


explain_constraint("one_pool_per_name", _exists)
