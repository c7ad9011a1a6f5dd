"""A pack that keeps the order of the factory, or of the sorting, under too little shuffling (CARD-16).

Five things are counted in every stretch of up to 52 cards that ends in the newest round:

    follows     the card before is its neighbour: same suit, ranks side by side
    sorted      the same, or it is the same face again (a pack sorted by suit and rank)
    near        one of the three cards before is its neighbour (a riffle puts strangers between)
    rising      one of the three before is the next lower of its suit; `falling`: the next higher

Why the bound holds. Turn the cards of a stretch over one by one. When j of them are known, the faces that
would be a hit are so many copies at most (`_Kind.copies`), and any card of the D·N - j others may come
next: the chance of a hit is at most copies / (D·N - j) whatever came before. So the hits are at most those
of independent trials with these chances, whose tails `chance.tails` computes. A stretch alarms when its
tail is at most `level`; `chance.crossing` is the chance that any stretch from a given first card does, and
there are D·N first cards. Summed over the five, that is at most `ALARM` for the whole shoe, however the
game cuts it into rounds and however often one asks. Covered cards are neither hits nor counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import sqrt

from casino.kernel.words import Text
from shoes.cards import deck_type as deck_type_of
from shoes.detecting import chance
from shoes.detecting.faces import numbered, shown
from shoes.detecting.finding import ALARM, Finding, decimal

CODE = "order.factory"
LONGEST = 52
"""The longest stretch looked at, in known cards: one deck."""
REACH = 3
"""How many cards back `near` looks: after one riffle seven of eight predecessors lie within three."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """One thing counted: how far back it looks, and which steps in rank are a hit."""

    code: str
    reach: int
    steps: frozenset[int]
    hits: Text

    def copies(self, decks: int) -> int:
        """How many cards at most would be a hit, for each card looked back at; it is out itself."""
        return decks * len(self.steps) - (0 in self.steps)

    def chances(self, cards: int, decks: int) -> list[float]:
        """Bounds of the chance that the second, third … card of a stretch is a hit."""
        copies, whole = self.copies(decks), cards * decks
        return [
            min(1.0, copies * min(self.reach, known) / (whole - known)) if whole > known else 1.0
            for known in range(1, LONGEST)
        ]


_KINDS = (
    _Kind(
        "follows", 1, frozenset({-1, 1}),
        Text("son vecinas de la anterior en su palo", "are neighbours in suit of the one before"),
    ),
    _Kind(
        "sorted", 1, frozenset({-1, 0, 1}),
        Text("son vecinas de la anterior o la repiten", "repeat the one before or are its neighbours"),
    ),
    _Kind(
        "near", REACH, frozenset({-1, 1}),
        Text("tienen una vecina entre las tres anteriores", "have a neighbour among the three before"),
    ),
    _Kind(
        "rising", REACH, frozenset({1}),
        Text("siguen hacia arriba a una de las tres anteriores", "follow one of the three before upwards"),
    ),
    _Kind(
        "falling", REACH, frozenset({-1}),
        Text("siguen hacia abajo a una de las tres anteriores", "follow one of the three before downwards"),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Scale:
    """What is too much for a pack: by kind the chances, their tails, the hits that alarm by known cards."""

    chances: tuple[list[float], ...]
    tails: tuple[list[list[float]], ...]
    limits: tuple[list[int], ...]
    least: tuple[int, ...]
    starts: int

    def whole_shoe(self, level: float) -> float:
        """The bound for a whole shoe of alarming at stretches whose tail is at most `level`."""
        return self.starts * sum(
            chance.crossing(chances, chance.limits(rows, level))
            for chances, rows in zip(self.chances, self.tails, strict=True)
        )


@lru_cache(maxsize=16)
def _scale(deck_type: str, decks: int) -> _Scale:
    cards = len(deck_type_of(deck_type).cards)
    chances = tuple(kind.chances(cards, decks) for kind in _KINDS)
    rows = tuple(chance.tails(each) for each in chances)
    scale = _Scale(chances, rows, (), (), cards * decks)
    low, high = 1e-15, 1.0
    # The bound moves in steps: what is kept is the side on which it holds.
    for _ in range(40):
        middle = sqrt(low * high)
        low, high = (middle, high) if scale.whole_shoe(middle) <= ALARM else (low, middle)
    # Tails are by trials; a stretch of n known cards is n - 1 of them.
    limits = tuple([2, *chance.limits(each, low)] for each in rows)
    least = tuple(
        min([hits for known, hits in enumerate(each) if hits < known], default=LONGEST) for each in limits
    )
    return _Scale(chances, rows, limits, least, scale.starts)


def looks_ordered(cards: Sequence[str], deck_type: str = "french52") -> bool:
    """Whether one round's cards, alone, give reason to ask `factory_order`: microseconds, for every round.

    `factory_order` finds nothing whose newest round does not look ordered, so nothing is missed by asking
    this first.
    """
    codes = numbered(cards, deck_type)
    wanted = _wanted(sum(code >= 0 for code in codes))
    for at in range(1, len(codes)):
        code = codes[at]
        for before in codes[max(0, at - REACH) : at]:
            if -2 < code - before < 2:
                wanted -= 1
                break
    return wanted <= 0


def _wanted(known: int) -> int:
    """How many cards of a round must have a neighbour, or their like, among the three before."""
    return 1 if known < 4 else 2 + (known - 4) // 4


def factory_order(rounds: Sequence[Sequence[str]], deck_type: str, decks: int) -> Finding | None:
    """Whether the cards of the last rounds (three are enough), oldest first, keep an order no shuffle leaves.

    Each round is its cards as they left the shoe; `??` or a value alone is a place all the same. A pack
    shuffled anew for every round (poker) is asked about one round at a time. Ask after every round.
    """
    if not rounds or not looks_ordered(rounds[-1], deck_type):
        return None
    scale = _scale(deck_type, decks)
    cards = list(chain.from_iterable(rounds))
    stretches = list(_stretches(numbered(cards, deck_type), len(cards) - len(rounds[-1]), scale))
    if not stretches:
        return None
    return _finding(min(stretches), cards, deck_type, scale)


_Stretch = tuple[float, int, int, int, int, int]
"""Its tail, the kind's place, first card, one past the last, known cards, hits."""


def _stretches(codes: Sequence[int], newest: int, scale: _Scale) -> Iterator[_Stretch]:
    """The stretches with too many hits that end at `newest` or later."""
    for place, back in enumerate(_looked_back(codes)):
        if sum(map(bool, back)) < scale.least[place]:
            continue
        limit, rows = scale.limits[place], scale.tails[place]
        for start in range(len(codes)):
            known = hits = 0
            for at in range(start, len(codes)):
                if codes[at] < 0:
                    continue
                known += 1
                if known > LONGEST:
                    break
                hits += 0 < back[at] <= at - start
                if at >= newest and hits >= limit[known]:
                    yield rows[known - 1][hits], place, start, at + 1, known, hits


def _looked_back(codes: Sequence[int]) -> list[list[int]]:
    """By kind, for each card how far back the nearest card lies that makes it a hit, or 0."""
    back = [[0] * len(codes) for _ in _KINDS]
    for at, code in enumerate(codes):
        for far in range(1, min(REACH, at) + 1):
            step = code - codes[at - far]
            if -2 < step < 2:
                for kind, nearest in zip(_KINDS, back, strict=True):
                    if not nearest[at] and far <= kind.reach and step in kind.steps:
                        nearest[at] = far
    return back


def _finding(stretch: _Stretch, cards: Sequence[str], deck_type: str, scale: _Scale) -> Finding:
    tail, place, start, end, known, hits = stretch
    kind = _KINDS[place]
    expected = sum(scale.chances[place][: known - 1])
    words = Text(
        "De {known} cartas seguidas, {hits} {what}; bien barajadas serían a lo más {expected} en promedio. "
        "Detenga el sabot y revise el barajado: {shown}",
        "Of {known} cards in a row, {hits} {what}; well shuffled it would be {expected} at most on average. "
        "Stop the shoe and review the shuffle: {shown}",
    ).fill(
        known=known,
        hits=hits,
        what=kind.hits,
        expected=decimal(expected),
        shown=shown(cards[start:end], deck_type),
    )
    facts = {
        "kind": kind.code, "known": known, "hits": hits, "expected": round(expected, 3),
        "stretch": list(cards[start:end]), "from": start,
    }  # fmt: skip
    return Finding(CODE, scale.whole_shoe(tail), words, facts)
