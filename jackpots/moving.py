"""Money that leaves a fund otherwise than by a prize: moved or given back under the AJ's plan, or corrected.

A fund falls only for a listed reason (PP-29), while its pool stands: a meter that people bet on is not moved
under their eyes. What is approved is done once, exactly as the plan says (`jackpots.plans`).
"""

from __future__ import annotations

from collections.abc import Sequence

from audits import days, filings, incidents, ledger, trail
from audits.by import By
from audits.history import save_version
from audits.ledger import Move
from audits.models import Actor, Event, Filing, Incident
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from jackpots import capping, dropping, plans, policies
from jackpots.holding import HeldPool, Kind, hold_pool, hold_pools
from jackpots.models import Bet, Pool, Prize, SeatCredits
from jackpots.pools import require_state, tell, tell_moved
from jackpots.scheme import MAIN
from tables.models import TableSession
from tables.money.signing import require_two_departments

State = Pool.State
STANDS = (State.STOPPED, State.SUSPENDED)


@command(policies.RUN_POOL, setting=True)
def retire(*, pool: Pool, to: Pool | None, with_: Actor, by: By, destination: str = "") -> Pool:
    """Retire a pool: what players contributed goes where the approved plan says, the base to the house
    (PP-32). `to`: the pool that receives it; none where it is the last, which goes to the
    `destination` its plan names.

    Raises `Conflict` (`pool_state`, `prizes_open`, `bets_waiting`, `same_pool`, `not_the_last`), `Refused`
    (`destination_missing`), `RuleViolation` PP-32 (`not_approved`, `filing_differs`), PP-29
    (`cap_below_meter`).
    """
    by.need_reason()
    require_two_departments(by.actor, with_, policies.RUN_POOL, field="second")
    days.day_of(by.casino, by.occurred_at)
    held, target = _both(pool, to)
    require_state(held.pool, *STANDS)
    where = plans.destination_of(held.pool, to, destination)
    _require_over(held.pool)
    filing = plans.require_plan(held.pool, plans.facts_of(to, destination=where), by)
    _require_no_credits(held.pool)
    before = held.pool.state
    held.pool.state, held.pool.retired_to = State.RETIRED, None if target is None else target.pool
    save_version(held.pool, by=by)
    filing = filings.use(filing, by, {"pool": held.pool.name, "pool_id": held.pool.pk})
    amounts = {code: fund.players for code, fund in held.funds.items() if fund.players}
    _send(held, target, amounts, filing, with_, by, whole=True)
    tell_moved(held.pool, before, with_, by)
    return held.pool


@command(policies.RUN_POOL, setting=True)
def transfer(*, pool: Pool, to: Pool, fund: str, amount: int, with_: Actor, by: By) -> Pool:
    """Move players' money of a fund to another pool's main level, as an approved plan says (PP-29, PP-32).

    Raises `Conflict` (`pool_state`, `same_pool`, `bets_waiting`), `Refused` (`no_fund`, `bad_amount`),
    `RuleViolation` PP-32 (`not_approved`, `filing_differs`), PP-29 (`cap_below_meter`).
    """
    by.need_reason()
    require_two_departments(by.actor, with_, policies.RUN_POOL, field="second")
    days.day_of(by.casino, by.occurred_at)
    held, target = _both(pool, to)
    require_state(held.pool, *STANDS)
    _require_no_bets(held.pool)
    if fund not in held.funds:
        raise _no_fund()
    if isinstance(amount, bool) or amount <= 0 or amount > held.funds[fund].players:
        raise Refused(
            Text(
                "el importe es mayor que cero y no más de lo que hay",
                "the amount is above zero and no more than there is",
            ),
            code="bad_amount",
            field="amount",
        )
    filing = plans.require_plan(held.pool, plans.facts_of(to, fund, amount), by)
    filing = filings.use(filing, by, {"pool": held.pool.name, "pool_id": held.pool.pk})
    _send(held, target, {fund: amount}, filing, with_, by)
    return held.pool


@command(policies.RUN_POOL, setting=True)
def correct(*, pool: Pool, fund: str, amount: int, incident: Incident, with_: Actor, by: By) -> Pool:
    """Correct players' money of a fund by a signed amount, for a failure an open incident of the pool
    documents (PP-29): the house puts it in, or takes out what the failure had brought.

    Raises `Conflict` (`pool_state`, `bets_waiting`, `not_enough`, `incident_resolved`), `Refused`
    (`no_fund`, `bad_amount`, `other_incident`), `RuleViolation` PP-29 (`cap_below_meter`).
    """
    by.need_reason()
    require_two_departments(by.actor, with_, policies.RUN_POOL, field="second")
    days.day_of(by.casino, by.occurred_at)
    held = hold_pool(pool.pk)
    require_state(held.pool, State.RUNNING, *STANDS)
    if amount < 0:
        _require_no_bets(held.pool)
    _require_correction(held, fund, amount)
    found = incidents.lock_open(incident)
    _require_about(found, held.pool)
    held.change(fund, Kind.CORRECTION, players=amount)
    if amount > 0:
        capping.require_within(held, fund, "amount")
    data = {
        "fund": fund,
        "amount": amount,
        "after": held.funds[fund].players,
        "incident": found.label,
        "incident_id": found.pk,
        "with": with_.as_dict(),
    }
    event = tell("jackpots.pool.corrected", held.pool, by, data, ["PP-29", "PP-32"])
    house, account = held.pool.house_account, held.pool.account(fund)
    move = (
        Move(house, account, amount, "correction")
        if amount > 0
        else Move(account, house, -amount, "correction")
    )
    _post(event, [move], by)
    held.store(event, by.occurred_at)
    return held.pool


# ---- parts -------------------------------------------------------------------------------------------


def _require_correction(held: HeldPool, fund: str, amount: int) -> None:
    if fund not in held.funds:
        raise _no_fund()
    if isinstance(amount, bool) or not amount:
        raise Refused(
            Text("escriba cuánto se corrige, con su signo", "type how much is corrected, with its sign"),
            code="bad_amount",
            rule="PP-29",
            field="amount",
        )
    if amount > 0 and held.scheme is not None and fund not in dropping.codes(held.scheme):
        raise Conflict(
            Text(
                "ese fondo ya no está en los parámetros: corrija otro, adonde llegan las apuestas",
                "that fund is in the parameters no more: correct another one, which bets go to",
            ),
            code="fund_dropped",
            rule="PP-29",
            field="fund",
        )
    if held.funds[fund].players + amount < 0:
        raise Conflict(
            Text(
                "ese fondo no tiene tanto de los jugadores: ninguno baja de cero",
                "that fund has not as much of the players': none falls below zero",
            ),
            code="not_enough",
            rule="PP-29",
            field="amount",
        )


def _require_about(incident: Incident, pool: Pool) -> None:
    if (incident.subject_type, incident.subject_id) != ("pool", pool.pk):
        raise Refused(
            Text(
                f"{incident.label} no trata de {pool.name}: elija el incidente de la falla que se corrige",
                f"{incident.label} is not about {pool.name}: choose the incident of the failure corrected",
            ),
            code="other_incident",
            rule="PP-29",
            field="incident",
        )


def _no_fund() -> Refused:
    return Refused(
        Text("ese pozo no tiene ese fondo", "that pool has no such fund"), code="no_fund", field="fund"
    )


def _require_over(pool: Pool) -> None:
    """Raises `Conflict` (`prizes_open`, `bets_waiting`): nobody is owed anything by a retired pool."""
    if Prize.objects.filter(Prize.OPEN, pool=pool).exists():
        raise Conflict(
            Text("hay premios sin pagar: páguelos antes", "prizes are unpaid: pay them first"),
            code="prizes_open",
            rule="PP-31",
        )
    _require_no_bets(pool)


def _require_no_bets(pool: Pool) -> None:
    """A meter does not fall under a bet that was placed on it (PP-29). Raises `Conflict` (`bets_waiting`)."""
    if Bet.objects.filter(pool=pool, state=Bet.State.PLACED).exists():
        raise Conflict(
            Text(
                "hay apuestas puestas que no se liquidaron: juegue el pase o retírelas antes",
                "bets are placed that were not settled: play the round or take them off first",
            ),
            code="bets_waiting",
            rule="PP-32",
        )


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


def _both(pool: Pool, to: Pool | None) -> tuple[HeldPool, HeldPool | None]:
    if to is None:
        return hold_pool(pool.pk), None
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
    target: HeldPool | None,
    amounts: dict[str, int],
    filing: Filing,
    with_: Actor,
    by: By,
    *,
    whole: bool = False,
) -> None:
    """Players' money of a pool to the main level of another, or where the plan says; `whole`: with the
    residue, and the base back to the house."""
    pool = held.pool
    goes_to = pool.plan_account if target is None else target.pool.account("main")
    moves = [Move(pool.account(code), goes_to, units, "transfer") for code, units in amounts.items()]
    total = sum(amounts.values())
    for code, units in amounts.items():
        held.change(code, Kind.TRANSFER, players=-units)
    if whole:
        residue = ledger.balance(by.casino, pool.account("residue"))
        moves.append(Move(pool.account("residue"), goes_to, residue, "transfer"))
        total += residue
        for code, fund in held.funds.items():
            moves.append(Move(pool.account(code, "base"), pool.house_account, fund.base, "base_returned"))
            held.change(code, Kind.TRANSFER, base=-fund.base)
    data = {
        "amount": total,
        "funds": amounts,
        "target": filing.facts["destination"] if target is None else target.pool.name,
        "target_id": None if target is None else target.pool.pk,
        "filing": filing.label,
        "with": with_.as_dict(),
    }
    event = tell("jackpots.pool.transferred", pool, by, data, ["PP-29", "PP-32"])
    received = None if target is None else _receive(target, total, pool, event, by)
    _post(event, moves, by)
    held.store(event, by.occurred_at)
    if target is not None and received is not None:
        target.store(received, by.occurred_at)


def _receive(target: HeldPool, total: int, origin: Pool, sent: Event, by: By) -> Event:
    target.change(MAIN, Kind.TRANSFER, players=total)
    capping.require_within(target, MAIN, "to")
    data = {
        "amount": total,
        "origin": origin.name,
        "origin_id": origin.pk,
        "named": trail.named(sent, origin.stream),
    }
    return tell("jackpots.pool.received", target.pool, by, data, ["PP-29"])


def _post(event: Event, moves: Sequence[Move], by: By) -> None:
    ledger.post(event=event, kind="pool", day=by.casino.gaming_day(by.occurred_at), moves=moves)
