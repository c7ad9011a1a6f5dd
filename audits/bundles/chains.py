"""Events and money of the covered chains, in the bundle's order: by chain (bytewise), then by number.

An event's body goes out byte for byte as it is stored and hashed; the line around it is JSON all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from audits.bundles.packing import Packing
from audits.bundles.span import Span
from audits.persons import kinds
from audits.reports.document import Progress
from casino.kernel import clock

LARGEST_PART = 64 * 2**20
ROWS_AT_ONCE = 2_000

_COVERED = """FROM unnest(%(ids)s::bigint[], %(ends)s::bigint[]) AS covered (id, ends)
JOIN audits_stream s ON s.id = covered.id
JOIN audits_event e ON e.stream_id = s.id AND e.seq <= covered.ends"""
IN_ORDER = 'ORDER BY s.name COLLATE "C", e.seq'
_EVENTS = f"SELECT e.hash, e.body {_COVERED} {IN_ORDER}"
_TRANSFERS = f"""
SELECT s.name, e.seq, t.kind, t.day, t.occurred,
    (SELECT array_agg(ARRAY[a.code, p.debit::text, p.credit::text, p.memo] ORDER BY p.id)
     FROM audits_posting p JOIN audits_account a ON a.id = p.account_id WHERE p.transfer_id = t.id)
{_COVERED} JOIN audits_transfer t ON t.event_id = e.id {IN_ORDER}, t.id
"""  # noqa: S608


def walked(span: Span, query: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a query over the covered chains (`ids`, `ends`), some chains at a time, streamed."""
    for ids, ends in span.chunks():
        # A cursor of the server's: one chain alone may be longer than memory.
        with connection.chunked_cursor() as cursor:
            cursor.execute(query, {"ids": ids, "ends": ends})
            while rows := cursor.fetchmany(ROWS_AT_ONCE):
                yield from rows


def covered(select: str, joins: str) -> str:
    """A query for `walked`: what to select of `s` (chain), `e` (event) and what is joined to them."""
    return f"SELECT {select} {_COVERED} {joins} {IN_ORDER}"


def people(span: Span) -> Iterator[tuple[str, int]]:
    """Whom the covered chains tell of, by initials and commitments: each kind and number once or more."""
    query = f"SELECT DISTINCT e.subject_type, e.subject_id {_COVERED} WHERE e.subject_type = ANY(%(kinds)s)"
    for ids, ends in span.chunks():
        with connection.cursor() as cursor:
            cursor.execute(query, {"ids": ids, "ends": ends, "kinds": list(kinds.erasable())})
            yield from ((kind, pk) for kind, pk in cursor.fetchall() if pk is not None)


def put_events(packing: Packing, span: Span, progress: Progress) -> dict[str, int]:
    """`events/00001.jsonl` and so on; how many events and chains."""
    rows = walked(span, _EVENTS)
    number = count = 0
    pending = next(rows, None)
    while pending is not None:
        number += 1
        with packing.file(f"events/{number:05d}.jsonl") as out:
            while pending is not None and out.size < LARGEST_PART:
                head, body = pending
                out.write(b'{"hash":"%b","body":%b}\n' % (bytes(head).hex().encode(), bytes(body)))
                count += 1
                if not count % ROWS_AT_ONCE:
                    progress(ROWS_AT_ONCE)
                pending = next(rows, None)
    progress(count % ROWS_AT_ONCE)
    return {"events": count, "streams": len(span.covered)}


@dataclass
class Sums:
    transfers: int = 0
    postings: int = 0
    moved: int = 0
    accounts: dict[str, list[int]] = field(default_factory=dict)


def put_money(packing: Packing, span: Span, note: Callable[[int], None]) -> dict[str, int]:
    """`ledger/transfers.jsonl`: every transfer of those events; `ledger/accounts.jsonl`: their sums."""
    sums = Sums()
    with packing.file("ledger/transfers.jsonl") as out:
        for stream, seq, kind, day, occurred, lines in walked(span, _TRANSFERS):
            told = [[code, int(debit), int(credit), memo] for code, debit, credit, memo in lines or []]
            out.row(
                {
                    "stream": stream,
                    "seq": seq,
                    "kind": kind,
                    "day": day.isoformat(),
                    "occurred": clock.stamp(occurred),
                    "lines": told,
                }
            )
            _add(sums, told)
            note(1)
    with packing.file("ledger/accounts.jsonl") as out:
        for account, (debit, credit) in sorted(sums.accounts.items(), key=lambda item: item[0].encode()):
            out.row({"account": account, "debit": debit, "credit": credit})
    return {"transfers": sums.transfers, "postings": sums.postings, "moved": sums.moved}


def _add(sums: Sums, lines: list[list[Any]]) -> None:
    sums.transfers += 1
    for account, debit, credit, _ in lines:
        sums.postings += 1
        sums.moved += debit
        known = sums.accounts.setdefault(account, [0, 0])
        known[0] += debit
        known[1] += credit
