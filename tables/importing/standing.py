"""Whether a file is there already, in another session or under another source: refused, not counted twice.

A file is the same when its bytes are, or when at least half of some `WINDOW` rows in a row say what
rounds of one other session say: it was saved anew, cut, or grew since. Fewer may be chance, because a
file may lack suits and numbers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator

from audits.models import Event
from casino.kernel.errors import Refused
from tables.importing import source
from tables.importing.judging import Listed
from tables.models import Round, TableSession

ACTION = "tables.rounds.imported"
WINDOW = 200
UNREADABLE = 1_000
"""Rows at the head of a file without one that can be read: it is no file of rounds."""


def refuse_unless_new(session: TableSession, name: str, sha256: str, rows: Iterable[Listed | None]) -> None:
    """Raises `Refused` with code `imported_elsewhere`, or `nothing_readable` for a file without rounds.

    `rows`: what each row says, None where it cannot be read. Rounds that were voided do not count.
    """
    for other in sessions_of(session, sha256):
        if other.pk != session.pk:
            raise _elsewhere(other)
    for window in _windows(rows):
        counted: Counter[tuple[int, str]] = Counter()
        wanted = Counter(window)
        found = (
            Round.objects.filter(casino=session.casino_id, source_digest__in=wanted)
            .exclude(source_digest="")
            .exclude(state=Round.State.VOID)
            .values_list("session_id", "source_key", "source_digest")
        )
        for place in {(pk, name_of(key), digest) for pk, key, digest in found}:
            counted[place[:2]] += wanted[place[2]]
        for (pk, other_name), times in counted.items():
            if (pk, other_name) != (session.pk, name) and times * 2 >= len(window):
                raise _elsewhere(TableSession.objects.select_related("table", "day").get(pk=pk), other_name)


def require_readable(rows: Iterable[Listed | None]) -> None:
    """Raises `Refused` (code `nothing_readable`) when none of the first `UNREADABLE` rows can be read."""
    next(_windows(rows), None)


def key_of(name: str, key: str) -> str:
    """A row's identity in a session: its own key, after the source's name where one is given."""
    return f"{name}:{key}" if name else key


def name_of(key: str) -> str:
    """The source's name in a stored identity; a row's own key is of two parts."""
    return ":".join(key.split(":")[:-2])


def was_told(session: TableSession, sha256: str) -> bool:
    """Whether a session's trail tells of a run of this very file."""
    return any(other.pk == session.pk for other in sessions_of(session, sha256))


def sessions_of(session: TableSession, sha256: str) -> list[TableSession]:
    """The sessions of the casino whose trail tells of a run of this very file."""
    events = Event.objects.filter(casino=session.casino_id, subject_type="session", action=ACTION)
    told = {
        pk
        for pk, body in events.values_list("subject_id", "body")
        if json.loads(bytes(body))["data"]["sha256"] == sha256
    }
    return list(TableSession.objects.filter(pk__in=told).select_related("table", "day").order_by("pk"))


def _windows(rows: Iterable[Listed | None]) -> Iterator[list[str]]:
    """Digests of the readable rows, `WINDOW` at a time; the last window reaches back to be as long."""
    before: list[str] = []
    window: list[str] = []
    readable = 0
    for number, row in enumerate(rows, start=1):
        if row is None:
            if not readable and number >= UNREADABLE:
                raise source.unusable(
                    "nothing_readable",
                    f"ninguna de las primeras {UNREADABLE} filas se puede leer: no es un CSV de pases",
                    f"none of the first {UNREADABLE} rows can be read: this is no CSV of rounds",
                )
            continue
        readable += 1
        window.append(row.digest)
        if len(window) == WINDOW:
            yield window
            before, window = window, []
    if window:
        yield [*before[len(window) :], *window]


def _elsewhere(other: TableSession, name: str = "") -> Refused:
    beside = f" (--source {name})" if name else ""
    return source.unusable(
        "imported_elsewhere",
        f"los pases de este archivo ya están en {other.label}{beside}; si aun así son otros, indique --again",
        f"the rounds of this file are in {other.label}{beside} already; if they are others, pass --again",
    )
