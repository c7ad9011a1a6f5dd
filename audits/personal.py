"""What an event says of a player without saying it in the chain: a commitment there, the value beside it.

A chain cannot forget: a name in its bytes stays as long as the chain does. So a write function gives
`Personal("Ana Poma")` where it would give the name; the body then holds

    "customer": {"personal": "<SHA-256 of salt ‖ value, hex>"}

and `PersonalValue` the salt and the value. As long as they are there, anybody holds the one to the other;
erased with the pseudonym of whom the event is about, the salt is gone and the commitment leads to nobody,
while every byte of the chain stays as it was hashed (REC-06, REC-12). Empty values are told as they are.

Events of before this was introduced keep what they say.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from audits import vocabulary
from audits.models import Event, PersonalValue
from audits.persons import naming
from casino.kernel.words import Text

KEY = "personal"
SALT_BYTES = 32


@dataclass(frozen=True, slots=True)
class Personal:
    """A text that names a player; for the top level of an event's data."""

    value: str


@dataclass(frozen=True, slots=True)
class Opening:
    path: str
    salt: bytes
    value: str


def commitment(salt: bytes, value: str) -> str:
    return hashlib.sha256(salt + value.encode()).hexdigest()


def sealed(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[Opening]]:
    """The data as it is hashed, and what opens its commitments."""
    public, openings = dict(data), []
    for path, given in data.items():
        if not isinstance(given, Personal):
            continue
        if not given.value:
            public[path] = ""
            continue
        opening = Opening(path, secrets.token_bytes(SALT_BYTES), given.value)
        public[path] = {KEY: commitment(opening.salt, opening.value)}
        openings.append(opening)
    return public, openings


def keep(event: Event, openings: Iterable[Opening]) -> None:
    """Store what opens the commitments of an event just recorded."""
    PersonalValue.objects.bulk_create(
        PersonalValue(casino_id=event.casino_id, event=event, path=one.path, salt=one.salt, value=one.value)
        for one in openings
    )


def shown(event: Event, data: Mapping[str, Any]) -> dict[str, Any]:
    """An event's data for its sentence: the values where they stand, or the pseudonym that took their place.

    Nothing is looked up where the sentence of its action names nobody, as in a list of receipts.
    """
    paths = [path for path, said in data.items() if isinstance(said, dict) and KEY in said]
    words = vocabulary.registered().get(event.action) if paths else None
    if words is None or not any(f"{{{path}" in words.es for path in paths):
        return dict(data)
    merged = dict(data)
    if event.subject_id is not None:
        naming.note((event.subject_type, event.subject_id))
    for kept in event.personal.select_related("pseudonym"):
        merged[kept.path] = kept.pseudonym.code if kept.pseudonym else kept.value
    return merged


def sentence(event: Event, exponent: int = 2) -> Text:
    """What happened, in words, for whoever reads events: names where they stand, or pseudonyms."""
    data = shown(event, json.loads(bytes(event.body))["data"])
    return vocabulary.sentence(event.action, event.subject_label, data, exponent)


def is_told(event_id: str, data: str, path: str, column: str) -> str:
    """That `column` is what an event's data says under `path`, as SQL for a proof: plain as before, or
    through its commitment; of a value that was erased, that the column is the pseudonym.

    `event_id` and `data`: the event's id and data (jsonb) as SQL.
    """
    said = f"{data} -> '{path}'"
    return (
        f"CASE coalesce(jsonb_typeof({said}), '') WHEN 'object' THEN EXISTS (SELECT 1"  # noqa: S608
        " FROM audits_personalvalue opens"
        " LEFT JOIN audits_pseudonym stands ON stands.id = opens.pseudonym_id"
        f" WHERE opens.event_id = {event_id} AND opens.path = '{path}'"
        f" AND {column} = coalesce(stands.code, opens.value))"
        f" ELSE coalesce({data} ->> '{path}', '') = {column} END"
    )


def is_told_whole(event: str, path: str, column: str) -> str:
    """That `column` is what an event's `data` commits to beside what it shows masked under `path`, as SQL for
    a proof; of events of before, which show it masked alone, that is not known."""
    whole = f"{path}_whole"
    return f"(NOT {event}.data ? '{whole}' OR {is_told(f'{event}.id', f'{event}.data', whole, column)})"


def pseudonym_of(kind: str, subject: str, casino: str = "%(casino)s") -> str:
    """The pseudonym of a thing, as SQL for a proof: NULL where it has none."""
    return (
        f"(SELECT q.code FROM audits_pseudonym q WHERE q.casino_id = {casino} AND q.kind = '{kind}'"  # noqa: S608
        f" AND q.subject_id = {subject})"
    )
