"""Decks joining the pack of a shoe: only those that passed, each in one place, all of one back."""

from __future__ import annotations

from collections.abc import Sequence

from audits.by import By
from casino.kernel import locking
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from shoes.decks import deck_elsewhere, deck_withdrawn
from shoes.models import Deck, Shoe
from shoes.ordering import Procedure
from shoes.steps import Pack


def take_decks(shoe: Shoe, procedure: Procedure, serials: Sequence[str], by: By) -> None:
    """Put decks into a shoe the caller has locked and will save: their rows, its `total` and `remaining`.

    Raises `Conflict` (`deck_elsewhere`, `deck_withdrawn`, `deck_not_inspected`), `Refused`
    (`unknown_deck`, `wrong_deck_type`), `RuleViolation` (`back_designs_differ`).
    """
    locking.taking(locking.Rank.DECK)
    decks = list(
        Deck.objects.select_for_update(of=("self",), no_key=True)
        .filter(casino=by.casino, serial__in=serials)
        .select_related("shoe")
        .order_by("pk")
    )
    unknown = set(serials) - {deck.serial for deck in decks}
    if unknown:
        names = ", ".join(sorted(unknown)[:5])
        raise Refused(
            Text(f"no hay baraja con serie {names}", f"there is no deck with serial number {names}"),
            code="unknown_deck",
            field="serials",
            rule="CARD-01",
        )
    for deck in decks:
        _require_fit(deck, shoe)
    if procedure.same_back_design:
        _require_one_design([*shoe.decks.all()], decks)
    for deck in decks:
        deck.state, deck.shoe = Deck.State.IN_SHOE, shoe
    Deck.objects.bulk_update(decks, ["state", "shoe"])
    held = Pack(shoe.deck_type, len(decks), shoe.decks_wanted).cards
    shoe.total, shoe.remaining = shoe.total + held, shoe.remaining + held


def _require_fit(deck: Deck, shoe: Shoe) -> None:
    if deck.state == Deck.State.IN_SHOE:
        raise deck_elsewhere(deck)
    if deck.state == Deck.State.WITHDRAWN:
        raise deck_withdrawn(deck)
    if deck.state != Deck.State.PASSED:
        raise Conflict(
            Text(
                f"inspeccione primero la baraja {deck.serial}; al sabot sólo entran barajas aptas",
                f"inspect deck {deck.serial} first; only decks that passed go into a shoe",
            ),
            code="deck_not_inspected",
            rule="CARD-14",
            field="serials",
            detail={"serial": deck.serial},
        )
    if deck.deck_type != shoe.deck_type:
        raise Refused(
            Text(f"la baraja {deck.serial} es de otro tipo", f"deck {deck.serial} is of another type"),
            code="wrong_deck_type",
            field="serials",
        )


def _require_one_design(inside: Sequence[Deck], joining: Sequence[Deck]) -> None:
    designs = sorted({deck.back_design for deck in (*inside, *joining)})
    if len(designs) > 1:
        shown = ", ".join(designs)
        raise RuleViolation(
            "CARD-15",
            Text(
                f"todas las barajas de un sabot llevan el mismo dibujo de reverso; hay {shown}",
                f"all decks of a shoe bear the same back design; there are {shown}",
            ),
            {"designs": designs},
            code="back_designs_differ",
            field="serials",
        )
