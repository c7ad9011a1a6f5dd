"""A request sent twice is done once: the answer to an `Idempotency-Key` is kept with the write.

The answer commits in the same transaction as what it tells of, so there is never one without the
other. A refusal rolls back everything, the key too: the corrected request may use the key again.
The second of two equal requests at once waits for the first on the key's row, and then gets its
answer; if that takes longer than a lock may, it is told `busy` and tries again.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection
from django.http import HttpResponse
from django.utils.crypto import salted_hmac

from casino.kernel import clock, locking
from casino.kernel.commands import sharing_transaction
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import IdempotencyRecord, User
from casino.problems import Malformed

HEADER = "Idempotency-Key"
REPLAY_HEADER = "Idempotent-Replay"
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
# Keys that are no UUID become one under this name, apart for each user.
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:sabot:idempotency-key")


@dataclass(frozen=True, slots=True)
class Sent:
    """The part of a request that must be equal for the answer to be equal. `path` has no query."""

    user: User
    key: str
    method: str
    path: str
    body: bytes

    @property
    def digest(self) -> bytes:
        """HMAC-SHA-256 of the body: a body may hold a password, which a bare hash would let be guessed."""
        return salted_hmac(HEADER, self.body, algorithm="sha256").digest()


def checked_key(header: str | None, *, required: bool) -> str:
    """The key of a request, or `""`. Raises `Malformed` when it is missing though required, or odd."""
    if not header:
        if required:
            raise Malformed(
                Text(
                    "agregue la cabecera Idempotency-Key con un UUID nuevo por operación",
                    "add the header Idempotency-Key with a new UUID for each operation",
                ),
                code="idempotency_key_missing",
                field=HEADER,
            )
        return ""
    if not _KEY.fullmatch(header):
        raise Malformed(
            Text(
                "Idempotency-Key: de 1 a 200 caracteres ASCII sin espacios; use un UUID",
                "Idempotency-Key: 1 to 200 ASCII characters without spaces; use a UUID",
            ),
            code="idempotency_key_invalid",
            field=HEADER,
        )
    return header


def request_id(user: User, key: str) -> uuid.UUID | None:
    """The request id the write functions are told: the key if it is a UUID, else one made of it."""
    if not key:
        return None
    try:
        return uuid.UUID(key)
    except ValueError:
        return uuid.uuid5(_NAMESPACE, f"{user.pk}:{key}")


def once(sent: Sent, write: Callable[[], tuple[int, bytes]]) -> HttpResponse:
    """The answer of `write()` (status, JSON bytes), or the one already given to this key.

    Raises `Conflict` (code `idempotency_conflict`) when the key was used for another request, and
    `Busy` when the first of two at once takes too long.
    """
    with sharing_transaction():
        record, is_new = _claim(sent)
        if not is_new:
            return _replay(record, sent)
        status, body = write()
        record.status, record.response = status, body
        record.save(update_fields=["status", "response"])
    return HttpResponse(body, status=status, content_type="application/json")


def _claim(sent: Sent) -> tuple[IdempotencyRecord, bool]:
    """The key's row, locked, and whether it is ours to answer."""
    locking.taking(locking.Rank.IDEMPOTENCY)
    with connection.cursor() as cursor:
        # Waits here while another transaction holds the same key uncommitted.
        cursor.execute(
            "INSERT INTO casino_idempotencyrecord (user_id, key, method, path, body_digest, created)"
            " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (user_id, key) DO NOTHING",
            [sent.user.pk, sent.key, sent.method, sent.path, sent.digest, clock.now()],
        )
        is_new = cursor.rowcount == 1
    record = IdempotencyRecord.objects.select_for_update().get(user=sent.user, key=sent.key)
    return record, is_new


def _replay(record: IdempotencyRecord, sent: Sent) -> HttpResponse:
    same = (record.method, record.path, bytes(record.body_digest)) == (sent.method, sent.path, sent.digest)
    if not same or record.status is None or record.response is None:
        raise Conflict(
            Text(
                "esa Idempotency-Key ya se usó para otra solicitud; use una nueva",
                "that Idempotency-Key was already used for another request; use a new one",
            ),
            code="idempotency_conflict",
            field=HEADER,
        )
    response = HttpResponse(bytes(record.response), status=record.status, content_type="application/json")
    response[REPLAY_HEADER] = "true"
    return response
