"""The money of a table, line by line: what its session and its rounds say was moved, and what was posted.

A transfer that sums to zero may still be of another amount, on another day or at another table.
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, wrong
from casino.models import Casino

# What each kind moves, as (account, debit, credit); `tray` at closing is tray and kitty together.
_COUNTED = f"""
WITH line AS (
    SELECT st.name AS stream, t.kind,
           CASE WHEN t.kind = 'closing' AND a.code LIKE 'kitty:%%' THEN 'tray' || substr(a.code, 6)
                ELSE a.code END AS code,
           sum(p.debit) AS debit, sum(p.credit) AS credit
    FROM audits_transfer t
    JOIN audits_event e ON e.id = t.event_id JOIN audits_stream st ON st.id = e.stream_id
    JOIN audits_posting p ON p.transfer_id = t.id JOIN audits_account a ON a.id = p.account_id
    WHERE t.casino_id = %(casino)s AND t.kind IN ('opening', 'closing', 'drop', 'deduction')
    GROUP BY 1, 2, 3
), due AS (
    SELECT s.id, 'session:' || s.id AS stream, due.*
    FROM (SELECT s.*, (SELECT sum(amount) FROM tables_dropbox b
                       WHERE b.session_id = s.id AND b.kind = 'deduction') AS boxed
          FROM tables_tablesession s) s, LATERAL (VALUES
        ('opening', 'vault', 0, s.opening), ('opening', 'tray:' || s.id, s.opening, 0),
        ('closing', 'vault', s.closing, 0), ('closing', 'tray:' || s.id, 0, s.closing),
        ('drop', 'tray:' || s.id, 0, s.drop), ('drop', 'players:' || s.id, s.drop, s.drop),
        ('drop', 'drop:' || s.id, s.drop, 0),
        ('deduction', 'vault', CASE WHEN s.drop IS NOT NULL THEN s.boxed END, 0),
        ('deduction', 'kitty:' || s.id, greatest(s.deduction - s.commission, 0), s.deduction),
        ('deduction', 'players:' || s.id, 0, greatest(s.deduction - s.commission, 0)),
        ('deduction', 'shortage:' || s.id, greatest(s.deduction - s.boxed, 0), 0)
    ) due (kind, code, debit, credit)
    WHERE s.casino_id = %(casino)s AND debit + credit > 0
)
SELECT coalesce(d.stream, l.stream) || ' (' || coalesce(d.kind, l.kind) || ' '
       || coalesce(d.code, l.code) || ')' AS place,
       {wrong(debit="d.debit = l.debit", credit="d.credit = l.credit")} AS wrong
FROM due d FULL JOIN line l USING (stream, kind, code)
"""  # noqa: S608

# Whoever counted the drop has taken the tray down to nothing, difference included (FLOOR-12).
_LEFT = f"""
SELECT 'session:' || s.id || ' (tray)' AS place,
       {wrong(left="coalesce(sum(p.debit - p.credit), 0) = 0")} AS wrong
FROM tables_tablesession s
LEFT JOIN audits_account a ON a.casino_id = s.casino_id AND a.code IN ('tray:' || s.id, 'kitty:' || s.id)
LEFT JOIN audits_posting p ON p.account_id = a.id
WHERE s.casino_id = %(casino)s AND s.drop IS NOT NULL GROUP BY s.id
"""  # noqa: S608

_ACTIONS = {
    "opening": ("tables.session.opened",),
    "closing": ("tables.session.closed",),
    "drop": ("tables.session.closed", "tables.session.drop_recorded"),
    "count_difference": ("tables.session.closed", "tables.session.drop_recorded"),
    "result_by_count": ("tables.session.closed", "tables.session.drop_recorded"),
    "deduction": ("tables.session.drop_recorded",),
    "round": ("tables.round.settled",),
    "round_void": ("tables.round.voided",),
}
"""Which event may cause a transfer of each of the floor's kinds, once."""

_CAUSES = " OR ".join(
    f"(t.kind = '{kind}' AND e.action IN ({', '.join(repr(a) for a in actions)}))"
    for kind, actions in _ACTIONS.items()
)
_DAYS = f"""
SELECT 'transfer ' || t.id AS place, {
    wrong(
        day="t.day = d.date",
        event=_CAUSES,
        once="count(*) OVER (PARTITION BY t.event_id, t.kind) = 1",
    )
} AS wrong
FROM audits_transfer t JOIN audits_event e ON e.id = t.event_id JOIN audits_stream st ON st.id = e.stream_id
LEFT JOIN tables_tablesession s ON s.casino_id = t.casino_id AND 'session:' || s.id = st.name
LEFT JOIN casino_gamingday d ON d.id = s.day_id
WHERE t.casino_id = %(casino)s AND t.kind = ANY (%(kinds)s)
"""  # noqa: S608

_ROUNDS = f"""
WITH net AS (
    SELECT t.event_id, a.code, sum(p.debit - p.credit) AS net
    FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id
    JOIN audits_account a ON a.id = p.account_id
    WHERE t.casino_id = %(casino)s AND t.kind IN ('round', 'round_void')
      AND split_part(a.code, ':', 1) IN ('tray', 'kitty', 'players') AND p.memo <> 'progressive'
    GROUP BY 1, 2
), moved AS (
    SELECT event_id, sum(net) FILTER (WHERE code LIKE 'kitty:%%') AS kitty,
           sum(net) FILTER (WHERE code NOT LIKE 'players:%%') AS house,
           min(split_part(code, ':', 2)) AS least, max(split_part(code, ':', 2)) AS most
    FROM net GROUP BY 1
), due AS (
    SELECT id, session_id, event_id, staked - returned AS house, commission AS kitty
    FROM tables_round WHERE casino_id = %(casino)s AND event_id IS NOT NULL
    UNION ALL
    SELECT id, session_id, void_event_id, returned - staked, -commission
    FROM tables_round WHERE casino_id = %(casino)s AND event_id IS NOT NULL AND void_event_id IS NOT NULL
)
SELECT coalesce('round:' || d.id, 'event ' || m.event_id) AS place, {
    wrong(
        house="coalesce(m.house, 0) = d.house",
        commission="coalesce(m.kitty, 0) = d.kitty",
        session="m.event_id IS NULL OR (m.least = d.session_id::text AND m.most = d.session_id::text)",
    )
} AS wrong
FROM due d FULL JOIN moved m ON m.event_id = d.event_id
"""  # noqa: S608


def money_faults(casino: Casino) -> Iterator[Fault]:
    """Openings, closings, drops, deductions, rounds: those not posted as they are stored, each on its day."""
    yield from differing(_COUNTED, casino, "money_differs")
    yield from differing(_LEFT, casino, "money_differs")
    yield from differing(_DAYS, casino, "money_differs", kinds=list(_ACTIONS))
    yield from differing(_ROUNDS, casino, "money_differs")
