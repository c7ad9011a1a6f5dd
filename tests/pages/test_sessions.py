"""Opening, relief, closing on a page: refusals beside fields, the count against what it should be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audits.models import Event
from casino.kernel.permissions import Role
from casino.models import Casino
from tables import rounds, sessions, settings
from tables.models import ChipCount, TableSession
from tests.pages.building import FLOAT, LIMITS, Floor, cards


def count(chips: dict[int, int]) -> dict[str, str]:
    """The count as typed: every denomination of the house, zero where there is none."""
    house = Casino.objects.get()
    return {f"n_{value}": str(chips.get(value, 0)) for value in house.denominations}


def opening(floor: Floor, **changed: Any) -> dict[str, Any]:
    given = {"shoe": floor.ready_shoe().pk, "dealer": floor.dealer.pk, "supervisor": floor.supervisor.pk}
    return {**given, **count(FLOAT), **changed}


def test_a_table_is_opened_on_its_counted_float(floor: Floor) -> None:
    response = floor.client(Role.SUPERVISOR).post("/mesas/PB-01/abrir/", opening(floor))
    assert response["Location"] == "/mesas/PB-01/"
    session = TableSession.objects.get()
    assert session.opening == 650_000  # 100 x 5,00 + 100 x 10,00 + 100 x 50,00
    assert session.counts.get().counted_by == floor.dealer


@pytest.mark.parametrize(
    ("changed", "beside"),
    [
        ({"shoe": ""}, "Elija uno de la lista"),
        ({"dealer": "999999"}, "Elija uno de la lista"),
        ({"n_500": "muchas"}, "La cantidad de fichas de 5,00 es un número entero desde cero"),
        ({"n_500": "-3"}, "La cantidad de fichas de 5,00 es un número entero desde cero"),
        ({"n_500": ""}, "Escriba cuántas fichas de 5,00 hay; si no hay ninguna, escriba 0"),
        ({"n_700": "3"}, "No hay fichas de 7.00"),
    ],
)
def test_what_will_not_do_is_said_on_the_form_and_nothing_opens(
    floor: Floor, changed: dict[str, str], beside: str
) -> None:
    response = floor.client(Role.SUPERVISOR).post("/mesas/PB-01/abrir/", opening(floor, **changed))
    said = response.content.decode()
    assert response.status_code == 422
    assert beside in said
    assert said.count('role="alert"') == 1
    assert TableSession.objects.count() == 0


@pytest.mark.rule("FLOOR-01")
def test_whoever_deals_elsewhere_is_not_offered_and_is_refused(floor: Floor) -> None:
    other = settings.set_table(
        name="PB-02", pit=floor.table.pit, game=floor.table.game, seats=7, detail="cards",
        by=floor.by(Role.ADMINISTRATOR, "otra mesa"),
    )  # fmt: skip
    settings.publish_limits(table=other, chip=500, spots=LIMITS, by=floor.by(Role.ADMINISTRATOR, "límites"))
    floor.open()
    client = floor.client(Role.SUPERVISOR)
    page = client.get("/mesas/PB-02/abrir/").content.decode()
    assert "Iván Condori" in page
    assert "Marta Rojas ·" not in page
    assert "En PB-01" in page[page.index("<dt>Marta Rojas</dt>") :]
    assert client.post("/mesas/PB-02/abrir/", opening(floor)).status_code == 422
    assert TableSession.objects.count() == 1


@pytest.mark.rule("GEN-10")
def test_the_two_signatures_are_two_people_and_stay_beside_their_field(floor: Floor) -> None:
    floor.open()
    given = {**count(FLOAT), "counted_by": floor.supervisor.pk, "witnessed_by": floor.supervisor.pk}
    response = floor.client(Role.SUPERVISOR).post("/mesas/PB-01/cerrar/", given)
    said = response.content.decode()
    assert response.status_code == 422
    assert "GEN-10" in said
    assert said.index('name="witnessed_by"') < said.index("dos personas distintas")
    assert ChipCount.objects.count() == 1


@pytest.mark.rule("FLOOR-05")
def test_the_count_is_held_against_the_previous_closing_as_it_is_typed(floor: Floor) -> None:
    floor.open()
    client = floor.client(Role.SUPERVISOR)
    closing = {**count({500: 90, 1_000: 100, 5_000: 100}), "counted_by": floor.dealer.pk}
    closed = client.post("/mesas/PB-01/cerrar/", {**closing, "witnessed_by": floor.supervisor.pk})
    assert closed.status_code == 302
    # Closed on 6.450,00; two chips of 10,00 more and one of 5,00 fewer make 15,00 more.
    said = client.post("/mesas/PB-01/conteo/", count({500: 89, 1_000: 102, 5_000: 100})).content.decode()
    assert "6.465,00" in said
    assert "+\N{THIN SPACE}15,00" in said
    assert "FLOOR-05" in said


@pytest.mark.rule("FLOOR-01")
def test_a_relief_ends_one_turn_and_begins_the_other(floor: Floor) -> None:
    session = floor.open()
    client = floor.client(Role.SUPERVISOR)
    page = client.get("/mesas/PB-01/relevo/").content.decode()
    assert "Iván Condori" in page
    done = client.post("/mesas/PB-01/relevo/", {"post": "dealer", "staff": floor.relief.pk})
    assert done.status_code == 302
    now = session.assignments.get(post="dealer", during__endswith=None)
    assert now.staff == floor.relief
    refused = client.post("/mesas/PB-01/relevo/", {"post": "supervisor", "staff": floor.dealer.pk})
    assert refused.status_code == 422
    assert "Marta Rojas no es jefe de mesa" in refused.content.decode()
    assert "FLOOR-02" in refused.content.decode()


@pytest.mark.rule("CARD-38")
def test_another_shoe_is_put_on_the_table(floor: Floor) -> None:
    session = floor.open()
    fresh = floor.ready_shoe()
    client = floor.client(Role.SUPERVISOR)
    assert fresh.label in client.get("/mesas/PB-01/sabot/").content.decode()
    early = client.post("/mesas/PB-01/sabot/", {"shoe": fresh.pk})
    assert early.status_code == 422
    assert "Indique el motivo" in early.content.decode()
    sessions.see_stop_card(session=session, by=floor.by(Role.SUPERVISOR))
    assert client.post("/mesas/PB-01/sabot/", {"shoe": fresh.pk}).status_code == 302
    session.refresh_from_db()
    assert session.shoe == fresh


@pytest.mark.rule("FLOOR-10")
def test_an_untouched_close_form_closes_nothing_and_signs_for_nobody(full: Floor) -> None:
    session = full.open()
    client = full.client(Role.SUPERVISOR)
    assert "selected" not in client.get("/mesas/PB-01/cerrar/").content.decode().split("<main")[1]
    signed = {"counted_by": full.dealer.pk, "witnessed_by": full.supervisor.pk}
    empty = client.post("/mesas/PB-01/cerrar/", signed)
    assert empty.status_code == 422
    assert "si no hay ninguna, escriba 0" in empty.content.decode()
    session.refresh_from_db()
    assert session.state == "open"


@pytest.mark.rule("FLOOR-10", "FLOOR-11")
@pytest.mark.parametrize(("chips", "asked"), [({}, True), ({**FLOAT, 500: 95}, False), (FLOAT, False)])
def test_a_close_shows_nothing_expected_and_an_empty_tray_is_owned(
    full: Floor, chips: dict[int, int], asked: bool
) -> None:
    """What should be there is known with the drop, and that is counted blind afterwards."""
    full.open()
    client = full.client(Role.SUPERVISOR)
    signed = {"counted_by": full.dealer.pk, "witnessed_by": full.supervisor.pk}
    total = sum(value * number for value, number in chips.items())
    said = client.post("/mesas/PB-01/conteo/", count({500: 90})).content.decode()
    assert ("se sabrá al contar la caja" in said, "Diferencia" in said) == (True, False)
    first = client.post("/mesas/PB-01/cerrar/", {**count(chips), **signed})
    assert first.status_code == (422 if asked else 302)
    if asked:
        assert TableSession.objects.get().state == "open"
        again = client.post("/mesas/PB-01/cerrar/", {**count(chips), **signed, "confirmed": "0"})
        assert again.status_code == 302
    assert TableSession.objects.get().closing == total


@pytest.mark.rule("FLOOR-05")
def test_an_opening_that_differs_from_the_last_close_is_ticked_and_says_why(floor: Floor) -> None:
    first = floor.open()
    client = floor.client(Role.SUPERVISOR)
    closing = {**count(FLOAT), "counted_by": floor.dealer.pk, "witnessed_by": floor.supervisor.pk}
    assert client.post("/mesas/PB-01/cerrar/", closing).status_code == 302
    # Two chips of 5,00 for one of 10,00: the same 6.500,00, yet not the same chips.
    changed = opening(floor, **count({**FLOAT, 500: 102, 1_000: 99}))
    for given in ({}, {"confirmed": "650000"}, {"reason": "canje"}):
        refused = client.post("/mesas/PB-01/abrir/", {**changed, **given})
        assert refused.status_code == 422
        assert "FLOOR-05" in refused.content.decode()
    done = client.post("/mesas/PB-01/abrir/", {**changed, "confirmed": "650000", "reason": "canje de caja"})
    assert done.status_code == 302
    opened = Event.objects.filter(action="tables.session.opened").latest("pk")
    assert json.loads(bytes(opened.body))["data"]["reason"] == "canje de caja"
    assert TableSession.objects.exclude(pk=first.pk).get().opening == 650_000


@pytest.mark.rule("FLOOR-10")
def test_no_table_is_offered_its_close_in_the_middle_of_a_round(floor: Floor) -> None:
    session = floor.open()
    client = floor.client(Role.SUPERVISOR)
    assert '<button class="btn main big">' in client.get("/mesas/PB-01/cerrar/").content.decode()
    rounds.play(session=session, number=1, step=0, events=cards()[:1], by=floor.by(Role.SUPERVISOR))
    said = client.get("/mesas/PB-01/cerrar/").content.decode()
    assert '<button class="btn main big" disabled>' in said
    words = "l pase 1 está en curso: termínelo o abandónelo antes de cerrar la mesa"
    assert words in said
    signed = {"counted_by": floor.dealer.pk, "witnessed_by": floor.supervisor.pk}
    refused = client.post("/mesas/PB-01/cerrar/", {**count(FLOAT), **signed})
    assert refused.content.decode().count(words) == 2
