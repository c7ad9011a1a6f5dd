"""Which pack a table may be played from: prepared for its game, with its rules' decks, and here."""

from __future__ import annotations

from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from shoes.counting import keeps_stop_card
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


def require_here(shoe: Shoe | None, table_label: str) -> None:
    """Cards shuffled again at a table are there, and go back into play there (CARD-04)."""
    before = shoe.renews if shoe is not None else None
    if shoe is not None and before is not None and before.played_table != table_label:
        raise Conflict(
            Text(
                f"{shoe.label} se barajó otra vez en {before.played_table} y sus cartas están allí",
                f"{shoe.label} was shuffled again at {before.played_table}, and there its cards are",
            ),
            code="shoe_elsewhere",
            rule="CARD-04",
            field="shoe",
        )


def shown_again(shoe: Shoe) -> list[str]:
    """The rules under which a change of cards repeats their presentation, for a pack that was shown."""
    procedure = procedure_of(shoe.game, shoe.method)
    if shoe.renews_id is not None:
        return []
    return [rule for rule in procedure.removal.rules if rule in _CHANGES]


_CHANGES = ("CARD-13", "CARD-14")


def require_stop_card(shoe: Shoe) -> None:
    """Raise `Conflict` (`no_stop_card`) for a pack without a stop card."""
    if keeps_stop_card(shoe):
        return
    procedure = procedure_of(shoe.game, shoe.method)
    if procedure.holder_most:
        words = Text(
            "esta máquina hace de sabot y la carta de corte quedó aparte: devuélvale los descartes",
            "this machine serves as shoe and the cut card was set aside: give it back the discards",
        )
    else:
        words = Text(
            "este mazo se baraja después de cada pase y no lleva carta de detención",
            "this pack is shuffled after each round and has no stop card",
        )
    rule = "CARD-33" if procedure.holder_most else procedure.stop_rule
    raise Conflict(words, code="no_stop_card", rule=rule)


def no_shoe() -> Conflict:
    return Conflict(Text("la mesa no tiene sabot", "the table has no shoe"), code="no_shoe")
