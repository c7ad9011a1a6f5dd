"""Cards that were seen and then struck out of the log: what may no longer be decided, and what is flagged.

A card that left the shoe is known to the table even when its entry is undone. A decision about money taken
while such a card is missing from the log is flagged, and the dealer's card that closed insurance stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from casino.kernel.words import Text
from tables.games.base import Note
from tables.games.blackjack import hands as values
from tables.games.blackjack.state import BLACKJACK, EVEN, Draft

BEFORE_PLAY = ("insurance", "no_insurance", "even_money", "no_even_money")
"""Answers to what is offered when the dealer shows an ace, before anybody plays."""

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


def decided_after(log: Sequence[Mapping[str, Any]], undone: frozenset[int]) -> Iterator[Note]:
    """A note for each decision about money taken while a card that was seen stood struck out."""
    standing = most = 0
    for position, entry in enumerate(log, start=1):
        kind = entry["e"]
        if kind in ("card", "show"):
            standing += 1
            most = max(most, standing)
        elif kind == "undo" and log[entry["of"] - 1]["e"] in ("card", "show"):
            standing -= 1
        elif kind == "choice" and standing < most and position not in undone:
            rule = MONEY_RULES.get(entry["do"])
            if rule:
                yield Note("decided_after_struck_card", _DECIDED_AFTER.fill(position=position), rule)


_DECIDED_AFTER = Text(
    "registro {position}: decisión de dinero con una carta anulada y aún no vuelta a anotar; revísela",
    "entry {position}: decision about money while a card was struck out and not logged again; check it",
)


def reopens_the_offer(draft: Draft, entry: Mapping[str, Any]) -> bool:
    """Whether without this dealer's card insurance or even money would be open again (BJ-19, BJ-20).

    So it is where nobody has answered for some hand and no player had a turn: all have black jack, or the
    American dealer's look ended the round.
    """
    shown = entry["e"] == "show"
    if not (shown or entry.get("to") == "dealer") or not values.is_ace(draft.dealer[0]):
        return False
    if all(hand.answer for hand in draft.hands):
        return False
    if draft.rules.american:
        return shown and not draft.peeked
    return all(hand.status in (BLACKJACK, EVEN) for hand in draft.hands)
