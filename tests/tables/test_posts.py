"""Who may stand at a table: one post at a time, licensed, qualified, relieved in order."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, transaction

from casino.kernel.permissions import Role
from tables import openings, people, sessions
from tables.models import Assignment, TableSession
from tests.builders import NATURAL, NIGHT, House
from tests.tables.refusing import refused
from tests.tables.test_sessions import MINUTE, nothing_opened, opening


@pytest.mark.rule("FLOOR-02")
def test_punto_y_banca_is_opened_with_a_caller(house: House) -> None:
    session = house.open_table(game="baccarat.punto_banca", seats=9)
    assert Assignment.objects.filter(session=session, post="caller", staff=house.dealers[0]).exists()


@pytest.mark.rule("FLOOR-01")
def test_nobody_deals_at_two_tables(house: House) -> None:
    house.open_table()
    other = house.table()
    with refused("staff_busy", "FLOOR-01"):
        openings.open_session(**opening(house, other, supervisor=house.supervisors[1]))
    assert not TableSession.objects.filter(table=other).exists()


@pytest.mark.rule("FLOOR-01")
def test_the_database_itself_keeps_a_person_at_one_table(house: House) -> None:
    first = house.open_table()
    second = house.open_table(dealer=1, supervisor=1)
    with pytest.raises(IntegrityError, match="one_post_at_a_time"), transaction.atomic():
        turn = Assignment.objects.get(session=first, staff=house.dealers[0]).during
        Assignment.objects.create(
            casino=house.casino, session=second, staff=house.dealers[0], post="payer", during=turn
        )


def test_an_expired_licence_opens_no_table(house: House) -> None:
    table = house.table()
    day = dt.date(2026, 11, 20)
    lapsed = house.person(licence_expires=day - dt.timedelta(days=1))
    with refused("licence_expired"):
        openings.open_session(**opening(house, table, dealer=lapsed))
    assert nothing_opened(table)
    last_day = house.person(licence_expires=day)
    assert openings.open_session(**opening(house, table, dealer=last_day)).state == "open"


@pytest.mark.rule("FLOOR-02")
def test_people_are_qualified_for_their_post(house: House) -> None:
    table = house.table()
    with refused("not_qualified", "FLOOR-02"):
        openings.open_session(**opening(house, table, dealer=house.person(games=["baccarat.midi"])))
    with refused("not_a_supervisor", "FLOOR-02"):
        openings.open_session(**opening(house, table, supervisor=house.dealers[1]))
    assert nothing_opened(table)


@pytest.mark.rule("FLOOR-02")
def test_payers_are_as_many_as_the_game_has(house: House) -> None:
    mini = house.table()
    with refused("too_many_payers", "FLOOR-02"):
        openings.open_session(**opening(house, mini, payers=[house.dealers[1]]))
    big = house.table(game="baccarat.punto_banca", seats=9)
    session = openings.open_session(**opening(house, big, payers=[house.dealers[1], house.dealers[2]]))
    assert Assignment.objects.filter(session=session, post="payer").count() == 2


def test_someone_out_of_service_stands_at_no_table(house: House) -> None:
    table = house.table()
    gone = house.person(active=False)
    with refused("staff_not_active"):
        openings.open_session(**opening(house, table, dealer=gone))
    session = house.open_table(table)
    with refused("staff_busy", "FLOOR-01"):
        staff = house.dealers[0]
        people.set_staff(
            staff=staff, number=staff.number, name=staff.name, licence=staff.licence,
            licence_expires=staff.licence_expires, games=staff.games, active=False,
            by=house.by(Role.ADMINISTRATOR, reason="baja"),
        )  # fmt: skip
    assert session.state == "open"


@pytest.mark.rule("FLOOR-01")
def test_a_relief_ends_one_turn_and_begins_another(house: House) -> None:
    session = house.open_table()
    later = NIGHT + 30 * MINUTE
    sessions.relieve(
        session=session, staff=house.dealers[1], post="dealer", by=house.by(Role.SUPERVISOR, later)
    )
    turns = list(Assignment.objects.filter(session=session, post="dealer").order_by("pk"))
    assert [(t.staff, t.during.lower, t.during.upper) for t in turns] == [
        (house.dealers[0], NIGHT, later),
        (house.dealers[1], later, None),
    ]
    assert house.log(session, NATURAL, at=later).dealer == house.dealers[1]
    with refused("turn_ends_before_it_began", "FLOOR-01"):
        sessions.relieve(
            session=session, staff=house.dealers[2], post="dealer", by=house.by(Role.SUPERVISOR, later)
        )
    with refused("no_such_post", "FLOOR-02"):
        sessions.relieve(
            session=session, staff=house.dealers[2], post="caller", by=house.by(Role.SUPERVISOR, later)
        )
