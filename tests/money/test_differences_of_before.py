"""Openings of before their differences were rows: the upgrade makes them of what the events tell."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.db import connection

from tables.models import OpeningDifference
from tables.money.box_proofs import box_faults
from tests.builders import BOB, CLOSING_TIME, House

MIGRATION = import_module("tables.migrations.0013_drop_boxes")


def rows() -> set[tuple[object, ...]]:
    return {
        (one.session_id, one.previous_id, tuple(sorted(one.chips.items())), one.total)
        for one in OpeningDifference.objects.all()
    }


@pytest.mark.rule("FLOOR-05")
def test_the_upgrade_writes_the_differences_the_house_would_have_kept(house: House) -> None:
    first = house.open_table()
    house.close(first, {25 * BOB: 100, 100 * BOB: 100, 500 * BOB: 20})
    # One chip of 25 less than the closing, at the same table; and a table opened for the first time.
    again = house.open_table(
        first.table, at=CLOSING_TIME, chips={25 * BOB: 99, 100 * BOB: 100, 500 * BOB: 20}
    )
    house.open_table(dealer=1, supervisor=1)
    written = rows()
    previous = first.counts.get(moment="closing")
    assert written == {(again.pk, previous.pk, (("2500", -1),), -25 * BOB)}
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("DELETE FROM tables_openingdifference")
        cursor.execute("SET LOCAL session_replication_role = origin")
        assert [fault.where for fault in box_faults(house.casino)] != []
        cursor.execute(MIGRATION.DIFFERENCES_OF_BEFORE.sql)
    assert rows() == written
    assert list(box_faults(house.casino)) == []
