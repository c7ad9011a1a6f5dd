"""Shifts and certificates against their events (REC-06): every row is what the trail told of it last."""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino

_ACTIONS = (
    "tables.shift.planned",
    "tables.shift.changed",
    "tables.shift.cancelled",
    "tables.shift.absent",
    "tables.shift.swapped",
    "tables.shift.clocked_in",
    "tables.shift.clocked_out",
    "tables.shift.corrected",
)

# A swap moves a shift to another person's stream: its events are in order of their ids, under their lock.
_SHIFTS = f"""
WITH told AS MATERIALIZED {told(*_ACTIONS)},
last AS (SELECT DISTINCT ON (subject_id) * FROM told ORDER BY subject_id, id DESC),
planned AS (SELECT subject_id, count(*) AS times FROM told WHERE action = 'tables.shift.planned' GROUP BY 1)
SELECT 'shift:' || coalesce(s.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="s.id IS NOT NULL",
        once="p.times = 1",
        stream="t.stream = 'staff:' || s.staff_id",
        staff="(t.data ->> 'staff')::bigint = s.staff_id",
        day="(t.data ->> 'day')::date = s.day",
        planned="tstzrange((t.data ->> 'start')::timestamptz, (t.data ->> 'end')::timestamptz) = s.planned",
        actual="CASE WHEN t.data ->> 'came' IS NULL THEN s.actual IS NULL ELSE"
        " tstzrange((t.data ->> 'came')::timestamptz, (t.data ->> 'left')::timestamptz) = s.actual END",
        state="t.data ->> 'state' = s.state",
        said="(t.data ->> 'duty', t.data ->> 'note') = (s.duty, s.note)",
    )
} AS wrong
FROM (SELECT * FROM tables_shift WHERE casino_id = %(casino)s) s
FULL JOIN last t ON t.subject_id = s.id
LEFT JOIN planned p ON p.subject_id = t.subject_id
"""  # noqa: S608

_CERTIFICATES = f"""
WITH told AS MATERIALIZED {told("tables.staff.certified")}
SELECT 'certificate:' || coalesce(c.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="c.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(c.id, t.subject_id)) = 1",
        stream="t.stream = 'staff:' || c.staff_id",
        game="t.data ->> 'game' = c.game",
        span="(t.data ->> 'since')::date = c.since "
        " AND (t.data ->> 'until')::date IS NOT DISTINCT FROM c.until",
        paper="(t.data ->> 'certified_by', t.data ->> 'document') = (c.certified_by, c.document)",
        recorded="(t.actor_id, t.occurred) = (c.recorded_by_id, c.recorded_at)",
    )
} AS wrong
FROM (SELECT * FROM tables_certificate WHERE casino_id = %(casino)s) c
FULL JOIN told t ON t.subject_id = c.id
"""  # noqa: S608

# Events from before there were departments say none: those people were of the floor.
_DEPARTMENTS = f"""
WITH told AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) *
    FROM {told("tables.staff.registered", "tables.staff.changed")} t ORDER BY subject_id, seq DESC
)
SELECT 'staff:' || v.id AS place, {
    wrong(department="coalesce(t.data ->> 'department', 'floor') = v.department")
} AS wrong
FROM tables_staff v JOIN told t ON t.subject_id = v.id WHERE v.casino_id = %(casino)s
"""  # noqa: S608


def roster_faults(casino: Casino) -> Iterator[Fault]:
    """Shifts, certificates and departments that are not what the trail tells."""
    for query in (_SHIFTS, _CERTIFICATES, _DEPARTMENTS):
        yield from differing(query, casino)
