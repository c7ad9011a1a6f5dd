"""What is written on things for a scanner to read: the code of a deck, a shoe, a box or a machine.

A code is a letter, a colon and what the thing is called: `B:N000123`, `S:S-000041`, `E:BM-1`. A scanner types
it like a keyboard; a person may type the name alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import segno

DECK, SHOE, DEVICE = "B", "S", "E"
KINDS = (DECK, SHOE, DEVICE)
MOST_READ = 60
_ERROR_CORRECTION = "m"


@dataclass(frozen=True, slots=True)
class Code:
    """What was read. `kind` is empty where only a name was typed."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.kind else self.name


def read(typed: str) -> Code:
    """A code as a scanner or a person typed it; capitals and spaces do not matter to its kind."""
    given = " ".join(typed.split())[:MOST_READ]
    kind, colon, name = given.partition(":")
    if colon and kind.strip().upper() in KINDS:
        return Code(kind.strip().upper(), name.strip())
    return Code("", given)


def serial(typed: str) -> str:
    """The serial number somebody scanned or typed for a deck, without what the label puts before it."""
    code = read(typed)
    return code.name if code.kind in (DECK, "") else str(code)


def device(typed: str) -> str:
    """The number of a box or machine, as `serial` does for a deck."""
    code = read(typed)
    return code.name if code.kind in (DEVICE, "") else str(code)


@lru_cache(maxsize=512)
def svg(text: str) -> str:
    """The QR symbol of a text, as an SVG to be put into a page; it scales with the box it stands in."""
    symbol = segno.make(text, error=_ERROR_CORRECTION, micro=False)
    return symbol.svg_inline(omitsize=True, border=2, dark="#000", light="#fff")
