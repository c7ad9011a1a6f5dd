"""Rounds of Treinta y Cuarenta for the tests, in a few words."""

from __future__ import annotations

from typing import Any

from tables.games.base import Detail, Terms
from tables.games.trente import TRENTE as GAME

CHANCE_LIMITS = dict.fromkeys(("black", "red", "colour", "inverse"), (1000, 1_000_000))
PREMIUM_LIMITS = dict.fromkeys([spot for spot in GAME.spots if spot.startswith("insurance")], (1, 10_000))
LIMITS = {**CHANCE_LIMITS, **PREMIUM_LIMITS}
CLOSE = {"e": "close"}

REFAIT = ("Ks 9h 8d 4c", "Td Jc 5s 6h")
"""31 and 31."""


def start(detail: Detail = Detail.FULL, rules: dict[str, Any] | None = None, **changes: Any) -> Any:
    """Ten seats, chips from 1,00, chances from 10,00 to 10.000,00."""
    limits = LIMITS if detail is Detail.FULL else {}
    given: dict[str, Any] = {"seats": 10, "detail": detail, "chip": 100, "limits": limits, **changes}
    return GAME.open(GAME.read_rules(rules or {}), Terms(**given))


def bet(seat: int, spot: str, amount: int) -> dict[str, Any]:
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount}


def rows(negra: str, roja: str) -> list[dict[str, Any]]:
    return [
        {"e": "card", "to": to, "card": card}
        for to, row in (("negra", negra), ("roja", roja))
        for card in row.split()
    ]


def choose(seat: int, spot: str, do: str, hand: int = 0) -> dict[str, Any]:
    chosen: dict[str, Any] = {"e": "choice", "seat": seat, "spot": spot, "do": do}
    return {**chosen, "hand": hand} if hand else chosen


def after(state: Any, *events: Any) -> Any:
    for event in events:
        state = GAME.play(state, event)
    return state


def settled(*events: Any, **kwargs: Any) -> Any:
    return GAME.settle(after(start(**kwargs), *events))


def returns(settlement: Any) -> dict[tuple[Any, ...], int]:
    return {(p.seat, p.spot, p.hand): p.returned for p in settlement.payouts}
