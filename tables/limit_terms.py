"""What limits must be, whoever states them: a pit boss for a table, or a plan (GEN-04, GEN-07)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from casino.kernel import money
from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from casino.models import Casino
from tables.games.base import MOST_ON_A_SPOT, Detail, Game, Terms
from tables.models import GameRules


def require_limits(
    casino: Casino,
    engine: Game,
    *,
    seats: int,
    chip: int,
    spots: Mapping[str, tuple[int, int]],
    differential: int | None,
    instant: dt.datetime,
) -> None:
    """Raise `RuleViolation` (GEN-04, `bad_limits`) unless limits, in smallest units, will do for a game.

    Each is a multiple of the smallest chip (GEN-07), the minimum not above the maximum, on spots the game
    has, and such that under the rules in force at `instant` there are bets that meet them.
    """
    if chip not in casino.denominations:
        raise limits_refused(
            "chip",
            "la ficha menor es una denominación de la casa",
            "the smallest chip is one of the house's denominations",
        )
    for spot, pair in spots.items():
        _require_spot(casino, engine, spot, pair, chip)
    if not spots:
        raise limits_refused("spots", "indique al menos un límite", "state at least one limit")
    if differential is not None and differential <= 0:
        raise limits_refused("differential", "el diferencial es positivo", "the differential is positive")
    terms = Terms(seats, Detail.FULL, chip, dict(spots), differential, casino.exponent)
    engine.open(rules_at(casino, engine, instant), terms)  # refuses limits no bet can meet


def _require_spot(casino: Casino, engine: Game, spot: str, pair: tuple[int, int], chip: int) -> None:
    low, high = pair
    if spot not in engine.spots:
        raise limits_refused(
            "spots", f"el juego no tiene la apuesta «{spot}»", f"the game has no bet “{spot}”"
        )
    if high > MOST_ON_A_SPOT:
        most = money.words(MOST_ON_A_SPOT, casino.exponent)
        raise limits_refused(
            spot,
            f"el máximo de una apuesta no puede pasar de {most.es}",
            f"the maximum of a bet cannot be above {most.en}",
        )
    if not (0 < low <= high and low % chip == 0 == high % chip):
        raise limits_refused(
            spot,
            "mínimo y máximo son múltiplos de la ficha menor y el mínimo no supera al máximo",
            "minimum and maximum are multiples of the smallest chip, the minimum not above the maximum",
        )


def rules_at(casino: Casino, engine: Game, instant: dt.datetime) -> Any:
    """The rules of a game the house has in force; the catalogue's where it has published none."""
    stored = GameRules.in_force(casino, engine.code, instant)
    return engine.read_rules(stored.params) if stored else engine.default_rules()


def limits_refused(field: str, es: str, en: str) -> RuleViolation:
    return RuleViolation("GEN-04", Text(es, en), code="bad_limits", field=field)
