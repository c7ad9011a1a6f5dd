"""What the nightly proof adds up of one pool and gaming day: bets, movements, ledger, in aggregate SQL.

Every bet of the pool is summed by version, whose closed form (`jackpots.maths`) says what each fund was
given; bets of the day and after are divided one by one, so that figures stop at the end of the day however
far play has gone on. Reads one moment: no lock is held while it adds up.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction

from audits.models import Stream
from jackpots import maths, scheme
from jackpots.models import Fund, Pool, PoolVersion
from jackpots.scheme import COMMISSION, Scheme

RESIDUE, PENDING = "residue", "pending"
TODAY, LATER, WHOLE = "today", "later", "whole"

Amounts = Counter[str]

SIGNED = "CASE WHEN m.kind IN ('returned', 'expired') THEN -m.amount ELSE m.amount END"
"""A movement of credits `m`, as its position's meter counts it."""


@dataclass
class Sums:
    """Smallest units by place: a fund's code, `<code>:base`, commission, residue. `due`: what bets and
    movements come to; `ledger`: what was posted; each today, later than the day, and on the whole."""

    pool: Pool
    day: dt.date
    seen: int
    versions: Mapping[int, tuple[PoolVersion, Scheme]]
    funds: Mapping[str, Fund]
    due: dict[str, Amounts] = field(
        default_factory=lambda: {TODAY: Counter(), LATER: Counter(), WHOLE: Counter()}
    )
    ledger: dict[str, Amounts] = field(
        default_factory=lambda: {TODAY: Counter(), LATER: Counter(), WHOLE: Counter()}
    )
    moved: dict[str, Amounts] = field(default_factory=lambda: defaultdict(Counter))
    collected: dict[int, int] = field(default_factory=dict)
    collected_later: Counter[int] = field(default_factory=Counter)
    bets: dict[str, int] = field(default_factory=dict)
    chained: bool = True
    amount: int = 0
    prizes: int = 0
    prizes_posted: int = 0
    open_prizes: int = 0

    def offsets(self, version: int) -> maths.Offsets:
        return self.versions[version][0].offsets or {}


@contextmanager
def _of_one_moment() -> Any:
    """Statements that all see the same rows, where no transaction is under way already."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def one_moment() -> AbstractContextManager[None]:
    """Wrap what reads several times and must not see anything change meanwhile."""
    return _of_one_moment()


def add_up(pool_id: int, day: dt.date) -> Sums:
    """All sums of a pool as its gaming day ends."""
    pool = Pool.objects.select_related("casino", "version").get(pk=pool_id)
    stream = Stream.objects.filter(casino=pool.casino, name=pool.stream).first()
    begun = pool.versions.exclude(begun_at=None)
    versions = {one.pk: (one, scheme.read(one.params)) for one in begun}
    funds = {one.code: one for one in Fund.objects.filter(pool=pool).order_by("reserve", "pk")}
    sums = Sums(pool, day, stream.head_seq if stream else 0, versions, funds)
    _all_bets(sums)
    _divided(sums)
    _voided(sums)
    _moves(sums)
    _residue_out(sums)
    _ledger(sums)
    _prizes(sums)
    return sums


def rows(query: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, dict(values))
        return list(cursor.fetchall())


# ---- bets --------------------------------------------------------------------------------------------

_ALL_BETS = """
SELECT version_id, coalesce(sum(amount) FILTER (WHERE state = 'counted'), 0), count(*), max(serial)
FROM jackpots_bet WHERE pool_id = %(pool)s AND serial IS NOT NULL GROUP BY version_id
"""


def _all_bets(sums: Sums) -> None:
    """Every bet ever counted: by version, what it collected and so what each fund was given."""
    number = last = 0
    for version, amount, count, serial in rows(_ALL_BETS, {"pool": sums.pool.pk}):
        number, last = number + count, max(last, serial)
        sums.collected[version] = total = int(amount)
        if version not in sums.versions:
            continue
        terms, offsets = sums.versions[version][1], sums.offsets(version)
        parts = {code: maths.posted(total, rate, offsets.get(code, 0)) for code, rate in terms.rates}
        sums.due[WHOLE].update(parts)
        sums.due[WHOLE][RESIDUE] += total - sum(parts.values())
    sums.bets = {"count": number, "last": last}


def part_of(total: str, rate: str = "r.rate", off: str = "r.off") -> str:
    """What a fund was given once `total` is collected, as SQL on bigint that does not overflow."""
    d = maths.D
    return f"(({total}) / {d} * {rate} + ({off} + ({total}) %% {d} * {rate}) / {d})"


_DIVIDED = f"""
SELECT b.day = %(day)s, r.fund, sum({part_of("b.total")} - {part_of("b.total - b.amount")})
FROM jackpots_bet b
JOIN unnest(%(versions)s::bigint[], %(codes)s::text[], %(rates)s::bigint[], %(offs)s::bigint[])
     r (version, fund, rate, off) ON r.version = b.version_id
WHERE b.pool_id = %(pool)s AND b.day >= %(day)s AND b.serial IS NOT NULL GROUP BY 1, 2
"""  # noqa: S608
_COUNTED = """
SELECT day = %(day)s, version_id, sum(amount), coalesce(sum(amount) FILTER (WHERE state = 'counted'), 0),
       count(*), count(*) FILTER (WHERE state = 'void')
FROM jackpots_bet WHERE pool_id = %(pool)s AND day >= %(day)s AND serial IS NOT NULL GROUP BY 1, 2
"""


def _divided(sums: Sums) -> None:
    """Bets of the day and of later days, each divided by its own place in the order."""
    values = {"pool": sums.pool.pk, "day": sums.day, **rates_of(sums)}
    sums.bets |= {"today": 0, "void": 0, "later": 0}
    for today, version, amount, counted, number, void in rows(_COUNTED, values):
        when = TODAY if today else LATER
        sums.due[when][RESIDUE] += int(amount)
        sums.bets[when] += number
        if today:
            sums.amount += int(amount)
            sums.bets["void"] += void
        else:
            sums.collected_later[version] += int(counted)
    for today, fund, given in rows(_DIVIDED, values):
        when = TODAY if today else LATER
        sums.due[when][fund] += int(given)
        sums.due[when][RESIDUE] -= int(given)
    ((sums.chained,),) = rows(_CHAINED, values)


# Voids and days that overlap break it as well: then each bet is held against its round.
_CHAINED = """
SELECT NOT EXISTS (SELECT FROM (
    SELECT total - amount <> lag(total) OVER (PARTITION BY version_id ORDER BY serial) AS off
    FROM jackpots_bet WHERE pool_id = %(pool)s AND day = %(day)s AND serial IS NOT NULL) b WHERE b.off)
"""


def rates_of(sums: Sums) -> dict[str, list[Any]]:
    """Every version's funds with their numerators and offsets, as columns."""
    listed = [
        (pk, code, rate, int((version.offsets or {}).get(code, 0)))
        for pk, (version, terms) in sums.versions.items()
        for code, rate in terms.rates
    ]
    names = ("versions", "codes", "rates", "offs")
    return {name: [one[at] for one in listed] for at, name in enumerate(names)}


# The day of a round is its session's.
_VOIDED = """
SELECT y.date, (t.data ->> 'version')::bigint, (t.data ->> 'amount')::bigint, (t.data ->> 'collected')::bigint
FROM (SELECT convert_from(e.body, 'UTF8')::jsonb -> 'data' AS data FROM audits_event e
      JOIN audits_stream s ON s.id = e.stream_id
      WHERE s.casino_id = %(casino)s AND s.name = %(stream)s
        AND e.action = 'jackpots.pool.uncontributed') t
JOIN tables_tablesession n ON n.id = (t.data ->> 'session')::bigint
JOIN casino_gamingday y ON y.id = n.day_id WHERE y.date >= %(day)s
"""


def _voided(sums: Sums) -> None:
    """What voided rounds took back: on the whole it is in the closed form already."""
    for date, version, amount, after in rows(_VOIDED, _about(sums)):
        terms = sums.versions[version][1]
        split = maths.split(terms, sums.offsets(version), after + amount, -amount)
        when = TODAY if date == sums.day else LATER
        for code, part in split.parts.items():
            sums.due[when][code] += part
        sums.due[when][RESIDUE] += split.residue


def _about(sums: Sums) -> dict[str, Any]:
    pool = sums.pool
    return {
        "casino": pool.casino_id,
        "pool": pool.pk,
        "stream": pool.stream,
        "day": sums.day,
        "zone": pool.casino.zone,
        "cutoff": str(pool.casino.cutoff),
    }


# ---- movements ---------------------------------------------------------------------------------------

# What another pool sent is posted under that pool's event: its day is the instant's.
_MOVES = """
SELECT coalesce(t.day, (m.at AT TIME ZONE %(zone)s - %(cutoff)s::interval)::date) AS day, f.code, m.kind,
       e.action, sum(m.players), sum(m.base)
FROM jackpots_poolmove m JOIN jackpots_fund f ON f.id = m.fund_id JOIN audits_event e ON e.id = m.event_id
LEFT JOIN LATERAL (SELECT min(t.day) AS day FROM audits_transfer t WHERE t.event_id = m.event_id) t ON true
WHERE m.pool_id = %(pool)s AND m.kind <> 'void' GROUP BY 1, 2, 3, 4
"""


def _moves(sums: Sums) -> None:
    for day, code, kind, action, players, base in rows(_MOVES, _about(sums)):
        for place, amount in ((code, int(players)), (f"{code}:base", int(base))):
            for when in _when(day, sums.day):
                sums.due[when][place] += amount
                if action == "jackpots.version.begun" and kind == "transfer" and place == code:
                    sums.due[when][RESIDUE] -= amount
            if day == sums.day and amount:
                sums.moved[place][kind] += amount


def _when(day: dt.date, asked: dt.date) -> tuple[str, ...]:
    return (WHOLE, TODAY) if day == asked else (WHOLE, LATER) if day > asked else (WHOLE,)


_TRANSFERRED = """
SELECT (e.occurred AT TIME ZONE %(zone)s - %(cutoff)s::interval)::date AS day,
       (t.data ->> 'amount')::bigint
       - coalesce((SELECT sum(value::bigint) FROM jsonb_each_text(t.data -> 'funds')), 0)
FROM audits_event e JOIN audits_stream s ON s.id = e.stream_id,
LATERAL (SELECT convert_from(e.body, 'UTF8')::jsonb -> 'data' AS data) t
WHERE s.casino_id = %(casino)s AND s.name = %(stream)s AND e.action = 'jackpots.pool.transferred'
"""


def _residue_out(sums: Sums) -> None:
    """A retired pool's residue goes with its balance."""
    for day, amount in rows(_TRANSFERRED, _about(sums)):
        for when in _when(day, sums.day):
            sums.due[when][RESIDUE] -= int(amount)


# ---- the ledger --------------------------------------------------------------------------------------

_BALANCES = """
SELECT a.code, s.amount FROM audits_account a
JOIN (SELECT account_id, sum(debit - credit) AS amount FROM audits_posting
      WHERE account_id = ANY (%(accounts)s) GROUP BY account_id) s ON s.account_id = a.id
"""
_SINCE = """
SELECT a.code, t.day = %(day)s, sum(p.debit - p.credit),
       coalesce(sum(p.debit) FILTER (WHERE t.kind = 'prize'), 0)
FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id
    JOIN audits_account a ON a.id = p.account_id
WHERE t.casino_id = %(casino)s AND t.day >= %(day)s AND p.account_id = ANY (%(accounts)s) GROUP BY 1, 2
"""
_ACCOUNTS = "SELECT id FROM audits_account WHERE casino_id = %(casino)s AND code = ANY (%(names)s)"


def places(pool: Pool, funds: Mapping[str, Fund]) -> dict[str, str]:
    """The ledger's account of each place, by account code."""
    found = {pool.commission_account: COMMISSION}
    found |= {pool.account(name): name for name in (RESIDUE, PENDING)}
    for code in funds:
        found |= {pool.account(code): code, pool.account(code, "base"): f"{code}:base"}
    return found


def _ledger(sums: Sums) -> None:
    named = places(sums.pool, sums.funds)
    values = {**_about(sums), "names": list(named)}
    values["accounts"] = [pk for (pk,) in rows(_ACCOUNTS, values)]
    for code, amount in rows(_BALANCES, values):
        sums.ledger[WHOLE][named[code]] += int(amount)
    for code, today, amount, prizes in rows(_SINCE, values):
        sums.ledger[TODAY if today else LATER][named[code]] += int(amount)
        if today and named[code] == PENDING:
            sums.prizes_posted = int(prizes)


_PRIZES = """
SELECT coalesce(sum(p.amount) FILTER (WHERE y.date = %(day)s), 0),
       coalesce(sum(p.amount) FILTER (WHERE p.state IN ('pending', 'verified')), 0)
FROM jackpots_prize p JOIN tables_tablesession n ON n.id = p.session_id
JOIN casino_gamingday y ON y.id = n.day_id WHERE p.pool_id = %(pool)s
"""


def _prizes(sums: Sums) -> None:
    ((today, waiting),) = rows(_PRIZES, _about(sums))
    sums.prizes, sums.open_prizes = int(today), int(waiting)
