"""Which rules and limits a round is played under, and the engine objects made of them.

A round names the versions in force when it opens (GEN-03). Versions are never edited, so what the
engine makes of one is kept in memory by its id.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from casino.kernel.errors import Conflict
from casino.kernel.statements import select
from casino.kernel.words import Text
from casino.models import Casino
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


class Ahead(NamedTuple):
    """What the next round of a session will be: the versions in force, its id and its event's."""

    rules_id: int | None
    limits_id: int | None
    round_id: int
    event_id: int


AHEAD = """
(SELECT id FROM tables_gamerules
 WHERE casino_id = s.casino_id AND game = s.game AND effective_from <= %(instant)s::timestamptz
 ORDER BY effective_from DESC, version DESC LIMIT 1),
(SELECT id FROM tables_betlimits
 WHERE table_id = s.table_id AND effective_from <= %(instant)s::timestamptz
 ORDER BY effective_from DESC, version DESC LIMIT 1),
nextval('tables_round_id_seq'), nextval('audits_event_id_seq')
"""
"""The select list of an `Ahead`, where `s` is the session and `instant` when the round opens."""

_LOOK = f"""
SELECT {AHEAD}
FROM (SELECT %(casino)s::bigint AS casino_id, %(game)s::text AS game, %(table)s::bigint AS table_id) s
"""  # noqa: S608


def look_ahead(session: TableSession, instant: dt.datetime) -> Ahead:
    """What a round opening at `instant` will be; `session` may be one not stored yet."""
    asked = {"casino": session.casino_id, "game": session.game, "table": session.table_id, "instant": instant}
    row = select(_LOOK, asked)
    assert row is not None
    return Ahead(*row)


def for_new_round(session: TableSession, instant: dt.datetime, detail: str) -> tuple[InForce, int]:
    """What is in force for a round opening at `instant`, and the id the round will have.

    Raises `Conflict` (code `no_rules` or `no_limits`) when nothing is in force.
    """
    ahead = look_ahead(session, instant)
    return in_force(session, ahead, detail), ahead.round_id


def in_force(session: TableSession, ahead: Ahead, detail: str) -> InForce:
    """The engine objects of the versions ahead. Raises `Conflict` (code `no_rules` or `no_limits`)."""
    if ahead.rules_id is None:
        raise Conflict(
            Text(
                f"no hay reglas publicadas y vigentes para {session.game}",
                f"no published rules are in force for {session.game}",
            ),
            code="no_rules",
            rule="GEN-03",
        )
    if ahead.limits_id is None:
        raise Conflict(
            Text("la mesa no tiene límites vigentes", "the table has no limits in force"),
            code="no_limits",
            rule="GEN-04",
        )
    return versions(ahead.rules_id, ahead.limits_id, session.seats, detail, session.casino.exponent)


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


def versions_at(casino: Casino, instant: dt.datetime) -> dict[str, int]:
    """The version of each game's rules that is in force at an instant (GEN-03)."""
    found = GameRules.objects.filter(casino=casino, effective_from__lte=instant)
    newest = found.order_by("game", "-effective_from", "-version").distinct("game")
    return dict(newest.values_list("game", "version"))
