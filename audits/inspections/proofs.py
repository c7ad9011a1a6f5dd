"""The proof of inspections: accesses, visits, draws, counts and answers against their events, and every draw
recomputed by its own verifier."""

from __future__ import annotations

from collections.abc import Iterator

from audits.inspections import draw, drawing
from audits.inspections.visits import SERIES
from audits.models import Inspection, InspectionDraw
from audits.verify import Fault, differing, missing_numbers, told, wrong, year_label
from casino.kernel.words import Text
from casino.models import Casino


def _stamp(column: str) -> str:
    """An instant as the trail writes it."""
    return f"to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"


_TERMS = f"""
WITH given AS MATERIALIZED {told("audits.access.terms_set")}
SELECT 'access terms:' || coalesce(a.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="a.id IS NOT NULL",
        hours="((t.data ->> 'default_hours')::int, (t.data ->> 'longest_hours')::int)"
        " = (a.default_hours, a.longest_hours)",
        by="(t.actor_id, t.occurred) = (a.set_by_id, a.set_at)",
    )
} AS wrong
FROM (SELECT * FROM audits_accessterms WHERE casino_id = %(casino)s) a
FULL JOIN given t ON t.subject_id = a.id
"""  # noqa: S608

_ACCESSES = f"""
WITH given AS MATERIALIZED {told("audits.access.given")},
revoked AS MATERIALIZED {told("audits.access.revoked")},
used AS (
    SELECT subject_id, count(*) FILTER (WHERE action = 'audits.access.entered') AS entries,
           max(occurred) FILTER (WHERE action = 'audits.access.entered') AS last,
           max((data ->> 'attempts')::int) FILTER (WHERE action = 'audits.access.refused') AS attempts,
           max(occurred) FILTER (WHERE action = 'audits.access.locked') AS locked
    FROM {
    told("audits.access.entered", "audits.access.refused", "audits.access.locked")
} t GROUP BY subject_id
)
SELECT 'access:' || coalesce(a.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'person:' || a.actor",
        row="a.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(a.id, t.subject_id)) = 1",
        person="(t.data ->> 'credential', t.data ->> 'selector') = (a.credential, a.selector)"
        " AND t.subject_label = a.name",
        time=f"(t.data ->> 'valid_from', t.data ->> 'valid_until')"
        f" = ({_stamp('a.valid_from')}, {_stamp('a.valid_until')})",
        allowed="(t.data ->> 'entries')::int = a.entries_allowed",
        given="(t.actor_id, t.occurred) = (a.given_by_id, a.given_at)",
        entries="coalesce(u.entries, 0) = a.entries AND u.last IS NOT DISTINCT FROM a.last_entry_at",
        attempts="coalesce(u.attempts, 0) = a.attempts",
        locked="u.locked IS NOT DISTINCT FROM a.locked_at",
        revoked="(r.actor_id, r.occurred) IS NOT DISTINCT FROM (a.revoked_by_id, a.revoked_at)"
        " AND a.state = CASE WHEN r.id IS NOT NULL THEN 'revoked' WHEN u.locked IS NOT NULL THEN 'locked'"
        " ELSE 'given' END",
        code="NOT t.data ? 'secret' OR t.data ->> 'secret'"
        " = encode(sha256(convert_to(a.secret, 'UTF8')), 'hex')",
    )
} AS wrong
FROM (SELECT a.*, p.id AS actor, p.name FROM audits_inspectoraccess a
      JOIN audits_actor p ON p.user_id = a.user_id
      WHERE a.casino_id = %(casino)s) a
FULL JOIN given t ON t.subject_id = a.id
LEFT JOIN used u ON u.subject_id = a.id LEFT JOIN revoked r ON r.subject_id = a.id
"""  # noqa: S608

_LOOKS = f"""
WITH looked AS MATERIALIZED {told("audits.inspector.looked")}
SELECT 'look:' || coalesce(l.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="l.id IS NOT NULL",
        path="(t.data ->> 'path', (t.data ->> 'day')::date) = (l.path, l.day)",
        by="(t.actor_id, t.occurred) = (l.actor_id, l.at)",
    )
} AS wrong
FROM (SELECT * FROM audits_inspectorlook WHERE casino_id = %(casino)s) l
FULL JOIN looked t ON t.subject_id = l.id
"""  # noqa: S608

_VISITS = f"""
WITH opened AS MATERIALIZED {told("audits.inspection.opened")},
closed AS MATERIALIZED {told("audits.inspection.closed")}
SELECT 'inspection:' || coalesce(i.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'inspection:' || i.id AND t.subject_label = "
        + year_label("AI", "i"),
        row="i.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(i.id, t.subject_id)) = 1",
        opened="(t.actor_id, t.occurred) = (i.opened_by_id, i.opened_at)",
        inspector="(t.data -> 'inspector' ->> 'id')::bigint = i.inspector_id",
        day="(t.data ->> 'day')::date = i.day",
        closed="(c.actor_id, c.occurred) IS NOT DISTINCT FROM (i.closed_by_id, i.closed_at)"
        " AND i.state = CASE WHEN c.id IS NULL THEN 'open' ELSE 'closed' END",
        remarks="coalesce(c.data ->> 'remarks', '') = i.remarks",
    )
} AS wrong
FROM (SELECT * FROM audits_inspection WHERE casino_id = %(casino)s) i
FULL JOIN opened t ON t.subject_id = i.id LEFT JOIN closed c ON c.subject_id = i.id
"""  # noqa: S608

_DRAWS = f"""
WITH announced AS MATERIALIZED {told("audits.inspection.draw_announced")},
drawn AS MATERIALIZED {told("audits.inspection.drawn")}
SELECT 'draw:' || coalesce(d.inspection_id, t.subject_id) || '/'
       || coalesce(d.number, (t.data ->> 'draw')::int) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="d.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(d.inspection_id, t.subject_id),"
        " coalesce(d.number, (t.data ->> 'draw')::int)) = 1",
        announced="(t.actor_id, t.occurred) = (d.announced_by_id, d.announced_at)",
        candidates="t.data -> 'candidates' = d.candidates AND t.data ->> 'digest' = d.digest",
        wanted="((t.data ->> 'wanted')::int, (t.data ->> 'open_only')::boolean, (t.data ->> 'day')::date)"
        " = (d.wanted, d.open_only, d.day)",
        reason="coalesce(t.data ->> 'reason', '') = d.reason",
        seed="t.data ->> 'seed_hash' = d.seed_hash AND (r.id IS NULL OR r.data ->> 'seed' = d.seed)",
        drawn="r.occurred IS NOT DISTINCT FROM d.drawn_at AND (r.id IS NOT NULL) = (d.state = 'drawn')",
        word="coalesce(r.data ->> 'word', '') = d.word",
        picks="coalesce(r.data -> 'picks', '[]'::jsonb) = d.picks",
    )
} AS wrong
FROM (SELECT * FROM audits_inspectiondraw WHERE casino_id = %(casino)s) d
FULL JOIN announced t ON t.subject_id = d.inspection_id AND (t.data ->> 'draw')::int = d.number
LEFT JOIN drawn r ON r.subject_id = d.inspection_id AND (r.data ->> 'draw')::int = d.number
"""  # noqa: S608

_COUNTS = f"""
WITH counted AS MATERIALIZED {told("audits.inspection.counted")},
answered AS MATERIALIZED {told("audits.inspection.count_signed", "audits.inspection.count_objected")}
SELECT 'inspection:' || coalesce(c.inspection_id, t.subject_id) || ', '
       || coalesce(c.number, (t.data ->> 'count')::int) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="c.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(c.inspection_id, t.subject_id),"
        " coalesce(c.number, (t.data ->> 'count')::int)) = 1",
        counted="(t.actor_id, t.occurred) = (c.counted_by_id, c.counted_at)"
        " AND (t.data ->> 'day')::date = c.day",
        kind="(t.data ->> 'kind', t.data ->> 'unit') = (c.kind, c.unit)",
        about="t.data -> 'about' = jsonb_build_object("
        "'type', c.subject_type, 'id', c.subject_id, 'label', c.subject_label)",
        table="(t.data ->> 'table')::bigint IS NOT DISTINCT FROM c.of_table"
        " AND t.data ->> 'table_label' = c.table_label",
        pieces="t.data -> 'pieces' = c.pieces AND (t.data ->> 'aside')::bigint IS NOT DISTINCT FROM c.aside",
        figures="((t.data ->> 'total')::bigint, (t.data ->> 'expected')::bigint,"
        " (t.data ->> 'difference')::bigint) = (c.total, c.expected, c.difference)",
        facts="t.data -> 'facts' = c.facts",
        reason="coalesce(t.data ->> 'reason', '') = c.reason",
        answered="(a.id IS NOT NULL) = (w.id IS NOT NULL)",
        answer="w.id IS NULL OR ((a.data ->> 'agrees')::boolean, a.data ->> 'words',"
        " (a.data -> 'signed_by' ->> 'id')::bigint, a.occurred)"
        " = (w.agrees, w.words, w.signed_by_id, w.signed_at)",
    )
} AS wrong
FROM (SELECT *, "table" AS of_table FROM audits_inspectioncount WHERE casino_id = %(casino)s) c
FULL JOIN counted t ON t.subject_id = c.inspection_id AND (t.data ->> 'count')::int = c.number
LEFT JOIN audits_inspectionanswer w ON w.count_id = c.id
LEFT JOIN answered a ON a.subject_id = t.subject_id AND a.data ->> 'count' = t.data ->> 'count'
"""  # noqa: S608


def inspection_faults(casino: Casino) -> Iterator[Fault]:
    """Rows that are not what the trail tells, numbers that are missing, draws that do not come out so."""
    for query in (_TERMS, _ACCESSES, _LOOKS, _VISITS, _DRAWS, _COUNTS):
        yield from differing(query, casino)
    yield from missing_numbers(
        casino,
        SERIES,
        Inspection.objects.filter(casino=casino),
        code="inspection_numbers",
        of=Text("inspecciones", "inspections"),
    )
    rows = InspectionDraw.objects.filter(casino=casino, state=InspectionDraw.State.DRAWN)
    for found in rows.select_related("inspection").order_by("pk").iterator(chunk_size=200):
        wrong_parts = draw.verify_draw(drawing.record_of(found))
        if wrong_parts:
            listed = ", ".join(wrong_parts)
            yield Fault(
                "draw_differs",
                found.label,
                Text(f"el sorteo no sale así: {listed}", f"the draw does not come out so: {listed}"),
            )
