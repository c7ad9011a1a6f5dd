"""What is stored of progressive pools."""

from jackpots.models.bets import Bet, CreditMove, SeatCredits
from jackpots.models.draws import Complementary, ComplementaryPlace
from jackpots.models.pools import Fund, Pool, PoolMove, PoolTable, PoolVersion, VersionApproval
from jackpots.models.prizes import Prize, PrizeCheck
from jackpots.models.proofs import Difference, MeterReading, Proof

__all__ = [
    "Bet",
    "Complementary",
    "ComplementaryPlace",
    "CreditMove",
    "Difference",
    "Fund",
    "MeterReading",
    "Pool",
    "PoolMove",
    "PoolTable",
    "PoolVersion",
    "Prize",
    "PrizeCheck",
    "Proof",
    "SeatCredits",
    "VersionApproval",
]
