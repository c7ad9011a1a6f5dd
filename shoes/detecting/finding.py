"""What a detector answers, and how rarely chance alone may make it answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from casino.kernel.words import Text

ALARM = 1e-4
"""How often at most chance alone may raise a detector's alarm: once in 10,000 shoes (or assignments)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a well shuffled pack shows too rarely.

    `p`: an upper bound of the chance that a clean shoe shows the like at any time of its life (regularity:
    at one assignment). `facts` are JSON; `words` tell a pit boss what was seen and what to do.
    """

    detector: str
    p: float
    words: Text
    facts: Mapping[str, Any] = field(default_factory=dict)


def decimal(number: float, digits: int = 1) -> Text:
    """A number as each language writes it: `6,5` and `6.5`."""
    written = f"{number:.{digits}f}"
    return Text(written.replace(".", ","), written)
