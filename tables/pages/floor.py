"""The floor: one page, and its inner part polled every few seconds."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits.pages.answers import unless_changed, user_of
from casino.kernel import clock
from tables import overview


def show(request: HttpRequest) -> HttpResponse:
    return render(request, "tables/floor.html", {**_context(request), "wall": "pared" in request.GET})


def board(request: HttpRequest) -> HttpResponse:
    """The inner part alone; 304 while nothing changed."""
    return unless_changed(request, "tables/_floor.html", _context(request))


def _context(request: HttpRequest) -> dict[str, Any]:
    return {"floor": overview.floor(user_of(request), clock.now())}
