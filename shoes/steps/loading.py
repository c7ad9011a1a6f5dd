"""The pack into its box: where the stop card (or separator) goes, or the machine that takes all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from shoes.steps import base
from shoes.steps.base import Field, Kind, Pack


@dataclass(frozen=True, slots=True)
class Load(Kind):
    """The stop card over the last cards, and the pack into its box."""

    stop_from_end: int
    rule: str
    fields: ClassVar = (
        Field(
            "stop_card_from_end",
            "number",
            Text("Cartas que quedan detrás de la carta", "Cards left behind the card"),
        ),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        given = base.number(data, "stop_card_from_end")
        if given != self.stop_from_end:
            raise RuleViolation(
                self.rule,
                Text(
                    f"la carta de detención va sobre las {self.stop_from_end} últimas; se indicó {given}",
                    f"the stop card goes over the last {self.stop_from_end}; {given} was given",
                ),
                {"wanted": self.stop_from_end, "given": given},
                code="stop_card_misplaced",
                field="stop_card_from_end",
            )
        return {"stop_card_from_end": given}


@dataclass(frozen=True, slots=True)
class LoadBetween(Kind):
    """The stop card (or separator) with no fewer and no more cards behind it, and the pack into its box.

    The most is `most` cards, or else `most_percent` of the pack and `tolerance` cards more.
    """

    rule: str
    least: int
    most: int = 0
    most_percent: int = 0
    tolerance: int = 0
    fields: ClassVar = Load.fields

    def most_in(self, pack: Pack) -> int:
        """The most cards that may lie behind the card."""
        return self.most or pack.cards * self.most_percent // 100 + self.tolerance

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        given, most = base.number(data, "stop_card_from_end"), self.most_in(pack)
        if not self.least <= given <= most:
            raise RuleViolation(
                self.rule,
                Text(
                    f"detrás de la carta quedan de {self.least} a {most} cartas; se indicó {given}",
                    f"{self.least} to {most} cards lie behind the card; {given} was given",
                ),
                {"least": self.least, "most": most, "given": given},
                code="stop_card_misplaced",
                field="stop_card_from_end",
            )
        return {"stop_card_from_end": given}


@dataclass(frozen=True, slots=True)
class LoadMachine(Kind):
    """All the cards into a machine that serves as shoe; the cut card stays out, so no card stops the shoe."""

    rule: str
    fields: ClassVar = (
        base.MACHINE,
        base.EMPTY_SHOWN,
        Field(
            "cut_card_aside",
            "tick",
            Text(
                "Entraron todas las cartas y la carta de corte quedó aparte",
                "All the cards went in and the cut card was set aside",
            ),
        ),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        told = base.machine(data, "CARD-46")
        base.require_tick(
            data,
            "cut_card_aside",
            self.rule,
            "cut_card_not_aside",
            Text(
                "meta todas las cartas en la máquina, deje aparte la carta de corte y márquelo",
                "put all the cards into the machine, set the cut card aside, and tick that you did",
            ),
        )
        return {**told, "cut_card_aside": True, "stop_card_from_end": 0}
