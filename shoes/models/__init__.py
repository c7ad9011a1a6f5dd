"""The cards as stored: decks and their moves, inspections, shoes, the store, what was noticed."""

from shoes.models.decks import Deck, DeckInspection, DeckMove
from shoes.models.shoes import Shoe, ShoeStep
from shoes.models.store import DestructionAct, Device, StockCount, StockLevel
from shoes.models.watching import DiscardReview, ShoeAlert, ShoeOrder

__all__ = [
    "Deck",
    "DeckInspection",
    "DeckMove",
    "DestructionAct",
    "Device",
    "DiscardReview",
    "Shoe",
    "ShoeAlert",
    "ShoeOrder",
    "ShoeStep",
    "StockCount",
    "StockLevel",
]
