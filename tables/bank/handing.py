"""A bank ends: passed on while winning, lost with the hand, returned because the table closes.

What is in it goes back to the banker in value chips (BANK-05), and the passage to the next one begins.
"""

from __future__ import annotations

from audits import ledger
from audits.by import By
from audits.ledger import Move
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from tables.bank import policies
from tables.bank.holding import (
    RUNNING,
    Situation,
    hold,
    require_between_rounds,
    require_held,
    require_table_runs,
)
from tables.bank.opening import ended, moved_on, require_same, tell
from tables.bank.stepping import advance
from tables.models import Bank, BankPassage

State, Ending = Bank.State, Bank.Ending


@command(policies.RUN_BANK)
def pass_bank(*, bank: Bank, by: By) -> BankPassage:
    """The banker hands over the bank while winning (BANK-03), after dealing at least once (BANK-15).

    Raises `Conflict` (`bank_ended`, `bank_awaits_deposit`, `round_in_progress`, `session_closing`),
    `RuleViolation` BANK-15 (`must_deal`).
    """
    situation = hold(bank.session, by)
    mine = require_held(situation, "BANK-03")
    if mine.pk != bank.pk:
        raise ended(bank)
    require_between_rounds(situation, "BANK-03")
    require_table_runs(situation, "BANK-03")
    if not mine.deals:
        raise must_deal(mine)
    left = mine.amount
    end_bank(situation, mine, Ending.PASSED, by, ["BANK-03", "BANK-05", "BANK-06"])
    # Nobody can put in more than the table's maximum, whatever was won (GEN-04).
    asked = min(left, situation.figures.most)
    return begin_passage(situation, mine, least=max(asked, situation.figures.least), retake=asked, by=by)


@command(policies.RUN_BANK)
def return_bank(*, bank: Bank, by: By) -> Bank:
    """The bank goes back to its banker because the table closes (BANK-05), whether it dealt or not.

    Raises `Conflict` (`table_in_play`) before the last round is announced, `round_in_progress`.
    """
    situation = hold(bank.session, by)
    mine = require_same(situation, bank)
    require_between_rounds(situation, "BANK-05")
    if situation.session.state in RUNNING:
        raise Conflict(
            Text(
                "la mesa sigue en juego: el banco se pasa; se devuelve al anunciar el último pase",
                "the table is in play: the bank is passed on; it is returned once the last round is"
                " announced",
            ),
            code="table_in_play",
            rule="BANK-03",
        )
    end_bank(situation, mine, Ending.RETURNED, by, ["BANK-05"])
    moved_on(situation, by)
    return mine


# ---- the parts -------------------------------------------------------------------------------------


def end_bank(situation: Situation, bank: Bank, ending: str, by: By, rules: list[str]) -> None:
    """Give back what is in a bank, in the ledger, and end it."""
    left = bank.amount
    bank.state, bank.ending, bank.ended_at = State.ENDED, ending, by.occurred_at
    bank.amount, bank.left_with = 0, left
    bank.save(update_fields=["state", "ending", "ended_at", "amount", "left_with"])
    event = tell("tables.bank.ended", situation, bank, by, {"ending": ending, "returned": left}, rules)
    if left:
        moves = [Move(bank.account, bank.public, left, "devolución")]
        ledger.post(event=event, kind="bank", day=situation.session.day.date, moves=moves)
    situation.bank = None


def begin_passage(situation: Situation, left: Bank, *, least: int, retake: int, by: By) -> BankPassage:
    """The bank is offered on from who left it (BANK-07, BANK-24), for at least `least`; where nobody else is
    there to ask, to who left it (BANK-09), or for auction."""
    passage = BankPassage.objects.create(
        casino=by.casino,
        session=situation.session,
        left=left,
        least=least,
        retake=max(retake, situation.figures.least),
        begun_at=by.occurred_at,
    )
    situation.passage = passage
    data = {"passage": passage.pk, "least": passage.least, "retake": passage.retake}
    tell("tables.bank.offered", situation, left, by, data, ["BANK-06", "BANK-07", "BANK-24"])
    moved_on(situation, by)
    advance(situation, passage, by)
    return passage


def must_deal(bank: Bank) -> RuleViolation:
    return RuleViolation(
        "BANK-15",
        Text(
            f"{bank.holder.alias} todavía no repartió: quien adquiere el banco da cartas al menos una vez",
            f"{bank.holder.alias} has not dealt yet: who acquires the bank deals at least once",
        ),
        code="must_deal",
    )
