"""How the dealer's hand comes out, counted exactly by up-card and decks, cards drawn without replacement."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from tables.games.blackjack.hands import DEALER_STANDS, TWENTY_ONE

OUTCOMES = ("17", "18", "19", "20", "21", "blackjack", "bust")
VALUES = tuple(range(1, 11))
"""Card values, the ace as 1, every ten-point card as 10."""

Shares = tuple[Fraction, ...]
_NOTHING: Shares = (Fraction(0),) * len(OUTCOMES)


def best(total: int, ace: bool) -> tuple[int, bool]:
    """The best total of a hand whose aces count 1, and whether an ace counts 11 in it (BJ-06)."""
    return (total + 10, True) if ace and total + 10 <= TWENTY_ONE else (total, False)


def stands(total: int, ace: bool, hits_soft_17: bool) -> bool:
    """BJ-17, BJ-18, by the total with aces as 1."""
    points, soft = best(total, ace)
    return points > DEALER_STANDS or (points == DEALER_STANDS and not (soft and hits_soft_17))


def shoe(decks: int) -> tuple[int, ...]:
    """Cards of each value, 1 to 10, in `decks` decks."""
    return (*(4 * decks for _ in range(9)), 16 * decks)


@lru_cache(maxsize=256)
def distribution(up: int, decks: int, hits_soft_17: bool = False) -> Mapping[str, Fraction]:
    """The chance of each outcome when the up-card has value `up`, the rest of the shoe unseen.

    Black jack is an ace and a ten-point card as the first two; `21` is every longer one. To know the
    chances once the dealer has looked and has none (BJ-46), divide the others by 1 - `blackjack`.
    """
    left = list(shoe(decks))
    left[up - 1] -= 1
    return dict(zip(OUTCOMES, _drawn(up, up == 1, 1, left, hits_soft_17, {}), strict=True))


def _drawn(
    total: int, ace: bool, count: int, left: list[int], soft: bool, seen: dict[tuple[int, ...], Shares]
) -> Shares:
    """Shares of the outcomes from a hand that may still draw; hands of the same cards are counted once."""
    ended = _ended(total, ace, count, soft)
    if ended is not None:
        return ended
    key = tuple(left)
    known = seen.get(key)
    if known is not None:
        return known
    cards = sum(left)
    shares = list(_NOTHING)
    for value in VALUES:
        ways = left[value - 1]
        if not ways:
            continue
        left[value - 1] -= 1
        deeper = _drawn(total + value, ace or value == 1, count + 1, left, soft, seen)
        left[value - 1] += 1
        chance = Fraction(ways, cards)
        for place, share in enumerate(deeper):
            if share:
                shares[place] += chance * share
    seen[key] = tuple(shares)
    return seen[key]


def _ended(total: int, ace: bool, count: int, hits_soft_17: bool) -> Shares | None:
    points, _ = best(total, ace)
    if count < 2 or (points <= TWENTY_ONE and not stands(total, ace, hits_soft_17)):
        return None
    if points > TWENTY_ONE:
        return _CERTAIN["bust"]
    return _CERTAIN["blackjack" if points == TWENTY_ONE and count == 2 else str(points)]


_CERTAIN: Mapping[str, Shares] = {
    outcome: tuple(Fraction(int(outcome == other)) for other in OUTCOMES) for outcome in OUTCOMES
}
