"""How two shared hands ended, and the hands as they lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from casino.kernel.words import Text, same
from tables.games.baccarat import draws
from tables.games.baccarat.state import State
from tables.games.base import Hand


@dataclass(frozen=True, slots=True)
class TwoHands:
    """Totals and `natural` are None where the table does not log them."""

    winner: str
    punto: int | None
    banca: int | None
    natural: bool | None
    punto_cards: tuple[str, ...] = ()
    banca_cards: tuple[str, ...] = ()

    @property
    def hands(self) -> tuple[Hand, ...]:
        return (
            _hand("punto", self.punto_cards, self.punto, verdict_of("punto", self.winner)),
            _hand("banca", self.banca_cards, self.banca, verdict_of("banca", self.winner)),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "winner": self.winner,
            "punto": self.punto,
            "banca": self.banca,
            "natural": self.natural,
            "punto_cards": list(self.punto_cards),
            "banca_cards": list(self.banca_cards),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TwoHands:
        punto, banca = tuple(data["punto_cards"]), tuple(data["banca_cards"])
        return cls(data["winner"], data["punto"], data["banca"], data["natural"], punto, banca)


def verdict_of(hand: str, winner: str) -> str:
    """How a hand ended: win, lose, or push in a tie."""
    return "push" if winner == "tie" else "win" if winner == hand else "lose"


def hands_on(state: State) -> tuple[Hand, ...]:
    """Both hands as they lie now."""
    return (
        _hand("punto", state.punto, draws.points(state.punto_values) if state.punto else None),
        _hand("banca", state.banca, draws.points(state.banca_values) if state.banca else None),
    )


def _hand(name: str, cards: tuple[str, ...], points: int | None, verdict: str = "") -> Hand:
    worth: Text | None = None if points is None else same(str(points))
    return Hand(name, cards=cards, worth=worth, verdict=verdict)
