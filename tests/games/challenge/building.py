"""Passes of Challenge 21 for the tests, in a few words."""

from __future__ import annotations

from typing import Any

from tables.games.base import Detail, Terms
from tables.games.challenge import CHALLENGE21 as GAME

LIMITS = dict.fromkeys(("first", "second", "third"), (1000, 100_000))
CLOSE = {"e": "close"}
PER_HAND = {"dealer_base_card": "per_hand"}


def start(detail: Detail = Detail.FULL, rules: dict[str, Any] | None = None, **changes: Any) -> Any:
    """Seven seats, chips from 1,00, bets from 10,00 to 1.000,00."""
    limits = LIMITS if detail is Detail.FULL else {}
    given: dict[str, Any] = {"seats": 7, "detail": detail, "chip": 100, "limits": limits, **changes}
    return GAME.open(GAME.read_rules(rules or {}), Terms(**given))


def bets(seat: int, *amounts: int) -> list[dict[str, Any]]:
    spots = ("first", "second", "third")
    return [
        {"e": "bet", "seat": seat, "spot": spot, "amount": amount}
        for spot, amount in zip(spots, amounts, strict=False)
    ]


def to(where: str, cards: str) -> list[dict[str, Any]]:
    return [{"e": "card", "to": where, "card": card} for card in cards.split()]


def seat(number: int, cards: str, hand: int | None = None) -> list[dict[str, Any]]:
    named = {} if hand is None else {"hand": hand}
    return [{"e": "card", "to": "seat", "seat": number, **named, "card": card} for card in cards.split()]


def do(number: int, what: str, **more: Any) -> dict[str, Any]:
    return {"e": "choice", "seat": number, "do": what, **more}


def dealt(hands: dict[int, str], bases: str) -> list[dict[str, Any]]:
    """The first deal as BJ-10 has it: `dealt({1: "Th 9d"}, "Td")`, the bases in order."""
    first = [card for number, cards in hands.items() for card in seat(number, cards.split()[0])]
    second = [card for number, cards in hands.items() for card in seat(number, cards.split()[1])]
    names = ("dealer", "dealer2", "dealer3")
    middle = [card for name, base in zip(names, bases.split(), strict=False) for card in to(name, base)]
    return [*first, *middle, *second]


def after(state: Any, *events: Any) -> Any:
    for event in events:
        state = GAME.play(state, event)
    return state


def settled(*events: Any, **kwargs: Any) -> Any:
    return GAME.settle(after(start(**kwargs), *events))


def returns(settlement: Any) -> dict[tuple[int, str, int], int]:
    return {(p.seat, p.spot, p.hand): p.returned for p in settlement.payouts}
