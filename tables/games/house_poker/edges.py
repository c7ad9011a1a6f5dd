"""The house's edge on every bet of poker against the house, and how it was found."""

from __future__ import annotations

from fractions import Fraction

from casino.kernel.words import Text
from tables.games.base import Draw, Edge
from tables.games.house_poker import caribbean, exact, simulate
from tables.games.house_poker.kinds import SPOT_WORDS
from tables.games.house_poker.rules import CaribbeanRules, DrawRules, GoRules, Rules, ThreeCardRules
from tables.games.poker import ranks


def quick_edges(rules: Rules) -> tuple[Edge, ...]:
    """The exact edges, within a second: what GEN-06 is checked with before rules are published."""
    if isinstance(rules, ThreeCardRules):
        return _three_card(rules)
    if isinstance(rules, GoRules):
        note = Text(
            "cada apuesta se retira cuando conviene al jugador; por unidad de una de las apuestas iguales",
            "each bet is withdrawn when that suits the player; per unit of one of the equal bets",
        )
        return (_counted("bet1", SPOT_WORDS["bet1"], exact.go(rules), note),)
    if isinstance(rules, CaribbeanRules):
        words = Text("ANTE y BET", "ANTE and BET")
        return (_counted("ante", words, caribbean.edge(rules), _CARIBBEAN_NOTE),)
    return ()


_CARIBBEAN_NOTE = Text(
    "siguiendo con A-K-J-8-3 o mejor (con las tablas del libro), sin ver carta del croupier; el 5,22 % que se"
    " publica para la tabla A supone una carta suya a la vista",
    "going on with A-K-J-8-3 or better (with the book's tables), seeing no card of the dealer's; the 5.22 %"
    " published for table A supposes that one is turned up",
)


def edges(rules: Rules, draw: Draw, rounds: int) -> tuple[Edge, ...]:
    """The edge on every bet: counted where that is possible, else from `rounds` rounds dealt with `draw`.

    None is given where fewer than two rounds are asked for.
    """
    if isinstance(rules, DrawRules) and rounds >= 2:
        found = simulate.draw_poker(rules, draw, rounds)
        words = Text("ANTE y BET", "ANTE and BET")
        edge, margin = 100 * found.edge, 100 * found.margin
        return (Edge("ante", words, edge, "simulated", 1, margin, rounds, _DRAW_NOTE),)
    return quick_edges(rules)


_DRAW_NOTE = Text(
    "{strategy}. No se conoce cifra publicada con la que compararla: la tabla del BET es provisional (PH-13)",
    "{strategy}. No published figure is known to compare it with: the BET table is provisional (PH-13)",
).fill(strategy=simulate.DRAW_STRATEGY)


def _three_card(rules: ThreeCardRules) -> tuple[Edge, ...]:
    played = exact.ante_and_play(rules)
    lowest = "-".join(ranks.ranks_of(played.lowest))
    said = ranks.words3(played.lowest)
    note = Text(
        f"siguiendo con {lowest} ({said.es}) o mejor, que es lo que más conviene; por unidad de ANTE",
        f"going on with {lowest} ({said.en}) or better, which is best; per unit of ANTE",
    )
    return (
        _counted("ante", Text("ANTE, su bono y PLAY", "ANTE, its bonus and PLAY"), played.edge, note),
        _counted("pair_plus", SPOT_WORDS["pair_plus"], exact.pair_plus(rules), None),
    )


def _counted(bet: str, words: Text, edge: Fraction, note: Text | None) -> Edge:
    return Edge(bet, words, float(edge) * 100, "exact", 1, note=note)
