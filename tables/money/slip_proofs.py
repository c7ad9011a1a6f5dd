"""The proofs of slips and chips: each slip as its events tell and as it was posted, each session's sums of
them, entries and counts of chips as their events tell; no float changed by anything else (FLOOR-06), and no
transfer of a kind that nobody proves.
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, missing_numbers, told, wrong
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import Slip
from tables.money import transfer_kinds
from tables.money.chip_move_proofs import move_faults
from tables.money.floats import FLOAT_MOVES

_LABEL = (
    "CASE s.kind WHEN 'fill' THEN 'F-' ELSE 'C-' END || s.year || '-'"
    " || lpad(s.number::text, greatest(6, length(s.number::text)), '0')"
)
_SUM = "(SELECT sum(chip::bigint * many::bigint) FROM jsonb_each_text(s.chips) c (chip, many))"

_SLIPS = f"""
WITH asked AS MATERIALIZED {told("tables.slip.requested")},
issued AS MATERIALIZED {told("tables.slip.issued")},
verified AS MATERIALIZED {told("tables.slip.verified")},
voided AS MATERIALIZED {told("tables.slip.voided")}
SELECT 'slip:' || coalesce(s.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="s.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(s.id, t.subject_id)) = 1",
        session="t.stream = 'session:' || s.session_id",
        label=f"t.subject_label = {_LABEL}",
        year="s.year = extract(year FROM t.occurred AT TIME ZONE k.zone)",
        kind="t.data ->> 'kind' = s.kind",
        desk="(t.data ->> 'desk')::int = d.number",
        chips="t.data -> 'chips' = s.chips",
        total="(t.data ->> 'total')::bigint = s.total",
        sum=f"s.total = {_SUM}",
        requested="(t.actor_id, t.occurred) = (s.requested_by_id, s.requested_at)",
        state="s.state = CASE WHEN x.id IS NOT NULL THEN 'void' WHEN v.id IS NOT NULL THEN 'verified'"
        " WHEN i.id IS NOT NULL THEN 'issued' ELSE 'requested' END",
        issued="(i.actor_id, i.occurred, coalesce(i.data ->> 'runner', ''))"
        " IS NOT DISTINCT FROM (s.issued_by_id, s.issued_at, s.runner)",
        verified="(v.actor_id, v.occurred, (v.data ->> 'dealer_id')::bigint)"
        " IS NOT DISTINCT FROM (s.verified_by_id, s.verified_at, s.dealer_id)",
        verified_chips="v.id IS NULL OR v.data -> 'chips' = s.chips",
        voided="(x.actor_id, x.occurred, (x.data -> 'with' ->> 'id')::bigint,"
        " coalesce(btrim(x.data ->> 'reason'), ''))"
        " IS NOT DISTINCT FROM (s.voided_by_id, s.voided_at, s.voided_with_id, s.void_reason)",
    )
} AS wrong
FROM (SELECT * FROM tables_slip WHERE casino_id = %(casino)s) s
FULL JOIN asked t ON t.subject_id = s.id
LEFT JOIN casino_casino k ON k.id = s.casino_id LEFT JOIN tables_cagedesk d ON d.id = s.desk_id
LEFT JOIN issued i ON i.subject_id = coalesce(s.id, t.subject_id)
LEFT JOIN verified v ON v.subject_id = coalesce(s.id, t.subject_id)
LEFT JOIN voided x ON x.subject_id = coalesce(s.id, t.subject_id)
"""  # noqa: S608

# What a verified slip moves: between its desk and its tray, under the event that verified it, on its day.
_POSTED = f"""
WITH verified AS MATERIALIZED {told("tables.slip.verified")},
due AS (
    SELECT v.id AS event_id, due.*, y.date AS day
    FROM tables_slip s JOIN verified v ON v.subject_id = s.id
    JOIN tables_cagedesk d ON d.id = s.desk_id
    JOIN tables_tablesession n ON n.id = s.session_id JOIN casino_gamingday y ON y.id = n.day_id,
    LATERAL (VALUES
        (s.kind, 'tray:' || s.session_id, CASE s.kind WHEN 'fill' THEN s.total ELSE 0 END,
         CASE s.kind WHEN 'fill' THEN 0 ELSE s.total END),
        (s.kind, 'cage:' || d.number, CASE s.kind WHEN 'fill' THEN 0 ELSE s.total END,
         CASE s.kind WHEN 'fill' THEN s.total ELSE 0 END)
    ) due (kind, code, debit, credit)
    WHERE s.casino_id = %(casino)s AND s.state = 'verified'
), line AS (
    SELECT t.event_id, t.kind, a.code, sum(p.debit) AS debit, sum(p.credit) AS credit, t.day
    FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id
    JOIN audits_account a ON a.id = p.account_id
    WHERE t.casino_id = %(casino)s AND t.kind IN ('fill', 'credit') GROUP BY 1, 2, 3, t.day
)
SELECT 'event ' || coalesce(d.event_id, l.event_id) || ' (' || coalesce(d.kind, l.kind) || ' '
       || coalesce(d.code, l.code) || ')' AS place,
       {wrong(debit="d.debit = l.debit", credit="d.credit = l.credit", day="d.day = l.day")} AS wrong
FROM due d FULL JOIN line l USING (event_id, kind, code)
"""  # noqa: S608

_SESSIONS = f"""
WITH slip AS (
    SELECT session_id, coalesce(sum(total) FILTER (WHERE kind = 'fill'), 0) AS fills,
           coalesce(sum(total) FILTER (WHERE kind = 'credit'), 0) AS credits
    FROM tables_slip WHERE casino_id = %(casino)s AND state = 'verified' GROUP BY 1
)
SELECT 'session:' || n.id AS place, {
    wrong(fills="n.fills = coalesce(s.fills, 0)", credits="n.credits = coalesce(s.credits, 0)")
} AS wrong
FROM tables_tablesession n LEFT JOIN slip s ON s.session_id = n.id WHERE n.casino_id = %(casino)s
"""  # noqa: S608

_FLOATS = f"""
SELECT 'transfer ' || p.transfer_id || ' (' || a.code || ' ' || p.memo || ')' AS place,
       {wrong(float_move="p.memo = ANY (%(memos)s)")} AS wrong
FROM audits_posting p JOIN audits_account a ON a.id = p.account_id
WHERE p.casino_id = %(casino)s AND a.code LIKE 'tray:%%'
"""  # noqa: S608

# A transfer of a kind no proof answers for would be compared with nothing.
_KINDS = f"""
SELECT 'transfer ' || id || ' (' || kind || ')' AS place, {wrong(kind="kind = ANY (%(kinds)s)")} AS wrong
FROM audits_transfer WHERE casino_id = %(casino)s
"""  # noqa: S608

_ENTRIES = f"""
WITH told AS MATERIALIZED {told("tables.chips.entered")}
SELECT 'chips:' || coalesce(c.id, t.id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="c.id IS NOT NULL",
        kind="t.data ->> 'entry' = c.kind",
        chips="t.data -> 'chips' = c.chips",
        total="(t.data ->> 'total')::bigint = c.total",
        papers="(t.data ->> 'supplier', t.data ->> 'document', t.data ->> 'serials')"
        " = (c.supplier, c.document, c.serials)",
        signed="(t.actor_id, (t.data -> 'with' ->> 'id')::bigint, t.occurred)"
        " = (c.signed_by_id, c.signed_with_id, c.at)",
    )
} AS wrong
FROM (SELECT * FROM tables_chipentry WHERE casino_id = %(casino)s) c FULL JOIN told t ON t.id = c.event_id
"""  # noqa: S608

_CHIP_COUNTS = f"""
WITH told AS MATERIALIZED {told("tables.chips.counted")}
SELECT 'chip_count:' || coalesce(c.id, t.id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="c.id IS NOT NULL",
        place="t.data ->> 'place' = c.place",
        lines="t.data -> 'lines' = c.lines",
        difference="(t.data ->> 'difference')::bigint = c.difference",
        incident="(t.data ->> 'incident' = '') = (c.incident_id IS NULL)",
        signed="(t.actor_id, (t.data -> 'with' ->> 'id')::bigint, t.occurred)"
        " = (c.counted_by_id, c.counted_with_id, c.at)",
    )
} AS wrong
FROM (SELECT * FROM tables_chipstockcount WHERE casino_id = %(casino)s) c
FULL JOIN told t ON t.id = c.event_id
"""  # noqa: S608

_DESKS = f"""
WITH told AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {told("tables.desk.set")} t ORDER BY subject_id, seq DESC
)
SELECT 'desk:' || coalesce(d.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="d.id IS NOT NULL",
        set="(t.subject_label, (t.data ->> 'number')::int, (t.data ->> 'active')::boolean)"
        " = (d.name, d.number, d.active)",
    )
} AS wrong
FROM (SELECT * FROM tables_cagedesk WHERE casino_id = %(casino)s) d FULL JOIN told t ON t.subject_id = d.id
"""  # noqa: S608

_SETS = f"""
WITH told AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {told("tables.chip_set.set")} t ORDER BY subject_id, seq DESC
)
SELECT 'chip_set:' || coalesce(c.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="c.id IS NOT NULL",
        set="(t.subject_label, t.data ->> 'kind', t.data ->> 'marks', (t.data ->> 'active')::boolean)"
        " = (c.name, c.kind, c.marks, c.active)",
        denominations="t.data -> 'denominations' = to_jsonb(c.denominations)",
    )
} AS wrong
FROM (SELECT * FROM tables_chipset WHERE casino_id = %(casino)s) c FULL JOIN told t ON t.subject_id = c.id
"""  # noqa: S608


def slip_trail_faults(casino: Casino) -> Iterator[Fault]:
    """Slips, moves, entries, counts, desks, sets that are not what the trail tells; gaps in the numbers."""
    for query in (_SLIPS, _ENTRIES, _CHIP_COUNTS, _DESKS, _SETS):
        yield from differing(query, casino)
    yield from move_faults(casino)
    for kind, of in (("fill", Text("reposiciones", "fills")), ("credit", Text("retiros", "credits"))):
        kept = Slip.objects.filter(casino=casino, kind=kind)
        yield from missing_numbers(casino, kind, kept, code="slip_numbers", of=of)


def slip_money_faults(casino: Casino) -> Iterator[Fault]:
    """Slips not posted as they are stored, sessions whose fills and credits are not their slips'; and floats
    moved by anything else."""
    for query in (_POSTED, _SESSIONS):
        yield from differing(query, casino, "money_differs")
    yield from differing(_FLOATS, casino, "float_moved", memos=list(FLOAT_MOVES))
    yield from differing(_KINDS, casino, "money_differs", kinds=sorted(transfer_kinds.known()))
