"""Hands of siete y medio in a few words."""

from __future__ import annotations

from typing import Any

from tables.games.base import Detail, Terms
from tables.games.siete import SIETE

LIMITS = {"main": (1000, 20_000)}


def start(detail: Detail = Detail.FULL, rules: dict[str, Any] | None = None, **changes: Any) -> Any:
    """Six seats, chips of 1,00, bets from 10,00 to 200,00."""
    given: dict[str, Any] = {"seats": 6, "detail": detail, "chip": 100, "limits": LIMITS, **changes}
    return SIETE.open(SIETE.read_rules(rules or {}), Terms(**given))


def bank(seat: int) -> dict[str, Any]:
    return {"e": "deal", "seat": seat}


def chips(seat: int, amount: int) -> dict[str, Any]:
    return {"e": "chips", "seat": seat, "amount": amount}


def offer(seat: int, amount: int) -> dict[str, Any]:
    return {"e": "offer", "seat": seat, "amount": amount}


def to(seat: int, card: str, hand: int = 0) -> dict[str, Any]:
    """A card to a seat; to the bank for seat 0."""
    if not seat:
        return {"e": "card", "to": "banca", "card": card}
    return {"e": "card", "to": "seat", "seat": seat, "card": card, **({"hand": hand} if hand else {})}


def bet(seat: int, amount: int) -> dict[str, Any]:
    return {"e": "bet", "seat": seat, "spot": "main", "amount": amount}


def choice(seat: int, do: str, hand: int = 0) -> dict[str, Any]:
    return {"e": "choice", "seat": seat, "do": do, **({"hand": hand} if hand else {})}


def after(state: Any, *events: Any) -> Any:
    for event in events:
        state = SIETE.play(state, event)
    return state


def table(*points: int, **changes: Any) -> Any:
    """Seat 1 has the bank, 500,00; the seats on its right (6, 5, 4 …) play with these points."""
    seats = [6, 5, 4, 3, 2][: len(points)]
    sat = [chips(seat, amount) for seat, amount in zip(seats, points, strict=True)]
    return after(start(**changes), bank(1), chips(1, 50_000), *sat)


def drawn(seat: int, cards: str, *, stand: bool = True) -> list[dict[str, Any]]:
    """A seat (0: the bank at seat 1) asks for these cards one by one, then stands."""
    who = seat or 1
    events = [event for card in cards.split() for event in (choice(who, "draw"), to(seat, card))]
    return [*events, choice(who, "stand")] if stand else events


def paid(settlement: Any) -> list[tuple[int, str, int]]:
    """(seat, spot, won) in the order it is done."""
    return [(p.seat, p.spot, p.won) for p in settlement.payouts]
