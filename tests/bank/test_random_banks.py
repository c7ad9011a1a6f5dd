"""Rounds of random banks: the ledger's account of each bank is what arithmetic says, every time.

The recomputation here knows nothing of `tables.bank`: it keeps what each bank holds from the deposits it
made and from each round's cards and bets, by BANK-18, 19 and 27 alone.
"""

from __future__ import annotations

import random

import pytest

from audits import ledger
from tables.bank import handing, opening, passing
from tables.bank.turns import due
from tables.models import Bank, BankPassage, SeatTaking
from tests.bank.builders import BANCA_WINS, LEAST, PUNTO_WINS, TIE, BankTable, bank_table
from tests.builders import BOB, House

SEATS = (1, 2, 4, 5, 7, 8)
ROUNDS = 120
"""For each seed. A longer look is a larger number here."""


def covered(bets: dict[int, int], bank: int, banker: int) -> dict[int, int]:
    """BANK-27: from the banker's right, seat by seat to the next lower number, nine seats round."""
    left, found = bank, {}
    for step in range(1, 9):
        seat = (banker - 1 - step) % 9 + 1
        if taken := min(bets.get(seat, 0), left):
            found[seat] = taken
            left -= taken
    return found


def deduction(won: int) -> int:
    """5 % to the nearest 0,10, halves up, then up to whole chips of BOB 1, never above what was won."""
    tenths = (won * 5 + 500) // 1_000  # 5 / 100 of it, in units of 10 centavos, half up
    return min(-(-tenths * 10 // BOB) * BOB, won)


class Bookkeeper:
    """What each bank must hold."""

    def __init__(self, table: BankTable, seed: int) -> None:
        self.table, self.chance, self.holds = table, random.Random(seed), 0

    def bank(self) -> Bank:
        """The bank in play; where there is none, somebody takes it by whatever way is due."""
        for _ in range(40):
            bank = self.table.bank()
            if bank is not None and bank.state == "held":
                return bank
            self._get(bank)
        raise AssertionError("nobody ever took the bank")

    def _get(self, bank: Bank | None) -> None:
        table, amount = self.table, self.chance.randrange(10, 60) * 10 * BOB
        if bank is not None:  # awarded
            self.holds = max(amount, bank.required)
            opening.deposit(bank=bank, amount=self.holds, by=table.by())
            return
        passage = BankPassage.objects.filter(session=table.session).exclude(step="over").first()
        if passage is None:
            seat = self.chance.choice(SEATS)
            self.holds = max(amount, LEAST)
            table.open(seat, self.holds)
        elif passage.step == "auction":
            auction = table.auction()
            may = [place.seat for place in auction.places.all() if not place.rule]
            if may and self.chance.random() < 0.7:
                table.bid(auction, self.chance.choice(may), LEAST)
            table.close(auction)
        else:
            by = table.by()
            place = due(table.session, passage, by.occurred_at)
            assert place is not None
            taking = SeatTaking.objects.get(pk=place.taking)
            least = passage.least if passage.step == "rotation" else passage.retake
            if self.chance.random() < 0.4:
                self.holds = least
                passing.take_bank(passage=passage, taking=taking, amount=least, by=by)
            else:
                passing.decline_bank(passage=passage, taking=taking, by=by)

    def play(self, bank: Bank) -> None:
        banker = bank.holder.seat
        bets = {
            seat: self.chance.randrange(10, 41) * BOB
            for seat in self.chance.sample([seat for seat in SEATS if seat != banker], 2)
        }
        bets = {seat: min(amount, self.holds // BOB * BOB) for seat, amount in bets.items()}
        bets = {seat: amount for seat, amount in bets.items() if amount >= LEAST}
        if not bets:
            return
        at_risk = sum(covered(bets, self.holds, banker).values())
        winner = self.chance.choice([BANCA_WINS, BANCA_WINS, PUNTO_WINS, TIE])
        self.table.play(winner, bets)
        if winner == BANCA_WINS:
            self.holds += at_risk - deduction(at_risk)
        elif winner == PUNTO_WINS:
            bank.refresh_from_db()
            assert bank.left_with == self.holds - at_risk
            self.holds = 0


@pytest.mark.rule("BANK-05", "BANK-18", "BANK-19", "BANK-27")
@pytest.mark.parametrize("seed", [1, 2])
def test_the_account_of_the_bank_is_its_recomputation(house: House, seed: int) -> None:
    table = bank_table(house, *SEATS)
    keeper = Bookkeeper(table, seed)
    for _ in range(ROUNDS):
        bank = keeper.bank()
        assert (bank.amount, table.held(bank)) == (keeper.holds, keeper.holds)
        keeper.play(bank)
        bank.refresh_from_db()
        assert (bank.amount, table.held(bank)) == (keeper.holds, keeper.holds)
        if bank.state == "held" and bank.deals and keeper.chance.random() < 0.15:
            handing.pass_bank(bank=bank, by=table.by())
            keeper.holds = 0
        elif bank.state == "held" and keeper.chance.random() < 0.2 and keeper.holds <= 900 * BOB:
            opening.add_to_bank(bank=bank, amount=10 * BOB, by=table.by())
            keeper.holds += 10 * BOB
    ended = Bank.objects.filter(session=table.session, state="ended")
    assert ended.count() > 2
    assert [ledger.balance(house.casino, bank.account) for bank in ended] == [0] * ended.count()
