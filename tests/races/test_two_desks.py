"""Fills and credits of two tables and two desks, taken in opposite order by two at once.

Case DJA-026 says it of two progressive pools: every row is locked in one order for all, so that nobody meets
a deadlock and no movement is lost. Pools do not exist yet: their version of the case belongs with them. What
stands for them here is what two people do take in opposite order: tables, desks, denominations.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import pytest

from audits import ledger
from audits.verify import ledger_faults
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables.models import TableSession
from tables.money import chip_counts, inventory, slip_proofs, slips
from tests.builders import BOB, FLOAT, House
from tests.money.slip_builders import LATER, NOON, Counter, a_desk, stocked
from tests.races.racing import race
from tests.races.test_slips import counters

pytestmark = pytest.mark.race

TURNS = 12
FILL = {25 * BOB: 2, 100 * BOB: 1, 500 * BOB: 1}
"""50 + 100 + 500 = 650 out of a desk."""
CREDIT = {500 * BOB: 1, 100 * BOB: 1, 25 * BOB: 1}
"""500 + 100 + 25 = 625 back to it; the denominations, too, in opposite order."""
STOCK = {25 * BOB: 200, 100 * BOB: 50, 500 * BOB: 50}
"""5.000 + 5.000 + 25.000 = 35.000 in each desk."""


def pairs(house: House) -> list[list[Counter]]:
    """Each of two tables with each of two desks that hold chips."""
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
    return [[Counter(house, table.session, desk) for desk in desks] for table in tables]


def carry(
    kind: str, chips: Mapping[int, int], order: Sequence[Counter], together: threading.Barrier
) -> list[str]:
    """Slips at each pair in turn, over and over, verified at the instant the other's are; their states."""
    states = []
    try:
        for counter in [*order] * TURNS:
            slip = counter.issue(counter.ask(kind, chips))
            dealer = counter.session.assignments.get(post="dealer").staff
            by = counter.house.by(Role.PIT_BOSS, LATER)
            together.wait(timeout=30)
            states.append(slips.verify_slip(slip=slip, chips=chips, dealer=dealer, by=by).state)
    except SabotError:
        together.abort()  # the other does not wait for who was refused
        raise
    return states


@pytest.mark.rule("FLOOR-06", "FLOOR-07")
def test_dja_026_tables_and_desks_in_opposite_order_lose_nothing(house: House) -> None:
    """One fills table 1 from both desks and then table 2; the other credits table 2 to both and then table 1:
    always one desk at once, twelve times over, 96 slips."""
    (first, second), together = pairs(house), threading.Barrier(2)
    answers = race(
        lambda: carry("fill", FILL, [*first, *second], together),
        lambda: carry("credit", CREDIT, [*second, *first], together),
    )
    # Whatever was refused, a deadlock (`Busy`) too, would stand here in place of the list.
    assert answers == [["verified"] * 4 * TURNS] * 2
    # Each table and each desk has 24 fills of 650 and 24 credits of 625, 15.600 and 15.000; of chips 48 of 25
    # one way and 24 the other, of 100 and 500 24 each way.
    for pair in (first[0], second[1]):
        session = TableSession.objects.get(pk=pair.session.pk)
        assert (session.fills, session.credits) == (15_600 * BOB, 15_000 * BOB)
        assert inventory.stock_of(house.casino, inventory.tray(session)) == {**FLOAT, 25 * BOB: 100 + 24}
        assert ledger.balance(house.casino, pair.desk.account) == (35_000 - 15_600 + 15_000) * BOB
        assert inventory.stock_of(house.casino, pair.desk.account) == {**STOCK, 25 * BOB: 200 - 24}
    faults = [slip_proofs.slip_trail_faults, slip_proofs.slip_money_faults, ledger_faults]
    assert [fault for proof in faults for fault in proof(house.casino)] == []
