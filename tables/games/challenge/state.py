"""A pass of Challenge 21 as it stands: the immutable state and the scratch copy that writes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from tables.games.base import Bet, Detail, Terms
from tables.games.challenge.rules import Rules

PLAYING, STANDS, BUST, SURRENDERED, BLACKJACK = "", "stand", "bust", "surrender", "blackjack"
"""How a player's hand stands."""

BETS, DEAL, DECIDE, ROUNDS, DONE = "bets", "deal", "decide", "rounds", "done"
"""The stages of a pass; at detail `result` only the first and the last."""

Dealer = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


class PlayerHand(NamedTuple):
    """One hand of a seat; `hand` is 0 as dealt, and counts on for the hands a split makes.

    `rounds`: how many of the three bets it has (BJ-09), and so dealer hands it meets. `bets`: their
    initial amounts, smallest units, all 0 where no bets are logged; a double adds as much again.
    `split_from`: the card the hand was split from, empty as dealt. `insured`: numbers of the dealer hands
    it is insured against, from 0. `declined`: insurance was declined. `even`: the answer to even money,
    "" | "yes" | "no".
    """

    seat: int
    hand: int
    rounds: int
    bets: tuple[int, ...] = (0, 0, 0)
    cards: tuple[str, ...] = ()
    split_from: str = ""
    doubled: bool = False
    status: str = PLAYING
    insured: tuple[int, ...] = ()
    declined: bool = False
    even: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """A pass so far. `log` holds every event in canonical form, undone ones too; `undone` the positions
    (from 1) struck out; `bets` one entry per seat, spot and hand, in the order first placed.

    `seated`: bets per seat where their amounts are not logged. `hands`: in the order they are played, made
    when the deal begins. `dealer`: the three hands, the shared base card in each. `dealt`: cards of the
    first deal that are out. `turn`: place in `hands` of the hand to decide. `asked`: it asked for a card.
    `offered`: insurance is over. `round`: the dealer hand being completed, from 0. `results`: the calls of
    the rounds, where only they are logged.
    """

    rules: Rules
    terms: Terms
    log: tuple[dict[str, Any], ...] = ()
    undone: frozenset[int] = frozenset()
    bets: tuple[Bet, ...] = ()
    closed: bool = False
    seated: tuple[tuple[int, int], ...] = ()
    hands: tuple[PlayerHand, ...] = ()
    dealer: Dealer = ((), (), ())
    dealt: int = 0
    turn: int = 0
    asked: bool = False
    offered: bool = False
    round: int = 0
    results: tuple[str, ...] = ()
    stage: str = BETS

    @property
    def complete(self) -> bool:
        """Whether the pass can be settled."""
        return self.stage == DONE


class Draft:
    """A state being written; thrown away when an event is refused, so that no state ever changes."""

    __slots__ = (
        "asked",
        "closed",
        "dealer",
        "dealt",
        "detail",
        "hands",
        "log",
        "offered",
        "results",
        "round",
        "rules",
        "seated",
        "stage",
        "stakes",
        "terms",
        "turn",
        "undone",
    )

    def __init__(self, state: State) -> None:
        self.rules, self.terms = state.rules, state.terms
        self.detail: Detail = state.terms.detail
        self.log = list(state.log)
        self.undone = state.undone
        self.stakes = {(bet.seat, bet.spot, bet.hand): bet.amount for bet in state.bets}
        self.closed, self.seated = state.closed, dict(state.seated)
        self.hands, self.dealer = list(state.hands), [list(hand) for hand in state.dealer]
        self.dealt, self.turn, self.asked = state.dealt, state.turn, state.asked
        self.offered, self.round = state.offered, state.round
        self.results, self.stage = list(state.results), state.stage

    def freeze(self) -> State:
        first, second, third = self.dealer
        return State(
            self.rules,
            self.terms,
            tuple(self.log),
            self.undone,
            tuple([Bet(seat, spot, amount, hand) for (seat, spot, hand), amount in self.stakes.items()]),
            self.closed,
            tuple(self.seated.items()),
            tuple(self.hands),
            (tuple(first), tuple(second), tuple(third)),
            self.dealt,
            self.turn,
            self.asked,
            self.offered,
            self.round,
            tuple(self.results),
            self.stage,
        )

    @property
    def current(self) -> PlayerHand:
        return self.hands[self.turn]
