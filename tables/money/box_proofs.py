"""Boxes and their counts against the trail, and each first count against the commitment told of it.

The commitment went onto the trail before the second team counted; what is stored now must still give it.
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import BoxCount
from tables.money.box_contents import Found, commitment

_BOXES = f"""
WITH put AS MATERIALIZED {told("tables.box.put_on")}, removed AS MATERIALIZED {told("tables.box.removed")},
received AS MATERIALIZED {told("tables.box.received")}, settled AS MATERIALIZED {told("tables.box.settled")},
counted AS MATERIALIZED {told("tables.box.counted_first", "tables.box.counted")},
known AS (SELECT subject_id, stream FROM put UNION
          SELECT subject_id, stream FROM removed WHERE data -> 'registered' = 'false')
SELECT 'box:' || coalesce(b.id, w.subject_id) AS place, {
    wrong(
        row="b.id IS NOT NULL",
        event="w.stream = 'session:' || b.session_id",
        put_on="p.occurred IS NOT DISTINCT FROM b.put_on_at"
        " AND p.actor_id IS NOT DISTINCT FROM b.put_on_by_id",
        named="coalesce(p.data ->> 'number', r.data ->> 'number') = b.number"
        " AND coalesce(p.data ->> 'kind', r.data ->> 'kind') = b.kind",
        removed="r.occurred IS NOT DISTINCT FROM b.removed_at"
        " AND r.actor_id IS NOT DISTINCT FROM b.removed_by_id"
        " AND (r.data -> 'with' ->> 'id')::bigint IS NOT DISTINCT FROM b.removed_with_id"
        " AND coalesce(r.data ->> 'seal', '') = b.seal",
        received="c.occurred IS NOT DISTINCT FROM b.received_at"
        " AND c.actor_id IS NOT DISTINCT FROM b.received_by_id"
        " AND coalesce(c.data ->> 'seal', '') = b.seal_found",
        settled="s.occurred IS NOT DISTINCT FROM b.settled_at AND (s.data ->> 'amount')::bigint"
        " IS NOT DISTINCT FROM b.amount AND coalesce(s.data ->> 'how', '') = b.how",
        stands="s.id IS NULL OR (SELECT n.total = b.amount AND CASE b.how WHEN 'equal' THEN n.nth = 2"
        " WHEN 'third' THEN n.nth = 3 ELSE s.data -> 'with' ->> 'id' IS NOT NULL END"
        " AND (b.how = 'resolved' OR EXISTS (SELECT FROM tables_boxcount o WHERE o.box_id = n.box_id"
        " AND o.nth < n.nth AND (o.contents, o.documents) = (n.contents, n.documents)))"
        " FROM tables_boxcount n WHERE n.box_id = b.id AND n.nth = (s.data ->> 'nth')::int)",
        incident="(b.incident_id IS NOT NULL) = EXISTS (SELECT FROM counted n"
        " WHERE n.subject_id = b.id AND n.data ->> 'nth' = '2' AND n.data -> 'agrees' = '[]')"
        " AND (b.incident_id IS NULL OR EXISTS (SELECT FROM audits_incident i WHERE i.id = b.incident_id"
        " AND (i.casino_id, i.subject_id, i.facts ->> 'box') = (b.casino_id, b.session_id, b.number)))",
        counts="(SELECT count(*) FROM counted n WHERE n.subject_id = b.id)"
        " = (SELECT count(*) FROM tables_boxcount n WHERE n.box_id = b.id)",
        state="b.state = CASE WHEN s.id IS NOT NULL THEN 'settled'"
        " WHEN (SELECT count(*) FROM counted n WHERE n.subject_id = b.id) > 1 THEN 'differs'"
        " WHEN EXISTS (SELECT FROM counted n WHERE n.subject_id = b.id) THEN 'counted_once'"
        " WHEN c.id IS NOT NULL THEN 'received' WHEN r.id IS NOT NULL THEN 'removed' ELSE 'on_table' END",
    )
} AS wrong
FROM (SELECT * FROM tables_dropbox WHERE casino_id = %(casino)s) b
FULL JOIN known w ON w.subject_id = b.id
LEFT JOIN put p ON p.subject_id = b.id LEFT JOIN removed r ON r.subject_id = b.id
LEFT JOIN received c ON c.subject_id = b.id LEFT JOIN settled s ON s.subject_id = b.id
"""  # noqa: S608

# The first count is told by its commitment alone, then with the second; the third in an event of its own.
_COUNTS = f"""
WITH first AS MATERIALIZED {told("tables.box.counted_first")},
later AS MATERIALIZED {told("tables.box.counted")},
shown AS (
    SELECT l.subject_id, (one ->> 'nth')::int AS nth, one, l.actor_id, l.occurred, l.data
    FROM later l, jsonb_array_elements(l.data -> 'counts') one
), team AS (
    SELECT count_id, jsonb_agg(jsonb_build_array(person_id, records) ORDER BY id) AS people,
           count(*) FILTER (WHERE records) AS records, count(*) FILTER (WHERE NOT records) AS counts
    FROM tables_boxcounter WHERE casino_id = %(casino)s GROUP BY 1
)
SELECT 'box:' || coalesce(n.box_id, s.subject_id) || ' (' || coalesce(n.nth, s.nth) || ')' AS place, {
    wrong(
        row="n.id IS NOT NULL",
        event="n.nth = 1 OR (s.occurred, s.actor_id, (s.data ->> 'nth')::int)"
        " = (n.counted_at, n.recorded_by_id, n.nth)",
        first="n.nth <> 1 OR (f.occurred, f.actor_id, f.data ->> 'commitment')"
        " = (n.counted_at, n.recorded_by_id, n.commitment)",
        blind="n.nth <> 1 OR NOT f.data ?| ARRAY['total', 'contents', 'documents', 'salt', 'counts']",
        shown="s.nth IS NOT NULL OR (n.nth = 1 AND NOT EXISTS"
        " (SELECT FROM tables_boxcount o WHERE o.box_id = n.box_id AND o.nth > 1))",
        told="s.nth IS NULL OR (s.one -> 'contents', s.one -> 'documents', s.one -> 'rates',"
        " (s.one ->> 'total')::bigint, s.one ->> 'salt', s.one ->> 'commitment')"
        " = (n.contents, n.documents, n.rates, n.total, n.salt, n.commitment)",
        team="t.records = 1 AND t.counts >= 2 AND t.people = (SELECT jsonb_agg(jsonb_build_array(p -> 'id',"
        " p -> 'records') ORDER BY i) FROM jsonb_array_elements(coalesce(s.one -> 'team', f.data -> 'team'))"
        " WITH ORDINALITY x (p, i))",
        box="NOT EXISTS (SELECT FROM tables_boxcounter m WHERE m.count_id = n.id AND m.box_id <> n.box_id)",
        disjoint="NOT EXISTS (SELECT FROM tables_boxcounter m JOIN tables_boxcounter o"
        " ON o.box_id = m.box_id AND o.person_id = m.person_id AND o.id <> m.id WHERE m.count_id = n.id)",
    )
} AS wrong
FROM (SELECT * FROM tables_boxcount WHERE casino_id = %(casino)s) n
FULL JOIN shown s ON s.subject_id = n.box_id AND s.nth = n.nth
LEFT JOIN first f ON f.subject_id = n.box_id
LEFT JOIN team t ON t.count_id = n.id
"""  # noqa: S608

# FLOOR-12: a session's drop is what its boxes held, and what its event tells of them.
_DROPS = f"""
WITH told AS MATERIALIZED {told("tables.session.drop_recorded")}
SELECT 'session:' || s.id || ' (drop)' AS place, {
    wrong(
        drop="s.drop = coalesce((SELECT sum(amount) FROM tables_dropbox b"
        " WHERE b.session_id = s.id AND b.kind = 'drop'), 0)",
        boxed="(t.data ->> 'boxed')::bigint IS NOT DISTINCT FROM (SELECT sum(amount) FROM tables_dropbox b"
        " WHERE b.session_id = s.id AND b.kind = 'deduction')",
        boxes="t.data -> 'boxes' = coalesce((SELECT jsonb_agg(jsonb_build_object('id', b.id,"
        " 'number', b.number, 'kind', b.kind, 'amount', b.amount) ORDER BY b.id)"
        " FROM tables_dropbox b WHERE b.session_id = s.id),"
        " '[]'::jsonb)",
        without_box="t.data -> 'without_box' ->> 'id' IS NOT NULL OR EXISTS (SELECT FROM tables_dropbox b"
        " WHERE b.session_id = s.id AND b.kind = 'drop')",
        entered="s.deduction IS NOT DISTINCT FROM greatest((t.data ->> 'boxed')::bigint,"
        " CASE WHEN t.data ->> 'boxed' IS NOT NULL THEN s.commission END)",
    )
} AS wrong
FROM tables_tablesession s JOIN told t ON t.subject_id = s.id
WHERE s.casino_id = %(casino)s AND t.data ? 'boxes'
"""  # noqa: S608

_OPENINGS = f"""
WITH told AS MATERIALIZED {told("tables.session.opened")}
SELECT 'session:' || s.id || ' (opening difference)' AS place, {
    wrong(
        row="d.chips IS NOT DISTINCT FROM nullif(t.data -> 'difference_from_closing', '{}'::jsonb)",
        total="d.id IS NULL OR d.total = s.opening - c.total",
    )
} AS wrong
FROM tables_tablesession s
JOIN (SELECT id, subject_id, CASE WHEN jsonb_typeof(data -> 'difference_from_closing') = 'object'
             THEN data ELSE data - 'difference_from_closing' END AS data FROM told) t ON t.subject_id = s.id
LEFT JOIN tables_openingdifference d ON d.session_id = s.id AND d.casino_id = s.casino_id
LEFT JOIN tables_chipcount c ON c.id = d.previous_id
WHERE s.casino_id = %(casino)s
"""  # noqa: S608

_RATES = f"""
WITH told AS MATERIALIZED {told("tables.count_rate.set")}
SELECT 'count rate ' || coalesce(r.id, t.subject_id) AS place, {
    wrong(
        row="r.id IS NOT NULL",
        event="(t.data ->> 'currency', (t.data ->> 'rate_ten_thousandths')::bigint, t.occurred, t.actor_id)"
        " = (r.currency, r.rate, r.since, r.by_id)",
    )
} AS wrong
FROM (SELECT * FROM tables_countrate WHERE casino_id = %(casino)s) r
FULL JOIN told t ON t.subject_id = r.id
"""  # noqa: S608


def box_faults(casino: Casino) -> Iterator[Fault]:
    """The boxes' part of `verify_trail`."""
    for query in (_BOXES, _COUNTS, _DROPS, _OPENINGS, _RATES):
        yield from differing(query, casino)
    yield from commitment_faults(casino)


def commitment_faults(casino: Casino) -> Iterator[Fault]:
    """Counts whose stored contents do not give the commitment that was told of them."""
    rows = BoxCount.objects.filter(casino=casino).order_by("pk")
    for row in rows.iterator(chunk_size=500):
        count = Found(row.contents, row.documents, row.rates, row.total)
        if commitment(row.box_id, row.nth, count, row.salt) != row.commitment:
            yield Fault(
                "commitment_broken",
                f"box:{row.box_id} ({row.nth})",
                Text(
                    "lo contado no es lo que su huella en la auditoría comprometió",
                    "what was counted is not what its digest on the trail committed to",
                ),
            )
