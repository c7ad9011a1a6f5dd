"""How often the detectors of cards cry wolf, and how soon they notice a pack that was not shuffled.

Shoes are shuffled by Python's generator, cut, and dealt by the lengths of real games; every detector is
asked as the house asks it. Beside it stands the bare shuffle and dealing of the same shoes. `--seconds`
says how many: 2,000 shoes of each game for each second (docs/detectors.md).
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from math import exp

from casino.bench.figures import Effort, Report, table
from shoes.cards import FRENCH52
from shoes.detecting import distribution, order, regularity, repeats
from shoes.detecting.finding import ALARM
from tables.bench import dealing
from tables.bench.dealing import Deal, Rounds

SHOES_A_SECOND = 2_000
PREPARED_SHARE = 10
"""One prepared shoe of each kind for so many shuffled ones."""
BATCH = 100
LIBRARY = 50
"""Earlier shoes that every shoe is held against."""
SHORT_RUN = 4
"""Faces of a run short enough to be shared by chance, to hold the formula to."""
HISTORIES = 10
"""Histories of assignments for each shoe of a game."""
WITHIN = 3
SEED = 20_261_130
KIND = FRENCH52.code
CODES = (order.CODE, repeats.CODE_INSIDE, repeats.CODE, distribution.CODE)

GAMES: Sequence[tuple[str, Deal, int]] = (
    ("baccarat, 6 decks", dealing.punto_banca, 6),
    ("baccarat, 8 decks", dealing.punto_banca, 8),
    ("black jack, 6 decks", dealing.black_jack, 6),
)


def figure(effort: Effort) -> Report:
    """False alarms over shuffled shoes with their upper bounds, and how many prepared ones were noticed."""
    return measured(max(20, round(effort.seconds * SHOES_A_SECOND)))


def measured(shoes: int, seed: int = SEED) -> Report:
    """The figure over so many shuffled shoes of each game."""
    rows: list[Sequence[str]] = [HEAD]
    remarks = [""]
    together: Counter[str] = Counter()
    for name, deal, decks in GAMES:
        asked = Shuffled(deal, decks, random.Random(seed))
        asked.run(shoes)
        rows += [_row(f"{code}, {name}", shoes, asked.alarms[code]) for code in CODES]
        together.update(asked.alarms)
        remarks.append(asked.speed(name))
    rows += [_row(f"{code}, all of them", shoes * len(GAMES), together[code]) for code in CODES]
    histories = shoes * HISTORIES
    alarms = _too_regular(histories, random.Random(seed))
    rows.append(_row("regularity, 2 to 10 tables", histories, alarms))
    remarks.append(_short_runs(max(10, shoes // 50), random.Random(seed)))
    prepared = max(10, shoes // PREPARED_SHARE)
    for power in (_noticed(prepared, random.Random(seed)), _swapped(prepared, random.Random(seed))):
        remarks += ["", table(power)]
    return Report("Detectors: alarms over shuffled shoes", rows, remarks)


HEAD = ("detector", "asked of", "alarms", "95 % at most", "promised")


def at_most(events: int, trials: int) -> float:
    """The rate at which so few events come in 5 % of runs: the bound of Poisson (3.0/n for none)."""
    low, high = 0.0, 10.0 + 3 * events
    for _ in range(60):
        middle = (low + high) / 2
        share = term = exp(-middle)
        for n in range(1, events + 1):
            term *= middle / n
            share += term
        low, high = (middle, high) if share > 0.05 else (low, middle)
    return high / trials


def _row(name: str, trials: int, alarms: int) -> list[str]:
    return [name, f"{trials:,}", str(alarms), f"{at_most(alarms, trials):.1e}", f"{ALARM:.0e}"]


class Shuffled:
    """Shuffled shoes of one game, the detectors asked of each as it is dealt."""

    def __init__(self, deal: Deal, decks: int, chance: random.Random) -> None:
        self.deal, self.decks, self.chance = deal, decks, chance
        self.pack = dealing.new_pack(decks, chance)
        self.alarms: Counter[str] = Counter()
        self.shoes = self.rounds = self.looked = 0
        self.bare = self.asking = 0.0
        dealt = [list(chain.from_iterable(self._dealt())) for _ in range(LIBRARY)]
        self.library = {f"{at}": repeats.grams(cards) for at, cards in enumerate(dealt)}
        self.known = {gram for grams in self.library.values() for gram in grams}

    def _dealt(self) -> Rounds:
        return self.deal(dealing.shuffled(self.pack, self.chance), self.chance)

    def run(self, shoes: int) -> None:
        """In batches, so that looking at the clock costs little."""
        for done in range(0, shoes, BATCH):
            start = time.process_time()
            dealt = [self._dealt() for _ in range(min(BATCH, shoes - done))]
            middle = time.process_time()
            for rounds in dealt:
                self.alarms.update(self._ask(rounds))
            self.bare += middle - start
            self.asking += time.process_time() - middle
            self.rounds += sum(map(len, dealt))
        self.shoes += shoes

    def _ask(self, rounds: Rounds) -> set[str]:
        """The detectors that raise an alarm at any time of the shoe, the prefilter first."""
        found = set()
        seen: Counter[str] = Counter()
        out, whole = 0, len(self.pack)
        for at, cards in enumerate(rounds):
            if order.looks_ordered(cards):
                self.looked += 1
                if order.factory_order(rounds[max(0, at - 2) : at + 1], KIND, self.decks):
                    found.add(order.CODE)
            seen.update(cards)
            before, out = out, out + len(cards)
            due = distribution.checkpoint(before, out, whole)
            if due and distribution.improbable(seen, KIND, self.decks):
                found.add(distribution.CODE)
        cards = list(chain.from_iterable(rounds))
        if repeats.repeats_inside(cards, KIND, self.decks):
            found.add(repeats.CODE_INSIDE)
        both = (*repeats.grams(cards), *repeats.reversed_grams(cards))
        if not self.known.isdisjoint(both) and repeats.repeated(
            cards, self.library, deck_type=KIND, decks=self.decks
        ):
            found.add(repeats.CODE)
        return found

    def speed(self, name: str) -> str:
        bare, asking = self.bare / self.shoes, self.asking / self.shoes
        return (
            f"{name}: shuffle and deal {bare * 1e6:,.0f} µs a shoe, all detectors {asking * 1e6:,.0f} µs; "
            f"{self.rounds / self.shoes:.0f} rounds, {self.looked / self.rounds:.1%} passed the prefilter"
        )


def _too_regular(histories: int, chance: random.Random) -> int:
    """Alarms over independent histories of assignments at random, each asked once at its end."""
    alarms = 0
    for at in range(histories):
        tables = 2 + at % 9
        history = [str(int(chance.random() * tables)) for _ in range(40)]
        alarms += regularity.too_regular(history, tables) is not None
    return alarms


def _short_runs(pairs: int, chance: random.Random) -> str:
    """How often two whole shuffled shoes of 8 decks share a short run, beside the bound for it."""
    packs = dealing.new_pack(8, chance), dealing.new_pack(8, chance)
    shared = 0
    for _ in range(pairs):
        one, two = (dealing.shuffled(pack, chance) for pack in packs)
        both = {*repeats.grams(two, SHORT_RUN), *repeats.reversed_grams(two, SHORT_RUN)}
        shared += not both.isdisjoint(repeats.grams(one, SHORT_RUN))
    bound, eight = (repeats.chance_of_sharing(KIND, 8, k) for k in (SHORT_RUN, repeats.RUN))
    return (
        f"Runs of {SHORT_RUN} faces: {shared} of {pairs:,} pairs of shoes of 8 decks share one "
        f"({shared / pairs:.2%}; bound {bound:.2%}). "
        f"Runs of {repeats.RUN} beside 10,000 stored shoes: bound {eight * 10_000:.1e}"
    )


def _noticed(shoes: int, chance: random.Random) -> Report:
    """Of prepared shoes, how many `order.factory` noticed within one, two and three rounds."""
    rows: list[Sequence[str]] = [("prepared", "shoes", "1 round", "2 rounds", "3 rounds")]
    for name, deal, decks in GAMES:
        for kind, prepare in dealing.PREPARED.items():
            for both_ways in (False, True):
                found: Counter[int] = Counter()
                for _ in range(shoes):
                    pack = prepare(dealing.new_pack(decks, chance, both_ways=both_ways), chance)
                    found[_first(deal(dealing.cut(pack, chance), chance), decks)] += 1
                within = [sum(found[n] for n in range(1, last + 1)) / shoes for last in range(1, WITHIN + 1)]
                way = "suits both ways" if both_ways else "suits one way"
                shares = (f"{share:.1%}" for share in within)
                rows.append((f"{kind}, {way}, {name}", f"{shoes:,}", *shares))
    return Report("order.factory: prepared shoes noticed within so many rounds", rows)


def _first(rounds: Rounds, decks: int) -> int:
    """The round after which the order was noticed, or 0."""
    asked = (n for n in range(1, WITHIN + 1) if order.factory_order(rounds[:n], KIND, decks))
    return next(asked, 0)


def _swapped(shoes: int, chance: random.Random) -> Report:
    """Of shoes in which aces were swapped for other cards, how many `distribution` noticed by each look."""
    rows: list[Sequence[str]] = [("aces swapped, of 24", "shoes", "by 1/4", "by 1/2", "by 3/4")]
    aces = [card for card in FRENCH52.cards if card[0] == "A"]
    others = [card for card in FRENCH52.cards if card[0] != "A"]
    for swapped in (6, 12, 18, 24):
        found: Counter[int] = Counter()
        for _ in range(shoes):
            pack = [*others * 6, *(aces * 6)[swapped:], *chance.choices(others, k=swapped)]
            found[_look(dealing.shuffled(pack, chance))] += 1
        within = [sum(found[look] for look in range(1, last + 1)) / shoes for last in range(1, 4)]
        rows.append((str(swapped), f"{shoes:,}", *(f"{share:.1%}" for share in within)))
    return Report("distribution: 6 decks with aces swapped for other cards", rows)


def _look(pack: Sequence[str]) -> int:
    """The quarter by which the pack was found improbable, or 0."""
    out = (len(pack) * quarter // distribution.LOOKS for quarter in range(1, distribution.LOOKS))
    looks = (look for look, n in enumerate(out, 1) if distribution.improbable(Counter(pack[:n]), KIND, 6))
    return next(looks, 0)
