"""By whose hand a fault comes, and what that hand can do.

A person has the write functions. A program that got hold of the database's password has SQL, with the guards
up. The owner of the server switches the guards off for a while, and may make every hash anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection

from audits.trail import chain_hash
from casino.kernel.words import Text

PERSON = Text("una persona, en Sabot", "a person, in Sabot")
PROGRAM = Text("un programa, por SQL", "a program, by SQL")
OWNER = Text("quien administra la base", "the owner of the database")

_WRITES = re.compile(r"\b(?:UPDATE|INTO|DELETE FROM)\s+([a-z]+_[a-z]+)")


class NothingChanged(Exception):
    """A statement of a fault found no row to change: it is the self-test that is wrong."""


def sql(statement: str, values: Sequence[Any] = ()) -> None:
    """A statement with the guards up, which must find a row."""
    with connection.cursor() as cursor:
        cursor.execute(statement, list(values) or None)
        if not cursor.rowcount:
            raise NothingChanged(statement)


def ask(query: str, values: Sequence[Any] = ()) -> Any:
    """The first column of the first row, None where there is none."""
    with connection.cursor() as cursor:
        cursor.execute(query, list(values) or None)
        row = cursor.fetchone()
    return None if row is None else row[0]


def past_the_guards(*statements: str | tuple[str, Sequence[Any]]) -> None:
    """Statements of the owner, with the triggers of the tables they write switched off, and on again."""
    told = [(one, ()) if isinstance(one, str) else one for one in statements]
    with _off({table for statement, _ in told for table in _WRITES.findall(statement)}):
        for statement, values in told:
            sql(statement, values)


@contextmanager
def _off(tables: set[str]) -> Iterator[None]:
    """ALTER TABLE, as any owner may; the checks and keys of the tables stay, as they do for an owner."""
    try:
        for table in sorted(tables):
            _say(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield
    finally:
        for table in sorted(tables):
            _say(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def _say(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def rebuild(stream: str) -> None:
    """Chain the events of a stream anew from what their bodies say, and set its head: no chain shows it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT e.id, e.seq, e.body FROM audits_event e JOIN audits_stream s ON s.id = e.stream_id"
            " WHERE s.name = %s ORDER BY e.seq",
            [stream],
        )
        events = cursor.fetchall()
    changes: list[tuple[str, Sequence[Any]]] = []
    previous, last = bytes(32), 0
    for number, seq, body in events:
        mine = chain_hash(previous, bytes(body))
        changes.append(
            ("UPDATE audits_event SET previous_hash = %s, hash = %s WHERE id = %s", (previous, mine, number))
        )
        previous, last = mine, seq
    changes.append(
        ("UPDATE audits_stream SET head_seq = %s, head_hash = %s WHERE name = %s", (last, previous, stream))
    )
    past_the_guards(*changes)
