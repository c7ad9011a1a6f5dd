"""The main menu: the places of the house, and the first address in each that a person may open."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from audits.incident_lists import standing
from casino.access_table import URLS
from casino.kernel import permissions
from casino.kernel.words import Text
from casino.models import User


@dataclass(frozen=True, slots=True)
class Place:
    """`ways`: addresses by name, the first one allowed is where the menu leads; `paths`: how the addresses of
    the place begin, empty for the start page itself."""

    ways: tuple[str, ...]
    paths: tuple[str, ...]
    icon: str
    words: Text


_PLACES = (
    Place(
        ("floor",),
        ("", "mesas/", "sala/", "avisos/", "subastas/", "incidentes/criterios/"),
        "floor",
        Text("Sala", "Floor"),
    ),
    Place(("sessions",), ("sesiones/", "pases/"), "report", Text("Sesiones", "Sessions")),
    Place(
        ("cage", "slips", "count-room", "tips"),
        ("caja/", "fichas/", "recuento/", "cajas/", "impuestos/", "propinas/", "sin-dueno/"),
        "money",
        Text("Dinero", "Money"),
    ),
    Place(
        ("roster", "my-post"),
        ("turnos/", "rotacion/", "personas/", "mi-puesto/", "propinas/mias/"),
        "people",
        Text("Personal", "Staff"),
    ),
    Place(
        ("waiting", "guests", "exclusions"),
        ("espera/", "jugadores/", "exclusiones/", "coincidencias/"),
        "user",
        Text("Jugadores", "Players"),
    ),
    Place(("shoes",), ("cartas/",), "cards", Text("Cartas", "Cards")),
    Place(("pools",), ("pozos/",), "pool", Text("Pozos", "Pools")),
    Place(("incidents",), ("incidentes/",), "warn", Text("Incidentes", "Incidents")),
    Place(
        ("reports", "filings"),
        ("reportes/", "exportaciones/", "tramites/"),
        "report",
        Text("Reportes", "Reports"),
    ),
    Place(("days",), ("dias/",), "day", Text("Días", "Days")),
    Place(("trail", "visits"), ("auditoria/", "inspecciones/"), "trail", Text("Auditoría", "Trail")),
    Place(("settings",), ("ajustes/",), "settings", Text("Ajustes", "Settings")),
)

_CALLED = {"my-post": Text("Mi puesto", "My post"), "visits": Text("Inspección", "Inspection")}
"""What a place is called to those for whom it begins there: who sees only themselves among the staff, or
reads the AJ's inspections and not the trail."""


def places_of(user: User, route: str, instant: dt.datetime) -> list[dict[str, Any]]:
    """What the menu offers `user` on the page of `route`; the incidents with how many are open."""
    here = _place_of(route)
    return [
        {
            "name": name,
            "icon": place.icon,
            "words": _CALLED.get(name, place.words),
            "here": place is here,
            "standing": standing(user.casino, instant) if "incidents" in place.ways else None,
        }
        for place in _PLACES
        if (name := next((way for way in place.ways if permissions.may(user, URLS[way]["GET"])), ""))
    ]


def _place_of(route: str) -> Place | None:
    """The place an address belongs to; the longest beginning decides: one's own tips are of the staff."""
    found = [(len(path), place) for place in _PLACES for path in place.paths if route.startswith(path)]
    length, place = max(found, key=lambda pair: pair[0])
    return place if length or route == "" else None
