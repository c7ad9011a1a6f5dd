"""The rows of a large table written by PostgreSQL itself, byte for byte as `csv.py` would write them.

A million rows through Python take many seconds; `COPY (SELECT …) TO STDOUT` takes one or two. The query of
a `Section.served` gives plain values; here each becomes the text that `Document.plain` and `guard.safe` make
of it. tests/audits/test_served.py holds the two to each other on everything unpleasant we could think of.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from django.db import connection
from psycopg import sql

from audits.reports.document import BASIS_POINTS_EXPONENT, Document, Progress
from audits.reports.formats import guard
from audits.reports.registry import Column, Kind, Section

ROWS_TOGETHER = 1_000
CRLF = b"\r\n"

# The patterns are those of `guard.NUMBER` and `guard.DANGEROUS`; asked only where the first letter matters.
_TEXT = r"""CASE WHEN {cell} = '' THEN NULL
    WHEN ascii({cell}) BETWEEN 65 AND 126 OR ascii({cell}) BETWEEN 48 AND 60 THEN {cell}
    WHEN {cell} ~ '^[+-]?([0-9]+|[0-9]{{1,3}}(,[0-9]{{3}})+)([.][0-9]+)?$' THEN {cell}
    WHEN {cell} ~ '^''*(?:[UNSEEN]*[SIGNS]|[\t\r\n])' THEN '''' || {cell}
    ELSE {cell} END""".replace("UNSEEN", guard.UNSEEN).replace("SIGNS", guard.SIGNS)
_FORMS = {
    Kind.TEXT: _TEXT,
    Kind.INT: "{cell}::bigint",
    Kind.DATE: "to_char({cell}::date, 'YYYY-MM-DD')",
    Kind.DAY: "to_char({cell}::date, 'YYYY-MM-DD')",
    Kind.INSTANT: """to_char({cell}, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM')""",
}


def write(document: Document, section: Section, file: BinaryIO, progress: Progress) -> int:
    """Write the section's rows to `file`; how many there were. In the transaction that is open."""
    assert section.served is not None
    found = section.served(document.language)
    if len(section.columns) < 2:
        raise ValueError("COPY writes an empty cell that is alone in its line as no line at all")
    cells = sql.SQL(", ").join(_cell(document, column) for column in section.columns)
    copy = sql.SQL("COPY (SELECT {cells} FROM ({query}) found) TO STDOUT (FORMAT csv)").format(
        cells=cells, query=sql.SQL(found.query)
    )
    count = 0
    lines: list[bytes] = []
    with (
        _wall_clock_of(document.casino.zone),
        connection.cursor() as cursor,
        cursor.copy(copy, dict(found.values)) as rows,
    ):
        for line in rows:  # one message of the server is one row and its line feed
            lines.append(bytes(line)[:-1])
            if len(lines) == ROWS_TOGETHER:
                count += _flush(file, lines, progress)
        count += _flush(file, lines, progress)
    return count


def _flush(file: BinaryIO, lines: list[bytes], progress: Progress) -> int:
    done = len(lines)
    if done:
        lines.append(b"")
        file.write(CRLF.join(lines))
        lines.clear()
        progress(done)
    return done


def _cell(document: Document, column: Column) -> sql.Composable:
    exponents = {Kind.MONEY: document.casino.exponent, Kind.PERCENT: BASIS_POINTS_EXPONENT}
    if column.kind in exponents:
        exponent = exponents[column.kind]
        form = f"round({{cell}}::numeric / {10**exponent}, {exponent})" if exponent else "{cell}::bigint"
    else:
        form = _FORMS[column.kind]
    return sql.SQL(form).format(cell=sql.Identifier(column.key))


@contextmanager
def _wall_clock_of(zone: str) -> Iterator[None]:
    """Have instants written in the casino's zone while rows are written, and as before afterwards."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('TimeZone')")
        (before,) = cursor.fetchone()
        cursor.execute("SELECT set_config('TimeZone', %s, true)", [zone])
    yield
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('TimeZone', %s, true)", [before])
