"""What happened to the banks of a session, for its page: what went in, how rounds ended, what came back."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass

from audits.models import Event
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
    rows = BankPassage.objects.filter(session=session).select_related(
        "left__holder", "to__holder", "to__associate"
    )
    return list(rows.prefetch_related("answers__taking", "answers__associate").order_by("-pk"))


@dataclass(frozen=True, slots=True)
class Held:
    """One auction as a list tells it: the bank it ended in, and why that was not taken, where it was not."""

    auction: Auction
    bank: Bank | None
    refused: str


def auctions_of(session: TableSession) -> list[Held]:
    """The auctions of a session, the latest first."""
    rows = Auction.objects.filter(session=session).select_related("bank__holder", "passage__to__holder")
    why = refusals_of(session)
    found = [(one, ended_in(one)) for one in rows.order_by("-pk")]
    return [Held(one, bank, why.get(bank.pk, "") if bank else "") for one, bank in found]


def ended_in(auction: Auction) -> Bank | None:
    """The bank an auction ended in: the highest bidder's, or the right hand's where nobody bid."""
    if auction.state == Auction.State.OPEN:
        return None
    return auction.bank if auction.bank_id else auction.passage.to


def refusals_of(session: TableSession) -> dict[int, str]:
    """Why banks of a session that were acquired were not taken (BANK-15), as it was given, by bank."""
    if not Bank.objects.filter(session=session, ending=Bank.Ending.REFUSED).exists():
        return {}
    events = Event.objects.filter(
        casino=session.casino_id, stream__name=session.stream, action="tables.bank.ended"
    )
    told = [json.loads(bytes(event.body))["data"] for event in events.order_by("seq")]
    refused = [data for data in told if data.get("ending") == Bank.Ending.REFUSED]
    return {data["bank"]: str(data.get("reason", "")) for data in refused}
