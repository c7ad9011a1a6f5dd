"""Which pack a table may be played from: prepared for its game, with the decks its rules are for."""

from __future__ import annotations

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from shoes.models import Shoe
from shoes.procedures import procedure_of
from tables import inforce
from tables.games import registry


def require_pack(game: str, shoe: Shoe | None) -> None:
    """A game with cards is played from a prepared pack, one without from none."""
    if registry.game(game).deck_type and shoe is None:
        raise Refused(
            Text("elija el sabot o mazo preparado para la mesa", "choose the table's prepared shoe or pack"),
            code="no_shoe",
            rule=procedure_of(game).stop_rule,
            field="shoe",
        )
    if not registry.game(game).deck_type and shoe is not None:
        raise Refused(
            Text(
                "este juego no lleva cartas: abra la mesa sin sabot",
                "this game has no cards: open without a shoe",
            ),
            code="no_cards",
            field="shoe",
        )


def require_decks(current: inforce.InForce, shoe: Shoe | None) -> None:
    """The pack has the decks the rules in force were counted for: the house's edge hangs on them (GEN-06)."""
    if shoe is not None and shoe.decks_wanted != current.rules.decks:
        wanted = current.rules.decks
        raise RuleViolation(
            procedure_of(current.game.code).decks_rule,
            Text(
                f"las reglas vigentes son para {wanted} barajas y {shoe.label} lleva {shoe.decks_wanted}:"
                " elija otro sabot o publique reglas para él",
                f"the rules in force are for {wanted} decks and {shoe.label} has {shoe.decks_wanted}:"
                " choose another shoe or publish rules for it",
            ),
            {"wanted": wanted, "decks": shoe.decks_wanted},
            code="decks_differ",
            field="shoe",
        )
