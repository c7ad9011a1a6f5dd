"""A form of the bank or a bid that arrives several times at once is one act; screens close it once."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest

from casino.kernel import clock
from casino.kernel.permissions import Role
from tables.bank import auctions, handing, opening, passing
from tables.bank.turns import due
from tables.guests import seats
from tables.models import Auction, Bank, BankDeposit, BankPassage, Bid, SeatTaking
from tests.api.building import make_house
from tests.pages.building import Floor, make_floor
from tests.pages.test_rounds import screen
from tests.races.racing import race

pytestmark = pytest.mark.race


@pytest.fixture
def floor(transactional_db: None) -> Floor:
    """Seat 5 has the bank with 100; seats 1 and 3 play."""
    made = make_floor(make_house(), "full", "baccarat.banked")
    session = made.open()
    for number in (1, 3, 5):
        seats.seat(session=session, seat=number, alias=f"J{number}", by=made.by(Role.SUPERVISOR))
    taking = SeatTaking.objects.get(seat=5)
    opening.open_bank(session=session, taking=taking, amount=10_000, by=made.by(Role.SUPERVISOR))
    return made


def auction_of(floor: Floor) -> Auction:
    # Punto 2 + K = 2, banca 4 + 5 = 9: the bank has dealt and may be passed on.
    screen(floor).type("p 1 100", "", "2s", "4h", "kd", "5d", "")
    passage = handing.pass_bank(bank=Bank.objects.get(), by=floor.by(Role.SUPERVISOR))
    while passage.step != BankPassage.Step.AUCTION:
        by = floor.by(Role.SUPERVISOR)
        place = due(floor.sessions[-1], passage, by.occurred_at)
        assert place is not None
        passing.decline_bank(passage=passage, taking=SeatTaking.objects.get(pk=place.taking), by=by)
        passage.refresh_from_db()
    return auctions.open_auction(passage=passage, form="outcry", by=floor.by(Role.SUPERVISOR))


@pytest.mark.rule("BANK-14")
def test_one_form_five_times_at_once_adds_once(floor: Floor) -> None:
    form = {"do": "add", "bank": Bank.objects.get().pk, "amount": "50", "form": str(uuid.uuid4())}
    clients = [floor.client(Role.SUPERVISOR) for _ in range(5)]
    answers = race(*(lambda c=c: c.post("/mesas/PB-01/banco/acto/", form).status_code for c in clients))
    assert answers == [302] * 5
    # 100 first, 50 added once.
    assert sorted(BankDeposit.objects.values_list("amount", flat=True)) == [5_000, 10_000]
    assert Bank.objects.get().amount == 15_000


@pytest.mark.rule("BANK-10")
def test_one_bid_five_times_at_once_is_one_bid_and_five_closes_one_award(floor: Floor) -> None:
    auction = auction_of(floor)
    clients = [floor.client(Role.SUPERVISOR) for _ in range(5)]
    sent = {"seats": "3", "amount": "100", "form": str(uuid.uuid4())}

    def post(client: Any, verb: str, fields: dict[str, str]) -> int:
        address = f"/subastas/{auction.pk}/{verb}/"
        status: int = client.post(address, fields, headers={"HX-Request": "true"}).status_code
        return status

    assert race(*(lambda c=c: post(c, "pujar", sent) for c in clients)) == [200] * 5
    assert Bid.objects.count() == 1
    auction.refresh_from_db()
    over = auction.closes_at + dt.timedelta(milliseconds=1)

    def close(client: Any) -> int:
        with clock.standing_at(over):  # of this thread alone
            return post(client, "cerrar", {"form": str(uuid.uuid4())})

    assert race(*(lambda c=c: close(c) for c in clients)) == [200] * 5
    assert Bank.objects.filter(state="awarded").count() == 1
