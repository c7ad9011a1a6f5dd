"""What of a slip is flagged: a float of unusual size (FLOOR-09), a row changed behind the trail."""

from __future__ import annotations

import pytest
from django.db import connection

from audits.models import Event
from tables.money import floats
from tests.builders import BOB, FLOAT, FLOAT_TOTAL, House
from tests.money.slip_builders import FILL_TOTAL, a_counter
from tests.money.test_slips import faults


@pytest.mark.rule("FLOOR-09")
def test_a_float_below_so_many_minimums_is_flagged(house: House) -> None:
    """3.000 minimums of 25 are 75.000: a float of 22.500 is below, one of 75.000 is not."""
    session = house.open_table()
    flag = floats.float_flag(session)
    assert flag is not None
    assert (flag.code, flag.amount, flag.usual) == ("float_below_usual", FLOAT_TOTAL, 75_000 * BOB)
    enough = house.open_table(chips={1_000 * BOB: 75}, dealer=1, supervisor=1)
    assert floats.float_flag(enough) is None
    assert floats.usual_float("roulette.european", session.limits) is None


@pytest.mark.rule("FLOOR-09")
def test_a_fill_other_than_the_first_float_is_flagged(house: House) -> None:
    counter = a_counter(house)
    flag = floats.slip_flag(counter.ask())
    assert flag is not None
    assert (flag.amount, flag.usual) == (FILL_TOTAL, FLOAT_TOTAL)
    assert floats.slip_flag(counter.ask(chips=FLOAT)) is None
    assert floats.slip_flag(counter.ask("credit")) is None
    told = Event.objects.filter(action="tables.slip.requested").order_by("pk")
    assert ["FLOOR-09" in event.rules for event in told] == [True, False, False]


# ---- what the proofs find ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("UPDATE tables_slip SET total = total + 100", "sum"),
        ("UPDATE tables_slip SET runner = 'Otra'", "issued"),
        ("UPDATE tables_slip SET voided_by_id = verified_by_id, verified_by_id = NULL, state = 'void',"
         " voided_with_id = requested_by_id, void_reason = 'x'", "state"),
        ("UPDATE tables_slip SET number = 7", "slip_numbers"),
        ("UPDATE tables_tablesession SET fills = fills + 100", "fills"),
        ("UPDATE tables_chipmove SET number = number + 1 WHERE kind = 'fill'", "row"),
        ("UPDATE tables_chipstock SET number = number + 1", "stock"),
        ("DELETE FROM tables_chipmove WHERE kind = 'fill'", "row"),
        ("UPDATE audits_posting SET debit = debit * 2, credit = credit * 2 WHERE memo = 'fill'", "debit"),
    ],
)  # fmt: skip
def test_a_tampered_row_is_found(house: House, change: str, found: str) -> None:
    a_counter(house).done()
    assert faults(house) == []
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(change)
    assert any(found in line for line in faults(house))
