"""A round of Treinta y Cuarenta as it stands: the immutable state and the scratch copy that writes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from shoes.cards import FRENCH52, VALUE_CARDS
from tables.games.base import Bet, Detail, Terms
from tables.games.trente.exact import STOP
from tables.games.trente.rules import EITHER, INSURANCE, INSURED, Rules

# TYC-06: the ace counts 1, tens and court cards 10; `v0` is a card of which only the value is known.
_RANKS = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10, **{str(n): n for n in range(2, 10)}}
POINTS: dict[str, int] = {card: _RANKS[card[0]] for card in FRENCH52.cards} | {
    card: int(card[1]) or 10 for card in VALUE_CARDS
}

Place = tuple[int, str, int]
"""Seat, spot, and how many refaits have put the stake in prison: 0 for what was bet in this round."""


def points(row: Iterable[str]) -> int:
    return sum(POINTS[card] for card in row)


@dataclass(frozen=True, slots=True)
class Result:
    """An announced outcome; `chance` empty when nothing won, totals None where nobody wrote them down."""

    winner: str
    chance: str = ""
    negra: int | None = None
    roja: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A round so far. `log` holds every event in canonical form, undone ones too; `undone` the positions
    (from 1) struck out. `bets`: the `hand` of a stake that came in from prison is the number of refaits
    it has stood. `choices`: what players do with their stakes on a refait.
    """

    rules: Rules
    terms: Terms
    log: tuple[dict[str, Any], ...] = ()
    undone: frozenset[int] = frozenset()
    bets: tuple[Bet, ...] = ()
    closed: bool = False
    negra: tuple[str, ...] = ()
    roja: tuple[str, ...] = ()
    choices: tuple[tuple[Place, str], ...] = ()
    result: Result | None = None

    @property
    def stakes(self) -> dict[Place, int]:
        return {(bet.seat, bet.spot, bet.hand): bet.amount for bet in self.bets}

    @property
    def complete(self) -> bool:
        """Whether the round can be settled."""
        if self.terms.detail is Detail.RESULT:
            return self.result is not None
        negra, roja = points(self.negra), points(self.roja)
        if due_row(negra, roja):
            return False
        return not waiting(self.rules, self.stakes, dict(self.choices), negra, roja)


def due_row(negra: int, roja: int) -> str:
    """The row the next card goes to; `""` when both are complete (TYC-05)."""
    return "negra" if negra < STOP else "roja" if roja < STOP else ""


def caught(stakes: Mapping[Place, int]) -> list[Place]:
    """The stakes a refait catches, in the order they are served: those on chances without insurance."""
    found = [
        (seat, spot, hand)
        for seat, spot, hand in stakes
        if spot not in INSURED and (hand or (seat, INSURANCE[spot], 0) not in stakes)
    ]
    return sorted(found, key=lambda place: (-place[0], place[1], place[2]))


def waiting(
    rules: Rules, stakes: Mapping[Place, int], choices: Mapping[Place, str], negra: int, roja: int
) -> list[Place]:
    """The stakes whose owner has still to choose between half and prison (TYC-11)."""
    if rules.refait_policy != EITHER or not negra == roja == STOP:
        return []
    return [place for place in caught(stakes) if place not in choices]


class Draft:
    """A state being written; thrown away when an event is refused, so that no state ever changes."""

    __slots__ = (
        "choices",
        "closed",
        "detail",
        "log",
        "negra",
        "negra_points",
        "result",
        "roja",
        "roja_points",
        "rules",
        "stakes",
        "terms",
        "undone",
    )

    def __init__(self, state: State) -> None:
        self.rules, self.terms, self.detail = state.rules, state.terms, state.terms.detail
        self.log = list(state.log)
        self.undone = state.undone
        self.stakes = state.stakes
        self.closed, self.result = state.closed, state.result
        self.negra, self.roja = list(state.negra), list(state.roja)
        self.negra_points, self.roja_points = points(state.negra), points(state.roja)
        self.choices = dict(state.choices)

    def freeze(self) -> State:
        return State(
            self.rules,
            self.terms,
            tuple(self.log),
            self.undone,
            tuple([Bet(seat, spot, amount, hand) for (seat, spot, hand), amount in self.stakes.items()]),
            self.closed,
            tuple(self.negra),
            tuple(self.roja),
            tuple(self.choices.items()),
            self.result,
        )
