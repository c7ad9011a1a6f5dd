"""What a table's close asks of its bank: returned to its banker, no auction open; an offer under way is
over.
"""

from __future__ import annotations

from audits.by import By
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables.bank.figures import keeps_bank
from tables.bank.holding import RUNNING
from tables.bank.rounds import current
from tables.models import Auction, Bank, BankPassage, TableSession
from tables.noting import note


def require_returned(session: TableSession) -> None:
    """Raises `Conflict` (`bank_not_returned`, `auction_open`) for a table held for writing."""
    if not keeps_bank(session):
        return
    bank = current(session)
    if bank is not None:
        way = ways_out(bank)
        raise Conflict(
            Text(
                f"el banco sigue en manos de {bank.holder.alias}: {way.es} antes de cerrar",
                f"the bank is still {bank.holder.alias}'s: {way.en} before closing",
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


def ways_out(bank: Bank) -> Text:
    """How a live bank ends as things stand, in the words of the bank panel's buttons: while the table plays
    it is passed on or not taken; it is returned once the last round is announced (BANK-03, BANK-05,
    BANK-15)."""
    if bank.session.state not in RUNNING:
        return Text("devuélvalo en el panel del banco", "return it on the bank panel")
    if bank.deals:
        return Text(
            "páselo, o anuncie el último pase y devuélvalo, en el panel del banco",
            "pass it on, or announce the last round and return it, on the bank panel",
        )
    return Text(
        "todavía no repartió y no se pasa: elija «No lo toma», o anuncie el último pase y devuélvalo",
        "it has not dealt and is not passed on: choose “Does not take it”, or announce the last round and"
        " return it",
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
