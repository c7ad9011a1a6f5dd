"""How fast a large register becomes a CSV, beside PostgreSQL's own COPY of the same query (docs/bench.md).

A million events are made by SQL with their triggers off: what is measured is reading them. The two sides take
turns; the aim is twice the time of COPY.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from psycopg import sql

from audits.by import by_system
from audits.reports import document, formats, kept
from audits.reports.formats import csv
from audits.trail_report import EventRegister
from casino.bench import database
from casino.bench.figures import Effort, Report, median, register, say
from casino.kernel import clock
from casino.models import Casino

ROWS_A_SECOND = 250_000
MOST_FORMATTED = 100_000

_EVENTS = """
WITH head AS (INSERT INTO audits_stream (casino_id, name, head_seq, head_hash)
              VALUES (%(casino)s, 'bench', %(rows)s, sha256('')) RETURNING id)
INSERT INTO audits_event (casino_id, stream_id, seq, occurred, recorded, actor_id, action, subject_type,
                          subject_id, subject_label, rules, request, body, previous_hash, hash)
SELECT %(casino)s, head.id, i, %(now)s::timestamptz, %(now)s::timestamptz, %(actor)s, 'tables.round.settled',
       'round', i, 'BJ-04, pase ' || i, '{BAC-15,BAC-22}', gen_random_uuid(),
       convert_to(format('{"data":{"staked":%%s,"winner":"punto"}}', i), 'UTF8'),
       sha256(int8send(i)), sha256(int8send(i + 1))
FROM head, generate_series(1, %(rows)s) i
"""


def exports_figure(effort: Effort) -> Report:
    """CSV of the register of events written by the server, by COPY alone, and by Python."""
    count = max(2_000, int(effort.seconds * ROWS_A_SECOND))
    casino = Casino.objects.create(code="bench-exports", name="Bench", denominations=[100])
    _fill(casino, count)
    today = casino.gaming_day(clock.now())
    params = {"first": today, "last": today, "stream": "bench"}
    made = document.prepare(EventRegister(), casino, params, "es-bo")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        query = _query(made)
        by_copy: list[float] = []
        by_us: list[float] = []
        for run in range(effort.runs):
            say(f"exports, run {run + 1} of {effort.runs}")
            by_copy.append(_timed(lambda: _copy(query, out / "copy.csv")))
            by_us.append(_timed(lambda: _ours(made, out / "ours.csv")))
        size = (out / "ours.csv").stat().st_size
        rows = [
            ("way", "rows", "seconds", "rows/s", "of COPY"),
            _line("PostgreSQL COPY", count, median(by_copy), median(by_copy)),
            _line("export as CSV", count, median(by_us), median(by_copy)),
            *_formats(made, out, count),
        ]
    ratios = ", ".join(f"{us / copy:.2f}" for us, copy in zip(by_us, by_copy, strict=True))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return Report(
        f"Exports: {count:,} events, {size / 1e6:.0f} MB of CSV",
        rows,
        (f"ratios of the runs: {ratios}; the aim is 2", f"COPY by {_COPIER}; largest memory {peak} MB"),
    )


def _fill(casino: Casino, count: int) -> None:
    actor = by_system(casino, "bench").actor
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(_EVENTS, {"casino": casino.pk, "rows": count, "actor": actor.pk, "now": clock.now()})
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE audits_event")


def _query(made: document.Document) -> str:
    """The report's own query, its values in it, for a program that takes no parameters."""
    served = made.sections[0].served
    assert served is not None
    found = served("es-bo")
    connection.ensure_connection()
    values = {
        name: sql.Literal(value).as_string(connection.connection) for name, value in found.values.items()
    }
    return " ".join((found.query % values).split())


_COPIER = "psql" if shutil.which("psql") else "psycopg"


def _copy(query: str, path: Path) -> None:
    if _COPIER == "psql":
        command = ["psql", "-q", "-X", "-c", f"\\copy ({query}) TO '{path}' (FORMAT csv)"]
        subprocess.run(command, env=database.pgbench_place(), check=True)  # noqa: S603 (our own query)
        return
    with (
        connection.cursor() as cursor,
        path.open("wb") as file,
        cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT csv)") as rows,
    ):
        for row in rows:
            file.write(row)


def _ours(made: document.Document, path: Path) -> None:
    with transaction.atomic():
        csv.write(made, path, lambda rows: None)


def _formats(made: document.Document, out: Path, count: int) -> list[tuple[str, ...]]:
    """The other formats, out of the kept rows of a smaller export."""
    with transaction.atomic():
        placed = csv.write(made, out / "rows.csv", lambda rows: None)
    outline = kept.outline(made, placed)
    outline["sections"][0]["rows"] = few = min(count, MOST_FORMATTED)
    lines: list[tuple[str, ...]] = []
    for name in ("json", "csvcomma", "xlsx"):
        say(f"exports, {name}")
        spent = _timed(
            lambda name=name: formats.WRITERS[name](  # type: ignore[misc]
                kept.document_of(outline, out / "rows.csv"), out / f"out.{name}", lambda rows: None
            )
        )
        lines.append((f"{name} from kept rows", f"{few:,}", f"{spent:.2f}", f"{few / spent:,.0f}", ""))
    return lines


def _timed(act: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def _line(way: str, rows: int, seconds: float, of: float) -> tuple[str, ...]:
    return way, f"{rows:,}", f"{seconds:.2f}", f"{rows / seconds:,.0f}", f"{seconds / of:.2f}"


register("exports", exports_figure)
