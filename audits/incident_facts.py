"""What an incident found, in words: each fact has a name in both languages, and its value is said as people
read it. Rooms name their facts at start-up; one without a name is shown by its key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audits import vocabulary
from casino.kernel.words import Text, same

_names: dict[str, tuple[Text, str]] = {}


def register_fact(key: str, name: Text, spec: str = "") -> None:
    """What a fact is called; `spec`: how its codes are said (`vocabulary.say_codes`)."""
    _names[key] = (name, spec)


def in_words(facts: Mapping[str, Any]) -> list[tuple[Text, Text]]:
    """Name and value of each fact, in the order they were given."""
    return [(_name(key), _value(value, _names.get(key, (None, ""))[1])) for key, value in facts.items()]


def _name(key: str) -> Text:
    return _names[key][0] if key in _names else same(key.replace("_", " "))


def _value(value: Any, spec: str = "") -> Text:
    if isinstance(value, bool):
        return Text("sí", "yes") if value else Text("no", "no")
    if isinstance(value, Mapping):
        return _of_several(value, spec)
    if isinstance(value, list | tuple):
        said = [_value(item, spec) for item in value]
        parts = "; " if any(isinstance(item, Mapping) for item in value) else ", "
        return Text(parts.join(t.es for t in said), parts.join(t.en for t in said)) if said else same("—")
    return vocabulary.said(value, spec)


def _of_several(value: Mapping[str, Any], spec: str) -> Text:
    """A value of several parts: a text, something with a name, or each part with its own name."""
    if set(value) == {"es", "en"}:
        return Text(str(value["es"]), str(value["en"]))
    for key in ("label", "name"):
        if key in value:
            return same(str(value[key]))
    said = [(_name(key), _value(part, _names.get(key, (None, spec))[1])) for key, part in value.items()]
    return Text(
        ", ".join(f"{name.es} {part.es}" for name, part in said),
        ", ".join(f"{name.en} {part.en}" for name, part in said),
    )


register_fact("withdrawn", Text("barajas retiradas", "decks withdrawn"))
register_fact("held", Text("barajas retenidas", "decks held"))
register_fact("table", Text("mesa", "table"))
register_fact("deck", Text("baraja", "deck"))
register_fact("decks", Text("barajas", "decks"))
register_fact("shoe", Text("sabot", "shoe"))
register_fact("session", Text("sesión", "session"))
register_fact("rounds", Text("pases", "rounds"))
register_fact("round", Text("pase", "round"))
register_fact("first", Text("desde el pase", "from round"))
register_fact("last", Text("hasta el pase", "to round"))
