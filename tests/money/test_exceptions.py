"""Nothing is final while an exception is open (REC-08): a dispute about a session, as an incident of its
money.
"""

from __future__ import annotations

import datetime as dt

import pytest

from audits.incidents import resolve_incident
from casino.kernel.permissions import Role
from tables import duties, floor_settings, results
from tables.disputes import open_dispute
from tables.money import reconciling, tax_figures, tips
from tests.builders import BOB, CLOSING_TIME, FLOAT, NIGHT, House
from tests.tables.refusing import refused

MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def house(room: House) -> House:
    return room


@pytest.mark.rule("REC-08", "GEN-08")
def test_a_result_is_not_final_before_the_dispute_about_its_table_is_settled(house: House) -> None:
    figures = {"ij_base": "net_of_prizes_and_returns", "ij_document": "Dictamen 12/2026"}
    floor_settings.set_floor(figures=figures, by=house.by(Role.ADMINISTRATOR, reason="dictamen del asesor"))
    session = house.open_table()
    by = house.by(Role.SUPERVISOR, NIGHT + 5 * MINUTE)
    incident = open_dispute(session=session, claims="reclama su apuesta a banca", by=by)
    session = house.close(session, FLOAT, drop=1_000 * BOB)
    taxes = tax_figures.of_day(house.casino, session.day.date)
    assert (taxes.uncounted, taxes.exceptions, taxes.final) == (0, 1, False)
    assert [one.incident for one in results.outstanding(session)] == [incident.pk]
    boss, cage = house.by(Role.PIT_BOSS, CLOSING_TIME + 5 * MINUTE), house.users[Role.CAGE].actor
    with refused("exceptions_open", "REC-08"):
        reconciling.reconcile_session(session=session, with_=cage, by=boss)
    resolve_incident(
        incident=incident,
        resolution="se revisó la cinta: la apuesta no estaba puesta",
        rule_applied="GEN-08",
        with_=house.users[Role.COMPLIANCE].actor,
        by=boss,
    )
    assert tax_figures.of_day(house.casino, session.day.date).final
    assert reconciling.reconcile_session(session=session, with_=cage, by=boss).state == "reconciled"


@pytest.mark.rule("GEN-10")
def test_a_chief_of_another_pit_enters_no_tips_of_a_table_that_is_closed(house: House) -> None:
    mine, other = house.table(), house.table()
    session = house.close(house.open_table(other), FLOAT)
    by = house.by(Role.ADMINISTRATOR, reason="sectores de esta noche")
    duties.set_duties(user=house.users[Role.SUPERVISOR], pits=[mine.pit], by=by)
    with refused("not_your_pit"):
        tips.enter_tips(
            session=session,
            chips_counted={25 * BOB: 2},
            by=house.by(Role.SUPERVISOR, CLOSING_TIME + MINUTE),
        )
