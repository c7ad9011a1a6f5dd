"""Proofs of what is kept of alerts, float checks, notes and duties against their events (REC-06)."""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino

_ALERTS = f"""
WITH raised AS MATERIALIZED {told("tables.alert.raised")},
cleared AS MATERIALIZED {told("tables.alert.cleared")},
seen AS MATERIALIZED {told("tables.alert.acknowledged")}
SELECT 'alert:' || coalesce(a.id, t.subject_id) AS place, {
    wrong(
        row="a.id IS NOT NULL",
        raised="t.id IS NOT NULL AND t.stream = 'alerts'",
        once="count(*) OVER (PARTITION BY coalesce(a.id, t.subject_id)) = 1",
        raised_at="t.occurred = a.raised_at",
        cause="(t.data ->> 'key', t.data ->> 'kind', t.data ->> 'level', t.data ->> 'rule')"
        " = (a.key, a.kind, a.level, a.rule)",
        words="(t.data ->> 'words_es', t.data ->> 'words_en') = (a.words_es, a.words_en)",
        where="(t.data ->> 'table')::bigint IS NOT DISTINCT FROM a.table_id"
        " AND (t.data ->> 'session')::bigint IS NOT DISTINCT FROM a.session_id"
        " AND t.data ->> 'about' = a.subject",
        cleared="(c.data ->> 'cleared_at')::timestamptz IS NOT DISTINCT FROM a.cleared_at",
        acknowledged_at="s.occurred IS NOT DISTINCT FROM a.acknowledged_at",
        acknowledged_by="s.actor_id IS NOT DISTINCT FROM a.acknowledged_by_id",
        reason="btrim(coalesce(s.data ->> 'reason', '')) = a.reason",
    )
} AS wrong
FROM (SELECT * FROM tables_alert WHERE casino_id = %(casino)s) a
FULL JOIN raised t ON t.subject_id = a.id
LEFT JOIN cleared c ON c.subject_id = a.id
LEFT JOIN seen s ON s.subject_id = a.id
"""  # noqa: S608

_CHECKS = f"""
WITH told AS MATERIALIZED {told("tables.float.checked")}
SELECT 'session:' || coalesce(f.session_id, t.subject_id) || ' (float check '
       || coalesce(f.number::text, t.data ->> 'number') || ')' AS place, {
    wrong(
        row="f.id IS NOT NULL",
        event="t.id IS NOT NULL AND t.stream = 'session:' || f.session_id",
        once="count(*) OVER (PARTITION BY t.subject_id, t.data ->> 'number') = 1 OR t.id IS NULL",
        chips="t.data -> 'chips' = f.chips",
        figures="((t.data ->> 'total')::bigint, (t.data ->> 'expected')::bigint,"
        " (t.data ->> 'difference')::bigint, t.data ->> 'basis')"
        " = (f.total, f.expected, f.difference, f.basis)",
        cash="(t.data ->> 'cash')::bigint IS NOT DISTINCT FROM f.cash",
        sum="f.total = (SELECT coalesce(sum(chip::bigint * many::bigint), 0)"
        " FROM jsonb_each_text(f.chips) c (chip, many))",
        people="((t.data ->> 'counted_by')::bigint, (t.data ->> 'witnessed_by')::bigint)"
        " = (f.counted_by_id, f.witnessed_by_id)",
        recorded_by="t.actor_id = f.recorded_by_id",
        checked_at="t.occurred = f.checked_at",
    )
} AS wrong
FROM (SELECT * FROM tables_floatcheck WHERE casino_id = %(casino)s) f
FULL JOIN told t ON t.subject_id = f.session_id AND (t.data ->> 'number')::int = f.number
"""  # noqa: S608

_NOTES = f"""
WITH told AS MATERIALIZED {told("tables.shift.noted")}
SELECT 'shift note:' || coalesce(n.id, (t.data ->> 'note')::bigint) AS place, {
    wrong(
        row="n.id IS NOT NULL",
        event="t.id IS NOT NULL AND t.stream = 'shifts'",
        day="t.subject_id = n.day_id",
        pit="(t.data ->> 'pit')::bigint IS NOT DISTINCT FROM n.pit_id",
        text="t.data ->> 'text' = n.text",
        by="t.actor_id = n.by_id",
        at="t.occurred = n.at",
    )
} AS wrong
FROM (SELECT * FROM tables_shiftnote WHERE casino_id = %(casino)s) n
FULL JOIN told t ON (t.data ->> 'note')::bigint = n.id
"""  # noqa: S608

_DUTIES = f"""
WITH told AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {told("tables.duties.set")} t ORDER BY subject_id, seq DESC
)
SELECT 'duties:' || coalesce(d.user_id, t.subject_id) AS place, {
    wrong(
        row="d.id IS NOT NULL",
        event="t.id IS NOT NULL",
        pits="t.data -> 'ids' = to_jsonb(d.pits)",
    )
} AS wrong
FROM (SELECT * FROM tables_pitduty WHERE casino_id = %(casino)s) d
FULL JOIN told t ON t.subject_id = d.user_id
"""  # noqa: S608


def told_faults(casino: Casino) -> Iterator[Fault]:
    """Alerts, float checks, notes and duties that are not what the trail tells."""
    for query in (_ALERTS, _CHECKS, _NOTES, _DUTIES):
        yield from differing(query, casino)
