"""Plans, planned turns and the ledger of fairness against their events (REC-06)."""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino

_ACTIONS = (
    "tables.rotation.drafted",
    "tables.rotation.edited",
    "tables.rotation.applied",
    "tables.rotation.dropped",
)

_PLANS = f"""
WITH told AS MATERIALIZED {told(*_ACTIONS)},
last AS (SELECT DISTINCT ON (subject_id) * FROM told ORDER BY subject_id, seq DESC),
drafted AS (SELECT * FROM told WHERE action = 'tables.rotation.drafted'),
ended AS (
    SELECT one::bigint AS plan
    FROM told, jsonb_array_elements_text(data -> 'replaces') one WHERE action = 'tables.rotation.applied'
)
SELECT 'rotation:' || coalesce(p.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL AND d.id IS NOT NULL",
        row="p.id IS NOT NULL",
        once="(SELECT count(*) FROM drafted n WHERE n.subject_id = p.id) = 1",
        stream="t.stream = 'roster:' || p.day",
        number="(t.data ->> 'number')::int = p.number",
        scope="(t.data ->> 'pit')::bigint IS NOT DISTINCT FROM p.pit_id"
        " AND (t.data ->> 'base')::bigint IS NOT DISTINCT FROM p.base_id",
        span="((t.data ->> 'starts')::timestamptz, (t.data ->> 'ends')::timestamptz,"
        " (t.data ->> 'slot_minutes')::int) = (p.starts, p.ends, p.slot_minutes)",
        turns="t.data -> 'turns' = p.turns",
        measures="t.data -> 'measures' = p.measures AND t.data ->> 'solver' = p.solver",
        reason="coalesce(CASE p.state WHEN 'dropped' THEN t.data ->> 'reason' ELSE d.data ->> 'reason' END,"
        " '') = p.reason",
        made_from="d.data -> 'made_from' = p.made_from",
        made="(d.actor_id, d.occurred) = (p.made_by_id, p.made_at)",
        state="p.state = CASE t.action WHEN 'tables.rotation.dropped' THEN 'dropped'"
        " WHEN 'tables.rotation.applied' THEN CASE WHEN p.id IN (SELECT plan FROM ended) THEN 'replaced'"
        " ELSE 'applied' END ELSE 'draft' END",
        applied="(p.applied_by_id IS NULL AND t.action <> 'tables.rotation.applied')"
        " OR (t.actor_id, (t.data ->> 'from')::timestamptz) = (p.applied_by_id, p.applied_at)",
    )
} AS wrong
FROM (SELECT * FROM tables_rotationplan WHERE casino_id = %(casino)s) p
FULL JOIN last t ON t.subject_id = p.id
LEFT JOIN drafted d ON d.subject_id = coalesce(p.id, t.subject_id)
"""  # noqa: S608

# A turn begins with its plan and ends where a later plan took its table: plans are numbered and applied under
# one lock, so the ids of their events are their order.
_TURNS = f"""
WITH applied AS MATERIALIZED (
    SELECT t.*, (t.data ->> 'from')::timestamptz AS since FROM {told("tables.rotation.applied")} t
),
line AS (
    SELECT a.id, a.since, a.subject_id AS plan_id, (one ->> 0)::bigint AS staff_id,
           (p.made_from -> 'posts' -> (one ->> 1)::int) AS post, p.made_from -> 'tables' AS tables,
           tstzrange(p.starts + (one ->> 2)::int * p.slot_minutes * interval '1 minute',
                     p.starts + (one ->> 3)::int * p.slot_minutes * interval '1 minute') AS during
    FROM applied a JOIN tables_rotationplan p ON p.id = a.subject_id,
         jsonb_array_elements(a.data -> 'turns') one
),
due AS (
    SELECT *, (tables ->> (post ->> 'table'))::bigint AS table_id FROM line WHERE upper(during) > since
)
SELECT 'rotation:' || coalesce(v.plan_id, l.plan_id) || ' (' || coalesce(v.staff_id, l.staff_id) || ')'
       AS place, {
    wrong(
        event="l.id IS NOT NULL",
        row="v.id IS NOT NULL",
        table="v.table_id = l.table_id",
        post="(v.post, v.place) = (l.post ->> 'post', (l.post ->> 'place')::int)",
        deals="v.deals = (v.post NOT IN ('payer', 'support_dealer'))",
        in_force="v.in_force = v.during * tstzrange(l.since, coalesce((SELECT min(greatest(n.since, l.since))"
        " FROM applied n WHERE n.id > l.id AND n.data -> 'tables' @> to_jsonb(l.table_id)), 'infinity'))",
    )
} AS wrong
FROM (SELECT * FROM tables_plannedturn WHERE casino_id = %(casino)s) v
FULL JOIN due l ON (l.plan_id, l.staff_id, l.during) = (v.plan_id, v.staff_id, v.during)
"""  # noqa: S608

_LEDGER = f"""
WITH told AS MATERIALIZED (
    SELECT (t.data ->> 'day')::date AS day, one FROM {told("tables.rotation.noted")} t,
           jsonb_array_elements(t.data -> 'lines') one
)
SELECT 'fairness:' || coalesce(e.day, t.day) || ' (' || coalesce(e.staff_id, (t.one ->> 0)::bigint) || ')'
       AS place, {
    wrong(
        event="t.day IS NOT NULL",
        row="e.id IS NOT NULL",
        figures="t.one = jsonb_build_array(e.staff_id, e.pit_id, e.minutes, e.present, e.weight, e.credit)",
        once="count(*) OVER (PARTITION BY coalesce(e.day, t.day),"
        " coalesce(e.staff_id, (t.one ->> 0)::bigint), coalesce(e.pit_id, (t.one ->> 1)::bigint)) = 1",
    )
} AS wrong
FROM (SELECT * FROM tables_fairnessentry WHERE casino_id = %(casino)s) e
FULL JOIN told t ON (t.day, (t.one ->> 0)::bigint, (t.one ->> 1)::bigint) = (e.day, e.staff_id, e.pit_id)
"""  # noqa: S608


def rotation_faults(casino: Casino) -> Iterator[Fault]:
    """Plans, turns in force and credits that are not what the trail tells."""
    for query in (_PLANS, _TURNS, _LEDGER):
        yield from differing(query, casino)
