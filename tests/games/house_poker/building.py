"""Rounds of poker against the house for the tests, in a few words."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import SabotError
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


def misdeal(seat: int, count: int) -> dict[str, Any]:
    return {"e": "misdeal", "seat": seat, "count": count}


def dealer_has(count: int) -> dict[str, Any]:
    return {"e": "misdeal", "to": "dealer", "count": count}


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


HAND_1, HAND_2, HOUSE = "Kc Kd 9h 5s 2d", "Ac Qd 8h 6s 3d", "8c 8d 4h 3s 2c"


def dealt(game: Game = DRAW, rules: Any = None) -> Any:
    """Seats 1 and 3 with ANTEs of 10,00 and 20,00 and their cards."""
    state = play(game, start(game, rules=rules), bet(1, "ante", 1000), bet(3, "ante", 2000), CLOSE)
    return play(game, state, deal({1: HAND_1, 3: HAND_2}, HOUSE))


def covered(game: Game = DRAW) -> Any:
    state = play(game, start(game), bet(1, "ante", 1000), bet(3, "ante", 2000), CLOSE)
    return play(game, state, deal({1: COVERED5, 3: COVERED5}, COVERED5))


def three(cards: str = COVERED3) -> Any:
    state = play(THREE, start(THREE), bet(2, "ante", 1000), bet(2, "pair_plus", 500), CLOSE)
    return play(THREE, state, deal({2: cards}, COVERED3))


def go(seats: tuple[int, ...] = (2,), rules: Any = None) -> Any:
    state = start(GO, rules=rules)
    spots = [f"bet{number}" for number in range(1, state.rules.equal_bets + 1)]
    for seat in seats:
        state = play(GO, state, [bet(seat, spot, 500) for spot in spots])
    return play(GO, state, CLOSE, deal(dict.fromkeys(seats, COVERED3)))


def refused(game: Game, state: Any, event: Any) -> SabotError:
    before = repr(state)
    with pytest.raises(SabotError) as found:
        game.play(state, event)
    assert repr(state) == before
    assert found.value.message.es and found.value.message.en
    return found.value


ANTE_IN = [bet(1, "ante", 1000)]


def fresh(game: Game) -> Any:
    return start(game)
