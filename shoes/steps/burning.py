"""Cards burned before play: always so many, or as many as the first one says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from shoes import cards
from shoes.points import points_of
from shoes.steps import base
from shoes.steps.base import Field, Kind, Pack


@dataclass(frozen=True, slots=True)
class Burn(Kind):
    """So many cards burned face down, always the same number."""

    rule: str
    cards: int
    fields: ClassVar = (Field("burned", "number", Text("Cartas quemadas", "Cards burned")),)

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        burned = base.number(data, "burned")
        if burned != self.cards:
            raise RuleViolation(
                self.rule,
                Text(
                    f"en este juego se queman {self.cards}; se indicó {burned}",
                    f"in this game {self.cards} are burned; {burned} was given",
                ),
                {"wanted": self.cards, "given": burned},
                code="burn_count_wrong",
                field="burned",
            )
        return {"burned": burned, "known": [], "out": burned}


@dataclass(frozen=True, slots=True)
class BurnByValue(Kind):
    """The first card is turned and as many are burned as its value, courts and tens counting ten."""

    rule: str
    court_value: int = 10
    fields: ClassVar = (
        Field("card", "card", Text("Carta descubierta", "Card turned")),
        Field("burned", "number", Text("Cartas quemadas", "Cards burned")),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        kind = cards.deck_type(pack.deck_type)
        card = cards.parse(data.get("card"), kind)
        if cards.is_value_card(card):
            raise base.bad(
                "card",
                "indique valor y palo de la carta descubierta",
                "give rank and suit of the card turned",
            )
        wanted = points_of(card) or self.court_value
        burned = base.number(data, "burned")
        if burned != wanted:
            name = cards.name(card, kind)
            raise RuleViolation(
                self.rule,
                Text(
                    f"con {name.es} se queman {wanted}; se indicó {burned}",
                    f"with the {name.en}, {wanted} are burned; {burned} was given",
                ),
                {"card": card, "wanted": wanted, "given": burned},
                code="burn_count_wrong",
                field="burned",
            )
        # The turned card does not go back: it leaves the shoe with the ones burned for it.
        return {"card": card, "burned": burned, "known": [card], "out": burned + 1}
