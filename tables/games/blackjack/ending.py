"""How a round of Black Jack ended: the dealer's hand, and every hand with its verdict."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from casino.kernel.words import Text
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


def reason(row: str, pays: str, cards: tuple[str, ...], end: int) -> Text:
    """Why a hand's bet is paid or taken, in the dealer's words: «20 contra 18», «se pasó con 24».

    `row` of the pay table; `end` is the dealer's total, 0 where none counts.
    """
    if row in _COMPARED:
        return _totals(values.total_of(cards), end)
    if row == "player_bust":
        return _bust_with(values.total_of(cards))
    if row == "charlie":
        return _uncounted(len(cards))
    if row == "dealer_blackjack" and pays == "push":
        return _SPLIT_21
    return _REASONS[row]


_COMPARED = frozenset({"total_higher", "total_lower", "total_equal", "split_two_card_21_higher"})
_DEALER_BLACKJACK = Text("black jack del croupier", "dealer blackjack")
_DEALER_BUST = Text("croupier pasado", "dealer bust")
_SPLIT_21 = Text(
    "21 con dos cartas tras separar contra black jack", "21 with two cards after a split against a blackjack"
)
_REASONS = {
    "surrender": Text("retiro", "surrender"),
    "even_money_taken": Text("black jack, pago a la par", "blackjack, even money"),
    "player_blackjack": Text("black jack", "blackjack"),
    "blackjack_both": Text("empate a black jack", "both have blackjack"),
    "dealer_blackjack": _DEALER_BLACKJACK,
    "dealer_bust": _DEALER_BUST,
    "dealer_bust_split_two_card_21": _DEALER_BUST,
}
INSURANCE_REASONS = {
    "dealer_blackjack": Text("seguro: black jack del croupier", "insurance: dealer blackjack"),
    "no_dealer_blackjack": Text("seguro: croupier sin black jack", "insurance: no dealer blackjack"),
}
"""Why insurance is paid or taken, by row (BJ-21)."""


@lru_cache(maxsize=512)
def _totals(mine: int, dealers: int) -> Text:
    if mine == dealers:
        return Text(f"empate a {mine}", f"tie at {mine}")
    return Text(f"{mine} contra {dealers}", f"{mine} against {dealers}")


@lru_cache(maxsize=32)
def _bust_with(total: int) -> Text:
    return Text(f"se pasó con {total}", f"bust with {total}")


@lru_cache(maxsize=32)
def _uncounted(cards: int) -> Text:
    return Text(f"{cards} cartas sin pasarse", f"{cards} cards without a bust")


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
