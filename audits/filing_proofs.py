"""The proof of the filings: rows and numbers against the events of `filing:<id>`."""

from __future__ import annotations

from collections.abc import Iterator

from audits.filings import SERIES
from audits.models import Filing
from audits.verify import Fault, differing, missing_numbers, told, wrong, year_label
from casino.kernel.words import Text
from casino.models import Casino

_LABEL = year_label("AJ", "f")
_STEPS = (
    "audits.filing.presented", "audits.filing.due_set", "audits.filing.approved", "audits.filing.refused",
    "audits.filing.withdrawn", "audits.filing.revoked", "audits.filing.used",
)  # fmt: skip
"""Each says until when something is due, or ends what was."""
_FILINGS = f"""
WITH drafted AS MATERIALIZED {told("audits.filing.drafted")},
presented AS MATERIALIZED {told("audits.filing.presented")},
decided AS MATERIALIZED {told("audits.filing.approved", "audits.filing.refused", "audits.filing.withdrawn")},
ended AS MATERIALIZED {told("audits.filing.revoked", "audits.filing.used")},
due AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {told(*_STEPS)} t ORDER BY subject_id, seq DESC
)
SELECT 'filing:' || coalesce(f.id, d.subject_id) AS place, {
    wrong(
        event="d.id IS NOT NULL AND d.stream = 'filing:' || f.id AND d.subject_label = " + _LABEL,
        row="f.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(f.id, d.subject_id)) = 1",
        kind="d.data ->> 'kind' = f.kind",
        about="(d.data ->> 'about_type', (d.data ->> 'about_id')::bigint, d.data ->> 'about')"
        " = (f.subject_type, f.subject_id, f.subject_label)",
        text="d.data ->> 'text' = f.text AND d.data -> 'facts' = f.facts",
        drafted="(d.actor_id, d.occurred) = (f.author_id, f.drafted_at)",
        presented="p.occurred IS NOT DISTINCT FROM f.presented_at",
        state="f.state = coalesce(split_part(e.action, '.', 3), split_part(c.action, '.', 3),"
        " CASE WHEN p.id IS NULL THEN 'draft' ELSE 'presented' END)",
        decided="c.occurred IS NOT DISTINCT FROM f.decided_at AND f.decided_by_id IS NOT DISTINCT FROM"
        " CASE WHEN c.action <> 'audits.filing.withdrawn' THEN c.actor_id END",
        reference="coalesce(c.data ->> 'reference', '') = f.reference",
        valid="((c.data ->> 'valid_from')::date, (c.data ->> 'valid_until')::date)"
        " IS NOT DISTINCT FROM (f.valid_from, f.valid_until)",
        receipt="coalesce(p.data ->> 'receipt', '') = f.receipt",
        due="((u.data ->> 'due_on')::date, coalesce(u.data ->> 'due_for', ''))"
        " IS NOT DISTINCT FROM (f.due_on, f.due_for)",
        ended="(e.actor_id, e.occurred, coalesce(e.data ->> 'document', ''))"
        " IS NOT DISTINCT FROM (f.ended_by_id, f.ended_at, f.document)",
    )
} AS wrong
FROM (SELECT * FROM audits_filing WHERE casino_id = %(casino)s) f FULL JOIN drafted d ON d.subject_id = f.id
LEFT JOIN presented p ON p.subject_id = f.id LEFT JOIN decided c ON c.subject_id = f.id
LEFT JOIN ended e ON e.subject_id = f.id LEFT JOIN due u ON u.subject_id = f.id
"""  # noqa: S608


def filing_faults(casino: Casino) -> Iterator[Fault]:
    """Filings that are not what the trail tells, and gaps in their numbers."""
    yield from differing(_FILINGS, casino)
    yield from missing_numbers(
        casino,
        SERIES,
        Filing.objects.filter(casino=casino),
        code="filing_numbers",
        of=Text("trámites", "filings"),
    )
