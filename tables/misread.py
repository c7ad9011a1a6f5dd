"""What is said of a line typed at a table that cannot be read, or that may be several things. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables import keys
from tables.games import reading

MOST_LISTED = 6


def ambiguous(word: str, codes: Sequence[str], words: Mapping[str, Text]) -> Refused:
    """The refusal of a word that is short for several of `words`: what to type for each."""
    short = keys.of(words)
    listed = [(short[code], words[code]) for code in codes[:MOST_LISTED] if code in words]
    return Refused(
        Text("«{word}» puede ser varias cosas; escriba {what}", "“{word}” may be several; type {what}").fill(
            word=reading.shown(word),
            what=_any_of(
                [f"{key} ({text.es})" for key, text in listed],
                [f"{key} ({text.en})" for key, text in listed],
            ),
        ),
        code="ambiguous",
        field="typed",
    )


def not_understood(typed: str, examples: Sequence[str]) -> Refused:
    """The refusal of what cannot be read: the word as typed, and examples of what is read now."""
    return Refused(
        Text(
            "«{typed}» no se entiende; escriba por ejemplo {how}",
            "“{typed}” is not understood; type for example {how}",
        ).fill(typed=reading.shown(typed), how=_any_of(examples, examples)),
        code="not_understood",
        field="typed",
    )


def _any_of(spanish: Sequence[str], english: Sequence[str]) -> Text:
    def said(words: Sequence[str], last: str) -> str:
        return last.join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words or ["Enter"])

    return Text(said(spanish, " o "), said(english, " or "))
