"""A floor with a player's bank for the tests of its pages: an open table, acts on its panel, an auction."""

from __future__ import annotations

import uuid
from typing import Any

from django.test import Client

from casino.kernel.permissions import Role
from tables.bank import auctions, handing, opening, passing
from tables.bank.turns import due
from tables.guests import seats
from tables.models import Auction, Bank, BankPassage, SeatTaking
from tests.api.building import House
from tests.kept import kept
from tests.pages.building import Floor, make_floor
from tests.pages.test_rounds import screen

# The table: 10,00 to 1.000,00, the smallest chip 5,00 (tests/pages/building.py).
# Punto 2 + K = 2, banca 4 + 5 = 9: a natural of banca. Punto 9 + K = 9: a natural of punto over 4 + K = 4.
BANCA, PUNTO = ("2s", "4h", "kd", "5d"), ("9s", "4c", "kh", "ks")


@kept
def a_floor(house: House) -> Floor:
    """An open table with a player's bank; players J1, J3 and J5 on seats 1, 3 and 5."""
    made = make_floor(house, "full", "baccarat.banked")
    session = made.open()
    for number in (1, 3, 5):
        seats.seat(session=session, seat=number, alias=f"J{number}", by=made.by(Role.SUPERVISOR))
    return made


def at(seat: int) -> SeatTaking:
    return SeatTaking.objects.get(seat=seat, during__endswith=None)


def open_bank(floor: Floor, seat: int = 5, amount: int = 10_000) -> Bank:
    session = floor.sessions[-1]
    return opening.open_bank(session=session, taking=at(seat), amount=amount, by=floor.by(Role.SUPERVISOR))


def act(client: Client, **fields: Any) -> Any:
    return client.post("/mesas/PB-01/banco/acto/", {"form": str(uuid.uuid4()), **fields})


def to_auction(floor: Floor, form: str = "outcry") -> Auction:
    """Bank of seat 5, one round won, passed on; nobody takes it; for auction."""
    bank = open_bank(floor)
    screen(floor).type("p 1 100", "", *BANCA, "")
    passage = handing.pass_bank(bank=bank, by=floor.by(Role.SUPERVISOR))
    while passage.step != BankPassage.Step.AUCTION:
        by = floor.by(Role.SUPERVISOR)
        place = due(floor.sessions[-1], passage, by.occurred_at)
        assert place is not None
        passing.decline_bank(passage=passage, taking=SeatTaking.objects.get(pk=place.taking), by=by)
        passage.refresh_from_db()
    return auctions.open_auction(passage=passage, form=form, by=floor.by(Role.SUPERVISOR))
