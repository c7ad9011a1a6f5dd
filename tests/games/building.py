"""Rounds for the tests: terms, events and whole deals in a few words."""

from __future__ import annotations

from typing import Any

from tables.games.base import Detail, Game, Terms
from tables.games.registry import game

LIMITS = {"punto": (1000, 1_000_000), "banca": (1000, 1_000_000), "tie": (500, 100_000)}


def terms(detail: Detail = Detail.FULL, **changes: Any) -> Terms:
    """Seven seats, chips from 5,00, limits 10,00 to 10.000,00 and 5,00 to 1.000,00 on ties."""
    given: dict[str, Any] = {"seats": 7, "detail": detail, "chip": 500, "limits": LIMITS, **changes}
    return Terms(**given)


def bet(seat: int, spot: str, amount: int) -> dict[str, Any]:
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount}


def card(to: str, card: str) -> dict[str, Any]:
    return {"e": "card", "to": to, "card": card}


CLOSE = {"e": "close"}


def dealt(punto: str, banca: str) -> list[dict[str, Any]]:
    """The card events of two hands as written: `dealt("2h 3d Kd", "4s Ac")`."""
    first, second = punto.split(), banca.split()
    order = [("punto", first[0]), ("banca", second[0]), ("punto", first[1]), ("banca", second[1])]
    order += [("punto", c) for c in first[2:]] + [("banca", c) for c in second[2:]]
    return [card(to, c) for to, c in order]


def full(bets: list[dict[str, Any]], punto: str, banca: str) -> list[dict[str, Any]]:
    return [*bets, CLOSE, *dealt(punto, banca)]


MINI: Game = game("baccarat.mini")
MIDI: Game = game("baccarat.midi")
PUNTO_BANCA: Game = game("baccarat.punto_banca")


def start(
    detail: Detail = Detail.FULL, of: Game = MINI, rules: dict[str, Any] | None = None, **changes: Any
) -> Any:
    """A round of the given game with nothing in it."""
    return of.open(of.read_rules(rules or {}), terms(detail, **changes))


def after(state: Any, *events: Any) -> Any:
    """The state after the events, one `play` each."""
    for event in events:
        state = MINI.play(state, event)
    return state


def settled(events: list[dict[str, Any]], detail: Detail = Detail.FULL, **kwargs: Any) -> Any:
    """The settlement of a whole round."""
    return MINI.settle(after(start(detail, **kwargs), *events))
