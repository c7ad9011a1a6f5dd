"""Reading a game's rules from their stored form: what every family checks alike.

What a game's own options mean stays with the game. Every refusal names the field it speaks of.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from tables.games import reading
from tables.games.paying import ratio, read_ratio


def stored(data: object, game: str, default: Mapping[str, Any]) -> dict[str, Any]:
    """Stored rules with the keys that are absent taken from `default`, which has all of them.

    Raises `Refused`: no object, an unknown key, the rules of another game (code `wrong_game`).
    """
    given = reading.mapping(data, "rules")
    reading.known_keys(given, default, "rules")
    if given.get("game", game) != game:
        raise Refused(
            Text(f"estas reglas no son de {game}", f"these rules are not those of {game}"),
            code="wrong_game",
            field="game",
        )
    return {**default, **given}


def seats(value: object, field: str, most: int, rule: str) -> int:
    """Positions, from 1 to `most` (code `too_many_seats`)."""
    asked = reading.integer(value, field, 1)
    if asked > most:
        raise RuleViolation(
            rule,
            Text(
                f"como mucho {most} posiciones; se pidieron {asked}",
                f"at most {most} positions; {asked} asked",
            ),
            code="too_many_seats",
            field=field,
        )
    return asked


def decks(value: object, allowed: Collection[int], rule: str) -> int:
    """Decks of the shoe, one of a few numbers (code `bad_decks`)."""
    asked = reading.integer(value, "decks", 1)
    if asked not in allowed:
        spanish, english = " o ".join(map(str, allowed)), " or ".join(map(str, allowed))
        # «6 u 8», never «6 o 8».
        raise RuleViolation(
            rule,
            Text(
                f"se juega con {spanish.replace(' o 8', ' u 8')} barajas, no con {asked}",
                f"it is played with {english} decks, not {asked}",
            ),
            code="bad_decks",
            field="decks",
        )
    return asked


def flag(value: object, field: str) -> bool:
    if type(value) is not bool:
        raise reading.bad_type(field, Text("sí o no (true o false)", "true or false"))
    return value


def pay_rows(
    value: object, field: str, default: Mapping[str, str], most_to_one: int, rule: str
) -> tuple[tuple[str, str], ...]:
    """A pay table's (row, payout), every row of `default` once; none above `most_to_one` to 1."""
    given = reading.mapping(value, field)
    reading.known_keys(given, default, field)
    found = []
    for row, usual in default.items():
        pays = read_ratio(given.get(row, usual), field)
        if ratio(pays) > most_to_one:
            raise RuleViolation(
                rule,
                Text(
                    f"«{row}» no puede pagar {pays}: el máximo es {most_to_one} a 1",
                    f"“{row}” cannot pay {pays}: the most is {most_to_one} to 1",
                ),
                code="pays_too_much",
                field=field,
            )
        found.append((row, pays))
    return tuple(found)
