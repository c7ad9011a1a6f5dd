"""Whose card or decision is next, and whether a dealer hand still has something to draw for.

`move_on` is called after every act that changes a hand; it says at which stage the pass then is, so that
what `play` accepts, what prompts offer and when a pass is complete come from one place.
"""

from __future__ import annotations

from typing import NamedTuple

from casino.kernel.words import Text
from tables.games.blackjack import hands as values
from tables.games.blackjack.forbids import is_split_ace
from tables.games.challenge.rules import NOT_ACE, Rules
from tables.games.challenge.state import (
    BLACKJACK,
    BUST,
    DEAL,
    DECIDE,
    DONE,
    PLAYING,
    ROUNDS,
    STANDS,
    Draft,
    PlayerHand,
    State,
)


def begin(draft: Draft, players: list[PlayerHand]) -> None:
    """The hands in play are known: the deal begins (BJ-10)."""
    draft.hands = players
    draft.stage = DEAL


def rounds_of(of: Draft | State) -> int:
    """Dealer hands that somebody bets against: two, or three with a third bet (BJ-09)."""
    return max((hand.rounds for hand in of.hands), default=3)


class Due(NamedTuple):
    """Where the next card of the first deal goes: a dealer hand or a player's, by its place."""

    dealer: bool
    place: int = 0


def bases_of(of: Draft | State) -> int:
    """First cards of the dealer: one for all, or one for each hand as it applies (BJ-11)."""
    return 1 if of.rules.shared else rounds_of(of)


def next_of_deal(of: Draft | State) -> Due:
    """BJ-10: one card to each hand, the dealer's first or firsts, a second to each hand."""
    players, bases, dealt = len(of.hands), bases_of(of), of.dealt
    if dealt < players:
        return Due(False, dealt)
    if dealt < players + bases:
        return Due(True, dealt - players)
    return Due(False, dealt - players - bases)


def deal_length(of: Draft | State) -> int:
    return 2 * len(of.hands) + bases_of(of)


def deal_goes_on(draft: Draft) -> None:
    """One card of the first deal more; with the last of them black jacks are seen."""
    draft.dealt += 1
    if draft.dealt < deal_length(draft):
        return
    for place, hand in enumerate(draft.hands):
        if values.is_blackjack(hand.cards):
            draft.hands[place] = hand._replace(status=BLACKJACK)
    draft.offered = not any(base_is_ace(draft, number) for number in range(rounds_of(draft)))
    move_on(draft)


def base_is_ace(of: Draft | State, number: int) -> bool:
    """Whether a dealer hand shows an ace as its first card."""
    return bool(of.dealer[number]) and values.is_ace(of.dealer[number][0])


def waits(rules: Rules, base: str) -> bool:
    """Whether a black jack must wait for the dealer hand that begins with this card (BJ-16)."""
    if rules.immediate_pay == NOT_ACE:
        return values.is_ace(base)
    return values.is_ace(base) or values.is_ten(base)


def takes_even(of: Draft | State, hand: PlayerHand, number: int) -> bool:
    """Whether a black jack's bet against a dealer hand is paid even money: only against an ace (BJ-19)."""
    return hand.even == "yes" and base_is_ace(of, number)


def waits_for(of: Draft | State, hand: PlayerHand, number: int) -> bool:
    """Whether a bet of the hand is still to be settled by that dealer hand."""
    if number >= hand.rounds:
        return False
    if hand.status == BLACKJACK:
        return waits(of.rules, of.dealer[number][0]) and not takes_even(of, hand, number)
    return hand.status == STANDS


def dealer_due(of: Draft | State, number: int) -> bool:
    """Whether a dealer hand must take a card now (BJ-18, BJ-39).

    It is completed while a bet waits to be compared with it. With nothing but insurance against it the
    second card decides, and with nothing at all no card is taken.
    """
    cards = of.dealer[number]
    if any(waits_for(of, hand, number) for hand in of.hands):
        return len(cards) < 2 or values.dealer_draws(cards)
    return len(cards) < 2 and any(number in hand.insured for hand in of.hands)


def move_on(draft: Draft) -> None:
    """Close the hands that take no more cards, go to the next hand or round, and set the stage."""
    hands = draft.hands
    while draft.turn < len(hands):
        hand = hands[draft.turn]
        if hand.status == PLAYING:
            status = _ends_as(hand)
            if status == PLAYING:
                draft.stage = DECIDE
                return
            hands[draft.turn] = hand._replace(status=status)
        draft.turn += 1
    # BJ-20: insurance comes before the players' turns; it is over with them.
    draft.offered = draft.offered or any(hand.status != BLACKJACK for hand in hands)
    rounds = rounds_of(draft)
    while draft.round < rounds and not dealer_due(draft, draft.round):
        draft.round += 1
    draft.stage = ROUNDS if draft.round < rounds else DONE


def _ends_as(hand: PlayerHand) -> str:
    """How a hand ends by itself; `PLAYING` while a card or a decision of it is due."""
    if len(hand.cards) < 2:
        return PLAYING
    total = values.points(hand.cards)
    if total > values.TWENTY_ONE:
        return BUST
    if total == values.TWENTY_ONE or (hand.doubled and len(hand.cards) > 2) or is_split_ace(hand):
        return STANDS
    return PLAYING


def splits_of(of: Draft | State, seat: int) -> int:
    """How often the seat split in this pass (BJ-23)."""
    return sum(1 for hand in of.hands if hand.seat == seat) - 1


def may_answer(of: Draft | State, hand: PlayerHand) -> bool:
    """Whether insurance or even money could still be answered for a black jack, were they open."""
    aces = {number for number in range(hand.rounds) if base_is_ace(of, number)}
    if not aces or hand.even == "yes":
        return False
    return not (hand.even or hand.insured) or not (hand.declined or aces <= {*hand.insured})


def insurance_open(of: Draft | State) -> bool:
    """Whether insurance and even money can still be answered: an ace first, no third card yet (BJ-20)."""
    return not of.offered and of.stage in (DECIDE, ROUNDS)


def why_no_dealer_card(of: Draft | State, number: int) -> tuple[str, Text]:
    """The rule, and the figures, by which a dealer hand takes no card (more)."""
    cards = of.dealer[number]
    if not any(waits_for(of, hand, number) for hand in of.hands):
        return "BJ-39", Text(
            "ninguna apuesta espera esa mano: el croupier no toma carta",
            "no bet waits for that hand: the dealer takes no card",
        )
    total = values.points(cards)
    if total > values.TWENTY_ONE:
        return "BJ-33", Text(f"esa mano se pasó con {total}", f"that hand is bust with {total}")
    if total == values.DEALER_STANDS and values.is_soft(cards):
        return "BJ-17", Text(
            "esa mano tiene 17 con el as como 11: se planta",
            "that hand has 17 with the ace as 11: it stands",
        )
    return "BJ-18", Text(
        f"esa mano tiene {total}: se planta con 17 o más", f"that hand has {total}: it stands on 17 or more"
    )
