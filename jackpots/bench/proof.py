"""The nightly proof of a pool with ten million contributions, beside the bare SQL sums over the same rows.

The rows are made by SQL, as a pool's life would leave them: five bets a round, a transfer and its lines for
each round, a thousand gaming days; the last day is the one that is proved. The bare side is what nobody could
do without: one sum of the bets by version and day, one of the ledger's lines by account. Both take turns and
their medians are compared.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Sequence

from django.db import connection

from audits.by import By, by_system
from audits.models import Actor, Filing
from casino.bench.figures import Effort, Report, median, say
from casino.models import Casino
from jackpots import comparing, maths, scheme
from jackpots.models import Fund, Pool, PoolVersion
from tables.bench import floor
from tables.models import TableSession

BETS_A_SECOND, QUICK_BETS = 2_500_000, 20_000
"""`--seconds 4`, the default, is ten million."""
A_ROUND, DAYS = 5, 1_000
AMOUNT = 517
"""Smallest units of a bet: one that leaves broken units with every fund."""
PARAMS = {
    "commission_bp": 1_133,
    "levels": [{"code": "main", "share_bp": 8_017, "base": 100_000, "cap": None}],
    "reserves": [{"code": "reserve", "share_bp": 1_983}],
    "credit": AMOUNT,
    "least": 1,
    "most": 4,
}
AIM = 2.0


def figure(effort: Effort) -> Report:
    """Seconds of the proof and of the bare sums, and their ratio."""
    bets = QUICK_BETS if effort == Effort.quick() else round(effort.seconds * BETS_A_SECOND)
    say(f"making {bets:,} contributions")
    pool, day = filled(bets)
    result = comparing.prove_day(pool.pk, day)
    if result.found or result.figures["bets"] == 0:
        raise RuntimeError(f"the rows made do not match: {result.found[:5]}")
    ours: list[float] = []
    bare: list[float] = []
    for _ in range(effort.runs):
        bare.append(_timed(lambda: _bare(pool)))
        ours.append(_timed(lambda: comparing.prove_day(pool.pk, day)))
        say(f"bare {bare[-1]:.2f} s, proof {ours[-1]:.2f} s")
    ratio = median(ours) / median(bare)
    rows = [HEAD, (f"{bets:,}", f"{median(bare):.2f}", f"{median(ours):.2f}", f"{ratio:.2f}")]
    met = "reached" if ratio <= AIM else "not reached"
    runs = ", ".join(f"{o / b:.2f}" for o, b in zip(ours, bare, strict=True))
    return Report(
        "Nightly proof of a pool", rows, ["", f"Ratio of each run: {runs}. The aim is {AIM:.0f}: {met}."]
    )


HEAD = ("contributions", "bare sums s", "proof s", "ratio")


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _bare(pool: Pool) -> None:
    for query in (_BARE_BETS, _BARE_LINES):
        with connection.cursor() as cursor:
            cursor.execute(query, [pool.pk] if "%s" in query else [])
            cursor.fetchall()


_BARE_BETS = (
    "SELECT version_id, day, count(*), sum(amount) FROM jackpots_bet WHERE pool_id = %s GROUP BY 1, 2"
)
_BARE_LINES = "SELECT account_id, sum(debit - credit) FROM audits_posting GROUP BY account_id"


# ---- the rows ----------------------------------------------------------------------------------------


def filled(bets: int) -> tuple[Pool, dt.date]:
    """A pool with so many contributions and the last of its days."""
    house = floor.build(1, "pools")
    session = house.sessions[0]
    casino = session.casino
    by = by_system(casino, "bench")
    pool = _pool(casino, by)
    last = session.day.date
    rounds = bets // A_ROUND
    for statements in (_OFF, _rows(pool, session, by.actor, rounds, last), _ON):
        for statement in statements:
            with connection.cursor() as cursor:
                cursor.execute(statement)
    _funds(pool, rounds * A_ROUND)
    return pool, last


def _pool(casino: Casino, by: By) -> Pool:
    pool = Pool(casino=casino, name="Pozo", form="credits", state="running", bets=0)
    terms = scheme.read(PARAMS)
    pool._history_user, pool._change_reason = by.actor.user, "bench"  # type: ignore[attr-defined]
    pool.state = "draft"
    pool.save()
    filing = Filing.objects.create(
        casino=casino, year=2026, number=1, kind="pool_scheme", subject_type="pool_version", subject_id=1,
        subject_label="Pozo · 1", text="x", author=by.actor, drafted_at=by.occurred_at,
    )  # fmt: skip
    version = PoolVersion.objects.create(
        casino=casino, pool=pool, number=1, params=terms.to_json(), author=by.actor, reason="bench",
        drafted_at=by.occurred_at, state="in_force", begun_at=by.occurred_at, offsets={}, filing=filing,
    )  # fmt: skip
    Pool.objects.filter(pk=pool.pk).update(version=version, state="running")
    for code, reserve in (("main", False), ("reserve", True)):
        Fund.objects.create(casino=casino, pool=pool, code=code, reserve=reserve)
    return Pool.objects.get(pk=pool.pk)


def _funds(pool: Pool, bets: int) -> None:
    """What the pool's rows say: by the closed form."""
    total = bets * AMOUNT
    terms = scheme.read(PARAMS)
    for fund in Fund.objects.filter(pool=pool):
        fund.players = maths.posted(total, terms.numerators()[fund.code])
        fund.save()
    Pool.objects.filter(pk=pool.pk).update(collected=total, bets=bets)


_OFF = (
    "SET session_replication_role = replica",
    "SET synchronous_commit = off",
    "SET maintenance_work_mem = '256MB'",
)
_ON = (
    "SET session_replication_role = origin",
    "VACUUM ANALYZE audits_posting",
    "VACUUM ANALYZE audits_transfer",
    "VACUUM ANALYZE jackpots_bet",
)


def _rows(pool: Pool, session: TableSession, actor: Actor, rounds: int, last: dt.date) -> Sequence[str]:
    """Bets, transfers and lines, by SQL; the events they name need not exist for the sums."""
    version, terms = pool.version_id, scheme.read(PARAMS)
    casino, per_day = pool.casino_id, max(rounds // DAYS, 1)
    day = f"DATE '{last}' - ({rounds - 1} / {per_day} - (n - 1) / {per_day})::int"
    funds = terms.rates
    codes = {
        code: f"commission:{pool.pk}" if code == "commission" else f"pool:{pool.pk}:{code}"
        for code, _ in funds
    }
    accounts = [*codes.values(), f"pool:{pool.pk}:residue", f"credits:{session.pk}0"]
    after, before = f"(n * {A_ROUND * AMOUNT}::bigint)", f"((n - 1) * {A_ROUND * AMOUNT}::bigint)"
    parts = {code: f"({after} * {rate} / {maths.D} - {before} * {rate} / {maths.D})" for code, rate in funds}
    residue = f"{A_ROUND * AMOUNT} - " + " - ".join(parts.values())
    lines = ", ".join(
        [*(f"('{codes[code]}', {part})" for code, part in parts.items()), f"('{accounts[-2]}', {residue})",
         f"('{accounts[-1]}', {-A_ROUND * AMOUNT}::bigint)"]
    )  # fmt: skip
    made = ", ".join(f"({casino}, '{code}')" for code in accounts)
    return (
        f"INSERT INTO audits_account (casino_id, code) VALUES {made} ON CONFLICT DO NOTHING",  # noqa: S608
        f"""INSERT INTO jackpots_bet (casino_id, pool_id, session_id, number, seat, amount, state, placed_at,
                placed_event_id, noted_by_id, round_id, version_id, serial, total, day)
            SELECT {casino}, {pool.pk}, {session.pk},
                n, s, {AMOUNT}, 'counted', now(), n, {actor.pk}, n, {version},
                (n - 1) * {A_ROUND} + s, ((n - 1) * {A_ROUND} + s) * {AMOUNT}::bigint, {day}
            FROM generate_series(1, {rounds}) n, generate_series(1, {A_ROUND}) s""",  # noqa: S608
        f"""INSERT INTO audits_transfer (id, casino_id, event_id, kind, day, occurred, lines)
            OVERRIDING SYSTEM VALUE
            SELECT 1000000 + n, {casino}, n, 'round', {day}, now(), 5
                FROM generate_series(1, {rounds}) n""",  # noqa: S608
        f"""INSERT INTO audits_posting (casino_id, transfer_id, account_id, debit, credit, memo)
            SELECT {casino}, 1000000 + n, a.id, greatest(l.amount, 0), greatest(-l.amount, 0), 'contribution'
            FROM generate_series(1, {rounds}) n, LATERAL (VALUES {lines}) l (code, amount)
            JOIN audits_account a ON a.casino_id = {casino} AND a.code = l.code
                WHERE l.amount <> 0""",  # noqa: S608
    )
