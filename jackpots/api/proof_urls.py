"""Addresses of meter readings and proofs of pools below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from jackpots.api import proofs

urlpatterns = [
    path("pools/<int:pk>/readings", proofs.PoolReadings.as_view(), name="pool-readings"),
    path("pools/<int:pk>/proofs", proofs.PoolProofs.as_view(), name="pool-proofs"),
    path("pools/<int:pk>/differences", proofs.PoolDifferences.as_view(), name="pool-differences"),
    path("pool-proofs/<int:pk>", proofs.PoolProofRow.as_view(), name="pool-proof"),
]
