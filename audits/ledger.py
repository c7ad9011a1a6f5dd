"""Double entry: `post()` moves value between places (or `entry()`, as a part of a larger
statement), `balance()` says what is in one.

Debit is arriving, credit is leaving. A transfer names the event that caused it and sums to zero;
Python checks it here and the database again at commit (records.md, architecture.md section 3).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Sum

from audits.models import Event, Posting, Transfer
from casino.kernel.statements import Write, array, together
from casino.models import Casino


@dataclass(frozen=True, slots=True)
class Move:
    """`amount` smallest units (> 0) leave `source` and arrive at `target`; `memo` says as what."""

    source: str
    target: str
    amount: int
    memo: str


def post(*, event: Event, kind: str, day: dt.date, moves: Sequence[Move]) -> Transfer | None:
    """Write one transfer made of `moves` (account codes of records.md), none of them empty.

    Moves of zero are left out; nothing is written when nothing moves. Raises `ValueError` for a
    negative amount or a move from a place to itself: callers decide direction, not sign.
    """
    written = entry(
        casino_id=event.casino_id, event_id=event.pk, kind=kind, day=day, occurred=event.occurred, moves=moves
    )
    if written is None:
        return None
    stored = together([written], answer="SELECT id FROM transfer")
    assert stored is not None
    return Transfer(
        id=stored[0],
        casino_id=event.casino_id,
        event=event,
        kind=kind,
        day=day,
        occurred=event.occurred,
        lines=written.values["lines"],
    )


def entry(
    *, casino_id: int, event_id: int, kind: str, day: dt.date, occurred: dt.datetime, moves: Sequence[Move]
) -> Write | None:
    """`post()` as a part of a larger statement; None when nothing moves."""
    real = [move for move in moves if move.amount]
    for move in real:
        if move.amount < 0 or move.source == move.target:
            raise ValueError(f"not a movement of value: {move}")
    if not real:
        return None
    values = {
        "casino": casino_id,
        "event": event_id,
        "kind": kind,
        "day": day,
        "occurred": occurred,
        "lines": 2 * len(real),
        "codes": array(code for move in real for code in (move.source, move.target)),
        "debits": array(amount for move in real for amount in (0, move.amount)),
        "credits": array(amount for move in real for amount in (move.amount, 0)),
        "memos": array(memo for move in real for memo in (move.memo, move.memo)),
    }
    return Write(_ENTRY, values)


# An account is made when value first comes to it; a race to make it waits for who was first.
_ENTRY = """
line AS (
    SELECT * FROM unnest(%(codes)s::text[], %(debits)s::bigint[], %(credits)s::bigint[], %(memos)s::text[])
        WITH ORDINALITY AS line (code, debit, credit, memo, n)
), known_account AS (
    SELECT id, code FROM audits_account
    WHERE casino_id = %(casino)s::bigint AND code = ANY (%(codes)s::text[])
), new_account AS (
    INSERT INTO audits_account (casino_id, code)
    SELECT DISTINCT %(casino)s::bigint, code FROM line
    WHERE NOT EXISTS (SELECT FROM known_account known WHERE known.code = line.code) ORDER BY code
    ON CONFLICT (casino_id, code) DO UPDATE SET code = EXCLUDED.code RETURNING id, code
), transfer AS (
    INSERT INTO audits_transfer (casino_id, event_id, kind, day, occurred, lines)
    VALUES (%(casino)s::bigint, %(event)s::bigint, %(kind)s::text, %(day)s::date, %(occurred)s::timestamptz,
            %(lines)s::smallint)
    RETURNING id
), posting AS (
    INSERT INTO audits_posting (casino_id, transfer_id, account_id, debit, credit, memo)
    SELECT %(casino)s::bigint, transfer.id, account.id, debit, credit, memo
    FROM transfer, line
    JOIN (SELECT * FROM known_account UNION ALL SELECT * FROM new_account) account USING (code) ORDER BY n
)"""


def reverse(*, original: Event, event: Event, kind: str, day: dt.date) -> None:
    """Write, under `event`, the opposite of every transfer of the event `original` (REC-07)."""
    for old in original.transfers.order_by("pk").prefetch_related("postings"):
        new = Transfer.objects.create(
            casino=event.casino,
            event=event,
            kind=kind,
            day=day,
            occurred=event.occurred,
            lines=old.lines,
        )
        Posting.objects.bulk_create(
            Posting(
                casino=event.casino,
                transfer=new,
                account_id=line.account_id,
                debit=line.credit,
                credit=line.debit,
                memo=line.memo,
            )
            for line in old.postings.order_by("pk")
        )


def balance(casino: Casino, code: str) -> int:
    """What is in an account now, in smallest units: debits less credits."""
    sums = Posting.objects.filter(account__casino=casino, account__code=code).aggregate(
        debit=Sum("debit", default=0), credit=Sum("credit", default=0)
    )
    return int(sums["debit"] - sums["credit"])
