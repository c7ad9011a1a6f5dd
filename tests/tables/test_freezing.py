"""A table stopped by an incident takes no round until two people resolved it (GEN-08)."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audits import incidents
from audits.by import by_system
from audits.models import Incident
from audits.verify import trail_faults
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from shoes import watch
from shoes.changing import report_fault
from shoes.detecting import order
from shoes.detecting.finding import Finding
from shoes.models import Deck, Shoe
from tables import reshuffling, rounds, sessions, settings
from tables.models import Round, TableSession
from tests.builders import CLOSING_TIME, FLOAT, NATURAL, NIGHT, House
from tests.tables.refusing import refused

LATER = NIGHT + dt.timedelta(minutes=1)


def stopped(house: House, session: TableSession) -> Incident:
    """The table of a session stopped by an incident that somebody reports."""
    return incidents.report_incident(
        kind=incidents.DISPUTE,
        summary="un jugador discute el pago",
        table_label=session.table.name,
        freezes=True,
        by=house.by(Role.SUPERVISOR),
    )


def resolved(house: House, incident: Incident) -> None:
    incidents.resolve_incident(
        incident=incident,
        resolution="se vio la cámara: el pago fue correcto",
        rule_applied="GEN-08",
        with_=house.users[Role.PIT_BOSS].actor,
        by=house.by(Role.SUPERVISOR, LATER),
    )


@pytest.mark.rule("GEN-08")
def test_a_stopped_table_takes_no_round_until_it_is_resolved(house: House) -> None:
    session = house.open_table()
    incident = stopped(house, session)
    with refused("table_frozen", "GEN-08") as refusal:
        house.log(session, NATURAL)
    assert incident.label in refusal.value.message.es
    assert refusal.value.detail["incident"] == incident.label
    with refused("table_frozen", "GEN-08"):
        rounds.play(session=session, number=1, step=0, events=NATURAL[:1], by=house.by(Role.PIT_BOSS))
    assert not Round.objects.exists()
    resolved(house, incident)
    assert house.log(session, NATURAL, at=LATER).number == 1
    assert not [*trail_faults(house.casino)]


@pytest.mark.rule("GEN-08")
def test_a_round_in_progress_stands_still_with_its_cards_in_view(house: House) -> None:
    session, by = house.open_table(), house.by(Role.PIT_BOSS)
    rounds.play(session=session, number=1, step=0, events=NATURAL, by=by)
    incident = stopped(house, session)
    with refused("table_frozen"):
        rounds.settle(session=session, number=1, step=4, by=by)
    undo = {"e": "undo", "of": 4, "why": "mal leída"}
    with refused("table_frozen"):
        rounds.play(session=session, number=1, step=4, events=[undo], by=by)
    assert Shoe.objects.get(pk=session.shoe_id).dealt == 4
    resolved(house, incident)
    settled = rounds.settle(session=session, number=1, step=4, by=house.by(Role.PIT_BOSS, LATER))
    assert settled.state == Round.State.SETTLED


@pytest.mark.rule("GEN-08")
def test_a_stopped_table_may_give_up_its_round_change_its_cards_and_close(house: House) -> None:
    session = house.open_table()
    by = house.by(Role.PIT_BOSS, reason="mal repartida")
    rounds.play(session=session, number=1, step=0, events=NATURAL[:2], by=by)
    stopped(house, session)
    rounds.abandon(session=session, number=1, step=2, by=by)
    sessions.load_shoe(
        session=session, shoe=house.ready_shoe(), by=house.by(Role.SUPERVISOR, reason="cartas bajo revisión")
    )
    assert house.close(session, FLOAT).state == "closed"


@pytest.mark.rule("GEN-08")
def test_another_name_does_not_let_a_stopped_table_play(house: House) -> None:
    session = house.open_table()
    incident = stopped(house, session)
    house.close(session, FLOAT)
    table = session.table
    same: dict[str, Any] = {
        "pit": table.pit, "game": table.game, "seats": table.seats, "detail": table.detail, "table": table,
    }  # fmt: skip
    by = house.by(Role.ADMINISTRATOR, LATER, reason="otro nombre")
    with refused("table_frozen", "GEN-08"):
        settings.set_table(name="ZZ-09", by=by, **same)
    settings.set_table(name=table.name, by=by, **{**same, "active": False})  # what is no evasion goes on
    resolved(house, incident)
    assert settings.set_table(name="ZZ-09", by=by, **same).name == "ZZ-09"


@pytest.mark.rule("GEN-08")
def test_closing_and_opening_again_does_not_let_a_stopped_table_play(house: House) -> None:
    session = house.open_table()
    incident = stopped(house, session)
    house.close(session, FLOAT)
    again = house.open_table(session.table, at=CLOSING_TIME)
    assert again.frozen_by == incident
    with refused("table_frozen", "GEN-08"):
        house.log(again, NATURAL, at=CLOSING_TIME)


def test_each_open_incident_stops_it_and_other_tables_play_on(house: House) -> None:
    session, other = house.open_table(), house.open_table(dealer=1, supervisor=1)
    first, second = stopped(house, session), stopped(house, session)
    assert house.log(other, NATURAL).number == 1
    resolved(house, first)
    with refused("table_frozen") as refusal:
        house.log(session, NATURAL, at=LATER)
    assert refusal.value.detail["incident"] == second.label
    resolved(house, second)
    assert house.log(session, NATURAL, at=LATER).number == 1


def test_a_table_that_nothing_stopped_is_not_asked_about(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    with CaptureQueriesContext(connection) as asked:
        house.log(session, NATURAL)
    assert not [query for query in asked.captured_queries if "audits_incident" in query["sql"]]


@pytest.mark.rule("GEN-08", "CARD-42", "CARD-43")
def test_a_fault_in_the_cards_stops_the_table_and_keeps_them(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    incident = report_fault(
        shoe=session.shoe, fault="extra", cards=["9d"], words="una séptima", by=house.by(Role.CROUPIER)
    )
    assert incident is not None
    # One round was played with these cards since they were last counted.
    assert incident.facts["rounds"] == [
        {"session": session.label, "shoe": session.shoe.label, "first": 1, "last": 1}
    ]
    with refused("table_frozen", "GEN-08"):
        house.log(session, NATURAL)
    sessions.load_shoe(
        session=session, shoe=house.ready_shoe(), by=house.by(Role.SUPERVISOR, reason="falla en las cartas")
    )
    held = Deck.objects.filter(incident=incident)
    assert held.count() == 6 and set(held.values_list("state", flat=True)) == {"held"}
    with refused("table_frozen"):
        house.log(session, NATURAL)


@pytest.mark.rule("CARD-12", "CARD-14")
def test_settling_a_fault_does_not_bring_its_pack_back_into_play(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    incident = report_fault(
        shoe=session.shoe, fault="marked", cards=["9d"], words="una uña", by=house.by(Role.CROUPIER)
    )
    assert incident is not None
    resolved(house, incident)
    with refused("pack_faulty") as refusal:
        house.log(session, NATURAL, at=LATER)
    assert refusal.value.detail["incident"] == incident.label
    with refused("pack_faulty"):
        rounds.play(session=session, number=2, step=0, events=NATURAL[:1], by=house.by(Role.PIT_BOSS, LATER))
    chief = house.by(Role.SUPERVISOR, LATER, reason="se denunció una falla")
    with refused("pack_faulty"):
        reshuffling.reshuffle(session=session, by=chief)
    sessions.load_shoe(session=session, shoe=house.ready_shoe(), by=chief)
    assert house.log(session, NATURAL, at=LATER).number == 2
    assert not [*trail_faults(house.casino)]


@pytest.mark.rule("CARD-16", "CARD-22")
def test_a_pack_in_a_known_order_is_shuffled_again_before_another_round(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    finding = Finding(order.CODE, 1e-6, Text("palabras", "words"))
    alert = watch.raise_alert(shoe=session.shoe, finding=finding, by=by_system(house.casino, watch.JOB))
    assert alert.incident is not None
    later = alert.at + dt.timedelta(minutes=1)
    incidents.resolve_incident(
        incident=alert.incident,
        resolution="no se había barajado",
        rule_applied="CARD-22",
        with_=house.users[Role.PIT_BOSS].actor,
        by=house.by(Role.SUPERVISOR, later),
    )
    with refused("pack_faulty") as refusal:
        house.log(session, NATURAL, at=later)
    assert "barájelas" in refusal.value.message.es
    by = house.by(Role.SUPERVISOR, later, reason="salió ordenado")
    assert reshuffling.reshuffle(session=session, by=by).renews == session.shoe


@pytest.mark.rule("GEN-08", "REC-06")
def test_wiping_out_what_stops_a_table_is_found(house: House) -> None:
    session = house.open_table()
    stopped(house, session)
    TableSession.objects.filter(pk=session.pk).update(frozen_by=None)
    assert any("frozen" in fault.words.es for fault in trail_faults(house.casino))
