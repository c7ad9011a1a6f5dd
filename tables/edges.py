"""The house's edge on every bet of a version of rules, before anyone is dealt under it (GEN-06).

A game counts where it can and else deals rounds; chance comes from here, seeded, so that the same
question has the same answer. `percent` is of the initial stake, negative where the player is favoured.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from casino.kernel import money
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from tables.games.base import Edge, Game

ROUNDS = 100_000
"""Rounds dealt by the command where nothing can be counted."""
PAGE_ROUNDS = 5_000
"""On a page and at publishing, where somebody waits."""
DOUBT_ROUNDS = 50_000
"""At publishing, where so few leave in doubt whom a bet favours; a few seconds."""
SEED = 1
DECIMALS = 4


@dataclass(frozen=True, slots=True)
class Shown:
    """An edge in words. `words` names the bet, `percent` and `margin` are signed figures for people."""

    words: Text
    percent: Text
    margin: Text
    how: Text
    note: Text | None
    favours_player: bool
    doubtful: bool


def quick(game: Game, rules: Any) -> tuple[Edge, ...]:
    """The edges that are exact and known at once."""
    return game.quick_edges(rules)


def whole(game: Game, rules: Any, *, seed: int = SEED, rounds: int = ROUNDS) -> tuple[Edge, ...]:
    """Every bet's edge; `rounds` are dealt from `seed` where it cannot be counted."""
    return game.edges(rules, random.Random(seed), rounds)


def of_decks(found: Sequence[Edge], decks: int) -> tuple[Edge, ...]:
    """Those that hold for so many decks; all for 0."""
    return tuple(edge for edge in found if not decks or edge.decks in (0, decks))


def favouring(game: Game, rules: Any) -> tuple[Edge, ...]:
    """The bets that favour the player, counted at once or, where a game counts none, simulated.

    Of a simulation what is not shown to favour the house too: a rare hand paid too well comes too
    seldom to tell, and widens the margin instead. Seeded: the same rules, the same answer.
    """
    found = quick(game, rules)
    if not found:
        found = whole(game, rules, rounds=PAGE_ROUNDS)
        if any(_in_doubt(edge) for edge in found):
            found = whole(game, rules, rounds=DOUBT_ROUNDS)
    return tuple(edge for edge in found if edge.favours_player or _in_doubt(edge))


def _in_doubt(edge: Edge) -> bool:
    """Whether what is known leaves room for either side."""
    return not edge.favours_player and edge.percent - edge.margin < 0


def refuse_player_edge(game: Game, rules: Any, forced: str) -> list[dict[str, Any]]:
    """GEN-06: a version that favours the player is refused, unless forced with a reason.

    Answers the edges that are forced, as data for the trail.

    A reason to force what needs no forcing is refused too (`nothing_to_force`): it would mark a sound
    version for good.
    """
    against = favouring(game, rules)
    if against and not forced:
        raise _favours(against, rules)
    if forced and not against:
        raise Refused(
            Text(
                "ninguna apuesta favorece al jugador: deje vacío el motivo para forzar",
                "no bet favours the player: leave the reason for forcing empty",
            ),
            code="nothing_to_force",
            rule="GEN-06",
            field="forced",
        )
    return [as_data(edge) for edge in against]


def _favours(against: Sequence[Edge], rules: Any) -> RuleViolation:
    worst = min(against, key=lambda edge: (not edge.favours_player, edge.percent))
    row = f"{worst.bet}_pays"
    said = _by_how_much(worst) if worst.favours_player else _perhaps(worst)
    return RuleViolation(
        "GEN-06",
        Text(
            f"el pago de {worst.words.es} {said.es}; corríjalo o escriba por qué se fuerza",
            f"the payout on {worst.words.en} {said.en}; correct it or write why it is forced",
        ),
        code="player_edge",
        field=row if row in rules.to_json() else "params",
        detail={"edges": [as_data(edge) for edge in against]},
    )


def _by_how_much(edge: Edge) -> Text:
    how, decks = _percent(-edge.percent), _with_decks(edge)
    return Text(f"favorece al jugador en {how.es} %{decks.es}", f"favours the player by {how.en} %{decks.en}")


def _perhaps(edge: Edge) -> Text:
    low, high = _percent(edge.percent - edge.margin), _percent(edge.percent + edge.margin)
    rounds = money.words(edge.rounds, 0)
    return Text(
        f"podría favorecer al jugador: en {rounds.es} pases simulados la casa queda entre {low.es} y"
        f" {high.es} %",
        f"might favour the player: in {rounds.en} simulated rounds the house is between {low.en} and"
        f" {high.en} %",
    )


def as_data(edge: Edge) -> dict[str, Any]:
    """An edge for the trail and for programs: figures are decimal strings."""
    return {
        "bet": edge.bet,
        "decks": edge.decks,
        "percent": f"{edge.percent:.{DECIMALS}f}",
        "method": edge.method,
        "margin": f"{edge.margin:.{DECIMALS}f}",
        "rounds": edge.rounds,
    }


def shown(edge: Edge) -> Shown:
    """An edge as people read it."""
    how = Text("exacta", "exact")
    margin = Text("", "")
    if edge.method != "exact":
        rounds = money.words(edge.rounds, 0)
        how = Text(f"simulada, {rounds.es} pases", f"simulated, {rounds.en} rounds")
        low, high = _percent(edge.percent - edge.margin), _percent(edge.percent + edge.margin)
        margin = Text(f"95 %: {low.es} a {high.es}", f"95 %: {low.en} to {high.en}")
    with_decks = _with_decks(edge)
    return Shown(
        words=Text(edge.words.es + with_decks.es, edge.words.en + with_decks.en),
        percent=_percent(edge.percent),
        margin=margin,
        how=how,
        note=edge.note,
        favours_player=edge.favours_player,
        doubtful=_in_doubt(edge),
    )


def _percent(value: float) -> Text:
    return money.words(round(value * 10**DECIMALS), DECIMALS)


def _with_decks(edge: Edge) -> Text:
    if not edge.decks:
        return Text("", "")
    if edge.decks == 1:
        return Text(" con 1 baraja", " with 1 deck")
    return Text(f" con {edge.decks} barajas", f" with {edge.decks} decks")
