"""What is laid again as rows is what the write functions made, and only for who builds the same."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction

from audits.verify import ledger_faults, trail_faults
from casino.kernel import clock
from casino.kernel.permissions import Role
from tables import people
from tables.models import TableSession
from tests import kept
from tests.builders import NATURAL, NIGHT, House, a_house


@contextmanager
def undone() -> Iterator[None]:
    """As between two tests: what was written is taken back."""
    point = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(point)


def told(detail: str = "cards") -> tuple[House, TableSession, dict[str, list[str]]]:
    """A house with an open table, and every row of the database; nothing of it is left."""
    with undone():
        house = a_house()
        session = house.open_table(detail=detail)
        return house, session, everything()


def everything() -> dict[str, list[str]]:
    found = {}
    with connection.cursor() as cursor:
        for table in kept._tables():
            cursor.execute(f"SELECT t::text FROM {table} t ORDER BY 1")
            found[table] = [row[0] for row in cursor.fetchall()]
    return found


def test_the_rows_and_what_is_returned_are_those_that_were_built(db: None) -> None:
    house, session, built = told()
    again, laid, rows = told()
    assert rows == built
    assert (again.casino.pk, laid.pk) == (house.casino.pk, session.pk)
    assert laid is not session
    names = [field.attname for field in TableSession._meta.concrete_fields]
    assert [getattr(laid, name) for name in names] == [getattr(session, name) for name in names]


def test_what_is_laid_again_stands_every_proof_and_is_played_on(db: None) -> None:
    told()
    house = a_house()
    session = house.open_table()
    assert house.log(session, NATURAL).number == 1
    assert [*trail_faults(house.casino), *ledger_faults(house.casino)] == []


def test_two_houses_of_one_test_are_two(db: None) -> None:
    told()
    assert a_house().casino.pk != a_house().casino.pk


def test_other_arguments_make_another(db: None) -> None:
    told()
    _, session, _ = told(detail="full")
    assert session.detail == "full"


def test_a_house_to_which_something_was_done_is_gone_on_with(db: None) -> None:
    told()
    house = a_house()
    dealer = house.dealers[0]
    by = house.by(Role.ADMINISTRATOR, NIGHT, "cambió de nombre")
    people.set_staff(
        staff=dealer,
        number=dealer.number,
        name="Otro Nombre",
        licence=dealer.licence,
        licence_expires=dealer.licence_expires,
        games=dealer.games,
        supervises=False,
        by=by,
    )
    session = house.open_table()
    assert session.assignments.get(staff=dealer).staff.name == "Otro Nombre"
    assert list(trail_faults(house.casino)) == []


def test_the_same_at_another_instant_is_another(db: None) -> None:
    seen = []
    for hours in (1, 2):
        with undone(), clock.standing_at(NIGHT + dt.timedelta(hours=hours)):
            seen.append(a_house().casino.pk)
    assert seen[0] != seen[1]


@pytest.mark.parametrize("within", [False, True])
def test_a_test_that_patched_the_product_builds_its_own(
    db: None, monkeypatch: pytest.MonkeyPatch, within: bool
) -> None:
    told()
    names: list[str] = []
    original = people.set_staff

    def noted(**given: Any) -> Any:
        names.append(given["name"])
        return original(**given)

    with pytest.MonkeyPatch.context() as patch:
        (patch if within else monkeypatch).setattr(people, "set_staff", noted)
        house = a_house()
    assert names == [person.name for person in (*house.dealers, *house.supervisors)]


def test_what_stands_on_a_house_built_anew_is_built_anew(db: None) -> None:
    told()
    house, first, _ = told(detail="full")
    for key, one in list(kept._found.items()):
        if one.casino == house.casino.pk and "a_house" in key:
            del kept._found[key]
    other, second, _ = told(detail="full")
    assert other.casino.pk != house.casino.pk
    assert (second.casino, second.pk > first.pk) == (other.casino, True)


def test_what_was_built_of_pieces_laid_again_is_laid_again_whole(db: None) -> None:
    with undone():
        a_house().ready_shoe()
    _, session, _ = told()
    _, again, _ = told()
    assert again.pk == session.pk
