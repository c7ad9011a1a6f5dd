"""Where one stands is marked in the menu, also on a page that no place leads to directly."""

from __future__ import annotations

import pytest

from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.menu import places_of
from tests.builders import House, a_house


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.mark.parametrize(
    ("route", "place"),
    [
        ("reportes/<str:identifier>/", "Reportes"),
        ("exportaciones/<int:pk>/", "Reportes"),
        ("exportaciones/programadas/", "Reportes"),
        ("tramites/<int:pk>/", "Reportes"),
        ("pozos/", "Pozos"),
        ("dias/<int:pk>/", "Días"),
        ("inspecciones/<int:pk>/", "Auditoría"),
        ("incidentes/criterios/", "Sala"),
    ],
)
def test_a_page_belongs_to_one_place(house: House, route: str, place: str) -> None:
    offered = places_of(house.users[Role.COMPLIANCE], route, clock.now())
    assert [str(each["words"].say("es")) for each in offered if each["here"]] == [place]
