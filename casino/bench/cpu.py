"""Processor time of a measured run, on the client's side and on the server's.

A clock on the wall tells of everybody on a shared machine; processor time tells of us alone. The
server's is known only where it runs on this machine.
"""

from __future__ import annotations

import os
import resource
import time
from dataclasses import dataclass
from pathlib import Path

from django.db import connection, connections

_TICK = os.sysconf("SC_CLK_TCK")
_SETTLING_SECONDS = 0.3
"""A backend ends a moment after its client left."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of processor time; `server` is None where it cannot be known."""

    clients: float
    server: float | None

    def since(self, before: Spent) -> Spent:
        server = None if self.server is None or before.server is None else self.server - before.server
        return Spent(self.clients - before.clients, server)


def here() -> Spent:
    """What this process and the backend of its connection have spent so far."""
    stat = _stat(_backend())
    return Spent(time.process_time(), _seconds(stat, 11) if stat else None)


class Meter:
    """What programs started meanwhile spend, and the backends that serve them.

    Made before they start, which closes our own connections; `stop()` when they are gone.
    """

    def __init__(self) -> None:
        stat = _stat(_backend())
        self._postmaster = int(stat[1]) if stat else None
        connections.close_all()
        self._before = self._read()

    def stop(self) -> Spent:
        return self._read().since(self._before)

    def _read(self) -> Spent:
        time.sleep(_SETTLING_SECONDS)
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        stat = _stat(self._postmaster)
        return Spent(children.ru_utime + children.ru_stime, _seconds(stat, 13) if stat else None)


def _backend() -> int | None:
    """The process that serves our connection, if it runs on this machine."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid = int(cursor.fetchone()[0])
    try:
        return pid if "postgres" in Path(f"/proc/{pid}/comm").read_text() else None
    except OSError:
        return None


def _stat(pid: int | None) -> list[str] | None:
    """The fields of /proc/PID/stat after the name, which may hold spaces."""
    try:
        return None if pid is None else Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def _seconds(stat: list[str], first: int) -> float:
    """Two neighbouring fields: user and system time, of the process (11) or its ended children (13)."""
    return (int(stat[first]) + int(stat[first + 1])) / _TICK
