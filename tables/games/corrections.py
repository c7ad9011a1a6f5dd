"""Undoing and noting: the two events every game's log treats alike.

A mistake in the log is struck out by a later event that names it and says why; nothing is ever
removed. An event can be struck out while the log without it still plays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from casino.kernel.errors import Refused
from casino.kernel.money import MAX_UNITS
from casino.kernel.words import Text
from shoes import cards
from tables.games import reading
from tables.games.base import Note

MOST_CORRECTIONS = 500
"""Undo and note events one round may hold: a round with more is not a round but a fault."""

CARD_ERRORS = frozenset({"exposed_card", "card_drawn_by_mistake"})
"""Notes of a card that left the shoe by mistake; the one they name under `card` is burned (CARD-41)."""

CARD_RULES: Mapping[str, str] = dict.fromkeys(CARD_ERRORS, "CARD-41")
"""The rule of each irregularity that breaks one in every game with cards."""

_CODE = re.compile(r"[a-z][a-z0-9_]{0,39}")
_UNDO_KEYS = frozenset({"e", "of", "why", "at", "by"})
_MOST_NOTE_KEYS = 20


def read_undo(
    event: Mapping[str, Any], log: Sequence[Mapping[str, Any]], undone: frozenset[int]
) -> dict[str, Any]:
    """The undo event in canonical form, or `Refused`. `of` counts the log from 1."""
    reading.known_keys(event, _UNDO_KEYS)
    _room_left(log)
    if not log:
        raise Refused(
            Text("todavía no hay nada que anular", "there is nothing to undo yet"),
            code="nothing_to_undo",
            field="of",
        )
    of = reading.integer(event.get("of"), "of", 1, len(log))
    why = reading.sentence(event.get("why"), "why")
    if log[of - 1]["e"] == "undo":
        raise Refused(
            Text(
                "una anulación no se anula: vuelva a registrar lo anulado",
                "an undo cannot be undone: log again what was struck out",
            ),
            code="undo_of_undo",
            field="of",
        )
    if of in undone:
        raise Refused(
            Text(f"el registro {of} ya está anulado", f"entry {of} is undone already"),
            code="already_undone",
            field="of",
        )
    return {"e": "undo", "of": of, "why": why}


def blocked(of: int, cause: Text) -> Refused:
    """The refusal when the log would not play without the entry."""
    return Refused(
        Text(
            f"no se puede anular el registro {of}: anule antes los posteriores ({cause.es})",
            f"entry {of} cannot be undone: undo the later ones first ({cause.en})",
        ),
        code="undo_blocked",
        field="of",
    )


def read_note(event: Mapping[str, Any], log: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The note in canonical form, or `Refused`: a code, and flat values that any JSON reader keeps.

    The `card` of one of `CARD_ERRORS` is a card, since the shoe's count burns it (CARD-41).
    """
    _room_left(log)
    code = event.get("code")
    if not isinstance(code, str) or not _CODE.fullmatch(code):
        raise reading.bad_type("code", Text("un código como exposed_card", "a code such as exposed_card"))
    clean: dict[str, Any] = {"e": "note", "code": str(code)}
    if len(event) > _MOST_NOTE_KEYS:
        raise reading.bad_type("note", Text("una nota con menos claves", "a note with fewer keys"))
    for key, value in event.items():
        if key in ("e", "code", "at", "by"):
            continue
        if not isinstance(key, str) or not _CODE.fullmatch(key):
            raise Refused(
                Text(f"clave desconocida «{reading.shown(key)}»", f"unknown key “{reading.shown(key)}”"),
                code="unknown_key",
                field="note",
            )
        clean[str(key)] = _flat(value, key)
    if code in CARD_ERRORS and "card" in clean:
        clean["card"] = _card(clean["card"])
    return clean


def irregularities(
    log: Sequence[Mapping[str, Any]], undone: frozenset[int], rules: Mapping[str, str] = CARD_RULES
) -> Iterator[Note]:
    """The notes a person made that were not struck out, each with the rule its code breaks."""
    for position, entry in enumerate(log, start=1):
        if entry["e"] == "note" and position not in undone:
            said = str(entry.get("text") or entry["code"])
            told = Text(f"irregularidad anotada: {said}", f"irregularity noted: {said}")
            yield Note(entry["code"], told, rules.get(entry["code"], ""))


def _card(written: object) -> str:
    """A card of any deck: which one is at the table, its shoe's count knows (CARD-42)."""
    for deck in cards.DECK_TYPES.values():
        try:
            return cards.parse(written, deck)
        except Refused:
            continue
    return cards.parse(written)


def _flat(value: object, key: str) -> object:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return reading.sentence(value, key)
    return reading.integer(value, key, -MAX_UNITS)


def _room_left(log: Sequence[Mapping[str, Any]]) -> None:
    if sum(1 for entry in log if entry["e"] in ("undo", "note")) >= MOST_CORRECTIONS:
        raise Refused(
            Text(
                "este pase tiene demasiadas correcciones: anúlelo y abra un incidente",
                "this round has too many corrections: void it and open an incident",
            ),
            code="too_many_corrections",
        )
