"""A round of Baccarat with a player's bank as it stands, and the scratch copy that writes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tables.games.baccarat.draws import VALUES
from tables.games.baccarat.state import Result
from tables.games.banked.drawing import next_step
from tables.games.banked.rules import Rules
from tables.games.base import Bet, Detail, Terms


@dataclass(frozen=True, slots=True)
class State:
    """A round so far. `banker` 0 while nobody holds the bank; `bank` what it holds, smallest units.

    `bets`: on punto as placed; once betting is closed as the bank covers them, with what the banker sets
    against them on the spot `bank`. `uncovered`: (seat, amount) returned before the deal (BANK-27).
    `seated`: who plays on punto where no bets are logged. `decision`: draw, stand, or nothing yet.
    """

    rules: Rules
    terms: Terms
    log: tuple[dict[str, Any], ...] = ()
    undone: frozenset[int] = frozenset()
    bets: tuple[Bet, ...] = ()
    closed: bool = False
    banker: int = 0
    bank: int = 0
    uncovered: tuple[tuple[int, int], ...] = ()
    seated: tuple[int, ...] = ()
    punto: tuple[str, ...] = ()
    banca: tuple[str, ...] = ()
    decision: str = ""
    result: Result | None = None

    @property
    def punto_values(self) -> tuple[int, ...]:
        return tuple([VALUES[card] for card in self.punto])

    @property
    def banca_values(self) -> tuple[int, ...]:
        return tuple([VALUES[card] for card in self.banca])

    @property
    def next_step(self) -> str:
        """What is due in the deal; `""` when no more is."""
        free = self.rules.punto_free_choice
        return next_step(self.punto_values, self.banca_values, self.decision, free)

    @property
    def complete(self) -> bool:
        """Whether the round can be settled."""
        if self.terms.detail is Detail.RESULT:
            return self.result is not None
        return not self.next_step

    @property
    def stakes(self) -> dict[int, int]:
        """What each seat has on punto."""
        return {bet.seat: bet.amount for bet in self.bets if bet.spot == "punto"}


class Draft:
    """A state being written; thrown away when an event is refused."""

    __slots__ = (
        "banca",
        "bank",
        "banker",
        "closed",
        "decision",
        "detail",
        "log",
        "punto",
        "result",
        "rules",
        "seated",
        "stakes",
        "terms",
        "uncovered",
        "undone",
    )

    def __init__(self, state: State) -> None:
        self.rules, self.terms, self.detail = state.rules, state.terms, state.terms.detail
        self.log, self.undone = list(state.log), state.undone
        self.stakes = state.stakes
        self.closed, self.banker, self.bank = state.closed, state.banker, state.bank
        self.uncovered, self.seated = state.uncovered, list(state.seated)
        self.punto, self.banca = list(state.punto), list(state.banca)
        self.decision, self.result = state.decision, state.result

    def freeze(self) -> State:
        bets = [Bet(seat, "punto", amount) for seat, amount in self.stakes.items()]
        if self.closed:
            bets.append(Bet(self.banker, "bank", sum(self.stakes.values())))
        return State(
            self.rules,
            self.terms,
            tuple(self.log),
            self.undone,
            tuple(bets),
            self.closed,
            self.banker,
            self.bank,
            self.uncovered,
            tuple(self.seated),
            tuple(self.punto),
            tuple(self.banca),
            self.decision,
            self.result,
        )

    @property
    def punto_values(self) -> list[int]:
        return [VALUES[card] for card in self.punto]

    @property
    def banca_values(self) -> list[int]:
        return [VALUES[card] for card in self.banca]
