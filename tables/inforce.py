"""Which rules and limits a round is played under, and the engine objects made of them.

A round names the versions in force when it opens (GEN-03). Versions are never edited, so what the
engine makes of one is kept in memory by its id.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import connection

from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables.games import registry
from tables.games.base import Detail, Game, Terms
from tables.models import BetLimits, GameRules, TableSession


@dataclass(frozen=True, slots=True)
class InForce:
    """The versions (`rules_id`, `limits_id`) and the engine's view of them."""

    rules_id: int
    limits_id: int
    game: Game
    rules: Any
    terms: Terms


_CURRENT = """
SELECT (SELECT id FROM tables_gamerules WHERE casino_id = %s AND game = %s AND effective_from <= %s
        ORDER BY effective_from DESC, version DESC LIMIT 1),
       (SELECT id FROM tables_betlimits WHERE table_id = %s AND effective_from <= %s
        ORDER BY effective_from DESC, version DESC LIMIT 1),
       nextval(pg_get_serial_sequence('tables_round', 'id'))
"""


def for_new_round(session: TableSession, instant: dt.datetime, detail: str) -> tuple[InForce, int]:
    """What is in force for a round opening at `instant`, and the id the round will have.

    Raises `Conflict` (code `no_rules` or `no_limits`) when nothing is in force.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _CURRENT, [session.casino_id, session.game, instant, session.table_id, instant]
        )
        rules_id, limits_id, round_id = cursor.fetchone()
    if rules_id is None:
        raise Conflict(
            Text(
                f"no hay reglas publicadas y vigentes para {session.game}",
                f"no published rules are in force for {session.game}",
            ),
            code="no_rules",
            rule="GEN-03",
        )
    if limits_id is None:
        raise Conflict(
            Text("la mesa no tiene límites vigentes", "the table has no limits in force"),
            code="no_limits",
            rule="GEN-04",
        )
    return versions(rules_id, limits_id, session.seats, detail, session.casino.exponent), int(round_id)


@lru_cache(maxsize=2048)
def versions(rules_id: int, limits_id: int, seats: int, detail: str, exponent: int) -> InForce:
    """The engine objects of two stored versions at a level of detail."""
    stored = GameRules.objects.get(pk=rules_id)
    limits = BetLimits.objects.get(pk=limits_id)
    game = registry.game(stored.game)
    terms = Terms(
        seats=seats,
        detail=Detail(detail),
        chip=limits.chip,
        limits={spot: (low, high) for spot, (low, high) in limits.spots.items()},
        differential=limits.differential,
        exponent=exponent,
    )
    return InForce(rules_id, limits_id, game, game.read_rules(stored.params), terms)
