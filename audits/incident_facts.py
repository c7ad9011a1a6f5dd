"""What an incident found, in words: each fact has a name in both languages, and its value is said as people
read it. Rooms name their facts at start-up; one without a name is shown by its key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from audits import vocabulary
from audits.models import Incident
from casino.kernel.words import Text, same

_names: dict[str, tuple[Text, str]] = {}


def register_fact(key: str, name: Text, spec: str = "") -> None:
    """What a fact is called; `spec`: how its codes are said (`vocabulary.say_codes`)."""
    _names[key] = (name, spec)


Further = Callable[[Incident], Mapping[str, Any]]
_further: list[Further] = []


def register_further(facts: Further) -> None:
    """What a room knows of an incident beyond what was found when it was opened: facts by key."""
    _further.append(facts)


def of(incident: Incident) -> list[tuple[Text, Text]]:
    """Everything known of an incident, in words: what was found, and what rooms found out since."""
    since = {key: value for further in _further for key, value in further(incident).items()}
    return in_words({**incident.facts, **since})


def in_words(facts: Mapping[str, Any]) -> list[tuple[Text, Text]]:
    """Name and value of each fact that says something."""
    return [(_name(key), _value(value, _spec(key))) for key, value in _told(facts)]


def _told(facts: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """What says something, in the order the names were registered: JSON in the database keeps none."""
    order = {key: place for place, key in enumerate(_names)}
    said = [(key, value) for key, value in facts.items() if value not in (None, "", [], {})]
    return sorted(said, key=lambda fact: (order.get(fact[0], len(order)), fact[0]))


def _spec(key: str) -> str:
    return _names[key][1] if key in _names else ""


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
        return Text(parts.join(t.es for t in said), parts.join(t.en for t in said))
    return vocabulary.said(value, spec)


def _of_several(value: Mapping[str, Any], spec: str) -> Text:
    """A value of several parts: a text, something with a name, or each part with its own name."""
    if set(value) == {"es", "en"}:
        return Text(str(value["es"]), str(value["en"]))
    for key in ("label", "name"):
        if key in value:
            return same(str(value[key]))
    said = [(_name(key), _value(part, _spec(key) or spec)) for key, part in _told(value)]
    return Text(
        ", ".join(f"{name.es} {part.es}" for name, part in said),
        ", ".join(f"{name.en} {part.en}" for name, part in said),
    )


for _key, _es, _en in (
    ("table", "mesa", "table"),
    ("session", "sesión", "session"),
    ("round", "pase", "round"),
    ("shoe", "sabot", "shoe"),
    ("deck", "baraja", "deck"),
    ("decks", "barajas", "decks"),
    ("withdrawn", "barajas retiradas", "decks withdrawn"),
    ("held", "barajas retenidas", "decks held"),
    ("rounds", "pases", "rounds"),
    ("first", "desde el pase", "from round"),
    ("last", "hasta el pase", "to round"),
):
    register_fact(_key, Text(_es, _en))
