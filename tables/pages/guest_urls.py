"""Addresses of the pages of players, seats, waiting lists, exclusions and matches."""

from __future__ import annotations

from django.urls import path

from tables.pages import exclusion_lists, exclusions, guests, seats, waiting

urlpatterns = [
    path("mesas/<str:name>/asientos/", seats.show, name="table-seats"),
    path("mesas/<str:name>/asientos/mapa/", seats.felt, name="table-seats-felt"),
    path("mesas/<str:name>/asientos/acto/", seats.act, name="table-seats-act"),
    path("espera/", waiting.listing, name="waiting"),
    path("espera/<int:pk>/", waiting.act, name="waiting-act"),
    path("jugadores/", guests.listing, name="guests"),
    path("jugadores/buscar/", guests.find, name="guests-find"),
    path("jugadores/<int:pk>/", guests.show, name="guest"),
    path("jugadores/admision/", guests.admission, name="admission"),
    path("exclusiones/", exclusions.listing, name="exclusions"),
    path("exclusiones/<int:pk>/", exclusions.show, name="exclusion"),
    path("exclusiones/importar/", exclusion_lists.show, name="exclusions-import"),
    path("coincidencias/", exclusions.matches, name="matches"),
    path("coincidencias/<int:pk>/", exclusions.match, name="match"),
]
