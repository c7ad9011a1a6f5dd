"""What is stored of the floor: places, rules in force, people, sessions, rounds."""

from tables.models.people import Staff
from tables.models.places import Pit, Table
from tables.models.rounds import Bet, Round
from tables.models.rules import BetLimits, GameRules
from tables.models.sessions import Assignment, ChipCount, TableSession

__all__ = [
    "Assignment",
    "Bet",
    "BetLimits",
    "ChipCount",
    "GameRules",
    "Pit",
    "Round",
    "Staff",
    "Table",
    "TableSession",
]
