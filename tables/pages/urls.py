"""Addresses of the floor's pages. A table is known by its name, as people call it."""

from __future__ import annotations

from django.urls import path

from tables.pages import cards, floor, people, places, records, rounds, sessions, terms

urlpatterns = [
    path("", floor.show, name="floor"),
    path("sala/tablero/", floor.board, name="floor-board"),
    path("mesas/<str:name>/", rounds.show, name="table"),
    path("mesas/<str:name>/tablero/", rounds.board, name="round-board"),
    path("mesas/<str:name>/anotar/", rounds.enter, name="round-enter"),
    path("mesas/<str:name>/anular/", rounds.undo, name="round-undo"),
    path("mesas/<str:name>/abandonar/", rounds.abandon, name="round-abandon"),
    path("mesas/<str:name>/detencion/", rounds.stop_card, name="stop-card"),
    path("mesas/<str:name>/abrir/", sessions.open_table, name="table-open"),
    path("mesas/<str:name>/cerrar/", sessions.close_table, name="table-close"),
    path("mesas/<str:name>/conteo/", sessions.count, name="table-count"),
    path("mesas/<str:name>/relevo/", sessions.relieve, name="table-relieve"),
    path("mesas/<str:name>/sabot/", sessions.load_shoe, name="table-shoe"),
    path("mesas/<str:name>/barajado/", rounds.shuffled, name="table-shuffled"),
    path("mesas/<str:name>/descartes/", rounds.discards, name="table-discards"),
    path("mesas/<str:name>/cartas/", cards.show, name="table-cards"),
    path("mesas/<str:name>/cartas/revision/", cards.review, name="table-review"),
    path("mesas/<str:name>/cartas/revision/cerrar/", cards.close_review, name="table-review-close"),
    path("mesas/<str:name>/cartas/barajar/", cards.reshuffle, name="table-reshuffle"),
    path("sesiones/", sessions.listing, name="sessions"),
    path("sesiones/<int:pk>/", sessions.detail, name="session"),
    path("sesiones/<int:pk>/caja/", sessions.record_drop, name="session-drop"),
    path("pases/<int:pk>/", records.show, name="round"),
    path("pases/<int:pk>/anular/", records.void, name="round-void"),
    path("ajustes/", places.show, name="settings"),
    path("ajustes/sectores/", places.pits, name="settings-pits"),
    path("ajustes/mesas/", places.tables, name="settings-tables"),
    path("ajustes/mesas/<int:pk>/", places.table, name="settings-table"),
    path("ajustes/limites/<int:pk>/", terms.limits, name="settings-limits"),
    path("ajustes/juegos/", terms.games, name="settings-games"),
    path("ajustes/juegos/<str:code>/", terms.rules, name="settings-rules"),
    path("ajustes/personal/", people.staff, name="settings-staff"),
    path("ajustes/personal/<int:pk>/", people.person, name="settings-person"),
]
