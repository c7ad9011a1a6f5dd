"""Fills and credits of two tables and two desks, taken in opposite order by two at once.

Case DJA-026 says it of two progressive pools: every row is locked in one order for all, so that nobody meets a
deadlock and no movement is lost. Pools do not exist yet: their version of the case belongs with them. What
stands for them here is what two people do take in opposite order: tables, desks, denominations.
"""

from __future__ import annotations

import pytest

from audits import ledger
from audits.verify import ledger_faults
from casino.kernel.permissions import Role
from tables.models import TableSession
from tables.money import chip_counts, inventory, slip_proofs, slips
from tests.builders import BOB, FLOAT, House
from tests.money.slip_builders import LATER, NOON, Counter, a_desk, stocked
from tests.races.racing import race
from tests.races.test_slips import counters

pytestmark = pytest.mark.race

TURNS = 12
FILL, CREDIT = {25 * BOB: 2, 100 * BOB: 1}, {100 * BOB: 1, 25 * BOB: 1}
"""150 out of a desk and 125 back to it; the denominations, too, in opposite order."""
STOCK = {25 * BOB: 200, 100 * BOB: 50}
"""200 x 25 + 50 x 100 = 10.000 in each desk."""


def pairs(house: House) -> list[Counter]:
    """Each of two tables with each of two desks that hold chips: 1-1, 1-2, 2-1, 2-2."""
    stocked(house)
    tables = counters(house, 2)
    desks = [tables[0].desk, a_desk(house, 2)]
    for desk in desks:
        chip_counts.count_stock(
            place=desk.account,
            chips=STOCK,
            with_=house.users[Role.SUPERVISOR].actor,
            by=house.by(Role.CAGE, NOON),
        )
    return [Counter(house, table.session, desk) for table in tables for desk in desks]


def carry(counter: Counter, kind: str, chips: dict[int, int]) -> str:
    """A slip from its request to its verification; its state."""
    slip = counter.issue(counter.ask(kind, chips))
    dealer = counter.session.assignments.get(post="dealer").staff
    by = counter.house.by(Role.PIT_BOSS, LATER)
    return slips.verify_slip(slip=slip, chips=chips, dealer=dealer, by=by).state


@pytest.mark.rule("FLOOR-06", "FLOOR-07")
def test_dja_026_tables_and_desks_in_opposite_order_lose_nothing(house: House) -> None:
    """One fills at every pair of table and desk, from 1-1 to 2-2; the other credits from 2-2 to 1-1; twelve times
    over, 96 slips, three transactions each."""
    forward = pairs(house)
    backward = forward[::-1]

    def fills() -> list[str]:
        return [carry(pair, "fill", FILL) for _ in range(TURNS) for pair in forward]

    def credits() -> list[str]:
        return [carry(pair, "credit", CREDIT) for _ in range(TURNS) for pair in backward]

    # Whatever was refused, a deadlock (`Busy`) too, would stand here in place of the list.
    assert race(fills, credits) == [["verified"] * 4 * TURNS] * 2
    # Each table and each desk has 24 fills of 150 and 24 credits of 125: 3.600 and 3.000; of chips 48 of 25 one
    # way and 24 the other, 24 of 100 each way.
    for pair in (forward[0], forward[3]):
        session = TableSession.objects.get(pk=pair.session.pk)
        assert (session.fills, session.credits) == (3_600 * BOB, 3_000 * BOB)
        assert inventory.stock_of(house.casino, inventory.tray(session)) == {**FLOAT, 25 * BOB: 100 + 24}
        assert ledger.balance(house.casino, pair.desk.account) == (10_000 - 3_600 + 3_000) * BOB
        assert inventory.stock_of(house.casino, pair.desk.account) == {**STOCK, 25 * BOB: 200 - 24}
    faults = [slip_proofs.slip_trail_faults, slip_proofs.slip_money_faults, ledger_faults]
    assert [fault for proof in faults for fault in proof(house.casino)] == []
