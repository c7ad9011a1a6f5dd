"""The house's own figures for its floor: what the book gives a default and leaves to the operator to confirm.

One row a house, kept with its history. Whoever needs a figure asks `settings_of`; nobody else reads the row.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from audits import trail
from audits.by import By
from audits.history import save_version
from casino.kernel import locking, texts
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text, same
from casino.models import Casino
from tables import policies
from tables.games import registry
from tables.models import FloorSettings

IjBase = FloorSettings.IjBase

FAMILIES: Mapping[str, Text] = MappingProxyType(
    {
        "baccarat": Text("punto y banca", "baccarat"),
        "blackjack": Text("black jack", "blackjack"),
        "trente": Text("treinta y cuarenta", "trente et quarante"),
        "poker_house": Text("póker contra la casa", "poker against the house"),
        "poker_ring": Text("póker de círculo", "ring poker"),
        "roulette": Text("ruleta", "roulette"),
        "siete": Text("siete y medio", "siete y medio"),
    }
)
"""Categories of games, in words (FLOOR-17)."""

MOST_MINUTES = 1_440
FIGURES = (
    "minimum_operation",
    "max_minutes_on_table",
    "min_break_minutes",
    "max_minutes_same_table",
    "night_from",
    "night_to",
    "rest_after_night_minutes",
    "ij_base",
    "ij_document",
    "min_funds",
)
_MINUTES = (
    ("max_minutes_on_table", 1),
    ("min_break_minutes", 1),
    ("max_minutes_same_table", 1),
    ("rest_after_night_minutes", 0),
)


def families() -> tuple[str, ...]:
    """The categories of games this house's engine can deal."""
    return tuple(dict.fromkeys(game.family for game in registry.GAMES.values() if game.family in FAMILIES))


def family_name(code: str) -> Text:
    return FAMILIES.get(code, same(code))


def settings_of(casino: Casino) -> FloorSettings:
    """The house's figures; the book's own, in a row not stored, where it has set none."""
    return FloorSettings.objects.filter(casino=casino).first() or FloorSettings(casino=casino)


@command(policies.SET_FLOOR, setting=True)
def set_floor(*, figures: Mapping[str, Any], by: By) -> FloorSettings:
    """Set figures of the floor, by their names in `FIGURES`; those left out stay. Needs a reason.

    `minimum_operation`: families of games that must run each day, none to leave that unwatched (FLOOR-17).
    Minutes as whole numbers; `max_minutes_same_table` None: no limit. `night_from`, `night_to`: `time`s,
    local. `ij_base`: empty, or one of `IjBase` with the `ij_document` that fixes it (REC-02). `min_funds`:
    smallest units (FLOOR-15). Raises `Refused` (`bad_floor_settings`) with the field.
    """
    locking.taking(locking.Rank.CASINO)
    Casino.objects.select_for_update(no_key=True).get(pk=by.casino.pk)
    stored = settings_of(by.casino)
    given = {name: getattr(stored, name) for name in FIGURES} | dict(figures)
    given["minimum_operation"] = sorted(set(given["minimum_operation"]))
    given["ij_document"] = texts.line(
        given["ij_document"], "ij_document", 120, code="bad_floor_settings", least=0
    )
    for name in ("night_from", "night_to"):
        given[name] = given[name].replace(second=0, microsecond=0, tzinfo=None)
    _check(given)
    for name, value in given.items():
        setattr(stored, name, value)
    save_version(stored, by=by)
    trail.record(
        "tables.floor.set",
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("floor", stored.pk, by.casino.name),
        by=by,
        data=told(stored),
        rules=["FLOOR-03", "FLOOR-15", "FLOOR-17"],
    )
    return stored


def told(stored: FloorSettings) -> dict[str, Any]:
    """The figures as the trail keeps them: hours as HH:MM."""
    found = {name: getattr(stored, name) for name in FIGURES}
    return found | {name: f"{found[name]:%H:%M}" for name in ("night_from", "night_to")}


def _check(given: Mapping[str, Any]) -> None:
    if set(given) != set(FIGURES):
        raise TypeError(f"no such figures: {sorted(set(given) - set(FIGURES))}")
    unknown = set(given["minimum_operation"]) - set(families())
    if unknown:
        code = sorted(unknown)[0]
        raise _refused(
            "minimum_operation",
            f"la casa no tiene la categoría «{code}»; elija de la lista",
            f"the house has no category “{code}”; choose from the list",
            "FLOOR-17",
        )
    for name, least in _MINUTES:
        value = given[name]
        if value is not None and not least <= value <= MOST_MINUTES:
            raise _refused(
                name,
                f"indique minutos, de {least} a {MOST_MINUTES}",
                f"state minutes, {least} to {MOST_MINUTES}",
                "FLOOR-03",
            )
    if given["ij_base"] not in set(IjBase.values):
        raise _refused("ij_base", "elija una base de la lista", "choose a base from the list", "REC-02")
    if given["ij_base"] and not given["ij_document"]:
        raise _refused(
            "ij_document",
            "nombre el documento que fija la base del impuesto",
            "name the document that fixes the base of the tax",
            "REC-02",
        )
    if not 0 <= given["min_funds"] < 10**15:
        raise _refused(
            "min_funds", "los fondos mínimos no son negativos", "minimum funds are not negative", "FLOOR-15"
        )


def _refused(field: str, es: str, en: str, rule: str) -> Refused:
    return Refused(Text(es, en), code="bad_floor_settings", rule=rule, field=field)
