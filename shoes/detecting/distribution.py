"""Faces that came out too often, too rarely, or too evenly for what the pack holds (CARD-42).

The known faces of a shuffled shoe are a draw without replacement. Of n cards out of N, a class with the
share w is expected E = n·w times, and X² = (N-1)/(N-n) · Σ (O-E)²/E is near chi-square with one degree of
freedom less than classes. It is asked when a quarter, a half, three quarters and the whole have come out,
of ranks and suits; where only values are known, of values. Where E is below five, drawn or left, nothing is
asked: so the last look is empty in most games, and the closing count says then what is missing.

An alarm is a tail of at most ALARM / `_SHARES`: at each of four looks one share for ranks (or values), one
for suits, and three for ranks that come too evenly, because that tail is the coarser. How good chi-square is
at this level was counted exactly (tests/shoes/detecting/exact.py): with 3, 4, 6 and 8 decks the true tail
above is at most 1.8 times the closed form, below 2.9 times, and no look takes all of its five shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from casino.kernel.words import Text, same
from shoes.cards import COVERED, is_value_card
from shoes.cards import deck_type as deck_type_of
from shoes.detecting import chance
from shoes.detecting.finding import ALARM, Finding, decimal
from shoes.points import points_of

CODE = "distribution"
LOOKS = 4
LEAST_EXPECTED = 5
_EVENLY = 3
_SHARES = LOOKS * (1 + 1 + _EVENLY)
_LEAST_TOLD = 1e-10
"""Further out chi-square was not held to exact counts."""


def checkpoint(before: int, after: int, total: int) -> int:
    """Which quarter (1 to 4, else 0) cards out of `total` reach in growing from `before` to `after`."""
    reached = min(after, total) * LOOKS // total
    return reached if reached > before * LOOKS // total else 0


@dataclass(frozen=True, slots=True)
class _Classes:
    """Known faces by class: how often seen, how many the pack holds, and how many of each were to be seen."""

    code: str
    seen: Mapping[str, int]
    held: Mapping[str, int]
    expected: Mapping[str, float]
    drawn: int

    @classmethod
    def of(cls, code: str, seen: Mapping[str, int], held: Mapping[str, int]) -> _Classes:
        drawn, whole = sum(seen.values()), sum(held.values())
        return cls(code, seen, held, {one: drawn * of / whole for one, of in held.items()}, drawn)

    @property
    def enough(self) -> bool:
        """Whether every class is expected often enough among the cards drawn and those left."""
        drawn = min(self.expected.values())
        return min(drawn, min(self.held.values()) - drawn) >= LEAST_EXPECTED

    @property
    def x2(self) -> float:
        whole = sum(self.held.values())
        off = sum((self.seen.get(one, 0) - due) ** 2 / due for one, due in self.expected.items())
        return off * (whole - 1) / (whole - self.drawn)


def improbable(seen: Mapping[str, int], deck_type: str, decks: int) -> Finding | None:
    """Whether the known faces out so far fit a shuffled pack of so many decks; ask where `checkpoint` says.

    `seen` as `shoes.counting.Count` keeps it. Jokers are left out. One card told by its value alone (`v7`)
    makes all of them counted by value.
    """
    findings = []
    for classes in _views(seen, deck_type, decks):
        if not classes.enough:
            continue
        df, x2 = len(classes.held) - 1, classes.x2
        above = chance.chi_square_above(x2, df) * _SHARES
        if above <= ALARM:
            findings.append(_finding(classes, deck_type, min(ALARM, max(2 * above, _LEAST_TOLD)), even=False))
        # Four suits come out exactly even too often for that to mean anything.
        if classes.code != "suits" and chance.chi_square_below(x2, df) * _SHARES <= ALARM:
            findings.append(_finding(classes, deck_type, ALARM, even=True))
    return min(findings, key=lambda finding: finding.p, default=None)


_CLASS_OF: Mapping[str, Callable[[str], str]] = {
    "ranks": lambda card: card[0],
    "suits": lambda card: card[1],
    "values": lambda card: str(points_of(card)),
}


def _views(seen: Mapping[str, int], deck_type: str, decks: int) -> list[_Classes]:
    if any(map(is_value_card, seen)):
        return [_classes("values", seen, deck_type, decks)]
    return [_classes("ranks", seen, deck_type, decks), _classes("suits", seen, deck_type, decks)]


def _classes(code: str, seen: Mapping[str, int], deck_type: str, decks: int) -> _Classes:
    of, extras = _CLASS_OF[code], deck_type_of(deck_type).extras
    drawn: Counter[str] = Counter()
    for card, times in seen.items():
        if card not in extras and card != COVERED:
            drawn[of(card)] += times
    return _Classes.of(code, drawn, _held(code, deck_type, decks))


@lru_cache(maxsize=32)
def _held(code: str, deck_type: str, decks: int) -> Mapping[str, int]:
    deck = deck_type_of(deck_type)
    of = Counter(_CLASS_OF[code](card) for card in deck.cards if card not in deck.extras)
    return {one: cards * decks for one, cards in of.items()}


_WHAT = {"ranks": Text("valor", "rank"), "suits": Text("palo", "suit"), "values": Text("valor", "value")}


def _named(classes: _Classes, one: str, deck_type: str) -> Text:
    deck = deck_type_of(deck_type)
    if classes.code == "suits":
        return deck.suits[one].name
    return deck.ranks[one] if classes.code == "ranks" else same(one)


def _finding(classes: _Classes, deck_type: str, p: float, *, even: bool) -> Finding:
    most = max(classes.held, key=lambda one: abs(classes.seen.get(one, 0) - classes.expected[one]))
    says = (
        Text(
            "Las {drawn} cartas vistas salen demasiado parejas por {what}: un mazo bien barajado varía más. "
            "Revise el barajado y cuente las barajas.",
            "The {drawn} cards seen come out too evenly by {what}: a well shuffled pack varies more. "
            "Review the shuffle and count the decks.",
        )
        if even
        else Text(
            "De {drawn} cartas vistas, el {what} «{one}» salió {times} veces y se esperan {expected}: muy "
            "raro en la composición declarada. Cuente las barajas.",
            "Of {drawn} cards seen, the {what} “{one}” came out {times} times and {expected} are expected: "
            "very unlikely in the declared composition. Count the decks.",
        )
    )
    words = says.fill(
        drawn=classes.drawn,
        what=_WHAT[classes.code],
        one=_named(classes, most, deck_type),
        times=classes.seen.get(most, 0),
        expected=decimal(classes.expected[most]),
    )
    facts = {
        "by": classes.code, "even": even, "drawn": classes.drawn, "x2": round(classes.x2, 2),
        "seen": {one: classes.seen.get(one, 0) for one in classes.held},
        "expected": {one: round(due, 2) for one, due in classes.expected.items()},
    }  # fmt: skip
    return Finding(CODE, p, words, facts)
