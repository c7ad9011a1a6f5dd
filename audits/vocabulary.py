"""The register of what can be on the trail: dotted names with a sentence in both languages.

Each room registers its actions once, in its `actions.py`, imported at start-up. An action nobody
registered cannot be recorded.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any

from casino.kernel import money
from casino.kernel.words import Text

_NAME = re.compile(r"^[a-z]+\.[a-z_]+\.[a-z_]+$")
_PLACE = re.compile(r"\{[^}]*\}")
_registered: dict[str, Text] = {}
_kinds: dict[str, Text] = {}
_codes: dict[str, Callable[[Any], Text]] = {}
_optional: set[str] = set()


def register(name: str, es: str, en: str, *, kind: Text | None = None) -> str:
    """Register `app.noun.past_participle` with its sentence; `{keys}` come from the event's data.

    `kind`: what such events are called in a list, where the sentence without its data does not tell.
    """
    if not _NAME.match(name):
        raise ValueError(f"{name} is not app.noun.past_participle")
    if name in _registered and _registered[name] != Text(es, en):
        raise ValueError(f"action {name} registered twice")
    _registered[name] = Text(es, en)
    _kinds[name] = kind or Text(_without_places(es), _without_places(en))
    return name


_LITTLE = (
    "a|al|con|de|del|desde|el|en|la|las|lo|los|o|por|según|sobre|su|un|una|y|"
    "an|and|at|by|for|from|in|of|on|or|over|the|to|under|was|were|with"
)
_EMPTY = (
    (re.compile(r"\s*[(«“]…[)»”]"), " …"),
    (re.compile(r"^(?:…+[:,;]?\s*)+"), ""),
    # A part that says nothing but what the data would have, with the word or two that lead to it.
    (re.compile(r"[,:;]\s*(?:[\w-]+\s+){0,2}(?:…\s*)+(?=$|[,:;])"), ""),
    (re.compile(rf"(?:\s+(?:{_LITTLE}))*(?:\s+…+)+(?=$|[,:;])"), ""),
    (re.compile(r"\s+([,:;])"), r"\1"),
    (re.compile(r"\s+"), " "),
)


def _without_places(sentence: str) -> str:
    """A sentence as a name of its kind: without the places its data would fill, at its ends and in parts of
    their own; within it each stays as a gap. Whole where hardly a word would be left."""
    gaps = _PLACE.sub("…", sentence)
    said = gaps
    for _round in range(2):
        for pattern, instead in _EMPTY:
            said = pattern.sub(instead, said)
    said = said.strip(" ,:;")
    return said if len(said.replace("…", "").split()) > 1 else gaps


def say_codes(spec: str, words: Callable[[Any], Text], *, optional: bool = False) -> None:
    """How a sentence says a code that the data holds: `{post:post}` is what `words` makes of it.

    `optional`: where the data lacks it the sentence says nothing there, instead of a dash.
    """
    _codes[spec] = words
    if optional:
        _optional.add(spec)


def is_registered(name: str) -> bool:
    return name in _registered


def registered() -> dict[str, Text]:
    return dict(_registered)


def kinds() -> dict[str, Text]:
    """What each action is called, by its name."""
    return dict(_kinds)


def sentence(action: str, subject: str, data: Mapping[str, Any], exponent: int = 2) -> Text:
    """What happened, in words; `{subject}` is the label of what it happened to, `{key:money}` an
    amount in smallest units, `{key:spec}` a code of `say_codes()`. A key it lacks is said as a dash."""
    words = _registered.get(action)
    if words is None:
        return Text(action, action)
    values = defaultdict(str, data, subject=subject)
    return Text(
        _Sentence("es", exponent).vformat(words.es, (), values),
        _Sentence("en", exponent).vformat(words.en, (), values),
    )


def said(value: Any, spec: str = "", exponent: int = 2) -> Text:
    """One value as a sentence says it."""
    return Text(
        _Sentence("es", exponent).format_field(value, spec),
        _Sentence("en", exponent).format_field(value, spec),
    )


class _Sentence(Formatter):
    def __init__(self, language: str, exponent: int) -> None:
        self.language, self.exponent = language, exponent

    def format_field(self, value: Any, format_spec: str) -> str:
        if value is None or value == "" or value == []:
            return "" if format_spec in _optional else "—"
        if format_spec == "money" and isinstance(value, int):
            return money.readable(value, self.language, self.exponent)
        items = value if isinstance(value, list) else [value]
        return ", ".join(self._word(item, format_spec) for item in items)

    def _word(self, item: Any, spec: str) -> str:
        if isinstance(item, dict) and "personal" in item:  # a commitment nobody opened (audits.personal)
            return "•••"
        return _codes[spec](item).say(self.language) if spec in _codes else str(item)
