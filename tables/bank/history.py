"""What happened to the banks of a session, for its page: what went in, how rounds ended, what came back."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from tables.models import Auction, Bank, BankDeposit, BankPassage, BankRound, Round, TableSession


@dataclass(frozen=True, slots=True)
class Told:
    """One bank. Smallest units: `put_in` by its banker and the associate, `won` over its rounds (negative:
    lost), the house's deduction taken off already; voided rounds count no more.
    """

    bank: Bank
    deposits: tuple[BankDeposit, ...]
    rounds: tuple[BankRound, ...]

    @property
    def put_in(self) -> int:
        return sum(one.amount for one in self.deposits)

    @property
    def won(self) -> int:
        return sum(one.after - one.before for one in self.rounds)

    @property
    def deduction(self) -> int:
        return sum(one.deduction for one in self.rounds)


def banks_of(session: TableSession) -> list[Told]:
    """The banks of a session, the latest first."""
    banks = Bank.objects.filter(session=session).select_related("holder", "associate").order_by("-number")
    deposits: dict[int, list[BankDeposit]] = defaultdict(list)
    for deposit in BankDeposit.objects.filter(bank__session=session).select_related("taking"):
        deposits[deposit.bank_id].append(deposit)
    played: dict[int, list[BankRound]] = defaultdict(list)
    rounds = BankRound.objects.filter(bank__session=session, round__state=Round.State.SETTLED)
    for row in rounds.select_related("round"):
        played[row.bank_id].append(row)
    return [Told(bank, tuple(deposits[bank.pk]), tuple(played[bank.pk])) for bank in banks]


def passages_of(session: TableSession) -> list[BankPassage]:
    """How the bank was offered on, the latest first, with what was answered."""
    rows = BankPassage.objects.filter(session=session).select_related("left__holder", "to__holder")
    return list(rows.prefetch_related("answers__taking", "answers__associate").order_by("-pk"))


def auctions_of(session: TableSession) -> list[Auction]:
    """The auctions of a session, the latest first."""
    rows = Auction.objects.filter(session=session).select_related(
        "winner__taking", "bank", "passage__left__holder"
    )
    return list(rows.order_by("-pk"))
