"""A hand of siete y medio as it stands: the immutable state and the scratch copy that writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tables.games.base import Bet, Detail, Terms
from tables.games.siete.points import TARGET, halves
from tables.games.siete.rules import Rules
from tables.games.staking import least

Place = tuple[int, int]
"""(seat, hand) of a player's hand."""

BANK: Place = (0, 0)
"""The bank's own hand where a place is asked for."""


class Offer(NamedTuple):
    """An offer to buy the bank, smallest units."""

    seat: int
    amount: int


class Due(NamedTuple):
    """What is due: bank, join, card, bet, choice, sale, result or settle; whose (seat 0: the bank's hand)."""

    kind: str
    seat: int = 0
    hand: int = 0


_NOTHING_YET = Due("bank")


@dataclass(frozen=True, slots=True)
class State:
    """A hand so far. `chips`: what each seat had before it, its banker included; `seated`: who plays where
    no bets are logged. `hands` by (seat, hand); `stood` those that stand; `drawing` whose card is due
    (`BANK` for the bank's, None if none). `sale`: sell or keep, once the banker has answered the last offer;
    `seller` who sold it before the hand, `chips` then being what the sale left (SYM-08).
    `due` follows from the rest.
    """

    rules: Rules
    terms: Terms
    log: tuple[dict[str, Any], ...] = ()
    undone: frozenset[int] = frozenset()
    banker: int = 0
    chips: Mapping[int, int] = field(default_factory=dict)
    seated: tuple[int, ...] = ()
    offers: tuple[Offer, ...] = ()
    stakes: Mapping[int, int] = field(default_factory=dict)
    hands: Mapping[Place, tuple[str, ...]] = field(default_factory=dict)
    banca: tuple[str, ...] = ()
    stood: frozenset[Place] = frozenset()
    drawing: Place | None = None
    sale: str = ""
    seller: int = 0
    result: str = ""
    due: Due = _NOTHING_YET

    @property
    def bets(self) -> tuple[Bet, ...]:
        """What lies in front of each player; a hand that was split off lies beside it with as much."""
        places = sorted(self.hands) if self.hands else [(seat, 0) for seat in self.stakes]
        return tuple(
            [Bet(seat, "main", self.stakes[seat], hand) for seat, hand in places if seat in self.stakes]
        )

    @property
    def closed(self) -> bool:
        """Whether every player has bet: each does so in turn, after the first card."""
        return bool(self.hands) and all(seat in self.stakes for seat, _ in self.hands)

    @property
    def complete(self) -> bool:
        return self.due.kind == "settle"


class Draft:
    """A state being written; thrown away when an event is refused."""

    __slots__ = (
        "_turns",
        "banca",
        "banker",
        "chips",
        "detail",
        "drawing",
        "hands",
        "log",
        "offers",
        "result",
        "rules",
        "sale",
        "seated",
        "seller",
        "stakes",
        "stood",
        "terms",
        "undone",
    )

    def __init__(self, state: State) -> None:
        self.rules, self.terms, self.detail = state.rules, state.terms, state.terms.detail
        self.log, self.undone = list(state.log), state.undone
        self.banker, self.chips, self.seated = state.banker, dict(state.chips), list(state.seated)
        self.offers, self.stakes = list(state.offers), dict(state.stakes)
        self.hands = {place: list(cards) for place, cards in state.hands.items()}
        self.banca, self.stood = list(state.banca), set(state.stood)
        self.drawing, self.sale, self.result = state.drawing, state.sale, state.result
        self.seller = state.seller
        self._turns: list[int] = []

    @property
    def players(self) -> list[int]:
        """Who plays against the bank, in turn: from the bank's right, right to left (SYM-04).

        Seat 1 is first on the dealer's left and numbers go clockwise: to the right is the next lower one.
        Kept once cards are out: nobody comes in after the first.
        """
        if self._turns and self.hands:
            return self._turns
        seats = self.terms.seats
        playing = self.seated
        if self.detail is Detail.FULL:
            # Who sold the bank before the hand may be left with less than the least bet: it sits out.
            low = least(self.terms, "main")
            playing = [seat for seat, points in self.chips.items() if points >= low]
        ranked = [(self.banker - 1 - step) % seats + 1 for step in range(1, seats)]
        self._turns = [seat for seat in ranked if seat in playing]
        return self._turns

    def is_done(self, place: Place, cards: list[str]) -> bool:
        """Whether a hand takes no more cards: it stood, has seven and a half, or passed it."""
        return place in self.stood or halves(cards) >= TARGET

    @property
    def survivors(self) -> list[Place]:
        """Hands that did not pass seven and a half."""
        return [place for place, cards in self.hands.items() if halves(cards) <= TARGET]
