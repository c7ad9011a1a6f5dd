"""How the three rounds of a pass ended, and the row of the pay table for each bet."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from casino.kernel.words import Text
from tables.games.base import Ended, Hand
from tables.games.blackjack import hands as values
from tables.games.challenge import turns
from tables.games.challenge.rules import BY_BUSTS, HAND_NAMES, Rules
from tables.games.challenge.state import BLACKJACK, BUST, SURRENDERED, Draft, PlayerHand, State


class Ending(NamedTuple):
    """One dealer hand at the end. `call` is a code of `rules.CALLS`; `points` None where there is none."""

    call: str
    points: int | None = None

    @property
    def total(self) -> int:
        """Points to compare with; 0 where no bet waits to be compared."""
        return self.points or 0

    @property
    def blackjack(self) -> bool:
        return self.call == "blackjack"

    @property
    def bust(self) -> bool:
        return self.call == "bust"


NO_HAND = Ending("no_draw")


@lru_cache(maxsize=16_384)
def ending_of(cards: tuple[str, ...]) -> Ending:
    """How one dealer hand ended."""
    if len(cards) < 2:
        return NO_HAND
    if values.is_blackjack(cards):
        return Ending("blackjack", values.TWENTY_ONE)
    if values.dealer_draws(cards):
        # The second card only decided the insurance: no bet waited for more.
        return NO_HAND
    total = values.points(cards)
    return Ending("bust" if total > values.TWENTY_ONE else str(total), total)


def endings(state: State) -> tuple[Ending, ...]:
    """The three rounds in order; fewer while they are still announced."""
    if state.terms.detail.value == "result":
        told = {"blackjack": values.TWENTY_ONE}
        return tuple(Ending(call, int(call) if call.isdigit() else told.get(call)) for call in state.results)
    return tuple(ending_of(cards) for cards in state.dealer)


Row = tuple[str, str, str]
"""The pay table's row, what it pays, and the rule."""


def paid_at_once(state: Draft | State, hand: PlayerHand, number: int) -> bool:
    """Whether a black jack's bet is paid before the rounds: BJ-16, or even money (BJ-19)."""
    return hand.status == BLACKJACK and not turns.waits_for(state, hand, number)


def row_of(state: State, hand: PlayerHand, number: int, end: Ending) -> Row:
    """What happens to the bet of a hand against one dealer hand: the first row that holds."""
    rules = state.rules
    if hand.status == SURRENDERED:
        return "surrender", "lose_half", "BJ-29"
    if hand.status == BUST:
        # BJ-40: it loses in every round, whatever the dealer makes.
        return "player_bust", "lose", "BJ-40"
    if hand.status == BLACKJACK:
        if turns.takes_even(state, hand, number):
            return "even_money_taken", rules.even_money_pays, "BJ-19"
        if end.blackjack and turns.waits_for(state, hand, number):
            return "blackjack_both", "push", "BJ-35"
        rule = "BJ-36" if turns.waits_for(state, hand, number) else "BJ-16"
        return "player_blackjack", rules.blackjack_pays, rule
    return _compared(rules, hand, end)


def _compared(rules: Rules, hand: PlayerHand, end: Ending) -> Row:
    """A hand that stood, against one of the dealer's (BJ-26, BJ-33 to BJ-36)."""
    if end.blackjack:
        return "dealer_blackjack", "lose", "BJ-36"
    split_21 = hand.split_from != "" and len(hand.cards) == 2 and values.points(hand.cards) == 21
    if end.bust:
        row = "dealer_bust_split_two_card_21" if split_21 else "dealer_bust"
        return row, rules.win_pays, "BJ-33"
    total = values.points(hand.cards)
    if total > end.total:
        if split_21:
            return "split_two_card_21_higher", rules.win_pays, "BJ-26"
        return "total_higher", rules.win_pays, "BJ-34"
    if total == end.total:
        return "total_equal", "push", "BJ-35"
    return "total_lower", "lose", "BJ-34"


def outcome(state: State, ended: tuple[Ending, ...]) -> Ended:
    """The pass by its busts; each round's call and points under `facts`."""
    facts: dict[str, Any] = {
        "rounds": [end.call for end in ended],
        "points": [end.points for end in ended],
    }
    return Ended(BY_BUSTS[sum(end.bust for end in ended)], hands_on(state), facts)


def hands_on(state: State) -> tuple[Hand, ...]:
    """Every hand as it lies now: the dealer's three, then the players'.

    A player's hand meets three of the dealer's, so it has no verdict but a bust's.
    """
    shared = [
        Hand(name, cards=cards, worth=values.worth(cards))
        for name, cards in zip(HAND_NAMES, state.dealer, strict=True)
    ]
    players = [
        Hand(
            "",
            hand.seat,
            hand.hand,
            hand.cards,
            values.worth(hand.cards, hand.split_from),
            "lose" if hand.status == BUST else "",
        )
        for hand in state.hands
    ]
    return (*shared, *players)


_NO_HAND = Text("ninguna apuesta espera", "no bet waits")


@lru_cache(maxsize=64)
def called(end: Ending) -> Text:
    """What is called out in one round (BJ-39)."""
    if end.blackjack:
        return Text("black jack del croupier", "dealer blackjack")
    if end.bust:
        if end.points is None:
            return Text("se pasa", "bust")
        return Text(f"se pasa con {end.points}", f"bust with {end.points}")
    return _NO_HAND if end.points is None else Text(str(end.points), str(end.points))


@lru_cache(maxsize=4096)
def announcement(ended: tuple[Ending, ...]) -> Text:
    """The three calls in order: «ronda 1: 18; ronda 2: 19; ronda 3: se pasa con 22» (BJ-39)."""
    calls = [called(end) for end in ended]
    return Text(
        "; ".join(f"ronda {n}: {call.es}" for n, call in enumerate(calls, start=1)),
        "; ".join(f"round {n}: {call.en}" for n, call in enumerate(calls, start=1)),
    )
