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
from tables.importing import batches, columns, source
from tables.importing.judging import Bench, Kind, Verdict, judge
from tables.importing.outcome import Outcome, Report
from tables.importing.source import Source
from tables.models import TableSession

BATCH = 200
LONGEST_NAME = 40
_TRIES_WHEN_BUSY = 10


@dataclass(frozen=True, slots=True)
class Import:
    """A file found usable, ready to be imported into a session under `name`."""

    session: TableSession
    source: Source
    columns: columns.Columns
    name: str


def prepare(
    session: TableSession,
    path: Path,
    *,
    name: str = "",
    encoding: str = "utf-8",
    delimiter: str | None = None,
) -> Import:
    """Look the whole file over. Raises `Refused` when it cannot be used, before anything is written."""
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
    before = batches.imports_of(session, examined.sha256)
    names = sorted({data["source"] for data in before})
    name = name or (names[0] if names else path.stem[:LONGEST_NAME])
    if names and name not in names:
        # Under another name every row would look new.
        raise source.unusable(
            "other_source",
            f'este archivo ya se importó en esta sesión como «{names[0]}»: indique --source "{names[0]}"',
            f'this file was imported into this session as “{names[0]}”: pass --source "{names[0]}"',
        )
    return Import(session, examined, found, name)


def carry_out(
    work: Import,
    by: Callable[[], By] | None,
    *,
    limit: int | None = None,
    report: Report | None = None,
    progress: Callable[[int], object] = lambda lines: None,
) -> Outcome:
    """Import (or, without `by`, only judge) the rows and return what came of it.

    `by` is asked anew for each batch, so that each carries its own instant. Raises what the session
    refuses (`session_closed`, `round_open`); batches already written stay, and a new run goes on.
    """
    outcome = Outcome()
    last, seen = 0, dict[str, str]()
    for batch in _batches(work, limit):
        if by is None:
            standing = batches.compare(work.session, batch, seen)
        else:
            standing = _written(work.session, batch, by)
        for verdict in standing:
            outcome.add(verdict)
        if report is not None:
            report.add(standing)
        progress(batch[-1].line - last)
        last = batch[-1].line
    if by is not None and (outcome.imported or not batches.imports_of(work.session, work.source.sha256)):
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


def _batches(work: Import, limit: int | None) -> Iterator[list[Verdict]]:
    verdicts = itertools.islice(_verdicts(work), limit)
    while batch := list(itertools.islice(verdicts, BATCH)):
        yield batch


def _verdicts(work: Import) -> Iterator[Verdict]:
    bench = bench_of(work.session, work.columns)
    named = _named(work, (judge(bench, line, cells) for line, cells in source.rows(work.source)))
    yield from named


def bench_of(session: TableSession, found: columns.Columns) -> Bench:
    """What rows are judged by: the session's game under the rules in force now."""
    current, _ = inforce.for_new_round(session, clock.now(), Detail.CARDS)
    if current.game.family != "baccarat":
        raise Refused(
            Text("sólo se importan pases de Punto y Banca", "only Punto y Banca rounds are imported"),
            code="wrong_game",
        )
    return Bench(current.game, current.rules, current.terms, found)


def _named(work: Import, verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """Each row's identity: source, shoe and round; where the file numbers none, its content and
    which occurrence of it this is."""
    seen: Counter[str] = Counter()
    for verdict in verdicts:
        key = verdict.key
        if verdict.kind is not Kind.REFUSED and not key:
            seen[verdict.digest] += 1
            key = f"#{verdict.digest[:40]}:{seen[verdict.digest]}"
        yield dataclasses.replace(verdict, key=f"{work.name}:{key}" if key else "")
