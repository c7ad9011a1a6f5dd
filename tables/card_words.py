"""Cards on a typed line, with blanks between them or without, and the one that is due."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from casino.kernel.errors import Refused
from shoes import cards
from shoes.cards import COVERED, FRENCH52, DeckType
from tables.games.base import Prompt


def run_together(token: str, deck: DeckType = FRENCH52) -> list[str] | None:
    """The cards of one word, blanks between them or not (`9dkh`, `10d`); None where it is no cards."""
    found: list[str] = []
    at = 0
    while at < len(token):
        if token[at] == "*":
            found.append(COVERED)
            at += 1
            continue
        for length in (3, 2, 1):
            try:
                face = cards.parse(token[at : at + length], deck)
            except Refused:
                continue
            found.append(face)
            at += length
            break
        else:
            return None
    return found or None


def due(prompts: Iterable[Prompt]) -> dict[str, Any] | None:
    """The card that is due first; with its face only where none can be read."""
    for prompt in prompts:
        dealt = [dict(event) for event in prompt.events if event["e"] == "card"]
        if dealt:
            return next((event for event in dealt if "card" not in event), dealt[0])
    return None
