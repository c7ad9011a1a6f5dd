"""Processor time of a measured run, on the client's side and on the server's.

A clock on the wall tells of everybody on a shared machine; processor time tells of us alone.
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
    """Seconds of processor time; `server` is None where the server is not on this machine."""

    clients: float
    server: float | None


class Meter:
    """Made before the clients start, closing our own connections; `stop()` when theirs are gone too."""

    def __init__(self) -> None:
        self._postmaster = _postmaster()
        connections.close_all()
        self._before = self._read()

    def stop(self) -> Spent:
        """What ended child processes of ours, and ended backends of the server, have spent meanwhile."""
        now = self._read()
        server = None if now.server is None or self._before.server is None else now.server - self._before.server
        return Spent(now.clients - self._before.clients, server)

    def _read(self) -> Spent:
        time.sleep(_SETTLING_SECONDS)
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return Spent(children.ru_utime + children.ru_stime, _reaped(self._postmaster))


def _postmaster() -> int | None:
    """The parent of the process that serves our connection, if it runs here."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = int(cursor.fetchone()[0])
    stat = _stat(backend)
    return int(stat[1]) if stat and "postgres" in _command(backend) else None


def _reaped(pid: int | None) -> float | None:
    """Processor time of a process's ended children, all of them: fields 16 and 17 of /proc/PID/stat."""
    stat = _stat(pid) if pid is not None else None
    return None if stat is None else (int(stat[13]) + int(stat[14])) / _TICK


def _stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat after the name, which may hold spaces."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text()
    except OSError:
        return ""
