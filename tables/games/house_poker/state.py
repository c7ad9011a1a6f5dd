"""A round of poker against the house as it stands: the immutable state and the draft that writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from shoes.cards import COVERED
from tables.games.base import Bet, Detail, Terms
from tables.games.house_poker import course
from tables.games.house_poker.kinds import KINDS, Kind
from tables.games.house_poker.rules import Rules


class Place(NamedTuple):
    """One seat in the round, or the dealer: the cards in the order they came (`??` covered), what was
    decided so far, how many cards were discarded to be replaced, and of a misdealt hand how many it was
    found with.
    """

    cards: tuple[str, ...] = ()
    did: tuple[str, ...] = ()
    discarded: int = 0
    found: int | None = None

    @property
    def folded(self) -> bool:
        return "fold" in self.did

    @property
    def dead(self) -> bool:
        return self.found is not None

    @property
    def out(self) -> bool:
        """Whether it takes no further part."""
        return self.folded or self.dead

    @property
    def covered(self) -> int:
        return self.cards.count(COVERED)


_EMPTY = Place()


@dataclass(frozen=True, slots=True)
class State:
    """A round so far. `log` holds every event in canonical form, undone ones too; `undone` the positions
    (from 1) struck out; `bets` one entry per seat and spot, in the order first placed; `boxes` the least
    and most of each spot. `places`: every seat in the round, in the order of the table; `house` the
    dealer's hand. `gone`: known cards discarded; `folds`: seats in the order they folded.
    """

    rules: Rules
    terms: Terms
    boxes: Mapping[str, tuple[int, int]] = field(repr=False, compare=False)
    log: tuple[dict[str, Any], ...] = ()
    undone: frozenset[int] = frozenset()
    bets: tuple[Bet, ...] = ()
    closed: bool = False
    places: Mapping[int, Place] = field(default_factory=dict)
    house: Place = _EMPTY
    board: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    folds: tuple[int, ...] = ()
    result: str = ""

    @property
    def kind(self) -> Kind:
        return KINDS[self.rules.game]

    @property
    def detail(self) -> Detail:
        return self.terms.detail

    @property
    def stakes(self) -> Mapping[tuple[int, str], int]:
        return {(bet.seat, bet.spot): bet.amount for bet in self.bets}

    @property
    def complete(self) -> bool:
        """Whether the round can be settled."""
        return course.due(self).phase == course.COMPLETE


class Draft:
    """A state being written; thrown away when an event is refused, so that no state ever changes."""

    __slots__ = (
        "board",
        "boxes",
        "closed",
        "detail",
        "folds",
        "gone",
        "house",
        "kind",
        "log",
        "places",
        "result",
        "rules",
        "seen",
        "stakes",
        "terms",
        "undone",
    )

    def __init__(self, state: State) -> None:
        self.rules, self.terms, self.boxes = state.rules, state.terms, state.boxes
        self.kind, self.detail = state.kind, state.terms.detail
        self.log, self.undone = list(state.log), state.undone
        self.stakes = dict(state.stakes)
        self.closed, self.result = state.closed, state.result
        self.places, self.house = dict(state.places), state.house
        self.board, self.gone, self.folds = list(state.board), list(state.gone), list(state.folds)
        self.seen: set[str] = set()

    def freeze(self) -> State:
        return State(
            self.rules,
            self.terms,
            self.boxes,
            tuple(self.log),
            self.undone,
            tuple([Bet(seat, spot, amount) for (seat, spot), amount in self.stakes.items()]),
            self.closed,
            dict(sorted(self.places.items())),
            self.house,
            tuple(self.board),
            tuple(self.gone),
            tuple(self.folds),
            self.result,
        )

    def known(self) -> set[str]:
        """Every card seen in this round, discarded ones too; whoever turns one up adds it."""
        if not self.seen:
            self.seen = {card for place in self.places.values() for card in place.cards}
            self.seen.update(self.house.cards, self.board, self.gone)
            self.seen.discard(COVERED)
        return self.seen
