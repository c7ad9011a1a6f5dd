"""A hand of a ring game as it stands: the immutable state, and the scratch copy that writes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from shoes.cards import COVERED
from tables.games.base import Bet, Detail, Terms
from tables.games.ring.rules import Rules
from tables.games.ring.stakes import Stakes


class Due(NamedTuple):
    """A card to come: `to` is seat, board or burn."""

    to: str
    seat: int = 0
    is_open: bool = False


class Result(NamedTuple):
    """An announced outcome: a seat's number or `split`, the seats, and the pot if it was told."""

    winner: str
    seats: tuple[int, ...] = ()
    pot: int | None = None


Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class State:
    """A hand so far; amounts in smallest units, everything by seat.

    `chips`: what each seat that is dealt in had before the hand (0 where no money is logged). `order`:
    these seats as cards and turns go. `put`: all a seat put in, `bet`: in this betting round. `level`:
    what has to be matched; `raise_size`: the last full bet or raise; `raises`: how many; `queue`: whose
    turns are left; `acted`: the level at a seat's last turn; `bringing`: the bring-in is due.
    `pending`: the cards that are due. `aggressor`: who bet last in the round, first to show. `dead`: what
    seats lost to this pot in the hand before; `defective`: the deck was found so, and `knew` who knew it.
    """

    rules: Rules
    terms: Terms
    stakes: Stakes = field(repr=False)
    log: tuple[dict[str, Any], ...] = ()
    undone: frozenset[int] = frozenset()
    chips: Pairs = ()
    button: int = 0
    closed: bool = False
    order: tuple[int, ...] = ()
    street: int = -1
    pending: tuple[Due, ...] = ()
    own: tuple[tuple[int, tuple[str, ...]], ...] = ()
    board: tuple[str, ...] = ()
    burns: tuple[str, ...] = ()
    unburned: int = 0
    folded: frozenset[int] = frozenset()
    mucked: frozenset[int] = frozenset()
    shown: frozenset[int] = frozenset()
    put: Pairs = ()
    bet: Pairs = ()
    level: int = 0
    raise_size: int = 0
    raises: int = 0
    capped: bool = False
    bringing: bool = False
    queue: tuple[int, ...] = ()
    acted: Pairs = ()
    aggressor: int = 0
    result: Result | None = None
    complete: bool = False
    dead: Pairs = ()
    defective: bool = False
    knew: tuple[int, ...] = ()

    @property
    def bets(self) -> tuple[Bet, ...]:
        """What each seat has put into the pot."""
        return tuple([Bet(seat, "pot", amount) for seat, amount in self.put if amount])


class Draft:
    """A state being written; thrown away when an event is refused, so that no state ever changes."""

    def __init__(self, state: State) -> None:
        self.rules, self.terms, self.stakes = state.rules, state.terms, state.stakes
        self.variant = state.rules.variant
        self.detail = state.terms.detail
        self.log, self.undone = list(state.log), state.undone
        self.chips = dict(state.chips)
        self.button, self.closed = state.button, state.closed
        self.order, self.street = list(state.order), state.street
        self.pending = list(state.pending)
        self.own = {seat: list(cards) for seat, cards in state.own}
        self.board, self.burns, self.unburned = list(state.board), list(state.burns), state.unburned
        self.folded, self.mucked, self.shown = set(state.folded), set(state.mucked), set(state.shown)
        self.put, self.bet = dict(state.put), dict(state.bet)
        self.level, self.raise_size, self.raises = state.level, state.raise_size, state.raises
        self.capped, self.bringing = state.capped, state.bringing
        self.queue, self.acted = list(state.queue), dict(state.acted)
        self.aggressor, self.result = state.aggressor, state.result
        self.dead, self.defective, self.knew = dict(state.dead), state.defective, state.knew
        self.spared: list[int] = []
        """Seats whose turn fell away since nobody was left to bet against; for hand histories only."""

    def freeze(self) -> State:
        return State(
            self.rules,
            self.terms,
            self.stakes,
            tuple(self.log),
            self.undone,
            tuple(self.chips.items()),
            self.button,
            self.closed,
            tuple(self.order),
            self.street,
            tuple(self.pending),
            tuple([(seat, tuple(cards)) for seat, cards in self.own.items()]),
            tuple(self.board),
            tuple(self.burns),
            self.unburned,
            frozenset(self.folded),
            frozenset(self.mucked),
            frozenset(self.shown),
            tuple(self.put.items()),
            tuple(self.bet.items()),
            self.level,
            self.raise_size,
            self.raises,
            self.capped,
            self.bringing,
            tuple(self.queue),
            tuple(self.acted.items()),
            self.aggressor,
            self.result,
            self.phase in ("done", "told"),
            tuple(self.dead.items()),
            self.defective,
            self.knew,
        )

    @property
    def live(self) -> list[int]:
        """Who may still win, in order."""
        out = self.folded
        return [seat for seat in self.order if seat not in out]

    @property
    def able(self) -> list[int]:
        """Who may still win and has chips to bet."""
        return [seat for seat in self.live if self.chips[seat] > self.put[seat]]

    @property
    def pot(self) -> int:
        """All that lies in the middle."""
        return sum(self.put.values()) + sum(self.dead.values())

    def stack(self, seat: int) -> int:
        return self.chips[seat] - self.put[seat]

    @property
    def last_street(self) -> bool:
        return self.street == len(self.variant.streets) - 1

    @property
    def phase(self) -> str:
        """joining, dealing, betting, showdown or done; `waiting` and `told` where only results are logged."""
        if self.detail is Detail.RESULT:
            return "told" if self.result is not None else "waiting"
        if not self.closed:
            return "joining"
        if self.defective:
            return "done"
        live = self.live
        if len(live) == 1:
            return "done"
        if self.queue:
            return "betting"
        if self.pending:
            return "dealing"
        return "done" if self.shown.issuperset(live) else "showdown"

    @property
    def between_streets(self) -> bool:
        """Whether every card of the streets begun has come, and none of the next."""
        return self.street > 0 and self.pending == street_cards(self)

    @property
    def runs_out(self) -> bool:
        """Whether the rest of the cards come without any more betting: all but one are all in."""
        return self.detail is Detail.FULL and self.street > 0 and not self.queue and len(self.able) <= 1

    def flags(self) -> list[bool]:
        """Whether each of a player's cards so far lies open."""
        return [is_open for street in self.variant.streets[: self.street + 1] for is_open in street.own]

    def closed_cards(self, seat: int) -> list[str]:
        return [card for card, is_open in zip(self.own[seat], self.flags(), strict=False) if not is_open]

    def open_cards(self, seat: int) -> list[str]:
        return [card for card, is_open in zip(self.own[seat], self.flags(), strict=False) if is_open]

    def seen(self) -> set[str]:
        """Every card somebody named."""
        named = {card for cards in self.own.values() for card in cards}
        named.update(self.board, self.burns)
        named.discard(COVERED)
        return named


def street_cards(draft: Draft) -> list[Due]:
    """All cards of the street the hand has come to, in the order they are dealt."""
    street = draft.variant.streets[draft.street]
    due = [Due("burn")] if street.burn and draft.rules.burn_log != "off" else []
    due += [Due("board")] * street.board
    live = draft.live
    return due + [Due("seat", seat, is_open) for is_open in street.own for seat in live]
