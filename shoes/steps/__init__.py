"""The kinds of step a pack goes through: what each asks, and what the rules say of the answer.

Pure. What all kinds share is in `base`; the kinds are in modules by what is done to the cards.
"""

from shoes.steps.base import Field, Kind, Pack
from shoes.steps.burning import Burn, BurnByValue
from shoes.steps.cutting import DEALER, Cut
from shoes.steps.decks import AddDecks, Remove
from shoes.steps.loading import Load, LoadBetween, LoadMachine
from shoes.steps.shuffling import Check, Shuffle, ShuffleByHand, Times

__all__ = [
    "DEALER",
    "AddDecks",
    "Burn",
    "BurnByValue",
    "Check",
    "Cut",
    "Field",
    "Kind",
    "Load",
    "LoadBetween",
    "LoadMachine",
    "Pack",
    "Remove",
    "Shuffle",
    "ShuffleByHand",
    "Times",
]
