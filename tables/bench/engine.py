"""How many full rounds the pure rules settle in a second on one core.

Beside it stands Python's own JSON, written in C, reading and writing the same log: a round cannot
reach us in less than that.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from casino.bench.figures import Effort, Report, median
from tables.bench import floor
from tables.games import registry
from tables.games.base import Detail, Terms


def figure(effort: Effort) -> Report:
    """Rounds a second: play and settle, settle alone, JSON there and back."""
    game = registry.game(floor.GAME)
    limits = dict.fromkeys(floor.STAKES, (floor.CHIP, 1000000))
    terms = Terms(floor.SEATS, Detail.FULL, floor.CHIP, limits)
    rules = game.default_rules()
    logs = floor.whole_rounds(seed=1)
    played = [game.play_all(game.open(rules, terms), log) for log in logs]
    works: dict[str, Callable[[int], object]] = {
        "play and settle": lambda i: game.settle(game.play_all(game.open(rules, terms), logs[i])),
        "settle alone": lambda i: game.settle(played[i]),
        "yardstick: JSON of the log, there and back": lambda i: json.loads(json.dumps(logs[i])),
    }
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(effort.runs):
        for name, work in works.items():
            found[name].append(_rate(work, len(logs), effort.seconds / 4))
    rows = [["one core, 7 seats x 2 bets, 5 or 6 cards", "rounds/s"]]
    rows += [[name, f"{median(rates):,.0f}"] for name, rates in found.items()]
    return Report("Pure engine", rows)


def _rate(work: Callable[[int], object], logs: int, seconds: float) -> float:
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        for i in range(logs):
            work(i)
        done += logs
    return done / spent
