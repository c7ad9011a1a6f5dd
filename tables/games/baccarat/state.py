"""A round of Punto y Banca as it stands: the immutable state and the scratch copy that writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tables.games.baccarat import draws
from tables.games.baccarat.rules import Box, Rules
from tables.games.base import Bet, Detail, Terms


@dataclass(frozen=True, slots=True)
class Result:
    """An announced outcome; totals None where only the winner was written down."""

    winner: str
    punto: int | None = None
    banca: int | None = None


class Owed(NamedTuple):
    """Commission a seat owes; `rounding` is the part of it that rounding added."""

    seat: int
    amount: int
    rounding: int


@dataclass(frozen=True, slots=True)
class State:
    """A round so far. `log` holds every event in canonical form, undone ones too; `undone` the
    positions (from 1) struck out; `bets` one entry per seat and spot, in the order first placed.
    `dealing_seat`: the player who deals, where the table says so. `owed`: commission marked in earlier
    rounds, by seat; `collecting`: the seats that pay what they owe after this round.
    """

    rules: Rules
    terms: Terms
    boxes: Mapping[str, Box] = field(repr=False, compare=False)
    log: tuple[dict[str, Any], ...] = ()
    undone: frozenset[int] = frozenset()
    bets: tuple[Bet, ...] = ()
    closed: bool = False
    dealing_seat: int | None = None
    punto: tuple[str, ...] = ()
    banca: tuple[str, ...] = ()
    result: Result | None = None
    owed: tuple[Owed, ...] = ()
    collecting: tuple[int, ...] = ()

    @property
    def punto_values(self) -> tuple[int, ...]:
        return tuple(draws.VALUES[card] for card in self.punto)

    @property
    def banca_values(self) -> tuple[int, ...]:
        return tuple(draws.VALUES[card] for card in self.banca)

    @property
    def next_hand(self) -> str:
        """Who takes the next card; `""` when no more are due."""
        return draws.next_hand(self.punto_values, self.banca_values)

    @property
    def complete(self) -> bool:
        """Whether the round can be settled."""
        if self.terms.detail is Detail.RESULT:
            return self.result is not None
        return not self.next_hand


class Draft:
    """A state being written; thrown away when an event is refused, so that no state ever changes."""

    __slots__ = (
        "banca",
        "banca_values",
        "boxes",
        "closed",
        "collecting",
        "dealing_seat",
        "detail",
        "log",
        "owed",
        "punto",
        "punto_values",
        "result",
        "rules",
        "stakes",
        "terms",
        "undone",
    )

    def __init__(self, state: State) -> None:
        self.rules, self.terms, self.boxes = state.rules, state.terms, state.boxes
        self.detail = state.terms.detail
        self.log = list(state.log)
        self.undone = state.undone
        self.stakes = {(bet.seat, bet.spot): bet.amount for bet in state.bets}
        self.closed, self.dealing_seat, self.result = state.closed, state.dealing_seat, state.result
        self.owed, self.collecting = list(state.owed), list(state.collecting)
        self.punto, self.banca = list(state.punto), list(state.banca)
        self.punto_values = [draws.VALUES[card] for card in self.punto]
        self.banca_values = [draws.VALUES[card] for card in self.banca]

    def freeze(self) -> State:
        return State(
            self.rules,
            self.terms,
            self.boxes,
            tuple(self.log),
            self.undone,
            tuple([Bet(seat, spot, amount) for (seat, spot), amount in self.stakes.items()]),
            self.closed,
            self.dealing_seat,
            tuple(self.punto),
            tuple(self.banca),
            self.result,
            tuple(self.owed),
            tuple(self.collecting),
        )

    @property
    def started(self) -> bool:
        """Whether the deal has begun or the result is in."""
        return bool(self.punto) or self.result is not None
