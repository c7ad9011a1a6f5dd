"""Words that several reports of the cards share: states, places, decks and cards as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from audits.reports.registry import in_both
from casino.kernel.words import Text, same
from shoes import cards, incidents, saying
from shoes.models import Deck, DeckInspection

STORE = Text("depósito", "store")
FAULTS = ("missing", "extra", "marked", "foreign", "damaged")
NOTHING = Text("", "")


@cache
def labels(choices: Any) -> Mapping[str, Text]:
    """What the values of a model's choices are called."""
    return {str(value): in_both(label) for value, label in choices.choices}


def place(where: str, state: str) -> Text:
    """Where a deck lies; one that was destroyed lies nowhere."""
    if state == Deck.State.DESTROYED:
        return NOTHING
    return saying.place(where) if where else STORE


def deck_type(code: str) -> Text:
    return cards.deck_type(code).name


def faults(inspection: DeckInspection, deck: Deck) -> Text:
    """The faulty cards of an inspection by kind of fault, in words; empty when there were none."""
    kind = cards.deck_type(deck.deck_type)
    named = {fault: [cards.name(card, kind) for card in getattr(inspection, fault)] for fault in FAULTS}
    return Text(
        incidents.said({fault: ", ".join(card.es for card in found) for fault, found in named.items()}).es,
        incidents.said({fault: ", ".join(card.en for card in found) for fault, found in named.items()}).en,
    )


def suits(order: str, deck: Deck) -> Text:
    """The order in which the suits were presented: `picas, corazones …`."""
    known = cards.deck_type(deck.deck_type).suits
    named = [known[letter].name if letter in known else same(letter) for letter in order]
    return Text(", ".join(suit.es for suit in named), ", ".join(suit.en for suit in named))


def label(row: Any) -> str:
    """The number people know an incident, a shoe or an act by; empty for none."""
    return row.label if row is not None else ""


def name(actor: Any) -> str:
    return actor.name if actor is not None else ""
