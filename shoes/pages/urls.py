"""Addresses of the cards' pages. A shoe and a deck are known by what is written on them."""

from __future__ import annotations

from django.urls import path

from shoes.pages import decks, shoes

urlpatterns = [
    path("cartas/", shoes.listing, name="shoes"),
    path("cartas/sabots/", shoes.start, name="shoe-start"),
    path("cartas/sabots/<int:pk>/", shoes.checklist, name="shoe"),
    path("cartas/sabots/<int:pk>/terminar/", shoes.end, name="shoe-end"),
    path("cartas/barajas/", decks.listing, name="decks"),
    path("cartas/barajas/ingreso/", decks.register, name="deck-register"),
    path("cartas/barajas/<int:pk>/", decks.inspect, name="deck"),
]
