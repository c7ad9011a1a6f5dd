"""The cage proved: its rows against what the trail tells, and what was posted against the rows.

Each query is one statement; its checks are named by the column they hold (REC-06). The ledger's looks at
every account of every event, debits and credits apart, so that chips and price cannot hide one another.
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.personal import is_told, is_told_whole, pseudonym_of
from audits.verify import Fault, differing, missing_numbers, told, wrong, year_label
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import CageOperation, CageTransfer, Orphan
from tables.money import tip_proofs


def _label(series: str, alias: str) -> str:
    """`V-2026-000001` as SQL."""
    number = f"{alias}.number::text"
    return f"{series} || '-' || {alias}.year || '-' || lpad({number}, greatest(6, length({number})), '0')"


def _masked(column: str, alias: str, kind: str) -> str:
    """That a document is told by its last signs and its length (`orphans.masked`), as SQL; or, of who became
    a pseudonym, that it is no more than that (REC-12)."""
    said = f"coalesce({alias}.data ->> 'document', '')"
    shown = f"ltrim({said}, '•')"
    whole = (
        f"{shown} = right({column}, length({shown})) AND length({said}) = length({column})"
        f" AND {is_told_whole(alias, 'document', column)}"
    )
    code = pseudonym_of(kind, "r.id")
    return f"CASE WHEN {code} IS NULL OR {said} = '' THEN {whole} ELSE {column} = {code} END"


def _named(alias: str, path: str, column: str, kind: str) -> str:
    """That who is named is whom the event tells, openly as once or by commitment; or their pseudonym
    (REC-12)."""
    code = pseudonym_of(kind, "r.id")
    told_so = is_told(f"{alias}.id", f"{alias}.data", path, column)
    nobody = f"coalesce({alias}.data ->> '{path}', '') = ''"
    return f"CASE WHEN {code} IS NULL OR {nobody} THEN {told_so} ELSE {column} = {code} END"


_RECEIPTS = f"""
WITH told AS MATERIALIZED {
    told(
        "tables.cage.sold",
        "tables.cage.redeemed",
        "tables.cage.exchanged",
        "tables.cage.prize_paid",
        "tables.cage.voided",
    )
}
SELECT 'receipt:' || coalesce(r.id, t.subject_id) AS place, {
    wrong(
        row="r.id IS NOT NULL",
        event="t.id = r.event_id AND t.stream = 'cage:' || r.desk_id AND t.subject_label = "
        + _label("r.series", "r"),
        action="t.action = CASE WHEN r.reverses_id IS NOT NULL THEN 'tables.cage.voided'"
        " WHEN r.kind = 'sale' THEN 'tables.cage.sold' WHEN r.kind = 'redemption' THEN 'tables.cage.redeemed'"
        " WHEN r.kind LIKE 'prize%%' THEN 'tables.cage.prize_paid' ELSE 'tables.cage.exchanged' END",
        series="r.series = CASE WHEN r.reverses_id IS NOT NULL THEN 'A' WHEN r.kind = 'sale' THEN 'V'"
        " WHEN r.kind = 'redemption' THEN 'R' WHEN r.kind LIKE 'prize%%' THEN 'P' ELSE 'X' END",
        figures="((t.data ->> 'amount')::bigint, (t.data ->> 'tax')::bigint, (t.data ->> 'on_top')::boolean,"
        " t.data ->> 'means', t.data ->> 'kind') = (r.amount, r.tax, r.on_top, r.means, r.kind)",
        customer=_named("t", "customer", "r.customer", "receipt"),
        flagged="coalesce((t.data ->> 'flagged')::boolean, false) = r.flagged",
        document=_masked("r.document", "t", "receipt"),
        reference="coalesce(t.data ->> 'reference', '') = r.reference",
        tendered="(t.data ->> 'tendered')::bigint IS NOT DISTINCT FROM r.tendered",
        chips="(t.data -> 'chips_out', t.data -> 'chips_in') = (r.chips_out, r.chips_in)",
        at="t.occurred = r.at AND t.actor_id = r.made_by_id",
        day="t.data ->> 'day' = to_char(d.date, 'YYYY-MM-DD')",
        reverses="coalesce(t.data ->> 'reverses', '') = coalesce(" + _label("v.series", "v") + ", '')",
        reversed="v.id IS NULL OR (v.amount, v.tax, v.on_top, v.means, v.chips_in, v.chips_out, v.kind,"
        " v.desk_id) = (r.amount, r.tax, r.on_top, r.means, r.chips_out, r.chips_in, r.kind, r.desk_id)",
        approved_by="(t.data -> 'approved_by' ->> 'id')::bigint IS NOT DISTINCT FROM r.approved_by_id",
        reason="CASE WHEN r.reverses_id IS NULL THEN '' ELSE coalesce(btrim(t.data ->> 'reason'), '') END"
        " = r.reason",
    )
} AS wrong
FROM (SELECT * FROM tables_cageoperation WHERE casino_id = %(casino)s) r
FULL JOIN told t ON t.subject_id = r.id
LEFT JOIN casino_gamingday d ON d.id = r.day_id
LEFT JOIN tables_cageoperation v ON v.id = r.reverses_id
"""  # noqa: S608

_TRANSFERS = f"""
WITH asked AS MATERIALIZED {told("tables.transfer.requested")},
ended AS MATERIALIZED {told("tables.transfer.accepted", "tables.transfer.cancelled")}
SELECT 'transfer:' || coalesce(r.id, t.subject_id) AS place, {
    wrong(
        row="r.id IS NOT NULL",
        asked="t.id IS NOT NULL AND t.stream = 'cage:' || r.desk_id AND t.subject_label = "
        + _label("'T'", "r"),
        chips="(t.data -> 'chips', (t.data ->> 'chips_total')::bigint) = (r.chips, r.chips_total)",
        cash="(t.data -> 'cash', (t.data ->> 'cash_total')::bigint) = (r.cash, r.cash_total)",
        direction="t.data ->> 'direction' = r.direction",
        requested="(t.occurred, t.actor_id) = (r.requested_at, r.requested_by_id)",
        state="r.state = CASE e.action WHEN 'tables.transfer.accepted' THEN 'accepted'"
        " WHEN 'tables.transfer.cancelled' THEN 'cancelled' ELSE 'requested' END",
        once="count(*) OVER (PARTITION BY coalesce(r.id, t.subject_id)) = 1",
        closed="e.occurred IS NOT DISTINCT FROM r.closed_at"
        " AND e.actor_id IS NOT DISTINCT FROM r.closed_by_id",
        ipj="coalesce((e.data ->> 'ipj')::bigint, 0) = r.ipj",
        reason="CASE WHEN r.state = 'cancelled' THEN coalesce(btrim(e.data ->> 'reason'), '') ELSE '' END"
        " = r.reason",
    )
} AS wrong
FROM (SELECT * FROM tables_cagetransfer WHERE casino_id = %(casino)s) r
FULL JOIN asked t ON t.subject_id = r.id
LEFT JOIN ended e ON e.subject_id = r.id
"""  # noqa: S608

_COUNTS = f"""
WITH told AS MATERIALIZED {told("tables.cage.counted")}
SELECT 'cage_count:' || coalesce(r.id, t.subject_id) AS place, {
    wrong(
        row="r.id IS NOT NULL",
        event="t.id = r.event_id AND t.stream = 'cage:' || r.desk_id",
        moment="t.data ->> 'moment' = r.moment",
        chips="(t.data -> 'chips', t.data -> 'chips_off') = (r.chips, r.chips_off)",
        cash="t.data -> 'cash' = r.cash",
        sums="r.chips_total = (SELECT coalesce(sum(k::bigint * v::bigint), 0)"
        " FROM jsonb_each_text(r.chips) c (k, v))"
        " AND r.cash_total = (SELECT coalesce(sum(k::bigint * v::bigint), 0)"
        " FROM jsonb_each_text(r.cash) c (k, v))",
        difference="((t.data ->> 'chips_difference')::bigint, (t.data ->> 'cash_difference')::bigint)"
        " = (r.chips_difference, r.cash_difference)",
        signed="(t.actor_id, (t.data -> 'with' ->> 'id')::bigint) = (r.counted_by_id, r.counted_with_id)",
        at="t.occurred = r.at",
        incident="t.data ->> 'incident' = coalesce(" + year_label("INC", "i") + ", '')",
        day="t.data ->> 'day' = to_char(d.date, 'YYYY-MM-DD')",
    )
} AS wrong
FROM (SELECT * FROM tables_cagecount WHERE casino_id = %(casino)s) r
FULL JOIN told t ON t.subject_id = r.id
LEFT JOIN audits_incident i ON i.id = r.incident_id
LEFT JOIN casino_gamingday d ON d.id = r.day_id
"""  # noqa: S608

_FUNDS = f"""
WITH told AS MATERIALIZED {
    told(
        "tables.funds.brought",
        "tables.funds.withdrawn",
        "tables.funds.drop_carried",
        "tables.funds.ipj_paid",
        "tables.funds.drawn",
        "tables.funds.banked",
    )
}
SELECT 'funds:' || coalesce(r.id, t.subject_id) AS place, {
    wrong(
        row="r.id IS NOT NULL",
        event="t.id = r.event_id",
        kind="t.data ->> 'kind' = r.kind",
        amount="((t.data ->> 'amount')::bigint, t.data ->> 'document') = (r.amount, r.document)",
        session="(t.data ->> 'session')::bigint IS NOT DISTINCT FROM r.session_id",
        drop="s.id IS NULL OR s.drop = r.amount",
        signed="(t.actor_id, (t.data -> 'with' ->> 'id')::bigint) = (r.signed_by_id, r.signed_with_id)",
        at="t.occurred = r.at",
    )
} AS wrong
FROM (SELECT * FROM tables_fundmove WHERE casino_id = %(casino)s) r
FULL JOIN told t ON t.subject_id = r.id
LEFT JOIN tables_tablesession s ON s.id = r.session_id
"""  # noqa: S608

_ORPHANS = f"""
WITH entered AS MATERIALIZED {told("tables.orphan.entered")},
ended AS MATERIALIZED {told("tables.orphan.returned", "tables.orphan.passed")}
SELECT 'orphan:' || coalesce(r.id, t.subject_id) AS place, {
    wrong(
        row="r.id IS NOT NULL",
        entered="t.id IS NOT NULL AND t.subject_label = " + _label("'H'", "r"),
        once="count(*) OVER (PARTITION BY coalesce(r.id, t.subject_id)) = 1",
        chips="(t.data -> 'chips', (t.data ->> 'amount')::bigint) = (r.chips, r.amount)",
        found="(t.data ->> 'kind', t.data ->> 'place', (t.data ->> 'found_by_id')::bigint,"
        " (t.data ->> 'witness_id')::bigint, t.data ->> 'keep_until')"
        " = (r.kind, r.place, r.found_by_id, r.witness_id, r.keep_until::text)",
        session="(t.data ->> 'session_id')::bigint IS NOT DISTINCT FROM r.session_id",
        at="(t.occurred, t.actor_id) = (r.found_at, r.entered_by_id)",
        state="r.state = CASE e.action WHEN 'tables.orphan.returned' THEN 'returned'"
        " WHEN 'tables.orphan.passed' THEN 'passed' ELSE 'kept' END",
        closed="e.occurred IS NOT DISTINCT FROM r.closed_at"
        " AND e.actor_id IS NOT DISTINCT FROM r.closed_by_id"
        " AND (e.data -> 'with' ->> 'id')::bigint IS NOT DISTINCT FROM r.closed_with_id",
        claimant=_named("e", "claimant", "r.claimant", "orphan"),
        document=_masked("r.document", "e", "orphan"),
        reason="CASE WHEN r.state = 'passed' THEN coalesce(btrim(e.data ->> 'reason'), '') ELSE '' END"
        " = r.reason",
    )
} AS wrong
FROM (SELECT * FROM tables_orphan WHERE casino_id = %(casino)s) r
FULL JOIN entered t ON t.subject_id = r.id
LEFT JOIN ended e ON e.subject_id = r.id
"""  # noqa: S608

_SETTINGS = f"""
WITH told AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {told("tables.cage.set")} t ORDER BY subject_id, seq DESC
)
SELECT 'cage_settings:' || coalesce(r.id, t.subject_id) AS place, {
    wrong(
        row="r.id IS NOT NULL",
        figures="((t.data ->> 'ipj_on_top')::boolean, (t.data ->> 'orphan_days')::int,"
        " t.data -> 'tip_points') = (r.ipj_on_top, r.orphan_days, r.tip_points)",
    )
} AS wrong
FROM (SELECT * FROM tables_cagesettings WHERE casino_id = %(casino)s) r
FULL JOIN told t ON t.subject_id = r.id
"""  # noqa: S608

# What each row moves: (event, day, account, debit, credit), lines of one account added up.
_DUE = f"""
WITH told AS MATERIALIZED {
    told(
        "tables.transfer.accepted",
        "tables.orphan.entered",
        "tables.orphan.returned",
        "tables.orphan.passed",
        "tables.tips.approved",
        "tables.chips.counted",
    )
},
receipt AS (
    SELECT r.event_id, d.date::text AS day, r.reverses_id IS NOT NULL AS void, v.*
    FROM tables_cageoperation r JOIN casino_gamingday d ON d.id = r.day_id
    JOIN tables_cagedesk k ON k.id = r.desk_id,
    LATERAL (SELECT
        CASE WHEN r.means = 'cash' THEN 'cage:' || k.number || ':cash' ELSE 'deposits' END AS cash,
        CASE WHEN r.means = 'cash' THEN 'tax:ipj:' || k.number ELSE 'tax:ipj:deposits' END AS tax) place,
    LATERAL (VALUES
        ('sale', 'cage:' || k.number, 0, r.amount),
        ('sale', 'players:cage', r.amount, r.amount + CASE WHEN r.on_top THEN r.tax ELSE 0 END),
        ('sale', place.cash, r.amount, CASE WHEN r.on_top THEN 0 ELSE r.tax END),
        ('sale', place.tax, r.tax, 0),
        ('redemption', 'players:cage', r.amount, r.amount),
        ('redemption', 'cage:' || k.number, r.amount, 0),
        ('redemption', place.cash, 0, r.amount),
        ('exchange', 'players:cage', r.amount, r.amount),
        ('exchange', 'cage:' || k.number, r.amount, r.amount),
        ('prize_cash', 'players:cage', r.amount, 0), ('prize_cash', place.cash, 0, r.amount),
        ('prize_chips', 'players:cage', r.amount, 0), ('prize_chips', 'cage:' || k.number, 0, r.amount)
    ) v (kind, code, debit, credit)
    WHERE r.casino_id = %(casino)s AND v.kind = r.kind
),
transfer AS (
    SELECT t.id AS event_id, t.data ->> 'day' AS day, v.*
    FROM tables_cagetransfer r JOIN told t ON t.action = 'tables.transfer.accepted' AND t.subject_id = r.id
    JOIN tables_cagedesk k ON k.id = r.desk_id,
    LATERAL (SELECT CASE WHEN r.direction = 'to_cage' THEN 1 ELSE 0 END AS inward) way,
    LATERAL (VALUES
        ('cage:' || k.number, inward * r.chips_total, (1 - inward) * r.chips_total),
        ('vault', (1 - inward) * r.chips_total, inward * r.chips_total),
        ('cage:' || k.number || ':cash', inward * r.cash_total, (1 - inward) * (r.cash_total - r.ipj)),
        ('vault:cash', (1 - inward) * (r.cash_total - r.ipj), inward * r.cash_total),
        ('tax:ipj:' || k.number, 0, r.ipj), ('tax:ipj', r.ipj, 0)
    ) v (code, debit, credit) WHERE r.casino_id = %(casino)s
),
counted AS (
    SELECT r.event_id, d.date::text AS day, v.*
    FROM tables_cagecount r JOIN casino_gamingday d ON d.id = r.day_id
    JOIN tables_cagedesk k ON k.id = r.desk_id,
    LATERAL (VALUES
        ('cage:' || k.number, r.chips_difference), ('cage:' || k.number || ':cash', r.cash_difference)
    ) o (code, off),
    LATERAL (VALUES
        (o.code, greatest(o.off, 0), greatest(-o.off, 0)),
        ('over_short:' || k.number, greatest(-o.off, 0), greatest(o.off, 0))
    ) v (code, debit, credit) WHERE r.casino_id = %(casino)s
),
chip_counted AS (
    SELECT r.event_id, t.data ->> 'day' AS day, v.*
    FROM tables_chipstockcount r JOIN told t ON t.id = r.event_id,
    LATERAL (VALUES
        (r.place, greatest(r.difference, 0), greatest(-r.difference, 0)),
        ('over_short:' || split_part(r.place, ':', 2), greatest(-r.difference, 0), greatest(r.difference, 0))
    ) v (code, debit, credit) WHERE r.casino_id = %(casino)s AND r.place LIKE 'cage:%%'
),
fund AS (
    SELECT r.event_id, d.date::text AS day, v.code, v.debit, v.credit
    FROM tables_fundmove r JOIN casino_gamingday d ON d.id = r.day_id,
    LATERAL (
        SELECT coalesce(sum(m.denomination * m.number), 0)::bigint AS chips
        FROM tables_dropbox b JOIN audits_event e ON e.subject_type = 'drop_box' AND e.subject_id = b.id
        JOIN tables_chipmove m ON m.event_id = e.id AND m.kind = 'box'
        WHERE b.session_id = r.session_id AND b.kind = 'drop'
    ) c,
    LATERAL (VALUES
        ('capital', 'capital', 0, r.amount), ('capital', 'vault:cash', r.amount, 0),
        ('withdrawal', 'vault:cash', 0, r.amount), ('withdrawal', 'capital', r.amount, 0),
        ('drop', 'drop:' || r.session_id, 0, r.amount), ('drop', 'vault:cash', r.amount - c.chips, 0),
        ('drop', 'vault', c.chips, 0),
        ('ipj', 'tax:ipj', 0, r.amount), ('ipj', 'treasury:ipj', r.amount, 0),
        ('ipj_bank', 'tax:ipj:deposits', 0, r.amount), ('ipj_bank', 'treasury:ipj', r.amount, 0),
        ('from_bank', 'deposits', 0, r.amount), ('from_bank', 'vault:cash', r.amount, 0),
        ('to_bank', 'vault:cash', 0, r.amount), ('to_bank', 'deposits', r.amount, 0)
    ) v (kind, code, debit, credit) WHERE r.casino_id = %(casino)s AND v.kind = r.kind
),
tip AS (
    SELECT r.event_id, d.date::text AS day, v.*
    FROM tables_tipentry r JOIN casino_gamingday d ON d.id = r.day_id,
    LATERAL (VALUES ('players:' || r.session_id, 0, r.amount), ('tips:' || r.session_id, r.amount, 0)
    ) v (code, debit, credit) WHERE r.casino_id = %(casino)s
),
shared AS (
    SELECT t.id AS event_id, t.data ->> 'paid_on' AS day, v.*
    FROM tables_tipdistribution r JOIN told t ON t.action = 'tables.tips.approved' AND t.subject_id = r.id
    JOIN tables_tipentry i ON i.day_id = r.day_id,
    LATERAL (VALUES ('tips:' || i.session_id, 0, i.amount), ('tips:paid', i.amount, 0)
    ) v (code, debit, credit) WHERE r.casino_id = %(casino)s
),
orphan AS (
    SELECT t.id AS event_id, t.data ->> 'day' AS day, v.code, v.debit, v.credit
    FROM tables_orphan r JOIN told t ON t.subject_id = r.id AND t.action LIKE 'tables.orphan.%%',
    LATERAL (SELECT 'players:' || coalesce(r.session_id::text, 'cage') AS theirs) place,
    LATERAL (VALUES
        ('entered', place.theirs, 0, r.amount), ('entered', 'orphans', r.amount, 0),
        ('returned', 'orphans', 0, r.amount), ('returned', place.theirs, r.amount, 0),
        ('passed', 'orphans', 0, r.amount), ('passed', 'vault', r.amount, 0)
    ) v (kind, code, debit, credit) WHERE r.casino_id = %(casino)s AND t.action = 'tables.orphan.' || v.kind
),
due AS (
    SELECT event_id, day, code, sum(debit)::bigint AS debit, sum(credit)::bigint AS credit FROM (
        SELECT event_id, day, code, CASE WHEN void THEN credit ELSE debit END AS debit,
               CASE WHEN void THEN debit ELSE credit END AS credit FROM receipt
        UNION ALL SELECT * FROM transfer UNION ALL SELECT * FROM counted UNION ALL SELECT * FROM chip_counted
        UNION ALL SELECT * FROM fund
        UNION ALL SELECT * FROM tip UNION ALL SELECT * FROM shared UNION ALL SELECT * FROM orphan
    ) line GROUP BY 1, 2, 3 HAVING sum(debit) + sum(credit) > 0
),
posted AS (
    SELECT t.event_id, min(t.day)::text AS day, count(DISTINCT t.day) AS days, a.code,
           sum(p.debit)::bigint AS debit, sum(p.credit)::bigint AS credit
    FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id
    JOIN audits_account a ON a.id = p.account_id
    WHERE t.casino_id = %(casino)s AND t.kind = ANY (%(kinds)s) GROUP BY t.event_id, a.code
)
SELECT 'event ' || coalesce(d.event_id, p.event_id) || ' (' || coalesce(d.code, p.code) || ')' AS place, {
    wrong(
        row="d.event_id IS NOT NULL",
        posted="p.event_id IS NOT NULL",
        debit="d.debit = p.debit",
        credit="d.credit = p.credit",
        day="d.day = p.day AND p.days = 1",
    )
} AS wrong
FROM due d FULL JOIN posted p USING (event_id, code)
"""  # noqa: S608

KINDS = (
    "cage_sale", "cage_redemption", "cage_exchange", "cage_prize_cash", "cage_prize_chips", "cage_void",
    "cage_transfer", "cage_count", "chip_count", "funds", "tips", "tips_paid", "orphan",
)  # fmt: skip
"""The transfers of the ledger that are the cage's."""


def ledger_faults(casino: Casino) -> Iterator[Fault]:
    """Receipts, transfers, counts, funds, tips and orphans that were not posted as they are stored."""
    yield from differing(_DUE, casino, "cage_differs", kinds=list(KINDS))


def told_faults(casino: Casino) -> Iterator[Fault]:
    """The cage's rows that are not what the trail tells, and numbers that are missing (REC-06)."""
    for query in (_RECEIPTS, _TRANSFERS, _COUNTS, _FUNDS, *tip_proofs.TOLD, _ORPHANS, _SETTINGS):
        yield from differing(query, casino)
    receipts = CageOperation.objects.filter(casino=casino)
    of = Text("los recibos de caja", "cage receipts")
    for series in (*dict.fromkeys(CageOperation.SERIES.values()), CageOperation.VOID_SERIES):
        numbered = receipts.filter(series=series)
        yield from missing_numbers(casino, f"cage_{series}", numbered, code="receipt_numbers", of=of)
    for series, model, name in (
        ("T", CageTransfer, Text("los traspasos", "transfers")),
        ("H", Orphan, Text("las fichas sin dueño", "orphans")),
    ):
        rows = model.objects.filter(casino=casino)
        yield from missing_numbers(casino, f"cage_{series}", rows, code="receipt_numbers", of=name)
