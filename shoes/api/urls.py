"""Addresses of the cards below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from shoes.api import acts, decks, faults, inspections, keeping, moves, shoes, store

urlpatterns = [
    path("decks", decks.Decks.as_view(), name="decks"),
    path("decks/homologation", decks.DecksHomologation.as_view(), name="decks-homologation"),
    path("decks/issue", decks.DecksIssue.as_view(), name="decks-issue"),
    path("decks/give-back", keeping.DecksGiveBack.as_view(), name="decks-give-back"),
    path("decks/quarantine", keeping.DecksQuarantine.as_view(), name="decks-quarantine"),
    path("decks/withdraw", keeping.DecksWithdraw.as_view(), name="decks-withdraw"),
    path("decks/hold", keeping.DecksHold.as_view(), name="decks-hold"),
    path("decks/release", keeping.DecksRelease.as_view(), name="decks-release"),
    path("decks/cancel", keeping.DecksCancel.as_view(), name="decks-cancel"),
    path("decks/reseal", keeping.DecksReseal.as_view(), name="decks-reseal"),
    path("decks/<int:pk>", decks.DeckRow.as_view(), name="deck"),
    path("decks/<int:pk>/inspections", inspections.DeckInspections.as_view(), name="deck-inspections"),
    path("deck-moves", moves.DeckMoves.as_view(), name="deck-moves"),
    path("whereabouts", moves.Whereabouts.as_view(), name="whereabouts"),
    path("inspections", inspections.Inspections.as_view(), name="inspections"),
    path("stock", store.Stock.as_view(), name="stock"),
    path("stock/levels", store.StockLevels.as_view(), name="stock-levels"),
    path("stock/counts", store.StockCounts.as_view(), name="stock-counts"),
    path("devices", store.Devices.as_view(), name="devices"),
    path("devices/<int:pk>/change", store.DeviceChange.as_view(), name="device-change"),
    path("destruction-acts", acts.Acts.as_view(), name="destruction-acts"),
    path("destruction-acts/<int:pk>", acts.ActRow.as_view(), name="destruction-act"),
    path("shoes", shoes.Shoes.as_view(), name="shoes"),
    path("shoes/<int:pk>", shoes.ShoeRow.as_view(), name="shoe"),
    path("shoes/<int:pk>/steps", shoes.ShoeSteps.as_view(), name="shoe-steps"),
    path("shoes/<int:pk>/removals", faults.ShoeRemovals.as_view(), name="shoe-removals"),
    path("shoes/<int:pk>/faults", faults.ShoeFaults.as_view(), name="shoe-faults"),
    path("shoes/<int:pk>/end", shoes.ShoeEnd.as_view(), name="shoe-end"),
    path("shoes/<int:pk>/count", inspections.ShoeCount.as_view(), name="shoe-count"),
    path("shoe-alerts", shoes.ShoeAlerts.as_view(), name="shoe-alerts"),
]
