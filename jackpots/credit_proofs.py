"""Credits and chips of the progressive: what movements and slots say came in, and what was posted of it."""

from __future__ import annotations

from audits.verify import told, wrong
from jackpots.adding_up import SIGNED
from jackpots.proof_lines import compared, lines

ACTIONS = (
    "jackpots.credits.bought",
    "jackpots.credits.returned",
    "jackpots.credits.promoted",
    "jackpots.credits.expired",
)
_IN_TRAY = "CASE m.kind WHEN 'returned' THEN -1 ELSE 1 END * coalesce((t.data ->> 'in_tray')::bigint, 0)"
# What events say came into the tray, or went out of it; those of before it was expected there say nothing.
_CREDITS = f"""
WITH told AS MATERIALIZED {told(*ACTIONS)},
due AS (
    SELECT m.event_id, a.code, a.amount
    FROM jackpots_creditmove m JOIN told t ON t.id = m.event_id,
    LATERAL (SELECT m.kind IN ('bought', 'returned') AS paid, {SIGNED} AS credits,
             {_IN_TRAY} AS chips
    ) k, LATERAL (
        VALUES ('credits:' || m.session_id, k.credits),
               ('players:' || m.session_id, CASE WHEN k.paid THEN -k.credits ELSE 0 END),
               ('tray:' || m.session_id, k.chips), ('chips:' || m.session_id, -k.chips),
               ('house:' || (t.data ->> 'pool'), CASE WHEN k.paid THEN 0 ELSE -k.credits END)
    ) a (code, amount) WHERE m.casino_id = %(casino)s AND a.amount <> 0
), {lines("'pool_credits'", "'credits', 'players', 'house', 'pool', 'commission', 'tray', 'chips'")}
{compared("credits")}
"""  # noqa: S608

# Chips that came in for a pool: a slot's with the round they were bet in, and all of them on their session.
_SLOTTED = """
slotted AS MATERIALIZED (
    SELECT x.session_id, x.event_id, x.void_event_id, e.chips FROM tables_round x, LATERAL (
        SELECT (convert_from(e.body, 'UTF8')::jsonb -> 'data' -> 'pool' ->> 'chips')::bigint AS chips
        FROM audits_event e WHERE e.id = x.event_id
    ) e WHERE x.id IN (SELECT b.round_id FROM jackpots_bet b JOIN jackpots_pool o ON o.id = b.pool_id
                       WHERE b.casino_id = %(casino)s AND o.form = 'chips') AND e.chips IS NOT NULL
)"""
_SLOTS = f"""
WITH {_SLOTTED}, due AS (
    SELECT event_id, a.code || session_id AS code, a.sign * chips AS amount
    FROM slotted, (VALUES ('tray:', 1), ('chips:', -1)) a (code, sign)
    UNION ALL
    SELECT void_event_id, a.code || session_id, a.sign * chips
    FROM slotted, (VALUES ('tray:', -1), ('chips:', 1)) a (code, sign) WHERE void_event_id IS NOT NULL
), line AS (
    SELECT t.event_id, a.code, sum(p.debit - p.credit) AS amount
    FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id
    JOIN audits_account a ON a.id = p.account_id
    WHERE t.casino_id = %(casino)s AND t.kind IN ('round', 'round_void')
      AND (p.memo = 'progressive' AND a.code LIKE 'tray:%%' OR a.code LIKE 'chips:%%') GROUP BY 1, 2
)
{compared("chips")}
"""  # noqa: S608
_CHIPS = f"""
WITH {_SLOTTED}, told AS MATERIALIZED {told("jackpots.credits.bought", "jackpots.credits.returned")},
came AS (
    SELECT m.session_id, {_IN_TRAY} AS amount
    FROM jackpots_creditmove m JOIN told t ON t.id = m.event_id WHERE m.casino_id = %(casino)s
    UNION ALL
    SELECT session_id, chips FROM slotted WHERE void_event_id IS NULL
)
SELECT 'session:' || s.id AS place, {wrong(progressive="s.progressive = coalesce(c.amount, 0)")} AS wrong
FROM tables_tablesession s
LEFT JOIN (SELECT session_id, sum(amount) AS amount FROM came GROUP BY 1) c ON c.session_id = s.id
WHERE s.casino_id = %(casino)s
"""  # noqa: S608

_METERS = f"""
WITH bought AS (
    SELECT m.session_id, m.seat, sum({SIGNED}) AS amount
    FROM jackpots_creditmove m WHERE m.casino_id = %(casino)s GROUP BY 1, 2
), spent AS (
    SELECT b.session_id, b.seat, sum(b.amount) AS amount
    FROM jackpots_bet b JOIN jackpots_pool o ON o.id = b.pool_id AND o.form = 'credits'
    WHERE b.casino_id = %(casino)s AND b.state = 'counted' GROUP BY 1, 2
)
SELECT 'credits:' || coalesce(c.session_id, b.session_id) || ' (' || coalesce(c.seat, b.seat) || ')' AS place,
       {wrong(amount="c.amount = coalesce(b.amount, 0) - coalesce(s.amount, 0)")} AS wrong
FROM (SELECT * FROM jackpots_seatcredits WHERE casino_id = %(casino)s) c
FULL JOIN bought b ON b.session_id = c.session_id AND b.seat = c.seat
LEFT JOIN spent s ON s.session_id = coalesce(c.session_id, b.session_id) AND s.seat = coalesce(c.seat, b.seat)
"""  # noqa: S608

QUERIES = (_CREDITS, _SLOTS, _CHIPS, _METERS)
