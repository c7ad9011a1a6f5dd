"""How many rounds of each game the pure rules settle, and play and settle, in a second of one core's time.

The rounds are walked along each game's own prompts with every seat in. Beside each stands Python's own JSON,
written in C, reading and writing the same logs; beside the showdown of a poker ring the raw speed of
phevaluator, a table look-up in C, where it is installed.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from casino.bench.figures import Effort, Report, median
from shoes.cards import FRENCH52, composition
from tables.demo.guests import Guests
from tables.games import registry
from tables.games.base import Detail, Game, Terms
from tables.games.poker import ranks

CHIP = 100
LOW, HIGH = 10 * CHIP, 1_000 * CHIP
RING = {
    "blind": (10 * CHIP, 20 * CHIP),
    "ante": (2 * CHIP, 2 * CHIP),
    "bring_in": (5 * CHIP, 20 * CHIP),
    "bet": (20 * CHIP, 40 * CHIP),
}
"""What a ring is played for (bring-in and small bet go together); each game takes those it has."""
SAMPLE = 24
SHOWDOWNS, PLAYERS = 200, 9


def figure(effort: Effort) -> Report:
    """Rounds a second of every registered game, and showdowns beside phevaluator's."""
    seconds = effort.seconds / 30
    rows: list[Sequence[str]] = [HEAD]
    for game in registry.GAMES.values():
        rows.append(_row(game, effort.runs, seconds))
    return Report("Every game's pure engine, all seats in", rows, ["", *_showdowns(effort.runs, seconds)])


HEAD = ("game", "settled/s", "played too/s", "JSON/s", "ratio", "events", "bets", "seats")
"""`ratio`: rounds played and settled beside JSON of the same logs there and back."""


def opened(game: Game) -> Any:
    """A round with nothing in it at a table of the rules' own seats, at detail `full`."""
    rules = game.default_rules()
    spots = game.layout or game.spots
    if game.bank == "ring":
        blinds = "blind" in game.spots
        limits = {spot: pair for spot, pair in RING.items() if (spot == "blind") == blinds}
    else:
        limits = dict.fromkeys(spots, (LOW, HIGH))
    return game.open(rules, Terms(rules.seats, Detail.FULL, CHIP, limits))


def sample(game: Game, seed: int, rounds: int = SAMPLE) -> list[list[dict[str, Any]]]:
    """The logs of so many rounds with every seat in, each from a whole pack."""
    chance, start = random.Random(seed), opened(game)
    seats = range(1, start.terms.seats + 1)
    logs = []
    for _ in range(rounds):
        pack = list(composition(game.deck_type, start.rules.decks).elements()) if game.deck_type else []
        chance.shuffle(pack)
        logs.append([dict(event) for event in Guests(game, seats, chance).play(start, pack.pop).log])
    return logs


def _row(game: Game, runs: int, seconds: float) -> list[str]:
    start, logs = opened(game), sample(game, seed=3)
    states = [game.play_all(start, log) for log in logs]
    bets = [len(game.settle(state).payouts) for state in states]
    settled, ours, theirs = _in_turn(
        (
            lambda i: game.settle(states[i]),
            lambda i: game.settle(game.play_all(start, logs[i])),
            lambda i: json.loads(json.dumps(logs[i])),
        ),
        len(logs),
        runs,
        seconds,
    )
    events = sum(map(len, logs)) / len(logs)
    numbers = [f"{settled:,.0f}", f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.0%}", f"{events:.0f}"]
    return [game.code, *numbers, f"{sum(bets) / len(bets):.0f}", str(start.terms.seats)]


def _showdowns(runs: int, seconds: float) -> list[str]:
    """Nine players' best five of seven cards, as a ring ranks them, and phevaluator's."""
    deals = _deals(random.Random(9))
    tables = [(deal[0][2:], [hand[:2] for hand in deal]) for deal in deals]
    works: list[Callable[[int], object]] = [lambda i: ranks.showdown(*tables[i])]
    if find_spec("phevaluator"):
        evaluate, number = import_module("phevaluator").evaluate_cards, import_module("phevaluator").Card
        native = import_module("phevaluator._pheval").evaluate_7cards
        numbers = [[[int(number(card)) for card in hand] for hand in deal] for deal in deals]
        works.append(lambda i: [evaluate(*hand) for hand in deals[i]])
        works.append(lambda i: [native(*hand) for hand in numbers[i]])
    rates = _in_turn(works, len(deals), runs, seconds * 4)
    lines = [f"Showdown of {PLAYERS} players with seven cards each: {rates[0]:,.0f}/s"]
    if len(rates) == 1:
        return [*lines, "phevaluator is not installed (requirements-dev.txt): nothing to compare with"]
    written, raw = rates[1:]
    return [
        *lines,
        f"phevaluator from the same cards: {written:,.0f}/s; ratio {rates[0] / written:.0%}",
        f"phevaluator raw, nine calls of its C with numbers ready: {raw:,.0f}/s; ratio {rates[0] / raw:.0%}",
    ]


def _deals(chance: random.Random) -> list[list[list[str]]]:
    deals = []
    for _ in range(SHOWDOWNS):
        pack = chance.sample(FRENCH52.cards, 2 * PLAYERS + 5)
        board = pack[:5]
        deals.append([[*pack[5 + 2 * n : 7 + 2 * n], *board] for n in range(PLAYERS)])
    return deals


def _in_turn(works: Sequence[Callable[[int], object]], size: int, runs: int, seconds: float) -> list[float]:
    """The median rate of each work, the works taking turns (A B A B)."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(runs):
        for place, work in enumerate(works):
            found[place].append(_rate(work, size, seconds))
    return [median(rates) for rates in found]


def _rate(work: Callable[[int], object], size: int, seconds: float) -> float:
    """Times a second of this process's own processor time: what others do on the machine does not count."""
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds or not done:
        for i in range(size):
            work(i)
        done += size
    return done / spent
