"""A spin of the roulette as it stands: the immutable state and the scratch copy that writes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tables.games.base import Bet, Terms
from tables.games.roulette.rules import Rules

Place = tuple[int, str, int]
"""(seat, spot, hand): hand 0 is a bet of this spin, 1 a stake in prison, 2 in double prison, and so on."""


@dataclass(frozen=True, slots=True)
class State:
    """A round so far. `bets` one entry per place, stakes in prison first, in the order placed.

    `released`: places in prison whose stake was taken back for its part before the spin, `yielded` after it.
    `number` None until the spin.
    """

    rules: Rules
    terms: Terms
    log: tuple[dict[str, Any], ...] = ()
    undone: frozenset[int] = frozenset()
    bets: tuple[Bet, ...] = ()
    released: frozenset[Place] = frozenset()
    yielded: frozenset[Place] = frozenset()
    closed: bool = False
    number: int | None = None

    @property
    def complete(self) -> bool:
        """Whether the round can be settled."""
        return self.number is not None


class Draft:
    """A state being written; thrown away when an event is refused."""

    __slots__ = (
        "closed",
        "detail",
        "log",
        "number",
        "released",
        "rules",
        "stakes",
        "terms",
        "undone",
        "yielded",
    )

    def __init__(self, state: State) -> None:
        self.rules, self.terms, self.detail = state.rules, state.terms, state.terms.detail
        self.log, self.undone = list(state.log), state.undone
        self.stakes: dict[Place, int] = {(bet.seat, bet.spot, bet.hand): bet.amount for bet in state.bets}
        self.released, self.yielded = set(state.released), set(state.yielded)
        self.closed, self.number = state.closed, state.number

    def freeze(self) -> State:
        return State(
            self.rules,
            self.terms,
            tuple(self.log),
            self.undone,
            tuple([Bet(seat, spot, amount, hand) for (seat, spot, hand), amount in self.stakes.items()]),
            frozenset(self.released),
            frozenset(self.yielded),
            self.closed,
            self.number,
        )
