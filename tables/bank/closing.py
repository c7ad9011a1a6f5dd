"""What a table's close asks of its bank: returned to its banker, no auction open; an offer under way is
over.
"""

from __future__ import annotations

from audits.by import By
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables.bank.figures import keeps_bank
from tables.bank.rounds import current
from tables.models import Auction, BankPassage, TableSession
from tables.noting import note


def require_returned(session: TableSession) -> None:
    """Raises `Conflict` (`bank_not_returned`, `auction_open`) for a table held for writing."""
    if not keeps_bank(session):
        return
    bank = current(session)
    if bank is not None:
        raise Conflict(
            Text(
                f"el banco sigue en manos de {bank.holder.alias}: devuélvalo en el panel del banco antes"
                f" de cerrar",
                f"the bank is still {bank.holder.alias}'s: return it on the bank panel before closing",
            ),
            code="bank_not_returned",
            rule="BANK-05",
        )
    auction = Auction.objects.filter(session=session, state=Auction.State.OPEN).first()
    if auction is not None:
        raise Conflict(
            Text(
                f"la subasta {auction.label} está abierta: espere su cierre y adjudíquela, o quede desierta",
                f"auction {auction.label} is open: wait for its close and its award, or that nobody bids",
            ),
            code="auction_open",
            rule="BANK-10",
        )


def call_off(session: TableSession, by: By) -> None:
    """End an offer of the bank that is under way: the table closes, nobody takes it. Inside the close, which
    holds the session, under whose lock alone offers change."""
    if not keeps_bank(session):
        return
    passage = BankPassage.objects.filter(session=session).exclude(step=BankPassage.Step.OVER).first()
    if passage is None:
        return
    passage.step, passage.result = BankPassage.Step.OVER, BankPassage.Result.VACANT
    passage.ended_at = max(by.occurred_at, passage.begun_at)
    passage.save(update_fields=["step", "result", "ended_at"])
    note(
        "tables.bank.offer_over", session, by, {"passage": passage.pk, "result": passage.result}, ["BANK-25"]
    )
