"""Choices of a report's form out of bilingual words: said in the language of whoever looks, each time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language

from casino.kernel.words import Text


class Spoken:
    """A bilingual text where Django wants a label."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def __str__(self) -> str:
        said = self.text.say(get_language())
        return said[:1].upper() + said[1:]


def spoken(words: Mapping[str, Text], nothing: Any) -> list[tuple[str, Any]]:
    """The codes with their words, and `nothing` for no choice."""
    return [("", nothing), *((code, Spoken(text)) for code, text in words.items())]
