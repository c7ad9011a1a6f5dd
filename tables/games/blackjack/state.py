"""A round of Black Jack as it stands: the immutable state and the scratch copy that writes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tables.games.base import Bet, Detail, Terms
from tables.games.blackjack.rules import Rules

PLAYING, STANDS, BUST = "", "stand", "bust"
SURRENDERED, BLACKJACK, PAID, EVEN, CHARLIE = "surrender", "blackjack", "paid", "even_money", "charlie"
"""How a player's hand stands. `BLACKJACK` waits for the dealer, `PAID` was paid at once (BJ-16)."""

BETS, RESULT, DEAL, DECIDE, SHOW, DEALER, DONE = "bets", "result", "deal", "decide", "show", "dealer", "done"
"""The stages of a round."""


class PlayerHand(NamedTuple):
    """One hand of a seat. `hand`: its number; `origin`: the initial hand it comes from.

    `first`: the initial bet, smallest units, 0 where no bets are logged; a double adds as much again.
    `split_from`: the card the hand was split from, empty as dealt. `opening`: the two cards as dealt,
    kept once they are split (BJ-37). `answer`: what was said to insurance or even money.
    """

    seat: int
    hand: int
    origin: int
    first: int = 0
    cards: tuple[str, ...] = ()
    split_from: str = ""
    doubled: bool = False
    status: str = PLAYING
    opening: tuple[str, ...] = ()
    answer: str = ""

    def with_card(self, card: str) -> PlayerHand:
        """The hand with one more card; `_replace` for what happens at every card."""
        return PlayerHand(
            self.seat,
            self.hand,
            self.origin,
            self.first,
            (*self.cards, card),
            self.split_from,
            self.doubled,
            self.status,
            self.opening,
            self.answer,
        )


@dataclass(frozen=True, slots=True)
class State:
    """A round so far. `log` holds every event in canonical form, undone ones too; `undone` the positions
    (from 1) struck out; `bets` one entry per seat, spot and hand, in the order first placed.

    `seated`: hands per seat where no bets are logged. `hands`: in the order they are played, made when
    the deal begins. `dealt`: cards of the first deal that are out. `turn`: place in `hands` of the hand
    to decide. `asked`: that hand asked for a card. `offered`: insurance is over. `peeked`: the American
    dealer looked at the hole card and went on. `shown`: the hole card lies open.
    """

    rules: Rules
    terms: Terms
    boxes: Mapping[str, tuple[int, int]] = field(repr=False, compare=False)
    log: tuple[dict[str, Any], ...] = ()
    undone: frozenset[int] = frozenset()
    bets: tuple[Bet, ...] = ()
    closed: bool = False
    seated: tuple[tuple[int, int], ...] = ()
    hands: tuple[PlayerHand, ...] = ()
    dealer: tuple[str, ...] = ()
    dealt: int = 0
    turn: int = 0
    asked: bool = False
    offered: bool = False
    peeked: bool = False
    shown: bool = False
    result: str = ""
    stage: str = BETS

    @property
    def complete(self) -> bool:
        """Whether the round can be settled."""
        return self.stage == DONE


class Draft:
    """A state being written; thrown away when an event is refused, so that no state ever changes."""

    __slots__ = (
        "asked",
        "boxes",
        "closed",
        "dealer",
        "dealt",
        "detail",
        "hands",
        "log",
        "offered",
        "peeked",
        "result",
        "rules",
        "seated",
        "seen",
        "shown",
        "stage",
        "stakes",
        "terms",
        "turn",
        "undone",
    )

    def __init__(self, state: State) -> None:
        self.rules, self.terms, self.boxes = state.rules, state.terms, state.boxes
        self.detail: Detail = state.terms.detail
        self.log = list(state.log)
        self.undone = state.undone
        self.stakes = {(bet.seat, bet.spot, bet.hand): bet.amount for bet in state.bets}
        self.closed, self.seated = state.closed, dict(state.seated)
        self.hands, self.dealer = list(state.hands), list(state.dealer)
        self.dealt, self.turn, self.asked = state.dealt, state.turn, state.asked
        self.offered, self.peeked, self.shown = state.offered, state.peeked, state.shown
        self.result, self.stage = state.result, state.stage
        # Cards of this round that are out, counted when first asked for.
        self.seen: Counter[str] | None = None

    def freeze(self) -> State:
        return State(
            self.rules,
            self.terms,
            self.boxes,
            tuple(self.log),
            self.undone,
            tuple([Bet(seat, spot, amount, hand) for (seat, spot, hand), amount in self.stakes.items()]),
            self.closed,
            tuple(self.seated.items()),
            tuple(self.hands),
            tuple(self.dealer),
            self.dealt,
            self.turn,
            self.asked,
            self.offered,
            self.peeked,
            self.shown,
            self.result,
            self.stage,
        )

    @property
    def deal_length(self) -> int:
        """Cards of the first deal: two a hand and the dealer's one, or two in the American form (BJ-10)."""
        return 2 * len(self.hands) + (2 if self.rules.american else 1)

    @property
    def current(self) -> PlayerHand:
        return self.hands[self.turn]
