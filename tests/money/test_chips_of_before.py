"""Sessions of before the inventory: the upgrade gives them the moves that their counts tell of."""

from __future__ import annotations

from importlib import import_module

from django.db import connection

from tables.models import ChipMove, ChipStock
from tests.builders import BOB, House
from tests.money.test_slips import faults

MIGRATION = import_module("tables.migrations.0012_slips")


def rows() -> tuple[set[tuple[object, ...]], set[tuple[object, ...]]]:
    moves = ChipMove.objects.values_list("event", "kind", "denomination", "number", "source", "target")
    stocks = ChipStock.objects.exclude(number=0).values_list("place", "denomination", "number")
    return set(moves), set(stocks)


def test_the_upgrade_writes_what_the_house_would_have_written(house: House) -> None:
    first = house.open_table()
    house.close(first, {25 * BOB: 90, 100 * BOB: 105, 500 * BOB: 20})
    house.open_table(dealer=1, supervisor=1)
    written = rows()
    assert len(written[0]) == 3 + 3 + 2 + 3  # opening, closing, with the public, opening
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("DELETE FROM tables_chipmove")
        cursor.execute("DELETE FROM tables_chipstock")
        cursor.execute("SET LOCAL session_replication_role = origin")
        assert rows() == (set(), set())
        cursor.execute(MIGRATION.MOVES_OF_BEFORE.sql)
    assert rows() == written
    assert faults(house) == []
