"""The bank at a table: opened, added to, won and lost with the hand, passed, with the ledger beside it."""

from __future__ import annotations

import pytest

from casino.kernel.errors import Conflict, RuleViolation, SabotError
from tables.bank import handing, opening
from tables.models import Bank, BankPassage
from tests.bank.builders import BANCA_WINS, PUNTO_WINS, TIE, bank_table
from tests.builders import BOB, House


@pytest.mark.rule("BANK-02")
def test_a_bank_opens_with_at_least_the_minimum_and_is_announced(house: House) -> None:
    table = bank_table(house, 1, 4, 6)
    with pytest.raises(RuleViolation) as refused:
        table.open(4, 9 * BOB)
    assert (refused.value.rule, refused.value.code) == ("BANK-02", "bank_below_minimum")
    bank = table.open(4, 500 * BOB)
    assert (bank.state, bank.amount, table.held(bank)) == ("held", 500 * BOB, 500 * BOB)
    with pytest.raises(Conflict) as taken:
        table.open(6, 600 * BOB)
    assert taken.value.code == "bank_taken"


@pytest.mark.rule("BANK-18")
def test_what_banca_wins_stays_in_the_bank_less_the_deduction(house: House) -> None:
    """Bets of 100 and 60 against 500: won 160, 5 % of it is 8; the bank holds 500 + 152 = 652."""
    table = bank_table(house, 1, 4, 6)
    bank = table.open(4, 500 * BOB)
    table.play(BANCA_WINS, {1: 100 * BOB, 6: 60 * BOB})
    bank.refresh_from_db()
    assert (bank.amount, bank.deals, table.held(bank)) == (652 * BOB, 1, 652 * BOB)
    table.play(TIE, {1: 100 * BOB})
    bank.refresh_from_db()
    assert (bank.amount, bank.deals, table.held(bank)) == (652 * BOB, 2, 652 * BOB)


@pytest.mark.rule("BANK-04", "BANK-05")
def test_a_lost_hand_returns_the_rest_and_offers_the_bank_to_the_right(house: House) -> None:
    """100 lost out of 500: 400 go back to seat 4; seat 1 is nearest to its right among 1 and 6."""
    table = bank_table(house, 1, 4, 6)
    bank = table.open(4, 500 * BOB)
    table.play(PUNTO_WINS, {1: 100 * BOB})
    bank.refresh_from_db()
    assert (bank.state, bank.ending, bank.left_with, table.held(bank)) == ("ended", "lost", 400 * BOB, 0)
    passage = table.passage()
    assert (passage.step, passage.least) == ("rotation", 10 * BOB)


@pytest.mark.rule("BANK-17")
def test_no_card_without_a_bank(house: House) -> None:
    table = bank_table(house, 1, 4)
    with pytest.raises(SabotError) as refused:
        table.play(BANCA_WINS, {1: 100 * BOB})
    assert refused.value.code == "no_bank"


@pytest.mark.rule("BANK-03", "BANK-15")
def test_a_bank_is_passed_while_winning_but_not_before_dealing(house: House) -> None:
    table = bank_table(house, 1, 4)
    bank = table.open(4, 500 * BOB)
    with pytest.raises(RuleViolation) as early:
        handing.pass_bank(bank=bank, by=table.by())
    assert early.value.rule == "BANK-15"
    table.play(BANCA_WINS, {1: 100 * BOB})
    passage = handing.pass_bank(bank=bank, by=table.by())
    # 500 + 100 - 5 % of 100
    assert (passage.least, passage.retake) == (595 * BOB, 595 * BOB)
    bank.refresh_from_db()
    assert (bank.ending, bank.left_with, table.held(bank)) == ("passed", 595 * BOB, 0)


@pytest.mark.rule("BANK-14")
def test_a_bank_is_added_to_and_never_lowered(house: House) -> None:
    table = bank_table(house, 1, 4)
    bank = table.open(4, 500 * BOB)
    with pytest.raises(RuleViolation) as lowered:
        opening.add_to_bank(bank=bank, amount=-100 * BOB, by=table.by())
    assert (lowered.value.rule, lowered.value.code) == ("BANK-14", "bank_lowered")
    opening.add_to_bank(bank=bank, amount=100 * BOB, by=table.by())
    bank.refresh_from_db()
    assert (bank.amount, table.held(bank)) == (600 * BOB, 600 * BOB)
    assert Bank.objects.count() == 1 and not BankPassage.objects.exists()
