"""A cage for tests: a desk with its money, made by the write functions, told at its own hours.

cage = a_cage(house)            # BOB 50.000 of capital in the vault, a desk open with chips and cash
cage.sell(100_00, {100_00: 1})
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from audits.by import By, by_user
from audits.models import Actor
from audits.people import create_user
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import User
from tables.models import CageCount, CageDesk, CageOperation, CageTransfer
from tables.money import cage, cage_counts, cash, desks, funds, transfers
from tests.builders import BOB, FOUNDED, NIGHT, PASSWORD, House
from tests.kept import kept

CHIPS = {1 * BOB: 50, 5 * BOB: 50, 25 * BOB: 40, 100 * BOB: 40, 500 * BOB: 10, 1_000 * BOB: 5}
"""50 + 250 + 1.000 + 4.000 + 5.000 + 5.000 = BOB 15.300 in chips."""
CHIPS_TOTAL = 15_300 * BOB
CASH = {200 * BOB: 40, 100 * BOB: 15, 50 * BOB: 8, 10 * BOB: 10}
"""8.000 + 1.500 + 400 + 100 = BOB 10.000 in notes."""
CASH_TOTAL = 10_000 * BOB
CAPITAL = 50_000 * BOB
BEFORE = NIGHT - dt.timedelta(hours=2)


@dataclass
class Cage:
    house: House
    desk: CageDesk
    second: User

    def by(self, at: dt.datetime = NIGHT, reason: str = "") -> By:
        """The cashier."""
        return self.house.by(Role.CAGE, at, reason)

    @property
    def other(self) -> Actor:
        """Another cashier, who signs beside."""
        actor: Actor = self.second.actor
        return actor

    def other_by(self, at: dt.datetime = NIGHT, reason: str = "") -> By:
        return by_user(self.second, occurred_at=at, reason=reason)

    def sell(
        self, price: int, chips: Mapping[int, int], *, at: dt.datetime = NIGHT, **more: Any
    ) -> CageOperation:
        return cage.sell_chips(desk=self.desk, price=price, chips_given=chips, by=self.by(at), **more)

    def redeem(self, chips: Mapping[int, int], *, at: dt.datetime = NIGHT, **more: Any) -> CageOperation:
        return cage.redeem_chips(desk=self.desk, chips_taken=chips, by=self.by(at), **more)

    def void(self, operation: CageOperation, *, at: dt.datetime = NIGHT) -> CageOperation:
        by = self.by(at, "se marcó otro importe")
        return cage.void_receipt(operation=operation, approved_by=self.other, by=by)

    def transfer(
        self,
        direction: str,
        chips: Mapping[int, int],
        notes: Mapping[int, int],
        *,
        at: dt.datetime = NIGHT,
    ) -> CageTransfer:
        asked = transfers.request_transfer(
            desk=self.desk, direction=direction, chips_moved=chips, cash=notes, by=self.by(at)
        )
        return transfers.accept_transfer(transfer=asked, by=self.other_by(at))

    def count(
        self,
        moment: str,
        chips: Mapping[int, int],
        notes: Mapping[int, int],
        *,
        at: dt.datetime = NIGHT,
    ) -> CageCount:
        return cage_counts.count_desk(
            desk=self.desk, moment=moment, chips_counted=chips, cash=notes, with_=self.other, by=self.by(at)
        )


@kept
def a_cage(house: House) -> Cage:
    """A desk open for its shift with `CHIPS` and `CASH`, out of `CAPITAL` in the vault."""
    with clock.standing_at(FOUNDED):
        by = house.by(Role.ADMINISTRATOR, FOUNDED, "apertura de la caja")
        desk = desks.set_desk(number=1, name="Ventanilla 1", by=by)
        second = create_user(
            username=f"{house.casino.code}-cage2",
            name="Otra cajera",
            password=PASSWORD,
            roles=[Role.CAGE],
            by=by,
        )
    found = Cage(house, desk, second)
    funds.bring_capital(amount=CAPITAL, document="Acta 1/2026", with_=found.other, by=found.by(BEFORE))
    found.transfer("to_cage", CHIPS, CASH, at=BEFORE)
    found.count("opening", CHIPS, CASH, at=BEFORE)
    return found


def in_notes(house: House, amount: int) -> dict[int, int]:
    """An amount in the fewest notes and coins."""
    found = {}
    for piece in cash.pieces_of(house.casino):
        found[piece], amount = divmod(amount, piece)
    assert amount == 0
    return found
