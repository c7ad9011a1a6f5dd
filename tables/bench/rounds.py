"""Full rounds a second through `tables.rounds.log`, beside pgbench inserting the same rows.

Each client is a process with a table of its own. The two sides run in turn, A B A B, on the same
server, and the median of each is compared, because a shared machine is never the same twice.
"""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connections

from audits.by import by_user
from casino.bench import cpu
from casino.bench.figures import Effort, Report, median, say
from casino.models import User
from tables import rounds
from tables.bench import floor, pgbench, sampling
from tables.models import Round, TableSession

WARM_UP = 25
PATIENCE_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of one side came to: rounds a second, and processor time of a round in ms."""

    rate: float
    client_ms: float
    server_ms: float | None
    median_ms: float = 0.0


def figure(effort: Effort) -> Report:
    """Both sides at each number of clients, their ratio, and where the time of one round goes."""
    most = max(effort.clients)
    say(f"opening {2 * most} tables")
    house = floor.build(2 * most)
    ours, theirs = house.sessions[:most], house.sessions[most:]
    last = [_record(session, house.boss, WARM_UP) for session in house.sessions][-1]
    rows: list[Sequence[str]] = [HEAD]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "round.sql"
        script.write_text(pgbench.script(last))
        for clients in effort.clients:
            a, b = [], []
            for _ in range(effort.runs):
                a.append(_run(ours[:clients], house.boss, effort.seconds))
                b.append(_run_pgbench(script, theirs[:clients], effort.seconds))
                say(f"{clients} clients: {a[-1].rate:.0f} rounds/s, pgbench {b[-1].rate:.0f}/s")
            rows.append(_row(clients, a, b))
    remarks = [
        "",
        "CPU: processor time of a round in ms, client + server; on a busy machine it is the surer ratio.",
        "",
        *sampling.report(lambda: _record(ours[0], house.boss, 300 if effort.seconds >= 1 else 30)),
    ]
    return Report("Recording a full round: 7 seats x 2 bets, 5 or 6 cards, event, ledger", rows, remarks)


HEAD = ("clients", "rounds/s", "ms a round", "pgbench/s", "ratio", "CPU", "pgbench CPU", "ratio", "runs")


def _row(clients: int, a: Sequence[Run], b: Sequence[Run]) -> list[str]:
    ours, theirs = median([run.rate for run in a]), median([run.rate for run in b])
    runs = f"{' '.join(f'{run.rate:.0f}' for run in a)} | {' '.join(f'{run.rate:.0f}' for run in b)}"
    return [
        str(clients),
        f"{ours:.0f}",
        f"{median([run.median_ms for run in a]):.2f}",
        f"{theirs:.0f}",
        f"{ours / theirs:.0%}",
        *_cpu(a, b),
        runs,
    ]


def _cpu(a: Sequence[Run], b: Sequence[Run]) -> list[str]:
    """Client + server of both sides, and what ratio of rates that alone would make."""
    if any(run.server_ms is None for run in (*a, *b)):
        return [
            f"{median([r.client_ms for r in a]):.2f} + ?",
            f"{median([r.client_ms for r in b]):.2f} + ?",
            "",
        ]
    sides = [
        (median([run.client_ms for run in side]), median([run.server_ms or 0.0 for run in side]))
        for side in (a, b)
    ]
    return [
        *(f"{client:.2f} + {server:.2f}" for client, server in sides),
        f"{sum(sides[1]) / sum(sides[0]):.0%}",
    ]


def _record(session: TableSession, boss: User, times: int) -> Round:
    """Record so many rounds and return the last that paid commission, so that no posting is missing."""
    logs = floor.whole_rounds(session.pk)
    found = None
    for number in range(max(times, len(logs))):
        if number % len(logs) == 0:
            floor.refill(session)
        settled = rounds.log(session=session, number=None, events=logs[number % len(logs)], by=by_user(boss))
        if settled.commission or found is None:
            found = settled
    assert found is not None
    return found


def _run(sessions: Sequence[TableSession], boss: User, seconds: float) -> Run:
    """One process a session, all at once, each for so many seconds."""
    connections.close_all()  # a connection does not survive a fork
    context = multiprocessing.get_context("fork")
    start = context.Barrier(len(sessions))
    answers = context.SimpleQueue()
    clients = [
        context.Process(target=_client, args=(session, boss, seconds, start, answers)) for session in sessions
    ]
    for client in clients:
        client.start()
    for client in clients:
        client.join(seconds + PATIENCE_SECONDS)
    if any(client.exitcode != 0 for client in clients):
        raise RuntimeError("a client did not finish")
    found: list[Run] = [answers.get() for _ in clients]
    return Run(
        sum(run.rate for run in found),
        median([run.client_ms for run in found]),
        None if found[0].server_ms is None else median([run.server_ms or 0.0 for run in found]),
        median([run.median_ms for run in found]),
    )


def _client(session: TableSession, boss: User, seconds: float, start: Any, answers: Any) -> None:
    logs = floor.whole_rounds(session.pk)
    _record(session, boss, len(logs))
    start.wait(PATIENCE_SECONDS)
    spent: list[float] = []
    before, end = cpu.here(), time.perf_counter() + seconds
    while time.perf_counter() < end:
        if len(spent) % len(logs) == 0:
            floor.refill(session)  # outside the measured time
        by = by_user(boss)
        began = time.perf_counter()
        rounds.log(session=session, number=None, events=logs[len(spent) % len(logs)], by=by)
        spent.append(time.perf_counter() - began)
    used = cpu.here().since(before)
    a_round = 1_000 / len(spent)
    server_ms = None if used.server is None else used.server * a_round
    answers.put(Run(len(spent) / sum(spent), used.clients * a_round, server_ms, median(spent) * 1_000))
    connections.close_all()


def _run_pgbench(script: Path, sessions: Sequence[TableSession], seconds: float) -> Run:
    meter = cpu.Meter()
    rate, recorded = pgbench.run(script, sessions, seconds)
    spent = meter.stop()
    server_ms = None if spent.server is None else spent.server / recorded * 1_000
    return Run(rate, spent.clients / recorded * 1_000, server_ms)
