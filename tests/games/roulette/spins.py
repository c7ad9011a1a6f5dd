"""Spins in a few words."""

from __future__ import annotations

from typing import Any

from tables.games.base import Detail, Terms
from tables.games.roulette import ROULETTE
from tables.games.roulette.layout import KINDS

LIMITS = dict.fromkeys(KINDS, (500, 50_000)) | {"even_chance": (1000, 1_000_000)}
CLOSE = {"e": "close"}


def start(detail: Detail = Detail.FULL, rules: dict[str, Any] | None = None, **changes: Any) -> Any:
    """Seven seats, chips from 1,00, bets from 5,00 to 500,00, even chances from 10,00 to 10.000,00."""
    given: dict[str, Any] = {"seats": 7, "detail": detail, "chip": 100, "limits": LIMITS, **changes}
    return ROULETTE.open(ROULETTE.read_rules(rules or {}), Terms(**given))


def bet(seat: int, spot: str, amount: int) -> dict[str, Any]:
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount}


def prison(seat: int, spot: str, amount: int, times: int = 1) -> dict[str, Any]:
    return {"e": "prison", "seat": seat, "spot": spot, "amount": amount, "times": times}


def spin(number: int) -> dict[str, Any]:
    return {"e": "spin", "number": number}


def after(state: Any, *events: Any) -> Any:
    for event in events:
        state = ROULETTE.play(state, event)
    return state


def spun(number: int, *events: Any, **changes: Any) -> Any:
    """The settlement of a spin with these bets."""
    return ROULETTE.settle(after(start(**changes), *events, CLOSE, spin(number)))


def paid(settlement: Any) -> list[tuple[int, str, int]]:
    """(seat, spot, won) in the order it is done."""
    return [(p.seat, p.spot, p.won) for p in settlement.payouts]
