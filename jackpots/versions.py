"""Parameters of a pool: drafted with their filing, approved by two departments, begun at a start (PP-30).

Nothing changes while the pool runs: it is stopped or suspended, a new version is approved, and it begins with
the next start (`jackpots.pools`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audits import filings, trail
from audits import policies as filing_policies
from audits.by import By
from audits.models import Event, Filing
from casino.kernel import permissions
from casino.kernel.canonical import canonical
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from jackpots import capping, dropping, maths, policies, scheme
from jackpots import filings as asked
from jackpots.dropping import Dropped
from jackpots.holding import HeldPool, Kind, hold_pool
from jackpots.models import Bet, Fund, Pool, PoolVersion, SeatCredits, VersionApproval
from jackpots.scheme import Scheme
from tables.models import TableSession

State = PoolVersion.State
APPROVERS = 2
ASKED_FOR = (State.DRAFT, State.APPROVED, State.IN_FORCE)
"""The versions the AJ may be asked about."""


@command(policies.DRAFT, setting=True)
def draft_version(*, pool: Pool, params: Mapping[str, Any], by: By) -> PoolVersion:
    """New parameters, with the filing about them drafted. Needs a reason; what is refused names its field.

    Raises what `scheme.read` does, `Conflict` (`version_open`, `pool_retired`).
    """
    reason = by.need_reason()
    terms = scheme.read(params)
    held = hold_pool(pool.pk)
    _require_not_retired(held.pool)
    if held.pool.versions.filter(state__in=PoolVersion.WAITING).exists():
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
    _draft_filing(version, terms, by, reason)
    _tell("jackpots.version.drafted", version, by, {"params": version.params, "digest": digest(version)})
    return version


@command(policies.APPROVE, setting=True)
def approve_version(*, version: PoolVersion, by: By, department: str = "") -> PoolVersion:
    """A department approves; with the second, of another, the version may begin (PP-30). `department`: for
    which one, where whoever approves works in several.

    Raises `RuleViolation` PP-30 (`same_department`, `same_person`), `Conflict` (`version_state`), `Refused`
    (`department_missing`).
    """
    held = hold_pool(version.pool_id)
    found = PoolVersion.objects.select_related("pool").get(pk=version.pk)
    _require_state(found, State.DRAFT)
    earlier = list(found.approvals.all())
    department = _department(by, earlier, department)
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


@command(filing_policies.DRAFT_FILING)
def ask_again(*, version: PoolVersion, by: By) -> Filing:
    """Draft another filing about a version, where the AJ refused, revoked or ends the one there was (PP-23).

    Needs a reason. Raises `Conflict` (`version_state`, `filing_waits`).
    """
    reason = by.need_reason()
    hold_pool(version.pool_id)
    found = PoolVersion.objects.select_related("pool").get(pk=version.pk)
    _require_state(found, *ASKED_FOR)
    waits = filings.waiting(by.casino, asked.SCHEME, asked.about_version(found))
    if waits is not None:
        raise Conflict(
            Text(
                f"{waits.label} ya lo pide y no tiene respuesta: siga con ese trámite o retírelo",
                f"{waits.label} asks for it already and has no answer: go on with it or withdraw it",
            ),
            code="filing_waits",
            rule="PP-23",
        )
    return _draft_filing(found, scheme.read(found.params), by, reason)


def digest(version: PoolVersion) -> str:
    """What an approval is over: SHA-256 of the canonical parameters."""
    return hashlib.sha256(canonical(version.params)).hexdigest()


@dataclass(frozen=True, slots=True)
class Begun:
    """A version that began. `released`: whole units that go from the residue to a fund, where one is gone;
    `dropped`: what was in funds that are gone; `new`: the levels the version before did not have."""

    version: PoolVersion
    released: dict[str, int]
    dropped: Dropped
    new: frozenset[str]


def begin_waiting(held: HeldPool, by: By) -> Begun | None:
    """The approved version begins as the pool starts: the one before is over, broken units carried, what was
    in funds that are gone moved.

    Raises `RuleViolation` PP-23 (`not_approved`, `filing_differs`) without the AJ's valid approval, PP-29
    (`cap_below_meter`). None where none waits.
    """
    pool = held.pool
    waiting = pool.versions.filter(state=State.APPROVED).first()
    if waiting is None:
        return None
    waiting.pool = pool
    terms = scheme.read(waiting.params)
    waiting.filing = _approval(held, waiting, terms, by)
    old, left, new = pool.version, {}, new_levels(pool, terms)
    if old is not None:
        assert held.scheme is not None
        left = maths.remainders(held.scheme, held.offsets, pool.collected)
        _require_nothing_waits(held, terms)
        _require_kinds_kept(held, terms)
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
    dropped = dropping.empty(held, Kind.TRANSFER)
    for level in terms.levels:
        capping.require_within(held, level.code, f"levels.{level.code}.cap")
    return Begun(waiting, whole, dropped, new)


def _approval(held: HeldPool, waiting: PoolVersion, terms: Scheme, by: By) -> Filing:
    """The AJ's valid approval of exactly this version, with the funds it drops (PP-19, PP-23, PP-29)."""
    day = by.casino.gaming_day(by.occurred_at)
    exactly = {"digest": digest(waiting)}
    filing = filings.require_exactly(by.casino, asked.SCHEME, asked.about_version(waiting), day, exactly)
    known = dropping.codes(terms)
    emptied = {code for code, fund in held.funds.items() if fund.shown and code not in known}
    if not emptied <= set(filing.facts.get("dropped", [])):
        raise filings.differs(asked.SCHEME, [filing])
    return filing


def seed(held: HeldPool, begun: Begun) -> dict[str, int]:
    """What the house puts in so that each new level begins at its base, by level (PP-22); noted on the held
    pool."""
    assert held.scheme is not None
    put = bases_of(held.scheme, begun.new)
    for code, base in put.items():
        held.change(code, Kind.SEED, base=base)
    return put


def new_levels(pool: Pool, terms: Scheme) -> frozenset[str]:
    """The levels that begin with these parameters: those in force do not have them."""
    had = () if pool.version is None else scheme.read(pool.version.params).levels
    return frozenset(one.code for one in terms.levels) - {one.code for one in had}


def bases_of(terms: Scheme, new: frozenset[str]) -> dict[str, int]:
    """The bases the house puts into levels that begin, by level; one that comes back begins empty too."""
    return {one.code: one.base for one in terms.levels if one.code in new and one.base}


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
    value (PP-12, PP-30)."""
    assert held.scheme is not None
    pool = held.pool
    tables = pool.members.filter(during__endswith=None).values("table")
    live = TableSession.objects.filter(table__in=tables, state__in=TableSession.LIVE)
    left: Sequence[Bet | SeatCredits] = list(Bet.objects.filter(pool=pool, state=Bet.State.PLACED))
    if not left and terms.credit != held.scheme.credit:
        left = list(SeatCredits.objects.filter(session__in=live, amount__gt=0))
    if left:
        where = ", ".join(sorted(f"{one.session.table.name}/{one.seat}" for one in left))
        raise Conflict(
            Text(
                f"hay apuestas puestas, o créditos de otro valor, en {where}: juegue el pase o devuélvalos"
                " antes",
                f"bets are placed, or credits of another value, at {where}: play the round or return them"
                " first",
            ),
            code="bets_waiting",
            rule="PP-30",
        )


def _require_kinds_kept(held: HeldPool, terms: Scheme) -> None:
    """A fund that turned from level to reserve, or back, would mix what is shown and what is kept (PP-29)."""
    known = dropping.codes(terms)
    turned = [code for code, fund in held.funds.items() if code in known and known[code] is not fund.reserve]
    if turned:
        raise RuleViolation(
            "PP-29",
            Text(
                f"«{turned[0]}» era un fondo de otra clase (nivel o reserva): dé otro código al nuevo",
                f"“{turned[0]}” was a fund of another kind (level or reserve): give the new one another code",
            ),
            code="fund_of_another_kind",
            field="levels",
        )


def _department(by: By, earlier: list[VersionApproval], chosen: str) -> str:
    """The department somebody approves for: their own, or of several the one they say."""
    theirs = set(permissions.departments(by.actor)) - {one.department for one in earlier}
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
    if chosen not in theirs and (chosen or len(theirs) > 1):
        raise Refused(
            Text(
                "trabaja en varias áreas: elija por cuál aprueba, entre las que no lo aprobaron",
                "you work in several departments: choose for which you approve, of those that have not yet",
            ),
            code="department_missing",
            rule="PP-30",
            field="department",
        )
    return chosen or theirs.pop()


def _draft_filing(version: PoolVersion, terms: Scheme, by: By, reason: str) -> Filing:
    commission = f"{terms.commission_bp / 100:.2f}".replace(".", ",")
    text = (
        f"Se pide aprobar la comisión y los algoritmos del pozo «{version.pool.name}», versión"
        f" {version.number}: comisión {commission} % del total recaudado; lo que queda se reparte según los"
        f" parámetros adjuntos."
    )
    dropped = dropping.gone(version.pool, terms)
    if dropped:
        listed = ", ".join(f"«{code}»" for code in dropped)
        text += (
            f" Dejan de existir {listed}: lo que aportaron los jugadores pasa al nivel principal y la base"
            " vuelve a la casa."
        )
    text += f" Motivo: {reason}"
    return filings.drafted(
        kind=asked.SCHEME,
        subject=asked.about_version(version),
        text=text,
        by=by,
        facts={"params": version.params, "digest": digest(version), "dropped": dropped},
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
