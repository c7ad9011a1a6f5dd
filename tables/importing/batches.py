"""What an import writes: rounds by the hundred under the session's lock, and one summary event.

A batch is one transaction, short enough that a table in play hardly waits for it. Killed between
two batches, a run that is started again goes on where it stopped: a row is known by its key.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from audits import trail
from audits.by import By
from casino.kernel.commands import command
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables import policies
from tables.games.base import Detail
from tables.importing.judging import Kind, Verdict
from tables.importing.standing import ACTION
from tables.models import Round, TableSession
from tables.rounds import Source, lock_session, log_locked


@command(policies.IMPORT_ROUNDS, silent_when="no row of the batch is new")
def import_batch(*, session: TableSession, verdicts: Sequence[Verdict], by: By) -> list[Verdict]:
    """Log the sound rounds that are not in the session yet; returns the verdicts as they now stand.

    A row that is there with the same content is `already`, with another one `conflict`. Raises
    `Conflict` (code `round_open`) while a round is in progress at the table, and as `require_place`.
    """
    held = lock_session(session, by)
    require_place(held.session)
    if held.last_round_open is not None:
        raise Conflict(
            Text(
                "hay un pase en curso; termínelo antes de importar",
                "a round is in progress; finish it before importing",
            ),
            code="round_open",
        )
    standing = compare(held.session, verdicts, {})
    for verdict in standing:
        if verdict.kind in (Kind.SOUND, Kind.LEFTOVER):
            log_locked(
                held,
                number=None,
                events=verdict.events,
                by=by,
                detail="cards",
                source=Source(verdict.key, verdict.digest),
            )
    return standing


def require_place(session: TableSession) -> None:
    """Raises `Conflict` (code `bets_unknown`) for a session of detail `full`: a file tells no bets, and
    the house result of such a session is that of its bets (FLOOR-12)."""
    if session.detail == Detail.FULL:
        raise Conflict(
            Text(
                f"{session.label} registra apuestas y un archivo no las trae: importe en una mesa que"
                " registre sólo cartas o resultados",
                f"{session.label} logs bets and a file has none: import into a table that logs only cards"
                " or results",
            ),
            code="bets_unknown",
            rule="FLOOR-12",
        )


def compare(session: TableSession, verdicts: Sequence[Verdict], known: dict[str, str]) -> list[Verdict]:
    """Verdicts of rows against the rounds of a session and against the rows before them.

    `known`: digests by key of rows seen before in the same file, to which these are added.
    """
    keys = [verdict.key for verdict in verdicts if verdict.key]
    known.update(
        Round.objects.filter(session=session, source_key__in=keys).values_list("source_key", "source_digest")
    )
    standing = []
    for verdict in verdicts:
        if verdict.kind in (Kind.SOUND, Kind.LEFTOVER):
            if verdict.key in known:
                verdict = _known(verdict, known[verdict.key])
            else:
                known[verdict.key] = verdict.digest
        standing.append(verdict)
    return standing


def _known(verdict: Verdict, digest: str) -> Verdict:
    if digest == verdict.digest:
        words = Text("ya estaba importado", "imported already")
        return dataclasses.replace(verdict, kind=Kind.ALREADY, words=words, rule="")
    words = Text(
        f"{verdict.key} ya está con otro contenido; no se importa (si es otra fuente, indique --source)",
        f"{verdict.key} is there with other content; not imported (if the source is another, pass --source)",
    )
    return dataclasses.replace(verdict, kind=Kind.CONFLICT, words=words, rule="REC-07")


@command(policies.IMPORT_ROUNDS)
def note_import(*, session: TableSession, data: dict[str, Any], by: By) -> None:
    """Put what a run came to on the session's trail: the file's name, digest and counts."""
    held = lock_session(session, by).session
    trail.record(
        ACTION,
        stream=held.stream,
        subject=trail.Subject("session", held.pk, held.label),
        by=by,
        data=data,
    )
