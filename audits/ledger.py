"""Double entry: `post()` moves value between places, `balance()` says what is in one.

Debit is arriving, credit is leaving. A transfer names the event that caused it and sums to zero;
Python checks it here and the database again at commit (records.md, architecture.md section 3).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Sum

from audits.models import Account, Event, Posting, Transfer
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
    real = [move for move in moves if move.amount]
    for move in real:
        if move.amount < 0 or move.source == move.target:
            raise ValueError(f"not a movement of value: {move}")
    if not real:
        return None
    casino = event.casino
    accounts = _accounts(casino, sorted({code for move in real for code in (move.source, move.target)}))
    transfer = Transfer.objects.create(
        casino=casino, event=event, kind=kind, day=day, occurred=event.occurred, lines=2 * len(real)
    )
    lines = []
    for move in real:
        common = {"casino": casino, "transfer": transfer, "memo": move.memo}
        lines.append(Posting(account=accounts[move.source], credit=move.amount, **common))
        lines.append(Posting(account=accounts[move.target], debit=move.amount, **common))
    Posting.objects.bulk_create(lines)
    return transfer


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


def _accounts(casino: Casino, codes: Sequence[str]) -> dict[str, Account]:
    found = {a.code: a for a in Account.objects.filter(casino=casino, code__in=codes)}
    missing = [code for code in codes if code not in found]
    if missing:
        Account.objects.bulk_create(
            [Account(casino=casino, code=code) for code in missing], ignore_conflicts=True
        )
        found = {a.code: a for a in Account.objects.filter(casino=casino, code__in=codes)}
    return found
