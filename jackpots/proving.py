"""The nightly proof of a pool's gaming day: ledger = contributions recomputed from rounds = balance shown =
meter readings (PP-28).

    prove(pool, day, by)     adds up and compares (`jackpots.comparing`), then stores what came out

Adding up locks nothing; storing takes the pool's lock, so that two at once store one proof. The same facts
give the same digest and nothing new: no row, no event. What is new of what differs becomes a `Difference` and
one incident that somebody answers for; the day stays open until all of them are settled (REC-08).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from django.db.models import Max

from audits import days, incidents, trail
from audits.by import By
from audits.incident_facts import register_fact
from audits.models import Incident
from casino.kernel import permissions
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text, same
from casino.models import Casino, GamingDay
from jackpots import adding_up, comparing, policies, saying
from jackpots.comparing import CODES, Result
from jackpots.finding import Found
from jackpots.holding import hold_pool
from jackpots.models import Bet, Difference, Pool, Proof, VersionApproval

State = Proof.State
DIFFERENCE = incidents.register_kind(
    "pool_difference", Text("diferencia en un pozo", "difference in a pool"), rules=("PP-28",)
)
register_fact("pool_day", Text("día de juego", "gaming day"))
register_fact("responsible", Text("responde", "who answers"))
register_fact("differences", Text("diferencias", "differences"))
MOST_TOLD = 20
"""Differences listed in an incident; all of them are rows."""


def prove(*, pool: Pool, day: dt.date, by: By) -> Proof:
    """Prove a pool's gaming day and store it; safe twice and at once.

    Raises `NotAllowed`, `Refused` (`day_to_come`, `not_running_yet`).
    """
    permissions.require(by.actor, policies.PROVE)
    if day > by.casino.gaming_day(by.occurred_at):
        raise Refused(
            Text("ese día de juego no ha llegado", "that gaming day has not come"),
            code="day_to_come",
            field="day",
        )
    if not pool.versions.exclude(begun_at=None).exists():
        raise Refused(
            Text(f"{pool.name} nunca se puso en marcha", f"{pool.name} was never started"),
            code="not_running_yet",
            field="pool",
        )
    return record_proof(pool=pool, result=comparing.prove_day(pool.pk, day), by=by)


@command(policies.PROVE, silent_when="its facts are what they were when it was proved last")
def record_proof(*, pool: Pool, result: Result, by: By) -> Proof:
    """Store what a proof found, under the pool's lock. What has seen less of the pool than the stored one is
    left: somebody proved it again meanwhile."""
    held = hold_pool(pool.pk).pool
    stored = Proof.objects.filter(pool=held, day=result.day).first()
    if stored is not None and stored.seen > result.seen:
        return stored
    rows = {(r.code, r.place, r.expected, r.found): r for r in _differences(held, result.day)}
    new = [one for one in result.found if tuple(one.as_list()) not in rows]
    if new:
        incident = _raise(held, result.day, new, by)
        made = [_row(held, result.day, one, incident, by) for one in new]
        rows |= {(r.code, r.place, r.expected, r.found): r for r in Difference.objects.bulk_create(made)}
    state = _state([rows[one.code, one.place, one.expected, one.found] for one in result.found])
    same = stored is not None and (stored.digest, stored.state) == (result.digest, state)
    if stored is not None and same and not _stale(stored, held):
        return stored
    return _store(held, stored, result, state, list(rows.values()), by)


def _differences(pool: Pool, day: dt.date) -> list[Difference]:
    return list(Difference.objects.filter(pool=pool, day=day).select_related("incident"))


def _row(pool: Pool, day: dt.date, one: Found, incident: Incident, by: By) -> Difference:
    return Difference(
        casino_id=pool.casino_id,
        pool=pool,
        day=day,
        code=one.code,
        place=one.place,
        expected=one.expected,
        found=one.found,
        incident=incident,
        at=by.occurred_at,
    )


def _state(found: Iterable[Difference]) -> str:
    """Explained once every incident of what still differs is settled by two people."""
    open_ = [one.incident.state == Incident.State.OPEN for one in found]
    if not open_:
        return State.MATCHED
    return State.DIFFERENT if any(open_) else State.EXPLAINED


def _store(
    pool: Pool, stored: Proof | None, result: Result, state: str, rows: Sequence[Difference], by: By
) -> Proof:
    proof = stored or Proof(casino_id=pool.casino_id, pool=pool, day=result.day)
    proof.figures, proof.digest, proof.seen = result.figures, result.digest, result.seen
    proof.state, proof.at = state, by.occurred_at
    proof.event = trail.record(
        "jackpots.pool.proved",
        stream=pool.stream,
        subject=trail.Subject("pool", pool.pk, pool.name),
        by=by,
        data={
            "day": str(result.day),
            "state": state,
            "differences": len(result.found),
            "found": [one.as_list() for one in result.found],
            "known": [_known(row) for row in rows],
            "figures": result.figures,
            "digest": result.digest,
            "seen": result.seen,
        },
        rules=["PP-28"],
    )
    proof.save()
    return proof


def _known(row: Difference) -> list[object]:
    """A difference as the trail keeps it: row, what, where, due, found, incident."""
    return [row.pk, row.code, row.place, row.expected, row.found, row.incident_id]


# ---- incidents ---------------------------------------------------------------------------------------


def _raise(pool: Pool, day: dt.date, new: Sequence[Found], by: By) -> Incident:
    """One incident for all that a proof found anew."""
    words = [in_words(one, pool.casino.exponent) for one in new[:MOST_TOLD]]
    first, told = words[0], [one.as_dict() for one in words]
    return incidents.raise_incident(
        kind=DIFFERENCE,
        subject=trail.Subject("pool", pool.pk, pool.name),
        summary=Text(
            f"{pool.name}, {day}: {len(new)} diferencia(s) en la prueba; {first.es}",
            f"{pool.name}, {day}: {len(new)} difference(s) in the proof; {first.en}",
        ),
        rules=(),
        facts={
            "pool_day": str(day),
            "responsible": owner(pool),
            "differences": told,
        },
        by=by,
    )


def in_words(one: Found | Difference, exponent: int) -> Text:
    """A difference in a sentence: what, where, what it ought to be and is."""
    where, what = saying.place(one.code, one.place), CODES.get(one.code, same(one.code))
    due, there = (saying.figure(one.code, value, exponent) for value in (one.expected, one.found))
    return Text(
        f"{what.es}, {where.es}: debía ser {due.es}, es {there.es}",
        f"{what.en}, {where.en}: ought to be {due.en}, is {there.en}",
    )


def owner(pool: Pool) -> dict[str, object]:
    """Who answers for a pool's differences: who approved its version for compliance, else its author."""
    approvals = VersionApproval.objects.filter(version=pool.version).select_related("actor")
    found = approvals.filter(department="compliance").first()
    if found is not None:
        return found.actor.as_dict()
    assert pool.version is not None
    return pool.version.author.as_dict()


# ---- what holds a day --------------------------------------------------------------------------------


def concerned(casino: Casino, day: dt.date) -> list[Pool]:
    """The pools that a gaming day has to be proved of: running by its end, and not retired before it."""
    found: list[Pool] = []
    begun = Pool.objects.filter(casino=casino).exclude(version=None).select_related("casino", "version")
    for pool in begun.annotate(last=Max("moves__at")).order_by("pk"):
        since = min(v.begun_at for v in pool.versions.exclude(begun_at=None) if v.begun_at is not None)
        over = pool.state == Pool.State.RETIRED and (pool.last is None or casino.gaming_day(pool.last) < day)
        if casino.gaming_day(since) <= day and not (over and not _played(pool, day)):
            found.append(pool)
    return found


def _played(pool: Pool, day: dt.date) -> bool:
    return Bet.objects.filter(pool=pool, day=day).exists()


def holds_day(day: GamingDay) -> list[days.Holding]:
    """A pool not proved since it last moved, and differences nobody explained (REC-08, PP-28)."""
    holding = []
    for pool in concerned(day.casino, day.date):
        proof = Proof.objects.filter(pool=pool, day=day.date).first()
        unexplained = Difference.objects.filter(pool=pool, day=day.date, incident__state=Incident.State.OPEN)
        labels = sorted({one.incident.label for one in unexplained.select_related("incident")})
        if proof is None or _stale(proof, pool):
            words = Text(f"falta probar {pool.name}", f"{pool.name} is not proved yet")
            holding.append(days.Holding("pool_not_proved", words, "PP-28"))
        elif labels or proof.state == State.DIFFERENT:
            listed = ", ".join(labels)
            words = Text(
                f"{pool.name} no cuadra y nadie lo explicó: {listed}",
                f"{pool.name} does not match and nobody explained it: {listed}",
            )
            holding.append(days.Holding("pool_differs", words, "PP-28"))
    return holding


# What moved the pool on the day, as its own trail tells it: a round's day is its session's.
_MOVED_SINCE = """
SELECT EXISTS (
    SELECT FROM audits_event e JOIN audits_stream s ON s.id = e.stream_id,
    LATERAL (SELECT convert_from(e.body, 'UTF8')::jsonb -> 'data' AS data) t
    LEFT JOIN tables_tablesession n ON n.id = (t.data ->> 'session')::bigint
    LEFT JOIN casino_gamingday y ON y.id = n.day_id
    WHERE s.casino_id = %(casino)s AND s.name = %(stream)s AND e.seq > %(seen)s
        AND e.action = ANY (%(actions)s)
      AND coalesce(y.date, (e.occurred AT TIME ZONE %(zone)s - %(cutoff)s::interval)::date) = %(day)s
)
"""
MOVING = (
    "jackpots.pool.contributed",
    "jackpots.pool.uncontributed",
    "jackpots.pool.transferred",
    "jackpots.pool.received",
    "jackpots.pool.corrected",
    "jackpots.version.begun",
    "jackpots.prize.hit",
    "jackpots.prize.rejected",
    "jackpots.prize.paid",
    "jackpots.meter.read",
)
"""What changes the facts of a pool's day."""


def _stale(proof: Proof, pool: Pool) -> bool:
    """Whether something of the day happened to the pool that its proof has not seen."""
    values = {
        "casino": pool.casino_id,
        "stream": pool.stream,
        "day": proof.day,
        "seen": proof.seen,
        "actions": list(MOVING),
        "zone": pool.casino.zone,
        "cutoff": str(pool.casino.cutoff),
    }
    ((moved,),) = adding_up.rows(_MOVED_SINCE, values)
    return bool(moved)
