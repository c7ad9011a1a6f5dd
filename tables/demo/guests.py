"""How the guests of the demonstration play: a round walked along the game's own prompts.

Whatever the engine offers may be done; which of it is, chance decides, leaning towards what people do. No
strategy is meant by it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from casino.kernel.errors import SabotError
from shoes.cards import COVERED
from tables.games.base import Game

STAKES = (1, 1, 1, 2, 2, 3, 4, 5, 10)
"""Multiples of the least stake people put down."""
LONGEST = 400

LIKING: Mapping[str, float] = {
    "fold": 1.0, "check": 6.0, "call": 4.0, "bet": 1.0, "raise": 0.7, "allin": 0.02, "muck": 1.0,
    "keep": 2.0, "change": 2.0, "insurance": 0.3, "even_money": 1.0, "surrender": 0.05, "split": 2.0,
    "double": 0.6, "hit": 2.0, "stand": 2.0, "draw": 2.0,
}  # fmt: skip
"""How much likelier one decision is than another."""
SEATING = frozenset({"bet", "in", "chips", "button", "bank"})
NEVER = frozenset({"prison", "owed", "collect", "undo", "note"})
"""What only a correction or the round before brings."""
HIT_BELOW, HARD_HAND, DOUBLES = 13, 17, range(9, 12)


class Guests:
    """Who sits at a table: their seats and their chance."""

    def __init__(self, game: Game, seats: Sequence[int], chance: random.Random) -> None:
        self._game, self._seats, self._chance = game, frozenset(seats), chance

    def play(self, state: Any, draw: Callable[[], str]) -> Any:
        """The complete state of a round; `draw` gives the next card of the pack."""
        for _ in range(LONGEST):
            if state.complete:
                return state
            state = self._next(state, draw)
        raise RuntimeError(f"{self._game.code}: no end after {LONGEST} steps")

    def _next(self, state: Any, draw: Callable[[], str]) -> Any:
        offered = [dict(event) for prompt in self._game.prompts(state) for event in prompt.events]
        weights = [self._weight(state, event) for event in offered]
        if not any(weights):
            weights = [1.0] * len(offered)
        event = self._chance.choices(offered, weights)[0]
        if event["e"] == "bet":
            return self._bet(state, event)
        return self._game.play(state, _filled(event, draw))

    def _bet(self, state: Any, event: dict[str, Any]) -> Any:
        """The stake raised by a multiple, or the least one where the game wants another."""
        high = state.terms.limits.get(event["spot"], (0, event["amount"]))[1]
        more = {**event, "amount": min(event["amount"] * self._chance.choice(STAKES), high)}
        try:
            return self._game.play(state, more)
        except SabotError:
            return self._game.play(state, event)

    def _weight(self, state: Any, event: Mapping[str, Any]) -> float:
        kind, seat = event["e"], event.get("seat")
        if kind in NEVER:
            return 0.0
        if kind == "card":
            # Burned cards stay face down; the others the table's camera reads.
            return 3.0 if (event.get("card") == COVERED) == (event.get("to") == "burn") else 0.001
        if kind in SEATING:
            if seat is not None and seat not in self._seats:
                return 0.0
            if kind == "bet" and any(bet.seat == seat for bet in state.bets):
                lies = any((bet.seat, bet.spot) == (seat, event["spot"]) for bet in state.bets)
                return 0.0 if lies or self._game.family != "roulette" else 1.0
            return 4.0 if len(state.log) < self._wanted() else 0.2
        if kind == "close":
            return 0.02 if len(state.log) < self._wanted() else 20.0
        if kind != "choice":
            return 3.0
        return self._liking(state, event)

    def _wanted(self) -> int:
        """How many acts before the deal are enough: one a guest, several at roulette."""
        return len(self._seats) * (4 if self._game.family == "roulette" else 1)

    def _liking(self, state: Any, event: Mapping[str, Any]) -> float:
        do = str(event.get("do", ""))
        if self._game.family != "blackjack" or do not in ("hit", "stand", "double"):
            return LIKING.get(do, 1.0)
        total = _total(self._game, state, event)
        if do == "double":
            return 2.0 if total in DOUBLES else 0.05
        low = total < HIT_BELOW or (total < HARD_HAND and self._chance.random() < 0.5)
        return 6.0 if low == (do == "hit") else 0.1


def _filled(event: dict[str, Any], draw: Callable[[], str]) -> dict[str, Any]:
    if event["e"] == "card" and "card" not in event:
        return {**event, "card": draw()}
    if COVERED in event.get("cards", ()):
        return {**event, "cards": [draw() if card == COVERED else card for card in event["cards"]]}
    return event


def _total(game: Game, state: Any, event: Mapping[str, Any]) -> int:
    """The total of the hand an event is about, aces eleven while that fits."""
    of = (event.get("seat"), event.get("hand", 0))
    held = next((hand.cards for hand in game.hands_on(state) if (hand.seat, hand.hand) == of), ())
    aces = sum(card[0] == "A" for card in held)
    total = sum(10 if card[0] in "TJQK" else int(card[0]) for card in held if card[0] not in "A?") + aces
    return total + 10 if aces and total <= 11 else total
