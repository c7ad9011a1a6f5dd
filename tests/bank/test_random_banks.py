"""Rounds of random banks: the ledger's account of each bank is what arithmetic says, every time.

The recomputation here knows nothing of `tables.bank`: it keeps what each bank holds from the deposits it
made and from each round's cards and bets, by BANK-18, 19 and 27 alone. Around them players come, go, change
place and are away; banks are passed, refused, joined, voided, set aside, auctioned with bidders and without.

A longer look: BANK_ROUNDS=1000 BANK_SEEDS=11,12 pytest tests/bank/test_random_banks.py
"""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

import pytest

from audits import ledger
from audits.verify import ledger_faults, trail_faults
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables import rounds
from tables.bank import aside, auctions, handing, opening, passing
from tables.bank.turns import due
from tables.guests import absences, seats
from tables.models import Bank, BankPassage, Round, SeatTaking
from tests.bank.builders import BANCA_WINS, LEAST, PUNTO_WINS, TIE, BankTable, bank_table
from tests.builders import BOB, House

SEATS = (1, 2, 4, 5, 7, 8)
ROUNDS = int(os.environ.get("BANK_ROUNDS", "30"))
"""For each seed."""
SEEDS = [int(seed) for seed in os.environ.get("BANK_SEEDS", "1,2").split(",")]
FEWEST, MOST = 4, 7
"""Players at the table."""


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
    """What each bank must hold, who sits where, and who is away; players are known by their alias."""

    def __init__(self, table: BankTable, seed: int) -> None:
        self.table, self.chance = table, random.Random(seed)
        self.holds = self.put_in = self.aside = 0
        self.known = 0
        self.away: set[int] = set()
        self.joint: list[tuple[int, str, str, int]] = []
        self.last: tuple[Round, int] | None = None
        self.names = 100
        self.done: Counter[str] = Counter()

    # ---- who has it ----

    def bank(self) -> Bank:
        """The bank in play; where there is none, somebody takes it by whatever way is due."""
        for _ in range(80):
            bank = self.table.bank()
            if bank is not None and bank.state == "held":
                return bank
            self._get(bank)
            if self.chance.random() < 0.15:
                self.unrest()
        raise AssertionError("nobody ever took the bank")

    def begins(self, amount: int, how: str) -> None:
        bank = self.table.bank()
        assert bank is not None and bank.state == "held"
        self.holds = self.put_in = amount
        self.aside, self.known, self.last, self.joint = 0, bank.pk, None, []
        self.done[how] += 1

    def ends(self) -> None:
        self.holds = self.put_in = self.aside = 0

    def _some(self) -> int:
        return self.chance.randrange(10, 60) * 10 * BOB

    def _get(self, bank: Bank | None) -> None:
        table = self.table
        if bank is not None:  # awarded
            if self.chance.random() < 0.2:
                auctions.refuse_bank(bank=bank, by=table.by(reason="no trae fichas"))
                self.done["refused"] += 1
                return
            amount = max(self._some(), bank.required)
            opening.deposit(bank=bank, amount=amount, by=table.by())
            self.begins(amount, bank.how)
            return
        passage = BankPassage.objects.filter(session=table.session).exclude(step="over").first()
        if passage is None:
            one, other = self.chance.sample(self.present(), 2)
            amount = max(self._some(), LEAST)
            table.open(one, amount, associate=other if self.chance.random() < 0.2 else None)
            self.begins(amount, "first")
        elif passage.step == "auction":
            self._auction()
        else:
            self._answer(passage)

    def _answer(self, passage: BankPassage) -> None:
        table, by = self.table, self.table.by()
        place = due(table.session, passage, by.occurred_at)
        assert place is not None, "an offer nobody can answer"
        asked: dict[str, Any] = {
            "passage": passage, "taking": SeatTaking.objects.get(pk=place.taking), "by": by,
        }  # fmt: skip
        if place.seat in self.away:
            passing.absent_at_turn(**asked)
            self._gone(place.seat)
            self.done["absent"] += 1
            return self._given()
        rotating, chance = passage.step == "rotation", self.chance.random()
        least = passage.least if rotating else passage.retake
        others = [seat for seat in self.present() if seat != place.seat]
        if chance < 0.25:
            passing.take_bank(**asked, amount=least)
            self.begins(least, "turn" if rotating else "retake")
        elif chance < 0.4 and rotating and others:
            other = self.chance.choice(others)
            self.joint.append((passage.pk, place.alias, table.at(other).alias, least))
            passing.take_bank(**asked, amount=least, associate=table.at(other))
            self.done["offered jointly"] += 1
            self._given()
        else:
            passing.decline_bank(**asked)
            self._given()
        return None

    def _given(self) -> None:
        """Where an offer went on by itself and a joint one was given the bank, which one that is."""
        bank = self.table.bank()
        if bank is None or bank.state != "held" or bank.pk == self.known:
            return
        here = {self.table.at(seat).alias for seat in self.present()}
        left = self.table.passage().pk
        first = next(one for one in self.joint if one[0] == left and {one[1], one[2]} <= here)
        assert bank.associate is not None
        assert (bank.holder.alias, bank.associate.alias) == first[1:3]
        self.begins(first[3], "jointly")

    def _auction(self) -> None:
        auction = self.table.auction(self.chance.choice(["outcry", "sealed"]))
        may = [place.seat for place in auction.places.all() if not place.rule and place.seat not in self.away]
        self.chance.shuffle(may)
        best = LEAST
        for seat in may[: self.chance.choice([0, 0, 1, 2, 3])]:
            self.table.bid(auction, seat, best)
            best += self.chance.randrange(1, 20) * BOB
            self.done["bid"] += 1
        if self.chance.random() < 0.3:
            self.unrest()
        auction = self.table.close(auction)
        self.done[auction.state] += 1

    # ---- who is at the table ----

    def present(self) -> list[int]:
        return sorted(set(self.table.people) - self.away)

    def _gone(self, seat: int) -> None:
        del self.table.people[seat]
        self.away.discard(seat)

    def unrest(self) -> None:
        """Somebody comes, goes, changes place, is away or back; who may not is refused by the rule."""
        table, chance = self.table, self.chance
        seat = chance.choice(sorted(table.people))
        vacant = [one for one in range(1, 10) if one not in table.people]
        what = chance.choice(["sit", "leave", "move", "away", "away", "back", "back"])
        try:
            if what == "sit" and len(table.people) < MOST:
                self.names += 1
                new, alias = chance.choice(vacant), f"J{self.names}"
                table.people[new] = seats.seat(session=table.session, seat=new, alias=alias, by=table.by())
            elif what == "leave" and len(self.present()) > FEWEST:
                seats.leave(taking=table.at(seat), by=table.by())
                self._gone(seat)
            elif what == "move" and seat not in self.away:
                new = chance.choice(vacant)
                table.people[new] = seats.move(
                    taking=table.at(seat), session=table.session, seat=new, by=table.by()
                )
                self._gone(seat)
            elif what == "away" and seat not in self.away and len(self.present()) > FEWEST:
                absences.mark_away(taking=table.at(seat), by=table.by())
                self.away.add(seat)
            elif what == "back" and self.away:
                back = chance.choice(sorted(self.away))
                absences.come_back(taking=table.at(back), by=table.by())
                self.away.discard(back)
            else:
                return
            self.done[what] += 1
        except SabotError as refusal:
            assert refusal.code in ("bank_held", "bidder_seated"), refusal
            self.done[refusal.code] += 1
        self._given()

    # ---- in play ----

    def play(self, bank: Bank) -> None:
        banker = bank.holder.seat
        betting = [seat for seat in self.present() if self.table.at(seat).pk not in bank.members]
        bets = {
            seat: self.chance.randrange(10, 41) * BOB
            for seat in self.chance.sample(betting, min(2, len(betting)))
        }
        bets = {seat: min(amount, self.holds // BOB * BOB) for seat, amount in bets.items()}
        bets = {seat: amount for seat, amount in bets.items() if amount >= LEAST}
        if not bets:
            return
        before, at_risk = self.holds, sum(covered(bets, self.holds, banker).values())
        winner = self.chance.choice([BANCA_WINS, BANCA_WINS, PUNTO_WINS, TIE])
        played = self.table.play(winner, bets)
        if winner == BANCA_WINS:
            self.holds += at_risk - deduction(at_risk)
        self.last = played, self.holds - before
        if winner != PUNTO_WINS:
            return
        bank.refresh_from_db()
        assert bank.left_with == before - at_risk
        if self.chance.random() < 0.25:
            # Nobody answered yet: the bank is as it was.
            self._void(played)
            self.holds, self.last = before, None
            return
        self.ends()

    def _void(self, round: Round) -> None:
        by = self.table.by(Role.PIT_BOSS, reason="se registró dos veces")
        beside = self.table.house.users[Role.SUPERVISOR].actor
        rounds.void(round=round, approved_by=beside, cards_came_out=True, by=by)
        self.done["voided"] += 1

    def tend(self, bank: Bank) -> None:
        """One act, or none, on a bank that is held."""
        table, chance = self.table, self.chance.random()
        won = self.holds + self.aside - self.put_in
        if bank.deals and chance < 0.12:
            handing.pass_bank(bank=bank, by=table.by())
            self.done["passed"] += 1
            self.ends()
        elif chance < 0.3 and self.holds <= 900 * BOB:
            opening.add_to_bank(bank=bank, amount=10 * BOB, by=table.by())
            self.holds, self.put_in = self.holds + 10 * BOB, self.put_in + 10 * BOB
        elif chance < 0.45 and won > LEAST and self.holds - self.put_in >= BOB:
            much = self.chance.randrange(1, (self.holds - self.put_in) // BOB + 1) * BOB
            aside.set_aside(bank=bank, amount=much, by=table.by())
            self.holds, self.aside = self.holds - much, self.aside + much
            self.done["set aside"] += 1
        elif chance < 0.6 and self.last is not None:
            self._void_last(*self.last)

    def _void_last(self, played: Round, change: int) -> None:
        """The last round taken back, unless winnings set aside since came out of it."""
        if self.aside and self.holds - change < self.put_in:
            with pytest.raises(SabotError, check=lambda error: error.code == "bank_moved_on"):
                self._void(played)
            return
        self._void(played)
        self.holds, self.last = self.holds - change, None

    def join(self, bank: Bank) -> None:
        """Who just left the bank joins who took it, before the first deal."""
        left = bank.previous
        while left is not None and left.ending == "refused":
            left = left.previous
        if bank.deals or bank.associate_id or left is None or self.holds > 900 * BOB:
            return
        for seat in self.present():
            if self.table.at(seat).alias == left.holder.alias and left.holder.alias != bank.holder.alias:
                opening.join_bank(bank=bank, taking=self.table.at(seat), amount=10 * BOB, by=self.table.by())
                self.holds, self.put_in = self.holds + 10 * BOB, self.put_in + 10 * BOB
                self.done["joined"] += 1


def played_out(house: House, seed: int, rounds_played: int) -> Bookkeeper:
    table = bank_table(house, *SEATS, rules={"set_aside_minimums": 1})
    keeper = Bookkeeper(table, seed)
    for _ in range(rounds_played):
        bank = keeper.bank()
        if keeper.chance.random() < 0.5:
            keeper.join(bank)
        holds(keeper, bank)
        keeper.play(bank)
        holds(keeper, bank)
        if bank.state == "held":
            keeper.tend(bank)
            holds(keeper, bank)
        if keeper.chance.random() < 0.3:
            keeper.unrest()
    return keeper


def holds(keeper: Bookkeeper, bank: Bank) -> None:
    """The bank's row and its account hold what the bookkeeper says, or nothing once it ended."""
    bank.refresh_from_db()
    due_in_it = keeper.holds if bank.state == "held" else 0
    assert (bank.amount, keeper.table.held(bank), bank.aside) == (
        due_in_it, due_in_it, keeper.aside if bank.state == "held" else bank.aside,
    )  # fmt: skip


@pytest.mark.rule("BANK-05", "BANK-08", "BANK-14", "BANK-18", "BANK-19", "BANK-25", "BANK-27")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_account_of_the_bank_is_its_recomputation(house: House, seed: int) -> None:
    keeper = played_out(house, seed, ROUNDS)
    ended = Bank.objects.filter(session=keeper.table.session, state="ended")
    assert ended.count() > 2
    assert [ledger.balance(house.casino, bank.account) for bank in ended] == [0] * ended.count()
    assert not [*trail_faults(house.casino), *ledger_faults(house.casino)]
    print(f"seed {seed}: {dict(keeper.done)}")
