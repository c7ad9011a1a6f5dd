"""The proofs of banks: each as its events tell, what it holds added up again and held against the ledger.

in the bank = deposits + what rounds won or lost, voided ones left out - set aside - given back
before a round = the same sum, over what the trail has before it
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino
from tables.bank.auction_proofs import auction_faults

_BANKS = f"""
WITH about AS MATERIALIZED (
    SELECT t.*, (t.data ->> 'bank')::bigint AS bank FROM {
    told(
        "tables.bank.opened",
        "tables.bank.raised",
        "tables.bank.joined",
        "tables.bank.set_aside",
        "tables.bank.ended",
        "tables.bank.restored",
        "tables.bank.offered",
        "tables.bank.answered",
        "tables.bank.step",
    )
} t
), won AS MATERIALIZED (
    SELECT t.*, (t.data ->> 'bank')::bigint AS bank
    FROM {told("tables.auction.awarded", "tables.auction.forced")} t
), opened AS (SELECT * FROM about WHERE action = 'tables.bank.opened'
), known AS (SELECT bank, min(stream) AS stream, count(DISTINCT id) AS times FROM
    (SELECT bank, stream, id FROM opened UNION ALL SELECT bank, stream, NULL FROM won) k GROUP BY bank
), latest AS (SELECT DISTINCT ON (bank) * FROM about ORDER BY bank, seq DESC
), ending AS (
    SELECT DISTINCT ON (bank) *, action = 'tables.bank.ended' AS over
    FROM about WHERE action IN ('tables.bank.ended', 'tables.bank.restored') ORDER BY bank, seq DESC
), aside AS (
    SELECT bank, sum((data ->> 'amount')::bigint) AS amount FROM about
    WHERE action = 'tables.bank.set_aside' GROUP BY bank
), kept AS (
    SELECT *, row_number() OVER (PARTITION BY session_id ORDER BY id) AS nth
    FROM tables_bank WHERE casino_id = %(casino)s
)
SELECT 'bank:' || coalesce(b.id, k.bank) AS place, {
    wrong(
        event="k.bank IS NOT NULL",
        row="b.id IS NOT NULL",
        once="k.times <= 1",
        session="k.stream = 'session:' || b.session_id",
        number="b.number = b.nth AND (l.id IS NULL OR (l.data ->> 'number')::int = b.number)",
        how="CASE WHEN w.id IS NULL THEN b.how IN ('first', 'turn', 'retake') ELSE b.how ="
        " CASE w.action WHEN 'tables.auction.awarded' THEN 'auction' ELSE 'forced' END END"
        " AND (l.id IS NULL OR l.data ->> 'how' = b.how)",
        holder="(w.id IS NULL OR (w.data ->> 'seat')::int = h.seat AND w.data ->> 'player' = h.alias)"
        " AND (l.id IS NULL OR (l.data -> 'holder' ->> 'taking')::bigint = b.holder_id)",
        associate="(l.data -> 'associate' ->> 'taking')::bigint IS NOT DISTINCT FROM b.associate_id",
        asked="l.id IS NULL OR NOT l.data ? 'required' OR (l.data ->> 'required')::bigint = b.required",
        required="b.required = CASE b.how WHEN 'turn' THEN p.least WHEN 'retake' THEN p.retake"
        " WHEN 'first' THEN least(b.required, b.opening) ELSE (w.data ->> 'amount')::bigint END",
        begun_at="coalesce(w.occurred, o.occurred) = b.begun_at",
        opening="(coalesce((o.data ->> 'amount')::bigint, 0), o.occurred)"
        " IS NOT DISTINCT FROM (b.opening, b.held_at)",
        state="b.state = CASE WHEN n.over THEN 'ended' WHEN o.id IS NOT NULL THEN 'held' ELSE 'awarded' END",
        ended="(CASE WHEN n.over THEN n.data ->> 'ending' ELSE '' END,"
        " CASE WHEN n.over THEN (n.data ->> 'returned')::bigint END, CASE WHEN n.over THEN n.occurred END)"
        " IS NOT DISTINCT FROM (b.ending, b.left_with, b.ended_at)",
        aside="b.aside = coalesce(s.amount, 0)",
        previous="b.previous_id IS NOT DISTINCT FROM p.left_id",
    )
} AS wrong
FROM kept b FULL JOIN known k ON k.bank = b.id
LEFT JOIN opened o ON o.bank = b.id LEFT JOIN won w ON w.bank = b.id
LEFT JOIN latest l ON l.bank = b.id LEFT JOIN ending n ON n.bank = b.id LEFT JOIN aside s ON s.bank = b.id
LEFT JOIN tables_bankpassage p ON p.to_id = b.id LEFT JOIN tables_seattaking h ON h.id = b.holder_id
"""  # noqa: S608

_DEPOSITS = f"""
WITH told AS MATERIALIZED {told("tables.bank.opened", "tables.bank.raised")}
SELECT 'bank:' || coalesce(d.bank_id, (t.data ->> 'bank')::bigint) || ' (deposit '
       || coalesce(d.id::text, '-') || ')' AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'session:' || b.session_id",
        row="d.id IS NOT NULL",
        bank="(t.data ->> 'bank')::bigint = d.bank_id",
        who="((t.data ->> 'seat')::int, t.data ->> 'player') = (k.seat, k.alias)"
        " AND k.id IN (b.holder_id, b.associate_id)",
        amount="(t.data ->> 'amount')::bigint = d.amount",
        at="t.occurred = d.at",
        first="(t.action = 'tables.bank.opened')"
        " = (d.id = (SELECT min(f.id) FROM tables_bankdeposit f WHERE f.bank_id = d.bank_id))",
    )
} AS wrong
FROM (SELECT * FROM tables_bankdeposit WHERE casino_id = %(casino)s) d
FULL JOIN told t ON t.id = d.event_id
LEFT JOIN tables_bank b ON b.id = d.bank_id LEFT JOIN tables_seattaking k ON k.id = d.taking_id
"""  # noqa: S608

_PASSAGES = f"""
WITH about AS MATERIALIZED (
    SELECT t.*, (t.data ->> 'passage')::bigint AS passage
    FROM {told("tables.bank.offered", "tables.bank.step", "tables.bank.offer_over")} t
), begun AS (
    SELECT DISTINCT ON (passage) * FROM about WHERE action <> 'tables.bank.offer_over' ORDER BY passage, seq
), latest AS (
    SELECT DISTINCT ON (passage) *, coalesce(data ->> 'step', 'rotation') AS step
    FROM about WHERE action <> 'tables.bank.offer_over' ORDER BY passage, seq DESC
), restored AS MATERIALIZED {told("tables.bank.restored")},
deserted AS MATERIALIZED {told("tables.auction.deserted")}
SELECT 'passage:' || coalesce(p.id, t.passage) AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'session:' || p.session_id",
        row="p.id IS NOT NULL",
        left="(t.data ->> 'bank')::bigint = p.left_id",
        least="CASE WHEN t.action = 'tables.bank.offered' THEN"
        " ((t.data ->> 'least')::bigint, (t.data ->> 'retake')::bigint) = (p.least, p.retake)"
        " ELSE p.least = p.retake END",
        begun_at="t.occurred = p.begun_at",
        step="p.step = 'over' OR p.step = l.step",
        result="CASE p.result WHEN 'taken' THEN n.how = 'turn' WHEN 'retaken' THEN n.how = 'retake'"
        " WHEN 'auctioned' THEN n.how = 'auction' WHEN 'forced' THEN n.how = 'forced'"
        " WHEN 'undone' THEN n.id IS NULL AND EXISTS (SELECT FROM restored r"
        "   WHERE (r.data ->> 'bank')::bigint = p.left_id AND r.occurred = p.ended_at)"
        " WHEN 'vacant' THEN n.id IS NULL AND (EXISTS (SELECT FROM about o WHERE o.passage = p.id"
        "   AND o.action = 'tables.bank.offer_over' AND greatest(o.occurred, p.begun_at) = p.ended_at)"
        "   OR EXISTS (SELECT FROM deserted d JOIN tables_auction a ON a.id = (d.data ->> 'auction')::bigint"
        "   WHERE a.passage_id = p.id AND d.occurred = p.ended_at))"
        " ELSE n.id IS NULL AND NOT EXISTS (SELECT FROM tables_bank m"
        "   WHERE m.previous_id = p.left_id AND m.begun_at >= p.begun_at) END",
        ended_at="n.id IS NULL OR n.begun_at = p.ended_at",
    )
} AS wrong
FROM (SELECT * FROM tables_bankpassage WHERE casino_id = %(casino)s) p
FULL JOIN begun t ON t.passage = p.id
LEFT JOIN latest l ON l.passage = p.id LEFT JOIN tables_bank n ON n.id = p.to_id
"""  # noqa: S608

_ANSWERS = f"""
WITH told AS MATERIALIZED {told("tables.bank.answered")}
SELECT 'passage:' || coalesce(a.passage_id, (t.data ->> 'passage')::bigint) || ' (answer '
       || coalesce(a.id::text, '-') || ')' AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'session:' || p.session_id",
        row="a.id IS NOT NULL",
        passage="((t.data ->> 'passage')::bigint, t.data ->> 'step') = (a.passage_id, a.step)",
        taking="(t.data ->> 'taking')::bigint = a.taking_id",
        answer="t.data ->> 'answer' = a.answer",
        amount="(t.data ->> 'amount')::bigint IS NOT DISTINCT FROM a.amount",
        associate="(t.data ->> 'with')::int IS NOT DISTINCT FROM k.seat::int",
        noted="(t.actor_id, t.occurred) = (a.noted_by_id, a.at)",
    )
} AS wrong
FROM (SELECT * FROM tables_bankanswer WHERE casino_id = %(casino)s) a
FULL JOIN told t ON t.id = a.event_id
LEFT JOIN tables_bankpassage p ON p.id = a.passage_id LEFT JOIN tables_seattaking k ON k.id = a.associate_id
"""  # noqa: S608

_ROUNDS = f"""
WITH told AS MATERIALIZED (
    SELECT * FROM {told("tables.round.settled")} t WHERE t.data -> 'bank' ? 'after'
)
SELECT 'bank round:' || coalesce(r.round_id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="r.id IS NOT NULL",
        bank="(t.data -> 'bank' ->> 'bank')::bigint = r.bank_id AND t.stream = 'session:' || b.session_id",
        figures="((t.data -> 'bank' ->> 'before')::bigint, (t.data -> 'bank' ->> 'after')::bigint,"
        " (t.data -> 'bank' ->> 'deduction')::bigint) = (r.before, r.after, r.deduction)",
    )
} AS wrong
FROM (SELECT * FROM tables_bankround WHERE casino_id = %(casino)s) r
FULL JOIN told t ON t.subject_id = r.round_id LEFT JOIN tables_bank b ON b.id = r.bank_id
"""  # noqa: S608


# ---- money -------------------------------------------------------------------------------------------

# Every act that moved chips in or out of a bank, signed as the bank sees it.
_MOVED = f"""
moved AS MATERIALIZED (
    SELECT t.id, t.seq, t.stream, (t.data ->> 'bank')::bigint AS bank,
           CASE t.action WHEN 'tables.bank.ended' THEN -(t.data ->> 'returned')::bigint
                WHEN 'tables.bank.set_aside' THEN -(t.data ->> 'amount')::bigint
                WHEN 'tables.bank.restored' THEN (t.data ->> 'put_back')::bigint
                ELSE (t.data ->> 'amount')::bigint END AS amount
    FROM {
    told(
        "tables.bank.opened",
        "tables.bank.raised",
        "tables.bank.set_aside",
        "tables.bank.ended",
        "tables.bank.restored",
    )
} t
)"""  # noqa: S608

_POSTED = f"""
WITH {_MOVED}, due AS (
    SELECT m.id AS event_id, d.code, d.debit, d.credit, y.date AS day
    FROM moved m JOIN tables_tablesession n ON n.casino_id = %(casino)s AND 'session:' || n.id = m.stream
    JOIN casino_gamingday y ON y.id = n.day_id, LATERAL (VALUES
        ('bank:' || m.bank, greatest(m.amount, 0), greatest(-m.amount, 0)),
        ('players:' || n.id, greatest(-m.amount, 0), greatest(m.amount, 0))
    ) d (code, debit, credit)
    WHERE m.amount <> 0
), line AS (
    SELECT t.event_id, a.code, sum(p.debit) AS debit, sum(p.credit) AS credit, t.day
    FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id
    JOIN audits_account a ON a.id = p.account_id
    WHERE t.casino_id = %(casino)s AND t.kind = 'bank' GROUP BY t.event_id, a.code, t.day
)
SELECT 'event ' || coalesce(d.event_id, l.event_id) || ' (' || coalesce(d.code, l.code) || ')' AS place,
       {wrong(debit="d.debit = l.debit", credit="d.credit = l.credit", day="d.day = l.day")} AS wrong
FROM due d FULL JOIN line l USING (event_id, code)
"""  # noqa: S608

_WON = f"""
WITH due AS (
    SELECT r.bank_id, e.event_id, e.sign * (r.after - r.before) AS amount
    FROM tables_bankround r JOIN tables_round x ON x.id = r.round_id,
    LATERAL (VALUES (x.event_id, 1), (x.void_event_id, -1)) e (event_id, sign)
    WHERE r.casino_id = %(casino)s AND e.event_id IS NOT NULL AND r.after <> r.before
), line AS (
    SELECT t.event_id, a.code, sum(p.debit - p.credit) AS amount
    FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id
    JOIN audits_account a ON a.id = p.account_id
    WHERE t.casino_id = %(casino)s AND t.kind <> 'bank' AND a.code LIKE 'bank:%%' GROUP BY 1, 2
)
SELECT 'event ' || coalesce(d.event_id, l.event_id) || ' (' || coalesce('bank:' || d.bank_id, l.code) || ')'
       AS place, {wrong(won="d.amount = l.amount")} AS wrong
FROM due d FULL JOIN line l ON l.event_id = d.event_id AND l.code = 'bank:' || d.bank_id
"""  # noqa: S608

_BALANCES = f"""
WITH held AS (
    SELECT a.code, coalesce(sum(p.debit - p.credit), 0) AS amount
    FROM audits_account a LEFT JOIN audits_posting p ON p.account_id = a.id
    WHERE a.casino_id = %(casino)s AND a.code LIKE 'bank:%%' GROUP BY 1
), put_in AS (
    SELECT bank_id, sum(amount) AS amount FROM tables_bankdeposit WHERE casino_id = %(casino)s GROUP BY 1
), won AS (
    SELECT r.bank_id, sum(r.after - r.before) AS amount, count(*) AS deals
    FROM tables_bankround r JOIN tables_round x ON x.id = r.round_id
    WHERE r.casino_id = %(casino)s AND x.state <> 'void' GROUP BY 1
)
SELECT coalesce('bank:' || b.id, h.code) AS place, {
    wrong(
        row="b.id IS NOT NULL",
        balance="coalesce(h.amount, 0) = b.amount",
        amount="b.amount = coalesce(i.amount, 0) + coalesce(w.amount, 0)"
        " - b.aside - coalesce(b.left_with, 0)",
        deals="b.deals = coalesce(w.deals, 0)",
    )
} AS wrong
FROM (SELECT * FROM tables_bank WHERE casino_id = %(casino)s) b
FULL JOIN held h ON h.code = 'bank:' || b.id
LEFT JOIN put_in i ON i.bank_id = b.id LEFT JOIN won w ON w.bank_id = b.id
"""  # noqa: S608

# What a round began with is what the bank held then: all that the session's chain has before it. A voided
# round counts until it was voided.
_BEFORE = f"""
WITH {_MOVED}, step AS (
    SELECT bank, seq, amount, NULL::bigint AS round_id FROM moved
    UNION ALL
    SELECT r.bank_id, e.seq, r.after - r.before, r.round_id
    FROM tables_bankround r JOIN tables_round x ON x.id = r.round_id JOIN audits_event e ON e.id = x.event_id
    WHERE r.casino_id = %(casino)s
    UNION ALL
    SELECT r.bank_id, e.seq, r.before - r.after, NULL
    FROM tables_bankround r JOIN tables_round x ON x.id = r.round_id
    JOIN audits_event e ON e.id = x.void_event_id
    WHERE r.casino_id = %(casino)s
), run AS (
    SELECT round_id, coalesce(sum(amount) OVER (
        PARTITION BY bank ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS there
    FROM step
)
SELECT 'bank round:' || r.round_id AS place, {wrong(before="n.there = r.before")} AS wrong
FROM tables_bankround r LEFT JOIN run n ON n.round_id = r.round_id WHERE r.casino_id = %(casino)s
"""  # noqa: S608


def told_faults(casino: Casino) -> Iterator[Fault]:
    """Banks, deposits, offers, answers, rounds, auctions that are not what the trail tells."""
    for query in (_BANKS, _DEPOSITS, _PASSAGES, _ANSWERS, _ROUNDS):
        yield from differing(query, casino)
    yield from auction_faults(casino)


def money_faults(casino: Casino) -> Iterator[Fault]:
    """Banks whose chips in the ledger are not what went in, was won, lost and given back."""
    for query in (_POSTED, _WON, _BALANCES, _BEFORE):
        yield from differing(query, casino, "money_differs")
