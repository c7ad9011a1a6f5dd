"""Writes of several rooms in one statement, bound and prepared on the server.

The ORM sends one statement a row and lets the server plan each anew. Where a night's rounds pass,
that is most of the time spent. Here each room states its own write to its own tables (`Write`), and
`together()` sends them as one. What Django does around a statement still holds: the connection, the
transaction, and its exceptions.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

_NAME = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True, slots=True)
class Write:
    """One room's part of a statement.

    `sql`: named subqueries, `head AS (SELECT …), event AS (INSERT …)`, with values as
    `%(name)s::type`: always with their type, as nothing else tells the server. Subqueries of one
    part may use each other's RETURNING; a part never reads the rows of another, which are not there
    yet (keys come from `next_ids`). Names of subqueries are unique in the whole statement.
    """

    sql: str
    values: Mapping[str, Any]


def together(writes: Sequence[Write], answer: str = "SELECT 1") -> tuple[Any, ...] | None:
    """Execute the writes as one statement; the first row of `answer`, a query over their subqueries."""
    text, places = _compose(tuple(write.sql for write in writes), answer)
    return one_row(text, [writes[part].values[name] for part, name in places])


def select(sql: str, values: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """The first row of a query with `%(name)s::type` values, or None."""
    text, places = _number((sql,))
    return one_row(text, [values[name] for _, name in places])


def one_row(text: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
    """Execute SQL with values as `$1::type`, prepared, and answer its first row."""
    database: Any = connections[DEFAULT_DB_ALIAS]
    database.ensure_connection()
    database.validate_no_broken_transaction()
    start = time.monotonic()
    with database.wrap_database_errors:
        cursor = database.Database.RawCursor(database.connection)
        cursor.execute(text, [_sent(value) for value in values])
        row: tuple[Any, ...] | None = cursor.fetchone()
    if database.queries_logged:  # whoever counts queries counts these too
        database.queries_log.append({"sql": text, "time": f"{time.monotonic() - start:.3f}"})
    return row


def _sent(value: Any) -> str | bytes | None:
    """A value as text: the statement says the types, so that whatever values come, one plan serves."""
    if value is None or type(value) is str or type(value) is bytes:
        return value
    return str(value)


def array(values: Iterable[int | str]) -> str:
    """An array as PostgreSQL reads it, for `%(name)s::bigint[]` or `::text[]`."""
    listed = list(values)
    if all(type(value) is int for value in listed):
        return "{" + ",".join(map(str, listed)) + "}"
    escaped = [str(value).replace("\\", "\\\\").replace('"', '\\"') for value in listed]
    return '{"' + '","'.join(escaped) + '"}'


@lru_cache(maxsize=256)
def _compose(parts: tuple[str, ...], answer: str) -> tuple[str, list[tuple[int, str]]]:
    text, places = _number(parts)
    return f"WITH {text} {answer}", places


@lru_cache(maxsize=256)
def _number(parts: tuple[str, ...]) -> tuple[str, list[tuple[int, str]]]:
    """`%(name)s` as `$1`, `$2` …, and which value of which part each of them is."""
    places: dict[tuple[int, str], int] = {}
    texts = []
    for part, sql in enumerate(parts):

        def numbered(name: re.Match[str], part: int = part) -> str:
            return f"${places.setdefault((part, name[1]), len(places) + 1)}"

        texts.append(_NAME.sub(numbered, sql))
    return ", ".join(texts), list(places)
