"""Which column is which. Names are compared without case, accents, spaces or signs.

Columns nobody needs are ignored and their order is free. What must be there: the six cards (a third
card is an empty cell where none was drawn), and the announced result or both totals, because a file
that announces nothing cannot be checked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables.importing.source import DELIMITERS, cells, unusable

HANDS = ("punto", "banca")
CARDS = tuple(f"{hand}{place}" for hand in HANDS for place in (1, 2, 3))
TOTALS = ("punto_total", "banca_total")

_SIDES: Mapping[str, tuple[str, ...]] = {
    "punto": ("p", "punto", "player", "jugador"),
    "banca": ("b", "banca", "banco", "banker", "bank"),
}


def _card_names(side: str, place: int) -> list[str]:
    patterns = (
        "{s}{n}",
        "{s}card{n}",
        "{s}carta{n}",
        "card{s}{n}",
        "carta{s}{n}",
        "{s}card{s}{n}",
        "{s}c{n}",
    )
    return [pattern.format(s=side, n=place) for pattern in patterns]


def _total_names(side: str) -> list[str]:
    return [f"{side}total", f"total{side}", f"{side}puntos", f"puntos{side}", f"{side}points", f"{side}score"]


_NAMES: dict[str, str] = {
    **{
        name: f"{h}{n}"
        for h, sides in _SIDES.items()
        for s in sides
        for n in (1, 2, 3)
        for name in _card_names(s, n)
    },
    **{name: f"{h}_total" for h, sides in _SIDES.items() for s in sides for name in _total_names(s)},
    **dict.fromkeys(("outcome", "result", "resultado", "ganador", "winner", "gana"), "outcome"),
    **dict.fromkeys(
        ("round", "rounds", "roundnumber", "pase", "pases", "numerodepase", "ronda", "coup"), "round"
    ),
    **dict.fromkeys(("shoe", "shoenumber", "sabot", "numerodesabot", "sabotnumero", "carro"), "shoe"),
}

_SAID: Mapping[str, Text] = {
    **{
        f"{hand}{place}": Text(
            f"carta {place} de {hand} (p. ej. «{hand}{place}»)",
            f"card {place} of {hand} (such as “{hand}{place}”)",
        )
        for hand in HANDS
        for place in (1, 2, 3)
    },
    "announced": Text(
        "resultado («resultado» u «outcome») o ambos totales",
        "result (“resultado” or “outcome”) or both totals",
    ),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """Where each thing stands in a row: name of ours -> index. `width`: cells a row has."""

    at: Mapping[str, int]
    width: int

    def has(self, name: str) -> bool:
        return name in self.at

    @property
    def numbered(self) -> bool:
        """Whether rows are identified by shoe and round."""
        return self.has("shoe") and self.has("round")

    def pick(self, row: Sequence[str], name: str) -> str:
        """The cell, empty when the file has no such column."""
        return row[self.at[name]] if name in self.at else ""


def find(heading: str, delimiter: str | None) -> tuple[Columns, str]:
    """The columns of a heading and its delimiter (a comma unless one is given).

    Raises `Refused`: `missing_column` naming it and what was found, `duplicate_column`,
    `bad_delimiter` when another sign would have served.
    """
    asked = delimiter or ","
    try:
        return _read(heading, asked), asked
    except Refused as refusal:
        for other in DELIMITERS:
            if other != asked and _serves(heading, other):
                shown = "\\t" if other == "\t" else other
                raise unusable(
                    "bad_delimiter",
                    f'las columnas están separadas por «{shown}»: indique --delimiter "{shown}"',
                    f'the columns are separated by “{shown}”: pass --delimiter "{shown}"',
                ) from refusal
        raise


def _serves(heading: str, delimiter: str) -> bool:
    try:
        _read(heading, delimiter)
    except Refused:
        return False
    return True


def _read(heading: str, delimiter: str) -> Columns:
    names = cells(heading, delimiter)
    if names is None:
        raise unusable("bad_heading", "la primera línea no es CSV", "the first line is no CSV")
    at: dict[str, int] = {}
    for index, name in enumerate(names):
        role = _NAMES.get(_plain(name))
        if role is None:
            continue
        if role in at:
            one, other = _short(names[at[role]]), _short(name)
            raise unusable(
                "duplicate_column",
                f"hay dos columnas para lo mismo: «{one}» y «{other}»; deje una",
                f"two columns say the same: “{one}” and “{other}”; leave one",
            )
        at[role] = index
    missing = [name for name in CARDS if name not in at]
    if "outcome" not in at and not all(name in at for name in TOTALS):
        missing.append("announced")
    if missing:
        wanted = [_SAID[name] for name in missing]
        found = ", ".join(_short(name) for name in names[:20]) + (" …" if len(names) > 20 else "")
        raise unusable(
            "missing_column",
            f"falta la columna: {'; '.join(t.es for t in wanted)}. Se encontró: {found}",
            f"missing column: {'; '.join(t.en for t in wanted)}. Found: {found}",
        )
    return Columns(at, len(names))


def _plain(name: str) -> str:
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "".join(char for char in bare.lower() if char.isalnum())


def _short(name: str) -> str:
    shown = "".join(char if char.isprintable() else "?" for char in name[:24])
    return shown + ("…" if len(name) > 24 else "")
