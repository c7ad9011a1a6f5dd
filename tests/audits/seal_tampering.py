"""What somebody who owns the database can do to chains and seals, and what the check then says."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction

from audits.models import Event, Stream
from audits.sealing import checking
from audits.trail import chain_hash
from tests.audits.seal_days import FIRST

if TYPE_CHECKING:
    from tests.audits.conftest import House

Guards = Callable[[], AbstractContextManager[None]]
DAY = [str(FIRST + dt.timedelta(days=number)) for number in range(4)]


def found(house: House, **given: Any) -> dict[str, str]:
    """The faults as {where: code}."""
    return {fault.where: fault.code for fault in checking.seal_faults(house.casino, **given)}


def altered(house: House) -> dict[str, str]:
    """The faults of chains and seals; what the trail tells of a seal is another test's."""
    return {where: code for where, code in found(house).items() if code not in ("seal_differs",)}


def event(stream: str, seq: int) -> Event:
    return Event.objects.get(stream__name=stream, seq=seq)


def rebuild(stream: str, *, since: int = 1) -> None:
    """Chain the events of a stream anew and move its head, as somebody with the whole database can."""
    row = Stream.objects.get(name=stream)
    previous = bytes(event(stream, since - 1).hash) if since > 1 else bytes(32)
    last = 0
    for one in Event.objects.filter(stream=row, seq__gte=since).order_by("seq"):
        made = chain_hash(previous, bytes(one.body))
        Event.objects.filter(pk=one.pk).update(previous_hash=previous, hash=made)
        previous, last = made, one.seq
    Stream.objects.filter(pk=row.pk).update(head_seq=last, head_hash=previous)


def delete(table: str, pk: int) -> None:
    """A row gone, whatever points to it."""
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM audits_{table} WHERE id = %s", [pk])


@contextmanager
def undone() -> Iterator[None]:
    """What is done inside is undone: rows that point nowhere do not outlive the test."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def reword(stream: str, seq: int, old: bytes, new: bytes) -> None:
    one = event(stream, seq)
    body = bytes(one.body)
    assert old in body
    Event.objects.filter(pk=one.pk).update(body=body.replace(old, new))
