"""What is stored of the cards: decks and their inspections, shoes and the steps that prepared them."""

from shoes.models.decks import Deck, DeckInspection
from shoes.models.shoes import Shoe, ShoeStep

__all__ = ["Deck", "DeckInspection", "Shoe", "ShoeStep"]
