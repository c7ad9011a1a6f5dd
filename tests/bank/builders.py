"""A Baccarat table with a player's bank for tests: people on seats, rounds that banca or punto wins.

`Table` keeps its own clock: every act is a second after the one before, as at a table.
"""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from audits import ledger
from audits.by import By
from casino.kernel import clock
from casino.kernel.permissions import Role
from shoes import cards
from shoes.models import Shoe
from tables import rounds, sessions
from tables.bank import auctions, bids, opening, passing
from tables.bank.figures import keeps_bank
from tables.bank.order import Place
from tables.bank.turns import due, places_in
from tables.games import registry
from tables.guests import seats
from tables.models import Auction, Bank, BankPassage, Bid, Round, SeatTaking, TableSession
from tests.builders import BOB, NIGHT, House
from tests.kept import kept
from tests.tables.every_game import a_table, open_session, prepared, seeded, shuffled

GAME = "baccarat.banked"
LEAST = 10 * BOB
"""The table's minimum on punto; the smallest chip is BOB 1, the most on a spot 1.000."""

BANCA_WINS, PUNTO_WINS, TIE = "banca", "punto", "tie"
"""How a round is to end: by two cards each and a natural, so that nobody draws a third."""

_VALUES = {**{str(n): n for n in range(2, 10)}, "A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}
_FEW = 40
"""Cards left in a shoe below which the next one is put on."""


def ends(punto: int, banca: int) -> str:
    """Who wins with these totals, or nothing where nobody has a natural."""
    if max(punto, banca) < 8:
        return ""
    return TIE if punto == banca else PUNTO_WINS if punto > banca else BANCA_WINS


@dataclass
class BankTable:
    """An open table, who sits where (`at(3)`), and the acts on its bank, one second after another."""

    house: House
    session: TableSession
    clock: dt.datetime = NIGHT + dt.timedelta(minutes=1)
    people: dict[int, SeatTaking] = field(default_factory=dict)
    chance: random.Random = field(default_factory=lambda: random.Random(7))

    def by(self, role: Role = Role.SUPERVISOR, reason: str = "") -> By:
        self.clock += dt.timedelta(seconds=1)
        return self.house.by(role, self.clock, reason)

    def sit(self, *numbers: int) -> None:
        for number in numbers:
            self.people[number] = seats.seat(
                session=self.session, seat=number, alias=f"J{number}", by=self.by()
            )

    def at(self, seat: int) -> SeatTaking:
        return self.people[seat]

    def open(self, seat: int, amount: int, associate: int | None = None) -> Bank:
        partner = None if associate is None else self.at(associate)
        return opening.open_bank(
            session=self.session, taking=self.at(seat), amount=amount, associate=partner, by=self.by()
        )

    def dealt(self, winner: str) -> list[str]:
        """Four cards that are in the shoe and end a round so; a new shoe is put on when few are left."""
        shoe = Shoe.objects.get(pk=TableSession.objects.get(pk=self.session.pk).shoe_id)
        if shoe.remaining < _FEW:
            shoe = prepared(self.house, GAME, shuffled(registry.game(GAME), self.chance), self.clock)
            sessions.load_shoe(session=self.session, shoe=shoe, by=self.by(reason="sabot terminado"))
            shoe.refresh_from_db()
        left = cards.composition("french52", 6) - Counter(shoe.seen)
        pack = list(left.elements())
        while True:
            four = self.chance.sample(pack, 4)
            value = [_VALUES[card[0]] for card in four]
            if ends((value[0] + value[2]) % 10, (value[1] + value[3]) % 10) == winner:
                return four

    def play(self, winner: str, bets: dict[int, int]) -> Round:
        """A whole round: the bets on punto by seat, and cards by which `winner` has it."""
        to = ("punto", "banca", "punto", "banca")
        events: list[dict[str, Any]] = [
            *({"e": "bet", "seat": seat, "spot": "punto", "amount": amount} for seat, amount in bets.items()),
            {"e": "close"},
            *(
                {"e": "card", "to": hand, "card": card}
                for hand, card in zip(to, self.dealt(winner), strict=True)
            ),
        ]
        return rounds.log(session=self.session, number=None, events=events, by=self.by(Role.PIT_BOSS))

    def bank(self) -> Bank | None:
        return Bank.objects.filter(session=self.session, state__in=Bank.LIVE).first()

    def passage(self) -> BankPassage:
        return BankPassage.objects.filter(session=self.session).latest("pk")

    def held(self, bank: Bank) -> int:
        """What the ledger has in a bank."""
        return ledger.balance(self.house.casino, bank.account)

    def asked(self, passage: BankPassage) -> list[Place]:
        """Who is asked in this step of a passage, in order."""
        return places_in(self.session, passage, self.by().occurred_at)

    def to_auction(self) -> BankPassage:
        """Everybody who is asked declines, until the bank is for auction."""
        passage = self.passage()
        while passage.step != BankPassage.Step.AUCTION:
            by = self.by()
            place = due(self.session, passage, by.occurred_at)
            assert place is not None
            passing.decline_bank(passage=passage, taking=SeatTaking.objects.get(pk=place.taking), by=by)
            passage.refresh_from_db()
        return passage

    def auction(self, form: str = "outcry") -> Auction:
        """The auction of the bank, opened; its instants are the clock's, which stands at the table's."""
        passage = self.to_auction()
        by = self.by()
        with clock.standing_at(self.clock):
            return auctions.open_auction(passage=passage, form=form, by=by)

    def bid(self, auction: Auction, seat: int, amount: int, at: dt.datetime | None = None) -> Bid:
        """A bid a second later, or at an instant."""
        by = self.by()
        with clock.standing_at(at or self.clock):
            return bids.bid(auction=auction, taking=self.at(seat), amount=amount, by=by)

    def together(self, auction: Auction, seats_heard: list[int], amount: int) -> list[Bid]:
        by = self.by()
        with clock.standing_at(self.clock):
            takings = [self.at(seat) for seat in seats_heard]
            return bids.bid_together(auction=auction, takings=takings, amount=amount, by=by)

    def close(self, auction: Auction) -> Auction:
        """The auction closed the very instant its time is up."""
        auction.refresh_from_db()
        self.clock = max(self.clock, auction.closes_at)
        by = self.house.by(Role.SUPERVISOR, self.clock)
        with clock.standing_at(self.clock):
            return auctions.close_auction(auction=auction, by=by)


@kept
def bank_table(house: House, *seats_taken: int, rules: dict[str, Any] | None = None) -> BankTable:
    """A table open with players on these seats; nobody has the bank yet."""
    game = registry.game(GAME)
    pack = shuffled(game, seeded(7))
    shoe = prepared(house, GAME, pack)  # first: the same serves tables of any rules
    session = open_session(house, a_table(house, game, rules=rules), game, pack, shoe)
    made = BankTable(house, session)
    made.sit(*seats_taken)
    return made


def some_bank(session: TableSession, by: By) -> list[dict[str, Any]]:
    """What a round of a player's bank begins with; where nobody has it, whoever is asked takes it at the
    least.

    Nothing at other tables, nor where no bets are logged.
    """
    if not keeps_bank(session):
        return []
    bank = Bank.objects.filter(session=session, state="held").select_related("holder").first()
    passage = BankPassage.objects.filter(session=session).exclude(step="over").first()
    if bank is None and passage is not None:
        place = due(session, passage, by.occurred_at)
        assert place is not None
        taking = SeatTaking.objects.get(pk=place.taking)
        passing.take_bank(passage=passage, taking=taking, amount=passage.least, by=by)
    elif bank is None:
        takings = [
            seats.seat(session=session, seat=seat, alias=f"J{seat}", by=by)
            for seat in range(1, session.seats + 1)
        ]
        opening.open_bank(session=session, taking=takings[2], amount=200 * BOB, by=by)
    bank = Bank.objects.select_related("holder").get(session=session, state="held")
    return [{"e": "bank", "seat": bank.holder.seat, "amount": bank.amount}]
