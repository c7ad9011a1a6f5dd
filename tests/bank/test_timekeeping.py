"""Auctions closed by the house's clock: each that is due, once, whatever befalls another."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from audits.models import Event
from casino.kernel import clock
from casino.kernel.errors import Conflict
from casino.kernel.words import same
from casino.settings import CELERY_BEAT_SCHEDULE
from tables.bank import auctions, timekeeping
from tables.models import Auction
from tests.bank.auction_nights import passed
from tests.bank.builders import BankTable
from tests.builders import BOB, House

pytestmark = pytest.mark.rule("BANK-10")
MILLISECOND = dt.timedelta(milliseconds=1)


def looked(at: dt.datetime) -> int:
    with clock.standing_at(at):
        return timekeeping.close_due_all()


def running(house: House) -> tuple[BankTable, Auction]:
    table = passed(house, 2, 4)
    auction = table.auction()
    table.bid(auction, 2, 30 * BOB)
    return table, auction


def test_an_auction_is_closed_when_its_time_is_up_and_not_before(house: House) -> None:
    _table, auction = running(house)
    assert looked(auction.closes_at - MILLISECOND) == 0
    assert looked(auction.closes_at) == 1
    auction.refresh_from_db()
    assert (auction.state, auction.closed_at) == ("awarded", auction.closes_at)
    event = Event.objects.get(action="tables.auction.awarded")
    assert (event.actor.kind, event.actor.name) == ("system", "auctions")


def test_looking_again_changes_nothing(house: House) -> None:
    _table, auction = running(house)
    assert [looked(auction.closes_at), looked(auction.closes_at + dt.timedelta(seconds=3))] == [1, 0]
    assert Event.objects.filter(action="tables.auction.awarded").count() == 1


@pytest.mark.parametrize("failure", [Conflict(same("ocupada"), code="busy"), RuntimeError("avería")])
def test_one_that_fails_holds_up_no_other_and_is_tried_again(
    house: House, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    _one, first = running(house)
    _other, second = running(house)
    real = auctions.close_auction

    def failing(*, auction: Auction, by: Any) -> Auction:
        if auction.pk == first.pk:
            raise failure
        return real(auction=auction, by=by)

    due = max(first.closes_at, second.closes_at)
    with monkeypatch.context() as patched:
        patched.setattr(auctions, "close_auction", failing)
        assert looked(due) == 1
    states = dict(Auction.objects.values_list("pk", "state"))
    assert states == {first.pk: "open", second.pk: "awarded"}
    assert looked(due) == 1


def test_the_house_looks_every_few_seconds() -> None:
    asked = [entry for entry in CELERY_BEAT_SCHEDULE.values() if entry["task"] == "tables.close_auctions"]
    assert len(asked) == 1 and asked[0]["schedule"] <= 5
