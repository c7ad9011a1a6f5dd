"""Rounds of player-banked Baccarat in a few words."""

from __future__ import annotations

from typing import Any

from tables.games.banked import BANKED
from tables.games.base import Detail, Terms

LIMITS = {"punto": (1000, 1_000_000), "bank": (5000, 5_000_000)}
CLOSE = {"e": "close"}


def start(detail: Detail = Detail.FULL, rules: dict[str, Any] | None = None, **changes: Any) -> Any:
    """Nine seats, chips from 1,00, punto from 10,00 to 10.000,00, a bank from 50,00 to 50.000,00."""
    given: dict[str, Any] = {"seats": 9, "detail": detail, "chip": 100, "limits": LIMITS, **changes}
    return BANKED.open(BANKED.read_rules(rules or {}), Terms(**given))


def bank(seat: int, amount: int) -> dict[str, Any]:
    return {"e": "bank", "seat": seat, "amount": amount}


def bet(seat: int, amount: int, spot: str = "punto") -> dict[str, Any]:
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount}


def choice(seat: int, do: str) -> dict[str, Any]:
    return {"e": "choice", "seat": seat, "do": do}


def dealt(punto: str, banca: str) -> list[dict[str, Any]]:
    """The first four cards in their order, as written: `dealt("2h 3d", "4s Ac")`."""
    p, b = punto.split(), banca.split()
    order = [("punto", p[0]), ("banca", b[0]), ("punto", p[1]), ("banca", b[1])]
    return [card(to, c) for to, c in order]


def card(to: str, card: str) -> dict[str, Any]:
    return {"e": "card", "to": to, "card": card}


def after(state: Any, *events: Any) -> Any:
    for event in events:
        state = BANKED.play(state, event)
    return state


PUNTO_WINS = dealt("9h Kd", "7s Kc")
BANCA_WINS = dealt("7h Kd", "9s Kc")
TIE = dealt("8h Kd", "8s Kc")


def settled(*events: Any, **changes: Any) -> Any:
    return BANKED.settle(after(start(**changes), *events))


def paid(settlement: Any) -> list[tuple[int, str, int, int]]:
    """(seat, spot, stake, won) in the order it is done."""
    return [(p.seat, p.spot, p.stake, p.won) for p in settlement.payouts]
