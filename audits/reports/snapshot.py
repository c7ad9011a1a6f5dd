"""Reading a report at one moment while telling, outside that moment, how far the reading is.

A report has several tables and takes a while; tables are played on meanwhile. All of it is read in
one read-only transaction of isolation REPEATABLE READ, so that its figures agree with each other
(REC-15). Progress is written through a connection of its own, or nobody would see it before the end.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from audits.models import Export
from casino.kernel import clock

EVERY_ROWS = 2_000
EVERY_SECONDS = 1.0


class ClaimLost(Exception):
    """Another worker took this export over; what this one wrote is thrown away."""


class ProgressNotes:
    """Counts rows and writes the count and the heartbeat on the export's row now and then."""

    def __init__(self, export: Export, through: BaseDatabaseWrapper) -> None:
        self.export, self.through = export, through
        self.rows = self.noted = self.beaten = 0
        self.noted_at = time.monotonic()

    def __call__(self, rows: int) -> None:
        self.rows += rows
        fresh = self.rows - self.noted
        if fresh >= EVERY_ROWS or (fresh and time.monotonic() - self.noted_at >= EVERY_SECONDS):
            self.flush()

    def beat(self, rows: int) -> None:
        """Rows that are gone through once more: nothing new is counted, but somebody is at work."""
        self.beaten += rows
        if self.beaten >= EVERY_ROWS or time.monotonic() - self.noted_at >= EVERY_SECONDS:
            self.flush()

    def set_rows(self, rows: int) -> None:
        """Count anew: what was read to get at these rows is no part of them."""
        self.rows = rows
        self.flush()

    def total(self, rows: int | None) -> None:
        self._set("rows_total", rows)

    def flush(self) -> None:
        self._set("rows_done", self.rows)
        self.noted, self.beaten, self.noted_at = self.rows, 0, time.monotonic()

    def _set(self, column: str, value: int | None) -> None:
        with self.through.cursor() as cursor:
            cursor.execute(
                f"UPDATE audits_export SET {column} = %s, heartbeat_at = %s"  # noqa: S608 (our own names)
                " WHERE id = %s AND state = 'running' AND attempts = %s",
                [value, clock.now(), self.export.pk, self.export.attempts],
            )
            if cursor.rowcount != 1:
                raise ClaimLost(self.export.pk)


@contextmanager
def progress_of(export: Export) -> Iterator[ProgressNotes]:
    """The notes of this attempt. Inside a caller's transaction they are part of it."""
    if connection.in_atomic_block:
        yield ProgressNotes(export, connection)
        return
    aside = connections.create_connection(DEFAULT_DB_ALIAS)
    try:
        yield ProgressNotes(export, aside)
    finally:
        aside.close()


@contextmanager
def one_moment() -> Iterator[None]:
    """Everything read inside is as it was at one instant; nothing can be written."""
    if connection.in_atomic_block:  # the caller's transaction is the moment
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
