"""Writing the trail. One function: `record()`.

The stored bytes are the hashed bytes: canonical JSON (RFC 8785), SHA-256 over the previous hash and
the body. The stream's row is locked before its head is read, so a chain cannot fork; the database
checks the hash again and moves the head itself (docs/architecture.md, triggers).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import rfc8785
from django.db import connection

from audits import vocabulary
from audits.by import By
from audits.models import Event, Stream
from casino.kernel import clock, locking
from casino.kernel.commands import event_recorded
from casino.models import Casino

VERSION = 1


@dataclass(frozen=True, slots=True)
class Subject:
    """What it happened to. The label is copied so that the event reads alone in twenty years."""

    type: str
    id: int
    label: str

    def as_dict(self) -> dict[str, object]:
        return {"type": self.type, "id": self.id, "label": self.label}


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
    or whole rows. Must run inside the transaction of the write it tells of.
    """
    if not vocabulary.is_registered(action):
        raise LookupError(f"action {action} is not registered")
    if not connection.in_atomic_block:
        raise RuntimeError("an event is recorded in the transaction of its write")
    event_recorded()
    casino = by.casino
    head = _lock_head(casino, stream)
    rule_ids = list(rules)
    recorded = clock.now()
    body = canonical(
        {
            "v": VERSION,
            "casino": casino.code,
            "stream": stream,
            "seq": head.head_seq + 1,
            "occurred": clock.stamp(by.occurred_at),
            "recorded": clock.stamp(recorded),
            "actor": by.actor.as_dict(),
            "action": action,
            "subject": subject.as_dict(),
            "rules": rule_ids,
            "request": str(by.request_id),
            "data": dict(data) if not by.reason else {**data, "reason": by.reason},
        }
    )
    previous = bytes(head.head_hash)
    return Event.objects.create(
        casino=casino,
        stream=head,
        seq=head.head_seq + 1,
        occurred=by.occurred_at,
        recorded=recorded,
        actor=by.actor,
        action=action,
        subject_type=subject.type,
        subject_id=subject.id,
        subject_label=subject.label,
        rules=rule_ids,
        request=by.request_id,
        body=body,
        previous_hash=previous,
        hash=chain_hash(previous, body),
    )


def canonical(value: Any) -> bytes:
    """RFC 8785 bytes of a JSON value. Raises when it holds a float or anything JSON cannot."""
    _refuse_floats(value)
    return rfc8785.dumps(value)


def chain_hash(previous: bytes, body: bytes) -> bytes:
    """SHA-256 over the previous hash (32 zero bytes at seq 1) and the body (records.md)."""
    return hashlib.sha256(previous + body).digest()


def _lock_head(casino: Casino, name: str) -> Stream:
    locking.taking(locking.Rank.STREAM)
    streams = Stream.objects.select_for_update(no_key=True)
    head = streams.filter(casino=casino, name=name).first()
    if head is None:
        Stream.objects.bulk_create([Stream(casino=casino, name=name)], ignore_conflicts=True)
        head = streams.get(casino=casino, name=name)
    return head


def _refuse_floats(value: Any) -> None:
    if isinstance(value, float):
        raise TypeError("no floats on the trail")
    if isinstance(value, Mapping):
        for item in value.values():
            _refuse_floats(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_floats(item)
