"""The wash, the shuffle by hand or by machine, and the look of a chief at what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from shoes.steps import base
from shoes.steps.base import Field, Kind, Pack

SEQUENCE_LENGTH = 120
SUGGESTED = (3, 1, 2)
"""CARD-17: shuffles, strips, final shuffles."""


@dataclass(frozen=True, slots=True)
class Times(Kind):
    """A step done so many times at least (a chemin wash)."""

    at_least: int = 1

    def enough(self, pack: Pack, times: int) -> bool:
        return times >= self.at_least


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle(Times):
    """A normal shuffle of one of the kinds the rule allows."""

    rule: str
    kinds: tuple[str, ...] = ("double", "triple")
    fields: ClassVar = (
        Field(
            "kind",
            "choice",
            Text("Barajado", "Shuffle"),
            (("double", Text("doble", "double")), ("triple", Text("triple", "triple"))),
        ),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        kind = data.get("kind")
        if kind not in self.kinds:
            raise RuleViolation(
                self.rule,
                Text("el barajado normal es doble o triple", "the normal shuffle is double or triple"),
                {"allowed": list(self.kinds)},
                code="shuffle_not_allowed",
                field="kind",
            )
        return {"kind": kind}


_BY_MACHINE = ("kind", ("machine",))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleByHand(Times):
    """The shuffle that is suggested, another one (observed, not refused), or a machine's.

    `suggested`: the rule that suggests a sequence, so that another one is flagged; none suggests none.
    `machine_rule`: the rule that wants the machine noted.
    """

    suggested: str = ""
    machine_rule: str = "CARD-46"
    fields: ClassVar = (
        Field(
            "kind",
            "choice",
            Text("Barajado", "Shuffle"),
            (
                (
                    "suggested",
                    Text(
                        "{} barajados, {} peinado, {} barajados".format(*SUGGESTED),
                        "{} shuffles, {} strip, {} shuffles".format(*SUGGESTED),
                    ),
                ),
                ("other", Text("otra secuencia", "another sequence")),
                ("machine", Text("máquina electromecánica", "electromechanical machine")),
            ),
        ),
        Field(
            "sequence",
            "text",
            Text("Secuencia que se hizo", "Sequence that was done"),
            when=("kind", ("other",)),
        ),
        Field(base.MACHINE.name, base.MACHINE.kind, base.MACHINE.words, when=_BY_MACHINE),
        Field(base.EMPTY_SHOWN.name, base.EMPTY_SHOWN.kind, base.EMPTY_SHOWN.words, when=_BY_MACHINE),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        kind = base.choice(data, self.fields[0])
        told: dict[str, Any] = {"kind": kind}
        if kind == "machine":
            told |= base.machine(data, self.machine_rule)
        if kind == "other":
            told["sequence"] = base.text(data, "sequence", SEQUENCE_LENGTH)
        # CARD-17 flags, it does not refuse: which sequence it was is signed with the step.
        return told | {"flagged": bool(self.suggested) and kind == "other"}


@dataclass(frozen=True, slots=True)
class Check(Kind):
    """A chief says whether sequences are left; if some are, the pack goes back to be shuffled."""

    shuffle: str = "shuffle"
    fields: ClassVar = (
        Field(
            "sequences",
            "choice",
            Text("Comprobación", "Check"),
            (
                ("none", Text("no queda ninguna secuencia", "no sequence is left")),
                ("found", Text("quedan secuencias: se baraja otra vez", "sequences are left: shuffle again")),
            ),
        ),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"sequences": base.choice(data, self.fields[0])}

    def back_to(self, data: Mapping[str, Any]) -> str:
        return self.shuffle if data.get("sequences") == "found" else ""
