"""The money of pools, line by line: what bets, movements, prizes and credits say was moved, and what was.

given to a fund = (offset + collected * numerator) // D, once for each bet, by the parameters of its version
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino
from jackpots import credit_proofs
from jackpots.maths import D
from jackpots.proof_lines import compared, lines

# The numerator over D and the offset of each fund of each version.
_RATES = """
rate AS MATERIALIZED (
    SELECT v.id AS version, v.pool_id, r.fund, r.rate, coalesce((v.offsets ->> r.fund)::bigint, 0) AS off,
           CASE r.fund WHEN 'commission' THEN 'commission:' || v.pool_id
                ELSE 'pool:' || v.pool_id || ':' || r.fund END AS code
    FROM jackpots_poolversion v, LATERAL (
        SELECT 'commission' AS fund, (v.params ->> 'commission_bp')::bigint * 10000 AS rate
        UNION ALL
        SELECT f ->> 'code', (10000 - (v.params ->> 'commission_bp')::bigint) * (f ->> 'share_bp')::bigint
        FROM jsonb_array_elements((v.params -> 'levels') || (v.params -> 'reserves')) f
    ) r WHERE v.casino_id = %(casino)s AND v.begun_at IS NOT NULL
)"""


def _posted(total: str) -> str:
    """What a fund was given once `total` is collected, as SQL that does not overflow."""
    return f"(({total}) / {D} * r.rate + (r.off + ({total}) %% {D} * r.rate) / {D})"


# What each round's bets bring to each account, and come out of: by the round.
_BROUGHT = f"""
part AS MATERIALIZED (
    SELECT b.round_id, b.pool_id, r.code,
           sum({_posted("b.total")} - {_posted("b.total - b.amount")}) AS amount
    FROM jackpots_bet b JOIN rate r ON r.version = b.version_id
    WHERE b.casino_id = %(casino)s AND b.serial IS NOT NULL GROUP BY 1, 2, 3
), brought AS MATERIALIZED (
    SELECT round_id, code, amount FROM part
    UNION ALL
    SELECT b.round_id, 'pool:' || b.pool_id || ':residue',
           sum(b.amount) - (SELECT sum(p.amount) FROM part p
                            WHERE p.round_id = b.round_id AND p.pool_id = b.pool_id)
    FROM jackpots_bet b WHERE b.casino_id = %(casino)s AND b.serial IS NOT NULL GROUP BY b.round_id, b.pool_id
    UNION ALL
    SELECT b.round_id, 'credits:' || b.session_id, -sum(b.amount)
    FROM jackpots_bet b JOIN jackpots_pool o ON o.id = b.pool_id AND o.form = 'credits'
    WHERE b.casino_id = %(casino)s AND b.serial IS NOT NULL GROUP BY 1, b.session_id
)"""  # noqa: S608


_OWN = "'pool', 'commission', 'house', 'credits'"
_ROUNDS = f"""
WITH {_RATES}, {_BROUGHT}, due AS (
    SELECT x.event_id, b.code, b.amount FROM brought b JOIN tables_round x ON x.id = b.round_id
    UNION ALL
    SELECT x.void_event_id, b.code, -b.amount FROM brought b JOIN tables_round x ON x.id = b.round_id
    WHERE x.void_event_id IS NOT NULL
), {lines("'round', 'round_void'", _OWN)}
{compared("bets")}
"""  # noqa: S608

# A voided round's parts, by the closed form as the pool then stood; what the plain reversal took is evened.
_TOLD_VOIDS = f"""
voided AS MATERIALIZED (
    SELECT t.id AS event_id, (t.data ->> 'round_id')::bigint AS round_id,
           (t.data ->> 'version')::bigint AS version,
           (t.data ->> 'amount')::bigint AS amount, (t.data ->> 'collected')::bigint AS after
    FROM {told("jackpots.pool.uncontributed")} t
), taken AS MATERIALIZED (
    SELECT v.event_id, v.round_id, r.pool_id, r.fund, r.code,
           {_posted("v.after")} - {_posted("v.after + v.amount")} AS amount
    FROM voided v JOIN rate r ON r.version = v.version
)"""  # noqa: S608
_VOIDS = f"""
WITH {_RATES}, {_BROUGHT}, {_TOLD_VOIDS}, evened AS (
    SELECT k.event_id, k.pool_id, k.code, k.amount + coalesce(b.amount, 0) AS amount
    FROM taken k LEFT JOIN brought b ON b.round_id = k.round_id AND b.code = k.code
), due AS (
    SELECT event_id, code, amount FROM evened
    UNION ALL SELECT event_id, 'pool:' || pool_id || ':residue', -amount FROM evened
    UNION ALL
    SELECT m.event_id, 'pool:' || m.pool_id || ':' || f.code, m.players FROM jackpots_poolmove m
    JOIN voided v ON v.event_id = m.event_id JOIN jackpots_fund f ON f.id = m.fund_id
    WHERE m.kind = 'overflow'
), line AS (
    SELECT t.event_id, a.code, sum(p.debit - p.credit) AS amount
    FROM audits_transfer t JOIN voided v ON v.event_id = t.event_id
    JOIN audits_posting p ON p.transfer_id = t.id JOIN audits_account a ON a.id = p.account_id
    WHERE t.casino_id = %(casino)s AND t.kind = 'pool' GROUP BY 1, 2
)
{compared("voided")}
"""  # noqa: S608

# Every other movement of a fund: its event's transfer, or the sender's where it came from another pool.
_MOVES = f"""
WITH received AS MATERIALIZED (
    SELECT t.id, e.id AS sent FROM {told("jackpots.pool.received")} t
    JOIN audits_stream s ON s.casino_id = %(casino)s AND s.name = t.data -> 'named' ->> 'stream'
    JOIN audits_event e ON e.stream_id = s.id AND e.seq = (t.data -> 'named' ->> 'seq')::bigint
), voided AS MATERIALIZED {told("jackpots.pool.uncontributed")},
moved AS (
    SELECT coalesce(r.sent, m.event_id) AS event_id, m.pool_id, f.code, m.players, m.base
    FROM jackpots_poolmove m JOIN jackpots_fund f ON f.id = m.fund_id
    LEFT JOIN received r ON r.id = m.event_id
    WHERE m.casino_id = %(casino)s AND m.event_id NOT IN (SELECT id FROM voided)
), due AS (
    SELECT event_id, 'pool:' || pool_id || ':' || code AS code, players AS amount FROM moved
    UNION ALL
    SELECT event_id, CASE code WHEN 'main' THEN 'pool:' || pool_id || ':base'
                     ELSE 'pool:' || pool_id || ':' || code || ':base' END, base FROM moved
), line AS (
    SELECT t.event_id, a.code, sum(p.debit - p.credit) AS amount
    FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id
    JOIN audits_account a ON a.id = p.account_id
    WHERE t.casino_id = %(casino)s AND t.kind IN ('pool', 'prize', 'prize_paid')
      AND a.code LIKE 'pool:%%' AND a.code NOT LIKE '%%:residue' AND a.code NOT LIKE '%%:pending'
      AND t.event_id NOT IN (SELECT id FROM voided) GROUP BY 1, 2
)
{compared("moves")}
"""  # noqa: S608

_PRIZES = f"""
WITH rejected AS MATERIALIZED {told("jackpots.prize.rejected")},
paid AS MATERIALIZED {told("jackpots.prize.paid")},
step AS (
    SELECT p.*, p.hit_event_id AS event_id, 1 AS sign FROM jackpots_prize p WHERE p.casino_id = %(casino)s
    UNION ALL
    SELECT p.*, r.id, -1 FROM jackpots_prize p JOIN rejected r ON r.subject_id = p.id
    WHERE p.casino_id = %(casino)s
), due AS (
    SELECT event_id, 'pool:' || pool_id || ':pending' AS code, sign * amount AS amount FROM step
    UNION ALL
    SELECT event_id, 'house:' || pool_id, -sign * (house + reseed_house) FROM step
    UNION ALL
    SELECT r.id, 'house:' || p.pool_id, -(r.data -> 'kept' ->> 'house')::bigint
    FROM jackpots_prize p JOIN rejected r ON r.subject_id = p.id WHERE p.casino_id = %(casino)s
    UNION ALL
    SELECT r.id, 'house:' || p.pool_id, (d.value ->> 'base')::bigint
    FROM jackpots_prize p JOIN rejected r ON r.subject_id = p.id, jsonb_each(r.data -> 'dropped') d
    WHERE p.casino_id = %(casino)s
    UNION ALL
    SELECT y.id, a.code || p.pool_id || a.rest, a.sign * p.amount
    FROM jackpots_prize p JOIN paid y ON y.subject_id = p.id,
    (VALUES ('pool:', ':pending', -1), ('house:', '', 1)) a (code, rest, sign)
    WHERE p.casino_id = %(casino)s AND p.state = 'paid'
), line AS (
    SELECT t.event_id, a.code, sum(p.debit - p.credit) AS amount
    FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id
    JOIN audits_account a ON a.id = p.account_id
    WHERE t.casino_id = %(casino)s AND t.kind IN ('prize', 'prize_paid')
      AND (a.code LIKE '%%:pending' OR a.code LIKE 'house:%%') GROUP BY 1, 2
)
{compared("prizes")}
"""  # noqa: S608

# Seeds, reseeds and the residue have the rest of what kind 'pool' moves.
_BEGUN = f"""
WITH begun AS MATERIALIZED {told("jackpots.version.begun")},
sent AS MATERIALIZED {told("jackpots.pool.transferred")},
corrected AS MATERIALIZED {told("jackpots.pool.corrected")},
due AS (
    SELECT b.id AS event_id, 'house:' || b.subject_id AS code, -s.value::bigint AS amount
    FROM begun b, jsonb_each_text(b.data -> 'seeded') s
    UNION ALL
    SELECT b.id, 'pool:' || b.subject_id || ':residue', -s.value::bigint
    FROM begun b, jsonb_each_text(b.data -> 'released') s
    UNION ALL
    SELECT t.id, 'pool:' || t.subject_id || ':residue', -((t.data ->> 'amount')::bigint
           - coalesce((SELECT sum(value::bigint) FROM jsonb_each_text(t.data -> 'funds')), 0)) FROM sent t
    UNION ALL
    SELECT m.event_id, 'house:' || m.pool_id, -m.base FROM jackpots_poolmove m
        JOIN (SELECT id FROM sent UNION ALL SELECT id FROM begun) t ON t.id = m.event_id
        WHERE m.kind = 'transfer'
    UNION ALL
    SELECT t.id, 'plan:' || t.subject_id, (t.data ->> 'amount')::bigint FROM sent t
        WHERE t.data ->> 'target_id' IS NULL
    UNION ALL
    SELECT t.id, 'house:' || t.subject_id, -(t.data ->> 'amount')::bigint FROM corrected t
), line AS (
    SELECT t.event_id, a.code, sum(p.debit - p.credit) AS amount
    FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id
    JOIN audits_account a ON a.id = p.account_id
    JOIN audits_event e ON e.id = t.event_id AND e.action <> 'jackpots.pool.uncontributed'
    WHERE t.casino_id = %(casino)s AND t.kind = 'pool'
      AND (a.code LIKE '%%:residue' OR a.code LIKE '%%:pending' OR a.code NOT LIKE 'pool:%%') GROUP BY 1, 2
)
{compared("house")}
"""  # noqa: S608

_KINDS = {
    "pool": ("jackpots.pool.contributed", "jackpots.pool.uncontributed", "jackpots.version.begun",
             "jackpots.pool.transferred", "jackpots.pool.corrected"),
    "pool_credits": credit_proofs.ACTIONS,
    "prize": ("jackpots.prize.hit", "jackpots.prize.rejected"),
    "prize_paid": ("jackpots.prize.paid",),
}  # fmt: skip
"""Which event may cause a transfer of each kind of ours."""
_MAY = " OR ".join(
    f"(t.kind = '{kind}' AND e.action IN ({', '.join(repr(a) for a in actions)}))"
    for kind, actions in _KINDS.items()
)
# Of a round the day is its session's; of anything else its instant's.
_CAUSES = f"""
SELECT 'transfer ' || t.id AS place, {
    wrong(
        event=_MAY,
        day="t.day = coalesce(y.date, (e.occurred AT TIME ZONE c.zone - c.cutoff)::date)",
    )
} AS wrong
FROM audits_transfer t JOIN audits_event e ON e.id = t.event_id JOIN audits_stream s ON s.id = e.stream_id
JOIN casino_casino c ON c.id = t.casino_id
LEFT JOIN tables_tablesession n ON n.casino_id = t.casino_id AND (s.name = 'session:' || n.id
    OR e.action IN ('jackpots.prize.hit', 'jackpots.pool.contributed', 'jackpots.pool.uncontributed')
    AND n.id = (convert_from(e.body, 'UTF8')::jsonb -> 'data' ->> 'session')::bigint)
LEFT JOIN casino_gamingday y ON y.id = n.day_id
WHERE t.casino_id = %(casino)s AND t.kind IN ('pool', 'pool_credits', 'prize', 'prize_paid')
"""  # noqa: S608
_FOREIGN = f"""
SELECT 'transfer ' || t.id || ' (' || a.code || ')' AS place, {
    wrong(kind="t.kind IN ('round', 'round_void', 'pool', 'pool_credits', 'prize', 'prize_paid')")
} AS wrong
FROM audits_account a JOIN audits_posting p ON p.account_id = a.id
    JOIN audits_transfer t ON t.id = p.transfer_id
WHERE a.casino_id = %(casino)s
  AND split_part(a.code, ':', 1) IN ('pool', 'commission', 'credits', 'chips', 'plan')
"""  # noqa: S608

# ---- balances ----------------------------------------------------------------------------------------

_FUNDS = f"""
WITH held AS MATERIALIZED (
    SELECT a.code, sum(p.debit - p.credit) AS amount FROM audits_account a
    JOIN audits_posting p ON p.account_id = a.id
    WHERE a.casino_id = %(casino)s AND a.code LIKE 'pool:%%' GROUP BY 1
), moved AS (
    SELECT fund_id, sum(base) AS base FROM jackpots_poolmove WHERE casino_id = %(casino)s GROUP BY 1
), last AS (
    SELECT DISTINCT ON (fund_id) *
        FROM jackpots_poolmove WHERE casino_id = %(casino)s ORDER BY fund_id, id DESC
)
SELECT 'fund:' || coalesce(f.pool_id || ':' || f.code, h.code) AS place, {
    wrong(
        players="f.players = coalesce(h.amount, 0)",
        base="f.base = coalesce(b.amount, 0) AND f.base = coalesce(m.base, 0)",
        last_move="f.last_move_id IS NOT DISTINCT FROM l.id",
        after="l.id IS NULL OR l.after_base = f.base",
    )
} AS wrong
FROM (SELECT * FROM jackpots_fund WHERE casino_id = %(casino)s) f
LEFT JOIN held h ON h.code = 'pool:' || f.pool_id || ':' || f.code
LEFT JOIN held b ON b.code = 'pool:' || f.pool_id || CASE f.code WHEN 'main' THEN '' ELSE ':'
    || f.code END || ':base'
LEFT JOIN moved m ON m.fund_id = f.id LEFT JOIN last l ON l.fund_id = f.id
"""  # noqa: S608

_WAITING = f"""
SELECT 'pool:' || o.id || ' (pending)' AS place, {
    wrong(
        pending="coalesce((SELECT sum(p.debit - p.credit) FROM audits_account a JOIN audits_posting p"
        " ON p.account_id = a.id WHERE a.casino_id = o.casino_id AND a.code = 'pool:' || o.id ||"
        " ':pending'), 0)"
        " = coalesce((SELECT sum(z.amount) FROM jackpots_prize z WHERE z.pool_id = o.id"
        " AND z.state IN ('pending', 'verified')), 0)",
        prizes="o.prizes = (SELECT count(*) FROM jackpots_prize z WHERE z.pool_id = o.id)",
        order="o.prizes = coalesce((SELECT max(z.order) FROM jackpots_prize z WHERE z.pool_id = o.id), 0)",
    )
} AS wrong
FROM jackpots_pool o WHERE o.casino_id = %(casino)s
"""  # noqa: S608

# What a movement left its fund with: all that was given by then, and all movements up to it.
_AFTER = f"""
WITH {_RATES}, collecting AS MATERIALIZED (
    SELECT t.subject_id AS pool_id, t.seq,
           coalesce((t.data ->> 'version_id')::bigint, (t.data ->> 'version')::bigint) AS version,
           CASE t.action WHEN 'jackpots.version.begun'
               THEN 0 ELSE (t.data ->> 'collected')::bigint END AS collected
    FROM {told("jackpots.pool.contributed", "jackpots.pool.uncontributed", "jackpots.version.begun")} t
), move AS (
    SELECT m.*, f.code, e.seq, sum(CASE m.kind WHEN 'void' THEN 0 ELSE m.players END)
           OVER (PARTITION BY m.fund_id ORDER BY m.id) AS moved
    FROM jackpots_poolmove m JOIN jackpots_fund f ON f.id = m.fund_id JOIN audits_event e ON e.id = m.event_id
    WHERE m.casino_id = %(casino)s
)
SELECT 'pool:' || m.pool_id || ' (move ' || m.id || ')' AS place, {
    wrong(
        after_players="m.after_players = m.moved + coalesce((SELECT sum("
        + _posted("CASE WHEN v.number < w.number THEN v.collected ELSE c.collected END")
        + ") FROM jackpots_poolversion v JOIN rate r ON r.version = v.id AND r.fund = m.code"
        " WHERE v.pool_id = m.pool_id AND v.number <= w.number), 0)"
    )
} AS wrong
FROM move m LEFT JOIN LATERAL (
    SELECT * FROM collecting c WHERE c.pool_id = m.pool_id AND c.seq <= m.seq ORDER BY c.seq DESC LIMIT 1
) c ON true LEFT JOIN jackpots_poolversion w ON w.id = c.version
"""  # noqa: S608

_AFTER_BASE = f"""
SELECT 'pool:' || m.pool_id || ' (move ' || m.id || ')'
    AS place, {wrong(after_base="m.after_base = m.held")} AS wrong
FROM (SELECT *, sum(base) OVER (PARTITION BY fund_id ORDER BY id) AS held
      FROM jackpots_poolmove WHERE casino_id = %(casino)s) m
"""  # noqa: S608

QUERIES = (
    _ROUNDS, _VOIDS, _MOVES, _AFTER, _AFTER_BASE, _PRIZES, _BEGUN, _CAUSES, _FOREIGN, _FUNDS, _WAITING,
    *credit_proofs.QUERIES,
)  # fmt: skip


def money_faults(casino: Casino) -> Iterator[Fault]:
    """Pools, prizes, credits whose money is not posted as their rows say."""
    for query in QUERIES:
        yield from differing(query, casino, "money_differs")
