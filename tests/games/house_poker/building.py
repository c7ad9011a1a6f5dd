"""Rounds of poker against the house for the tests, in a few words."""

from __future__ import annotations

from typing import Any

from shoes.cards import COVERED
from tables.games.base import Detail, Game, Terms
from tables.games.house_poker import GAMES

BY_CODE: dict[str, Game] = {game.code: game for game in GAMES}
DRAW, CARIBBEAN = BY_CODE["poker.draw"], BY_CODE["poker.caribbean"]
GO, THREE = BY_CODE["poker.go"], BY_CODE["poker.three_card"]
CLOSE: dict[str, Any] = {"e": "close"}

Events = list[dict[str, Any]]


def start(game: Game, detail: Detail = Detail.FULL, rules: Any = None, **changes: Any) -> Any:
    """A round with nothing in it: chips of 1,00, bets of 1,00 to 1.000,00 on whatever takes them."""
    read = game.read_rules(rules or {})
    limits = dict.fromkeys(game.spots, (100, 100_000)) if detail is Detail.FULL else {}
    given: dict[str, Any] = {
        "seats": read.seats,
        "detail": detail,
        "chip": 100,
        "limits": limits,
        **changes,
    }
    return game.open(read, Terms(**given))


def bet(seat: int, spot: str, amount: int) -> dict[str, Any]:
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount}


def to_seat(seat: int, card: str = COVERED) -> dict[str, Any]:
    return {"e": "card", "to": "seat", "seat": seat, "card": card}


def to(hand: str, card: str = COVERED) -> dict[str, Any]:
    return {"e": "card", "to": hand, "card": card}


def choice(seat: int, do: str, **more: Any) -> dict[str, Any]:
    return {"e": "choice", "seat": seat, "do": do, **more}


def show(seat: int, cards: str) -> dict[str, Any]:
    return {"e": "show", "seat": seat, "cards": cards.split()}


def show_dealer(cards: str) -> dict[str, Any]:
    return {"e": "show", "to": "dealer", "cards": cards.split()}


def deal(hands: dict[int, str], dealer: str = "") -> Events:
    """The first deal, circle by circle: seats from 1 up, the dealer last."""
    seats = {seat: cards.split() for seat, cards in sorted(hands.items())}
    house = dealer.split()
    events = []
    for circle in range(len(next(iter(seats.values())))):
        events += [to_seat(seat, cards[circle]) for seat, cards in seats.items()]
        events += [to("dealer", house[circle])] if house else []
    return events


COVERED5 = " ".join([COVERED] * 5)
COVERED3 = " ".join([COVERED] * 3)


def play(game: Game, state: Any, *events: Any) -> Any:
    """The state after the events; lists of events are taken apart."""
    for event in events:
        for one in event if isinstance(event, list) else [event]:
            state = game.play(state, one)
    return state


def paid(game: Game, state: Any) -> dict[tuple[int, str], int]:
    """What goes back to each bet, stake included."""
    return {(payout.seat, payout.spot): payout.returned for payout in game.settle(state).payouts}


def payout(game: Game, state: Any, seat: int, spot: str) -> Any:
    return next(p for p in game.settle(state).payouts if (p.seat, p.spot) == (seat, spot))
