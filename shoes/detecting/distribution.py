"""Faces that came out too often, too rarely, or too evenly for what the pack holds (CARD-42).

The known faces of a shuffled shoe are a draw without replacement. Of n cards out of N, a class with the
share w is expected E = n·w times, and X² = (N-1)/(N-n) · Σ (O-E)²/E is near chi-square with one degree of
freedom less than classes. It is asked when a quarter, a half, three quarters and the whole have come out,
of ranks and suits; where only values are known, of values. Where E is below five, drawn or left, nothing is
asked: so the last look is empty in most games, and the closing count says then what is missing.

An alarm is a tail of at most ALARM / `_SHARES`: at each of four looks one share for ranks (or values), one
for suits, and two for ranks that come too evenly, because that tail is the coarser. How good chi-square is
at these levels was counted exactly (tests/shoes/detecting/exact.py): with 6 and 8 decks the true tail above
is 0.3 to 1.0 times the closed form, below at most two times. So four looks stay below ALARM.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from casino.kernel.words import Text, same
from shoes.cards import DeckType, is_value_card
from shoes.cards import deck_type as deck_type_of
from shoes.detecting import chance
from shoes.detecting.finding import ALARM, Finding, decimal
from shoes.points import points_of

CODE = "distribution"
LOOKS = 4
LEAST_EXPECTED = 5
_EVENLY = 2
_SHARES = LOOKS * (1 + 1 + _EVENLY)


def checkpoint(before: int, after: int, total: int) -> int:
    """Which look is due when the cards out of a shoe of `total` grew from `before` to `after`: 1 to 4
    quarters, else 0."""
    reached = min(after, total) * LOOKS // total
    return reached if reached > before * LOOKS // total else 0


@dataclass(frozen=True, slots=True)
class _Classes:
    """Known faces by class: how often seen, and how many the pack holds."""

    code: str
    seen: Counter[str]
    held: Counter[str]

    @property
    def drawn(self) -> int:
        return self.seen.total()

    def expected(self, one: str) -> float:
        return self.drawn * self.held[one] / self.held.total()

    @property
    def enough(self) -> bool:
        """Whether every class is expected often enough among the cards drawn and those left."""
        left = self.held.total() - self.drawn
        least = min(self.held.values()) / self.held.total()
        return min(self.drawn, left) * least >= LEAST_EXPECTED

    @property
    def x2(self) -> float:
        whole = self.held.total()
        off = sum((self.seen[one] - self.expected(one)) ** 2 / self.expected(one) for one in self.held)
        return off * (whole - 1) / (whole - self.drawn)


def improbable(seen: Mapping[str, int], deck_type: str, decks: int) -> Finding | None:
    """Whether the known faces that came out so far fit a shuffled pack of so many decks; ask where
    `checkpoint` says.

    `seen` as `shoes.counting.Count` keeps it. Jokers are left out. One card told by its value alone (`v7`)
    makes all of them counted by value.
    """
    findings = []
    for classes in _views(seen, deck_type_of(deck_type), decks):
        if not classes.enough:
            continue
        df = len(classes.held) - 1
        above = chance.chi_square_above(classes.x2, df) * _SHARES
        if above <= ALARM:
            findings.append(_finding(classes, above, even=False))
        # Four suits come out exactly even too often for that to mean anything.
        if classes.code != "suits" and chance.chi_square_below(classes.x2, df) * _SHARES <= ALARM:
            findings.append(_finding(classes, ALARM, even=True))
    return min(findings, key=lambda finding: finding.p, default=None)


def _views(seen: Mapping[str, int], deck: DeckType, decks: int) -> list[_Classes]:
    pack = {card: decks for card in deck.cards if card not in deck.extras}
    faces = {card: times for card, times in seen.items() if card in pack or is_value_card(card)}
    if any(map(is_value_card, faces)):
        return [_classes("values", faces, pack, lambda card: str(points_of(card)))]
    return [
        _classes("ranks", faces, pack, lambda card: card[0]),
        _classes("suits", faces, pack, lambda card: card[1]),
    ]


def _classes(
    code: str, seen: Mapping[str, int], pack: Mapping[str, int], of: Callable[[str], str]
) -> _Classes:
    drawn: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for tally, cards in ((drawn, seen), (held, pack)):
        for card, times in cards.items():
            tally[of(card)] += times
    return _Classes(code, drawn, held)


_WHAT = {"ranks": Text("valor", "rank"), "suits": Text("palo", "suit"), "values": Text("puntos", "points")}


def _finding(classes: _Classes, p: float, *, even: bool) -> Finding:
    most = max(classes.held, key=lambda one: abs(classes.seen[one] - classes.expected(one)))
    says = (
        Text(
            "Las {drawn} cartas vistas salen demasiado parejas por {what}: un mazo bien barajado varía más. "
            "Revise el barajado y cuente las barajas.",
            "The {drawn} cards seen come out too evenly by {what}: a well shuffled pack varies more. "
            "Review the shuffle and count the decks.",
        )
        if even
        else Text(
            "De {drawn} cartas vistas, {what} «{one}» salió {times} veces y se esperan {expected}: no es la "
            "composición declarada. Cuente las barajas.",
            "Of {drawn} cards seen, {what} “{one}” came out {times} times and {expected} are expected: this is not "
            "the declared composition. Count the decks.",
        )
    )
    words = says.fill(
        drawn=classes.drawn, what=_WHAT[classes.code], one=same(most),
        times=classes.seen[most], expected=decimal(classes.expected(most)),
    )  # fmt: skip
    facts = {
        "by": classes.code, "even": even, "drawn": classes.drawn, "x2": round(classes.x2, 2),
        "seen": {one: classes.seen[one] for one in classes.held},
        "expected": {one: round(classes.expected(one), 2) for one in classes.held},
    }  # fmt: skip
    return Finding(CODE, p, words, facts)
