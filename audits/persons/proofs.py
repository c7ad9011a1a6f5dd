"""The proof of people's data: periods, holds, orders and pseudonyms against their events; each commitment in
a chain against what opens it, or against the pseudonym that took its place (REC-06, REC-12)."""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino


def _named(prefix: str, alias: str) -> str:
    return f"'{prefix}-' || lpad({alias}.id::text, greatest(6, length({alias}.id::text)), '0')"


_PERIODS = f"""
WITH told AS MATERIALIZED {told("audits.retention.set")}
SELECT 'retention:' || coalesce(r.id, t.subject_id) AS place, {
    wrong(
        row="r.id IS NOT NULL",
        event="t.id IS NOT NULL AND t.stream = 'people-data'",
        years="(t.data ->> 'kind', (t.data ->> 'years')::int) = (r.kind, r.years::int)",
        set="(t.actor_id, t.occurred, btrim(t.data ->> 'reason')) = (r.set_by_id, r.set_at, r.reason)",
    )
} AS wrong
FROM (SELECT * FROM audits_retentionperiod WHERE casino_id = %(casino)s) r
FULL JOIN told t ON t.subject_id = r.id
"""  # noqa: S608

_HOLDS = f"""
WITH put AS MATERIALIZED {told("audits.hold.put")}, lifted AS MATERIALIZED {told("audits.hold.lifted")}
SELECT 'hold:' || coalesce(h.id, t.subject_id, l.subject_id) AS place, {
    wrong(
        row="h.id IS NOT NULL",
        event="t.id IS NOT NULL AND t.stream = 'people-data' AND t.subject_label = " + _named("RL", "h"),
        about="(t.data ->> 'kind', (t.data ->> 'about_id')::bigint, t.data ->> 'about',"
        " t.data ->> 'document') = (h.kind, h.subject_id, h.label, h.document)",
        put="(t.actor_id, t.occurred, btrim(t.data ->> 'reason')) = (h.put_by_id, h.put_at, h.reason)",
        lifted="(l.actor_id, l.occurred, (l.data ->> 'second_id')::bigint, btrim(l.data ->> 'reason'))"
        " IS NOT DISTINCT FROM (n.by_id, n.at, n.second_id, n.reason::text)",
    )
} AS wrong
FROM (SELECT * FROM audits_legalhold WHERE casino_id = %(casino)s) h
LEFT JOIN audits_legalholdend n ON n.hold_id = h.id
FULL JOIN put t ON t.subject_id = h.id
FULL JOIN lifted l ON l.subject_id = h.id
"""  # noqa: S608

_ORDERS = f"""
WITH told AS MATERIALIZED {told("audits.erasure.ordered")}, done AS MATERIALIZED {told("audits.erasure.done")}
SELECT 'erasure:' || coalesce(o.id, t.subject_id, d.subject_id) AS place, {
    wrong(
        row="o.id IS NOT NULL",
        event="t.id IS NOT NULL AND t.stream = 'people-data' AND t.subject_label = " + _named("SD", "o"),
        what="(t.data ->> 'kind', (t.data ->> 'before')::date, (t.data ->> 'years')::int,"
        " (t.data ->> 'due')::int) = (o.kind, o.before, o.years::int, o.due)",
        ordered="(t.actor_id, t.occurred, (t.data ->> 'second_id')::bigint, btrim(t.data ->> 'reason'))"
        " = (o.ordered_by_id, o.at, o.second_id, o.reason)",
        done="((d.data ->> 'end')::bigint, d.occurred, (d.data ->> 'done')::int, (d.data ->> 'held')::int)"
        " IS NOT DISTINCT FROM (n.id, n.at, n.done, n.held)",
    )
} AS wrong
FROM (SELECT * FROM audits_erasureorder WHERE casino_id = %(casino)s) o
LEFT JOIN audits_erasureend n ON n.order_id = o.id
FULL JOIN told t ON t.subject_id = o.id
FULL JOIN done d ON d.subject_id = o.id
"""  # noqa: S608

_PSEUDONYMS = f"""
WITH told AS MATERIALIZED {told("audits.person.pseudonymised")}
SELECT 'pseudonym:' || coalesce(p.code, t.subject_label) AS place, {
    wrong(
        row="p.id IS NOT NULL",
        event="t.id IS NOT NULL AND t.stream = 'people-data'",
        what="(t.data ->> 'kind', t.subject_id, t.data ->> 'code', t.subject_label)"
        " = (p.kind, p.subject_id, p.code, p.code)",
        order="(t.data ->> 'order_id')::bigint = p.order_id",
        at="t.occurred = p.at",
    )
} AS wrong
FROM (SELECT * FROM audits_pseudonym WHERE casino_id = %(casino)s) p
FULL JOIN told t ON t.data ->> 'code' = p.code
"""  # noqa: S608

# Every commitment has what opens it, or a pseudonym; and nothing opens what no event says.
_VALUES = f"""
WITH said AS MATERIALIZED (
    SELECT e.id, e.subject_type, e.subject_id, d.key AS path, d.value ->> 'personal' AS commitment
    FROM audits_event e, jsonb_each(convert_from(e.body, 'UTF8')::jsonb -> 'data') d
    WHERE e.casino_id = %(casino)s AND position(convert_to('":{{"personal":"', 'UTF8') IN e.body) > 0
      AND jsonb_typeof(d.value) = 'object' AND d.value ? 'personal'
)
SELECT 'event ' || coalesce(s.id, v.event_id) || ' (' || coalesce(s.path, v.path) || ')' AS place, {
    wrong(
        value="v.id IS NOT NULL",
        event="s.id IS NOT NULL",
        opens="v.pseudonym_id IS NOT NULL"
        " OR s.commitment = encode(sha256(v.salt || convert_to(v.value, 'UTF8')), 'hex')",
        erased="v.pseudonym_id IS NULL OR v.value = '' AND length(v.salt) = 0"
        " AND (n.kind, n.subject_id) = (s.subject_type, s.subject_id)",
        left="v.pseudonym_id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM audits_pseudonym q"
        " WHERE (q.casino_id, q.kind, q.subject_id) = (v.casino_id, s.subject_type, s.subject_id))",
    )
} AS wrong
FROM (SELECT * FROM audits_personalvalue WHERE casino_id = %(casino)s) v
FULL JOIN said s ON s.id = v.event_id AND s.path = v.path
LEFT JOIN audits_pseudonym n ON n.id = v.pseudonym_id
"""  # noqa: S608


def people_faults(casino: Casino) -> Iterator[Fault]:
    """What is kept about people's data that is not what the trail tells."""
    for query in (_PERIODS, _HOLDS, _ORDERS, _PSEUDONYMS, _VALUES):
        yield from differing(query, casino)
