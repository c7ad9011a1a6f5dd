"""Addresses of the bank's pages and of its auctions."""

from __future__ import annotations

from django.urls import path

from tables.pages import auction_acts, auctions, bank, rounds

urlpatterns = [
    path("mesas/<str:name>/banco/", bank.at_table, name="table-bank"),
    path("mesas/<str:name>/banco/acto/", bank.act, name="table-bank-act"),
    path("mesas/<str:name>/banco/panel/", rounds.bank, name="round-bank"),
    path("sesiones/<int:pk>/banco/", bank.of_session, name="session-bank"),
    path("subastas/<int:pk>/", auctions.show, name="auction"),
    path("subastas/<int:pk>/vivo/", auctions.live, name="auction-live"),
    path("subastas/<int:pk>/pujar/", auctions.bid, name="auction-bid"),
    path("subastas/<int:pk>/cerrar/", auctions.close, name="auction-close"),
    path("subastas/<int:pk>/acta.pdf", auction_acts.paper, name="auction-act"),
    path("subastas/<int:pk>/acta.json", auction_acts.record, name="auction-act-json"),
    path("subastas/<int:pk>/firmar/", auction_acts.sign, name="auction-sign"),
]
