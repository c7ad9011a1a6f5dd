"""What the bank takes part in, registered when Django starts: settled rounds, seats left, its proofs."""

from __future__ import annotations

from audits import verify
from audits.by import By
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables import participants
from tables.bank import closing, proofs, rounds, stepping
from tables.guests import seats
from tables.guests.admitting import findings
from tables.models import Auction, Bid, SeatTaking
from tables.money import transfer_kinds
from tables.reports import auction_act  # noqa: F401
from tables.reports import bank as bank_reports  # noqa: F401

BEFORE_POOLS = 10


def register() -> None:
    participants.register("bank", BEFORE_POOLS, rounds.take_part)
    seats.register_objection(require_no_bank)
    seats.register_aftermath(stepping.after_leaving)
    transfer_kinds.register("bank")
    verify.register_proof("tables.bank", proofs.money_faults)
    verify.register_trail_proof("tables.bank", proofs.told_faults)


def require_no_bank(taking: SeatTaking, by: By) -> None:
    """Raises `Conflict`: who has the bank, or part of it, does not leave the seat (`bank_held`, BANK-05), nor
    who bid in an auction that is open (`bidder_seated`)."""
    leads = Bid.objects.filter(taking=taking, auction__state=Auction.State.OPEN).first()
    # Whoever may not be in the house is led out at once; a bank won is then refused for them (BANK-15).
    if leads is not None and not (taking.guest is not None and findings(taking.guest, by.occurred_at)):
        raise Conflict(
            Text(
                f"{taking.alias} pujó en la subasta {leads.auction.label}: deja el asiento cuando cierre",
                f"{taking.alias} bid in auction {leads.auction.label}: the seat is left once it closes",
            ),
            code="bidder_seated",
            rule="BANK-10",
        )
    bank = rounds.current(taking.session)
    if bank is None or taking.pk not in bank.members:
        return
    way = closing.ways_out(bank)
    raise Conflict(
        Text(
            f"{taking.alias} tiene el banco: {way.es} antes de que deje el asiento",
            f"{taking.alias} has the bank: {way.en} before the seat is left",
        ),
        code="bank_held",
        rule="BANK-05",
    )
