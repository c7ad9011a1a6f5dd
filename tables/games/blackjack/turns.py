"""Whose card or decision is next, and whether the dealer still has something to draw for.

`move_on` is called after every act that changes a hand; it says at which stage the round then is, so
that what `play` accepts, what prompts offer and when a round is complete come from one place.
"""

from __future__ import annotations

from typing import NamedTuple

from casino.kernel.words import Text
from shoes.cards import COVERED
from tables.games.blackjack import hands as values
from tables.games.blackjack.forbids import is_split_ace
from tables.games.blackjack.rules import NOT_ACE
from tables.games.blackjack.state import (
    BLACKJACK,
    BUST,
    CHARLIE,
    DEAL,
    DEALER,
    DECIDE,
    DONE,
    EVEN,
    PAID,
    PLAYING,
    SHOW,
    STANDS,
    Draft,
    PlayerHand,
    State,
)


def begin(draft: Draft, players: list[PlayerHand]) -> None:
    """The hands in play are known: the deal begins (BJ-10)."""
    draft.hands = players
    draft.stage = DEAL


class Due(NamedTuple):
    """Where the next card of the first deal goes: the dealer, or the hand at `place`."""

    dealer: bool
    place: int = 0


def next_of_deal(dealt: int, players: int) -> Due:
    """BJ-10: one card to each hand, the dealer's first, a second to each hand; American, the hole card."""
    if dealt < players:
        return Due(False, dealt)
    if dealt == players or dealt > 2 * players:
        return Due(True)
    return Due(False, dealt - players - 1)


def waits(draft: Draft | State) -> bool:
    """Whether a player's black jack must wait for the dealer's hand (BJ-16)."""
    up = draft.dealer[0]
    if draft.rules.immediate_pay == NOT_ACE:
        return values.is_ace(up)
    return values.is_ace(up) or values.is_ten(up)


def deal_ends(draft: Draft) -> None:
    """The first deal is out: black jacks are seen, and paid at once or kept waiting (BJ-16)."""
    naturals = [place for place, hand in enumerate(draft.hands) if values.is_blackjack(hand.cards)]
    if naturals:
        status = BLACKJACK if waits(draft) else PAID
        for place in naturals:
            draft.hands[place] = draft.hands[place]._replace(status=status)
    if not values.is_ace(draft.dealer[0]):
        draft.offered = True
    move_on(draft)


def move_on(draft: Draft) -> None:
    """Close the hands that take no more cards, go to the next hand, and set the stage."""
    hands = draft.hands
    while draft.turn < len(hands):
        hand = hands[draft.turn]
        if hand.status == PLAYING:
            status = _ends_as(draft, hand)
            if status == PLAYING:
                break
            hands[draft.turn] = hand._replace(status=status)
        draft.turn += 1
    if not draft.offered and draft.turn == len(hands):
        # BJ-20: insurance comes before the players' turns; it is over with them.
        draft.offered = any(hand.status not in (BLACKJACK, EVEN) for hand in hands)
    draft.stage = _stage(draft)


def _ends_as(draft: Draft, hand: PlayerHand) -> str:
    """How a hand ends by itself; `PLAYING` while a card or a decision of it is due."""
    cards = hand.cards
    if len(cards) < 2:
        return PLAYING
    total = values.total_of(cards)
    if total > values.TWENTY_ONE:
        return BUST
    if draft.rules.charlie_cards and len(cards) >= draft.rules.charlie_cards:
        return CHARLIE
    if total == values.TWENTY_ONE or (hand.doubled and len(cards) > 2):
        return STANDS
    if is_split_ace(hand) and not may_split_again(draft, hand):
        return STANDS
    return PLAYING


def may_split_again(draft: Draft | State, hand: PlayerHand) -> bool:
    """Whether a pair of aces on a split ace may be split, where the variant allows it (BJ-25, BJ-48)."""
    return (
        draft.rules.resplit_aces
        and values.is_ace(hand.cards[1])
        and splits_of(draft, hand) < draft.rules.splits_max
    )


def splits_of(draft: Draft | State, hand: PlayerHand) -> int:
    """How often the initial hand of this hand was split (BJ-23)."""
    return sum(1 for other in draft.hands if (other.seat, other.origin) == (hand.seat, hand.origin)) - 1


def _stage(draft: Draft) -> str:
    if draft.rules.american and not draft.shown:
        if draft.turn < len(draft.hands) and not hole_blackjack(draft):
            return DECIDE
        return SHOW
    if draft.turn < len(draft.hands):
        return DECIDE
    return DEALER if dealer_due(draft) else DONE


def hole_blackjack(draft: Draft | State) -> bool:
    """Whether the American dealer's two cards, as far as they are known, make black jack."""
    return COVERED not in draft.dealer and values.is_blackjack(draft.dealer)


def may_peek(draft: Draft | State) -> bool:
    """Whether the American dealer looks at the hole card before play: under an ace or a ten (BJ-46)."""
    up = draft.dealer[0]
    return (
        draft.rules.american
        and not draft.shown
        and not draft.peeked
        and (values.is_ace(up) or values.is_ten(up))
    )


def dealer_due(draft: Draft | State) -> bool:
    """Whether the dealer must take a card now.

    The hand is completed while a hand waits to be compared with it (BJ-18, BJ-30) or a black jack waits
    for it (BJ-16). With nothing but insurance on the layout the second card decides, and with nothing at
    all no card is taken: busts, surrenders and hands paid at once need no comparison.
    """
    if any(hand.status in (STANDS, BLACKJACK) for hand in draft.hands):
        return len(draft.dealer) < 2 or values.dealer_draws(draft.dealer, draft.rules.dealer_hits_soft_17)
    return len(draft.dealer) < 2 and any(hand.answer == "insurance" for hand in draft.hands)


def insurance_open(draft: Draft | State) -> bool:
    """Whether insurance and even money can still be answered: ace up, no third card yet (BJ-20)."""
    return not draft.offered and draft.stage in (DECIDE, SHOW, DEALER)


def why_no_dealer_card(draft: Draft | State) -> tuple[str, Text]:
    """The rule, and the figures, by which the dealer takes no card now."""
    if not any(hand.status in (STANDS, BLACKJACK) for hand in draft.hands):
        return "BJ-30", Text(
            "ninguna mano espera ser comparada: el croupier no toma carta",
            "no hand waits to be compared: the dealer takes no card",
        )
    total = values.points(draft.dealer)
    if total > values.TWENTY_ONE:
        return "BJ-33", Text(
            f"el croupier se pasó con {total}: paga lo que sigue en el tapete",
            f"the dealer is bust with {total}: every bet still out is paid",
        )
    if total == values.DEALER_STANDS and values.is_soft(draft.dealer):
        return "BJ-17", Text(
            "el croupier tiene 17 con el as como 11: se planta",
            "the dealer has 17 with the ace as 11: the hand stands",
        )
    return "BJ-18", Text(
        f"el croupier tiene {total}: se planta con 17 o más",
        f"the dealer has {total}: the hand stands on 17 or more",
    )
