"""What lies in a box: notes, coins, dollars, chips and papers, reckoned alike by both teams (FLOOR-11)."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables.models import TableSession
from tables.money import box_counts
from tables.money.box_contents import found
from tables.money.box_proofs import box_faults
from tests.builders import BOB, CLOSING_TIME, FLOAT, House
from tests.money import box_builders as built
from tests.money.test_boxes import BOLIVIA
from tests.tables.refusing import refused

MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def house(room: House) -> House:
    """The module's own, with its teams; each test begins from it as it was built."""
    return room


@pytest.fixture
def closed(house: House) -> TableSession:
    return house.close(house.open_table(detail="full"), FLOAT)


@pytest.mark.rule("FLOOR-11")
def test_notes_coins_dollars_chips_and_papers_add_up() -> None:
    count = found(
        BOLIVIA,
        {"BOB": {20_000: 3, 50: 4, 10: 0}, "USD": {2_000: 2}, "CHIP": {2_500: 2}},
        [
            {"kind": "voucher", "number": " V-1 ", "amount": 1_500},
            {"kind": "slip", "number": "F-1", "amount": 0},
        ],
    )
    # 3 x 200 + 4 x 0,50 = 602,00; 40 dollars at 6,96 = 278,40; 2 chips of 25 = 50,00; the voucher 15,00.
    assert count.total == 60_200 + 27_840 + 5_000 + 1_500
    assert count.rates == {"USD": 69_600}
    assert count.contents["BOB"] == {"50": 4, "20000": 3}
    assert [paper["number"] for paper in count.documents] == ["F-1", "V-1"]
    # A dollar cent at 6,96 is 6,96 centavos: the fraction is dropped.
    assert found(BOLIVIA, {"USD": {1: 1}}, []).total == 6


@pytest.mark.rule("FLOOR-11")
@pytest.mark.parametrize(
    ("pieces", "papers", "code"),
    [
        ({"BOB": {30_000: 1}}, [], "unknown_denomination"),
        ({"USD": {300: 1}}, [], "unknown_denomination"),
        ({"CHIP": {1_000: 1}}, [], "unknown_denomination"),
        ({"EUR": {-500: 1}}, [], "unknown_denomination"),
        ({"EUR": {500: 1}}, [], "no_rate"),
        ({"euros": {500: 1}}, [], "unknown_currency"),
        ({"BOB": {20_000: -1}}, [], "bad_count"),
        ({"BOB": {20_000: 1_000_001}}, [], "bad_count"),
        ({"BOB": {20_000: True}}, [], "bad_count"),
        ({}, [{"kind": "banknote", "number": "1", "amount": 0}], "bad_document"),
        ({}, [{"kind": "slip", "number": "F-1", "amount": 1}], "bad_document"),
        ({}, [{"kind": "voucher", "number": " ", "amount": 1}], "bad_document"),
        ({}, [{"kind": "voucher", "number": "V-1", "amount": -1}], "bad_document"),
    ],
)
def test_a_line_that_cannot_be_is_refused(pieces: Any, papers: Any, code: str) -> None:
    with pytest.raises(SabotError) as refusal:
        found(BOLIVIA, pieces, papers)
    assert (refusal.value.code, refusal.value.rule) == (code, "FLOOR-11")


@pytest.mark.rule("FLOOR-11")
def test_both_teams_reckon_with_one_rate(house: House, closed: TableSession) -> None:
    cage = house.by(Role.CAGE, CLOSING_TIME)
    with clock.standing_at(CLOSING_TIME):
        box_counts.set_rate(currency="usd", rate=69_600, by=cage)
    with refused("unknown_currency"):
        box_counts.set_rate(currency="BOB", rate=10_000, by=cage)
    dollars = {"contents": {"USD": {10_000: 1}}, "documents": []}
    box = built.received(house, closed, at=CLOSING_TIME)
    built.count(box, 1, dollars, at=CLOSING_TIME)
    with clock.standing_at(CLOSING_TIME):
        box_counts.set_rate(currency="USD", rate=70_000, by=cage)
    box = built.count(box, 2, dollars, at=CLOSING_TIME + MINUTE)
    # 100 dollars at the 6,96 in force when the first team counted.
    assert (box.state, box.amount) == ("settled", 696 * BOB)
    assert list(box_faults(house.casino)) == []
