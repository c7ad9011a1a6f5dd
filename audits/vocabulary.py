"""The register of what can be on the trail: dotted names with a sentence in both languages.

Each room registers its actions once, in its `actions.py`, imported at start-up. An action nobody
registered cannot be recorded.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

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


def sentence(action: str, subject: str, data: Mapping[str, Any]) -> Text:
    """What happened, in words; `{subject}` is the label of what it happened to."""
    words = _registered.get(action)
    if words is None:
        return Text(action, action)
    values = defaultdict(lambda: "—", {k: _shown(v) for k, v in data.items()}, subject=subject)
    return Text(words.es.format_map(values), words.en.format_map(values))


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value) or "—"
    return str(value)
