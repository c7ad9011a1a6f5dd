"""The proof of what is kept beside filings and incidents: files, held video, demands, terms (REC-06)."""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino


def _stamp(column: str) -> str:
    """An instant as the trail writes it."""
    return f"to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"


_ATTACHMENTS = f"""
WITH added AS MATERIALIZED {told("audits.attachment.added")}
SELECT 'attachment:' || coalesce(a.id, (t.data ->> 'attachment')::bigint) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="a.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(a.id, (t.data ->> 'attachment')::bigint)) = 1",
        of="t.stream = coalesce('filing:' || a.filing_id, 'incident:' || a.incident_id)",
        name="t.data ->> 'name' = a.name AND t.data ->> 'note' = a.note",
        type="t.data ->> 'media_type' = a.media_type",
        size="(t.data ->> 'size_bytes')::bigint = a.size_bytes",
        sha256="t.data ->> 'sha256' = a.sha256",
        by="(t.actor_id, t.occurred) = (a.by_id, a.at)",
    )
} AS wrong
FROM (SELECT * FROM audits_attachment WHERE casino_id = %(casino)s) a
FULL JOIN added t ON (t.data ->> 'attachment')::bigint = a.id
"""  # noqa: S608
_VIDEO = f"""
WITH held AS MATERIALIZED {told("audits.incident.video_held")}
SELECT 'video_hold:' || coalesce(v.id, (t.data ->> 'hold')::bigint) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="v.id IS NOT NULL",
        of="t.stream = 'incident:' || v.incident_id",
        cameras="t.data ->> 'cameras' = v.cameras AND t.data ->> 'kept_where' = v.kept_where",
        span=f"(t.data ->> 'first', t.data ->> 'last') = ({_stamp('v.first')}, {_stamp('v.last')})",
        by="(t.actor_id, t.occurred) = (v.by_id, v.at)",
    )
} AS wrong
FROM (SELECT * FROM audits_videohold WHERE casino_id = %(casino)s) v
FULL JOIN held t ON (t.data ->> 'hold')::bigint = v.id
"""  # noqa: S608
_DEMANDS = f"""
WITH said AS MATERIALIZED {told("audits.filing.demanded", "audits.filing.released")}
SELECT 'filing_demand:' || coalesce(d.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="d.id IS NOT NULL",
        kind="t.data ->> 'kind' = d.kind",
        demanded="(t.action = 'audits.filing.demanded') = d.demanded",
        by="(t.actor_id, t.occurred) = (d.by_id, d.at)",
    )
} AS wrong
FROM (SELECT * FROM audits_filingdemand WHERE casino_id = %(casino)s) d
FULL JOIN said t ON t.subject_id = d.id
"""  # noqa: S608
_TERMS = f"""
WITH said AS MATERIALIZED {told("audits.complaint.terms_set")}
SELECT 'complaint_terms:' || coalesce(c.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="c.id IS NOT NULL",
        days="((t.data ->> 'file_days')::int, (t.data ->> 'answer_days')::int,"
        " (t.data ->> 'appeal_days')::int, (t.data ->> 'video_days')::int)"
        " = (c.file_days, c.answer_days, c.appeal_days, c.video_days)",
        holidays="t.data -> 'holidays' = c.holidays",
        by="(t.actor_id, t.occurred) = (c.by_id, c.at)",
    )
} AS wrong
FROM (SELECT * FROM audits_complaintterms WHERE casino_id = %(casino)s) c
FULL JOIN said t ON t.subject_id = c.id
"""  # noqa: S608


def evidence_faults(casino: Casino) -> Iterator[Fault]:
    """Rows that are not what the trail tells, and events without their row."""
    for query in (_ATTACHMENTS, _VIDEO, _DEMANDS, _TERMS):
        yield from differing(query, casino)
