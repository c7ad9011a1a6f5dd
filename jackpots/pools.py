"""A pool's life: set, linked to tables, started, stopped, suspended, retired; money moved under approval.

    draft -> running <-> stopped (failure), suspended -> retired

Each step has a reason, two people and an event (PP-30, PP-32). A fund falls only for a listed reason (PP-29).
"""

from __future__ import annotations

from typing import Any

from audits import filings, incidents, ledger, trail
from audits.by import By
from audits.history import save_version
from audits.ledger import Move
from audits.models import Actor, Event, Filing, Incident
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from jackpots import filings as asked
from jackpots import policies, versions
from jackpots.holding import HeldPool, Kind, hold_pool, hold_pools
from jackpots.models import Bet, Pool, Prize, SeatCredits
from tables.models import TableSession
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

    Raises `RuleViolation` GEN-10, PP-04, PP-23 (`not_approved`), `Conflict` (`pool_state`, `pool_figures`,
    `no_tables`, `incident_open`).
    """
    by.need_reason()
    require_two_departments(by.actor, with_, policies.RUN_POOL, field="second")
    held = hold_pool(pool.pk)
    _require(held.pool, State.DRAFT, State.STOPPED, State.SUSPENDED)
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
    put = versions.seed(held) if begun else {}
    held.pool.state, held.pool.incident = State.RUNNING, None
    save_version(held.pool, by=by)
    if begun:
        _tell_begun(held, begun, put, with_, by)
    _tell_moved(held.pool, before, with_, by)
    return held.pool


@command(policies.STOP_POOL, setting=True)
def stop(*, pool: Pool, with_: Actor, by: By) -> Pool:
    """Stop a pool for a failure: no contribution, no prize, and an incident (PP-32)."""
    reason = by.need_reason()
    require_beside(by.actor, with_, policies.STOP_POOL, field="second")
    held = hold_pool(pool.pk)
    _require(held.pool, State.RUNNING)
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
    _tell_moved(found, State.RUNNING, with_, by)
    return found


@command(policies.RUN_POOL, setting=True)
def suspend(*, pool: Pool, with_: Actor, by: By) -> Pool:
    """Suspend a running pool (to change its parameters, for instance). Needs a reason."""
    by.need_reason()
    require_beside(by.actor, with_, policies.RUN_POOL, field="second")
    held = hold_pool(pool.pk)
    _require(held.pool, State.RUNNING)
    held.pool.state = State.SUSPENDED
    save_version(held.pool, by=by)
    _tell_moved(held.pool, State.RUNNING, with_, by)
    return held.pool


@command(policies.RUN_POOL, setting=True)
def retire(*, pool: Pool, to: Pool, with_: Actor, by: By) -> Pool:
    """Retire a pool: what players contributed goes to another under an approved filing, the base to the house
    (PP-32). Raises `Conflict` (`pool_state`, `prizes_open`, `bets_waiting`, `same_pool`).
    """
    by.need_reason()
    require_two_departments(by.actor, with_, policies.RUN_POOL, field="second")
    both = _both(pool, to)
    held, target = both
    _require(held.pool, State.STOPPED, State.SUSPENDED)
    if Prize.objects.filter(pool=held.pool, state__in=Prize.OPEN).exists():
        raise Conflict(
            Text("hay premios sin pagar: páguelos antes", "prizes are unpaid: pay them first"),
            code="prizes_open",
            rule="PP-31",
        )
    if Bet.objects.filter(pool=held.pool, state=Bet.State.PLACED).exists():
        raise Conflict(
            Text("hay apuestas puestas que no se liquidaron", "bets are placed that were not settled"),
            code="bets_waiting",
            rule="PP-32",
        )
    filing = filings.require_approved(
        by.casino, asked.TRANSFER, asked.about_pool(held.pool), by.casino.gaming_day(by.occurred_at)
    )
    _require_no_credits(held.pool)
    amounts = {code: fund.players for code, fund in held.funds.items() if fund.players}
    before = held.pool.state
    held.pool.state, held.pool.retired_to = State.RETIRED, target.pool
    save_version(held.pool, by=by)
    _send(held, target, amounts, filing, with_, by, whole=True)
    _tell_moved(held.pool, before, with_, by)
    return held.pool


@command(policies.RUN_POOL, setting=True)
def transfer(*, pool: Pool, to: Pool, fund: str, amount: int, with_: Actor, by: By) -> Pool:
    """Move players' money of a fund to another pool's main level, under an approved filing (PP-29, PP-32).

    Raises `Conflict` (`not_enough`, `same_pool`), `Refused` (`no_fund`, `bad_amount`).
    """
    by.need_reason()
    require_two_departments(by.actor, with_, policies.RUN_POOL, field="second")
    held, target = _both(pool, to)
    filing = filings.require_approved(
        by.casino, asked.TRANSFER, asked.about_pool(held.pool), by.casino.gaming_day(by.occurred_at)
    )
    found = held.funds.get(fund)
    if found is None or target.pool.version is None:
        raise Refused(
            Text("ese pozo no tiene ese fondo", "that pool has no such fund"), code="no_fund", field="fund"
        )
    if isinstance(amount, bool) or amount <= 0 or amount > found.players:
        raise Refused(
            Text(
                "el importe es mayor que cero y no más de lo que hay",
                "the amount is above zero and no more than there is",
            ),
            code="bad_amount",
            field="amount",
        )
    _send(held, target, {fund: amount}, filing, with_, by)
    return held.pool


# ---- parts -------------------------------------------------------------------------------------------


def _require_no_credits(pool: Pool) -> None:
    """Raises `Conflict` (`credits_left`): what players bought at its tables is returned to them first."""
    tables = pool.members.filter(during__endswith=None).values("table")
    live = TableSession.objects.filter(table__in=tables, state__in=TableSession.LIVE)
    left = SeatCredits.objects.filter(session__in=live, amount__gt=0).select_related("session__table").first()
    if left is not None:
        name = left.session.table.name
        raise Conflict(
            Text(
                f"quedan créditos en {name}, posición {left.seat}: devuélvalos antes",
                f"credits are left at {name}, position {left.seat}: return them first",
            ),
            code="credits_left",
            rule="PP-09",
        )


def _both(pool: Pool, to: Pool) -> tuple[HeldPool, HeldPool]:
    if pool.pk == to.pk:
        raise Conflict(
            Text("elija otro pozo que reciba el saldo", "choose another pool to receive the balance"),
            code="same_pool",
            field="to",
        )
    held = hold_pools([pool.pk, to.pk])
    target = held[to.pk].pool
    if target.state == State.RETIRED or target.version is None:
        raise Conflict(
            Text(f"{target.name} no puede recibir el saldo", f"{target.name} cannot receive the balance"),
            code="pool_state",
            rule="PP-32",
            field="to",
        )
    return held[pool.pk], held[to.pk]


def _send(
    held: HeldPool,
    target: HeldPool,
    amounts: dict[str, int],
    filing: Filing,
    with_: Actor,
    by: By,
    *,
    whole: bool = False,
) -> None:
    """Players' money from one pool to the main level of another; `whole`: with the residue, and the base back
    to the house."""
    pool, other = held.pool, target.pool
    moves = [
        Move(pool.account(code), other.account("main"), units, "transfer") for code, units in amounts.items()
    ]
    total = sum(amounts.values())
    for code, units in amounts.items():
        held.change(code, Kind.TRANSFER, players=-units)
    if whole:
        residue = ledger.balance(by.casino, pool.account("residue"))
        moves.append(Move(pool.account("residue"), other.account("main"), residue, "transfer"))
        total += residue
        for code, fund in held.funds.items():
            moves.append(Move(pool.account(code, "base"), pool.house_account, fund.base, "base_returned"))
            held.change(code, Kind.TRANSFER, base=-fund.base)
    target.change("main", Kind.TRANSFER, players=total)
    data = {
        "amount": total,
        "funds": amounts,
        "target": other.name,
        "target_id": other.pk,
        "filing": filing.label,
    }
    data |= {"with": with_.as_dict()}
    event = tell("jackpots.pool.transferred", pool, by, data, ["PP-29", "PP-32"])
    received = tell(
        "jackpots.pool.received",
        other,
        by,
        {
            "amount": total,
            "origin": pool.name,
            "origin_id": pool.pk,
            "named": trail.named(event, pool.stream),
        },
        ["PP-29"],
    )
    day = by.casino.gaming_day(by.occurred_at)
    ledger.post(event=event, kind="pool", day=day, moves=moves)
    held.store(event, by.occurred_at)
    target.store(received, by.occurred_at)


def _tell_begun(held: HeldPool, begun: Any, put: dict[str, int], with_: Actor, by: By) -> None:
    version, whole = begun
    pool = held.pool
    data = {
        "version": version.number,
        "version_id": version.pk,
        "digest": versions.digest(version),
        "filing": version.filing.label,
        "offsets": version.offsets,
        "released": whole,
        "with": with_.as_dict(),
        "seeded": put,
        "amount": sum(put.values()),
    }
    event = tell("jackpots.version.begun", pool, by, data, ["PP-19", "PP-22", "PP-23", "PP-30"])
    moves = [
        Move(pool.house_account, pool.account(code, "base"), units, "seed") for code, units in put.items()
    ]
    moves += [
        Move(pool.account("residue"), pool.account(code), units, "residue") for code, units in whole.items()
    ]
    ledger.post(event=event, kind="pool", day=by.casino.gaming_day(by.occurred_at), moves=moves)
    held.store(event, by.occurred_at)


def _tell_moved(pool: Pool, before: str, with_: Actor, by: By) -> None:
    data = {
        "before": before,
        "after": pool.state,
        "with": with_.as_dict(),
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


def _require(pool: Pool, *states: str) -> None:
    if pool.state not in states:
        raise Conflict(
            Text(
                f"{pool.name} está {pool.get_state_display()}: ese paso no cabe",
                f"{pool.name} is {pool.state}: that step is not possible",
            ),
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
