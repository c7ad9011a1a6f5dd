"""Tips against the trail: what each table's box gave, how a day was shared, into whose hand each share went.

What was posted of them is compared with the rest of the cage (`cage_proofs`).
"""

from __future__ import annotations

from audits.verify import told, wrong

_TIPS = f"""
WITH told AS MATERIALIZED {told("tables.tips.entered")}
SELECT 'tip:' || coalesce(r.id, (t.data ->> 'entry')::bigint) AS place, {
    wrong(
        row="r.id IS NOT NULL",
        event="t.id = r.event_id AND t.stream = 'session:' || r.session_id",
        chips="(t.data -> 'chips', (t.data ->> 'amount')::bigint) = (r.chips, r.amount)",
        sum="r.amount = (SELECT sum(k::bigint * v::bigint) FROM jsonb_each_text(r.chips) c (k, v))",
        day="r.day_id = s.day_id",
        at="(t.occurred, t.actor_id) = (r.at, r.entered_by_id)",
    )
} AS wrong
FROM (SELECT * FROM tables_tipentry WHERE casino_id = %(casino)s) r
FULL JOIN told t ON (t.data ->> 'entry')::bigint = r.id
LEFT JOIN tables_tablesession s ON s.id = r.session_id
"""  # noqa: S608

_SHARED = f"""
WITH drafted AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {told("tables.tips.drafted")} t ORDER BY subject_id, seq DESC
),
approved AS MATERIALIZED {told("tables.tips.approved")}
SELECT 'tips:' || coalesce(r.id, t.subject_id) AS place, {
    wrong(
        row="r.id IS NOT NULL",
        drafted="(t.occurred, t.actor_id) = (r.drafted_at, r.drafted_by_id)",
        day="t.data ->> 'day' = to_char(d.date, 'YYYY-MM-DD')",
        lines="(t.data -> 'lines', t.data -> 'points', (t.data ->> 'total')::bigint)"
        " = (r.lines, r.points, r.total)",
        sum="r.total = (SELECT sum((line ->> 'amount')::bigint) FROM jsonb_array_elements(r.lines) line)",
        state="r.state = CASE WHEN a.id IS NULL THEN 'draft' ELSE 'approved' END",
        approved="a.occurred IS NOT DISTINCT FROM r.approved_at"
        " AND a.actor_id IS NOT DISTINCT FROM r.approved_by_id"
        " AND (a.data -> 'with' ->> 'id')::bigint IS NOT DISTINCT FROM r.approved_with_id",
        given="a.id IS NULL OR a.data -> 'lines' = r.lines",
    )
} AS wrong
FROM (SELECT * FROM tables_tipdistribution WHERE casino_id = %(casino)s) r
FULL JOIN drafted t ON t.subject_id = r.id
LEFT JOIN approved a ON a.subject_id = r.id
LEFT JOIN casino_gamingday d ON d.id = r.day_id
"""  # noqa: S608

_HANDED = f"""
WITH told AS MATERIALIZED {told("tables.tips.handed_over")}
SELECT 'tips:' || coalesce(r.distribution_id, t.subject_id) AS place, {
    wrong(
        row="r.id IS NOT NULL",
        event="t.id = r.event_id AND t.subject_id = r.distribution_id",
        share="((t.data ->> 'staff')::bigint, (t.data ->> 'amount')::bigint) = (r.staff_id, r.amount)",
        approved="s.lines @> jsonb_build_array(jsonb_build_object('staff', r.staff_id, 'amount', r.amount))"
        " AND s.state = 'approved'",
        signed="(t.actor_id, (t.data -> 'signed' ->> 'id')::bigint) = (r.given_by_id, r.signed_by_id)",
        at="t.occurred = r.at",
    )
} AS wrong
FROM (SELECT * FROM tables_tiphandover WHERE casino_id = %(casino)s) r
FULL JOIN told t ON t.id = r.event_id
LEFT JOIN tables_tipdistribution s ON s.id = r.distribution_id
"""  # noqa: S608

TOLD = (_TIPS, _SHARED, _HANDED)
"""The statements, each comparing the rows of one table with their events."""
