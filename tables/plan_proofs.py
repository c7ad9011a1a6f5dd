"""The floor's figures, plans of limits and what came of them against the trail (REC-06)."""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino

_FIGURES = f"""
WITH told AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {told("tables.floor.set")} t ORDER BY subject_id, seq DESC
)
SELECT 'floor:' || coalesce(v.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="v.id IS NOT NULL",
        minimum_operation="t.data -> 'minimum_operation' = to_jsonb(v.minimum_operation)",
        minutes="(t.data ->> 'max_minutes_on_table', t.data ->> 'min_break_minutes',"
        " t.data ->> 'rest_after_night_minutes')"
        " = (v.max_minutes_on_table::text, v.min_break_minutes::text, v.rest_after_night_minutes::text)",
        same_table="(t.data ->> 'max_minutes_same_table')::int IS NOT DISTINCT FROM v.max_minutes_same_table",
        night="((t.data ->> 'night_from')::time, (t.data ->> 'night_to')::time) = (v.night_from, v.night_to)",
        ij="(t.data ->> 'ij_base', t.data ->> 'ij_document') = (v.ij_base, v.ij_document)",
        min_funds="(t.data ->> 'min_funds')::bigint = v.min_funds",
    )
} AS wrong
FROM (SELECT * FROM tables_floorsettings WHERE casino_id = %(casino)s) v
FULL JOIN told t ON t.subject_id = v.id
"""  # noqa: S608

_PLANS = f"""
WITH told AS MATERIALIZED {told("tables.plan.published")}
SELECT 'plan:' || coalesce(v.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="v.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(v.id, t.subject_id)) = 1",
        scope="t.data ->> 'game' = v.game AND (t.data ->> 'table')::bigint IS NOT DISTINCT FROM v.table_id",
        version="(t.data ->> 'version')::int = v.version",
        windows="t.data -> 'windows' = v.windows",
        otherwise="nullif(t.data -> 'otherwise', 'null'::jsonb) IS NOT DISTINCT FROM"
        " nullif(v.otherwise, 'null'::jsonb)",
        effective_from="(t.data ->> 'effective_from')::timestamptz = v.effective_from",
        reason="btrim(t.data ->> 'reason') = v.reason",
        published_by="t.actor_id = v.published_by_id",
    )
} AS wrong
FROM (SELECT * FROM tables_limitsplan WHERE casino_id = %(casino)s) v
FULL JOIN told t ON t.subject_id = v.id
"""  # noqa: S608

_APPLIED = f"""
WITH told AS MATERIALIZED {told("tables.plan.applied")}
SELECT 'planned:' || coalesce(v.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="v.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(v.id, t.subject_id)) = 1",
        plan="(t.data ->> 'plan')::bigint = v.plan_id",
        begins="(t.data ->> 'begins')::timestamptz = v.begins",
        limits="(t.data ->> 'limits')::bigint = v.limits_id AND l.table_id = v.table_id"
        " AND (t.data ->> 'table')::bigint = v.table_id AND (t.data ->> 'version')::int = l.version",
        in_force="l.effective_from >= v.begins",
        says="l.spots = p.otherwise -> 'spots' OR EXISTS (SELECT FROM jsonb_array_elements(p.windows) w"
        " WHERE w -> 'spots' = l.spots AND (w ->> 'chip')::bigint = l.chip)",
    )
} AS wrong
FROM (SELECT * FROM tables_plannedlimits WHERE casino_id = %(casino)s) v
FULL JOIN told t ON t.subject_id = v.id
LEFT JOIN tables_betlimits l ON l.id = v.limits_id
LEFT JOIN tables_limitsplan p ON p.id = v.plan_id
"""  # noqa: S608

# A pit's name is on what is signed of its tables, its weight in the ledger of fairness.
_PITS = f"""
WITH told AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {told("tables.pit.set")} t ORDER BY subject_id, seq DESC
)
SELECT 'pit:' || coalesce(v.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="v.id IS NOT NULL",
        name="t.subject_label = v.name",
        set="((t.data ->> 'position')::int, coalesce((t.data ->> 'weight')::int, 100))"
        " = (v.position, v.weight)",
    )
} AS wrong
FROM (SELECT * FROM tables_pit WHERE casino_id = %(casino)s) v FULL JOIN told t ON t.subject_id = v.id
"""  # noqa: S608


def plan_faults(casino: Casino) -> Iterator[Fault]:
    """Figures, plans, published boundaries and pits that are not what the trail tells."""
    for query in (_FIGURES, _PLANS, _APPLIED, _PITS):
        yield from differing(query, casino)
