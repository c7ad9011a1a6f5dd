"""Addresses of the pages: the house's own, then each room's."""

from __future__ import annotations

from django.urls import include, path

from casino import pages

urlpatterns = [
    path("entrar/", pages.enter, name="login"),
    path("salir/", pages.leave, name="logout"),
    path("aspecto/", pages.theme, name="theme"),
    path("reglas/", pages.rules, name="rules"),
    path("reglas/<str:rule_id>/", pages.rule, name="rule"),
    path("", include("jackpots.pages.urls")),
    path("", include("tables.pages.urls")),
    path("", include("shoes.pages.urls")),
    path("", include("audits.pages.urls")),
]
