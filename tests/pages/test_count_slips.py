"""The slips of the opening and the closing count: what they say, in how many copies, to whom, from where."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from audits.models import Event
from casino.kernel import rulebook
from casino.kernel.permissions import Role
from tables import closings, count_slips, openings
from tables.models import TableSession
from tables.roster import shifts
from tests.api.building import make_house
from tests.pages.building import FLOAT, Floor, make_floor

COUNTED = {500: 90, 1_000: 120, 5_000: 95}
"""90 x 5,00 = 450,00; 120 x 10,00 = 1.200,00; 95 x 50,00 = 4.750,00: together 6.400,00."""
COPIES = 2
"""FLOOR-10: signed in 2 copies."""


def close(floor: Floor, session: TableSession) -> TableSession:
    return closings.close_session(
        session=session, chips_counted=COUNTED, counted_by=floor.dealer, witnessed_by=floor.supervisor,
        by=floor.by(Role.SUPERVISOR),
    )  # fmt: skip


def read(floor: Floor, session: TableSession, which: str, role: Role = Role.SUPERVISOR, **more: str) -> str:
    response = floor.client(role, **more).get(f"/sesiones/{session.pk}/{which}/")
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.rule("FLOOR-10")
def test_a_closing_is_printed_in_two_copies_with_its_chips_and_its_signers(floor: Floor) -> None:
    session = close(floor, floor.open())
    page = read(floor, session, "cierre")
    assert page.count('class="copy"') == COPIES
    for row in (
        "<td>50,00</td><td>95</td><td>4.750,00</td>",
        "<td>10,00</td><td>120</td><td>1.200,00</td>",
        "<td>5,00</td><td>90</td><td>450,00</td>",
        "<td>Total</td><td></td><td>6.400,00</td>",
    ):
        assert page.count(row) == COPIES, row
    assert session.closed_at is not None
    wall = session.closed_at.astimezone(ZoneInfo(floor.house.casino.zone))
    for said in (
        "Marta Rojas",
        "Lucía Mamani",
        "Casino norte",
        "Persona supervisor",
        f"{wall:%d/%m/%Y %H:%M}",
    ):
        assert page.count(said) >= COPIES, said
    for said in (
        "<h2>Comprobante de cierre <span>",
        f"<dd>{session.label}</dd>",
        "PB-01 · Mini Punto y Banca",
    ):
        assert page.count(said) == COPIES, said
    for mark in ("Original: en el fichero, a la vista", "Duplicado: contabilidad"):
        assert page.count(mark) == 1
    assert "Frente al cierre anterior" not in page
    event = Event.objects.get(action="tables.session.closed")
    assert page.count(f"{session.stream} · {event.seq} · ") == COPIES
    assert page.count(bytes(event.hash).hex()) == COPIES


@pytest.mark.rule("FLOOR-04")
def test_an_opening_is_printed_beside_the_closing_before_it(floor: Floor) -> None:
    first = floor.open()
    page = read(floor, first, "apertura")
    assert page.count('class="copy"') == COPIES
    # 100 of each chip: 500,00 + 1.000,00 + 5.000,00.
    assert page.count("<td>Total</td><td></td><td>6.500,00</td>") == COPIES
    assert page.count("Original: mesa") == 1
    close(floor, first)
    second = openings.open_session(
        table=floor.table, shoe=floor.ready_shoe(), chips_counted={**COUNTED, 500: 92, 1_000: 119},
        dealer=floor.dealer, supervisor=floor.supervisor, by=floor.by(Role.SUPERVISOR, "canje de caja"),
    )  # fmt: skip
    page = read(floor, second, "apertura")
    # 92 against 90 of 5,00; 119 against 120 of 10,00; 460,00 + 1.190,00 + 4.750,00.
    assert page.count("+2 fichas de 5,00") == COPIES
    assert page.count("−1 fichas de 10,00") == COPIES
    assert "fichas de 50,00" not in page
    assert page.count("<td>Total</td><td></td><td>6.400,00</td>") == COPIES


def test_it_is_in_the_language_asked_for(floor: Floor) -> None:
    session = close(floor, floor.open())
    page = read(floor, session, "cierre", language="en")
    assert page.count("<h2>Closing slip <span>") == COPIES
    assert "Duplicate: accounts" in page
    assert "6,400.00" in page


@pytest.mark.rule("FLOOR-10")
@pytest.mark.parametrize(("wanted", "last"), [(1, "Original"), (2, "Duplicado"), (3, "Ejemplar 3")])
def test_there_are_as_many_copies_as_the_rule_wants(
    monkeypatch: pytest.MonkeyPatch, wanted: int, last: str
) -> None:
    book = SimpleNamespace(params={"slip_copies": wanted})
    monkeypatch.setattr(rulebook, "rule", {"FLOOR-10": book}.__getitem__)
    found = count_slips.copies("closing")
    assert len(found) == wanted
    assert found[-1].es.startswith(last)


def test_the_paper_says_on_which_shift_each_signer_was(floor: Floor) -> None:
    session = floor.open()
    start = session.opened_at.replace(minute=0, second=0, microsecond=0) + dt.timedelta(hours=1)
    shifts.plan_shift(
        staff=floor.dealer, start=start, end=start + dt.timedelta(hours=8), by=floor.by(Role.PIT_BOSS)
    )
    assert "<small>turno" not in read(floor, session, "apertura")  # it had not begun
    count = session.counts.get()
    count.counted_at = start
    assert set(count_slips.slip_of(count).turns) == {"counted_by"}  # of the witness none is known


def test_who_may_read_it_and_when_there_is_one(floor: Floor) -> None:
    session = floor.open()
    paths = [f"/sesiones/{session.pk}/{which}/" for which in ("apertura", "cierre")]
    assert floor.client(Role.INSPECTOR).get(paths[0]).status_code == 200
    assert floor.client(Role.INSPECTOR).get(paths[1]).status_code == 404  # it has not closed
    close(floor, session)
    elsewhere = make_floor(make_house("sur"))
    for path in paths:
        assert floor.client(Role.CAGE).get(path).status_code == 200
        assert floor.client(Role.CROUPIER).get(path).status_code == 403  # of the money they read nothing
        assert elsewhere.client(Role.PIT_BOSS).get(path).status_code == 404


def test_one_comes_to_it_from_the_table_the_session_and_the_next_opening(floor: Floor) -> None:
    session = floor.open()
    client = floor.client(Role.SUPERVISOR)
    opening, closing = (f'href="/sesiones/{session.pk}/{which}/"' for which in ("apertura", "cierre"))
    assert opening in client.get("/mesas/PB-01/").content.decode()
    of_session = client.get(f"/sesiones/{session.pk}/").content.decode()
    assert (of_session.count(opening), of_session.count(closing)) == (2, 0)  # statement and counts
    close(floor, session)
    of_session = client.get(f"/sesiones/{session.pk}/").content.decode()
    assert (of_session.count(opening), of_session.count(closing)) == (2, 3)  # and the page's head
    assert closing in client.get("/mesas/PB-01/abrir/").content.decode()
    mine = floor.client(Role.CROUPIER).get(f"/sesiones/{session.pk}/").content.decode()
    assert opening not in mine
    assert closing not in mine


def test_it_is_the_float_of_the_session_that_is_asked_for(floor: Floor) -> None:
    session = close(floor, floor.open())
    assert sum(value * number for value, number in FLOAT.items()) == 650_000
    assert "6.500,00" not in read(floor, session, "cierre")
    assert "6.400,00" not in read(floor, session, "apertura")
