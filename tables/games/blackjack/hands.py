"""What cards are worth in Black Jack: points, soft totals, pairs, and when the dealer draws.

Pure values shared by the simple game and Challenge 21. Cards are canonical (`As`, `Td`), in the order
they came; none of these functions knows a seat, a bet or a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from casino.kernel.errors import Refused
from casino.kernel.words import Text
from shoes import cards as pack
from shoes.cards import COVERED, FRENCH52

TWENTY_ONE = 21
"""BJ-01, BJ-14, BJ-15: the total aimed at, from which no card is given, above which a hand loses."""

DEALER_STANDS = 17
"""BJ-18: the dealer draws on 16 or less and stands on 17 or more."""

_RANK_POINTS = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10, **{str(n): n for n in range(2, 10)}}
POINTS: dict[str, int] = {card: _RANK_POINTS[card[0]] for card in FRENCH52.cards}
"""BJ-06: points of every card, the ace as one."""

ACES = frozenset(card for card in FRENCH52.cards if card[0] == "A")
TENS = frozenset(card for card, value in POINTS.items() if value == 10)

BY_VALUE = "value"
BY_RANK = "rank"
"""BJ-24: two cards pair by their points (a king with a queen) or only by the same rank."""


def hard_points(cards: Iterable[str]) -> int:
    """The total with every ace as one."""
    total = 0
    for card in cards:
        total += POINTS[card]
    return total


def points(cards: Iterable[str]) -> int:
    """The best total: one ace counts 11 where that does not pass 21, every other ace 1 (BJ-06)."""
    total, ace = 0, False
    for card in cards:
        value = POINTS[card]
        total += value
        if value == 1:
            ace = True
    return total + 10 if ace and total <= 11 else total


@lru_cache(maxsize=65_536)
def total_of(cards: tuple[str, ...]) -> int:
    """`points` of cards in a tuple, remembered: two and three cards come again all night."""
    return points(cards)


def is_soft(cards: Iterable[str]) -> bool:
    """Whether an ace counts 11 in the best total."""
    held = tuple(cards)
    return points(held) != hard_points(held)


def is_bust(cards: Iterable[str]) -> bool:
    """Whether the hand has passed 21 (BJ-15)."""
    return hard_points(cards) > TWENTY_ONE


def is_ace(card: str) -> bool:
    return card in ACES


def is_ten(card: str) -> bool:
    """Whether a card counts ten: a ten or a court card (BJ-06)."""
    return card in TENS


def is_blackjack(cards: Sequence[str], split_from: str = "") -> bool:
    """An ace and a ten-point card as the first two cards (BJ-36).

    `split_from` is the card the hand was split from, empty for a hand as dealt: 21 with two cards
    after a split is no black jack (BJ-26).
    """
    if split_from or len(cards) != 2:
        return False
    return POINTS[cards[0]] + POINTS[cards[1]] == 11 and (cards[0] in ACES or cards[1] in ACES)


def dealer_draws(cards: Iterable[str], hits_soft_17: bool = False) -> bool:
    """Whether the dealer must take a card, without choice (BJ-18).

    The dealer's ace counts 11 where that makes 17 to 21, else 1 (BJ-17); with `hits_soft_17`, an option
    of the online game (BJ-48), a 17 with an ace as 11 draws.
    """
    held = tuple(cards)
    total = points(held)
    if total == DEALER_STANDS and hits_soft_17:
        return is_soft(held)
    return total < DEALER_STANDS


def is_pair(first: str, second: str, by: str = BY_VALUE) -> bool:
    """Whether two cards may be split: equal points, or with `by` rank the same rank (BJ-24)."""
    if by == BY_RANK:
        return first[0] == second[0]
    return POINTS[first] == POINTS[second]


def read_card(value: object, field: str = "card", *, covered: bool = False) -> str:
    """The canonical card of an event, or `Refused`.

    A card of which only the value is known (`v5`) is refused: pairs and Perfect Pairs need ranks and
    suits. `??` is read only where `covered` says that a card lies face down here.
    """
    if covered and isinstance(value, str) and value == COVERED:
        return COVERED
    card = pack.parse(value, field=field)
    if pack.is_value_card(card):
        raise Refused(
            Text(
                f"«{card}» no dice el valor y el palo: escriba por ejemplo 9d",
                f"“{card}” does not tell rank and suit: type for example 9d",
            ),
            code="card_without_suit",
            field=field,
        )
    return card


@lru_cache(maxsize=64)
def _total_words(total: int, soft: bool) -> Text:
    if total > TWENTY_ONE:
        return Text(f"{total}, se pasa", f"{total}, bust")
    return Text(f"{total} blando", f"soft {total}") if soft else Text(str(total), str(total))


BLACKJACK_WORDS = Text("black jack", "blackjack")


def worth(cards: Sequence[str], split_from: str = "") -> Text | None:
    """What a hand comes to in words (`17`, `soft 17`, `black jack`); None while a card is covered."""
    return _worth(tuple(cards), split_from)


@lru_cache(maxsize=65_536)
def _worth(cards: tuple[str, ...], split_from: str) -> Text | None:
    if not cards or COVERED in cards:
        return None
    if is_blackjack(cards, split_from):
        return BLACKJACK_WORDS
    total = points(cards)
    return _total_words(total, total < TWENTY_ONE and total != hard_points(cards))
