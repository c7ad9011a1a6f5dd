"""The rulebook as the house keeps it: every rule by id, the catalogue of games, the pay tables.

Read once from `casino/rulebook/*.toml`. Screens show a rule from here, tests compare what the
engines do with what is written here. The engines themselves never read it: a round settled years
ago must not change because a sentence did.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from casino.kernel.errors import NotFound
from casino.kernel.words import Text

FOLDER = Path(__file__).resolve().parent.parent / "rulebook"

ENFORCED: Mapping[str, Text] = MappingProxyType(
    {
        "refuse": Text("lo impide", "refuses it"),
        "flag": Text("lo observa", "flags it"),
        "prompt": Text("lo indica", "prompts it"),
        "record": Text("lo registra", "records it"),
    }
)
"""What Sabot does with a rule, by `Rule.enforce`."""

SOURCES: Mapping[str, Text] = MappingProxyType(
    {
        "aj": Text("Clasificador de la AJ", "AJ Classifier"),
        "seed": Text("documento de la casa", "house document"),
        "comparable": Text("norma comparable de otro país", "comparable rule of another country"),
        "practice": Text("práctica del oficio", "trade practice"),
    }
)

PHASES: Mapping[str, Text] = MappingProxyType(
    {
        "file": Text("habilitación", "filing"),
        "staff": Text("dotación", "staffing"),
        "seat": Text("asientos", "seating"),
        "inspect": Text("inspección", "inspection"),
        "shuffle": Text("barajado", "shuffle"),
        "cut": Text("corte", "cut"),
        "burn": Text("quema", "burn"),
        "bet": Text("apuestas", "betting"),
        "deal": Text("reparto", "dealing"),
        "decide": Text("decisiones", "decisions"),
        "settle": Text("liquidación", "settlement"),
        "collect": Text("recogida", "collection"),
        "discard": Text("descarte", "discard"),
        "bank": Text("banco", "bank"),
        "pool": Text("pozo", "pool"),
        "money": Text("dinero", "money"),
        "report": Text("registro", "record keeping"),
    }
)
"""When a rule speaks, by `Rule.phase`."""

KINDS: Mapping[str, Text] = MappingProxyType(
    {
        "parameter": Text("parámetro", "parameter"),
        "procedure": Text("procedimiento", "procedure"),
        "settlement": Text("liquidación", "settlement"),
        "prohibition": Text("prohibición", "prohibition"),
        "record": Text("registro", "record"),
        "role": Text("función", "role"),
        "approval": Text("aprobación", "approval"),
    }
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `source`: aj, seed, comparable or practice; `confirm`: the AJ text lacks the value.

    `games` is `("*",)` for a rule that holds everywhere; `params` are its numbers (integers,
    strings, lists); `conflict` tells, in Spanish, where sources disagree and what was chosen.
    """

    id: str
    title: Text
    text: Text
    games: tuple[str, ...]
    phase: str
    kind: str
    enforce: str
    source: str
    ref: str
    params: Mapping[str, Any]
    confirm: bool
    conflict: str

    def holds_for(self, game: str) -> bool:
        return self.games == ("*",) or game in self.games


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game of the catalogue. `aj_status`: official or non-official (GEN-01)."""

    code: str
    name: Text
    aj_status: str
    family: str
    deck: str
    decks_default: int
    decks_allowed: tuple[int, ...]
    seats_default: int
    seats_max: int
    players_to_start: int
    staff: tuple[Mapping[str, Any], ...]
    bank: str
    side_bets: tuple[str, ...]
    progressive_allowed: bool
    paytables: tuple[str, ...]
    rulebook: tuple[str, ...]
    detail: tuple[str, ...]
    notes: Text | None


@dataclass(frozen=True, slots=True)
class PayTable:
    """A pay table: `rows` of `hand` and `pays`; `data` holds every key as written in the file.

    `live` is false where the book says that it must not be operated live as it stands.
    """

    id: str
    games: tuple[str, ...]
    bet: str
    source: str
    confirm: bool
    default: bool
    live: bool
    order: str
    rows: tuple[Mapping[str, Any], ...]
    notes: Text | None
    data: Mapping[str, Any]


def _text(value: Mapping[str, str] | None) -> Text | None:
    return Text(value["es"], value["en"]) if value else None


def _rule(data: Mapping[str, Any]) -> Rule:
    return Rule(
        id=data["id"],
        title=Text(**data["title"]),
        text=Text(**data["text"]),
        games=tuple(data["games"]),
        phase=data["phase"],
        kind=data["kind"],
        enforce=data["enforce"],
        source=data["source"],
        ref=data["ref"],
        params=MappingProxyType(data.get("params", {})),
        confirm=data.get("confirm", False),
        conflict=data.get("conflict", ""),
    )


def _game(data: Mapping[str, Any]) -> GameEntry:
    seats, decks = data["seats"], data["decks"]
    return GameEntry(
        code=data["code"],
        name=Text(**data["name"]),
        aj_status=data["aj_status"],
        family=data["family"],
        deck=data["deck"],
        decks_default=decks["default"],
        decks_allowed=tuple(decks["allowed"]),
        seats_default=seats["default"],
        seats_max=seats["max"],
        players_to_start=seats["players_to_start"],
        staff=tuple(MappingProxyType(post) for post in data["staff"]),
        bank=data["bank"],
        side_bets=tuple(data["side_bets"]),
        progressive_allowed=data["progressive_allowed"],
        paytables=tuple(data["paytables"]),
        rulebook=(data["rulebook"], *data.get("also", ())),
        detail=tuple(data["detail"]),
        notes=_text(data.get("notes")),
    )


def _paytable(data: Mapping[str, Any]) -> PayTable:
    return PayTable(
        id=data["id"],
        games=tuple(data["game"]),
        bet=data["bet"],
        source=data["source"],
        confirm=data.get("confirm", False),
        default=data["default"],
        live=data.get("live", True),
        order=data["order"],
        rows=tuple(MappingProxyType(row) for row in data["rows"]),
        notes=_text(data.get("notes")),
        data=MappingProxyType(dict(data)),
    )


@dataclass(frozen=True, slots=True)
class _Book:
    rules: Mapping[str, Rule]
    games: Mapping[str, GameEntry]
    paytables: Mapping[str, PayTable]


@lru_cache(maxsize=1)
def _book() -> _Book:
    rules: dict[str, Rule] = {}
    games: dict[str, GameEntry] = {}
    paytables: dict[str, PayTable] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        with path.open("rb") as file:
            document = tomllib.load(file)
        for data in document.get("rule", ()):
            if data["id"] in rules:
                raise ValueError(f"rule {data['id']} is written twice")
            rules[data["id"]] = _rule(data)
        for data in document.get("game", ()):
            games[data["code"]] = _game(data)
        for data in document.get("paytable", ()):
            paytables[data["id"]] = _paytable(data)
    return _Book(MappingProxyType(rules), MappingProxyType(games), MappingProxyType(paytables))


def rules() -> Mapping[str, Rule]:
    """Every rule by id, in the order of the files."""
    return _book().rules


def rule(rule_id: str) -> Rule:
    """One rule. Raises `NotFound` (code `unknown_rule`)."""
    try:
        return _book().rules[rule_id]
    except KeyError:
        raise NotFound(
            Text(f"no hay regla {rule_id[:24]} en el reglamento", f"no rule {rule_id[:24]} in the rulebook"),
            code="unknown_rule",
        ) from None


def rules_of(game: str) -> tuple[Rule, ...]:
    """The rules that hold for a game, its own and the general ones."""
    return tuple(entry for entry in _book().rules.values() if entry.holds_for(game))


def games() -> Mapping[str, GameEntry]:
    """The catalogue of games by code."""
    return _book().games


def game(code: str) -> GameEntry:
    """One entry of the catalogue. Raises `NotFound` (code `unknown_game`)."""
    try:
        return _book().games[code]
    except KeyError:
        raise NotFound(
            Text(f"no hay juego {code[:40]} en el catálogo", f"no game {code[:40]} in the catalogue"),
            code="unknown_game",
        ) from None


def paytables() -> Mapping[str, PayTable]:
    """Every pay table by id."""
    return _book().paytables
