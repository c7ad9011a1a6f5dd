"""The proofs of pools: each row as its events tell, in order of the pool's own trail.

Bets, prizes, credits, draws: `jackpots.bet_proofs`. Their money: `jackpots.money_proofs`.
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong, year_label
from casino.models import Casino
from jackpots import bet_proofs, money_proofs

_COLLECTING = told("jackpots.pool.contributed", "jackpots.pool.uncontributed", "jackpots.version.begun")
_LAST = "SELECT DISTINCT ON (subject_id) *"

_POOLS = f"""
WITH named AS MATERIALIZED ({_LAST} FROM {told("jackpots.pool.set")} t ORDER BY subject_id, seq DESC),
made AS MATERIALIZED (SELECT DISTINCT subject_id, stream FROM named),
moved AS MATERIALIZED ({_LAST} FROM {told("jackpots.pool.moved")} t ORDER BY subject_id, seq DESC),
begun AS MATERIALIZED ({_LAST} FROM {told("jackpots.version.begun")} t ORDER BY subject_id, seq DESC),
collecting AS MATERIALIZED ({_LAST} FROM {_COLLECTING} t ORDER BY subject_id, seq DESC),
counted AS MATERIALIZED ({_LAST} FROM {told("jackpots.pool.contributed")} t ORDER BY subject_id, seq DESC),
hit AS MATERIALIZED ({_LAST} FROM {told("jackpots.prize.hit")} t ORDER BY subject_id, seq DESC),
sent AS MATERIALIZED ({_LAST} FROM {told("jackpots.pool.transferred")} t ORDER BY subject_id, seq DESC)
SELECT 'pool:' || coalesce(o.id, n.subject_id) AS place, {
    wrong(
        event="n.id IS NOT NULL AND n.stream = 'pool:' || o.id",
        row="o.id IS NOT NULL",
        set="(n.data ->> 'name', n.data ->> 'form', (n.data ->> 'public')::boolean) = (o.name, o.form,"
        " o.public)",
        state="coalesce(m.data ->> 'after', 'draft') = o.state",
        version="(b.data ->> 'version_id')::bigint IS NOT DISTINCT FROM o.version_id",
        collected="CASE WHEN c.id IS NULL OR c.action = 'jackpots.version.begun' THEN 0"
        " ELSE (c.data ->> 'collected')::bigint END = o.collected",
        bets="coalesce((k.data -> 'bets' -> -1 ->> 2)::bigint, 0) = o.bets",
        prizes="coalesce((h.data ->> 'order')::bigint, 0) = o.prizes",
        incident="m.data ->> 'incident' IS NOT DISTINCT FROM "
        "(SELECT " + year_label("INC", "i") + " FROM audits_incident i WHERE i.id = o.incident_id)",
        retired_to="CASE WHEN o.state = 'retired' THEN (s.data ->> 'target_id')::bigint END"
        " IS NOT DISTINCT FROM o.retired_to_id",
    )
} AS wrong
FROM (SELECT * FROM jackpots_pool WHERE casino_id = %(casino)s) o FULL JOIN named n ON n.subject_id = o.id
LEFT JOIN moved m ON m.subject_id = o.id LEFT JOIN begun b ON b.subject_id = o.id
LEFT JOIN collecting c ON c.subject_id = o.id LEFT JOIN counted k ON k.subject_id = o.id
LEFT JOIN hit h ON h.subject_id = o.id LEFT JOIN sent s ON s.subject_id = o.id
"""  # noqa: S608

_FUNDS = f"""
WITH begun AS MATERIALIZED {told("jackpots.version.begun")},
named AS (
    SELECT DISTINCT b.subject_id AS pool_id, f.code, f.reserve
    FROM begun b JOIN jackpots_poolversion v ON v.id = (b.data ->> 'version_id')::bigint, LATERAL (
        SELECT l ->> 'code' AS code, false AS reserve FROM jsonb_array_elements(v.params -> 'levels') l
        UNION ALL SELECT r ->> 'code', true FROM jsonb_array_elements(v.params -> 'reserves') r) f
)
SELECT 'fund:' || coalesce(f.pool_id, n.pool_id) || ':' || coalesce(f.code, n.code) AS place,
       {wrong(event="n.code IS NOT NULL", row="f.id IS NOT NULL", reserve="f.reserve = n.reserve")} AS wrong
FROM (SELECT * FROM jackpots_fund WHERE casino_id = %(casino)s) f
FULL JOIN named n ON n.pool_id = f.pool_id AND n.code = f.code
"""  # noqa: S608

# What a version collected is what the pool had before the next one began.
_VERSIONS = f"""
WITH drafted AS MATERIALIZED (
    SELECT t.*, (t.data ->> 'version_id')::bigint AS version FROM {told("jackpots.version.drafted")} t
), begun AS MATERIALIZED (
    SELECT t.*, (t.data ->> 'version_id')::bigint AS version,
           lead(t.seq) OVER w AS next_seq, lead(t.occurred) OVER w AS next_at
    FROM {told("jackpots.version.begun")} t WINDOW w AS (PARTITION BY subject_id ORDER BY seq)
), withdrawn AS MATERIALIZED {told("jackpots.version.withdrawn")},
approved AS MATERIALIZED {told("jackpots.version.approved")},
collecting AS MATERIALIZED {_COLLECTING}
SELECT 'pool version:' || coalesce(v.id, d.version) AS place, {
    wrong(
        event="d.id IS NOT NULL AND d.stream = 'pool:' || v.pool_id",
        row="v.id IS NOT NULL",
        number="(d.data ->> 'version')::int = v.number",
        params="d.data -> 'params' = v.params",
        drafted="(d.actor_id, d.occurred, d.data ->> 'reason') = (v.author_id, v.drafted_at, v.reason)",
        state="v.state = CASE WHEN EXISTS (SELECT FROM withdrawn w WHERE (w.data ->> 'version_id')::bigint"
        " = v.id)"
        " THEN 'withdrawn' WHEN b.next_seq IS NOT NULL THEN 'over' WHEN b.id IS NOT NULL THEN 'in_force'"
        " WHEN (SELECT count(*) FROM approved a WHERE (a.data ->> 'version_id')::bigint = v.id) >= 2"
        " THEN 'approved' ELSE 'draft' END",
        begun="(b.data -> 'offsets', b.occurred) IS NOT DISTINCT FROM (v.offsets, v.begun_at)",
        filing="b.data ->> 'filing' IS NOT DISTINCT FROM "
        "(SELECT " + year_label("AJ", "f") + " FROM audits_filing f WHERE f.id = v.filing_id)",
        ended="b.next_at IS NOT DISTINCT FROM v.ended_at",
        collected="v.collected IS NOT DISTINCT FROM CASE WHEN b.next_seq IS NOT NULL THEN coalesce("
        "(SELECT CASE c.action WHEN 'jackpots.version.begun' THEN 0 ELSE (c.data ->> 'collected')::bigint END"
        " FROM collecting c WHERE c.subject_id = v.pool_id AND c.seq < b.next_seq ORDER BY c.seq DESC LIMIT"
        " 1), 0)"
        " END",
    )
} AS wrong
FROM (SELECT * FROM jackpots_poolversion WHERE casino_id = %(casino)s) v
FULL JOIN drafted d ON d.version = v.id LEFT JOIN begun b ON b.version = v.id
"""  # noqa: S608

_APPROVALS = f"""
WITH told AS MATERIALIZED {told("jackpots.version.approved")}
SELECT 'pool version:' || coalesce(a.version_id, (t.data ->> 'version_id')::bigint) || ' (approval '
       || coalesce(a.id::text, '-') || ')' AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="a.id IS NOT NULL",
        version="(t.data ->> 'version_id')::bigint = a.version_id",
        who="(t.actor_id, t.data ->> 'department') = (a.actor_id, a.department)",
        digest="t.data ->> 'digest' = a.digest",
        at="t.occurred = a.at",
    )
} AS wrong
FROM (SELECT * FROM jackpots_versionapproval WHERE casino_id = %(casino)s) a
    FULL JOIN told t ON t.id = a.event_id
"""  # noqa: S608

_MEMBERS = f"""
WITH linked AS MATERIALIZED (
    SELECT t.*, (t.data ->> 'table_id')::bigint AS table_id, (
        SELECT min(u.occurred) FROM {told("jackpots.table.unlinked")} u
        WHERE u.subject_id = t.subject_id AND u.seq > t.seq AND u.data -> 'table_id' = t.data -> 'table_id'
    ) AS until FROM {told("jackpots.table.linked")} t
)
SELECT 'pool:' || coalesce(p.pool_id, l.subject_id) || ' (table ' || coalesce(p.table_id, l.table_id)
    || ')' AS place, {
    wrong(
        event="l.id IS NOT NULL",
        row="p.id IS NOT NULL",
        until="l.until IS NOT DISTINCT FROM upper(p.during)",
    )
} AS wrong
FROM (SELECT * FROM jackpots_pooltable WHERE casino_id = %(casino)s) p
FULL JOIN linked l ON (l.subject_id, l.table_id, l.occurred) = (p.pool_id, p.table_id, lower(p.during))
"""  # noqa: S608

_MOVES = f"""
WITH told AS MATERIALIZED {
    told(
        "jackpots.version.begun",
        "jackpots.pool.contributed",
        "jackpots.pool.uncontributed",
        "jackpots.pool.transferred",
        "jackpots.pool.received",
        "jackpots.pool.corrected",
        "jackpots.prize.hit",
        "jackpots.prize.rejected",
    )
}, counted AS MATERIALIZED {told("jackpots.pool.contributed")}
SELECT 'pool:' || m.pool_id || ' (move ' || m.id || ')' AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'pool:' || m.pool_id AND f.pool_id = m.pool_id",
        kind="m.kind = ANY (CASE t.action WHEN 'jackpots.version.begun' THEN ARRAY['seed', 'transfer']"
        " WHEN 'jackpots.pool.contributed' THEN ARRAY['overflow'] WHEN 'jackpots.pool.uncontributed' THEN"
        " ARRAY['void', 'overflow']"
        " WHEN 'jackpots.pool.corrected' THEN ARRAY['correction'] WHEN 'jackpots.prize.hit' THEN"
        " ARRAY['prize', 'reseed']"
        " WHEN 'jackpots.prize.rejected' THEN ARRAY['rejected', 'overflow'] ELSE ARRAY['transfer'] END)",
        void="m.kind <> 'void' OR (t.data -> 'parts' ->> f.code)::bigint = m.players",
        over="m.kind <> 'overflow' OR t.action <> 'jackpots.pool.uncontributed'"
        " OR -(t.data -> 'over' ->> f.code)::bigint = m.players",
        spilt="m.kind <> 'overflow' OR t.action <> 'jackpots.prize.rejected' OR m.players > 0"
        " OR -(t.data -> 'over' ->> f.code)::bigint = m.players",
        correction="m.kind <> 'correction' OR (t.data ->> 'fund', (t.data ->> 'amount')::bigint, 0::bigint)"
        " = (f.code, m.players, m.base)",
        seed="m.kind <> 'seed' OR (t.data -> 'seeded' ->> f.code)::bigint = m.base",
        prize="m.kind <> 'prize' OR (m.players, m.base) = (CASE WHEN t.data ->> 'level' = f.code"
        " THEN (-(t.data -> 'from' ->> 'players')::bigint, -(t.data -> 'from' ->> 'base')::bigint)"
        " ELSE (-(t.data -> 'from' ->> 'reserve')::bigint, 0::bigint) END)",
        at="t.occurred = m.at",
        bets="m.bets = coalesce((SELECT (c.data -> 'bets' -> -1 ->> 2)::bigint FROM counted c"
        " WHERE c.stream = t.stream AND c.seq <= t.seq ORDER BY c.seq DESC LIMIT 1), 0)",
    )
} AS wrong
FROM jackpots_poolmove m LEFT JOIN told t ON t.id = m.event_id LEFT JOIN jackpots_fund f ON f.id = m.fund_id
WHERE m.casino_id = %(casino)s
"""  # noqa: S608

# A voided round took from each fund what its event says: none of the movements is missing.
_TAKEN = f"""
WITH told AS MATERIALIZED {told("jackpots.pool.uncontributed")}
SELECT 'event ' || t.id || ' (' || f.code || ')' AS place, {wrong(move="m.id IS NOT NULL")} AS wrong
FROM told t JOIN jackpots_fund f ON f.pool_id = t.subject_id AND f.casino_id = %(casino)s
LEFT JOIN jackpots_poolmove m ON m.fund_id = f.id AND m.kind = 'void' AND m.event_id = t.id
WHERE coalesce((t.data -> 'parts' ->> f.code)::bigint, 0) <> 0
"""  # noqa: S608

_READINGS = f"""
WITH told AS MATERIALIZED {told("jackpots.meter.read")}
SELECT 'reading:' || coalesce(r.id::text, 'event ' || t.id) AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.subject_id = r.pool_id",
        row="r.id IS NOT NULL",
        level="t.data ->> 'level' = r.level",
        amount="(t.data ->> 'amount')::bigint = r.amount",
        shown="((t.data ->> 'shown')::bigint, (t.data ->> 'bets')::bigint) = (r.shown, r.bets)",
        day="(t.data ->> 'day')::date = r.day",
        reason="coalesce(btrim(t.data ->> 'reason'), '') = r.reason",
        noted="(t.actor_id, t.occurred) = (r.noted_by_id, r.at)",
    )
} AS wrong
FROM (SELECT * FROM jackpots_meterreading WHERE casino_id = %(casino)s) r
    FULL JOIN told t ON t.id = r.event_id
"""  # noqa: S608

_PROOFS = f"""
WITH told AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id, data ->> 'day') * FROM {told("jackpots.pool.proved")} t
    ORDER BY subject_id, data ->> 'day', seq DESC
)
SELECT 'proof:' || coalesce(p.pool_id, t.subject_id) || ' (' || coalesce(p.day::text, t.data ->> 'day')
    || ')' AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.id = p.event_id",
        row="p.id IS NOT NULL",
        state="t.data ->> 'state' = p.state",
        figures="t.data -> 'figures' = p.figures",
        digest="t.data ->> 'digest' = p.digest",
        seen="(t.data ->> 'seen')::bigint = p.seen",
        at="t.occurred = p.at",
    )
} AS wrong
FROM (SELECT * FROM jackpots_proof WHERE casino_id = %(casino)s) p
FULL JOIN told t ON t.subject_id = p.pool_id AND (t.data ->> 'day')::date = p.day
"""  # noqa: S608

_DIFFERENCES = f"""
WITH told AS MATERIALIZED (
    SELECT DISTINCT ON (k ->> 0) t.*, k, (k ->> 0)::bigint AS difference
    FROM {
    told("jackpots.pool.proved")
} t, LATERAL jsonb_array_elements(t.data -> 'known') k ORDER BY k ->> 0, t.seq
)
SELECT 'difference:' || coalesce(d.id, t.difference) AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.subject_id = d.pool_id",
        row="d.id IS NOT NULL",
        day="(t.data ->> 'day')::date = d.day",
        what="(k ->> 1, k ->> 2, k ->> 3, k ->> 4) = (d.code, d.place, d.expected, d.found)",
        incident="(k ->> 5)::bigint = d.incident_id",
        at="t.occurred = d.at",
    )
} AS wrong
FROM (SELECT * FROM jackpots_difference WHERE casino_id = %(casino)s) d
    FULL JOIN told t ON t.difference = d.id
"""  # noqa: S608

QUERIES = (
    _POOLS, _FUNDS, _VERSIONS, _APPROVALS, _MEMBERS, _MOVES, _TAKEN, _READINGS, _PROOFS, _DIFFERENCES,
)  # fmt: skip


def told_faults(casino: Casino) -> Iterator[Fault]:
    """Pools, versions, tables, movements, readings, bets, prizes, draws that are not what the trail tells."""
    for query in QUERIES:
        yield from differing(query, casino)
    yield from bet_proofs.told_faults(casino)


money_faults = money_proofs.money_faults
