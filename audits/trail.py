"""Writing the trail: `record()`, or `entry()` as a part of a larger statement.

The stored bytes are the hashed bytes: canonical JSON (RFC 8785), SHA-256 over the previous hash and
the body. One statement locks the stream's row, reads its head, numbers and chains the event, so a
chain cannot fork; the database checks the hash again and moves the head itself
(docs/architecture.md, triggers).
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection

from audits import personal, vocabulary
from audits.by import By
from audits.models import Event, Stream
from casino.kernel import clock, locking, rows
from casino.kernel.canonical import canonical
from casino.kernel.commands import event_recorded
from casino.kernel.statements import Write, array, together

VERSION = 1

SETTINGS_STREAM = "settings"
"""The one stream per casino for what it is set to: particulars, logins, places, rules, limits."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What it happened to. The label is copied so that the event reads alone in twenty years."""

    type: str
    id: int
    label: str

    def as_dict(self) -> dict[str, object]:
        return {"type": self.type, "id": self.id, "label": self.label}


def named(event: Event, stream: str) -> dict[str, object]:
    """An event as another event names it: its stream and its number there (records.md)."""
    return {"stream": stream, "seq": event.seq}


def record(
    action: str,
    *,
    stream: str,
    subject: Subject,
    by: By,
    data: Mapping[str, Any],
    rules: Iterable[str] = (),
) -> Event:
    """Append one event to a stream of the actor's casino and return it.

    `data` holds what happened as JSON values (money as integers of the smallest unit), never floats
    or whole rows. Must run inside the transaction of the write it tells of. What names a player is a
    `personal.Personal`: the chain holds its commitment, and the value stands beside it, erasable.
    """
    public, openings = personal.sealed(data)
    told = entry(action, stream=stream, subject=subject, by=by, data=public, rules=rules)
    stored = together([told], answer=_STORED)
    if stored is None:  # the stream's first event
        Stream.objects.bulk_create([Stream(casino=by.casino, name=stream)], ignore_conflicts=True)
        stored = together([told], answer=_STORED)
    assert stored is not None
    event: Event
    (event,) = rows.instances((Event,), stored)
    event.casino, event.actor = by.casino, by.actor
    personal.keep(event, openings)
    return event


def entry(
    action: str,
    *,
    stream: str,
    subject: Subject,
    by: By,
    data: Mapping[str, Any],
    rules: Iterable[str] = (),
    event_id: int | None = None,
) -> Write:
    """`record()` as a part of a larger statement, for a stream that has events already.

    `event_id`: taken beforehand with `next_ids`, where other parts name the event. The stream is
    locked, and its head read, by the statement itself.
    """
    if not vocabulary.is_registered(action):
        raise LookupError(f"action {action} is not registered")
    if not connection.in_atomic_block:
        raise RuntimeError("an event is recorded in the transaction of its write")
    event_recorded()
    locking.taking(locking.Rank.STREAM)
    rule_ids, recorded = list(rules), clock.now()
    before, after = _around_seq(_said(action, stream, subject, by, data, rule_ids, recorded))
    values = {
        "id": event_id,
        "casino": by.casino.pk,
        "stream": stream,
        "before": before,
        "after": after,
        "occurred": by.occurred_at,
        "recorded": recorded,
        "actor": by.actor.pk,
        "action": action,
        "type": subject.type,
        "subject": subject.id,
        "label": subject.label,
        "rules": array(rule_ids),
        "request": by.request_id,
    }
    return Write(_ENTRY, values)


def _said(
    action: str,
    stream: str,
    subject: Subject,
    by: By,
    data: Mapping[str, Any],
    rules: list[str],
    recorded: dt.datetime,
) -> dict[str, Any]:
    """An event's body but for its number (records.md)."""
    return {
        "v": VERSION,
        "casino": by.casino.code,
        "stream": stream,
        "occurred": clock.stamp(by.occurred_at),
        "recorded": clock.stamp(recorded),
        "actor": by.actor.as_dict(),
        "action": action,
        "subject": subject.as_dict(),
        "rules": rules,
        "request": str(by.request_id),
        "data": dict(data) if not by.reason else {**data, "reason": by.reason},
    }


_ENTRY = """
head AS (
    SELECT id, head_seq + 1 AS seq, head_hash,
           %(before)s::bytea || convert_to((head_seq + 1)::text, 'UTF8') || %(after)s::bytea AS body
    FROM audits_stream WHERE casino_id = %(casino)s::bigint AND name = %(stream)s::text FOR NO KEY UPDATE
), event AS (
    INSERT INTO audits_event (id, casino_id, stream_id, seq, occurred, recorded, actor_id, action,
        subject_type, subject_id, subject_label, rules, request, body, previous_hash, hash)
    SELECT coalesce(%(id)s::bigint, nextval(pg_get_serial_sequence('audits_event', 'id'))),
           %(casino)s::bigint, id, seq, %(occurred)s::timestamptz, %(recorded)s::timestamptz,
           %(actor)s::bigint, %(action)s::text, %(type)s::text, %(subject)s::bigint, %(label)s::text,
           %(rules)s::text[], %(request)s::uuid, body, head_hash, sha256(head_hash || body)
    FROM head RETURNING *
)"""
_STORED = f"SELECT {rows.columns(Event, 'event')} FROM event"  # noqa: S608


def _around_seq(body: dict[str, Any]) -> tuple[bytes, bytes]:
    """The canonical bytes of `body` before and after the number that `seq` will have.

    The number is the stream's, known only under its lock; so the statement that takes the lock puts
    it in its place: between the keys that sort before `seq` and those after.
    """
    first = canonical({key: value for key, value in body.items() if key < "seq"})
    last = canonical({key: value for key, value in body.items() if key > "seq"})
    return first[:-1] + b',"seq":', b"," + last[1:]


def chain_hash(previous: bytes, body: bytes) -> bytes:
    """SHA-256 over the previous hash (32 zero bytes at seq 1) and the body (records.md)."""
    return hashlib.sha256(previous + body).digest()
