"""Addresses of the cards' pages. A shoe and a deck are known by what is written on them."""

from __future__ import annotations

from django.urls import path

from shoes.pages import (
    acts,
    decks,
    desk,
    devices,
    keeping,
    labelling,
    mending,
    receiving,
    shoes,
    store,
    where,
)

MOVES = (
    ("devolver", "deck-give-back"),
    ("cuarentena", "deck-quarantine"),
    ("retirar", "deck-withdraw"),
    ("anular", "deck-cancel"),
    ("retener", "deck-hold"),
    ("liberar", "deck-release"),
    ("precintar", "deck-reseal"),
)

urlpatterns = [
    path("cartas/", shoes.listing, name="shoes"),
    path("cartas/sabots/", shoes.start, name="shoe-start"),
    path("cartas/sabots/<int:pk>/", shoes.checklist, name="shoe"),
    path("cartas/sabots/<int:pk>/terminar/", shoes.end, name="shoe-end"),
    path("cartas/sabots/<int:pk>/falla/", mending.report, name="shoe-fault"),
    path("cartas/sabots/<int:pk>/sacar/", mending.remove, name="shoe-remove"),
    path("cartas/sabots/<int:pk>/recuento/", desk.count, name="shoe-count"),
    path("cartas/inspeccion/", desk.desk, name="desk"),
    path("cartas/inspeccion/<int:pk>/", desk.inspect, name="deck-inspect"),
    path("cartas/barajas/", decks.listing, name="decks"),
    path("cartas/barajas/<int:pk>/", decks.history, name="deck"),
    path("cartas/deposito/", store.overview, name="store"),
    path("cartas/deposito/minimos/", store.level, name="store-level"),
    path("cartas/deposito/recuento/", store.count, name="store-count"),
    path("cartas/deposito/recepcion/", receiving.receipt, name="receipt"),
    path("cartas/deposito/entrega/", receiving.issue, name="issue"),
    *(path(f"cartas/deposito/{word}/", keeping.move, {"movement": name}, name=name) for word, name in MOVES),
    path("cartas/equipos/", devices.listing, name="devices"),
    path("cartas/equipos/<int:pk>/", devices.change, name="device"),
    path("cartas/donde/", where.show, name="where"),
    path("cartas/actas/", acts.listing, name="acts"),
    path("cartas/actas/nueva/", acts.create, name="act-new"),
    path("cartas/actas/<int:pk>/", acts.show, name="act"),
    path("cartas/etiquetas/", labelling.print_out, name="labels"),
    path("cartas/leer/", labelling.scan, name="scan"),
]
