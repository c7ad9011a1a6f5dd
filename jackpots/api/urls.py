"""Addresses of progressive pools below `/api/v1/`."""

from __future__ import annotations

from jackpots.api import pool_urls, prize_urls, proof_urls

urlpatterns = [*pool_urls.urlpatterns, *prize_urls.urlpatterns, *proof_urls.urlpatterns]
