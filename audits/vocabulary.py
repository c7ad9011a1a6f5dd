"""The register of what can be on the trail: dotted names with a sentence in both languages.

Each room registers its actions once, in its `actions.py`, imported at start-up. An action nobody
registered cannot be recorded.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from string import Formatter
from typing import Any

from casino.kernel import money
from casino.kernel.words import Text

_NAME = re.compile(r"^[a-z]+\.[a-z_]+\.[a-z_]+$")
_registered: dict[str, Text] = {}


def register(name: str, es: str, en: str) -> str:
    """Register `app.noun.past_participle` with its sentence; `{keys}` come from the event's data."""
    if not _NAME.match(name):
        raise ValueError(f"{name} is not app.noun.past_participle")
    if name in _registered and _registered[name] != Text(es, en):
        raise ValueError(f"action {name} registered twice")
    _registered[name] = Text(es, en)
    return name


def is_registered(name: str) -> bool:
    return name in _registered


def registered() -> dict[str, Text]:
    return dict(_registered)


def sentence(action: str, subject: str, data: Mapping[str, Any], exponent: int = 2) -> Text:
    """What happened, in words; `{subject}` is the label of what it happened to, `{key:money}` an
    amount in smallest units. A key the event lacks is said as a dash."""
    words = _registered.get(action)
    if words is None:
        return Text(action, action)
    values = defaultdict(str, data, subject=subject)
    return Text(
        _Sentence("es", exponent).vformat(words.es, (), values),
        _Sentence("en", exponent).vformat(words.en, (), values),
    )


class _Sentence(Formatter):
    def __init__(self, language: str, exponent: int) -> None:
        self.language, self.exponent = language, exponent

    def format_field(self, value: Any, format_spec: str) -> str:
        if value is None or value == "" or value == []:
            return "—"
        if format_spec == "money" and isinstance(value, int):
            return money.readable(value, self.language, self.exponent)
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
