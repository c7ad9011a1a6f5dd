"""Addresses of the cards below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from shoes.api import decks, shoes

urlpatterns = [
    path("decks", decks.Decks.as_view(), name="decks"),
    path("decks/<int:pk>", decks.DeckRow.as_view(), name="deck"),
    path("decks/<int:pk>/inspections", decks.DeckInspections.as_view(), name="deck-inspections"),
    path("inspections", decks.Inspections.as_view(), name="inspections"),
    path("shoes", shoes.Shoes.as_view(), name="shoes"),
    path("shoes/<int:pk>", shoes.ShoeRow.as_view(), name="shoe"),
    path("shoes/<int:pk>/steps", shoes.ShoeSteps.as_view(), name="shoe-steps"),
    path("shoes/<int:pk>/end", shoes.ShoeEnd.as_view(), name="shoe-end"),
]
