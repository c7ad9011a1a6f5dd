"""Hands of ring games for the tests: tables, stacks, deals and decisions in a few words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tables.games.base import Detail, Game, Settlement, Terms
from tables.games.ring import GAMES
from tables.games.ring.state import Draft

GAME: Mapping[str, Game] = {game.code.removeprefix("poker."): game for game in GAMES}
NAMES = tuple(GAME)
STRUCTURES = ("no_limit", "pot_limit", "fixed_limit")
NO_RAKE = {"rake_basis_points": 0}


def limits_of(name: str, small: int = 50, big: int = 100, ante: int = 0) -> dict[str, tuple[int, int]]:
    """Blinds `small` and `big`, or for stud a bring-in of `small` and a small bet of `big`."""
    spot = "bring_in" if name.endswith("stud") else "blind"
    limits = {spot: (small, big)}
    return {**limits, "ante": (ante, ante)} if ante else limits


def opened(
    name: str = "texas",
    rules: Mapping[str, Any] | None = None,
    limits: Mapping[str, tuple[int, int]] | None = None,
    **changes: Any,
) -> Any:
    """A hand with nothing in it; by default no rake, blinds 50 and 100, chips of 1, amounts whole units."""
    game = GAME[name]
    given: dict[str, Any] = {
        "seats": game.default_rules().seats_max,
        "detail": Detail.FULL,
        "chip": 1,
        "exponent": 0,
        **changes,
    }
    if given["detail"] is Detail.FULL:
        given["limits"] = limits_of(name) if limits is None else limits
    return game.open(game.read_rules({**NO_RAKE, **(rules or {})}), Terms(**given))


def chips(seat: int, amount: int) -> dict[str, Any]:
    return {"e": "chips", "seat": seat, "amount": amount}


def button(seat: int) -> dict[str, Any]:
    return {"e": "button", "seat": seat}


CLOSE = {"e": "close"}


def do(seat: int, what: str, amount: int | None = None) -> dict[str, Any]:
    event = {"e": "choice", "seat": seat, "do": what}
    return event if amount is None else {**event, "amount": amount}


def card(to: str | int, card: str) -> dict[str, Any]:
    if isinstance(to, int):
        return {"e": "card", "to": "seat", "seat": to, "card": card}
    return {"e": "card", "to": to, "card": card}


def show(seat: int, cards: str) -> dict[str, Any]:
    return {"e": "show", "seat": seat, "cards": cards.split()}


class Hand:
    """A hand told step by step: cards that are due come from what each seat and the board hold."""

    def __init__(
        self,
        state: Any,
        stacks: Mapping[int, int],
        own: Mapping[int, str] | None = None,
        board: str = "",
        at: int = 0,
    ) -> None:
        self.game = next(game for game in GAMES if game.code == state.rules.game)
        self.own = {seat: cards.split() for seat, cards in (own or {}).items()}
        self.board = board.split()
        events: list[dict[str, Any]] = [chips(seat, amount) for seat, amount in stacks.items()]
        if at:
            events.append(button(at))
        self.state = self.game.play_all(state, [*events, CLOSE])
        self._deal()

    def _deal(self) -> None:
        while True:
            draft = Draft(self.state)
            if draft.phase != "dealing":
                return
            due = draft.pending[0]
            if due.to == "burn":
                self.play(card("burn", "??"), deal=False)
            elif due.to == "board":
                self.play(card("board", self.board[len(draft.board)]), deal=False)
            else:
                known = self.own.get(due.seat)
                held = len(draft.own[due.seat])
                self.play(card(due.seat, known[held] if known else "??"), deal=False)

    def play(self, event: Mapping[str, Any], deal: bool = True) -> Hand:
        self.state = self.game.play(self.state, dict(event))
        if deal:
            self._deal()
        return self

    def acts(self, *told: str) -> Hand:
        """`"3 raise 300"`, one by one; cards in between come by themselves."""
        for words in told:
            seat, what, *amount = words.split()
            self.play(do(int(seat), what, int(amount[0]) if amount else None))
        return self

    def showdown(self) -> Hand:
        """Every hand that is left is turned over."""
        draft = Draft(self.state)
        for seat in draft.live:
            if seat not in draft.shown and not self.state.complete:
                self.play({"e": "show", "seat": seat, "cards": draft.closed_cards(seat)})
        return self

    def settle(self) -> Settlement:
        return self.game.settle(self.state)

    def net(self) -> dict[int, int]:
        return {payout.seat: payout.won for payout in self.settle().payouts}

    @property
    def turn(self) -> int:
        return Draft(self.state).queue[0]

    def may(self) -> dict[str, tuple[int, int]]:
        from tables.games.ring.betting import options

        return options(Draft(self.state))


def seats(amount: int, many: int) -> dict[int, int]:
    return dict.fromkeys(range(1, many + 1), amount)


def refusals(game: Game, state: Any, events: Iterable[Any]) -> Any:
    """The refusal the last event meets."""
    import pytest

    from casino.kernel.errors import SabotError

    *before, last = events
    state = game.play_all(state, before)
    with pytest.raises(SabotError) as caught:
        game.play(state, last)
    return caught.value
