"""Decks joining the pack of a shoe: only those that passed, each in one place, with the backs of its rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from audits.by import By
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from shoes import moving
from shoes.backs import Back, require_fit
from shoes.models import Deck, DeckMove, Shoe
from shoes.ordering import Procedure
from shoes.steps import Pack


def take_decks(
    shoe: Shoe, procedure: Procedure, serials: Sequence[str], by: By
) -> tuple[list[Deck], dict[str, Any]]:
    """Decks that may join a shoe the caller has locked, locked too, and what the step says of their backs
    (`shoes.backs`); the shoe's `total` and `remaining` count them. The caller tells of it, then moves them.

    Raises `Conflict` (`deck_elsewhere`, `deck_withdrawn`, `deck_not_inspected` …), `Refused` (`unknown_deck`,
    `wrong_deck_type`), `RuleViolation` (`back_designs_differ`, `back_colours_differ`).
    """
    decks = moving.lock_decks(by.casino, serials)
    moving.require_may(decks, DeckMove.Kind.JOINED)
    for deck in decks:
        if deck.deck_type != shoe.deck_type:
            raise _of_another_type(deck)
    noted = require_fit(procedure, backs_of(shoe.decks.all()), backs_of(decks), shoe.decks_wanted)
    held = Pack(shoe.deck_type, len(decks), shoe.decks_wanted).cards
    shoe.total, shoe.remaining = shoe.total + held, shoe.remaining + held
    return decks, noted


def backs_of(decks: Iterable[Deck]) -> list[Back]:
    return [Back(deck.back_design, deck.back_colour) for deck in decks]


def _of_another_type(deck: Deck) -> Refused:
    return Refused(
        Text(f"la baraja {deck.serial} es de otro tipo", f"deck {deck.serial} is of another type"),
        code="wrong_deck_type",
        field="serials",
        rule="CARD-04",
    )
