"""Decks that join the pack, and decks that leave it before it is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from shoes.steps import base
from shoes.steps.base import Field, Kind, Pack

REASON_LENGTH = 200


@dataclass(frozen=True, slots=True)
class AddDecks(Kind):
    """Inspected decks join the pack until it has as many as it must."""

    rule: str
    fields: ClassVar = (
        Field("serials", "serials", Text("Series de las barajas", "Serial numbers of the decks")),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        serials = base.serials(data, "serials")
        if pack.decks + len(serials) > pack.decks_wanted:
            raise RuleViolation(
                self.rule,
                Text(
                    f"el sabot lleva {pack.decks_wanted} barajas: tiene {pack.decks} y llegan {len(serials)}",
                    f"the shoe takes {pack.decks_wanted} decks: it has {pack.decks} and {len(serials)} come",
                ),
                {"wanted": pack.decks_wanted, "has": pack.decks, "added": len(serials)},
                code="too_many_decks",
                field="serials",
            )
        return {"serials": serials}

    def enough(self, pack: Pack, times: int) -> bool:
        return pack.decks == pack.decks_wanted


@dataclass(frozen=True, slots=True)
class Remove(Kind):
    """Decks leave the pack: a fault was found, or they should never have joined it."""

    fields: ClassVar = (
        Field("removed", "serials", Text("Series que salen", "Serial numbers that leave")),
        Field("why", "text", Text("Motivo", "Reason")),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        removed = base.serials(data, "removed")
        return {"removed": removed, "why": base.text(data, "why", REASON_LENGTH)}
