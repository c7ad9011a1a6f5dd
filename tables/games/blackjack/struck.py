"""Cards that were seen and then struck out of the log: what may no longer be decided, and what is flagged.

A card that left the shoe is known to the table even when its entry is undone. So insurance does not open
again after it, and a decision about money taken while such a card is missing from the log is flagged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from casino.kernel.words import Text
from tables.games.base import Note

MONEY_RULES: Mapping[str, str] = {
    "insurance": "BJ-21",
    "no_insurance": "BJ-20",
    "double": "BJ-27",
    "split": "BJ-24",
    "surrender": "BJ-29",
    "even_money": "BJ-19",
    "no_even_money": "BJ-19",
}
"""Decisions about money, and the rule each is taken under."""


def _cards_out(log: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, Mapping[str, Any], int, int]]:
    """Each entry with its position, the cards that stand in the log after it, and the most there ever were."""
    standing = most = 0
    for position, entry in enumerate(log, start=1):
        kind = entry["e"]
        if kind == "card":
            standing += 1
        elif kind == "undo" and log[entry["of"] - 1]["e"] == "card":
            standing -= 1
        most = max(most, standing)
        yield position, entry, standing, most


def seen_beyond(log: Sequence[Mapping[str, Any]], deal_length: int) -> bool:
    """Whether a card after the first deal was ever logged, or the hole card turned over (BJ-20)."""
    most = 0
    for _, entry, _, most in _cards_out(log):  # noqa: B007  the last one is asked below
        if entry["e"] == "show":
            return True
    return most > deal_length


def decided_after(log: Sequence[Mapping[str, Any]], undone: frozenset[int]) -> Iterator[Note]:
    """A note for each decision about money taken while a card that was seen stood struck out."""
    for position, entry, standing, most in _cards_out(log):
        if (
            entry["e"] == "choice"
            and entry["do"] in MONEY_RULES
            and standing < most
            and position not in undone
        ):
            yield Note(
                "decided_after_struck_card",
                Text(
                    f"registro {position}: decisión de dinero tomada con una carta anulada y no vuelta a anotar;"
                    " revísela",
                    f"entry {position}: decision about money taken while a card was struck out and not logged"
                    " again; check it",
                ),
                MONEY_RULES[entry["do"]],
            )
