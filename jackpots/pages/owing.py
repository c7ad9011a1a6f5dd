"""What the pools owe to players and nobody collected yet, by its age."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits.pages.answers import user_of
from casino.kernel import clock
from jackpots import owing

TEMPLATE = "jackpots/owed.html"


def listing(request: HttpRequest) -> HttpResponse:
    """The oldest first."""
    return render(request, TEMPLATE, {"owed": owing.owed(user_of(request).casino, clock.now())})
