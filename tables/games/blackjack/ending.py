"""How a round of Black Jack ended: the dealer's hand, and every hand with its verdict."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from shoes.cards import COVERED
from tables.games.base import Hand
from tables.games.blackjack import hands as values
from tables.games.blackjack.state import State


class Ending(NamedTuple):
    """The dealer's hand at the end. `code` is a winner's code; `points` None where there is no hand.

    `missed_peek`: an American dealer played on over a black jack (BJ-46).
    """

    code: str
    points: int | None = None
    blackjack: bool = False
    bust: bool = False
    missed_peek: bool = False

    @property
    def total(self) -> int:
        """Points to compare with; 0 where no hand waits to be compared."""
        return self.points or 0


NO_HAND = Ending("no_draw")
_ANNOUNCED = {
    "no_draw": NO_HAND,
    "bust": Ending("bust", None, bust=True),
    "blackjack": Ending("blackjack", 21, blackjack=True),
    **{str(total): Ending(str(total), total) for total in range(17, 22)},
}


def ending_of(state: State) -> Ending:
    """How a complete round ended."""
    if state.result:
        return _ANNOUNCED[state.result]
    return _of_cards(state.dealer, state.rules.dealer_hits_soft_17, state.peeked)


@lru_cache(maxsize=16_384)
def _of_cards(dealer: tuple[str, ...], hits_soft_17: bool, peeked: bool) -> Ending:
    if len(dealer) < 2 or COVERED in dealer:
        return NO_HAND
    if values.is_blackjack(dealer):
        return Ending("blackjack", 21, blackjack=True, missed_peek=peeked)
    if values.dealer_draws(dealer, hits_soft_17):
        return NO_HAND
    total = values.points(dealer)
    return Ending("bust" if total > 21 else str(total), total, bust=total > 21)


def verdicts(state: State, end: Ending, rows: Sequence[tuple[str, str, str]]) -> tuple[Hand, ...]:
    """The dealer's hand, then every player's with how it fared."""
    found = [_dealer(state.dealer)]
    for hand, (_, pays, _) in zip(state.hands, rows, strict=True):
        cards = hand.cards
        found.append(
            Hand(
                "", hand.seat, hand.hand, cards, values.worth(cards, hand.split_from), _FARED.get(pays, "win")
            )
        )
    return tuple(found)


_FARED = {"lose": "lose", "lose_half": "lose", "push": "push"}


def _dealer(cards: tuple[str, ...]) -> Hand:
    return Hand("dealer", cards=cards, worth=values.worth(cards))


def hands_on(state: State) -> tuple[Hand, ...]:
    """Every hand as it lies now."""
    players = [
        Hand("", hand.seat, hand.hand, hand.cards, values.worth(hand.cards, hand.split_from))
        for hand in state.hands
    ]
    return (_dealer(state.dealer), *players)
