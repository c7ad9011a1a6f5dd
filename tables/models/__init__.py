"""What is stored of the floor: places, rules in force, people, sessions, rounds."""

from tables.models.alerts import Alert, FloatCheck, PitDuty, ShiftNote
from tables.models.bank import (
    Auction,
    AuctionSeat,
    AuctionSecret,
    AuctionSignature,
    Bank,
    BankAnswer,
    BankDeposit,
    BankPassage,
    BankRound,
    Bid,
)
from tables.models.boxes import BoxCount, BoxCounter, CountRate, DropBox, OpeningDifference
from tables.models.cage import (
    CageCount,
    CageOperation,
    CageSettings,
    CageTransfer,
    FundMove,
)
from tables.models.guests import (
    AwayMark,
    ChangeRequest,
    DocumentType,
    Exclusion,
    ExclusionEnd,
    ExclusionMatch,
    Guest,
    GuestSettings,
    SeatTaking,
    WaitingEntry,
)
from tables.models.people import Staff
from tables.models.places import Pit, Table
from tables.models.plans import FloorSettings, LimitsPlan, PlannedLimits
from tables.models.roster import Certificate, Shift
from tables.models.rotation import FairnessEntry, PlannedTurn, RotationPlan
from tables.models.rounds import Bet, Round
from tables.models.rules import BetLimits, GameRules
from tables.models.sessions import Assignment, ChipCount, TableSession
from tables.models.slips import (
    CageDesk,
    ChipEntry,
    ChipMove,
    ChipSet,
    ChipStock,
    ChipStockCount,
    Slip,
)
from tables.models.tips import Orphan, TipDistribution, TipEntry, TipHandover

__all__ = [
    "Alert",
    "Assignment",
    "Auction",
    "AuctionSeat",
    "AuctionSecret",
    "AuctionSignature",
    "AwayMark",
    "Bank",
    "BankAnswer",
    "BankDeposit",
    "BankPassage",
    "BankRound",
    "Bet",
    "BetLimits",
    "Bid",
    "BoxCount",
    "BoxCounter",
    "CageCount",
    "CageDesk",
    "CageOperation",
    "CageSettings",
    "CageTransfer",
    "Certificate",
    "ChangeRequest",
    "ChipCount",
    "ChipEntry",
    "ChipMove",
    "ChipSet",
    "ChipStock",
    "ChipStockCount",
    "CountRate",
    "DocumentType",
    "DropBox",
    "Exclusion",
    "ExclusionEnd",
    "ExclusionMatch",
    "FairnessEntry",
    "FloatCheck",
    "FloorSettings",
    "FundMove",
    "GameRules",
    "Guest",
    "GuestSettings",
    "LimitsPlan",
    "OpeningDifference",
    "Orphan",
    "Pit",
    "PitDuty",
    "PlannedLimits",
    "PlannedTurn",
    "RotationPlan",
    "Round",
    "SeatTaking",
    "Shift",
    "ShiftNote",
    "Slip",
    "Staff",
    "Table",
    "TableSession",
    "TipDistribution",
    "TipEntry",
    "TipHandover",
    "WaitingEntry",
]
