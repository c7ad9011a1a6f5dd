"""Rounds of Black Jack in a few words: tables, bets, deals in their order, cards and decisions."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import SabotError
from tables.games.base import Detail, Game, Payout, Settlement, Terms
from tables.games.blackjack import GAMES

CLASSIC, PERFECT, ONLINE = GAMES
LIMITS = {"main": (500, 1_000_000), "insurance": (100, 500_000), "perfect_pairs": (500, 100_000)}


def table(game: Game = CLASSIC, detail: Detail = Detail.FULL, rules: Any = None, **changes: Any) -> Any:
    """A round with nothing in it: chips of 1,00, main bets from 5,00 to 10.000,00."""
    read = game.read_rules(rules or {})
    full = detail is Detail.FULL
    given: dict[str, Any] = {
        "seats": read.seats,
        "detail": detail,
        "chip": 100,
        "limits": {spot: LIMITS[spot] for spot in game.spots} if full else {},
        **changes,
    }
    return game.open(read, Terms(**given))


def game_of(state: Any) -> Game:
    return next(game for game in GAMES if game.code == state.rules.game)


def after(state: Any, *events: dict[str, Any]) -> Any:
    """The state after the events, one `play` each."""
    for event in events:
        state = game_of(state).play(state, event)
    return state


def bet(seat: int, amount: int, spot: str = "main", hand: int = 0) -> dict[str, Any]:
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount, "hand": hand}


def come_in(seat: int, hands: int = 1) -> dict[str, Any]:
    return {"e": "in", "seat": seat, "hands": hands}


def to(seat: int, card: str, hand: int = 0) -> dict[str, Any]:
    return {"e": "card", "to": "seat", "seat": seat, "hand": hand, "card": card}


def dealer(card: str) -> dict[str, Any]:
    return {"e": "card", "to": "dealer", "card": card}


def show(card: str) -> dict[str, Any]:
    return {"e": "show", "to": "dealer", "cards": [card]}


def do(seat: int, what: str, hand: int = 0, **more: Any) -> dict[str, Any]:
    return {"e": "choice", "seat": seat, "hand": hand, "do": what, **more}


CLOSE: dict[str, Any] = {"e": "close"}


def deal(hands: dict[Any, str], up: str) -> list[dict[str, Any]]:
    """The first deal: `{1: "As Kd", (2, 1): "9h 9d"}` and the dealer's card, or `"As ??"` (American)."""
    keyed = {key if isinstance(key, tuple) else (key, 0): cards.split() for key, cards in hands.items()}
    order = sorted(keyed)
    shown = up.split()
    events = [to(seat, keyed[seat, hand][0], hand) for seat, hand in order]
    events.append(dealer(shown[0]))
    events += [to(seat, keyed[seat, hand][1], hand) for seat, hand in order]
    return events + [dealer(card) for card in shown[1:]]


def round_of(
    hands: dict[Any, str],
    up: str,
    *events: dict[str, Any],
    stake: int = 1000,
    game: Game = CLASSIC,
    detail: Detail = Detail.FULL,
    rules: Any = None,
    side: dict[int, int] | None = None,
    **terms: Any,
) -> Any:
    """A round dealt to these hands, `stake` on each, and then the events."""
    state = table(game, detail, rules, **terms)
    keys = sorted(key if isinstance(key, tuple) else (key, 0) for key in hands)
    if detail is Detail.FULL:
        bets = [bet(seat, stake, hand=hand) for seat, hand in keys]
        bets += [bet(seat, amount, "perfect_pairs") for seat, amount in (side or {}).items()]
        state = after(state, *bets, CLOSE)
    else:
        seats = dict.fromkeys(seat for seat, _ in keys)
        state = after(state, *(come_in(s, sum(1 for seat, _ in keys if seat == s)) for s in seats))
    return after(state, *deal(hands, up), *events)


def settled(state: Any) -> Settlement:
    assert state.complete, game_of(state).prompts(state)
    return game_of(state).settle(state)


def paid(state: Any, spot: str = "main") -> dict[tuple[int, int], Payout]:
    """The payouts on a spot, by seat and hand."""
    return {(p.seat, p.hand): p for p in settled(state).payouts if p.spot == spot}


def refusal(state: Any, event: Any) -> SabotError:
    """The refusal of an event, the state being left as it was."""
    before = repr(state)
    with pytest.raises(SabotError) as caught:
        game_of(state).play(state, event)
    assert repr(state) == before
    assert caught.value.message.es and caught.value.message.en
    return caught.value
