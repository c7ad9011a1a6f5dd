"""Winnings set aside out of the bank, where the house's rules have it: no AJ rule, and off unless published.

The Spanish catalogue lets a banker take winnings out of play once they exceed fifty table minimums. What
was put in is never taken out (BANK-14).
"""

from __future__ import annotations

from audits import ledger
from audits.by import By
from audits.ledger import Move
from casino.kernel.commands import command
from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from tables.bank import policies
from tables.bank.figures import Figures, require_amount
from tables.bank.holding import hold, require_between_rounds, require_held
from tables.bank.opening import ended, moved_on, tell
from tables.models import Bank


def may_set_aside(won: int, minimum: int, times: int) -> bool:
    """Whether winnings of a bank so far (smallest units) may leave play: above `times` minimums; 0 never."""
    return bool(times) and won > times * minimum


@command(policies.RUN_BANK)
def set_aside(*, bank: Bank, amount: int, by: By) -> Bank:
    """Take winnings out of play, never what was put in.

    Raises `RuleViolation` BANK-14 (`not_set_aside`), GEN-07, `Conflict` (`bank_ended`, `round_in_progress`).
    """
    situation = hold(bank.session, by)
    mine = require_held(situation, "BANK-14")
    if mine.pk != bank.pk:
        raise ended(bank)
    require_between_rounds(situation, "BANK-14")
    figures = situation.figures
    put_in = mine.put_in
    won = mine.amount + mine.aside - put_in
    if (
        not may_set_aside(won, figures.least, figures.rules.set_aside_minimums)
        or amount > mine.amount - put_in
    ):
        raise _not_set_aside(figures, won)
    require_amount(amount, figures, 1, "BANK-14", "not_set_aside")
    mine.amount, mine.aside = mine.amount - amount, mine.aside + amount
    mine.save(update_fields=["amount", "aside"])
    event = tell(
        "tables.bank.set_aside", situation, mine, by, {"amount": amount, "in_bank": mine.amount}, ["BANK-14"]
    )
    moves = [Move(mine.account, mine.public, amount, "apartado")]
    ledger.post(event=event, kind="bank", day=situation.session.day.date, moves=moves)
    moved_on(situation, by)
    return mine


def _not_set_aside(figures: Figures, won: int) -> RuleViolation:
    times, said = figures.rules.set_aside_minimums, figures.said(max(won, 0))
    if not times:
        text = Text(
            "el banco se puede ampliar, no bajar: las reglas vigentes no dejan apartar lo ganado",
            "the bank may be raised, not lowered: the rules in force do not let winnings be set aside",
        )
    else:
        least = figures.said(times * figures.least)
        text = Text(
            f"lo ganado, {said.es}, se aparta cuando supera {least.es}, y nunca lo que se puso",
            f"what was won, {said.en}, is set aside once it exceeds {least.en}, and never what was put in",
        )
    return RuleViolation("BANK-14", text, code="not_set_aside", field="amount")
