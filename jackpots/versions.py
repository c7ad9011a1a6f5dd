"""Parameters of a pool: drafted with their filing, approved by two departments, begun at a start (PP-30).

Nothing changes while the pool runs: it is stopped or suspended, a new version is approved, and it begins with
the next start (`jackpots.pools`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from audits import filings, trail
from audits.by import By
from audits.models import Event, Filing
from casino.kernel import permissions
from casino.kernel.canonical import canonical
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from jackpots import filings as asked
from jackpots import maths, policies, scheme
from jackpots.holding import HeldPool, Kind, hold_pool
from jackpots.models import Bet, Fund, Pool, PoolVersion, SeatCredits, VersionApproval
from jackpots.scheme import Scheme
from tables.models import TableSession

State = PoolVersion.State
APPROVERS = 2


@command(policies.DRAFT, setting=True)
def draft_version(*, pool: Pool, params: Mapping[str, Any], by: By) -> PoolVersion:
    """New parameters, with the filing about them drafted. Needs a reason; what is refused names its field.

    Raises what `scheme.read` does, `Conflict` (`version_open`, `pool_retired`).
    """
    reason = by.need_reason()
    terms = scheme.read(params)
    held = hold_pool(pool.pk)
    _require_not_retired(held.pool)
    if held.pool.versions.filter(state__in=(State.DRAFT, State.APPROVED)).exists():
        raise Conflict(
            Text(
                "ya hay una versión en aprobación: apruébela o retírela antes",
                "a version is being approved already: approve or withdraw it first",
            ),
            code="version_open",
            rule="PP-30",
        )
    version = PoolVersion.objects.create(
        casino=by.casino,
        pool=held.pool,
        number=held.pool.versions.count() + 1,
        params=terms.to_json(),
        author=by.actor,
        reason=reason,
        drafted_at=by.occurred_at,
    )
    _draft_filing(version, terms, by)
    _tell("jackpots.version.drafted", version, by, {"params": version.params, "digest": digest(version)})
    return version


@command(policies.APPROVE, setting=True)
def approve_version(*, version: PoolVersion, by: By) -> PoolVersion:
    """A department approves; with the second, of another, the version may begin (PP-30).

    Raises `RuleViolation` PP-30 (`same_department`, `same_person`), `Conflict` (`version_state`).
    """
    held = hold_pool(version.pool_id)
    found = PoolVersion.objects.select_related("pool").get(pk=version.pk)
    _require_state(found, State.DRAFT)
    earlier = list(found.approvals.all())
    department = _department(by, earlier)
    event = _tell("jackpots.version.approved", found, by, {"department": department, "digest": digest(found)})
    VersionApproval.objects.create(
        casino=by.casino,
        version=found,
        actor=by.actor,
        department=department,
        digest=digest(found),
        event=event,
        at=by.occurred_at,
    )
    if len(earlier) + 1 >= APPROVERS:
        found.state = State.APPROVED
        found.save(update_fields=["state"])
    assert held.pool.pk == found.pool_id
    return found


@command(policies.DRAFT, setting=True)
def withdraw_version(*, version: PoolVersion, by: By) -> PoolVersion:
    """A version that has not begun is not pursued. Needs a reason. Raises `Conflict` (`version_state`)."""
    by.need_reason()
    hold_pool(version.pool_id)
    found = PoolVersion.objects.select_related("pool").get(pk=version.pk)
    _require_state(found, State.DRAFT, State.APPROVED)
    found.state = State.WITHDRAWN
    found.save(update_fields=["state"])
    _tell("jackpots.version.withdrawn", found, by, {})
    return found


def digest(version: PoolVersion) -> str:
    """What an approval is over: SHA-256 of the canonical parameters."""
    return hashlib.sha256(canonical(version.params)).hexdigest()


def begin_waiting(held: HeldPool, by: By) -> tuple[PoolVersion, dict[str, int]] | None:
    """The approved version begins as the pool starts: the one before is over, broken units carried. Also
    answers the whole units that go from the residue to a fund, where one is gone.

    Raises `RuleViolation` PP-23 (`not_approved`) without the AJ's valid approval. None where none waits.
    """
    pool = held.pool
    waiting = pool.versions.filter(state=State.APPROVED).first()
    if waiting is None:
        return None
    waiting.pool = pool
    subject = asked.about_version(waiting)
    waiting.filing = filings.require_approved(
        by.casino, asked.SCHEME, subject, by.casino.gaming_day(by.occurred_at)
    )
    if waiting.filing.facts.get("digest") != digest(waiting):
        # Another filing about this version, which does not say what it is about (PP-19, PP-23).
        raise filings.not_approved(asked.SCHEME, subject)
    terms = scheme.read(waiting.params)
    old, left = pool.version, {}
    if old is not None:
        assert held.scheme is not None
        left = maths.remainders(held.scheme, held.offsets, pool.collected)
        _require_nothing_waits(held, terms)
        _require_funds_kept(held, terms)
        old.state, old.ended_at, old.collected = State.OVER, by.occurred_at, pool.collected
        old.save(update_fields=["state", "ended_at", "collected"])
    waiting.state, waiting.begun_at = State.IN_FORCE, by.occurred_at
    waiting.offsets = maths.carried(left, terms)
    whole = maths.released(left, terms)
    waiting.save(update_fields=["state", "begun_at", "offsets", "filing"])
    pool.version, pool.collected, held.scheme = waiting, 0, terms
    _make_funds(held, terms)
    for code, units in whole.items():
        held.change(code, Kind.TRANSFER, players=units)
    return waiting, whole


def seed(held: HeldPool) -> dict[str, int]:
    """What the house puts in so that each new level begins at its base, by level (PP-22); noted on the held
    pool."""
    assert held.scheme is not None
    put: dict[str, int] = {}
    for level in held.scheme.levels:
        fund = held.funds[level.code]
        if fund.last_move_id is None and not fund.players and not fund.base and level.base:
            held.change(level.code, Kind.SEED, base=level.base)
            put[level.code] = level.base
    return put


def _make_funds(held: HeldPool, terms: Scheme) -> None:
    for code, reserve in [
        *[(level.code, False) for level in terms.levels],
        *[(one.code, True) for one in terms.reserves],
    ]:
        if code not in held.funds:
            held.funds[code] = Fund.objects.create(
                casino_id=held.pool.casino_id, pool=held.pool, code=code, reserve=reserve
            )


def _require_nothing_waits(held: HeldPool, terms: Scheme) -> None:
    """A bet placed under the old parameters is settled or taken off before new ones hold; credits are of one
    value (PP-12, PP-30). A meter is not lowered by its cap (PP-29)."""
    assert held.scheme is not None
    pool = held.pool
    waiting = Bet.objects.filter(pool=pool, state=Bet.State.PLACED).exists()
    tables = pool.members.filter(during__endswith=None).values("table")
    live = TableSession.objects.filter(table__in=tables, state__in=TableSession.LIVE)
    credits = SeatCredits.objects.filter(session__in=live, amount__gt=0).exists()
    if waiting or (credits and terms.credit != held.scheme.credit):
        raise Conflict(
            Text(
                "hay apuestas puestas, o créditos de otro valor: juegue el pase o devuélvalos antes",
                "bets are placed, or credits of another value: play the round or return them first",
            ),
            code="bets_waiting",
            rule="PP-30",
        )
    over = [one.code for one in terms.levels if one.cap is not None and _shown(held, one.code) > one.cap]
    if over:
        raise RuleViolation(
            "PP-29",
            Text(
                f"el tope de «{over[0]}» es menor que lo que muestra: lo mostrado no baja por un tope",
                f"the cap of “{over[0]}” is below what it shows: what is shown does not fall for a cap",
            ),
            code="cap_below_meter",
            field=f"levels.{over[0]}.cap",
        )


def _shown(held: HeldPool, code: str) -> int:
    return held.funds[code].shown if code in held.funds else 0


def _require_funds_kept(held: HeldPool, terms: Scheme) -> None:
    """Players' money stays where a version names it (PP-29): a level or reserve that holds some is kept."""
    kinds = dict.fromkeys((one.code for one in terms.levels), False)
    kinds |= dict.fromkeys((one.code for one in terms.reserves), True)
    # One that turns from level to reserve, or back, would mix what is shown with what is kept.
    gone = [code for code, fund in held.funds.items() if fund.shown and kinds.get(code) is not fund.reserve]
    gone += [code for code, fund in held.funds.items() if code in kinds and kinds[code] is not fund.reserve]
    if gone:
        raise RuleViolation(
            "PP-29",
            Text(
                f"los parámetros nuevos no tienen «{gone[0]}» como estaba, con dinero: trasládelo antes",
                f"the new parameters have no “{gone[0]}” as it was, with money in it: transfer it first",
            ),
            code="fund_not_empty",
            field="levels",
        )


def _department(by: By, earlier: list[VersionApproval]) -> str:
    theirs = permissions.departments(by.actor) - {one.department for one in earlier}
    if any(one.actor_id == by.actor.pk for one in earlier):
        raise RuleViolation(
            "PP-30",
            Text(
                "ya lo aprobó: falta otra persona, de otra área",
                "approved already: another person, of another department, is missing",
            ),
            code="same_person",
        )
    if not theirs:
        raise RuleViolation(
            "PP-30",
            Text(
                "su área ya lo aprobó: falta una persona de otra (sala, caja, cumplimiento, administración)",
                "your department approved it already: a person of another one is missing (floor, cage,"
                " compliance, administration)",
            ),
            code="same_department",
        )
    return sorted(theirs)[0]


def _draft_filing(version: PoolVersion, terms: Scheme, by: By) -> Filing:
    commission = f"{terms.commission_bp / 100:.2f}".replace(".", ",")
    text = (
        f"Se pide aprobar la comisión y los algoritmos del pozo «{version.pool.name}», versión"
        f" {version.number}: comisión {commission} % del total recaudado; lo que queda se reparte según los"
        f" parámetros adjuntos."
        f" Motivo: {version.reason}"
    )
    return filings.drafted(
        kind=asked.SCHEME,
        subject=asked.about_version(version),
        text=text,
        by=by,
        facts={"params": version.params, "digest": digest(version)},
    )


def _require_state(version: PoolVersion, *states: str) -> None:
    if version.state not in states:
        raise Conflict(
            Text(
                f"la versión {version.number} está {version.get_state_display()}: ese paso ya no cabe",
                f"version {version.number} is {version.state}: that step is not possible any more",
            ),
            code="version_state",
            rule="PP-30",
        )


def _require_not_retired(pool: Pool) -> None:
    if pool.state == Pool.State.RETIRED:
        raise Conflict(
            Text(f"{pool.name} está retirado", f"{pool.name} is retired"), code="pool_retired", rule="PP-32"
        )


def _tell(action: str, version: PoolVersion, by: By, data: Mapping[str, Any]) -> Event:
    pool = version.pool
    return trail.record(
        action,
        stream=pool.stream,
        subject=trail.Subject("pool", pool.pk, pool.name),
        by=by,
        data={"version": version.number, "version_id": version.pk, **data},
        rules=["PP-30"],
    )
