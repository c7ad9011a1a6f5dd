"""The house's edge on each bet of Challenge 21: counted with an endless shoe, and played out with real decks.

The player follows one strategy: of stand, hit, double, split (once) and surrender the decision that earns
most for all three bets together by the total and the dealer's base cards, worked out as if every card drawn
went back into the shoe; even money where that earns more, never insurance. With the shared base one bet
earns what each does.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement, permutations
from math import sqrt

from casino.kernel.words import Text
from tables.games.base import Draw, Edge
from tables.games.blackjack.hands import DEALER_STANDS, TWENTY_ONE
from tables.games.challenge.rules import BET_SPOTS, INSURANCE_SPOTS, NOT_ACE, SPOTS, Rules
from tables.games.paying import ratio

VALUES = tuple(range(1, 11))
CHANCE = tuple((4 if value == 10 else 1) / 13 for value in VALUES)
CUT = 104
"""CARD-27: the cut card has at most two decks behind it."""

_ENDLESS = Text(
    "mejor decisión con un sabot sin fin, separando una vez como mucho: contado; con 6 barajas difiere algo",
    "best decision with an endless shoe, splitting once at most: counted; six decks differ a little",
)
_PLAYED = Text(
    "un jugador con tres apuestas iguales decide como con un sabot sin fin, separa una vez como mucho y no"
    " toma seguro",
    "one player with three equal bets decides as with an endless shoe, splits once at most and takes no"
    " insurance",
)
_UNSEEN = Text("sin más carta vista que el as del croupier", "with no card seen but the dealer's ace")


def best(total: int, ace: bool) -> int:
    """The best total of a hand whose aces count 1 (BJ-06)."""
    return total + 10 if ace and total + 10 <= TWENTY_ONE else total


Ups = tuple[int, ...]
"""Base cards by value, in rising order: the shared one, or one for each bet."""


class Table:
    """What each decision earns against the base cards, in initial bets, with an endless shoe."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.win, self.natural = float(ratio(rules.win_pays)), float(ratio(rules.blackjack_pays))
        self.even = float(ratio(rules.even_money_pays))
        self.gone = -rules.surrender_loss_percent / 100
        self._ends = {up: self._dealer(up) for up in VALUES}
        self._hits: dict[tuple[int, bool, Ups], float] = {}
        self._doubles: dict[tuple[int, bool, Ups], float] = {}
        self._stands = {(points, up): self._against(points, up) for points in range(2, 22) for up in VALUES}

    def _dealer(self, up: int) -> dict[int, float]:
        """Chances of the dealer's totals; 0 is a bust and 22 a black jack."""
        shares: dict[int, float] = {}
        for value, chance in zip(VALUES, CHANCE, strict=True):
            if {up, value} == {1, 10}:
                shares[22] = shares.get(22, 0.0) + chance
            else:
                self._draw(up + value, 1 in (up, value), chance, shares)
        return shares

    def _draw(self, total: int, ace: bool, chance: float, shares: dict[int, float]) -> None:
        points = best(total, ace)
        if points >= DEALER_STANDS:
            end = points if points <= TWENTY_ONE else 0
            shares[end] = shares.get(end, 0.0) + chance
            return
        for value, more in zip(VALUES, CHANCE, strict=True):
            self._draw(total + value, ace or value == 1, chance * more, shares)

    def _against(self, points: int, up: int) -> float:
        shares = self._ends[up].items()
        lower = sum(chance for end, chance in shares if end < points)
        return self.win * lower - sum(chance for end, chance in shares if end > points)

    def stand(self, total: int, ace: bool, ups: Ups) -> float:
        points = best(total, ace)
        return sum([self._stands[points, up] for up in ups])

    def hit(self, total: int, ace: bool, ups: Ups) -> float:
        known = self._hits.get((total, ace, ups))
        if known is None:
            known = 0.0
            for value, chance in zip(VALUES, CHANCE, strict=True):
                known += chance * self._after(total + value, ace or value == 1, ups)
            self._hits[total, ace, ups] = known
        return known

    def _after(self, total: int, ace: bool, ups: Ups) -> float:
        if total > TWENTY_ONE:
            return -float(len(ups))
        stand = self.stand(total, ace, ups)
        return stand if best(total, ace) == TWENTY_ONE else max(stand, self.hit(total, ace, ups))

    def double(self, total: int, ace: bool, ups: Ups) -> float:
        known = self._doubles.get((total, ace, ups))
        if known is None:
            known = 0.0
            for value, chance in zip(VALUES, CHANCE, strict=True):
                after, soft = total + value, ace or value == 1
                known += 2 * chance * (-len(ups) if after > TWENTY_ONE else self.stand(after, soft, ups))
            self._doubles[total, ace, ups] = known
        return known

    @cache  # noqa: B019  one table is kept for each version of the rules
    def split(self, value: int, ups: Ups) -> float:
        """Both hands of a split pair, not split again; an ace takes one card (BJ-25)."""
        earned = 0.0
        for second, chance in zip(VALUES, CHANCE, strict=True):
            total, ace = value + second, 1 in (value, second)
            if value == 1 or best(total, ace) == TWENTY_ONE:
                earned += chance * self.stand(total, ace, ups)
            else:
                earned += chance * max(self.options(total, ace, 2, True, 0, ups).values())
        return 2 * earned

    def options(
        self, total: int, ace: bool, cards: int, split: bool, pair: int, ups: Ups
    ) -> dict[str, float]:
        """What each decision allowed earns against all those base cards together. `pair`: the value of two
        cards that may be split, else 0."""
        found = {"stand": self.stand(total, ace, ups), "hit": self.hit(total, ace, ups)}
        rules = self.rules
        if cards == 2 and (not split or rules.double_after_split):
            if rules.double_totals == "any" or best(total, ace) in (9, 10, 11):
                found["double"] = self.double(total, ace, ups)
            if not split and rules.surrender and 1 not in ups:
                found["surrender"] = self.gone * len(ups)
        if pair and rules.splits_max:
            found["split"] = self.split(pair, ups)
        return found

    def waits(self, up: int) -> bool:
        """BJ-16."""
        return up == 1 or (up == 10 and self.rules.immediate_pay != NOT_ACE)

    @property
    def takes_even(self) -> bool:
        """Whether even money earns more than waiting with a black jack against an ace (BJ-19)."""
        return self.even > self.natural * (1 - self._ends[1][22])

    def earns(self) -> float:
        """What one bet earns on the whole; with a base for each hand, a third of what three earn."""
        count = 1 if self.rules.shared else 3
        earned = 0.0
        for ups in combinations_with_replacement(VALUES, count):
            # Base cards in any order: as many orders as the same cards have.
            seen = float(len(set(permutations(ups))))
            for up in ups:
                seen *= CHANCE[up - 1]
            for first, second in combinations_with_replacement(VALUES, 2):
                ways = (1 if first == second else 2) * CHANCE[first - 1] * CHANCE[second - 1]
                earned += seen * ways * self._dealt(first, second, ups)
        return earned / count

    def _dealt(self, first: int, second: int, ups: Ups) -> float:
        total, ace = first + second, 1 in (first, second)
        if ace and best(total, ace) == TWENTY_ONE:
            return sum(self._natural(up) for up in ups)
        alone = max(self.options(total, ace, 2, False, 0, ups).values())
        if first != second:
            return alone
        paired = max(self.options(total, ace, 2, False, first, ups).values())
        # BJ-24: of two ten-point cards one pair in four is of the same rank.
        alike = 0.25 if first == 10 and self.rules.split_pair_by == "rank" else 1.0
        return alike * paired + (1 - alike) * alone

    def _natural(self, up: int) -> float:
        """What a black jack earns against one base card (BJ-16, BJ-19)."""
        if up == 1 and self.takes_even:
            return self.even
        return self.natural * (1 - self._ends[up].get(22, 0.0) if self.waits(up) else 1.0)


@lru_cache(maxsize=16)
def table_of(rules: Rules) -> Table:
    return Table(rules)


RANK_VALUES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
_Held = tuple[int, float]


def player_of(rules: Rules) -> Callable[[Callable[[], int]], tuple[float, ...]]:
    """A function that plays one pass of three equal bets with the ranks (0 to 12) its argument gives, in
    the order they are dealt, and tells what each bet earns."""
    table = table_of(rules)

    def play(pop: Callable[[], int]) -> tuple[float, ...]:
        first = pop()
        bases = [RANK_VALUES[pop()] for _ in range(1 if rules.shared else 3)]
        decided_by = tuple(sorted(bases))
        ups = bases * 3 if rules.shared else bases
        second = pop()
        total, ace = RANK_VALUES[first] + RANK_VALUES[second], 0 in (first, second)
        natural = ace and best(total, ace) == TWENTY_ONE
        won, held = (0.0, []) if natural else _play_hands(table, first, second, decided_by, pop)
        earned = []
        for up in ups:
            if natural and (not table.waits(up) or (up == 1 and table.takes_even)):
                earned.append(table.even if up == 1 else table.natural)
                continue
            result = won
            if natural or held:
                end = _complete(up, RANK_VALUES[pop()], pop)
                if natural:
                    result += 0.0 if end == 22 else table.natural
                for points, stake in held:
                    result += stake * (table.win if end < points else -1.0 if end > points else 0.0)
            earned.append(result)
        return tuple(earned)

    return play


def _complete(up: int, second: int, pop: Callable[[], int]) -> int:
    """A dealer hand's points: 0 for a bust and 22 for a black jack."""
    total, ace = up + second, 1 in (up, second)
    if ace and total == 11:
        return 22
    while best(total, ace) < DEALER_STANDS:
        value = RANK_VALUES[pop()]
        total, ace = total + value, ace or value == 1
    return best(total, ace) if total <= TWENTY_ONE else 0


def _play_hands(
    table: Table, first: int, second: int, ups: Ups, pop: Callable[[], int]
) -> tuple[float, list[_Held]]:
    """What is decided for each bet before the dealer draws, and the hands that stood with their stakes."""
    by_rank = table.rules.split_pair_by == "rank"
    won = 0.0
    held: list[_Held] = []
    waiting: list[tuple[int, int | None]] = [(first, second)]
    split = False
    while waiting:
        one, two = waiting.pop()
        two = pop() if two is None else two
        total, ace, cards, stake = RANK_VALUES[one] + RANK_VALUES[two], 0 in (one, two), 2, 1.0
        alike = one == two if by_rank else RANK_VALUES[one] == RANK_VALUES[two]
        pair = RANK_VALUES[one] if alike and not split else 0
        while best(total, ace) < TWENTY_ONE and not (split and one == 0):
            options = table.options(total, ace, cards, split, pair, ups)
            do = max(options, key=lambda name: options[name])
            if do in ("stand", "surrender", "split"):
                break
            value = RANK_VALUES[pop()]
            total, ace, cards, pair = total + value, ace or value == 1, cards + 1, 0
            if do == "double":
                stake = 2.0
                break
        else:
            do = "stand"
        if do == "split":
            split = True
            waiting += [(two, None), (one, None)]
        elif do == "surrender":
            won += table.gone
        elif total > TWENTY_ONE:
            won -= stake
        else:
            held.append((best(total, ace), stake))
    return won, held


def simulate(rules: Rules, draw: Draw, rounds: int) -> tuple[tuple[float, float], ...]:
    """For each of the three bets the mean result of a pass in initial bets, and half its 95 % interval."""
    play = player_of(rules)
    whole = [rank for rank in range(13) for _ in range(4 * rules.decks)]
    shoe: list[int] = []
    sums, squares = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for _ in range(rounds):
        if len(shoe) <= CUT:
            shoe = whole.copy()
            draw.shuffle(shoe)
            shoe.pop()  # CARD-35: one card is burned.
        for number, earned in enumerate(play(shoe.pop)):
            sums[number] += earned
            squares[number] += earned * earned
    means = [total / rounds for total in sums]
    return tuple(
        (mean, 1.96 * sqrt(max(square / rounds - mean * mean, 0.0) / rounds))
        for mean, square in zip(means, squares, strict=True)
    )


@lru_cache(maxsize=16)
def quick_edges(rules: Rules) -> tuple[Edge, ...]:
    """What is counted: each bet with an endless shoe, and the insurance (GEN-06)."""
    found: list[Edge] = []
    percent = -100 * table_of(rules).earns()
    found += [Edge(spot, SPOTS[spot], percent, "exact", note=_ENDLESS) for spot in BET_SPOTS]
    unseen, tens = 52 * rules.decks - 1, 16 * rules.decks
    kept = float((unseen - tens - tens * ratio(rules.insurance_pays)) / Fraction(unseen)) * 100
    found += [Edge(spot, SPOTS[spot], kept, "exact", rules.decks, note=_UNSEEN) for spot in INSURANCE_SPOTS]
    return tuple(found)


def edges(rules: Rules, draw: Draw, rounds: int) -> tuple[Edge, ...]:
    """Every bet's edge: the counted ones, and the three bets played out with the real decks."""
    counted = quick_edges(rules)
    if rounds < 1:
        return counted
    played = tuple(
        Edge(
            spot,
            SPOTS[spot],
            -100 * mean,
            "simulated",
            rules.decks,
            margin=100 * margin,
            rounds=rounds,
            note=_PLAYED,
        )
        for spot, (mean, margin) in zip(BET_SPOTS, simulate(rules, draw, rounds), strict=True)
    )
    return (*counted, *played)
