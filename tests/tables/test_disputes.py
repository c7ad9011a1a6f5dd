"""A table in dispute keeps its cards in view: its page offers no other shoe (GEN-08)."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from audits import incidents
from casino.kernel.permissions import Role
from tables import disputes
from tables.models import TableSession
from tests.builders import NIGHT, House, a_house

MINUTE = dt.timedelta(minutes=1)
CHANGE = ">Poner otro sabot<", ">Cambiar sabot<"


def shown(house: House, session: TableSession) -> str:
    client = Client()
    client.force_login(house.users[Role.SUPERVISOR])
    client.cookies["django_language"] = "es-bo"
    return str(client.get(f"/mesas/{session.table.name}/").content.decode())


@pytest.mark.rule("GEN-08")
def test_a_table_in_dispute_is_offered_no_other_shoe(house: House) -> None:
    session = house.open_table()
    assert CHANGE[1] in shown(house, session)
    by = house.by(Role.SUPERVISOR, NIGHT + MINUTE)
    incident = disputes.open_dispute(session=session, claims="dice que apostó a banca", seat=3, by=by)
    page = shown(house, session)
    assert incident.label in page and "la mesa está detenida" in page.lower()
    assert not any(words in page for words in CHANGE)
    incidents.resolve_incident(
        incident=incident, resolution="se paga como quedó en el paño", rule_applied="GEN-08",
        with_=house.users[Role.SUPERVISOR].actor, by=house.by(Role.PIT_BOSS, NIGHT + 3 * MINUTE),
    )  # fmt: skip
    assert CHANGE[1] in shown(house, session)


@pytest.mark.rule("GEN-08")
def test_a_table_stopped_for_its_cards_is_offered_others(house: House) -> None:
    session = house.open_table()
    incidents.report_incident(
        kind=incidents.OTHER, summary="carta marcada en el sabot", table_label=session.table.name,
        freezes=True, by=house.by(Role.SUPERVISOR, NIGHT + MINUTE),
    )  # fmt: skip
    page = shown(house, session)
    assert all(words in page for words in CHANGE)


@pytest.fixture
def house(db: None) -> House:
    return a_house()
