"""Addresses of the floor's pages. A table is known by its name, as people call it."""

from __future__ import annotations

from django.urls import path

from tables.pages import floor, rounds, sessions, settings

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
    path("sesiones/", sessions.listing, name="sessions"),
    path("sesiones/<int:pk>/", sessions.detail, name="session"),
    path("sesiones/<int:pk>/caja/", sessions.record_drop, name="session-drop"),
    path("ajustes/", settings.show, name="settings"),
    path("ajustes/sectores/", settings.pits, name="settings-pits"),
    path("ajustes/mesas/", settings.tables, name="settings-tables"),
    path("ajustes/mesas/<int:pk>/", settings.table, name="settings-table"),
    path("ajustes/limites/<int:pk>/", settings.limits, name="settings-limits"),
    path("ajustes/juegos/", settings.games, name="settings-games"),
    path("ajustes/juegos/<str:code>/", settings.rules, name="settings-rules"),
    path("ajustes/personal/", settings.staff, name="settings-staff"),
    path("ajustes/personal/<int:pk>/", settings.person, name="settings-person"),
]
