"""The proof of the incidents: rows, notes, notice and settlement against the events of `incident:<id>`."""

from __future__ import annotations

from collections.abc import Iterator

from audits.incidents import SERIES
from audits.verify import Fault, differing, missing_numbers, told, wrong, year_label
from casino.kernel.words import Text
from casino.models import Casino

_LABEL = year_label("INC", "i")


def _stamp(column: str) -> str:
    """An instant as the trail writes it."""
    return f"to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"


# The notice stands as it was opened with, as it was edited last, and as it was sent.
_INCIDENTS = f"""
WITH opened AS MATERIALIZED {told("audits.incident.opened")},
resolved AS MATERIALIZED {told("audits.incident.resolved")},
sent AS MATERIALIZED {told("audits.notice.sent")},
worded AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {told("audits.incident.opened", "audits.notice.edited")} t
    ORDER BY subject_id, seq DESC
)
SELECT 'incident:' || coalesce(i.id, t.subject_id) AS place, {
    wrong(
        row="i.id IS NOT NULL",
        opened="t.id IS NOT NULL AND t.stream = 'incident:' || i.id AND t.subject_label = " + _LABEL,
        once="count(*) OVER (PARTITION BY coalesce(i.id, t.subject_id)) = 1",
        opened_at="t.occurred = i.opened_at",
        opened_by="t.actor_id = i.opened_by_id",
        kind="t.data ->> 'kind' = i.kind",
        summary="t.data -> 'summary' = jsonb_build_object('es', i.summary_es, 'en', i.summary_en)",
        about="t.data -> 'about' = jsonb_build_object("
        "'type', i.subject_type, 'id', i.subject_id, 'label', i.subject_label)",
        table="t.data ->> 'table' = i.table_label AND (t.data ->> 'freezes')::boolean = i.freezes",
        rules="t.data -> 'rules' = to_jsonb(i.rules)",
        facts="t.data -> 'facts' = i.facts",
        notice="w.data ->> 'notice' = i.notice",
        notice_due="t.data ->> 'notice_due' IS NOT DISTINCT FROM " + _stamp("i.notice_due"),
        sent="(s.id IS NOT NULL) = (i.notice_sent_at IS NOT NULL)",
        sent_at="s.occurred IS NOT DISTINCT FROM i.notice_sent_at",
        reference="coalesce(s.data ->> 'reference', '') = i.notice_reference",
        sent_text="s.id IS NULL OR s.data ->> 'notice' = i.notice",
        resolved="i.state = CASE WHEN r.id IS NULL THEN 'open' ELSE 'resolved' END",
        resolved_at="r.occurred IS NOT DISTINCT FROM i.resolved_at",
        resolved_by="r.actor_id IS NOT DISTINCT FROM i.resolved_by_id"
        " AND (r.data -> 'with' ->> 'id')::bigint IS NOT DISTINCT FROM i.resolved_with_id",
        resolution="coalesce(r.data ->> 'resolution', '') = i.resolution"
        " AND coalesce(r.data ->> 'rule', '') = i.rule_applied",
    )
} AS wrong
FROM (SELECT * FROM audits_incident WHERE casino_id = %(casino)s) i
FULL JOIN opened t ON t.subject_id = i.id
LEFT JOIN worded w ON w.subject_id = i.id
LEFT JOIN sent s ON s.subject_id = i.id
LEFT JOIN resolved r ON r.subject_id = i.id
"""  # noqa: S608

# The n-th note of an incident is the n-th event of its stream that tells of one.
_NOTES = f"""
WITH event AS MATERIALIZED {told("audits.incident.noted")},
told AS (SELECT *, row_number() OVER (PARTITION BY subject_id ORDER BY seq) AS nth FROM event),
made AS (
    SELECT *, row_number() OVER (PARTITION BY incident_id ORDER BY id) AS nth
    FROM audits_incidentnote WHERE casino_id = %(casino)s
)
SELECT 'incident:' || coalesce(n.incident_id, t.subject_id) || ', ' || coalesce(n.nth, t.nth) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="n.id IS NOT NULL",
        text="t.data ->> 'text' = n.text",
        by="t.actor_id = n.by_id",
        at="t.occurred = n.at",
    )
} AS wrong
FROM made n FULL JOIN told t ON t.subject_id = n.incident_id AND t.nth = n.nth
"""  # noqa: S608


def told_faults(casino: Casino) -> Iterator[Fault]:
    """Incidents and notes that are not what their streams tell (REC-06), and numbers that are missing."""
    for query in (_INCIDENTS, _NOTES):
        yield from differing(query, casino)
    kept = casino.incidents.all()
    yield from missing_numbers(
        casino, SERIES, kept, code="incident_numbers", of=Text("incidente", "incidents")
    )
