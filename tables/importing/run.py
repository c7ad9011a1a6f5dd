"""An import from a path to an outcome: look, judge, write in batches, tell."""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from audits.by import By
from casino.kernel import clock
from casino.kernel.errors import Busy, Refused
from casino.kernel.words import Text
from tables import inforce
from tables.games.base import Detail
from tables.importing import batches, columns, source, standing
from tables.importing.judging import Bench, Kind, Listed, Verdict, judge, read
from tables.importing.outcome import Outcome, Report
from tables.importing.source import Source
from tables.models import TableSession

BATCH = 200
LONGEST_NAME = 40
_TRIES_WHEN_BUSY = 10


@dataclass(frozen=True, slots=True)
class Import:
    """A file found usable, ready to be imported into a session; `name` where its source has one, and
    the first `limit` rows of it (all, when None)."""

    session: TableSession
    source: Source
    columns: columns.Columns
    name: str
    limit: int | None


def prepare(
    session: TableSession,
    path: Path,
    *,
    name: str = "",
    encoding: str = "utf-8",
    delimiter: str | None = None,
    limit: int | None = None,
    again: bool = False,
) -> Import:
    """Look the whole file over. Raises `Refused` when it cannot be used, before anything is written.

    `again`: though its rounds stand elsewhere in the casino already.
    """
    batches.require_place(session)
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise source.unusable(
            "bad_source",
            f"el nombre de la fuente tiene hasta {LONGEST_NAME} letras",
            f"a source's name has up to {LONGEST_NAME} letters",
        )
    found, delimiter = columns.find(source.first_line(path, encoding), delimiter)
    examined = source.examine(path, encoding, delimiter)
    if examined.lines < 2:
        raise source.unusable(
            "file_empty",
            "el archivo no tiene pases, sólo encabezado",
            "the file has no rounds, only a heading",
        )
    work = Import(session, examined, found, name, limit)
    if again:
        standing.require_readable(_listed(work))
    else:
        standing.refuse_unless_new(session, name, examined.sha256, _listed(work))
    return work


def carry_out(
    work: Import,
    by: Callable[[], By] | None,
    *,
    report: Report | None = None,
    progress: Callable[[int], object] = lambda lines: None,
) -> Outcome:
    """Import (or, without `by`, only judge) the rows and return what came of it.

    `by` is asked anew for each batch, so that each carries its own instant. Raises what the session
    refuses (`session_closed`, `round_open`); batches already written stay, and a new run goes on.
    """
    outcome = Outcome()
    last, seen = 0, dict[str, str]()
    for batch in _batches(work):
        if by is None:
            judged = batches.compare(work.session, batch, seen)
        elif any(verdict.kind is not Kind.REFUSED for verdict in batch):
            judged = _written(work.session, batch, by)
        else:
            judged = batch
        for verdict in judged:
            outcome.add(verdict)
        if report is not None:
            report.add(judged)
        progress(batch[-1].line - last)
        last = batch[-1].line
    if by is not None and (outcome.imported or not standing.was_told(work.session, work.source.sha256)):
        data = {
            "source": work.name,
            "file": work.source.path.name[:100],
            "sha256": work.source.sha256,
            "rows": outcome.rows,
        }
        batches.note_import(session=work.session, data={**data, **outcome.as_data()}, by=by())
    return outcome


def _written(session: TableSession, batch: list[Verdict], by: Callable[[], By]) -> list[Verdict]:
    for attempt in itertools.count(1):
        try:
            return batches.import_batch(session=session, verdicts=batch, by=by())
        except Busy:
            # The table is in play: its own rounds come first.
            if attempt == _TRIES_WHEN_BUSY:
                raise
            time.sleep(0.5)
    raise AssertionError


def _listed(work: Import) -> Iterator[Listed | None]:
    """What each row says, not judged yet; None where it cannot be read."""
    for _line, cells in itertools.islice(source.rows(work.source), work.limit):
        try:
            yield read(work.columns, cells)
        except Refused:
            yield None


def _batches(work: Import) -> Iterator[list[Verdict]]:
    verdicts = itertools.islice(_verdicts(work), work.limit)
    while batch := list(itertools.islice(verdicts, BATCH)):
        yield batch


def _verdicts(work: Import) -> Iterator[Verdict]:
    bench = bench_of(work.session, work.columns)
    named = _named(work, (judge(bench, line, cells) for line, cells in source.rows(work.source)))
    yield from named


def bench_of(session: TableSession, found: columns.Columns) -> Bench:
    """What rows are judged by: the session's game under the rules in force now."""
    current, _ = inforce.for_new_round(session, clock.now(), Detail.CARDS)
    if current.game.family != "baccarat" or current.game.bank != "house":
        raise Refused(
            Text("sólo se importan pases de Punto y Banca", "only Punto y Banca rounds are imported"),
            code="wrong_game",
        )
    return Bench(current.game, current.rules, current.terms, found)


def _named(work: Import, verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """Each row's identity in its session: shoe and round; where the file numbers none, its content and
    which occurrence of it this is. A source's name comes before it; the file's does not."""
    seen: Counter[str] = Counter()
    for verdict in verdicts:
        key = verdict.key
        if verdict.kind is not Kind.REFUSED and not key:
            seen[verdict.digest] += 1
            key = f"#{verdict.digest[:40]}:{seen[verdict.digest]}"
        yield dataclasses.replace(verdict, key=standing.key_of(work.name, key) if key else "")
